"""Whether a statement may be somebody else's, imagined, quoted or past, so that it is not sure to hold.

Nothing is lost by doubt: what is doubted is not presented as in force, it stands among what the user said,
in the user's own words. So this asks for signs, not for proof: of who speaks, of mood and time, of a text
that is only worked on. And what rules must show whose it is: an order to the assistant, the speaker or those
he speaks for, or what he works on. `decoys` takes out what is certain to be none of the user's rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gateway.core.ledger import words_doubt_own as own
from gateway.core.ledger import words_doubt_zh as zh
from gateway.core.ledger.words_doubt import (
    DOCS,
    INSIDE,
    INSIDE_WORDS,
    PHRASES,
    POINTS_BACK,
    QUOTED,
    WEAK_WORDS,
    WORDS,
)

_AROUND = 2
"""So many sentences before one, and after it, can say whose it is."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
# A label of at most a few words before a colon and what it labels.
_LABEL = re.compile(r"^[^:：,，.。]{2,40}(?:: |：)(?=\S)")
_KANA = re.compile(r"[\u3040-\u30ff]")
_PUNCTUATION = '.,;:!?()[]{}|"“”‘`*/#<>=+…—–&~^'


def is_doubtful(sentences: Sequence[str], number: int) -> bool:
    """Return whether the sentence of that number may not be the user's own word for now; all are plain.

    >>> is_doubtful(["never push to main"], 0), is_doubtful(["swimmers must shower"], 0)
    (False, True)
    >>> is_doubtful(["never push to main", "what do you make of that?"], 0)
    True
    """
    if not _is_own(sentences[number]) or _is_told(sentences[number]):
        return True
    first = max(number - _AROUND, 0)
    if any(map(_has_sign, sentences[first : number + 1])):
        return True
    return any(
        POINTS_BACK.search(sentence) or _has_sign(sentence)
        for sentence in sentences[number + 1 : number + 1 + _AROUND]
    )


@lru_cache(256)
def _has_sign(sentence: str) -> bool:
    words = _words(sentence)
    if not WORDS.isdisjoint(words) or PHRASES.search(sentence):
        return True
    if (not WEAK_WORDS.isdisjoint(words) or DOCS.search(sentence)) and not own.ORDERS.match(sentence):
        return True
    if (quoted := _quoted(sentence)) and not _is_wording(sentence, quoted[0]):
        return True
    return _is_han(sentence) and bool(zh.ZH.search(sentence) or zh.OTHERS.search(sentence))


def _quoted(sentence: str) -> re.Match[str] | None:
    """Return what stands in quotation marks; it is looked for only where there are any."""
    if sentence.isascii() and '"' not in sentence and "'" not in sentence:
        return None
    return QUOTED.search(sentence)


@lru_cache(256)
def _is_told(sentence: str) -> bool:
    """Return whether a sentence itself tells what was, what is usual, or what others rule."""
    if not INSIDE_WORDS.isdisjoint(_words(sentence)) or INSIDE.search(sentence):
        return True
    return _is_han(sentence) and bool(zh.THIRD.match(sentence) or zh.INSIDE.search(sentence))


def _is_wording(sentence: str, quoted: str) -> bool:
    """Return whether quotation marks hold only the words that an order is about."""
    return bool(own.WORDS_IT.match(sentence)) and own.RULES.isdisjoint(_words(quoted))


@lru_cache(256)
def _is_own(sentence: str) -> bool:
    """Return whether what a sentence rules is the speaker's own; what rules nothing is."""
    if _is_han(sentence):
        return _is_own_zh(sentence)
    if own.ORDERS.match(sentence) or own.SETTLED.search(sentence):
        return True
    words = _words(sentence)
    rules = not own.RULES.isdisjoint(words) or bool(own.DUTY.search(sentence))
    if rules and _LABEL.match(sentence) and not own.LABELS.match(sentence):
        return False
    if not own.THIRD.isdisjoint(words):
        return not own.SPEAKER.isdisjoint(words)
    if not own.OWN.isdisjoint(words) or own.LATER_ORDERS.search(sentence):
        return True
    if not rules:
        return True
    return own.PEOPLE.isdisjoint(words) and _is_work(words)


def _is_own_zh(sentence: str) -> bool:
    if not zh.RULES.search(sentence) or _KANA.search(sentence):
        return True
    if _LABEL.match(sentence) and not zh.LABELS.match(sentence):
        return False
    return bool(zh.OWN.search(sentence)) or _is_work_zh(sentence)


def _is_work(words: Sequence[str]) -> bool:
    """Return whether what is ruled is what users work on."""
    first = next((number for number, word in enumerate(words) if word in own.MODALS), 0)
    subject = words if own.ANYBODY.issuperset(words[:first]) else words[:first]
    line = " ".join(subject)
    if own.OWNER.search(line):
        return False
    return not own.WORK.isdisjoint(subject) or bool(own.EXACT.search(line))


def _is_work_zh(sentence: str) -> bool:
    ruled = zh.SUBJECT.match(sentence)
    return bool(zh.WORK.search((ruled and ruled["subject"]) or sentence))


def _is_han(sentence: str) -> bool:
    return not sentence.isascii() and bool(_HAN.search(sentence))


@lru_cache(256)
def _words(sentence: str) -> Sequence[str]:
    return [token.strip(_PUNCTUATION) for token in sentence.split()]
