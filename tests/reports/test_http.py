"""Reports about HTTP between client and upstream (`http.json`), on real sockets."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import socket
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from answers import JSON, Answer, json_answer, never, sse
from gateway.settings import Settings
from reported import Body, Stage, encoded, reported, staged
from running import Running
from upstream import ScriptedUpstream

LONG: Body = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "word " * 900},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "q"},
    ],
}
"""Too long for the window of 1000."""

SHORT: Body = {"model": "m", "messages": [{"role": "user", "content": "q"}]}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    with staged(tmp_path_factory.mktemp("http"), (1000,)) as stage:
        yield stage


CODINGS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "deflate": zlib.compress}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("body", [SHORT, {**LONG, "model": "other"}], ids=["short", "long"])
def test_compressed_refusal(stage: Stage, body: Body, coding: str) -> None:
    """A compressed refusal is understood; where it is the client's, it comes as it is, and says so."""
    text = reported("http-01-decoded-body-encoded-header")["upstream"]["body_gzip"].encode()
    packed = CODINGS[coding](text)
    refusal = Answer(400, (JSON, ("content-encoding", coding)), (packed,))
    stage.upstream.queue(refusal)
    got = stage.send({**body, "model": f"{body['model']}-{coding}"}, accept_encoding="gzip, deflate")
    if body is SHORT:
        assert (got.status, got.body, got.header("content-encoding")) == (400, packed, coding)
        assert got.header("content-length") == str(len(packed))
    else:
        assert (got.status, got.header("x-haversack-action")) == (200, "rescued")
        assert got.header("content-encoding") == ""


@pytest.mark.parametrize("offered", ["gzip, deflate, br, zstd", "br", "zstd;q=1, gzip;q=0.5", "*", ""])
@pytest.mark.parametrize("stream", [False, True])
def test_only_known_codings_are_offered(stage: Stage, stream: bool, offered: str) -> None:
    """Of what a client takes, the upstream is offered what the gateway can read."""
    recorded = reported("http-02-accept-encoding-forwarded")["request_headers"]["accept-encoding"]
    assert recorded == "gzip, deflate, br, zstd"
    stage.send({**LONG, "stream": stream}, window=1000, accept_encoding=offered)
    sent = stage.sent.header("accept-encoding") or ""
    names = {part.partition(";")[0].strip() for part in sent.split(",")} - {""}
    assert names <= {"gzip", "deflate", "identity"}
    assert ("gzip" in names) <= ("gzip" in offered or "*" in offered)


def exchanged(stage: Stage, head: str, body: bytes) -> bytes:
    """Send a request byte for byte, and return all that comes back."""
    with socket.create_connection(("127.0.0.1", stage.gateway.port), timeout=30) as client:
        client.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        return b"".join(iter(lambda: client.recv(65536), b""))


HOP = "x-haversack-policy: w1000\nConnection: close, x-private\nX-Private: 1\nTE: trailers\nHost: localhost"
FRAMINGS = {
    "length": "Content-Length: {0}",
    "chunked": "Transfer-Encoding: chunked",
    "expect": "Content-Length: {0}\nExpect: 100-continue",
}


@pytest.mark.parametrize("framing", FRAMINGS.values(), ids=FRAMINGS)
def test_rewritten_body_has_its_own_length(stage: Stage, framing: str) -> None:
    """A rewritten body goes out with its own length and nothing of the client's hop."""
    assert "compacted" in reported("http-04-request-content-length")["request"]["body"]
    body = encoded(LONG)
    sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if "chunked" in framing else body
    head = f"POST /v1/chat/completions HTTP/1.1\n{HOP}\n{framing.format(len(body))}"
    got = exchanged(stage, head, sent)
    assert re.search(rb"x-haversack-action: (compacted|frozen)", got)
    names = [name.decode().lower() for name, _ in stage.sent.headers]
    assert names.count("content-length") == 1
    assert int(stage.sent.header("content-length") or 0) == len(stage.sent.body) < len(body)
    assert not {"transfer-encoding", "expect", "te", "x-private", "x-haversack-policy"} & set(names)


@pytest.mark.parametrize("framing", ["Content-Length: 3", "Transfer-Encoding: chunked"])
def test_body_of_another_endpoint_arrives(stage: Stage, framing: str) -> None:
    """What is not looked into goes out with its body, framed once."""
    body = b"3\r\nabc\r\n0\r\n\r\n" if "chunked" in framing else b"abc"
    got = exchanged(stage, f"POST /v1/files HTTP/1.1\n{HOP}\n{framing}", body)
    assert got.startswith(b"HTTP/1.1 404")
    assert stage.sent.body == b"abc"
    names = [name.decode().lower() for name, _ in stage.sent.headers]
    assert (names.count("content-length"), names.count("transfer-encoding")) in ((1, 0), (0, 1))


PATHS = [line.split()[1] for line in reported("http-07-trailing-slash-redirect")["requests"]]


@pytest.mark.parametrize("path", [*PATHS, "/v1/v1/chat/completions", "/v1//chat/completions/"])
def test_slash_is_no_redirect(stage: Stage, path: str) -> None:
    """A slash too many, or a version too few, is answered by the same endpoint, and never by a redirect."""
    got = stage.call("POST", path, encoded(LONG), headers={"x-haversack-policy": "w1000"})
    assert got.status in (200, 404)
    assert got.header("location") == ""
    assert got.header("x-haversack-action") == "compacted"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirect_is_the_clients(stage: Stage, status: int) -> None:
    """A redirect of the upstream is passed on: the key goes to no other host."""
    recorded = reported("http-07-trailing-slash-redirect")["upstream"][0]["headers"]["location"]
    with ScriptedUpstream() as other:
        assert recorded == "http://other/"
        stage.upstream.queue(Answer(status, (("location", f"{other.origin}/"),)))
        got = stage.send(LONG, window=1000)
        assert (got.status, got.header("location")) == (status, f"{other.origin}/")
        assert other.requests == []


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/haversack/compact"])
def test_body_over_the_limit(path: str, tmp_path: Path) -> None:
    """A body over the limit is refused in the client's dialect, with its length declared or in chunks."""
    limit = max(1024, reported("http-09-body-size-limit")["config"]["max_body_bytes"])
    assert Settings().max_body_bytes >= 64 << 20
    large = b"x" * 5000
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(large), large)
    with ScriptedUpstream() as upstream:
        flags = ("--max-body-bytes", str(limit))
        with Running(upstream.url, tmp_path / "data", *flags) as gateway:
            stage = Stage(gateway, upstream)
            head = f"POST {path} HTTP/1.1\nHost: localhost\nConnection: close\n"
            for framing, body in (("Content-Length: 5000", large), ("Transfer-Encoding: chunked", chunked)):
                got = exchanged(stage, head + framing, body)
                assert got.startswith(b"HTTP/1.1 413")
                assert "error" in json.loads(got.partition(b"\r\n\r\n")[2])
            assert stage.send(SHORT).status == 200
        assert len(upstream.requests) == 1


def test_patience_is_long_for_answers_and_short_for_connections() -> None:
    """A slow model is waited for, as long as it takes; a host that does not answer at all is not."""
    assert len(reported("http-11-default-timeouts")["upstream"]) == 3
    assert Settings().connect_timeout_s == 10
    assert Settings().read_timeout_s >= 600


@pytest.mark.parametrize("stream", [False, True])
def test_silence_ends_in_an_error(stream: bool, tmp_path: Path) -> None:
    """An upstream that says nothing for longer than the patience lasts is an error that a client can read."""
    flags = ("--read-timeout-s", "1")
    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data", *flags) as gateway:
        upstream.queue(never())
        got = Stage(gateway, upstream).send({**SHORT, "stream": stream})
        assert (got.status, len(upstream.chats)) == (504, 1)
        assert "silent for too long" in json.loads(got.body)["error"]["message"]


def leave(stage: Stage) -> None:
    """Ask for a stream, read its head, and go."""
    connection = http.client.HTTPConnection("127.0.0.1", stage.gateway.port, timeout=30)
    connection.request("POST", "/v1/chat/completions", encoded({**SHORT, "stream": True}))
    response = connection.getresponse()
    response.read1(10)
    response.close()
    connection.close()


def test_no_connection_is_kept_by_what_nobody_reads(stage: Stage) -> None:
    """Clients that leave, errors to streams, and first answers before a rescue free their connections."""
    limit = reported("http-12-pool-exhaustion")["config"]["max_connections"]
    endless = sse(['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'] * 3000, delay_s=0.01)
    long = {**LONG, "messages": [{"role": "user", "content": "word " * 9000}, *LONG["messages"]]}
    for number in range(2 * limit):
        stage.upstream.queue(endless)
        leave(stage)
        stage.upstream.queue(Answer(500, (JSON,), (b"x" * 3_000_000,), "chunked"))
        assert stage.send({**SHORT, "stream": True}).status == 500
        stage.upstream.queue(json_answer({"error": {"code": "context_length_exceeded"}}, status=400))
        got = stage.send({**long, "model": f"pool-{number}"})
        assert got.header("x-haversack-action") == "rescued"
    assert stage.send(SHORT).status == 200
    stage.upstream.wait(lambda: stage.upstream.connections <= limit)


RATES = reported("http-14-rate-limit-headers")["upstream"][0]
ERRORS = reported("http-16-error-body-rewritten")["upstream"]


@pytest.mark.parametrize("answer", [RATES, *ERRORS])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("body", [SHORT, LONG], ids=["own", "rewritten"])
def test_errors_pass_whole(stage: Stage, body: Body, stream: bool, answer: dict[str, Any]) -> None:
    """Status, headers and body of an error are the upstream's, whatever they are; it was asked once."""
    text = answer["body"] if isinstance(answer["body"], str) else json.dumps(answer["body"])
    headers = tuple(answer["headers"].items())
    stage.upstream.queue(Answer(answer["status"], headers, (text.encode(),) if text else ()))
    before = len(stage.upstream.chats)
    got = stage.send({**body, "stream": stream}, window=1000)
    assert (got.status, got.body) == (answer["status"], text.encode())
    assert [got.header(name) for name, _ in headers] == [value for _, value in headers]
    assert len(stage.upstream.chats) == before + 1


ELSEWHERE: list[dict[str, Any]] = [
    *reported("http-18-non-chat-endpoints")["requests"],
    {"path": "/v1/chat/completions", "body": {"model": "m", "messages": [1, "two", None]}},
    {"path": "/v1/chat/completions", "body": {"model": "m", "messages": {}}},
    {"path": "/v1/chat/completions", "raw": '{"model":"m"}'},
    {"path": "/v1/chat/completions", "raw": ""},
    {"path": "/v1/chat/completions/x", "body": LONG},
    {"path": "/v1/audio/transcriptions", "raw": "--b\r\n\r\n\x00\x01"},
    {"method": "GET", "path": "/v1/chat/completions?limit=2"},
    {"method": "DELETE", "path": "/v1/chat/completions/id"},
]


@pytest.mark.parametrize("request_", ELSEWHERE)
def test_what_is_no_conversation_passes(stage: Stage, request_: dict[str, Any]) -> None:
    """Other endpoints, methods and bodies go out byte for byte, and the upstream judges them."""
    method = request_.get("method", "POST")
    body = encoded(request_["body"]) if "body" in request_ else request_.get("raw", "").encode()
    stage.upstream.queue(json_answer('{"judged":  true}', status=418))
    got = stage.call(method, request_["path"], body, headers={"x-haversack-policy": "w1000"})
    assert (got.status, got.body) == (418, b'{"judged":  true}')
    assert (stage.sent.method, stage.sent.target, stage.sent.body) == (method, request_["path"], body)
