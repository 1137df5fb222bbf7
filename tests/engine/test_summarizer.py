"""Whatever the model does, there is a summary that passes the gate, or none; in bounded calls."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from engine.summarising import (
    GOOD,
    POLICY,
    TALK,
    Reply,
    Scripted,
    Step,
    bench,
    chatted,
    job,
    ruled,
)
from gateway.core.failures import Overflow
from gateway.engine.summary_record import Record
from gateway.engine.summary_rest import EVERY
from gateway.wire import WIRE_FORMATS
from wired import failed

ERROR = "Error: 429 Too Many Requests. Please try again later."
CHAT = "Sure! I will now run the tests. Shall I also commit the change? Let me know what you prefer."
HEADINGS = [line for line in GOOD.splitlines() if line.startswith("#")]
HUGE = (
    GOOD
    + "\n"
    + "\n".join("- The build printed one more line about the price, and then some." for _ in range(120))
)

# What the model answers, first and again; then what comes of it, why, and after how many calls.
BEHAVIOURS: dict[str, tuple[list[Step], str, str, int]] = {
    "good": ([GOOD], "written", "", 1),
    "good with thoughts": (
        [f"<think>hm</think>Sure:\n\n{GOOD}"],
        "written",
        "",
        1,
    ),
    "empty, then good": ([Reply(""), GOOD], "written", "repaired", 2),
    "always empty": ([Reply("")], "failed", "empty", 2),
    "truncated": ([Reply(GOOD[:200], "length")], "failed", "truncated", 2),
    "truncated, then shorter": ([Reply(GOOD[:200], "length"), GOOD], "written", "repaired", 2),
    "a tool call": ([Reply("", "tool_calls", has_calls=True)], "failed", "tool_call", 2),
    "error text in a 200": ([ERROR], "failed", "error_text", 2),
    "answers the conversation": ([CHAT], "failed", "answers", 2),
    "invents an identifier": (
        [GOOD + "\n- See src/discount.py and ORDER-7777."],
        "failed",
        "invented_identifiers",
        2,
    ),
    "drops what was decided": ([("\n- none\n").join(HEADINGS) + "\n- none"], "failed", "empty", 2),
    "larger than its source": ([HUGE], "failed", "not_smaller", 2),
    "broken, then good": ([failed(500, "oops"), GOOD], "written", "", 2),
    "always broken": ([failed(503, "overloaded")], "failed", "unreachable", 3),
    "away": ([httpx.ConnectError("no")], "failed", "unreachable", 3),
    "without money": ([failed(402, "insufficient balance")], "failed", "denied", 1),
    "without a key": ([failed(401, "invalid api key")], "failed", "denied", 1),
    "busy": ([failed(429, "rate limit")], "failed", "busy", 1),
    "an error object in a 200": (
        [httpx.Response(200, json={"error": {"message": "internal error"}})],
        "failed",
        "unreachable",
        3,
    ),
    "a page": ([httpx.Response(200, content=b"<html>Sign in</html>")], "failed", "empty", 2),
}


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_summary_passes_the_gate_or_there_is_none(behaviour: str, wire: str) -> None:
    """A weak, broken or talkative summariser never gets its text into a conversation."""
    steps, outcome, reason, calls = BEHAVIOURS[behaviour]
    model = Scripted(*steps)
    with bench() as made:
        text = made.write(job(model, wire=wire))

    assert made.ended == (outcome, reason)
    assert len(model.calls) == calls
    assert text == (GOOD if outcome == "written" else None)


def test_next_model_is_asked_when_one_fails() -> None:
    """The chain of the policy is gone through in its order, each model once."""
    model = Scripted(failed(404, "no such model"), Reply(""), Reply(""), GOOD)
    with bench() as made:
        policy = ruled(model="small", fallback_models=("middle", "same", "small", "large"))
        assert made.write(job(model, policy)) == GOOD

    assert model.models == ["small", "middle", "middle", "m"]
    assert made.ended == ("written", "fallback")


def test_client_that_was_told_to_slow_down_is_heard() -> None:
    """The client's own 429 counts as well."""
    model = Scripted(GOOD)
    with bench() as made:
        work = job(model)
        made.summarizer.rest("acme", work.upstream.base_url, EVERY, 30.0)
        assert made.write(work) is None

    assert model.calls == []


def test_slow_model_is_not_waited_for_longer_than_the_policy_says() -> None:
    """The time is that of the whole job; the call that hangs is ended."""
    model = Scripted(None)
    with bench() as made:
        assert made.write(job(model, ruled(timeout_s=0))) is None

    assert made.ended == ("failed", "timeout")
    assert model.cancelled == len(model.calls) == made.records[-1].calls["cancelled"]


def test_model_that_hangs_leaves_time_for_the_next() -> None:
    """Each has an even share of what is left, so a fallback is one also where the first never answers."""
    model = Scripted(None, GOOD)
    with bench() as made:
        policy = ruled(timeout_s=1, fallback_models=("other",))
        assert made.write(job(model, policy)) == GOOD

    assert model.models == ["m", "other"]
    assert model.cancelled == 1
    assert made.ended == ("written", "fallback")


def test_all_models_that_hang_end_with_the_time_of_the_job() -> None:
    """Shares add up to no more than the whole; a model that rests takes none."""
    model = Scripted(None)
    with bench() as made:
        work = job(model, ruled(timeout_s=0.2, fallback_models=("resting", "other")))
        made.summarizer.rest("acme", work.upstream.base_url, "resting", 30.0)
        assert made.write(work) is None

    assert model.models == ["m", "other"]
    assert model.cancelled == 2
    assert made.ended == ("failed", "timeout")


def test_cancelled_job_is_no_failure_and_costs_no_second_call() -> None:
    """When the lineage moves on, the call under way ends, and nothing is asked again."""

    async def run() -> tuple[Scripted, Record]:
        model = Scripted(None)
        with bench() as made:
            async with asyncio.TaskGroup() as group:
                work = job(model, ruled(fallback_models=("other",)))
                task = group.create_task(made.summarizer.write(work))
                await model.reached.wait()
                task.cancel()
            return model, made.records[-1]

    model, record = asyncio.run(run())
    assert (record.outcome, record.reason, record.calls) == ("cancelled", "", {"cancelled": 1})
    assert (len(model.calls), model.cancelled) == (1, 1)


def test_cancelled_job_says_what_went_wrong_before() -> None:
    """Of a model that never does what is asked, a log of nothing but cancelled jobs tells why."""

    async def run() -> Record:
        waiting = asyncio.Event()
        model = Scripted(CHAT, lambda call: waiting.set())
        with bench() as made:
            async with asyncio.TaskGroup() as group:
                task = group.create_task(made.summarizer.write(job(model)))
                await waiting.wait()
                task.cancel()
            return made.records[-1]

    record = asyncio.run(run())
    assert (record.outcome, record.reason) == ("cancelled", "answers")
    assert record.calls == {"ok": 1, "cancelled": 1}


def test_mistake_of_ours_is_no_summary(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever breaks on our side, nobody else is hurt, and the log names the place without content."""

    def count(_: str) -> int:
        raise ZeroDivisionError("secret of the client")

    with bench() as made:
        assert made.write(job(Scripted(GOOD), previous="x", count=count)) is None

    assert made.ended == ("failed", "error")
    assert "secret of the client" not in caplog.text


def test_record_has_no_content() -> None:
    """What the log is told of a job has its numbers, and nothing of what was said."""
    with bench() as made:
        made.write(job(Scripted(Reply(GOOD, spent=(900, 100)))))

    told = made.records[-1].told
    assert [told[name] for name in ("form", "model", "outcome", "calls")] == ["summary", "m", "written", 1]
    assert (told["input_tokens"], told["output_tokens"]) == (900, 100)
    assert "price.py" not in str(told)
    assert "sk-of-the-client" not in str(told) + repr(job(Scripted(GOOD)))


def test_another_upstream_gets_nothing_of_the_client_s_but_the_text() -> None:
    """A policy's own summariser is asked with its own key, in its own dialect, by its own model."""
    client, other = Scripted(GOOD), Scripted(GOOD)
    policy = ruled(
        upstream="http://small/v1", format="anthropic_messages", key_variable="SMALL_KEY", model="tiny"
    )
    with bench(SMALL_KEY="sk-small") as made:
        made.others["http://small/v1"] = other
        assert made.write(job(client, policy)) == GOOD

    (call,) = other.calls
    assert client.calls == []
    assert call.seen.target == b"/v1/messages"
    assert call.seen.header(b"x-api-key") == b"sk-small"
    assert call.seen.header(b"authorization") is None
    assert call.seen.header(b"openai-organization") is None
    assert call.body["model"] == "tiny"


def test_key_that_is_not_there_asks_nobody() -> None:
    """The client's key does not take the place of the policy's."""
    model = Scripted(GOOD)
    with bench() as made:
        assert made.write(job(model, ruled(key_variable="SMALL_KEY"))) is None

        # Who is never asked is not resting: the record has to say why.
        assert not made.summarizer.is_resting(job(model, ruled(key_variable="SMALL_KEY")))

    assert made.ended == ("failed", "no_key")
    assert model.calls == []


def test_signed_request_asks_nobody() -> None:
    """A client that signs its bodies is told apart from a key that is missing."""
    model = Scripted(GOOD)
    with bench() as made:
        signed = [(b"authorization", b"AWS4-HMAC-SHA256 Credential=x")]
        assert made.write(job(model, headers=signed)) is None

    assert made.ended == ("failed", "signed")


def test_secret_is_taken_out_of_what_is_kept() -> None:
    """A key in the conversation does not get into the summary, unless the policy wants it so."""
    secret = "sk-proj-0123456789abcdefghij0123"
    talk = [*TALK, chatted("user", f"Use the key {secret}.")]
    leaking = GOOD + f"\n- The key is {secret}."
    for redact, is_kept in ((True, False), (False, True)):
        with bench() as made:
            text = made.write(job(Scripted(leaking), ruled(redact=redact), talk))
        assert text is not None
        assert (secret in text) is is_kept


def test_window_of_the_policy_is_not_that_of_another_model() -> None:
    """A smaller summariser gets parts for the window it is known to have."""
    model = Scripted(GOOD)
    talk = [message for _ in range(16) for message in TALK]
    with bench() as made:
        made.windows.listed(job(model).upstream.base_url, {"small": 8000})
        made.write(job(model, ruled(model="small"), talk))

    assert all(call.tokens < 8000 for call in model.calls)
    assert POLICY.window == 20_000


@pytest.mark.parametrize("failure", [Overflow(limit=4000), Overflow()])
def test_window_that_refusals_taught_bounds_that_of_the_policy(failure: Overflow) -> None:
    """A call for a summary is no larger than what the upstream took, whether it named the number or not."""
    model = Scripted(GOOD)
    talk = [message for _ in range(16) for message in TALK]
    with bench() as made:
        url, name = job(model).upstream.base_url, job(model).model
        made.windows.overflowed(url, name, failure, 4200, scope=job(model).scope)
        made.write(job(model, messages=talk))

    assert all(call.tokens < 4000 for call in model.calls)


def test_nothing_to_summarise_asks_nobody() -> None:
    """Without messages the earlier summary stands."""
    model = Scripted(GOOD)
    with bench() as made:
        assert made.write(job(model, messages=(), previous=GOOD)) == GOOD
        assert made.write(job(model, messages=())) is None

    assert model.calls == []
    assert made.ended == ("nothing", "")
