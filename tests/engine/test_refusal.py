"""A refusal is an upstream's own word only where it cannot be the client's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.engine.refusal import Refusal, Told, told

LONG = "This model's maximum context length is 2048 tokens."
MARK = {"code": "context_length_exceeded"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"error": {"message": LONG, **MARK}}, Told.MARKED),
        ({"error": {"type": "exceed_context_size_error", "code": 400}}, Told.MARKED),
        ({"detail": {"error": MARK}}, Told.MARKED),
        ([{"error": MARK}], Told.MARKED),
        ({"type": "response.failed", "response": {"error": MARK}}, Told.MARKED),
        ({"error": {"message": LONG, "type": "BadRequestError", "code": 400}}, Told.SAID),
        ({"error": {"message": f"got user: {json.dumps(MARK)}"}}, Told.SAID),
        ({"detail": [{"msg": "wrong", "input": MARK}]}, Told.SAID),
        ({"error": {"message": LONG, "messages": [MARK]}}, Told.SAID),
        ({"error": {"error": {"error": {"error": {"error": MARK}}}}}, Told.SAID),
        ({"error": []}, Told.SAID),
        (LONG, Told.SAID),
    ],
)
def test_identifier_counts_where_no_client_can_write_one(body: Any, expected: Told) -> None:
    """In the error itself it is the upstream's; in a sentence, or in what it repeats, it may be anybody's."""
    assert told(json.dumps(body).encode(), is_answer=False) is expected


def test_what_is_no_json_is_said_in_words() -> None:
    """A proxy's page has no identifiers."""
    assert told(b"<html>context_length_exceeded", is_answer=False) is Told.SAID


def test_answer_says_nothing_of_an_overflow_unless_it_holds_an_error() -> None:
    """That it is empty is ours to see, and may have any reason."""
    empty = {"choices": [{"finish_reason": "length", "message": {"content": ""}}]}
    assert told(json.dumps(empty).encode(), is_answer=True) is Told.UNSAID
    assert told(json.dumps({"error": {"message": LONG}}).encode(), is_answer=True) is Told.SAID


@pytest.mark.parametrize(
    ("tokens", "output", "is_more"),
    [(900, None, True), (1000, None, False), (1000, 200, True), (1000, 500, False), (1200, None, False)],
)
def test_what_follows_confirms_only_where_it_is_less(tokens: int, output: int | None, is_more: bool) -> None:
    """A shorter prompt or a lower output tells that the size was the matter; the same again tells nothing."""
    assert Refusal(1000, output=500).is_more(tokens, output) is is_more
