"""Streams whose overflow shows late: what is held, what goes out, and that nothing else is touched."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vendor
from answers import EVENTS, Answer, json_answer, never, sse, text_answer
from gateway.engine.reply import HELD
from refusing import GOOD, ask
from rescue_requests import request
from running import Running
from upstream import ScriptedUpstream

HOLD_S = "0.3"
LATE_S = 0.8
"""Pause of the upstream, longer than the hold."""
MESSAGE = "request (14000 tokens) exceeds the available context size (8000 tokens), try increasing it"


def event(value: Any) -> bytes:
    """Return an event with this data."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def delta(**fields: Any) -> bytes:
    """Return a chunk of a streamed answer."""
    return event({"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": fields}]})


ROLE = delta(role="assistant", content="")
OVERFLOW = event({"error": {"code": 400, "message": MESSAGE, "type": "exceed_context_size_error"}})
COMMENT = b": PROCESSING\n\n"
DONE = b"data: [DONE]\n\n"


def stream(*pieces: bytes | float) -> Answer:
    """Return a streamed answer; numbers are pauses."""
    return Answer(200, (EVENTS,), pieces, "chunked")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """A gateway that holds for 0.3 seconds."""
    folder: Path = tmp_path_factory.mktemp("hold")
    with (
        ScriptedUpstream() as upstream,
        Running(upstream.url, folder / "data", environment={"HAVERSACK_HOLD_S": HOLD_S}) as gateway,
    ):
        # The model list is asked for once, and must not take a queued answer.
        ask(gateway.port, request("first", seed=99))
        upstream.wait(lambda: any(seen.target.endswith("/models") for seen in upstream.requests))
        yield upstream, gateway


@contextlib.contextmanager
def opened(gateway: Running, body: dict[str, Any]) -> Iterator[http.client.HTTPResponse]:
    """Give the response to a request as soon as its head is there, and leave before its end."""
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"content-type": "application/json"})
    with connection.getresponse() as response:
        yield response
    connection.close()


def asked(name: str, **more: Any) -> dict[str, Any]:
    """Return a streaming request for a model of its own."""
    return request(name, stream=True, stream_options={"include_usage": False}, **more)


# No piece may be empty: that would be the end of the body.
PIECES = COMMENT + ROLE + OVERFLOW
EARLY: dict[str, list[bytes | float]] = {
    "first event": [OVERFLOW],
    "first event, and done": [OVERFLOW + DONE],
    "after a role": [ROLE, OVERFLOW],
    "after comments and a role": [COMMENT, COMMENT, ROLE, 0.05, COMMENT, OVERFLOW, DONE],
    "cut in pieces": [PIECES[at : at + 7] for at in range(0, len(PIECES), 7)],
}
WORDLESS: dict[str, list[bytes | float]] = {
    "no delta": [COMMENT, ROLE],
    "nothing but done": [DONE],
    "nothing at all": [],
}


@pytest.mark.parametrize("name", EARLY)
def test_overflow_before_any_piece_is_never_seen(stage: tuple[ScriptedUpstream, Running], name: str) -> None:
    """A 200 stream that turns out to be an error is replaced whole by the rescued answer."""
    upstream, gateway = stage
    upstream.queue(stream(*EARLY[name]))
    before = len(upstream.chats)
    got = ask(gateway.port, asked(name))

    assert (got.status, got.text) == (200, GOOD)
    assert b"error" not in got.body
    assert COMMENT not in got.body
    first, second = upstream.chats[before:]
    assert len(second.body) < 0.6 * len(first.body)


@pytest.mark.parametrize("name", WORDLESS)
@pytest.mark.parametrize("times", [1, 2])
def test_stream_that_ends_without_a_word_is_asked_once_more_and_then_smaller(
    stage: tuple[ScriptedUpstream, Running], name: str, times: int
) -> None:
    """It may have been a mishap; where it ends so again, the window may be full. The client sees neither."""
    upstream, gateway = stage
    upstream.queue(*[stream(*WORDLESS[name])] * times)
    before = len(upstream.chats)
    got = ask(gateway.port, asked(f"{name} {times}"))

    assert (got.status, got.text) == (200, GOOD)
    assert COMMENT not in got.body
    first, second, *third = upstream.chats[before:]
    assert second.body == first.body
    assert [len(chat.body) < 0.6 * len(first.body) for chat in third] == [True] * (times - 1)


def test_short_conversation_answered_with_nothing_is_left_alone(
    stage: tuple[ScriptedUpstream, Running],
) -> None:
    """An empty stream is no overflow where there is nothing that could overflow."""
    upstream, gateway = stage
    upstream.queue(stream(ROLE, DONE))
    before = len(upstream.chats)
    short = {"model": "short", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    got = ask(gateway.port, short)

    assert (got.status, got.body) == (200, ROLE + DONE)
    assert len(upstream.chats) == before + 1


def test_overflow_after_the_hold_is_rescued_in_the_same_stream(
    stage: tuple[ScriptedUpstream, Running],
) -> None:
    """Comments have kept the connection alive; the answer that follows them is the rescued one."""
    upstream, gateway = stage
    upstream.queue(stream(COMMENT, LATE_S, COMMENT, ROLE, LATE_S, OVERFLOW))
    got = ask(gateway.port, asked("late"))

    assert (got.status, got.text) == (200, GOOD)
    assert got.body.startswith(COMMENT * 2 + b"data: ")
    assert b"error" not in got.body
    assert len(upstream.chats[-1].body) < 0.7 * len(upstream.chats[-2].body)


def test_comments_go_out_while_data_is_held(stage: tuple[ScriptedUpstream, Running]) -> None:
    """After the hold a client hears the upstream's comments as they come, and of its data nothing yet."""
    upstream, gateway = stage
    upstream.queue(Answer(200, (EVENTS,), (ROLE, LATE_S, COMMENT), "chunked", end="hang"))
    with opened(gateway, asked("comments")) as response:
        assert response.read1() == COMMENT

    assert upstream.chats[-1].left.wait(10)


def test_pings_keep_the_connection_alive_while_data_is_held(stage: tuple[ScriptedUpstream, Running]) -> None:
    """What an upstream sends while it thinks, and cannot be released yet, is heard as a comment."""
    upstream, gateway = stage
    pieces = (ROLE, LATE_S, delta(content=""), 0.1, delta(content=""), 0.1, delta(content="So"), DONE)
    upstream.queue(stream(*pieces))
    with opened(gateway, asked("pings")) as response:
        assert response.read1() == HELD
        body = response.read()
    assert body.replace(HELD, b"") == b"".join(piece for piece in pieces if isinstance(piece, bytes))


def test_stream_without_empty_lines_is_not_held_to_its_end(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Some servers end events with one line end, and some clients read lines: they hear of each in time."""
    upstream, gateway = stage
    line = delta(content="So")[:-1]
    upstream.queue(Answer(200, (EVENTS,), (line, LATE_S, line), "chunked", end="hang"))
    with opened(gateway, asked("lines")) as response:
        assert response.read1() == line
        assert response.read1() == line


def test_slow_answer_is_unchanged(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A model that thinks for longer than the hold is waited for, and not a byte of its answer is lost."""
    upstream, gateway = stage
    pieces = (COMMENT, ROLE, LATE_S, delta(content="So"), LATE_S, delta(content=" be it"), DONE)
    upstream.queue(stream(*pieces))
    before = len(upstream.chats)
    got = ask(gateway.port, asked("slow"))

    # A comment may overtake what is held; it stands for nothing.
    body = b"".join(piece for piece in pieces if isinstance(piece, bytes))
    assert got.body.replace(COMMENT, b"") == body.replace(COMMENT, b"")
    assert len(upstream.chats) == before + 1


def test_late_overflow_that_nothing_cures_ends_with_an_error_event(
    stage: tuple[ScriptedUpstream, Running],
) -> None:
    """The status is out, so the one clear error comes as an event, as the vendor would send it."""
    upstream, gateway = stage
    upstream.script = lambda seen: stream(LATE_S, OVERFLOW) if seen.json else json_answer({}, status=404)
    before = len(upstream.chats)
    got = ask(gateway.port, asked("late and never"))
    upstream.script = upstream.vendor

    error = json.loads(got.body.removeprefix(b"data: "))["error"]
    assert (got.status, error["code"]) == (200, "context_length_exceeded")
    assert "8000" in error["message"]
    assert len(upstream.chats) - before <= 3
    upstream.wait(lambda: "failure=context_length_exceeded" in gateway.log)
    (line,) = [line for line in gateway.log.splitlines() if "failure=context_length_exceeded" in line]
    assert "status=200" in line


@pytest.mark.parametrize("status", [400, 429, 503])
def test_late_refusal_of_the_rescue_is_told_as_an_event(
    stage: tuple[ScriptedUpstream, Running], status: int
) -> None:
    """What the upstream says to the shorter form reaches a client whose stream has begun."""
    upstream, gateway = stage
    body = vendor.error("Not so.", param="messages")
    upstream.queue(stream(LATE_S, OVERFLOW, DONE), json_answer(body, status=status))
    got = ask(gateway.port, asked(f"late {status}"))

    if status == 400:  # refused for its form: then the client gets what was said to its own bytes
        assert got.body == OVERFLOW + DONE
    else:
        assert json.loads(got.body.removeprefix(b"data: ")) == body


def test_error_after_a_piece_passes_unchanged(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Once the client has seen a part of the answer nothing is tried again."""
    upstream, gateway = stage
    pieces = (ROLE, delta(content="Well"), OVERFLOW, DONE)
    upstream.queue(stream(*pieces))
    before = len(upstream.chats)
    got = ask(gateway.port, asked("mid-stream"))

    assert (got.status, got.body) == (200, b"".join(pieces))
    assert len(upstream.chats) == before + 1


def test_first_piece_is_released_at_once(stage: tuple[ScriptedUpstream, Running]) -> None:
    """The client reads the first piece of an answer while the upstream has not said the second."""
    upstream, gateway = stage
    first = ROLE + delta(content="Well")
    upstream.queue(Answer(200, (EVENTS,), (first,), "chunked", end="hang"))
    with opened(gateway, asked("prompt")) as response:
        assert response.read(len(first)) == first

    assert upstream.chats[-1].left.wait(10)


@pytest.mark.parametrize("name", ["silent", "commenting"])
def test_client_that_leaves_during_the_hold_ends_the_call(
    stage: tuple[ScriptedUpstream, Running], name: str
) -> None:
    """An upstream is not kept busy for nobody."""
    upstream, gateway = stage
    hanging = Answer(200, (EVENTS,), (COMMENT, ROLE), "chunked", end="hang")
    upstream.queue(never() if name == "silent" else hanging)
    before = len(upstream.chats)
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
    connection.request("POST", "/v1/chat/completions", json.dumps(asked(name)))
    upstream.wait(lambda: len(upstream.chats) > before)
    connection.close()

    assert upstream.chats[-1].left.wait(10)


def test_client_that_leaves_during_a_rescue_ends_it(stage: tuple[ScriptedUpstream, Running]) -> None:
    """The second attempt is cancelled as the first would be."""
    upstream, gateway = stage
    upstream.queue(stream(OVERFLOW), never())
    before = len(upstream.chats)
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
    connection.request("POST", "/v1/chat/completions", json.dumps(asked("rescue left")))
    upstream.wait(lambda: len(upstream.chats) > before + 1)
    connection.close()

    assert upstream.chats[-1].left.wait(10)


def test_usage_that_only_the_gateway_asked_for_is_not_seen(stage: tuple[ScriptedUpstream, Running]) -> None:
    """A rescued stream has the events that the client asked for, and no others."""
    upstream, gateway = stage
    upstream.queue(sse([OVERFLOW]), lambda seen: text_answer(seen, GOOD))
    got = ask(gateway.port, request("asks-nothing", stream=True))

    assert upstream.chats[-1].json["stream_options"] == {"include_usage": True}
    assert got.text == GOOD
    assert b'"usage"' not in got.body
