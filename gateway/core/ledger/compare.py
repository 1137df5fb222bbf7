"""Whether one entry is about the same as another, and what it does to it.

Cautious on purpose: two limits that differ in a word of their subject ("ads", "hosting") are two limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.ledger import lifting, turns
from gateway.core.ledger.anchors import anchors, exact
from gateway.core.ledger.changes import UNCHANGED, Sign, adds, sign
from gateway.core.ledger.contests import Strength, leans, may_be_of, may_replace
from gateway.core.ledger.cues import words
from gateway.core.ledger.decoys import plain
from gateway.core.ledger.differences import difference
from gateway.core.ledger.ending import may_end
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.matching import match
from gateway.core.ledger.supersede import Fit, fit, slot
from gateway.core.ledger.topic import Topic, stem, topic, without_lead
from gateway.core.ledger.words_contests import decides, hints

_MUCH = 4
_ENOUGH = 2
"""Two statements that share so much, a name or two words, may be of the same."""
_SETS = re.compile(
    r"^\W*[\w\u4e00-\u9fff ./'\"-]{1,48}[:：=]\s*\S|\b(?:is|are|will be|stands at|listening on|now"
    r"|total|call me|answer|reply|respond|write|speak)\b|是|为|叫|用|："
)
_EVENT = re.compile(
    r"\b(?:created|opened|saved|wrote|written|committed|pushed|merged|booked|issued|uploaded"
    r"|added|found|sent)\b|创建|保存|写入|新增",
    re.IGNORECASE,
)
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
_GOAL = re.compile(r"\b(?:goal|objective|aim)\b|目标")

OF = " (of: "
"""Stands before what an update was found to be of; it has done its work, and looks for nothing any more."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An entry with what its text says about itself."""

    entry: Entry
    key: str
    """Equal for equal texts, whatever their case and punctuation."""
    topic: Topic
    about: frozenset[str]
    """Everything by which it can be found: words, names and values."""
    slots: tuple[str | frozenset[str], ...]
    """Equal for what gives a value to the same: the words of its subject, what stands before a colon."""
    sentence: str
    withdraws: bool
    permits: bool
    is_done: bool
    lifts: bool
    """Its words may lift a rule, if it is about the same."""
    finishes: bool
    """Its words may report a task done, if it is about the same."""
    sign: Sign
    is_keyed: bool

    @property
    def is_generic(self) -> bool:
        """Whether its key names another thing in each result."""
        return not self.topic.subject or bool(self.topic.subject & _GENERIC)

    @property
    def is_bare(self) -> bool:
        """Whether it does not say of what its value is."""
        return not self.topic.subject - self.topic.units

    @property
    def hints(self) -> bool:
        """Whether it may say in passing that something is otherwise: enough to doubt, no more."""
        return self.sign.changes or (
            not self.entry.source and hints(self.sentence) and not adds(self.sentence)
        )

    @property
    def names_goal(self) -> bool:
        """Whether it says that the goal is another now."""
        return self.entry.kind is Kind.GOAL and self.sign.changes and bool(_GOAL.search(self.sentence))

    @property
    def points_back(self) -> bool:
        """Whether it takes back "that", whatever it goes on to say."""
        return bool(_POINTS.match(self.sentence))

    def named_kinds(self) -> frozenset[Kind]:
        """Return the kinds that it names in general: "that rule", "the limit"."""
        return next((kinds for pattern, kinds in _KIND_NOUNS if pattern.search(self.sentence)), frozenset())

    def says_more(self, known: frozenset[str]) -> bool:
        """Return whether it also states something new: a value or name that is not in *known*."""
        return bool((exact(self.entry.text) | self.topic.values) - known) and self.sign.changes


def _slots(text: str, about: Topic) -> tuple[str | frozenset[str], ...]:
    """Return by what an entry that gives a value to the same thing can be found."""
    found: set[str | frozenset[str]] = {
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
@lru_cache(2048)
def claim(entry: Entry) -> Claim:
    """Return an entry with what its text says about itself."""
    sentence = plain(without_lead(entry.text))
    said = sentence.partition(OF)[0]
    key = re.sub(r"[\W_]+", " ", said).strip() or said
    about = topic(without_lead(entry.text))
    found = words(sentence)
    is_new = not entry.source and len(said) == len(sentence)
    acts = is_new and turns.may_act(sentence, found)
    withdraws = acts and entry.kind in (Kind.DECISION, Kind.RULE) and turns.withdraws(sentence)
    permits = acts and not withdraws and turns.permits(sentence)
    return Claim(
        entry,
        key,
        about,
        about.words | about.names | about.values,
        (about.words,) if entry.source else _slots(without_lead(entry.text), about),
        sentence,
        withdraws,
        permits,
        acts and not permits and turns.is_done(sentence),
        is_new and lifting.lifts(sentence, found),
        is_new and entry.kind is not Kind.TASK and lifting.finishes(sentence),
        UNCHANGED if entry.source else sign(sentence, found),
        bool(entry.source and _SETS.search(sentence)) and not _EVENT.search(sentence),
    )


def is_opposite(new: Claim, old: Claim) -> bool:
    """Return whether an entry demands what the other forbids, or the other way round."""
    kinds = (Kind.PROHIBITION, Kind.RULE, Kind.PREFERENCE)
    if (
        new.entry.kind not in kinds
        or old.entry.kind not in kinds
        or new.topic.is_negative is old.topic.is_negative
    ):
        return False
    return len(new.about) > 1 and new.about == old.about


def is_new_goal(new: Claim, old: Claim) -> bool:
    """Return whether an entry says that the goal is another one now."""
    goals = new.entry.kind is Kind.GOAL and old.entry.kind is Kind.GOAL
    return goals and new.names_goal and bool(_GOAL.search(old.sentence))


def replaces(new: Claim, old: Claim) -> tuple[Fit, int]:
    """Return how surely an entry puts another value in the place of the other's, and what they share."""
    found, shared = fit(new.entry.text, old.entry.text, new.sign, old.entry.kind is Kind.PROHIBITION)
    # What is forbidden or open stays so unless the same is said of it, or all that it is about.
    if old.entry.kind is Kind.PROHIBITION and found < Fit.SURE and not new.topic.is_negative:
        return Fit.NO, 0
    least = Fit.SHORT if shared >= _MUCH else Fit.COVERS
    if old.entry.kind in (Kind.PROHIBITION, Kind.TASK, Kind.GOAL) and found < least:
        return Fit.NO, 0
    return found, shared


def matches(new: Claim, old: Claim) -> float:
    """Return how much of what an entry takes back or ticks off the other is about; 0: not enough."""
    is_of_kind = old.entry.kind in new.named_kinds() or old.entry.kind is Kind.TASK
    return match(new.entry.text, old.entry.text, is_of_kind, new.withdraws)


# What somebody asked for, and may no longer ask for.
_ASKED = (Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE)


def contests(item: Claim, other: Claim) -> bool:
    """Return whether a later statement may have put another value in the place of an earlier one.

    That it may is enough: what is contested is presented neither as in force nor as gone.
    """
    if item.sign.adds:
        return False
    if other.entry.kind in _ASKED and _may_end(item, other):
        return True
    is_ban = other.entry.kind is Kind.PROHIBITION
    return may_replace(item.entry.text, other.entry.text, _strength(item), is_ban)


def _may_end(item: Claim, other: Claim) -> bool:
    found = difference(anchors(item.entry.text), anchors(other.entry.text))
    if found.shared < _ENOUGH:
        return False
    turns_round = found.shared > _ENOUGH and item.topic.is_negative != other.topic.is_negative
    return turns_round or item.lifts or may_end(item.sentence)


def _strength(item: Claim) -> Strength:
    if item.sign.corrects:
        return Strength.CORRECTS
    return Strength.CHANGES if item.sign.changes else Strength(int(item.hints))


def may_contest_afar(item: Claim) -> bool:
    """Return whether an update says so little that it may be of what it shares no word with."""
    # What withdraws names what it withdraws.
    if item.withdraws or item.sign.adds or item.entry.kind in (Kind.PROHIBITION, Kind.TASK) or not item.hints:
        return False
    return leans(item.entry.text, _is_firm(item))


def contests_afar(item: Claim, other: Claim) -> bool:
    """Return whether an update that says so little may be of an earlier statement."""
    return may_be_of(item.entry.text, other.entry.text, _is_firm(item), other.entry.kind is Kind.PROHIBITION)


def _is_firm(item: Claim) -> bool:
    return item.sign.changes or decides(item.sentence)


# What bounds without forbidding.
_BOUNDS = re.compile(
    r"\b(?:only|off|closed|paused?|blocked|stopped|disabled|hold|freeze|frozen|until|at most|no more|under"
    r"|less|always|every|each|must"
    r"|has to|have to|needs?"
    r"|before|first|up to|max\w*|limit|cap|alone|ask)\b|只|关闭|限|最多|必须|才|都要|先|不超过"
)


def is_open(item: Claim) -> bool:
    """Return whether an update was not yet found to be of something."""
    return item.sign.changes and OF not in item.entry.text


def is_ban(other: Claim) -> bool:
    """Return whether an entry is what a permission can lift."""
    return (
        other.topic.is_negative or bool(_BOUNDS.search(other.sentence))
    ) and other.entry.kind is not Kind.TASK


def is_anything(other: Claim) -> bool:
    """Return that a withdrawal can mean any entry."""
    return True


def is_task(other: Claim) -> bool:
    """Return whether an entry is what a report of completion closes."""
    return other.entry.kind is Kind.TASK
