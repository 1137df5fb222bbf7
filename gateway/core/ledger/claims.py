"""An entry with what its text says about itself, each part found out when it is first asked for.

Most entries are only asked of what they are; what they may do to others is asked of few.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from gateway.core.ledger import cues, lifting, turns
from gateway.core.ledger.changes import UNCHANGED, Sign, adds, sign
from gateway.core.ledger.decoys import plain
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.leads import without_lead
from gateway.core.ledger.leaning import adds_value
from gateway.core.ledger.reading import read
from gateway.core.ledger.supersede import slot
from gateway.core.ledger.topic import Topic, stem, topic
from gateway.core.ledger.words_contests import hints

_SETS = re.compile(
    r"^\W*[\w\u4e00-\u9fff ./'\"-]{1,48}[:：=]\s*\S|\b(?:is|are|will be|stands at|listening on|now"
    r"|total|call me|answer|reply|respond|write|speak)\b|是|为|叫|用|："
)
_EVENT = re.compile(
    r"\b(?:created|opened|saved|wrote|written|committed|pushed|merged|booked|issued|uploaded"
    r"|added|found|sent)\b|创建|保存|写入|新增",
    re.IGNORECASE,
)
# A key of these names another thing in each result.
_GENERIC_WORDS = (
    "id name key path url file line number status code type title ok success sha hash email"
    " commit branch ticket order invoice reference state date error"
)
_GENERIC = frozenset(_GENERIC_WORDS.split())
_KIND_NOUNS = (
    (re.compile(r"\b(?:limit|cap|budget|deadline)\b|上限|预算|截止|限制"), frozenset((Kind.LIMIT,))),
    (re.compile(r"\b(?:task|todo|reminder|item)\b|任务|待办|提醒"), frozenset((Kind.TASK,))),
    (
        re.compile(r"\b(?:rule|restriction|instruction|requirement|ban|constraint)\b|规则|要求|规定|禁令"),
        frozenset((Kind.RULE, Kind.PROHIBITION, Kind.PREFERENCE, Kind.LIMIT)),
    ),
    (re.compile(r"\bpreference\b|偏好"), frozenset((Kind.PREFERENCE,))),
)
_POINTS = re.compile(
    r"(?:\W|no|ok|okay|oh|wait|actually|sorry|please|and|but)*(?:scratch|forget|strike|scrap"
    r"|cancel|ignore|disregard|drop|undo)"
    r" (?:that|this|it)\b|(?:\W|no|oh|wait)*never ?mind\b|算了|当我没说"
)
_REASON = re.compile(r", | \(|，| [–—-] | (?:since|because|after) ")
GOAL = re.compile(r"\b(?:goal|objective|aim)\b|目标")
_NO_WORDS = re.compile(r"[\W_]+")
_SIGNS = bytes(32 if code < 128 and _NO_WORDS.match(chr(code)) else code for code in range(256))

OF = " (of: "
"""Stands before what an update was found to be of; it has done its work, and looks for nothing any more."""

Slot = str | frozenset[str]
_T = TypeVar("_T")


class told_once(Generic[_T]):
    """What is found out about a claim when it is first asked for; `cached_property`, without its lock."""

    def __init__(self, find: Callable[[Claim], _T]) -> None:
        self.__doc__ = find.__doc__
        self._find = find

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, claim: Claim, owner: type) -> _T:
        found = claim.__dict__[self._name] = self._find(claim)
        return found


@dataclass(frozen=True, eq=False)
class Claim:
    """An entry with what its text says about itself."""

    entry: Entry
    key: str
    """Equal for equal texts, whatever their case and punctuation."""
    text: str
    """Its text without what only leads to it."""
    sentence: str
    """The same, as patterns want it."""

    @told_once
    def topic(self) -> Topic:
        """What it is about."""
        return topic(self.text)

    @told_once
    def about(self) -> frozenset[str]:
        """Everything by which it can be found: words, names and values."""
        return self.topic.words | self.topic.names | self.topic.values

    @told_once
    def slots(self) -> tuple[Slot, ...]:
        """Equal for what gives a value to the same: the words of its subject, what stands before a colon."""
        return (self.topic.words,) if self.entry.source else _slots(self.text, self.topic)

    @told_once
    def words(self) -> frozenset[str]:
        """Its words, as anchors are looked up."""
        return cues.words(self.sentence)

    @told_once
    def is_new(self) -> bool:
        """Whether a user said it, and it was not yet found to be of something."""
        return not self.entry.source and OF not in self.sentence

    @told_once
    def may_act(self) -> bool:
        """Whether its words could do something to what was said before."""
        return self.is_new and turns.may_act(self.sentence, self.words)

    @told_once
    def withdraws(self) -> bool:
        """Whether it takes something back."""
        is_of_kind = self.entry.kind in (Kind.DECISION, Kind.RULE)
        return self.may_act and is_of_kind and turns.withdraws(self.sentence)

    @told_once
    def permits(self) -> bool:
        """Whether it allows what was forbidden."""
        return self.may_act and not self.withdraws and turns.permits(self.sentence)

    @told_once
    def is_done(self) -> bool:
        """Whether it reports something done."""
        return self.may_act and not self.permits and turns.is_done(self.sentence)

    @told_once
    def lifts(self) -> bool:
        """Whether its words may lift a rule, if it is about the same."""
        return self.is_new and lifting.lifts(self.sentence, self.words)

    @told_once
    def finishes(self) -> bool:
        """Whether its words may report a task done, if it is about the same."""
        return self.is_new and self.entry.kind is not Kind.TASK and lifting.finishes(self.sentence)

    @told_once
    def sign(self) -> Sign:
        """What it says about change."""
        return UNCHANGED if self.entry.source else sign(self.sentence, self.words)

    @told_once
    def is_keyed(self) -> bool:
        """Whether a tool or an assistant gives the value of something by it."""
        is_set = bool(self.entry.source) and _SETS.search(self.sentence) is not None
        return is_set and not _EVENT.search(self.sentence)

    @told_once
    def is_generic(self) -> bool:
        """Whether its key names another thing in each result."""
        subject = self.topic.subject
        return not (subject and _GENERIC.isdisjoint(subject))

    @property
    def is_bare(self) -> bool:
        """Whether it does not say of what its value is."""
        return not self.topic.subject - self.topic.units

    @told_once
    def adds(self) -> bool:
        """Whether it says one thing more, where it gives a value."""
        return adds(self.sentence) and adds_value(self.sentence)

    @told_once
    def hints(self) -> bool:
        """Whether it may say in passing that something is otherwise: enough to doubt, no more."""
        return self.sign.changes or (not self.entry.source and hints(self.sentence) and not self.adds)

    @property
    def given(self) -> frozenset[str]:
        """Its values and names, and what is chosen in it."""
        found = read(self.entry.text)
        return found.names.union(self.topic.values, (value for _, value in found.values))

    @property
    def names_goal(self) -> bool:
        """Whether it says that the goal is another now."""
        return self.entry.kind is Kind.GOAL and self.sign.changes and bool(GOAL.search(self.sentence))

    @property
    def points_back(self) -> bool:
        """Whether it takes back "that", whatever it goes on to say."""
        return bool(_POINTS.match(self.sentence))

    def named_kinds(self) -> frozenset[Kind]:
        """Return the kinds that it names in general: "that rule", "the limit"."""
        return next((kinds for pattern, kinds in _KIND_NOUNS if pattern.search(self.sentence)), frozenset())

    def says_more(self, known: frozenset[str]) -> bool:
        """Return whether it also states something new: a value or name that is not in *known*."""
        return bool(self.given - known) and self.sign.changes


def _slots(text: str, about: Topic) -> tuple[Slot, ...]:
    """Return by what an entry that gives a value to the same thing can be found."""
    found: set[Slot] = {
        about.words,
        about.words.union(stem(n) for n in about.names if n.isalpha()),
    }
    if named := slot(text):
        found.add(named)
    first = _REASON.split(text, maxsplit=1)[0]
    if len(first) < len(text):
        part = topic(first)
        found.add(part.words.union(stem(n) for n in part.names if n.isalpha()))
    return tuple(found)


# At a compaction most entries are those of the one before.
@lru_cache(4096)
def claim(entry: Entry) -> Claim:
    """Return an entry with what its text says about itself.

    >>> claim(Entry(Kind.VALUE, "Oh, and the port is 80!")).key
    'the port is 80'
    """
    text = without_lead(entry.text)
    sentence = plain(text)
    said = sentence.partition(OF)[0]
    return Claim(entry, _key(said) or said, text, sentence)


def _key(said: str) -> str:
    if said.isascii():
        # It takes a third of the time.
        return b" ".join(said.encode().translate(_SIGNS).split()).decode()
    return _NO_WORDS.sub(" ", said).strip()
