"""Whether a statement may be somebody else's, imagined, quoted or past, so that it is not sure to hold.

Nothing is lost by doubt: what is doubted is not presented as in force, it stands among what the user said,
in the user's own words. So this asks for signs, not for proof: of who speaks, of mood and time, of a text
that is only worked on. `decoys` takes out what is certain to be none of the user's rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gateway.core.ledger.words_doubt import PHRASES, POINTS_BACK, QUOTED, WORDS, ZH

_AROUND = 2
"""So many sentences before one, and after it, can say whose it is."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_PUNCTUATION = '.,;:!?()[]{}|"“”‘`*/#<>=+…—–&~^'


def is_doubtful(sentences: Sequence[str], number: int) -> bool:
    """Return whether the sentence of that number may not be the user's own word for now; all are plain.

    >>> is_doubtful(["never push to main"], 0)
    False
    >>> is_doubtful(["never push to main", "what do you make of that?"], 0)
    True
    """
    first = max(number - _AROUND, 0)
    if any(map(_has_sign, sentences[first : number + 1])):
        return True
    return any(
        POINTS_BACK.search(sentence) or _has_sign(sentence)
        for sentence in sentences[number + 1 : number + 1 + _AROUND]
    )


def _has_sign(sentence: str) -> bool:
    if not WORDS.isdisjoint([token.strip(_PUNCTUATION) for token in sentence.split()]):
        return True
    if PHRASES.search(sentence) or QUOTED.search(sentence):
        return True
    return not sentence.isascii() and bool(_HAN.search(sentence) and ZH.search(sentence))
