"""A call goes out plain, is repeated only where that may help, and not at all to a model left alone."""

from __future__ import annotations

import httpx

from engine.summarising import (
    GOOD,
    KEY,
    TALK,
    Scripted,
    bench,
    job,
    ruled,
)
from wired import failed


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
        assert made.ended == ("failed", "resting")
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
        assert made.write(job(model, tenant="other")) == GOOD


def test_waiting_grows_between_repetitions() -> None:
    """A server in trouble is not hammered."""
    model = Scripted(failed(503, "overloaded"))
    with bench() as made:
        made.write(job(model, ruled(retries=3)))

    assert made.waits == [1.0, 2.0, 4.0]


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

    assert [record.reason for record in made.records] == ["refused", "resting"]
    assert len(model.calls) == 3
