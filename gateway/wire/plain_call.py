"""A plain completion: what the gateway itself asks of a model, whatever the dialect.

One instruction, one text, a bound on the answer. Nothing of the client's request goes with it: no tools, no
`stop`, no `n`, no `response_format`, no stream. Servers differ on how the bound is called and on whether
they know anything else, so a dialect has several bodies for one call, and each asks for less than the last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

from gateway.core.summary.answer import Answer
from gateway.core.windows import bare


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked."""

    model: str
    """Empty: the path says it."""
    system: str
    """Empty: there is none."""
    user: str
    max_tokens: int
    """Upstream tokens that the answer may have, thoughts included."""


class Plain(Protocol):
    """How one dialect asks for a plain completion."""

    def bodies(self, call: Call) -> tuple[bytes, ...]:
        """Return the bodies that ask it: the next is for an upstream that refuses the form of one."""
        ...

    def answer(self, body: bytes) -> Answer:
        """Return what a whole answer says; an empty one if it cannot be read."""
        ...


# Models that think unless told otherwise, and take "low" from OpenAI's `reasoning_effort`. A row is added for
# what the vendor documents. Left out: models whose name says whether they think (DeepSeek, Kimi), and those
# that think only when asked to (Claude).
_THINKING = re.compile(
    r"o1(?!-mini|-preview)|o3|o4-mini|codex-mini|gpt-5(?!(?:\.\d)?-chat)|gpt-oss|gemini-2\.5(?!-flash-image|.*-tts)"
)
# Models of which thinking is switched off, and how: by a field of the vendor's own API, and by one that vLLM,
# SGLang and llama.cpp hand on to the chat template. Servers that know neither mostly let it pass.
_OFF = {"chat_template_kwargs": {"enable_thinking": False}}
_SWITCHES: tuple[tuple[re.Pattern[str], dict[str, Any]], ...] = (
    (re.compile(r"qwen3(?!.*(?:instruct|coder|thinking|-2507))"), {"enable_thinking": False, **_OFF}),
    (re.compile(r"glm-(?:4\.[5-9]|5)"), {"thinking": {"type": "disabled"}, **_OFF}),
)
THOUGHT_TOKENS = 2048
"""What a model that thinks may need beside its answer, where it is told to think little."""


def thinks(model: str) -> bool:
    """Return whether a model thinks before it answers, and may be told to think little.

    >>> thinks("openai/gpt-5-mini"), thinks("gpt-4o"), thinks("gpt-5-chat-latest"), thinks("o1-mini")
    (True, False, False, False)
    """
    return _THINKING.match(bare(model)) is not None


def switched_off(model: str) -> dict[str, Any]:
    """Return the members of a chat completion that keep a model from thinking; none: it takes none.

    >>> switched_off("zai-org/GLM-4.6")["thinking"], switched_off("gpt-4o")
    ({'type': 'disabled'}, {})
    """
    name = bare(model)
    return next((dict(members) for pattern, members in _SWITCHES if pattern.match(name)), {})
