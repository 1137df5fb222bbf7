"""Whether one entry is about the same as another, and what it does to it.

Cautious on purpose: two limits that differ in a word of their subject ("ads", "hosting") are two limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.ledger import turns
from gateway.core.ledger.cues import words
from gateway.core.ledger.decoys import plain
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.topic import VALUE_WORDS, Topic, topic

_VALUED = (Kind.LIMIT, Kind.VALUE, Kind.PREFERENCE, Kind.RULE, Kind.DECISION, Kind.PROHIBITION)
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
# The value that is named as the old one.
_OLD = re.compile(
    r"(?:instead of|rather than|in place of|replac(?:es|ing|ed)|not|from|was|no longer|forget"
    r"|drop)(?: the| my| a| port| version)? ([\w$€£.:/@#-]*[\w])|(?:不是|而不是|不再[是用]?|从|由"
    r"|把)\s?([A-Za-z0-9_.:/-]+|\d+)",
)
_POINTS = re.compile(
    r"(?:\W|no|ok|okay|oh|wait|actually|sorry|please|and|but)*(?:scratch|forget|strike|scrap"
    r"|cancel|ignore|disregard|drop|undo)"
    r" (?:that|this|it)\b|(?:\W|no|oh|wait)*never ?mind\b|算了|当我没说"
)
_GOAL = re.compile(r"\b(?:goal|objective|aim)\b|目标")
_SHAPES = (
    (
        "date",
        re.compile(
            r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:tomorrow|noon|eod)\b|\d{4}-\d\d-\d\d"
            r"|\b(?:january|february|march|april|may|june|july|august|september|october|november"
            r"|december)\b|周[一二三四五六日天]|[0-9]+[月号日]|月底"
        ),
    ),
    (
        "language",
        re.compile(
            r"\b(?:english|french|german|spanish|italian|chinese|japanese|korean|portuguese|russian|dutch"
            r"|polish)\b|[中英日法德]文|[英日法德]语"
        ),
    ),
    ("host", re.compile(r"\b[a-z][\w-]*\.[a-z][\w.-]+\b|\b[a-z]+-\d+\b|://")),
    ("number", re.compile(r"(?<![\w.-])[$€£¥]?\d[\d,.]*(?![\w-]*-\d)")),
)


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
    sentence: str
    withdraws: bool
    permits: bool
    is_done: bool
    changes: bool
    is_keyed: bool

    @property
    def is_generic(self) -> bool:
        """Whether its key names another thing in each result."""
        return not self.topic.subject or bool(self.topic.subject & _GENERIC)

    @property
    def shape(self) -> frozenset[str]:
        """What forms of value it holds, the most telling one."""
        return frozenset([name for name, pattern in _SHAPES if pattern.search(self.sentence)][:1])

    @property
    def is_bare(self) -> bool:
        """Whether it does not say of what its value is."""
        return not self.topic.subject - self.topic.units

    @property
    def points_back(self) -> bool:
        """Whether it takes back "that", whatever it goes on to say."""
        return bool(_POINTS.match(self.sentence))

    def named_kinds(self) -> frozenset[Kind]:
        """Return the kinds that it names in general: "that rule", "the limit"."""
        return next((kinds for pattern, kinds in _KIND_NOUNS if pattern.search(self.sentence)), frozenset())

    def says_more(self, known: frozenset[str]) -> bool:
        """Return whether it also states something new: a value or name that is not in *known*."""
        return bool((self.topic.values | self.topic.names) - known) and self.changes


# At a compaction most entries are those of the one before.
@lru_cache(2048)
def claim(entry: Entry) -> Claim:
    """Return an entry with what its text says about itself."""
    about = topic(entry.text)
    sentence = plain(entry.text)
    key = re.sub(r"[\W_]+", " ", sentence).strip() or sentence
    acts = not entry.source and OF not in entry.text and turns.may_act(sentence, words(sentence))
    withdraws = acts and entry.kind in (Kind.DECISION, Kind.RULE) and turns.withdraws(sentence)
    permits = acts and not withdraws and turns.permits(sentence)
    return Claim(
        entry,
        key,
        about,
        about.words | about.names | about.values,
        sentence,
        withdraws,
        permits,
        acts and not permits and turns.is_done(sentence),
        not entry.source and turns.changes(sentence),
        bool(_SETS.search(sentence)) and not _EVENT.search(sentence),
    )


def _subjects(new: Claim, old: Claim) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return the subjects of two entries, and whether what they say of them differs.

    Where both have values, names belong to the subject; else the names are what is said.
    """
    if new.topic.values and old.topic.values:
        return new.topic.subject, old.topic.subject, new.topic.values != old.topic.values
    differ = new.topic.names | new.topic.values != old.topic.names | old.topic.values
    both = bool(new.topic.names | new.topic.values) and bool(old.topic.names | old.topic.values)
    return new.topic.words, old.topic.words, differ and both


def is_restated(new: Claim, old: Claim) -> bool:
    """Return whether an entry states another value of exactly the same thing."""
    if new.entry.kind not in _VALUED or old.entry.kind not in _VALUED:
        return False
    mine, others, differ = _subjects(new, old)
    if not differ or mine != others or not mine:
        return False
    if new.changes:
        return True
    # Without a word of change, it must be one value for one: "server 1", "server 2" are two things.
    gained, lost = new.topic.values - old.topic.values, old.topic.values - new.topic.values
    if len(gained) > 1 or len(lost) > 1 or new.entry.kind is not old.entry.kind:
        return False
    if new.entry.kind is Kind.RULE:
        return bool(gained & VALUE_WORDS and lost & VALUE_WORDS)
    return new.entry.kind is Kind.LIMIT or (
        new.entry.kind in (Kind.VALUE, Kind.PREFERENCE) and new.is_keyed and old.is_keyed
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
    return goals and new.changes and bool(_GOAL.search(new.sentence) and _GOAL.search(old.sentence))


def is_close(new: Claim, old: Claim) -> bool:
    """Return whether an update, which need not name all of it, is about the same thing."""
    if old.entry.kind not in _VALUED or (new.entry.kind not in _VALUED and new.entry.kind is not Kind.GOAL):
        return False
    mine, others, differ = _subjects(new, old)
    units = new.topic.units and old.topic.units and not new.topic.units & old.topic.units
    if not differ or units or not mine & others:
        return False
    return mine <= others or others <= mine


def names_old(new: Claim, old: Claim) -> bool:
    """Return whether an entry names the very value of the other as the one that no longer holds."""
    if not new.changes or old.entry.kind not in _VALUED or not (old.topic.values | old.topic.names):
        return False
    named = {(first or second).strip(".,:/") for first, second in _OLD.findall(new.sentence)}
    named &= old.topic.values | old.topic.names
    if not named or not (new.topic.values | new.topic.names) - named:
        return False
    shared = new.topic.words & old.topic.words
    return bool(shared) or len(old.topic.words) <= 3


def matches(new: Claim, old: Claim) -> float:
    """Return how much of what an entry takes back or ticks off the other is about; 0: not enough."""
    if not new.about:
        return 0.0
    mine = new.topic.subject or new.about
    shared = len(mine & old.about)
    share = shared / len(mine)
    if share < 0.6 and not (old.topic.subject and old.topic.subject <= new.about and shared):
        return 0.0
    return max(share, 0.6)
