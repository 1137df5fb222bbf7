"""All strategies by name: the same name in a policy, as a module, a metric label and a test folder."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.strategies.base import Strategy
from gateway.strategies.clear import Clear
from gateway.strategies.digest import Digest
from gateway.strategies.newest_content import NewestContent
from gateway.strategies.offload import OffloadContent
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns

STRATEGIES: Mapping[str, type[Strategy]] = {
    "tool_results": ToolResults,
    "offload": OffloadContent,
    "trim_turns": TrimTurns,
    "digest": Digest,
    "newest_content": NewestContent,
    "clear": Clear,
}
