"""What is told about a request when it is over: to Prometheus in numbers, to the log in one line."""

from __future__ import annotations

import logging

import pytest

from gateway.core.conversation import Conversation
from gateway.engine.pipeline import Report
from gateway.engine.subject import Action, Plan
from gateway.metrics import Metrics
from gateway.web.outcome import Outcome, Recorder
from stores import Clock
from wired import value


class Record:
    """A recorder, its clock and its metrics."""

    def __init__(self) -> None:
        self.clock, self.metrics = Clock(), Metrics()
        self.recorder = Recorder(self.metrics, self.clock)

    def begin(self) -> Outcome:
        """Return the outcome of a request whose caller is known."""
        outcome = self.recorder.begin()
        outcome.tenant, outcome.policy, outcome.endpoint = "acme", "default", "openai_chat"
        return outcome

    def value(self, name: str, **labels: str) -> float:
        """Return a metric's value."""
        return value(self.metrics, name, **labels)


PLAN = Plan(
    b"{}",
    Action.COMPACTED,
    tokens_before=1000,
    tokens=400,
    tokens_frozen=700,
    messages=3,
    reports=(Report("digest", "changed", 700, 400), Report("offload", "unchanged", 700, 700)),
    view=Conversation(()),
)
WHO = {"tenant": "acme", "policy": "default"}


def test_request_is_counted_once_with_its_status() -> None:
    """What the client got, and what was done, are labels of one count."""
    record = Record()
    outcome = record.begin()
    assert record.value("in_flight") == 1
    outcome.status, outcome.action = 200, "rescued"
    record.recorder.end(outcome)

    labels = {**WHO, "endpoint": "openai_chat", "action": "rescued", "status": "200"}
    assert record.value("requests", **labels) == 1
    assert record.value("in_flight") == 0


def test_client_that_left_has_a_status_of_its_own() -> None:
    """A request that nobody waited for is 499, as in nginx's logs."""
    record = Record()
    record.recorder.end(record.begin())

    labels = {**WHO, "endpoint": "openai_chat", "action": "none", "status": "499"}
    assert record.value("requests", **labels) == 1


def test_time_of_the_upstream_is_not_ours() -> None:
    """What the gateway adds is what remains of the time when the upstream's is taken off."""
    record = Record()
    outcome = record.begin()
    outcome.upstream, outcome.upstream_s = "openai", 3.0
    record.clock.now += 3.25
    outcome.released = record.clock.now
    record.clock.now += 10
    record.recorder.end(outcome)

    assert record.value("added_latency_seconds_sum", **WHO, action="none") == 0.25
    assert record.value("upstream_latency_seconds_sum", upstream="openai") == 13


def test_request_that_went_nowhere_has_no_latency() -> None:
    """A refused key says nothing about an upstream."""
    record = Record()
    record.recorder.end(record.begin())

    assert record.value("added_latency_seconds_count", **WHO, action="none") == 0


def test_saved_tokens_are_counted_apart() -> None:
    """What is removed now is unique, what was removed before is repeated; all in the upstream's tokens."""
    record = Record()
    outcome = record.begin()
    outcome.plan, outcome.correction = PLAN, 2.0
    record.recorder.end(outcome)

    assert record.value("tokens", **WHO, side="before") == 2000
    assert record.value("tokens", **WHO, side="after") == 800
    assert record.value("tokens_saved", **WHO, kind="unique") == 600
    assert record.value("tokens_saved", **WHO, kind="repeated") == 600
    assert record.value("compactions", **WHO, step="digest", outcome="changed") == 1
    assert record.value("compactions", **WHO, step="offload", outcome="unchanged") == 1


def test_nothing_is_saved_where_nothing_was_rewritten() -> None:
    """A request that went out as it came saved no token."""
    record = Record()
    outcome = record.begin()
    outcome.plan = Plan(b"{}", Action.NONE, 1000, 1000, 1000, 3)
    record.recorder.end(outcome)

    assert record.value("tokens", **WHO, side="after") == 1000
    assert record.value("tokens_saved", **WHO, kind="unique") == 0


def test_log_line_has_the_numbers(caplog: pytest.LogCaptureFixture) -> None:
    """One line says who, what and how large; in the upstream's tokens, without any content."""
    caplog.set_level(logging.INFO)
    record = Record()
    outcome = record.begin()
    outcome.plan, outcome.correction, outcome.action, outcome.status = PLAN, 2.0, "compacted", 200
    outcome.failure, outcome.session = "answer_cut", "abc"
    record.clock.now += 1.5
    record.recorder.end(outcome)

    [line] = caplog.records
    said = vars(line)
    assert (line.levelno, line.getMessage()) == (logging.INFO, "request")
    assert (said["tokens_before"], said["tokens_after"], said["steps"]) == (2000, 800, "digest")
    assert (said["duration_s"], said["failure"], said["session"]) == (1.5, "answer_cut", "abc")


@pytest.mark.parametrize(
    ("status", "action", "level"),
    [
        (200, "none", logging.DEBUG),
        (200, "frozen", logging.DEBUG),
        (200, "compacted", logging.INFO),
        (200, "bypass", logging.INFO),
        (400, "none", logging.INFO),
        (499, "none", logging.INFO),
    ],
)
def test_routine_is_for_debugging(
    status: int, action: str, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    """The log of a quiet day is short: what was neither changed nor refused is not in it."""
    caplog.set_level(logging.DEBUG)
    record = Record()
    outcome = record.begin()
    outcome.status, outcome.action = status, action
    record.recorder.end(outcome)

    assert [line.levelno for line in caplog.records] == [level]


def test_routine_costs_no_line_on_a_usual_day(caplog: pytest.LogCaptureFixture) -> None:
    """At the default level nothing is written for it."""
    caplog.set_level(logging.INFO)
    record = Record()
    outcome = record.begin()
    outcome.status = 200
    record.recorder.end(outcome)

    assert caplog.records == []
