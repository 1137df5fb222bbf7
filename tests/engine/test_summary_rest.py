"""A model that is left alone stays so for as long as was said, and nobody fills the memory with names."""

from __future__ import annotations

import logging

import httpx
import pytest

from engine.summarising import GOOD, Scripted, bench, job, ruled
from gateway.engine.flights import RETRY_S
from gateway.engine.summary_rest import LONGEST_S, MAX_RESTS, MOST_FAILURES, PAUSE_S, Brake, Rests
from stores import Clock
from wired import failed

CHAT = "Sure! Shall I also commit the change? Let me know what you prefer."


def test_rest_ends_with_its_time() -> None:
    """It is on until then, and over from then on."""
    clock = Clock()
    rests = Rests(clock)
    rests.begin(("acme", "u", "m"), 10.0)

    clock.now += 9.5
    assert rests.is_on(("acme", "u", "m"))
    assert not rests.is_on(("acme", "u", "other"))
    clock.now += 0.5
    assert not rests.is_on(("acme", "u", "m"))


def test_rest_says_why() -> None:
    """Its reason is that of the rest that lasts; without one there is none."""
    rests = Rests(Clock())
    rests.begin(("m",), 60.0, "denied")
    rests.begin(("m",), 10.0)

    assert (rests.why(("m",)), rests.why(("n",))) == ("denied", "")


def test_longer_rest_counts() -> None:
    """A short one does not cut a long one short, and none lasts for days."""
    clock = Clock()
    rests = Rests(clock)
    rests.begin(("m",), 1e9)
    rests.begin(("m",), 1.0)

    clock.now += LONGEST_S - 1
    assert rests.is_on(("m",))
    clock.now += 1
    assert not rests.is_on(("m",))


def test_oldest_is_forgotten() -> None:
    """Clients choose the names of models; only so many are remembered."""
    rests = Rests(Clock())
    for number in range(MAX_RESTS + 1):
        rests.begin((str(number),), 60.0)

    assert not rests.is_on(("0",))
    assert rests.is_on((str(MAX_RESTS),))


def test_brake_is_put_on_after_failures_in_a_row() -> None:
    """One that can be used in between begins the count anew; each model is counted by itself."""
    brake = Brake(Clock())
    fails = [brake.failed(("m",)) for _ in range(MOST_FAILURES - 1)]
    brake.passed(("m",))
    fails += [brake.failed(("m",)) for _ in range(MOST_FAILURES - 1)]
    assert not any((*fails, brake.why(("m",)), brake.failed(("n",))))

    assert brake.failed(("m",))
    assert (brake.why(("m",)), brake.why(("n",))) == ("gate", "")


def test_brake_lets_one_through_after_its_time() -> None:
    """A model that fails once more is left alone again at once, for as long as a text that failed."""
    clock = Clock()
    brake = Brake(clock)
    for _ in range(MOST_FAILURES):
        brake.failed(("m",))
    assert not brake.failed(("m",)), "begun before, it is paused already"

    clock.now += PAUSE_S
    assert not brake.why(("m",))
    assert brake.failed(("m",))
    assert PAUSE_S == RETRY_S


def test_model_whose_answers_cannot_be_used_is_paused(caplog: pytest.LogCaptureFixture) -> None:
    """What fails the gate again and again is paid for each time: so it is left alone after four jobs.

    Who reads the log is told once what to do; another model, or another's key, is not held up.
    """
    model = Scripted(CHAT)
    with bench() as made:
        for _ in range(6):
            assert made.write(job(model)) is None
        assert made.summarizer.is_resting(job(model))
        assert made.ended == ("skipped", "gate")
        assert len(model.calls) == 4 * 2
        assert not made.summarizer.is_resting(job(model, scope="other"))
        assert not made.summarizer.is_resting(job(model, ruled(fallback_models=("large",))))

        made.clock.now += PAUSE_S
        made.write(job(model))
        assert len(model.calls) == 5 * 2
        assert made.summarizer.is_resting(job(model))

    (line,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    told = vars(line)
    assert (line.message, told["model"], told["reason"]) == ("summaries paused", "m", "answers")
    assert "fallback_models" in told["hint"]


@pytest.mark.parametrize(
    ("answer", "reason", "seconds", "way_out"),
    [
        (failed(401, "no"), "denied", 600, "the key"),
        (failed(404, "no such model"), "denied", 600, "model's name"),
        (failed(400, "no such parameter"), "refused", 600, "another model"),
        (httpx.Response(429, headers={"retry-after": "90"}), "busy", 90, "by themselves"),
        (httpx.Response(429, headers={"retry-after": "90000"}), "busy", LONGEST_S, "limits"),
        (httpx.Response(503, headers={"retry-after": "90"}), "busy", 90, "by themselves"),
        (httpx.Response(529, headers={"retry-after": "90"}), "busy", 90, "by themselves"),
        (failed(529, "overloaded"), "unreachable", 60, "overloaded"),
    ],
)
def test_pause_says_for_how_long_and_what_to_do(
    answer: httpx.Response, reason: str, seconds: float, way_out: str, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning, the next time an event: with whose it is, what was answered, and the way out."""
    model = Scripted(answer)
    with bench() as made, caplog.at_level(logging.INFO):
        for wait_s in (0.0, LONGEST_S, 0.0):
            made.write(job(model))
            made.clock.now += wait_s

    lines = [vars(record) for record in caplog.records if record.message == "summaries paused"]
    who = {"tenant": "acme", "policy": "summarising", "model": "m", "upstream": "openai"}
    told = {**who, "reason": reason, "status": answer.status_code, "seconds": seconds}
    assert lines[0].items() >= told.items()
    assert way_out in lines[0]["hint"]
    assert [line["levelname"] for line in lines] == ["WARNING", "INFO"]


def test_client_that_was_told_to_slow_down_pauses_summaries(caplog: pytest.LogCaptureFixture) -> None:
    """It is told where a policy asks a model; nobody wonders about it elsewhere."""
    with bench() as made:
        for about in ({}, {"tenant": "acme", "upstream": "openai"}, {"tenant": "acme"}):
            made.summarizer.rest("acme", f"u{bool(about)}", "", 30.0, about)

    (line,) = caplog.records
    assert (line.message, vars(line)["tenant"], vars(line)["seconds"]) == ("summaries paused", "acme", 30.0)


def test_model_that_does_it_after_all_goes_on() -> None:
    """After the pause one good answer is enough."""
    bad = [CHAT] * 8
    model = Scripted(*bad, GOOD, CHAT)
    with bench() as made:
        for _ in range(4):
            made.write(job(model))
        made.clock.now += PAUSE_S
        assert made.write(job(model)) == GOOD
        made.write(job(model))
        assert not made.summarizer.is_resting(job(model))
