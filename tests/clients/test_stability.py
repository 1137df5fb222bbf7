"""The share of requests that a prompt cache would have known: what counts as a change, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from clients.chat import CHAT
from clients.dialects import Json
from clients.model import DIALECTS
from clients.stability import stability

FIRST: Json = {"role": "user", "content": "a"}
SAID: Json = {"role": "assistant", "content": "b"}
NEXT: Json = {"role": "user", "content": "c"}


def kept(*lists: list[Json]) -> float | None:
    """Return the stability of requests with these lists."""
    return stability((CHAT, {"messages": items}) for items in lists)


@pytest.mark.parametrize("format", DIALECTS)
def test_a_list_that_grows_is_kept(format: str) -> None:
    """What is only continued is known whole, in every format."""
    name = "input" if format == "openai_responses" else "messages"
    bodies = [{name: [FIRST, SAID, NEXT][:size]} for size in (1, 2, 3)]

    assert stability((DIALECTS[format], body) for body in bodies) == 1.0


def test_each_request_is_compared_with_the_one_before() -> None:
    """A beginning that was moved costs once, and not again for all that follow.

    (Seen: requests were grouped by their first item, so a boundary that moved opened a new group, and all
    groups looked stable.)
    """
    moved = {"role": "user", "content": "what was said"}

    assert kept([FIRST, SAID, NEXT], [moved, NEXT], [moved, NEXT, SAID], [moved, NEXT, SAID, NEXT]) == 2 / 3


@pytest.mark.parametrize(
    "again",
    [
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
        {"content": "a", "role": "user", "name": None},
        {"role": "user", "content": "a", "id": "msg_1", "status": "completed"},
    ],
)
def test_habits_of_clients_are_no_change(again: dict[str, Any]) -> None:
    """Marks that move, names of items and another form of the same text are not held against the gateway."""
    assert kept([FIRST], [again, SAID, NEXT]) == 1.0


@pytest.mark.parametrize(
    "again",
    [[], [SAID], [NEXT, FIRST], [{**FIRST, "content": "A"}, SAID], [{**FIRST, "role": "system"}, SAID]],
)
def test_what_the_model_reads_otherwise_is_a_change(again: list[Json]) -> None:
    """An item that is gone, has another text or another role."""
    assert kept([FIRST], again) == 0.0


def test_one_request_says_nothing() -> None:
    """There is nothing to compare it with."""
    assert kept([FIRST]) is None
