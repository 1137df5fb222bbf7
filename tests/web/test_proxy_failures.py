"""What a client is told when something breaks, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

import httpx
import pytest

from gateway.core.conversation import Count
from gateway.web.asgi import TELL, Message
from gateway.web.relay import AnswerCut
from listening import ROLE, TEXT
from siting import ACME, CHAT, error, site
from wired import Feed, answer, chat, message, refusal, stream, turns, value


async def mistaken(model: str) -> tuple[Count, int]:
    """Fail as a mistake does."""
    raise KeyError(f"the secret of {model}")


def test_mistake_of_ours_is_told_with_a_way_out(caplog: pytest.LogCaptureFixture) -> None:
    """The client reads that it was us and how to get around us; the log says where, and no content."""

    async def run() -> None:
        async with site(counters=mistaken) as here:
            call = here.call(CHAT, chat(turns(1)))
            told = error(await call.read())
            assert call.status == 500
            assert told["code"] == "gateway_error"
            assert "x-haversack-bypass: 1" in told["message"]
            assert here.requests(status="500") == 1

    asyncio.run(run())
    assert "mistaken" in str([vars(record) for record in caplog.records])
    assert "secret" not in str([vars(record) for record in caplog.records])


@pytest.mark.parametrize("path", [CHAT, "/v1/embeddings"])
def test_upstream_that_is_away_is_told(path: str) -> None:
    """Compacted or not, the client reads which upstream could not be reached."""

    async def run() -> None:
        async with site(httpx.ConnectError("no")) as here:
            call = here.call(path, chat(turns(1)))
            assert error(await call.read())["code"] == "upstream_unreachable"
            assert call.status == 502

    asyncio.run(run())


def test_error_is_in_the_dialect_of_the_client() -> None:
    """A client of Anthropic's reads an error as Anthropic writes it."""

    async def run() -> None:
        async with site(httpx.ReadTimeout("no")) as here:
            call = here.call("/v1/messages", b"{}")
            told = json.loads(await call.read())
            assert call.status == 504
            assert (told["type"], told["error"]["type"]) == ("error", "timeout_error")

    asyncio.run(run())


def test_conversation_that_cannot_fit_gets_the_vendors_code() -> None:
    """Where nothing may be removed any more, the client reads the code that it knows, and the numbers."""

    async def run() -> None:
        async with site(*[httpx.Response(400, json=too_long()) for _ in range(3)]) as here:
            call = here.call(CHAT, chat([message("user", 900)]))
            assert error(await call.read())["code"] == "context_length_exceeded"
            assert call.status == 400

    asyncio.run(run())


def too_long() -> dict[str, object]:
    """Return what the vendor says."""
    return {"error": {"message": "maximum context length exceeded", "code": "context_length_exceeded"}}


@pytest.mark.parametrize("trouble", [httpx.ReadError("gone"), ValueError("a mistake")])
@pytest.mark.parametrize("path", [CHAT, "/v1/embeddings"])
def test_answer_that_breaks_off_breaks_off(path: str, trouble: Exception) -> None:
    """After the first byte there is no second status: the connection breaks, as the upstream's did."""

    async def run() -> None:
        async with site(stream(Feed(ROLE, TEXT, trouble))) as here:
            call = here.call(path, chat(turns(1), stream=True))
            with pytest.raises(AnswerCut):
                await call.task
            assert call.status == 200
            assert call.chunks.qsize() == 2

    asyncio.run(run())


@pytest.mark.parametrize("path", [CHAT, "/v1/embeddings"])
def test_client_that_leaves_ends_the_upstreams_work(path: str) -> None:
    """Nobody pays for an answer that nobody reads."""

    async def run() -> None:
        feed = Feed(ROLE, TEXT, is_open=True)
        async with site(stream(feed)) as here:
            call = here.call(path, chat(turns(1), stream=True))
            assert await call.chunks.get() == ROLE
            call.hang_up()
            await call.task
            assert feed.is_closed

    asyncio.run(run())


def test_client_that_leaves_before_its_answer_is_counted_as_gone() -> None:
    """A request that is given up while the upstream thinks has status 499."""

    async def run() -> None:
        feed = Feed(is_open=True)
        async with site(stream(feed)) as here:
            call = here.call(CHAT, chat(turns(1), stream=True))
            await here.edge.reached.wait()
            call.hang_up()
            await call.task
            assert feed.is_closed
            assert call.status is None
            assert here.requests(status="499") == 1

    asyncio.run(run())


def test_client_that_leaves_with_its_answer_is_served() -> None:
    """Who hangs up once all is there has lost nothing: the request counts as answered, and is paid for."""
    leave: list[Callable[[], None] | None] = [None]

    async def receive() -> Message:
        return {"type": "http.request", "body": chat(turns(1))}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body" and leave[0] is not None:
            asyncio.get_running_loop().call_soon(leave[0])

    async def run() -> None:
        async with site(answer(prompt=300)) as here:
            scope = {"type": "http", "method": "POST", "raw_path": CHAT.encode(), "headers": []}
            told = {TELL: lambda on_leaving: leave.__setitem__(0, on_leaving or leave[0])}
            await here.proxy({**scope, **told, "query_string": b"", "path": CHAT}, receive, send)
            assert here.requests(status="200") == 1
            assert value(here.engine.parts.metrics, "upstream_tokens", upstream="openai", kind="input") == 300

    asyncio.run(run())


def test_client_that_leaves_within_its_body_is_nobody() -> None:
    """A body that breaks off reaches no upstream."""

    async def receive() -> Message:
        return left.pop(0)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    async def run() -> None:
        async with site() as here:
            scope = {"type": "http", "method": "POST", "raw_path": CHAT.encode(), "headers": []}
            await here.proxy({**scope, "query_string": b"", "path": CHAT}, receive, send)
            assert here.edge.seen == []
            assert here.requests(status="499") == 1

    left: list[Message] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    asyncio.run(run())


@pytest.mark.parametrize(("is_begun", "status"), [(False, 503), (True, 200)])
def test_answer_that_the_gateways_end_breaks_off_has_its_line(
    is_begun: bool, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Who stops the gateway reads in the log whose answers did not come to their end in time."""
    caplog.set_level(logging.INFO, "gateway.access")

    async def run() -> None:
        feed = Feed(ROLE, TEXT, is_open=True) if is_begun else Feed(is_open=True)
        async with site(stream(feed)) as here:
            call = here.call(CHAT, chat(turns(1), stream=True))
            await (call.chunks.get() if is_begun else here.edge.reached.wait())
            call.task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call.task
            assert feed.is_closed

    asyncio.run(run())
    [line] = [vars(line) for line in caplog.records]
    assert (line["failure"], line["status"], line["attempts"]) == ("answer_cut", status, 1)


def test_log_names_the_conversation_of_a_request_that_failed(caplog: pytest.LogCaptureFixture) -> None:
    """The line that one looks for after a failure has the session of those that went well."""
    caplog.set_level(logging.DEBUG, "gateway.access")

    async def run() -> None:
        async with site(answer(), httpx.ConnectError("no")) as here:
            for _ in range(2):
                await here.call(CHAT, chat(turns(2))).read()

    asyncio.run(run())
    went_well, failed = [vars(line) for line in caplog.records]
    assert failed["failure"] == "upstream_unreachable"
    assert failed["session"] == went_well["session"] != ""


GIVEN = [(b"x-api-key", b"hvs_acme")]


@pytest.mark.parametrize(
    ("path", "headers", "model", "upstream", "attempts"),
    [
        (CHAT, GIVEN, "m", answer(), 1),
        (CHAT, GIVEN, "m", httpx.ConnectError("no"), 1),
        (CHAT, GIVEN, "m", refusal(4000, 900), 2),
        (CHAT, [*GIVEN, (b"x-haversack-bypass", b"1")], "m", answer(), 1),
        (CHAT, [*GIVEN, (b"x-haversack-bypass", b"1")], "m", httpx.ConnectError("no"), 1),
        ("/v1/embeddings", GIVEN, "m", answer(), 1),
        (CHAT, [], "m", answer(), 0),
        (CHAT, GIVEN, "other", answer(), 0),
        ("/v1/embeddings", GIVEN, "other", answer(), 0),
        (CHAT, [*GIVEN, (b"x-haversack-policy", b"none-such")], "m", answer(), 0),
    ],
)
def test_log_tells_how_often_the_upstream_was_asked(
    path: str,
    headers: list[tuple[bytes, bytes]],
    model: str,
    upstream: httpx.Response | Exception,
    attempts: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, again after a refusal, and never where the gateway refuses by itself: key, policy or model."""
    caplog.set_level(logging.DEBUG, "gateway.access")

    async def run() -> None:
        async with site(upstream, answer(), tenants=[ACME]) as here:
            call = here.call(path, chat(turns(12), model=model), headers=headers)
            await call.read()
            assert len(here.edge.seen) == attempts

    asyncio.run(run())
    assert [vars(line)["attempts"] for line in caplog.records if line.name == "gateway.access"] == [attempts]
