"""Observe mode changes nothing, and tells exactly what the same policy does for real."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from typing import Any

import httpx
import pytest

from gateway.engine.observing import MAX_WAITING
from siting import CHAT, Headers, Site, header, site
from wired import LONG, Feed, answer, chat, event, failed, message, refusal, stream, value

OBSERVE: Headers = [(b"x-haversack-policy", b"observe")]
COUNTERS = ("observed_requests", "observed_tokens", "observed_compactions")


async def observed(here: Site, body: bytes, headers: Headers = OBSERVE) -> tuple[int | None, bytes]:
    """Return status and body of the answer, after the request was observed."""
    call = here.call(CHAT, body, headers=headers)
    text = await call.read()
    await caught_up(here)
    return call.status, text


async def caught_up(here: Site) -> None:
    """Do what waits in the background."""
    while here.engine.background:
        _, work = here.engine.background.pop(0)
        await work


def grown(number: int) -> list[dict[str, Any]]:
    """Return the messages of a conversation after so many turns."""
    talk = [message(role, 50, f"{role[0]}{n}") for n in range(number) for role in ("user", "assistant")]
    return [message("system", 10, "rules"), *talk, message("user", 50, "now")]


def shown(here: Site, name: str, **labels: str) -> float:
    """Return what a metric of observe mode shows."""
    return value(here.engine.parts.metrics, name, tenant="open", policy="observe", **labels)


def test_report_equals_what_the_policy_does() -> None:
    """Over a conversation that is compacted several times, each request is told as it is then really sent."""

    async def run() -> None:
        count = 24
        async with site(*(answer() for _ in range(2 * count))) as here:
            for number in range(count):
                body = chat(grown(number))
                call = here.call(CHAT, body)
                await call.read()
                action = (header(call, b"x-haversack-action") or b"").decode()
                sizes = dict(
                    part.split("=")
                    for part in (header(call, b"x-haversack-tokens") or b"").decode().split(";")
                )
                before = [shown(here, "observed_requests", action=action)]
                before += [shown(here, "observed_tokens", side=side) for side in ("before", "after")]

                assert await observed(here, body) == (200, answer().content)

                assert here.edge.bodies[-1] == body
                after = [shown(here, "observed_requests", action=action)]
                after += [shown(here, "observed_tokens", side=side) for side in ("before", "after")]
                grew = [b - a for a, b in zip(before, after, strict=True)]
                assert grew == [1, int(sizes["before"]), int(sizes["after"])]
            metrics = here.engine.parts.metrics
            for outcome in ("changed", "unchanged"):
                real = value(
                    metrics,
                    "compactions",
                    tenant="open",
                    policy="default",
                    step="trim_turns",
                    outcome=outcome,
                )
                told = shown(here, "observed_compactions", step="trim_turns", outcome=outcome)
                assert told == real
            assert shown(here, "observed_requests", action="compacted") >= 2

    asyncio.run(run())


def test_nothing_is_stored_and_nothing_waits() -> None:
    """The answer is complete before anything is worked out, and nothing of it counts for real."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            call = here.call(CHAT, chat(LONG), headers=OBSERVE)
            assert await call.read() == answer().content
            assert header(call, b"x-haversack-action") == b"none"
            assert shown(here, "observed_requests", action="compacted") == 0
            await caught_up(here)
            assert shown(here, "observed_requests", action="compacted") == 1
            real = here.call(CHAT, chat(LONG))
            await real.read()
            assert header(real, b"x-haversack-action") == b"compacted"

    asyncio.run(run())


@pytest.mark.parametrize("body", [b"", b"no JSON", b'{"messages": 7}', chat(LONG, stream=True)])
def test_every_body_goes_out_as_it_came(body: bytes) -> None:
    """Whatever it is, its bytes are forwarded, and the answer comes back as it was."""

    async def run() -> None:
        async with site(failed(400, "no")) as here:
            assert await observed(here, body) == (400, failed(400, "no").content)
            assert here.edge.bodies == [body]

    asyncio.run(run())


def test_compressed_requests_and_answers_are_observed() -> None:
    """A body that is compressed goes out compressed, and is understood all the same."""

    async def run() -> None:
        packed = gzip.compress(chat(LONG))
        body = gzip.compress(answer(prompt=860).content)
        reply = httpx.Response(200, stream=Feed(body), headers={"content-encoding": "gzip"})
        async with site(reply) as here:
            assert await observed(here, packed, [*OBSERVE, (b"content-encoding", b"gzip")]) == (200, body)
            assert here.edge.bodies == [packed]
            assert shown(here, "observed_requests", action="compacted") == 1

    asyncio.run(run())


def test_refusal_is_passed_on_and_told_as_a_rescue() -> None:
    """Where the upstream says that it is too long, the client hears it; what would have been sent is told."""

    async def run() -> None:
        refused = refusal(860, 500)
        async with site(refused, answer()) as here:
            policy = [(b"x-haversack-policy", b"observe-reacting")]
            assert await observed(here, chat(LONG), policy) == (400, refused.content)
            assert len(here.edge.seen) == 1
            told = {"tenant": "open", "policy": "observe-reacting"}
            metrics = here.engine.parts.metrics
            assert value(metrics, "observed_requests", action="rescued", **told) == 1
            assert await observed(here, chat(LONG), policy) == (200, answer().content)
            assert value(metrics, "observed_requests", action="frozen", **told) == 1

    asyncio.run(run())


def test_usage_of_a_stream_is_learned_from() -> None:
    """What the upstream counts corrects what is told of the next request."""

    async def run() -> None:
        usage = event({"choices": [], "usage": {"prompt_tokens": 1720, "completion_tokens": 1}})
        async with site(*(stream(Feed(usage, event(b"[DONE]"))) for _ in range(2))) as here:
            for _ in range(2):
                await observed(here, chat(LONG, stream=True))
            assert here.engine.parts.windows.correction("http://upstream/v1", "m").factor > 1.2

    asyncio.run(run())


def test_when_too_many_wait_some_are_left_out_and_counted() -> None:
    """Requests are never held up for it: what it has no time for is left out."""

    async def run() -> None:
        async with site(*(answer() for _ in range(MAX_WAITING + 3))) as here:
            for _ in range(MAX_WAITING + 3):
                await here.call(CHAT, chat(grown(1)), headers=OBSERVE).read()
            assert shown(here, "observed_requests", action="left-out") == 3
            await caught_up(here)
            assert shown(here, "observed_requests", action="none") == MAX_WAITING

    asyncio.run(run())


def lines_of(caplog: pytest.LogCaptureFixture, reply: httpx.Response, body: bytes) -> list[dict[str, Any]]:
    """Return the fields of what is logged of a request observed, and then of the same one compacted."""

    async def run() -> None:
        async with site(reply, answer()) as here:
            await observed(here, body)
            await here.call(CHAT, body).read()

    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    return [vars(record) for record in caplog.records if record.message in ("observed", "request")][-2:]


def test_log_tells_sizes_and_no_content(caplog: pytest.LogCaptureFixture) -> None:
    """What would have been done is logged in numbers, as of a request that it was done to."""
    told, done = lines_of(caplog, answer(prompt=860), chat(LONG))
    assert (told["policy"], done["policy"]) == ("observe", "default")
    for name in ("tenant", "session", "status", "action", "model", "tokens_before", "tokens_after", "steps"):
        assert told[name] == done[name], name
    assert (told["action"], told["model"], told["steps"]) == ("compacted", "m", "trim_turns")
    assert told["tokens_before"] == 860 > told["tokens_after"]
    assert told["usage"] == ""


@pytest.mark.parametrize(
    ("path", "named"),
    [
        (CHAT, [(b"x-session-id", b"s")]),
        ("/s/work" + CHAT, []),
        (CHAT, [(b"x-claude-code-session-id", b"s"), (b"x-claude-code-agent-id", b"a")]),
    ],
)
def test_log_names_the_conversation_as_its_client_does(
    path: str, named: Headers, caplog: pytest.LogCaptureFixture
) -> None:
    """Lines of observe mode are found under the same session as those of a policy that compacts."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            for headers in ([*OBSERVE, *named], named):
                await here.call(path, chat(LONG), headers=headers).read()
                await caught_up(here)

    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    told, done = [vars(record) for record in caplog.records if record.message in ("observed", "request")][-2:]

    assert told["session"] == done["session"]
    assert (told["action"], done["action"]) == ("compacted", "compacted")


@pytest.mark.parametrize(
    ("path", "members"),
    [
        (CHAT, {"messages": [*LONG, {"role": "user", "content": "Summarize the conversation so far."}]}),
        ("/v1/responses", {"input": LONG, "previous_response_id": "resp_1"}),
        ("/v1/responses", {"input": [*LONG, {"type": "compaction_trigger"}]}),
    ],
)
def test_what_no_policy_changes_is_not_observed(path: str, members: dict[str, Any]) -> None:
    """Nothing would have been done with a client's own compaction, or with what the upstream remembers."""

    async def run() -> None:
        async with site(answer()) as here:
            body = json.dumps({"model": "m", **members}).encode()
            await here.call(path, body, headers=OBSERVE).read()
            await caught_up(here)
            assert here.edge.bodies == [body]
            assert shown(here, "observed_requests", action="compacted") == 0
            assert shown(here, "observed_requests", action="none") == 0

    asyncio.run(run())


def test_log_cuts_the_name_of_a_model(caplog: pytest.LogCaptureFixture) -> None:
    """A client chooses it: no more of it is logged than names need."""
    told, _ = lines_of(caplog, answer(), chat(LONG, model="m" * 1000))
    assert told["model"] == "m" * 80


def test_answer_without_usage_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Where an upstream does not say what it counted, sizes are the gateway's own, and the line says so."""

    async def run() -> float:
        async with site(answer(), answer(prompt=860), failed(500, "no")) as here:
            for _ in range(3):
                await observed(here, chat(LONG))
            return shown(here, "unaccounted", reason="usage")

    assert asyncio.run(run()) == 1
    told, _ = lines_of(caplog, answer(), chat(LONG))
    assert told["usage"] == "missing"
    told, _ = lines_of(caplog, failed(500, "no"), chat(LONG))
    assert told["usage"] == ""


def test_replay_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    """What would have been replayed is logged for debugging only, as it is for requests."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            for _ in range(2):
                await observed(here, chat(LONG))

    with caplog.at_level(logging.DEBUG):
        asyncio.run(run())
    told = [record for record in caplog.records if record.message == "observed"]
    assert [(vars(record)["action"], record.levelname) for record in told] == [
        ("compacted", "INFO"),
        ("frozen", "DEBUG"),
    ]
