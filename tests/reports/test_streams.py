"""Reports about streams (`streams.json`, `retrieval.json`): relayed as they came, read from a copy."""

from __future__ import annotations

import http.client
import json
import re
import socket
import struct
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from answers import EVENTS, Answer, calls_answer, never, sse
from reported import Body, Stage, encoded, reported, staged

ASKED: Body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "q"}]}

LONG: Body = {
    **ASKED,
    "messages": [
        {"role": "user", "content": "word " * 900},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "q"},
    ],
}
"""Too long for the window of 1000, so it goes out rewritten."""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    with staged(tmp_path_factory.mktemp("streams"), (1000,)) as stage:
        yield stage
        assert "failed" not in stage.gateway.log


def usage_seen(stage: Stage) -> float:
    """Return how many input tokens the gateway has read from answers."""
    page = stage.gateway.get("/metrics")[1].decode()
    found = re.findall(r'^haversack_upstream_tokens_total\{.*kind="input".*\} (\S+)$', page, re.MULTILINE)
    return sum(map(float, found))


def relayed(stage: Stage, chunks: list[str | bytes], body: Body = ASKED) -> None:
    """Assert that a stream reaches the client byte for byte, however it is cut."""
    whole = b"".join(chunk.encode() if isinstance(chunk, str) else chunk for chunk in chunks)
    cuts: list[Sequence[str | bytes]] = [chunks, [whole]]
    if len(whole) < 400:
        cuts.append([whole[at : at + 1] for at in range(len(whole))])
    for cut in cuts:
        stage.upstream.queue(sse(cut))
        got = stage.send(body, window=1000)
        assert (got.status, got.body) == (200, whole)


USAGE = '{"choices":[],\n"usage":{"prompt_tokens":77,"completion_tokens":1}}'

ENDINGS = {
    "crlf": "data:{0}\r\n\r\ndata:[DONE]\r\n\r\n",
    "cr": "data: {0}\r\rdata: [DONE]\r\r",
    "lf": "data: {0}\n\ndata: [DONE]\n\n",
    "fields": "event: message\nid: 7\ndata: {0}\n\n",
    "no end": "data: {0}",
}


@pytest.mark.parametrize("chunk", reported("sse-02-line-endings-and-optional-space")["variants"])
def test_line_ends_are_kept(stage: Stage, chunk: str) -> None:
    """Whatever ends its lines, a stream passes as it is."""
    relayed(stage, [chunk])
    relayed(stage, [chunk], LONG)


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_line_ends_are_understood(stage: Stage, ending: str) -> None:
    """Whatever ends its lines, and over however many lines an event goes, its usage is read."""
    end = "\r\n" if "\r\n" in ending else "\r" if "\r" in ending else "\n"
    field = "data:" if "data:{" in ending else "data: "
    body: Body = {**ASKED, "stream_options": {"include_usage": True}}
    before = usage_seen(stage)
    relayed(stage, [ending.replace("{0}", USAGE.replace("\n", end + field))], body)
    stage.upstream.wait(lambda: usage_seen(stage) >= before + 2 * 77)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\u000b", "\u000c"])
def test_other_separators_end_no_line(stage: Stage, mark: str) -> None:
    """Only CR and LF end a line: what else looks like an end may stand in JSON, and is read as text."""
    first, *rest = reported("sse-03-u2028-in-json")["chunks"]
    assert "\u2028" in first
    event = first.replace("\u2028", mark)
    usage = event.replace("data: {", 'data: {"usage":{"prompt_tokens":55,"completion_tokens":1},', 1)
    before = usage_seen(stage)
    relayed(stage, [event, usage, *rest])
    if mark >= " ":  # control characters may not stand in JSON as they are
        stage.upstream.wait(lambda: usage_seen(stage) >= before + 2 * 55)


@pytest.mark.parametrize("body", [ASKED, LONG], ids=["own", "rewritten"])
def test_event_of_a_megabyte(stage: Stage, body: Body) -> None:
    """An event of any size passes, first or later, in a stream that is edited or not."""
    large, done = reported("sse-04-very-long-line")["chunks"]
    piece = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'
    relayed(stage, [large, done], body)
    relayed(stage, [piece, large[:700_000], large[700_000:], piece, done], body)


@pytest.mark.parametrize("body", [ASKED, LONG], ids=["own", "rewritten"])
def test_comments_stay_comments(stage: Stage, body: Body) -> None:
    """Comments and lines that are no JSON pass where they stand; nothing is put among them."""
    relayed(stage, reported("sse-05-comments-and-keepalives")["chunks"], body)
    relayed(stage, [": a\n", ": b\r\n\r\n", "retry: 9\n\n", "data:\n\n", "data: [DONE]\n\n"], body)


@pytest.mark.parametrize("number", range(3))
def test_question_for_usage_is_the_clients(stage: Stage, number: int) -> None:
    """What fits is not changed for the sake of metrics; in a rewritten body what the client said stays."""
    members = reported("sse-07-stream-options-injection")["requests"][number]
    sent = {"model": "m", "messages": ASKED["messages"], **members}
    stage.send(sent, window=1000)
    assert stage.sent.body == encoded(sent)

    got = stage.send({"model": "m", "messages": LONG["messages"], **members}, window=1000)
    assert got.header("x-haversack-action") == "compacted"
    options = stage.sent.json.get("stream_options")
    assert options == members.get("stream_options", {"include_usage": True})
    assert '"choices": []' not in got.body.decode()


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("body", [ASKED, LONG], ids=["own", "rewritten"])
def test_json_for_a_stream_stays_json(stage: Stage, body: Body, number: int) -> None:
    """A plain answer to a request for a stream keeps its status, type, headers and body."""
    answer = reported("sse-09-json-body-for-stream-request")["upstream"][number]
    text = answer["body"].encode()
    stage.upstream.queue(Answer(answer["status"], tuple(answer["headers"].items()), (text,)))
    got = stage.send(body, window=1000)
    assert (got.status, got.body) == (answer["status"], text)
    for name, value in answer["headers"].items():
        assert got.header(name) == value


PIECES: dict[str, str] = {
    "text": reported("sse-10-retry-after-bytes-sent")["upstream"][0]["chunks"][0],
    "call": 'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c"}]}}]}\n\n',
    "thought": 'data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}\n\n',
}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("end", ["close", "reset"])
def test_broken_stream_is_not_begun_again(stage: Stage, end: Any, piece: str) -> None:
    """What breaks off after a piece breaks off for the client, too; the upstream was asked once."""
    # What was written may be lost with a reset, so it is given time to arrive.
    stage.upstream.queue(Answer(200, (EVENTS,), (piece.encode(), 0.2), "chunked", end))
    before = len(stage.upstream.requests)
    connection = http.client.HTTPConnection("127.0.0.1", stage.gateway.port, timeout=30)
    connection.request("POST", "/v1/chat/completions", encoded(LONG), {"authorization": f"Bearer {end}"})
    with pytest.raises(http.client.IncompleteRead) as broken:
        connection.getresponse().read()
    connection.close()
    assert broken.value.partial == piece.encode()
    assert len(stage.upstream.requests) == before + 1


SAID = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'

LEFT: dict[str, tuple[Body, Answer, bytes]] = {
    "mid-stream": (ASKED, sse([SAID] * 1000, delay_s=0.05), b"data: "),
    "held": (ASKED, never(), b""),
    "comments": (ASKED, sse([": ping\n\n"] * 1000, delay_s=0.05), b""),
    "no stream": ({**ASKED, "stream": False}, never(), b""),
    "rewritten": (LONG, never(), b""),
}


def left(stage: Stage) -> float:
    """Return how many clients have left, by the gateway's metrics."""
    page = stage.gateway.get("/metrics")[1].decode()
    lines = [line for line in page.splitlines() if line.startswith("haversack_requests_total{")]
    return sum(float(line.rpartition(" ")[2]) for line in lines if 'status="499"' in line)


def arrived(stage: Stage, before: int) -> bool:
    """Return whether one more request has reached the upstream."""
    return len(stage.upstream.chats) > before


def counted(stage: Stage, gone: float) -> bool:
    """Return whether one more client was counted as gone."""
    return left(stage) > gone


@pytest.mark.parametrize(("body", "answer", "until"), list(LEFT.values()), ids=LEFT)
def test_client_that_leaves_ends_the_call(stage: Stage, body: Body, answer: Answer, until: bytes) -> None:
    """In every phase, and with a reset as with a close, the upstream is let go when the client is gone."""
    assert len(reported("sse-11-client-gone")["cases"]) == 4
    for linger in (False, True):
        stage.upstream.queue(answer)
        before, gone = len(stage.upstream.chats), left(stage)
        head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nx-haversack-policy: w1000\r\n"
        with socket.create_connection(("127.0.0.1", stage.gateway.port)) as client:
            raw = encoded(body)
            client.sendall(head + b"Content-Length: %d\r\n\r\n" % len(raw) + raw)
            stage.upstream.wait(partial(arrived, stage, before))
            seen = b""
            while until not in seen:
                seen += client.recv(1000)
            if linger:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert stage.upstream.chats[-1].left.wait(10)
        stage.upstream.wait(partial(counted, stage, gone))


def test_no_tool_is_added(stage: Stage) -> None:
    """The gateway adds no tool, so a call of any name is the client's, and passes as it came."""
    found = reported("ret-01-injected-tool-leaks")
    relayed(stage, found["upstream"][0]["chunks"], LONG)
    assert "tools" not in stage.sent.json
    stage.upstream.queue(lambda request: calls_answer(request, ("c1", "gw_retrieve", "{}")))
    got = stage.send({**LONG, "stream": False, "tools": []}, window=1000)
    assert stage.sent.json["tools"] == []
    assert json.loads(got.body)["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "gw_retrieve"


def test_pieces_of_a_rewritten_answer_are_not_held(stage: Stage) -> None:
    """Also where a request went out with stubs, each piece reaches the client before the next is there."""
    pieces = int(reported("ret-07-injection-disables-streaming")["upstream"].split()[0])
    # The upstream falls silent for good after its last piece.
    stage.upstream.queue(Answer(200, (EVENTS,), (SAID.encode(),) * pieces, "chunked", "hang"))
    connection = http.client.HTTPConnection("127.0.0.1", stage.gateway.port, timeout=30)
    headers = {"authorization": "Bearer k", "x-haversack-policy": "w1000"}
    connection.request("POST", "/v1/chat/completions", encoded(LONG), headers)
    response = connection.getresponse()
    assert response.getheader("x-haversack-action") == "compacted"
    seen = b""
    while len(seen) < pieces * len(SAID):
        seen += response.read1()
    assert seen == SAID.encode() * pieces
    connection.close()
