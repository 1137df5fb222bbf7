"""All strategies by name: the same name in a policy, as a module, a metric label and a test folder."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.strategies.base import Strategy
from gateway.strategies.clear import Clear
from gateway.strategies.current_turn import CurrentTurn
from gateway.strategies.dedupe import Dedupe
from gateway.strategies.digest import Digest
from gateway.strategies.images import Images
from gateway.strategies.newest_content import NewestContent
from gateway.strategies.offload import OffloadContent
from gateway.strategies.reasoning import Reasoning
from gateway.strategies.summarize import Summarize
from gateway.strategies.tool_arguments import ToolArguments
from gateway.strategies.tool_chains import ToolChains
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns
from gateway.strategies.turn_text import TurnText
from gateway.strategies.user_text import UserText

STRATEGIES: Mapping[str, type[Strategy]] = {
    "dedupe": Dedupe,
    "images": Images,
    "reasoning": Reasoning,
    "tool_arguments": ToolArguments,
    "tool_results": ToolResults,
    "offload": OffloadContent,
    "tool_chains": ToolChains,
    "turn_text": TurnText,
    "user_text": UserText,
    "current_turn": CurrentTurn,
    "trim_turns": TrimTurns,
    "summarize": Summarize,
    "digest": Digest,
    "newest_content": NewestContent,
    "clear": Clear,
}
