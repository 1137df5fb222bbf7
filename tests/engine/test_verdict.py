"""What is said of an attempt that failed, to the metrics and to the client."""

from __future__ import annotations

import json

import pytest

from gateway.core.failures import (
    BodyTooLarge,
    Failure,
    Final,
    ItemTooLong,
    ListTooLong,
    OutputTooLarge,
    Overflow,
    Refused,
    read,
)
from gateway.engine.subject import Action, Plan
from gateway.engine.verdict import as_event, exceeded, outcome, spoken
from wired import WIRE

PLAN = Plan(b"{}", Action.RESCUED, 1000, 400, 1000, 3)


def test_client_is_told_the_numbers_in_the_vendors_words() -> None:
    """Clients that look for the vendor's message, or compact on it, find it; the numbers are true tokens."""
    error = exceeded(PLAN, Overflow(limit=500), 2.0, 3)

    assert error.message.startswith("This model's maximum context length is 500 tokens.")
    assert "about 2000 tokens" in error.message
    assert "about 800 in 3 attempts" in error.message


@pytest.mark.parametrize("failure", [Overflow(), BodyTooLarge(100)])
def test_unknown_limit_is_not_invented(failure: Overflow | BodyTooLarge) -> None:
    """Where nobody named a window, the message names none."""
    message = exceeded(PLAN, failure, 1.0, 1).message

    assert message.startswith("This model's maximum context length was exceeded.")
    assert "None" not in message


def test_our_own_error_is_read_as_an_overflow() -> None:
    """A second gateway in front of this one, or a client that reads errors, understands ours."""
    error = exceeded(PLAN, Overflow(limit=5000), 1.0, 3)

    assert isinstance(read(error.status, WIRE.error(error)), Overflow)


@pytest.mark.parametrize(
    ("failure", "label"),
    [
        (None, "ok"),
        (Final(), "final"),
        (Refused(), "refused"),
        (Overflow(), "overflow"),
        (OutputTooLarge(), "overflow"),
        (BodyTooLarge(), "overflow"),
        (ListTooLong(1), "overflow"),
        (ItemTooLong("input", 1), "overflow"),
    ],
)
def test_attempts_have_one_word_each(failure: Failure | None, label: str) -> None:
    """Whatever was too large is an overflow to a dashboard."""
    assert outcome(failure) == label


def test_error_becomes_an_event() -> None:
    """In a stream that has begun the upstream's own error is an event, its lines kept apart."""
    assert as_event(b'{"error": 1}') == b'data: {"error": 1}\n\n'
    assert as_event(b'{\r\n"error": 1}\n') == b'data: {\ndata: "error": 1}\n\n'


def test_error_that_is_no_json_is_told_in_the_clients_dialect() -> None:
    """A proxy's HTML page does not go into a stream of JSON; its status does."""
    assert spoken(b'{"error": 1}', 502, WIRE) == b'{"error": 1}'
    assert "502" in json.loads(spoken(b"<html>", 502, WIRE))["error"]["message"]
