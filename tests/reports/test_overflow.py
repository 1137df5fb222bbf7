"""Reports about refusals (`course.json`): what is one, what only looks like one, what is done about it."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from answers import Answer, json_answer, sse
from gateway.core.failures import BodyTooLarge, Overflow, read
from reported import Body, Stage, encoded, reported, staged

_MODELS = itertools.count()


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here; what it learns, it learns of a model that only one test names."""
    with staged(tmp_path_factory.mktemp("overflow"), (4096,)) as stage:
        yield stage


def long_request(**members: Any) -> Body:
    """Return a request of 10,000 tokens to a model of its own."""
    said = [{"role": role, "content": "word " * 490} for _ in range(10) for role in ("user", "assistant")]
    messages = [*said, {"role": "user", "content": "q"}]
    return {"model": f"model-{next(_MODELS)}", "messages": messages, **members}


def refusal(variant: dict[str, Any]) -> Answer:
    """Return a recorded refusal as an answer."""
    headers = tuple(variant.get("headers", {}).items())
    return json_answer(variant["body"], status=variant["status"], headers=headers)


WORDINGS = reported("dyn-18-overflow-wordings")["upstream_variants"]
LIMITS = (None, 8192, 4096, 8192, 200_000, None, None, None)


@pytest.mark.parametrize(("variant", "limit"), list(zip(WORDINGS, LIMITS, strict=True)))
def test_wording_is_understood(stage: Stage, variant: dict[str, Any], limit: int | None) -> None:
    """However an upstream says "too long", the request is brought to size and sent again, once."""
    failure = read(variant["status"], json.dumps(variant["body"]).encode())
    assert isinstance(failure, Overflow | BodyTooLarge)
    assert isinstance(failure, BodyTooLarge) or failure.limit == limit

    stage.upstream.queue(refusal(variant))
    before = len(stage.upstream.chats)
    got = stage.send(sent := long_request())
    first, second = stage.upstream.chats[before:]
    assert (got.status, got.header("x-haversack-action"), first.body) == (200, "rescued", encoded(sent))
    assert second.tokens.prompt < 0.85 * first.tokens.prompt


@pytest.mark.parametrize("variant", WORDINGS)
def test_wording_inside_a_stream_is_understood(stage: Stage, variant: dict[str, Any]) -> None:
    """The same words as the first event of a stream with status 200 mean the same."""
    if variant["status"] in (413, 500):
        # Without its status a bare type says nothing, and plain text is no event.
        return
    stage.upstream.queue(sse([": ping\n\n", f"data: {json.dumps(variant['body'])}\n\n"]))
    got = stage.send(long_request(stream=True))
    assert (got.status, got.header("x-haversack-action"), got.text) == (200, "rescued", "All right.")


LOOKALIKES = (
    *reported("dyn-19-throttle-is-not-overflow")["upstream_variants"],
    {"status": 503, "headers": {"retry-after": "3"}, "body": {"error": {"message": "context pool is full"}}},
    {"status": 429, "body": {"error": {"message": "Limit 30000 tokens per min, requested 41000"}}},
    {"status": 402, "body": {"error": {"message": "This request requires 9000 tokens, you can afford 200"}}},
)


@pytest.mark.parametrize("variant", LOOKALIKES)
def test_other_refusals_pass(stage: Stage, variant: dict[str, Any]) -> None:
    """Rates, money, load and wrong values are the client's to know: asked once, told as it was told."""
    stage.upstream.queue(refusal(variant))
    before = len(stage.upstream.chats)
    got = stage.send(sent := long_request())
    assert len(stage.upstream.chats) == before + 1
    assert stage.sent.body == encoded(sent)
    assert (got.status, json.loads(got.body)) == (variant["status"], variant["body"])
    for name, value in variant.get("headers", {}).items():
        assert got.header(name) == value


def test_output_cap_costs_no_message(stage: Stage) -> None:
    """Where only the output asked for is too large, the conversation stays whole."""
    variant = reported("dyn-19-throttle-is-not-overflow")["upstream_variants"][2]
    stage.upstream.queue(refusal(variant))
    stage.send(sent := long_request(max_tokens=999_999))
    assert stage.sent.messages == sent["messages"]


def chunks_of(answer: dict[str, Any]) -> list[str]:
    """Return the events of a scripted stream."""
    found: list[str] = answer["chunks"]
    return found


def test_refusal_as_first_event(stage: Stage) -> None:
    """A refusal after a comment in a 200 stream is never seen: the client gets the second stream alone."""
    found = reported("dyn-20-overflow-inside-200-stream")
    sent: Body = {**found["request"]["body"], "model": f"model-{next(_MODELS)}"}
    first, second = map(chunks_of, found["upstream"])
    stage.upstream.queue(sse(first), sse(second))
    got = stage.send(sent)
    assert (got.status, got.header("x-haversack-action")) == (200, "rescued")
    assert "error" not in got.body.decode()
    assert got.body.decode().endswith("".join(second))


OTHER = 'data: {"error":{"code":"content_policy","message":"not allowed"}}\n\n'
PIECE = 'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n'


@pytest.mark.parametrize("opening", [[], [": ping\n\n"], [PIECE], [": ping\n\n", PIECE]])
def test_other_first_events_pass(stage: Stage, opening: list[str]) -> None:
    """Another error passes byte for byte, and so does any error after the first piece of an answer."""
    late = chunks_of(reported("dyn-20-overflow-inside-200-stream")["upstream"][0])[1]
    events = [*opening, late if PIECE in opening else OTHER]
    stage.upstream.queue(sse(events))
    before = len(stage.upstream.chats)
    got = stage.send(long_request(stream=True))
    assert (got.status, got.body) == (200, "".join(events).encode())
    assert len(stage.upstream.chats) == before + 1


def test_server_that_cuts_in_silence(stage: Stage) -> None:
    """Where the window is known, nothing is left for a server to cut: what goes out fits it."""
    found = reported("dyn-21-silent-server-truncation")
    stage.upstream.queue(json_answer(found["upstream"][0]["body"]))
    sent = found["request"]["body"]
    forwarded = stage.rewritten(sent, window=found["config"]["windows"]["local"])
    assert stage.sent.tokens.prompt < 4096
    assert forwarded[-1] == sent["messages"][-1]


@pytest.mark.parametrize("limit", [4096, 8192])
def test_server_that_keeps_half(stage: Stage, limit: int) -> None:
    """A count that is half of a window, far below ours, is no answer to what was asked: less is sent."""
    cut = {"choices": [{"message": {"content": "hm"}}], "usage": {"prompt_tokens": limit // 2 + 2}}
    stage.upstream.queue(json_answer(cut))
    got = stage.send(long_request())
    assert (got.header("x-haversack-action"), got.text) == ("rescued", "All right.")
    assert stage.sent.tokens.prompt < limit


def counted(stage: Stage, metric: str) -> float:
    """Return the sum of a counter over its labels."""
    page = stage.gateway.get("/metrics")[1].decode()
    lines = [line for line in page.splitlines() if re.match(rf"haversack_{metric}[{{ ]", line)]
    return sum(float(line.rpartition(" ")[2]) for line in lines)


@pytest.mark.parametrize("compressed", [False, True])
def test_usage_is_that_of_the_answer(stage: Stage, compressed: bool) -> None:
    """The client reads what its own answer cost; that the upstream was asked twice is in the metrics."""
    assert reported("dyn-22-hidden-calls-not-accounted")["flow"][-1].endswith("900/50")
    usage = {"prompt_tokens": 900, "completion_tokens": 50}
    answer = {"choices": [{"message": {"content": "x"}}], "usage": usage}
    body = json.dumps(answer).encode()
    coding = (("content-encoding", "gzip"),) if compressed else ()
    stage.upstream.queue(
        refusal(WORDINGS[1]), json_answer(gzip.compress(body) if compressed else body, headers=coding)
    )
    names = ("attempts_total", "overflows_total", "upstream_tokens_total")
    before = [counted(stage, name) for name in names]
    got = stage.send(long_request())
    assert got.status == 200
    assert (gzip.decompress(got.body) if compressed else got.body) == body
    stage.upstream.wait(lambda: counted(stage, names[2]) > before[2])
    grown = [counted(stage, name) - was for name, was in zip(names, before, strict=True)]
    assert grown == [2, 1, 950]
