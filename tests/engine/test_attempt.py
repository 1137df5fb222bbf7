"""How a plan goes out: the client's own bytes if nothing was changed, and the headers that fit them."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Literal

import httpx
import pytest
from msgspec import structs

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.engine.attempt import Ask, Written, once, send, write
from gateway.engine.subject import Action, Plan
from gateway.policy.rules import UsageRules
from listening import ASKED, TEXT
from wired import TRIMMING, WIRE, Edge, Feed, ask, chat, stream, turns

HEADERS = [
    (b"Authorization", b"Bearer k"),
    (b"content-encoding", b"gzip"),
    (b"Accept-Encoding", b"gzip, deflate"),
]


def plan(body: bytes, *, rewritten: bool = False, output: int | None = None) -> Plan:
    """Return the plan to send this body."""
    view = Conversation(()) if rewritten else None
    return Plan(body, Action.NONE, 9, 9, 9, 1, view=view, output=output)


def asking(body: bytes, usage: Literal["never", "compacted", "always"] = "compacted") -> Ask:
    """Return what a client asks for, under a policy for usage."""
    return ask(Edge(), body, replace(TRIMMING, usage=UsageRules(ask=usage)), HEADERS)


def test_own_bytes_go_as_they_came() -> None:
    """A request that nothing was done to is the same object, coded as it came, with the same headers."""
    asked = asking(chat(turns(1)))
    coded = structs.replace(asked, body=gzip.compress(asked.body))

    written = write(coded, plan(coded.request.body), True)
    assert written == Written(coded.body, coded.headers, False, False)
    assert written.headers is coded.headers


def test_rewritten_body_is_not_coded() -> None:
    """What was compressed and is changed goes out plain, and does not claim to be compressed."""
    asked = asking(chat(turns(1)))
    coded = structs.replace(asked, body=gzip.compress(asked.body))

    written = write(coded, plan(chat(turns(0)), rewritten=True), True)
    assert written == Written(chat(turns(0)), [HEADERS[0], HEADERS[2]], True, False)
    assert write(asked, plan(chat(turns(0)), rewritten=True), True).headers == HEADERS


@pytest.mark.parametrize("name", [b"Content-MD5", b"Content-Digest", b"Digest"])
def test_digest_goes_with_its_bytes_only(name: bytes) -> None:
    """An upstream that checks what it gets would refuse a rewritten body with the digest of another."""
    asked = structs.replace(asking(chat(turns(1))), headers=[*HEADERS, (name, b"x")])

    assert write(asked, plan(asked.request.body), True).headers == [*HEADERS, (name, b"x")]
    assert write(asked, plan(chat(turns(0)), rewritten=True), True).headers == HEADERS


def test_another_body_has_another_idempotency_key() -> None:
    """An upstream that keeps to the key would answer the shorter form as it answered the first, with a no."""
    keyed = [*HEADERS, (b"Idempotency-Key", b"k")]
    asked = structs.replace(asking(chat(turns(1))), headers=keyed)

    assert write(asked, plan(asked.request.body), True).headers is keyed
    again = [write(asked, plan(chat(turns(0)), rewritten=True), True, number=2).headers[-1] for _ in range(2)]
    assert again == [(b"Idempotency-Key", b"k-2")] * 2


def test_clamped_output_is_written() -> None:
    """A plan that asks for less output asks for it in the client's own field."""
    asked = asking(chat(turns(1), max_completion_tokens=9000))

    written = write(asked, plan(asked.request.body, output=500), True)
    assert json.loads(written.body)["max_completion_tokens"] == 500
    assert written.is_changed


@pytest.mark.parametrize(
    ("rule", "rewritten", "asks"),
    [
        ("never", True, False),
        ("compacted", True, True),
        ("compacted", False, False),
        ("always", False, True),
    ],
)
def test_usage_is_asked_for_as_the_policy_says(
    rule: Literal["never", "compacted", "always"], rewritten: bool, asks: bool
) -> None:
    """Only a policy can make the gateway add the question for usage; its stream must come uncompressed."""
    asked = asking(chat(turns(1), stream=True), rule)

    written = write(asked, plan(asked.request.body, rewritten=rewritten), True)
    options = json.loads(written.body).get("stream_options")
    assert options == ({"include_usage": True} if asks else None)
    assert written.asks_usage is asks
    assert (HEADERS[2] not in written.headers) is asks
    if asks:
        assert written.headers[2] == (b"Accept-Encoding", b"identity")


@pytest.mark.parametrize(
    ("body", "knows"),
    [
        (chat(turns(1), stream=True, stream_options={"include_usage": True}), True),
        (chat(turns(1), stream=True, stream_options={"include_usage": False}), True),
        (chat(turns(1), stream=False), True),
        (chat(turns(1)), True),
        (chat(turns(1), stream=True), False),
    ],
)
def test_usage_is_not_ours_to_ask(body: bytes, knows: bool) -> None:
    """Not where the client has decided, nothing streams, or the upstream does not know the question."""
    asked = asking(body, "always")

    assert write(asked, plan(asked.request.body), knows) == Written(asked.body, HEADERS, False, False)


def test_late_answer_must_not_come_compressed() -> None:
    """Once comments are out, what follows them is joined to them."""
    asked = asking(chat(turns(1), stream=True))

    written = write(asked, plan(asked.request.body), True, is_late=True)
    assert written.body is asked.body
    assert written.headers[2] == (b"Accept-Encoding", b"identity")


def test_output_is_what_the_client_bounds() -> None:
    """The largest answer is known where the client says it."""
    assert asking(chat(turns(1), max_tokens=7)).output == 7
    assert asking(chat(turns(1))).output is None


@pytest.mark.parametrize(
    ("response", "asks_usage", "edits"),
    [
        (stream(Feed(TEXT)), True, True),
        (stream(Feed(TEXT)), False, False),
        (stream(Feed(TEXT), **{"content-encoding": "identity"}), True, True),
        (stream(Feed(TEXT), **{"content-encoding": "gzip"}), True, False),
        (httpx.Response(200, content=b"{}"), True, False),
    ],
)
def test_stream_is_edited_only_to_take_out_what_we_asked_for(
    response: httpx.Response, asks_usage: bool, edits: bool
) -> None:
    """A stream that is compressed after all passes whole; so does everything else."""

    async def run() -> None:
        asked = ask(Edge(response), chat(turns(1)))
        written = Written(asked.body, [], True, asks_usage)
        attempt = await send(asked, plan(asked.body), written, ASKED)
        assert attempt.edits_stream is edits
        await attempt.reply.close()

    asyncio.run(run())


def test_request_goes_to_its_target() -> None:
    """Method, target, headers and body are the request's."""

    async def run() -> None:
        edge = Edge(httpx.Response(200))
        asked = ask(edge, chat(turns(1)))
        written = Written(asked.body, HEADERS, False, False)
        await (await send(asked, plan(asked.body), written, ASKED)).reply.close()
        [seen] = edge.seen
        assert (seen.method, seen.target, seen.body) == ("POST", asked.target, asked.body)
        assert seen.headers[:3] == HEADERS
        assert WIRE.name == asked.place.wire_format

    asyncio.run(run())


def test_body_that_is_here_already_is_one_chunk() -> None:
    """An answer that was kept is given back whole."""

    async def run() -> list[bytes]:
        return [chunk async for chunk in once(b"all of it")]

    assert asyncio.run(run()) == [b"all of it"]
