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
from gateway.core.frozen import replace
from gateway.engine.subject import Action, Plan
from gateway.engine.verdict import as_event, exceeded, outcome, spoken
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import WireFormat
from gateway.wire.openai_chat import OpenAIChat
from gateway.wire.stream import Splitter
from wired import WIRE

PLAN = Plan(b"{}", Action.RESCUED, 1000, 400, 1000, 3)


def test_client_is_told_the_numbers_in_the_vendors_words() -> None:
    """Clients that look for the vendor's message, or compact on it, find it; the numbers are true tokens."""
    error = exceeded(PLAN, Overflow(limit=500), 2.0, 3, WIRE)

    assert error.message.startswith("This model's maximum context length is 500 tokens.")
    assert "about 2000 tokens" in error.message
    assert "about 800 in 3 attempts" in error.message


@pytest.mark.parametrize("wire", WIRE_FORMATS.values())
def test_client_is_told_that_its_tools_do_not_fit(wire: WireFormat) -> None:
    """The numbers are in the vendor's words, in each format, and who reads it knows it for an overflow."""
    error = exceeded(PLAN, Overflow(limit=500), 1.0, 1, wire, stuck=700)

    assert "500" in error.message.split(". ")[0]
    assert "About 700 of them are tools and system messages" in error.message
    assert "attempts" not in error.message
    assert isinstance(read(error.status, wire.error(error)), Overflow)


@pytest.mark.parametrize("failure", [Overflow(), BodyTooLarge(100)])
def test_unknown_limit_is_not_invented(failure: Overflow | BodyTooLarge) -> None:
    """Where nobody named a window, the message names none."""
    message = exceeded(PLAN, failure, 1.0, 1, WIRE).message

    assert message.startswith("This model's maximum context length was exceeded.")
    assert "None" not in message


def test_our_own_error_is_read_as_an_overflow() -> None:
    """A second gateway in front of this one, or a client that reads errors, understands ours."""
    error = exceeded(PLAN, Overflow(limit=5000), 1.0, 3, WIRE)

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


class Named(OpenAIChat):
    """Another format, as far as its name goes."""

    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("anthropic_messages", "prompt is too long: 10000 tokens > 5000 maximum"),
        ("openai_responses", "Your input exceeds the context window of this model"),
    ],
)
def test_every_vendor_has_its_own_words(name: str, begins: str) -> None:
    """Claude Code compacts and LangChain raises its own error when they read these, and only these, words."""
    plan = replace(PLAN, tokens_before=10_000)
    told = exceeded(plan, Overflow(limit=5000), 1.0, 3, Named(name))

    assert told.message.startswith(begins)
    assert isinstance(read(told.status, WIRE.error(told)), Overflow)
    assert "None" not in exceeded(plan, Overflow(), 1.0, 3, Named(name)).message


def test_prompt_that_is_too_long_is_longer_than_the_limit() -> None:
    """Where our count was below the limit that the upstream named, the sentence makes sense all the same."""
    told = exceeded(PLAN, Overflow(limit=5000), 1.0, 3, Named("anthropic_messages"))

    assert told.message.startswith("prompt is too long: 5001 tokens > 5000 maximum")


def test_error_of_messages_is_an_event_with_its_name() -> None:
    """Anthropic's clients look at the name of an event first."""
    body = b'{"type":"error","error":{"type":"api_error","message":"m"}}'

    assert as_event(body, Named("anthropic_messages")) == b"event: error\ndata: " + body + b"\n\n"


def test_error_of_responses_is_told_as_the_vendor_does() -> None:
    """Codex reads `response.failed`, other clients `error`, some its members and some the object inside."""
    body = b'{"error":{"message":"m","type":"invalid_request_error","param":null,"code":"context"}}'
    told = Splitter().feed(as_event(body, Named("openai_responses")))
    first, second = (json.loads(event.data) for event in told)

    assert [event.name for event in told] == ["error", "response.failed"] == [first["type"], second["type"]]
    assert (first["code"], first["message"], first["error"]["code"]) == ("context", "m", "context")
    assert (second["response"]["status"], second["response"]["error"]) == (
        "failed",
        {"code": "context", "message": "m"},
    )


@pytest.mark.parametrize("body", [b'{"error":"text"}', b'{"detail":"text"}', b'"text"'])
def test_error_of_another_shape_is_told_too(body: bytes) -> None:
    """Whatever a proxy on the way writes reaches the client of the Responses API."""
    second = Splitter().feed(as_event(body, Named("openai_responses")))[1]

    assert "text" in json.loads(second.data)["response"]["error"]["message"]


def test_error_becomes_an_event() -> None:
    """In a stream that has begun the upstream's own error is an event, its lines kept apart."""
    assert as_event(b'{"error": 1}', WIRE) == b'data: {"error": 1}\n\n'
    assert as_event(b'{\r\n"error": 1}\n', WIRE) == b'data: {\ndata: "error": 1}\n\n'


def test_error_that_is_no_json_is_told_in_the_clients_dialect() -> None:
    """A proxy's HTML page does not go into a stream of JSON; its status does."""
    assert spoken(b'{"error": 1}', 502, WIRE) == b'{"error": 1}'
    assert "502" in json.loads(spoken(b"<html>", 502, WIRE))["error"]["message"]
