"""Agents that share one session: what is decided for each, and what they are called."""

from __future__ import annotations

import asyncio

import pytest

from siting import CHAT, header, site
from wired import LONG, answer, chat, message, turns

GROWN = [*LONG, message("assistant", 50, "a9"), message("user", 50, "more")]

P, C = b"parent", b"child"

AGENTS = {
    "claude_code": (
        [(b"x-claude-code-session-id", P)],
        [(b"x-claude-code-session-id", P), (b"x-claude-code-agent-id", C)],
    ),
    "codex": (
        [(b"session-id", P), (b"thread-id", P)],
        [(b"session-id", P), (b"thread-id", C), (b"x-codex-parent-thread-id", P)],
    ),
    "opencode": (
        [(b"x-session-id", P), (b"x-session-affinity", P)],
        [(b"x-session-id", C), (b"x-session-affinity", C), (b"x-parent-session-id", P)],
    ),
    "base URL": ([], [(b"x-claude-code-agent-id", C)]),
}


@pytest.mark.parametrize("client", AGENTS)
@pytest.mark.parametrize("apart", [0, 1, 5])
def test_agents_of_one_session_are_decided_each_by_itself(client: str, apart: int) -> None:
    """Parent and sub-agent in turn, alike up to some message: each list begins with all of its last one."""

    async def run() -> None:
        path = "/s/work" + CHAT if client == "base URL" else CHAT
        branch = [message(role, 50, f"c{role[0]}") for role in ("user", "assistant")] * 8
        talks = [GROWN, [*LONG[:apart], *branch, *GROWN[-3:]]]
        async with site(*(answer() for _ in range(4))) as here:
            for talk in (*talks, *([*talk, *turns(1)] for talk in talks)):
                headers = AGENTS[client][len(here.edge.bodies) % 2]
                call = here.call(path, chat(talk), headers=headers)
                await call.read()
                expected = b"compacted" if len(here.edge.bodies) <= 2 else b"frozen"
                assert header(call, b"x-haversack-action") == expected
            first, second, third, fourth = here.edge.bodies
            assert third.startswith(first[:-2] + b",")
            assert fourth.startswith(second[:-2] + b",")

    asyncio.run(run())


@pytest.mark.parametrize("client", ["claude_code", "codex", "opencode"])
def test_log_tells_whom_a_sub_agent_works_for(client: str, caplog: pytest.LogCaptureFixture) -> None:
    """Each has a session of its own in the log; the sub-agent's line names its parent's."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            for headers in AGENTS[client]:
                await here.call(CHAT, chat(LONG), headers=headers).read()

    with caplog.at_level("DEBUG"):
        asyncio.run(run())
    parent, child = [vars(record) for record in caplog.records if record.message == "request"]

    assert child["parent"] == parent["session"] != child["session"]
    assert "parent" not in parent
