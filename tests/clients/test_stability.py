"""Whether requests of a conversation begin alike is measured as a provider's cache would see it."""

from __future__ import annotations

from typing import Any

import pytest

from clients.model import DIALECTS
from clients.stability import canonical, stability

FIELD = {"openai_chat": "messages", "openai_responses": "input", "anthropic_messages": "messages"}


def said(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def share(texts: list[str], format: str = "openai_chat") -> float | None:
    """Return the stability of requests, each written as the first letters of its messages."""
    bodies = [{FIELD[format]: [said(letter) for letter in text]} for text in texts]
    return stability((DIALECTS[format], body) for body in bodies)


@pytest.mark.parametrize("format", DIALECTS)
def test_list_that_only_grows_is_stable(format: str) -> None:
    """Requests that only add to the one before them keep all of its prefix, in every format."""
    assert share(["a", "ab", "abcd"], format) == 1.0


@pytest.mark.parametrize("format", DIALECTS)
def test_moved_boundary_is_counted_though_it_changes_the_first_item(format: str) -> None:
    """A digest that takes the place of the first item is a prefix lost. (Seen: requests were grouped by their
    first item, so a boundary that moved opened a new group, and all groups looked stable.)
    """
    assert share(["abc", "abcd", "Xd", "Xde", "Yef"], format) == 0.5


def test_only_neighbours_are_compared() -> None:
    """One request in another order costs two pairs, and no more."""
    assert share(["a", "ab", "ba", "abc", "abcd"]) == 0.5


def test_shorter_list_lost_its_prefix() -> None:
    """A request that begins like the one before it, but ends earlier, does not keep all of it."""
    assert share(["abc", "ab"]) == 0.0


@pytest.mark.parametrize("texts", [[], ["a"]])
def test_single_request_says_nothing(texts: list[str]) -> None:
    """Where there is no pair, there is no share."""
    assert share(texts) is None


def test_clients_habits_are_no_change() -> None:
    """Marks, item ids, empty fields and a lone text written as a block do not count as another prefix."""
    plain = {"role": "assistant", "content": "a"}
    block = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}
    assert canonical(plain) == canonical(
        {"id": "msg_1", "status": "completed", "tool_calls": None, "role": "assistant", "content": [block]}
    )


def test_other_text_is_a_change() -> None:
    """A single letter is enough to lose the cache."""
    assert canonical(said("a")) != canonical(said("b"))
