"""What is told about a request when it is over: to Prometheus in numbers, to the log in one line."""

from __future__ import annotations

import logging

import pytest

from gateway.core.conversation import Conversation
from gateway.engine.economics import Account
from gateway.engine.pipeline import Report
from gateway.engine.subject import Action, Plan
from gateway.metrics import Metrics
from gateway.web.outcome import LINES, Outcome, Recorder
from gateway.wire.base import Usage
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


def test_plan_is_counted() -> None:
    """Tokens before and after are counted as the upstream does, and what each step did."""
    record = Record()
    outcome = record.begin()
    outcome.plan, outcome.correction = PLAN, 2.0
    record.recorder.end(outcome)

    assert record.value("tokens", **WHO, side="before") == 2000
    assert record.value("tokens", **WHO, side="after") == 800
    assert record.value("tokens_saved", **WHO, kind="unique") == 0
    assert record.value("compactions", **WHO, step="digest", outcome="changed") == 1
    assert record.value("compactions", **WHO, step="offload", outcome="unchanged") == 1


ACCOUNT = Account(
    PLAN,
    usages=(Usage(100, 3), Usage(800, 20, 500, 40)),
    unique=600,
    repeated=500,
    read=500,
    written=40,
    lost=130,
    overhead=103,
    billed_usd=0.5,
    saved_usd=0.25,
    lost_usd=0.75,
)


def test_account_is_counted_apart() -> None:
    """What was saved once and again, what the cache gave and lost, money saved and paid: numbers apart."""
    record = Record()
    outcome = record.begin()
    outcome.upstream, outcome.account = "openai", ACCOUNT
    record.recorder.end(outcome)

    for kind, tokens in {"unique": 600, "repeated": 500}.items():
        assert record.value("tokens_saved", **WHO, kind=kind) == tokens
    for kind, tokens in {"read": 500, "written": 40, "lost": 130}.items():
        assert record.value("cache_tokens", **WHO, kind=kind) == tokens
    for kind, tokens in {"input": 900, "output": 23, "cached": 500}.items():
        assert record.value("upstream_tokens", upstream="openai", kind=kind) == tokens
    money = [record.value(name, **WHO) for name in ("billed_usd", "saved_usd", "lost_usd")]
    assert (money, record.value("overhead_tokens", **WHO)) == ([0.5, 0.25, 0.75], 103)


def test_what_is_unknown_is_counted_as_such() -> None:
    """An upstream that says nothing of its cache is not taken for one that has none."""
    record = Record()
    outcome = record.begin()
    outcome.account = Account(unknown="cache")
    record.recorder.end(outcome)

    assert record.value("unaccounted", **WHO, reason="cache") == 1
    assert b"haversack_cache_tokens_total{" not in record.metrics.render()


def test_plan_of_the_account_counts() -> None:
    """Where a request was rescued after the head of its answer was out, what was accepted counts."""
    record = Record()
    outcome = record.begin()
    outcome.plan = Plan(b"{}", Action.NONE, 1000, 1000, 1000, 3)
    outcome.account = Account(PLAN)
    record.recorder.end(outcome)

    assert record.value("tokens", **WHO, side="after") == 400


def test_answer_that_broke_off_is_told_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    """Its status was 200 by then, and nothing was compacted: it would look as if all were well."""
    caplog.set_level(logging.INFO)
    record = Record()
    for failure in ("", "answer_cut"):
        outcome = record.begin()
        outcome.upstream, outcome.failure = "openai", failure
        outcome.release(200, record.clock.now, 0.0)
        record.recorder.end(outcome)

    assert [vars(line)["failure"] for line in caplog.records] == ["answer_cut"]
    assert record.value("cut_answers", upstream="openai") == 1


def test_log_line_has_the_numbers(caplog: pytest.LogCaptureFixture) -> None:
    """One line says who, what and how large; in the upstream's tokens, without any content."""
    caplog.set_level(logging.INFO)
    record = Record()
    outcome = record.begin()
    outcome.plan, outcome.correction, outcome.action, outcome.status = PLAN, 2.0, "compacted", 200
    outcome.failure, outcome.session, outcome.account = "answer_cut", "abc", ACCOUNT
    record.clock.now += 1.5
    record.recorder.end(outcome)

    [line] = caplog.records
    said = vars(line)
    assert (line.levelno, line.getMessage()) == (logging.INFO, "request")
    assert (said["tokens_before"], said["tokens_after"], said["steps"]) == (2000, 800, "digest")
    assert (said["duration_s"], said["failure"], said["session"]) == (1.5, "answer_cut", "abc")
    assert (said["tokens_cached"], said["tokens_lost"], said["tokens_overhead"]) == (500, 130, 103)
    assert (said["billed_usd"], said["net_saved_usd"]) == (0.5, -0.5)


@pytest.mark.parametrize(
    ("status", "action", "level"),
    [
        (200, "none", logging.DEBUG),
        (200, "frozen", logging.DEBUG),
        (200, "compacted", logging.INFO),
        (200, "bypass", logging.DEBUG),
        (400, "none", logging.INFO),
        (400, "bypass", logging.INFO),
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


def refused(record: Record, times: int, tenant: str = "", endpoint: str = "openai_chat") -> None:
    """Let so many requests be refused."""
    for _ in range(times):
        outcome = record.begin()
        outcome.tenant, outcome.endpoint, outcome.status, outcome.failure = tenant, endpoint, 401, "no"
        record.recorder.end(outcome)


def test_who_has_no_key_cannot_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Lines of strangers are bounded by kind and minute; what one minute left out, the next one tells."""
    caplog.set_level(logging.INFO)
    record = Record()
    refused(record, LINES + 7)
    refused(record, 1, endpoint="other")
    assert len(caplog.records) == LINES + 1
    record.clock.now += 60
    refused(record, 2)

    assert [vars(line).get("left_out") for line in caplog.records[-2:]] == [7, None]
    labels = {"tenant": "", "endpoint": "openai_chat", "policy": "default", "action": "none"}
    assert record.value("requests", **labels, status="401") == LINES + 9


def test_every_refusal_of_a_tenant_has_its_line(caplog: pytest.LogCaptureFixture) -> None:
    """Whose key is known is told of each time, however many there are."""
    caplog.set_level(logging.INFO)
    refused(Record(), 3 * LINES, tenant="acme")

    assert len(caplog.records) == 3 * LINES
