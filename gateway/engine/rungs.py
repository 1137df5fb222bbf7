"""The rungs of the emergency ladder: strategies, with settings for an emergency."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gateway.policy.rules import OverflowRules
from gateway.strategies.base import Strategy
from gateway.strategies.clear import Clear
from gateway.strategies.digest import Digest
from gateway.strategies.newest_content import NewestContent
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns
from gateway.strategies.user_text import UserText

_RESULT_TOKENS = 200

RUNGS: Mapping[str, Callable[[OverflowRules], Strategy]] = {
    "tool_results": lambda rules: _tool_results(rules.tool_result_chars),
    "user_text": lambda rules: _user_text(rules.user_text_chars),
    "digest": lambda rules: Digest(keep_turns=rules.turns),
    "trim_turns": lambda rules: TrimTurns(to=rules.turns),
    "newest_content": lambda _: NewestContent(),
    "clear": lambda _: Clear(),
}
"""The rungs beside `target`, as a policy has them."""


def _tool_results(chars: int) -> ToolResults:
    if not chars:
        most = _RESULT_TOKENS
        return ToolResults(keep_last=0, max_tokens=most, current_turn_max_tokens=most)
    return ToolResults(
        keep_last=0,
        max_tokens=0,
        max_chars=chars,
        current_turn_max_tokens=0,
        current_turn_max_chars=chars,
    )


def _user_text(chars: int) -> UserText:
    return UserText(max_tokens=0, max_chars=chars) if chars else UserText()
