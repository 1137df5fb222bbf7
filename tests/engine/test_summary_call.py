"""A call goes out plain, is repeated only where that may help, and not at all to a model left alone."""

from __future__ import annotations

import gzip
import json

import httpx
import pytest

from engine.summarising import (
    GOOD,
    KEY,
    TALK,
    Scripted,
    bench,
    job,
    ruled,
)
from gateway.policy.schema import Policy
from wired import failed, refusal

THOUGHT = {"finish_reason": "length", "message": {}}
SPENT = {"prompt_tokens": 9000, "completion_tokens": 0, "total_tokens": 10_000}
DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


def test_call_is_plain_and_goes_the_client_s_own_way() -> None:
    """It takes the client's path and key along, and nothing that belongs to the client's request."""
    model = Scripted(GOOD)
    with bench() as made:
        made.write(job(model))

    (call,) = model.calls
    assert set(call.body) == {"model", "messages", "max_tokens", "stream"}
    assert (call.seen.method, call.seen.target) == ("POST", b"/v1/chat/completions")
    names = [name.lower() for name, _ in call.seen.headers]
    assert call.seen.header(b"authorization") == KEY
    assert call.seen.header(b"accept-encoding") == b"identity"
    assert not {b"idempotency-key", b"if-none-match", b"content-encoding", b"x-stainless-retry-count"} & set(
        names
    )


def test_busy_model_is_left_alone_for_as_long_as_it_says() -> None:
    """After a 429 no call is made within the time that the upstream names; then one is."""
    busy = httpx.Response(429, headers={"retry-after": "90"}, json={"error": {"message": "slow down"}})
    model = Scripted(busy, GOOD)
    with bench() as made:
        work = job(model)
        assert made.write(work) is None
        assert made.summarizer.is_resting(work)
        made.clock.now += 89
        assert made.write(work) is None
        assert made.ended == ("skipped", "busy")
        assert len(model.calls) == 1

        made.clock.now += 2
        assert not made.summarizer.is_resting(work)
        assert made.write(work) == GOOD


def test_busy_model_ends_the_calls_that_wait_their_turn() -> None:
    """Of parts that have not been asked for yet, none is after a 429."""
    talk = [message for _ in range(8) for message in TALK]
    model = Scripted(failed(429, "slow down"))
    with bench() as made:
        made.write(job(model, ruled(min_parts=4, concurrency=1), talk))

    assert len(model.calls) == 1


def test_other_tenant_is_not_held_up() -> None:
    """One tenant's limit is not another's."""
    model = Scripted(failed(429, "slow down"), GOOD)
    with bench() as made:
        made.write(job(model))
        assert made.write(job(model, tenant="other", scope="other")) == GOOD


def test_other_key_is_not_held_up() -> None:
    """Where there are no tenants each key has its own limit: one that is spent stops nobody else."""
    model = Scripted(failed(429, "slow down"), GOOD)
    with bench() as made:
        made.write(job(model, tenant="open", scope="key-1"))
        assert made.summarizer.is_resting(job(model, tenant="open", scope="key-1"))
        made.summarizer.skip(job(model, tenant="open", scope="key-1"))
        assert made.ended == ("skipped", "busy")

        assert not made.summarizer.is_resting(job(model, tenant="open", scope="key-2"))
        assert made.write(job(model, tenant="open", scope="key-2")) == GOOD


@pytest.mark.parametrize("status", [401, 403, 429])
def test_key_of_a_policy_is_left_alone_for_all_clients(status: int) -> None:
    """It is one key: what it may not do for one tenant it may for none, and nobody finds that out again."""
    model, policy = Scripted(failed(status, "no")), ruled(key_variable="SMALL_KEY")
    with bench(SMALL_KEY="k", LARGE_KEY="l") as made:
        for name in ("a", "b", "c"):
            made.write(job(model, policy, tenant=name, scope=name))
        assert len(model.calls) == 1
        assert made.ended[0] == "skipped"
        assert made.summarizer.is_resting(job(model, policy, scope="d"))
        assert not made.summarizer.is_resting(job(model, scope="d"))
        assert not made.summarizer.is_resting(job(model, ruled(key_variable="LARGE_KEY"), scope="d"))


@pytest.mark.parametrize(
    "refusal",
    [
        failed(451, "not this text"),
        failed(400, "no", "content_filter"),
        failed(403, "Your input was flagged for violence."),
    ],
)
def test_refusal_for_what_one_conversation_says_holds_up_no_other(refusal: httpx.Response) -> None:
    """Of the same client too, other texts are asked for all the same; this one in no other form."""
    model = Scripted(refusal, GOOD, refusal, GOOD)
    with bench(SMALL_KEY="k") as made:
        for policy in (ruled(), ruled(key_variable="SMALL_KEY")):
            assert made.write(job(model, policy)) is None
            assert made.ended == ("failed", "content")
            assert made.write(job(model, policy)) == GOOD

    assert len(model.calls) == 4


def test_waiting_grows_between_repetitions() -> None:
    """A server in trouble is not hammered."""
    model = Scripted(failed(503, "overloaded"))
    with bench() as made:
        made.write(job(model, ruled(retries=3)))

    assert made.waits == [1.0, 2.0, 4.0]


def test_overloaded_server_is_asked_again_and_then_left_alone() -> None:
    """A 529 may pass in a moment; if it does not, no other job asks for a minute. 503 may mean anything."""
    for status, calls in ((529, 3), (503, 6)):
        model = Scripted(failed(status, "overloaded"))
        with bench() as made:
            for _ in range(2):
                assert made.write(job(model, ruled(retries=2))) is None
        assert len(model.calls) == calls


def test_form_that_is_refused_is_asked_otherwise_and_remembered() -> None:
    """A model that knows only the newer name of the bound is asked by that name from then on."""
    refused = failed(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    model = Scripted(lambda call: refused if "max_tokens" in call.body else GOOD)
    with bench() as made:
        for _ in range(2):
            assert made.write(job(model)) == GOOD

    assert ["max_tokens" in call.body for call in model.calls] == [True, False, False]


def test_model_that_takes_no_form_is_left_alone() -> None:
    """Each form is tried once, and not again with the next job."""
    model = Scripted(failed(400, "invalid request"))
    with bench() as made:
        for _ in range(2):
            assert made.write(job(model)) is None

    ended = [(record.outcome, record.reason) for record in made.records]
    assert ended == [("failed", "refused"), ("skipped", "refused")]
    assert len(model.calls) == 3


@pytest.mark.parametrize(
    ("headers", "rest_s"),
    [
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "7"}, 7),
        ({"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:29:30 GMT"}, 90),
        ({"retry-after": "Wed, 21 Oct 2026 07:29:30 GMT"}, 60),
        ({"retry-after": "inf"}, 60),
        ({}, 60),
    ],
)
def test_rest_is_as_long_as_the_upstream_says(headers: dict[str, str], rest_s: float) -> None:
    """In seconds, thousandths of them, or up to a date; where it says nothing that can be used, a minute."""
    model = Scripted(httpx.Response(429, headers=headers, json={"error": {"message": "slow down"}}))
    with bench() as made:
        work = job(model)
        made.write(work)
        made.clock.now += rest_s - 0.5
        assert made.summarizer.is_resting(work)
        made.clock.now += 0.5
        assert not made.summarizer.is_resting(work)


def test_answer_that_comes_compressed_all_the_same_is_read() -> None:
    """Some proxies compress whatever they are asked for."""
    body = {"choices": [{"message": {"content": GOOD}, "finish_reason": "stop"}]}
    packed = gzip.compress(json.dumps(body).encode())
    with bench() as made:
        answer = httpx.Response(200, content=packed, headers={"content-encoding": "gzip"})
        answer.stream = httpx.ByteStream(packed)
        assert made.write(job(Scripted(answer))) == GOOD


def test_backend_that_answers_in_events_only_is_understood() -> None:
    """Codex's backend takes no bound, wants a stream, and says at its end what was spent."""
    done = {"status": "completed", "output": [], "usage": {"input_tokens": 900, "output_tokens": 90}}
    events = [
        {"type": "response.output_text.done", "text": GOOD},
        {"type": "response.completed", "response": done},
    ]
    stream = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    refused = failed(400, "Stream must be set to true")
    model = Scripted(lambda call: httpx.Response(200, content=stream) if call.body["stream"] else refused)
    with bench() as made:
        assert made.write(job(model, wire="openai_responses")) == GOOD

    assert made.records[0].usages[0][1].input_tokens == 900
    assert len(model.calls) == 2


def test_stream_that_ends_in_an_overflow_is_one() -> None:
    """An error inside a 200 counts as what it says."""
    error = {"error": {"code": "context_length_exceeded", "message": "too long"}}
    event = {"type": "response.failed", "response": {"status": "failed", **error}}
    model = Scripted(httpx.Response(200, content=b"data: " + json.dumps(event).encode() + b"\n\n"))
    with bench() as made:
        assert made.write(job(model, wire="openai_responses")) is None

    assert made.ended == ("failed", "overflow")


@pytest.mark.parametrize(
    "refusal",
    [
        failed(413, "Request Entity Too Large. The limit is 6000 bytes."),
        httpx.Response(413),
        failed(
            400,
            "Invalid 'messages[1].content': string too long. Expected a string with maximum length 5000, but "
            "got a string with length 9000 instead.",
            "string_above_max_length",
        ),
    ],
)
def test_limit_of_bytes_makes_parts_smaller(refusal: httpx.Response) -> None:
    """Somebody on the way takes no large body: smaller ones get through."""
    model = Scripted(lambda call: refusal if len(call.seen.body) > 6000 else GOOD)
    with bench() as made:
        assert made.write(job(model, messages=TALK * 2)) == GOOD


def test_answer_that_is_bounded_too_high_is_asked_for_with_less() -> None:
    """A model with a small output says so, and its input stays as it was."""
    text = "max_tokens is too large: 4000. This model supports at most 1024 completion tokens."
    model = Scripted(lambda call: failed(400, text) if call.body["max_tokens"] > 1024 else GOOD)
    with bench() as made:
        assert made.write(job(model)) == GOOD

    assert [call.body["max_tokens"] for call in model.calls] == [4000, 1024]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (refusal(9000, 8000), 8000),
        (failed(400, "This model's maximum context length is 2048 tokens; got 2600 tokens."), None),
        (failed(400, "too long", "context_length_exceeded"), None),
        (httpx.Response(200, json={"choices": [THOUGHT], "usage": SPENT}), None),
    ],
)
def test_call_teaches_a_window_only_by_a_number_with_an_identifier(
    reply: httpx.Response, expected: int | None
) -> None:
    """Seen: thinking took all of an answer, and the model's window was lost to everybody, by the own call.

    What is summarised is a client's words, and a refusal may quote them.
    """
    talk = [message for _ in range(60) for message in TALK]
    model = Scripted(*[reply] * 9, GOOD)
    with bench() as made:
        work = job(model, messages=talk)
        made.write(work)
        found = made.windows.window(Policy(name="p"), work.upstream.base_url, work.model, work.scope)

    assert max(call.tokens for call in model.calls) > 6000
    assert found.tokens == expected
