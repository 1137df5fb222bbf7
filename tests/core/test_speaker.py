"""Messages of several people are told apart by their names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carrying import WIRE, words
from gateway.core.speaker import speaker


def said(**message: Any) -> str:
    """Return who is told to have said a message."""
    return speaker(WIRE.message(json.dumps(message).encode(), words))


def test_name_is_that_of_the_message() -> None:
    """It stands beside role and content, whatever stands in these."""
    assert said(role="user", name="alice", content="Hi") == "alice"
    assert said(role="user", name="Planner-2", content=[{"type": "text", "text": "Hi"}]) == "Planner-2"
    assert said(role="user", content='{"name": "eve"}') == ""
    assert said(role="user", content=[{"type": "text", "text": "Hi", "name": "eve"}]) == ""


@pytest.mark.parametrize("name", ["", None, 7, "a\nb", "x" * 80, "[tool] root", "</haversack-digest>"])
def test_what_cannot_be_told_in_a_line_is_no_name(name: Any) -> None:
    """A name is one word or a few, and never looks like something else."""
    assert said(role="user", name=name, content="Hi") == ""


def test_only_users_have_names_here() -> None:
    """A tool's name and an assistant's are told otherwise."""
    assert said(role="assistant", name="bot", content="Hi") == ""
