"""The dry run of a running gateway knows how far the summary of a conversation is."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.applications import Starlette

from asgi import Call
from engine.asking import BRIEF, TELLING
from engine.summing import NEAR, OVER, POLICY, Scripted, begun, drained, run, sent
from gateway.engine.background import Background
from gateway.engine.lineage import Place
from gateway.engine.pieces_ahead import MAX_PIECES
from gateway.engine.sessions import open_scope
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.web.admin import Admin, Health
from gateway.web.callers import Callers
from gateway.web.routes import ANTHROPIC, OPENAI
from siting import by_words
from wired import URL, Edge, Engine, chat

WHOSE: dict[str, Any] = {"place": Place(open_scope("me"), "openai_chat", POLICY.name)}


async def dry(made: Engine, body: bytes) -> tuple[str | None, str]:
    """Return what the dry run says of the summary, in a word and in its hint."""
    report = await reported(made, body)
    return report["summary"], report["hint"]


async def reported(made: Engine, body: bytes, policy: Policy = POLICY) -> Any:
    """Return the report of a dry run."""
    upstreams = {name: Upstream(name, URL, Edge()) for name in (OPENAI, ANTHROPIC)}
    held, parts = PolicySet({policy.name: policy}, {}, policy), made.parts
    callers = Callers(lambda: held, lambda _: upstreams)
    assert isinstance(parts.background, Background)
    admin = Admin(
        callers,
        parts.compactor,
        by_words,
        parts.store,
        parts.metrics,
        lambda: Health(True, {}),
        100_000,
        parts.background,
    )
    headers = [(b"authorization", b"Bearer me")]
    call = Call(
        Starlette(routes=admin.routes()), "/haversack/compact", method="POST", body=[body], headers=headers
    )
    return json.loads(await call.read())["report"]


def test_dry_run_follows_a_summary_from_its_wish_to_its_place() -> None:
    """It would be asked for, is being written, is ready, is used; asking about it asks for nothing."""
    writer = Scripted(is_slow=True)

    async def check(made: Engine) -> None:
        state, hint = await dry(made, NEAR)
        assert (state, writer.jobs) == ("wanted", [])
        assert hint.endswith("once this is answered, a summary would be asked for")
        await sent(made, NEAR, **WHOSE)
        tasks = await begun(made, writer)
        assert (await dry(made, NEAR))[0] == "writing"
        writer.go.set()
        await asyncio.gather(*tasks)
        assert (await dry(made, NEAR))[0] == "ready"
        assert (await dry(made, OVER))[0] == "used"
        await sent(made, OVER, **WHOSE)
        await drained(made)
        assert (await dry(made, OVER))[0] == "used"
        assert len(writer.jobs) == 1

    run(check, writer)


def test_dry_run_counts_the_texts_that_steps_use() -> None:
    """They would be asked for, are being written, are ready; asking about them asks for nothing."""
    writer = Scripted(*[BRIEF] * 20, is_slow=True)
    place = Place(open_scope("me"), "openai_chat", TELLING.name)

    async def check(made: Engine) -> None:
        before = (await reported(made, NEAR, TELLING))["texts"]
        assert (before["ready"], before["writing"], writer.jobs) == (0, 0, [])
        await sent(made, NEAR, TELLING, place=place)
        tasks = await begun(made, writer)
        during = (await reported(made, NEAR, TELLING))["texts"]
        assert during == {"ready": 0, "writing": MAX_PIECES, "wanted": before["wanted"] - MAX_PIECES}
        writer.go.set()
        await asyncio.gather(*tasks)
        after = (await reported(made, NEAR, TELLING))["texts"]
        assert after["writing"] == 0 < after["ready"]
        assert len(writer.jobs) == MAX_PIECES

    run(check, writer)


@pytest.mark.parametrize("is_resting", [True, False])
def test_summary_that_nobody_would_be_asked_for_is_paused(is_resting: bool) -> None:
    """Models are left alone, or could not write it a short while ago; none is counted as skipped for it."""
    writer = Scripted(None)

    async def check(made: Engine) -> None:
        if is_resting:
            writer.is_resting_now = True
        else:
            await sent(made, NEAR, **WHOSE)
            await drained(made)
        state, hint = await dry(made, NEAR)
        assert state == "paused"
        assert "left alone for a while" in hint
        assert not writer.skipped

    run(check, writer)


def test_own_summary_of_a_client_has_none() -> None:
    """What is to be summarised whole is sent whole: nobody is asked for it."""
    asks = chat(
        [*json.loads(NEAR)["messages"], {"role": "user", "content": "Summarize the conversation so far."}]
    )

    async def check(made: Engine) -> None:
        assert (await dry(made, asks))[0] is None

    run(check, Scripted())
