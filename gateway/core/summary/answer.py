"""What a summariser answered, and the summary in it: without thoughts, wrapping and what leads to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateway.core.summary.fence import Name

_ENDS = ("stop", "end_turn", "stop_sequence", "completed", "eos")
_LENGTHS = ("length", "max_tokens", "max_output_tokens", "model_length", "incomplete", "max_length")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a call."""

    text: str
    finish: str = ""
    """The reason for which it ended, as the upstream calls it; empty: not known."""
    has_calls: bool = False
    """Whether it holds tool calls beside or instead of text."""

    @property
    def is_limited(self) -> bool:
        """Whether it ended because it had no more room."""
        return self.finish.casefold() in _LENGTHS

    @property
    def has_ended(self) -> bool:
        """Whether the upstream says that it came to its own end."""
        return self.finish.casefold() in _ENDS


_THINKING = ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")
_TAG = re.compile(
    r"^\s*</?(?:" + "|".join((*Name, "summary", "notes")) + r")(?:-[0-9a-f]{4,12})?>\s*$", re.MULTILINE
)
_WRAP = re.compile(r"\s*```(?:markdown|md|text|txt)?[ \t]*\n(?P<inside>.*)\n```\s*", re.DOTALL)
_HEADING = re.compile(r"^#{1,4} \S", re.MULTILINE)
# A line that only leads to the summary, or follows it.
_INTRODUCTION = re.compile(
    r"\s*(?:(?:sure|okay|ok|certainly|of course|absolutely|great)\b[^\n]{0,120}|(?:here(?:'s| is"
    r"| are)|below (?:is|are)"
    r"|the following|these are)\b[^\n]{0,160}|(?:好的|当然|没问题|以下是|下面是"
    r"|这是)[^\n]{0,80})[:：.!。！][ \t]{0,8}\n",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"\n(?:let me know|feel free|i hope|please let me|if you (?:need|have|want)|is there anything"
    r"|希望|如(?:果|有)(?:需要"
    r"|其他|任何)|需要我)[^\n]{0,200}\s*$",
    re.IGNORECASE,
)


def bare(text: str) -> str:
    """Return the summary in an answer.

    >>> bare("<think>hm</think>Sure, here it is:\\n\\n## Goal\\n- x\\n\\nLet me know if you need more!")
    '## Goal\\n- x'
    """
    text = _without_thoughts(text).strip()
    if wrapped := _WRAP.fullmatch(text):
        text = wrapped["inside"]
    text = _TAG.sub("", text).strip()
    if _HEADING.search(text):
        if lead := _INTRODUCTION.match(text):
            text = text[lead.end() :]
        text = _FAREWELL.sub("", text)
    return text.strip()


def _without_thoughts(text: str) -> str:
    for start, end in _THINKING:
        stop = text.rfind(end)
        if stop >= 0:
            # Some servers leave out the tag that begins it.
            begin = text.find(start)
            text = text[: max(0, begin) if 0 <= begin < stop else 0] + text[stop + len(end) :]
        elif text.lstrip().startswith(start):
            text = ""
    return text
