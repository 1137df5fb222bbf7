"""Read what an answer says it spent, in every dialect, with the mistakes that upstreams and relays make.

Nothing is added up that may be there twice, and no sum is believed that cannot be one. What is made of it
throws an answer away, or does not: where the numbers are no help, they have to say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """What an answer cost, as far as its numbers can be understood."""

    prompt: int = 0
    """All of the prompt, what came from a cache included; 0 if nobody counted it."""
    output: int = 0
    """What was written; below 0 where an upstream took what it had cut from it (LMDeploy)."""
    total: int = 0
    has_thought: bool = False
    """Something was spent on what is not shown."""
    is_odd: bool = False
    """The numbers contradict each other: some upstreams do so where they swallow a prompt (LMDeploy)."""

    @property
    def written(self) -> int:
        """All that counts against a cap: what is not shown, too."""
        return max(self.output, self.total - self.prompt)


def spent(usage: Any) -> Spent:
    """Return what the `usage` of an answer says.

    >>> spent({"prompt_tokens": 900, "cache_read_input_tokens": 880, "completion_tokens": 9}).prompt
    900
    >>> spent({"input_tokens": 20, "cache_read_input_tokens": 880, "output_tokens": 9}).prompt
    900
    >>> spent({"prompt_tokens": 900, "completion_tokens": 0, "total_tokens": 1299}).has_thought
    True
    """
    if not isinstance(usage, dict):
        return Spent()
    prompt, output = _prompt(usage), _first(usage, "completion_tokens", "output_tokens")
    told, least = _number(usage.get("total_tokens")), prompt + max(output, 0)
    total = told if told is not None and told >= prompt else least
    is_odd = output < 0 or (told is not None and told < prompt)
    return Spent(prompt, output, total, total > least or _thought(usage) > 0, is_odd)


def _prompt(usage: dict[str, Any]) -> int:
    """Return the tokens of the prompt.

    Chat Completions counts what came from a cache in, and LiteLLM tells it once more beside that; Messages
    counts it apart. A prompt that is smaller than what came from the cache was counted as Messages does.
    """
    apart = sum(max(_number(usage.get(key)) or 0, 0) for key in _APART)
    prompt = _first(usage, "prompt_tokens")
    if prompt > 0:
        return prompt + (apart if apart > prompt else 0)
    return _first(usage, "input_tokens") + apart


_APART = ("cache_read_input_tokens", "cache_creation_input_tokens")
_DETAILS = ("completion_tokens_details", "output_tokens_details")


def _thought(usage: dict[str, Any]) -> int:
    """Return the tokens of thinking that are told apart."""
    parts = [usage, *(part for key in _DETAILS if isinstance(part := usage.get(key), dict))]
    return max(_number(part.get("reasoning_tokens")) or 0 for part in parts)


def _first(usage: dict[str, Any], *keys: str) -> int:
    """Return the first of these numbers that is not nought: relays fill up what another dialect has."""
    return next((number for key in keys if (number := _number(usage.get(key)))), 0)


def _number(value: Any) -> int | None:
    """Return a whole number, in whatever type it is written; None if it is none."""
    if isinstance(value, str):
        digits = value.removeprefix("-")
        return int(value) if digits.isdecimal() and digits.isascii() and len(digits) <= _DIGITS else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 10**_DIGITS else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_DIGITS = 15
