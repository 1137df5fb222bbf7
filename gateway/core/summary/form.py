"""What a summary is to look like: its sections, its language, its length, what the operator wants in it.

A section is named by a policy with one of the keys below, or with a heading of the policy's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gateway.core.summary.language import Language

NOTHING = "NOTHING_TO_RECORD"
"""What a summariser answers where nothing is worth recording."""

TASK = "You write working notes on a conversation between a user and an assistant."
"""How a summariser's instructions begin; who answers with it only repeats them."""

FOCUS_CHARS = 2000
"""Of the operator's own words no more are passed on."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a summary."""

    key: str
    """How a policy names it; of its own sections the heading."""
    heading: str
    about: str = ""
    """What belongs there, in words for the summariser."""
    chinese: str = ""
    """The heading in a Chinese summary; empty: the same."""
    others: tuple[str, ...] = ()
    """How models write the heading all the same, in lower case."""

    def titled(self, language: Language) -> str:
        """Return the heading in a language."""
        return self.chinese if self.chinese and language is Language.CHINESE else self.heading

    @property
    def names(self) -> frozenset[str]:
        """All ways to write the heading, in lower case."""
        return frozenset((self.heading.casefold(), self.chinese.casefold(), *self.others)) - {""}


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


_TABLE = (
    Section(
        "goal",
        "Goal",
        "what the user wants to achieve, and the latest request",
        "目标",
        _split("goals|objective|objectives|task|user goal|任务目标|任务|用户目标"),
    ),
    Section(
        "constraints",
        "Constraints",
        "rules, prohibitions, limits and preferences that hold, in the user's words",
        "约束",
        _split(
            "constraints & preferences|constraints and preferences|limits|rules|requirements|"
            "constraint|限制|约束条件|限制条件|约束与限制|要求|规则"
        ),
    ),
    Section(
        "progress",
        "Progress",
        "what is done, what is in progress, what is blocked and by what",
        "进展",
        _split(
            "current progress|status|current status|current state|progress so far|progress made|"
            "work done|done|进度|当前进展|当前进度|工作进展|现状|状态"
        ),
    ),
    Section(
        "decisions",
        "Key Decisions",
        "what was decided, and why",
        "关键决定",
        _split(
            "decisions|decision|key decision|decisions made|decisions and conclusions|"
            "key decisions made|决定|决策|关键决策|重要决定|主要决定|决定与结论"
        ),
    ),
    Section(
        "next_steps",
        "Next Steps",
        "what is to be done next, in order; open tasks",
        "下一步",
        _split(
            "next step|next|to do|todo|todos|open tasks|remaining work|pending|pending tasks|下一步计划|"
            "后续步骤|待办|待办事项|后续计划|下一步行动|接下来"
        ),
    ),
    Section(
        "critical",
        "Critical Context",
        "exact paths, identifiers, values, names of functions and error messages needed to go on",
        "关键信息",
        _split(
            "context|critical|key context|important context|critical information|key facts|"
            "critical details|key details|关键上下文|重要信息|关键背景|背景|上下文|重要上下文"
        ),
    ),
    Section(
        "open_questions",
        "Open Questions",
        "what was asked and not answered",
        "未决问题",
        _split("questions|open question|unresolved questions|未解决的问题|待解决问题|开放问题"),
    ),
    Section(
        "events",
        "Events",
        "what happened, one entry for each event rather than for each turn: decisions, conclusions, to-dos",
        "事件",
        _split("event|timeline|主要事件|事件记录"),
    ),
)
KNOWN = {section.key: section for section in _TABLE}
DEFAULT = _TABLE[:6]


def section(name: str) -> Section:
    """Return the section that a policy names: one of the known, or one with a heading of its own.

    >>> section("next_steps").heading, section("Risks").heading
    ('Next Steps', 'Risks')
    """
    line = " ".join(name.split())
    return KNOWN.get(line) or Section(line, line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a summary is to look like."""

    sections: tuple[Section, ...] = DEFAULT
    """None: it has no headings."""
    language: Language = Language.USERS
    max_tokens: int = 0
    """How long it may be, for the summariser to keep to; 0: nothing is said."""
    focus: str = ""
    """What the operator wants to be given special attention."""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings as they are asked for."""
        return tuple(section.titled(self.language) for section in self.sections)


# The label that begins a line, whatever it is marked with: "## Goal", "**Goal**:", "1. Goal", "【目标】".
_LEAD = re.compile(r"[\s#*_>\-•\d.()（）、【\[]{0,12}([^\n:：*】\]#(（—]{1,60})")


def headings_in(text: str, sections: Sequence[Section]) -> frozenset[str]:
    """Return the keys of the sections whose headings stand in a text, however they are marked.

    >>> sorted(headings_in("## Goal\\n- x\\n**Next steps:** none", DEFAULT))
    ['goal', 'next_steps']
    """
    keys = {name: section.key for section in sections for name in section.names}
    labels = (_LEAD.match(line) for line in text.splitlines())
    found = (keys.get(label[1].strip(" _-").casefold()) for label in labels if label)
    return frozenset(key for key in found if key)
