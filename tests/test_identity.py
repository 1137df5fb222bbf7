"""What is not compacted goes through untouched, whatever it is; what is compacted, but for what was removed.

Bodies are compared as bytes. Nothing here is what an ordinary client sends, and all of it was seen in the
wild or is allowed by JSON: the gateway must not be the one who chokes on it.
"""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import random
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from agents import Said, forwarded, lines, post, slices, task
from answers import EVENTS, JSON, Answer, Recorded
from running import Running
from upstream import ScriptedUpstream

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MODES = [{}, {"x-haversack-policy": "off"}, {"x-haversack-bypass": "1"}]
"""Below the trigger, switched off by name, switched off for one request."""

VALUES = [
    b"1", b"-0", b"1.0", b"1E400", b"0.1000000000000000055511151231257827",
    b"123456789012345678901234567890", b"true", b"null", b'""', b'"\\ud83d"', b'"\\u0000"',
    b'"\\/\\b\\f\\n"', b'"\xf0\x9f\x98\x80"', b'"\xff\xfe"', b'"\x00"', b"[]", b"{}", b"[1 , 2]",
    b'{"a":1,"a":2}', b"NaN", b"-Infinity", b'"\\u00e9\xc3\xa9"', b"01", b"[" * 300 + b"]" * 300,
]  # fmt: skip

KEYS = [
    b'"model"', b'"temperature"', b'"seed"', b'"user"', b'"metadata"', b'"n"', b'"stream"', b'"tools"',
    b'"x-unknown"', b'"max_tokens"', b'"stream_options"', b'"m\\u006fdel"', b'"\\ud83d"',
    b'"response_format"', b'"messages"',
]  # fmt: skip

SPACES = [b"", b" ", b"\n", b"\r\n\t", b"  "]

PLAIN: list[bytes] = [
    b"", b" ", b"null", b"[]", b"[1, 2", b"{", b"not JSON at all", b"\xef\xbb\xbf{}", b"\x00\x01\x02",
    b"\xff" * 50, b'"a string"', b'{"messages": 7}', b'{"messages": []}', b'{"messages": [null]}',
    b'{"messages": {"a": 1}}',
    b'{"model": "a", "messages": [], "messages": [{"role": "user", "content": "x"}]}',
    b"--b\r\nmultipart\r\n--b--",
]  # fmt: skip
"""Bodies that are no request."""


def bodies(count: int, seed: int) -> Iterator[tuple[bytes, dict[str, str]]]:
    """Yield bodies and the headers that describe them; one in eight is compressed, well or badly."""
    chance = random.Random(seed)
    for number in range(count):
        body = PLAIN[number] if number < len(PLAIN) else _body(chance)
        coding = chance.choice([*CODERS]) if chance.random() < 0.12 else ""
        yield (CODERS[coding](body), {"content-encoding": coding}) if coding else (body, {})


CODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "deflate": zlib.compress,
    "br": lambda body: b"\x0b\x02\x80" + body,
    "made-up": lambda body: body[::-1],
    "x-gzip": lambda body: gzip.compress(body)[:-9],
    "GZIP": lambda body: b"no gzip " + body,
    "gzip, zstd": lambda body: zstd.compress(gzip.compress(body)),
}


def _body(chance: random.Random) -> bytes:
    def space() -> bytes:
        return chance.choice(SPACES)

    members = [(chance.choice(KEYS), chance.choice(VALUES)) for _ in range(chance.randrange(6))]
    messages = b",".join(space() + _message(chance) + space() for _ in range(chance.randrange(5)))
    members.append((b'"messages"', b"[" + messages + b"]"))
    chance.shuffle(members)
    inner = b",".join(space() + key + space() + b":" + space() + value + space() for key, value in members)
    bom = b"\xef\xbb\xbf" if chance.random() < 0.03 else b""
    return bom + space() + b"{" + inner + b"}" + space()


def _message(chance: random.Random) -> bytes:
    role = chance.choice([b'"user"', b'"assistant"', b'"system"', b'"tool"', b'"wizard"', b"7"])
    members = [b'"role":' + role, b'"content" : ' + chance.choice(VALUES)]
    members += [chance.choice(KEYS) + b":" + chance.choice(VALUES) for _ in range(chance.randrange(3))]
    chance.shuffle(members)
    return b"{" + b", ".join(members) + b"}"


@pytest.fixture
def echo() -> Iterator[ScriptedUpstream]:
    """An upstream that takes everything and says little."""
    with ScriptedUpstream() as upstream:
        upstream.script = lambda request: Answer(200, (JSON,), (b"{}",))
        yield upstream


def check_bodies(url: str, echo: ScriptedUpstream, marks: dict[str, str], seed: int) -> None:
    """Assert that 1,000 bodies arrive as they were sent."""
    with contextlib.closing(connected(url)) as connection:
        for body, about in bodies(1000, seed):
            answer = sent(connection, body, {**about, **marks})
            got = echo.requests.pop()
            assert answer == (200, b"{}"), body
            assert got.body == body
            assert got.header("content-encoding") == about.get("content-encoding")


def connected(url: str) -> http.client.HTTPConnection:
    """Return a connection to the gateway; a bare one, because thousands of requests go over it."""
    return http.client.HTTPConnection(url.split("/")[2], timeout=60)


def sent(connection: http.client.HTTPConnection, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """Send a chat request, and return status and body of the answer."""
    common = {"content-type": "application/json", "authorization": "Bearer k"}
    connection.request("POST", "/v1/chat/completions", body, {**common, **headers})
    response = connection.getresponse()
    return response.status, response.read()


@pytest.mark.parametrize("marks", MODES, ids=["below the trigger", "off by header", "bypass"])
def test_bodies_arrive_as_they_were_sent(
    marks: dict[str, str], echo: ScriptedUpstream, tmp_path: Path
) -> None:
    """A thousand odd bodies reach the upstream byte for byte, and none of them makes the gateway stumble."""
    with Running(echo.url, tmp_path / "data") as gateway:
        check_bodies(gateway.url, echo, marks, seed=len(str(marks)))
        assert "failed_open_total{" not in gateway.get("/metrics")[1].decode()


def test_bodies_arrive_as_they_were_sent_where_all_is_off(echo: ScriptedUpstream, tmp_path: Path) -> None:
    """The same where the policy `off` is everybody's."""
    with Running(echo.url, tmp_path / "data", environment={"HAVERSACK_POLICY": "off"}) as gateway:
        check_bodies(gateway.url, echo, {}, seed=4)


STREAM = (
    b": warming up\r\n\r\nid: 7\r\nevent: message\r\ndata: {\"choices\": [{\"index\": 0,\r\n"
    b'data:  "delta": {"role": "assistant", "content": ""}}]}\r\n\r\n'
    b'data: {"choices":[{"index":0,"delta":{"content":"\xe2\x80\xa8\xf0\x9f\x98\x80 \\ud83d"}}]}\n\n'
    b"retry: 10\n:\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\r\r"
)  # fmt: skip
USAGE = b'data: {"choices":[],"usage":{"prompt_tokens":1500,"completion_tokens":2}}\n\n'
DONE = b"data: [DONE]\n\n"


def cut(stream: bytes) -> Iterator[tuple[bytes, ...]]:
    """Yield the stream in two pieces, for every place to cut it, and in single bytes."""
    yield from ((stream[:at], stream[at:]) for at in range(1, len(stream)))
    yield tuple(stream[at : at + 1] for at in range(len(stream)))


def check_streams(
    url: str, upstream: ScriptedUpstream, request: bytes, sent_by_upstream: bytes, want: bytes
) -> None:
    """Assert that what the client gets is *want*, wherever the upstream's stream is cut."""
    current: list[tuple[bytes, ...]] = [()]
    upstream.script = lambda _: Answer(200, (EVENTS,), current[0], "chunked")
    with contextlib.closing(connected(url)) as connection:
        for chunks in cut(sent_by_upstream):
            current[0] = chunks
            assert sent(connection, request, {}) == (200, want), chunks


@pytest.mark.parametrize("policy", ["default", "off"])
def test_streams_arrive_as_they_were_sent(policy: str, echo: ScriptedUpstream, tmp_path: Path) -> None:
    """A stream with every line end, comments and data over several lines is the same, however it is cut."""
    request = b'{"model": "gpt-test", "stream": true, "messages": [{"role": "user", "content": "Hi"}]}'
    with Running(echo.url, tmp_path / "data", "--policy", policy) as gateway:
        check_streams(gateway.url, echo, request, STREAM + USAGE + DONE, STREAM + USAGE + DONE)


def test_streams_of_compacted_requests_lose_only_the_usage(echo: ScriptedUpstream, tmp_path: Path) -> None:
    """Where the gateway asked for usage, the event with it is taken out, and nothing else is touched."""
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "tight.yaml").write_text("extends: mechanical\nwindow: 2000\n")
    talk = [
        {"role": role, "content": lines(f"t{n}", 200)} for n in range(4) for role in ("user", "assistant")
    ]
    request = json.dumps({"model": "gpt-test", "stream": True, "messages": talk[:-1]}).encode()
    with Running(echo.url, tmp_path / "data", "--policies", str(policies), "--policy", "tight") as gateway:
        check_streams(gateway.url, echo, request, STREAM + USAGE + DONE, STREAM + DONE)
        check_streams(gateway.url, echo, request, STREAM + USAGE, STREAM)
        assert all(request.json["stream_options"] == {"include_usage": True} for request in echo.chats)


ODD = (
    rb'{"role":"user" ,"content":"Half an emoji: \ud83d. NUL: \u0000. %s",'
    rb'"id":123456789012345678901234567890,"x":1.50}'
)


@pytest.mark.parametrize("coding", ["", "gzip", "zstd"])
def test_odd_conversations_are_rescued_like_any_other(coding: str, tmp_path: Path) -> None:
    """Half an emoji, a NUL and an integer of 30 digits, compressed or not: 60 turns without an error.

    What goes out rewritten goes out plain; what goes out as it came is still compressed as it came.
    """
    with ScriptedUpstream(8000) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        said = list(_odd_talk(gateway.url, coding))

        assert {one.action for one in said} == {"none", "rescued", "frozen", "compacted"}
        for number, one in enumerate(said):
            for attempt in forwarded(upstream, number):
                _check_odd(one.sent, attempt, coding)


def _odd_talk(url: str, coding: str) -> Iterator[Said]:
    code: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.compress, "zstd": zstd.compress}
    marks = {"content_encoding": coding} if coding else {}
    items = [rb'{"role":"system","content":"You are \ud83d odd."}']
    with httpx.Client(base_url=url) as client:
        for turn in range(60):
            items.append(ODD % json.dumps(task(turn) + lines(f"o{turn}", 250))[1:-1].encode())
            plain = HEAD + b", ".join(items) + TAIL
            said = post(client, code[coding](plain), number=turn, **marks)
            yield Said(plain, said.message, said.usage, action=said.action)
            items.append(json.dumps(said.message).encode())


HEAD = b'{"model":"gpt-test", "seed": 123456789012345678901234567890,"messages":['
TAIL = rb'],"user":"\ud83d","top_p":1.0e0}'


def _check_odd(sent: bytes, attempt: Recorded, coding: str) -> None:
    if coding and attempt.header("content-encoding"):
        assert attempt.header("content-encoding") == coding
        assert {"gzip": gzip.decompress, "zstd": zstd.decompress}[coding](attempt.body) == sent
        return
    assert attempt.body.startswith(HEAD)
    assert attempt.body.endswith(TAIL)
    before, after = slices(sent), slices(attempt.body)
    assert (after[0], after[-1]) == (before[0], before[-1])
    ours = [item for item in after if item not in before]
    assert all(b"haversack" in item for item in ours)
    assert len(ours) <= 2
