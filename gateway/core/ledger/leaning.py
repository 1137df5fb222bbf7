"""Whether a statement says so little of its own that it is of something said before: "8443 then".

What a value is of is named by a noun: behind "the" or "our", before "is" or a colon, at the beginning. Who
says it, why, and for how long names nothing; and "it", "that one", "he" point back whatever stands around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, parted, subject, told
from gateway.core.ledger.changes import adds
from gateway.core.ledger.differences import size
from gateway.core.ledger.forms import SOLID, Value
from gateway.core.ledger.phrases import DO
from gateway.core.ledger.reading import read, without_choices
from gateway.core.ledger.topic import VALUE_WORDS, stem, topic
from gateway.core.ledger.turns import is_han as has_han
from gateway.core.ledger.words_choices import CHOICES
from gateway.core.ledger.words_contests import BESIDE, FAILS, GENERAL, ZH_BESIDE, ZH_TURNS, has_value
from gateway.core.ledger.words_foreign import FOREIGN
from gateway.core.ledger.words_subject import LIGHT

_MOST_WORDS = 12
_VALUE_WORDS = 4
_MOST_HAN = 24
"""What is longer says itself of what it is."""
_SHORT_HAN = 14
"""What gives no value must say still less."""
_CHOICE = ("han", "cho")
"""With these begin the forms of what is neither measured nor written in a way of its own."""
_LONGEST = 240
"""What has more characters is a document."""
_MUCH = 2
_LEADING = 2
"""With so many words a statement begins that says one thing more."""

CHOSEN = frozenset(stem(word)[:6] for word in VALUE_WORDS) | frozenset(
    stem(word)[:6] for word in CHOICES if word.isascii()
)
"""Words that are what is chosen, and name nothing of which it is."""
_NAMELESS = frozenset((*GENERAL, *BESIDE, *FOREIGN, *LIGHT))
_BESIDE = frozenset(stem(word)[:6] for word in _NAMELESS) | CHOSEN
_LEAD = re.compile(r"^[^\d:：]{1,24}(?:: |：)(?=\S)")
_PRINTED = re.compile(r"[!-~\s]+")
_STATES_OF = re.compile(
    r"\W*(?:our|my|the|his|her) ([a-z-]+)(?: [a-z-]+)? (?:is|are)\b(?! \w+ing\b)", re.IGNORECASE
)
# Where a rule holds: a statement of that is of nothing else.
_WITHIN = re.compile(
    r"(?<!it )(?<!them )(?<!that )(?<!all )(?<!everything )(?<!lives )(?<!live )(?<!is )(?<!are )"
    r"(?<!go )(?<!goes )(?<!sits )(?<!kept )(?<!now )\b(?:in|for|under|inside|touching) \S{0,80}/"
)
# What names the thing that a statement is about: it is of that, and of nothing before.
_THING = re.compile(
    r"\b(?:the|our|my|his|her|their|your|an?|for|of|each|per|every) ([a-z][a-z-]+)(?=(?: ([a-z][a-z-]+))?)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\W*([a-z][a-z'-]+)(?= (?:\S+ ){0,3}?(?:is|are|was|has|have|needs?|gets?|go|goes|must|should|will|can|"
    r"may|[a-z]+s)\b| ?[:=](?!//))",
    re.IGNORECASE,
)
_VERB = re.compile(rf"{DO}|[a-z]+(?:ed|ing)")
_LABEL = re.compile(r"([^\d:：=，。]{1,40}?)\s?[:：=](?!//)\s*\S")
_CLAUSE = re.compile(
    r"[,;.:—–，。；：!！]\s+|[，。；：！]|\s[-–—]\s|\s(?:so|but|because|and|since|that|after(?! all))\s"
)
# Who says so is not what it is about.
_AGENT = re.compile(
    r"^\W*(?:(?:the|my|our|his|her|their) )?[\w.]{1,30} (?=(?:says?|said|wants?|thinks?|told|called|asks?"
    r"|asked|reckons?|insists?|suggests?|suggested|prefers?|preferred|recommends?|recommended|offers?|offered)\b)",
    re.IGNORECASE,
)
# It only asks for something.
_ERRAND = re.compile(
    r"\W*(?:(?:ok(?:ay)?|and|now|then|so|please|next|also|thanks|hm+)\W+){0,3}"
    r"(?:(?:can|could|would|will) you (?!make|use|take|change)|give (?:me|us) (?:(?:the|an?|all|some|your)\b"
    r"|(?:\d{1,3}|two|three|four|five|ten) (?:more |other |new |short )?(?:examples|ideas|options|reasons"
    r"|tips|names|titles|questions|alternatives|suggestions|variants|versions|sentences|bullets)\b)|do the"
    r"|show|tell|check|explain|compare|find|run|plot|list|read|open|describe|go (?:through|over|on)|walk|sum"
    r"|summari[sz]e|look|have a look|try|suppose|imagine|if|what if|any idea|what|why|how|where|which|who)\b"
    r"|\W*(?:再|请|麻烦|那)?(?:看看|看一?下|帮我|给我(?:讲|看|画|列|\d{1,3}[个条点句](?:例|建|点|方|选|理|标|名|问))|讲讲|说说|查一?下|解释|列出|比较|总结|画|跑|试"
    r"|如果|假如|要是|把[^，。]{1,20}(?:起来|一下)|用一段话)",
    re.IGNORECASE,
)
# What stands before a colon and says something is no label.
_SAYS = re.compile(
    r"'s \w+ing\b|\b(?:said|says|came|went|rsvp'd|told|wants?|no|ok|is|are|was|\w+ed)\b|[说讲问了来要]"
)
# It points back, before anything is named.
_POINTS = re.compile(
    r"\b(?:it|it's|it'll|that|that's|this|they|they're|them|those|these|one|he|he's|she|she's|him|her|there"
    r"|same|half of)\b|那[个边张家块天人]|这[个边张家块]|它|[他她](?!们?[说要])|那[，,是就]",
    re.IGNORECASE,
)


def may_lean(new: str) -> bool:
    """Return whether a statement is so short that it may be of something said before."""
    # A value is a word, however long.
    if has_han(new):
        return len(_PRINTED.sub("", new)) <= _MOST_HAN + _VALUE_WORDS
    return len(new.split()) <= _MOST_WORDS + _VALUE_WORDS


@lru_cache(4096)
def leans(new: str, is_firm: bool, is_marked: bool = True) -> bool:
    """Return whether a statement says so little of its own that it may be of something said before.

    *is_firm*: it says that something changes. *is_marked*: it may say so; else it must say next to nothing.

    >>> leans("8443 then", False), leans("The port of db-1 is 8443 now", True)
    (True, False)
    >>> leans("He sits in 412", False, False), leans("Room 412 is free", False, False)
    (True, False)
    """
    is_han = has_han(new)
    if not may_lean(new) or _states(new) or _WITHIN.search(new):
        return False
    every = read(new)
    if not (is_marked or every.values):
        return False
    if not is_marked and _ERRAND.match(new):
        return False
    said = list(_clauses(new, every))
    if is_han:
        return any(_leans_in_chinese(new, clause, mine, is_firm, is_marked) for clause, mine in said)
    return any(_leans(new, clause, mine, is_firm, is_marked) for clause, mine in said)


@lru_cache(1024)
def speaks_of_one(new: str) -> bool:
    """Return whether what a statement gives is said in few words, and no errand."""
    if len(new) > _LONGEST:
        return False
    is_short = _is_short(new)
    # Of a long statement only what may give a value is read: nothing before a colon.
    clauses = [clause for clause in parted(_CLAUSE, new[new.find(": ") + 1 :]) if _is_short(clause)]
    if not (is_short or clauses) or _WITHIN.search(new) or _ERRAND.match(new):
        return False
    if is_short and not _is_mixed(read(new)):
        return True
    every = read(new).values
    said = [read(clause).values for clause in clauses if has_value(clause) or _has_any(clause, every)]
    is_mixed = len({form in SOLID for values in said for form, _ in values if form[:3] not in _CHOICE}) > 1
    return any(values and (not is_mixed or all(form in SOLID for form, _ in values)) for values in said)


def _has_any(clause: str, values: frozenset[Value]) -> bool:
    small = clause.lower()
    return any(value in small for _, value in values)


def _is_short(text: str) -> bool:
    if has_han(text):
        return len(_PRINTED.sub("", text)) <= _MOST_HAN
    return len(text.split()) <= _MOST_WORDS


def _is_mixed(mine: Anchors) -> bool:
    """Return whether a statement gives a measure, and an identifier of which it may be."""
    return {form in SOLID for form, _ in mine.values if form[:3] not in _CHOICE} == {True, False}


def _states(new: str) -> bool:
    """Return whether a statement says what something is, and names it."""
    found = _STATES_OF.match(new)
    return found is not None and found[1].lower() not in GENERAL


def _clauses(new: str, every: Anchors) -> Iterator[tuple[str, Anchors]]:
    """Yield the clauses that give a value; if none does, all.

    Where a statement gives a measure, and an identifier of which it may be, only the identifier is of
    something said before.
    """
    is_mixed = _is_mixed(every)
    clauses = parted(_CLAUSE, new)
    if is_mixed and len(clauses) < _MUCH:
        return
    for clause in clauses:
        mine = read(clause)
        if is_mixed and not (mine.values and all(form in SOLID for form, _ in mine.values)):
            continue
        if clause.strip() and (mine.values or not every.values):
            yield clause, mine


def gives_any(new: str) -> bool:
    """Return whether a statement gives a value."""
    return bool(read(new).values)


def adds_value(sentence: str) -> bool:
    """Return whether a plain sentence that adds something does so where it gives a value, or to begin with.

    >>> adds_value("also, keep 60 for tips"), adds_value("he reads it too, so make it 60")
    (True, False)
    """
    parts = [part for part in parted(_CLAUSE, sentence) if part.strip()]
    if len(parts) < 2 or adds(" ".join(parts[0].split()[:_LEADING])):
        return True
    told = [part for part in parts if read(part).values]
    return any(map(adds, told or parts))


def gives_beside_ban(new: str) -> bool:
    """Return whether a statement that forbids also gives a value: in another clause, or by a measure."""
    for clause in parted(_CLAUSE, new):
        values = read(clause).values
        if any(form not in SOLID and form[:3] not in _CHOICE for form, _ in values):
            return True
        if values and not topic(clause).is_negative:
            return True
    return False


def own(new: str) -> frozenset[str]:
    """Return the words of the subject in the clause that gives the value, or the name."""
    every = read(FAILS.sub(" ", ZH_BESIDE.sub(" ", new)) if has_han(new) else new)
    held = [words for values, words in every.clauses if values] or [
        words for _, words in every.clauses if words & every.names or not every.names
    ]
    return min((subject(words - every.names) - _BESIDE for words in held), key=size, default=frozenset())


def _leans(new: str, clause: str, mine: Anchors, is_firm: bool, is_marked: bool) -> bool:
    if _things(clause) or _label(new, clause):
        return False
    named = subject(mine.words - mine.names) if is_marked else told(mine.words)
    own = named - _BESIDE
    if size(own) <= is_marked + is_firm:
        return True
    return size(own) <= (_MUCH + is_firm if is_marked else 1) and points_back(new)


def points_back(new: str) -> bool:
    """Return whether a statement points to something said before, ere it names anything.

    >>> points_back("I put it all there"), points_back("The port is all there is")
    (True, False)
    """
    first = _POINTS.search(new)
    return first is not None and not _things(new[: first.start()])


def _things(text: str) -> frozenset[str]:
    """Return the words that name what a text is about."""
    text = _AGENT.sub("", text)
    named = {word.lower() for pair in _THING.findall(text) for word in pair if word}
    first = _FIRST.match(text)
    if first and not _VERB.fullmatch(first[1].lower()):
        named.add(first[1].lower())
    named = {word for word in named if word.removesuffix("s") not in _NAMELESS and word not in _NAMELESS}
    return subject(frozenset(stem(word)[:6] for word in named))


def _label(new: str, clause: str) -> frozenset[str]:
    """Return the words of the label under which a clause gives a value; nothing, if it is a sentence."""
    label = _LABEL.match(new)
    if label is None or _SAYS.search(label[1].lower()) or new.find(clause) < label.end(1):
        return frozenset()
    return subject(read(ZH_BESIDE.sub(" ", label[1])).words) - _BESIDE


def _leans_in_chinese(new: str, clause: str, mine: Anchors, is_firm: bool, is_marked: bool) -> bool:
    if _label(new, clause):
        return False
    words = read(ZH_TURNS.sub(" ", FAILS.sub(" ", ZH_BESIDE.sub(" ", without_choices(clause))))).words
    own = (subject(words - mine.names) if is_marked else told(words)) - _BESIDE
    if not mine.values:
        return is_marked and size(own) <= _MUCH and len(clause) <= _SHORT_HAN
    if not own:
        return True
    # What a statement begins with is what it is of.
    begins = clause.lstrip().startswith(tuple(own)) or any(word.isascii() for word in own)
    return size(own) <= 1 + is_firm and not begins
