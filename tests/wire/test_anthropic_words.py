"""What stands in the items of a Messages list is known without a look at each, and never mistaken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.anthropic_words import ASKS_SERVER, MARKED, SYSTEM, all_of, shapes_of, words_of

RESULTS = [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in "ab"]
TEXT = {"type": "text", "text": 'it says "cache_control" and "system"'}
MARK = {"cache_control": {"type": "ephemeral"}}


def item(*blocks: dict[str, Any], role: str = "user") -> bytes:
    return json.dumps({"role": role, "content": list(blocks)}).encode()


ITEMS = {
    "text": (item(TEXT), 0),
    "mark": (item({**TEXT, **MARK}), MARKED),
    "mark within a result": (item({**RESULTS[0], "content": [{**TEXT, **MARK}]}), MARKED),
    "one result": (item(RESULTS[0]), 0),
    "two results": (item(*RESULTS), 0),
    "a piece of that": (b" " + item(RESULTS[0]), 0),
    "system": (item(TEXT, role="system"), SYSTEM),
    "call of a server": (item({"type": "server_tool_use", "id": "a"}, role="assistant"), ASKS_SERVER),
    "compaction": (item({"type": "compaction", "content": "so far"}, role="assistant"), 0),
    "no message": (b'["compaction"', 0),
}


@pytest.mark.parametrize(("raw", "words"), ITEMS.values(), ids=ITEMS)
def test_words_of_an_item(raw: bytes, words: int) -> None:
    """They are the same at the first look and when they are remembered, alone and among others."""
    others = [other for other, _ in ITEMS.values()]

    assert words_of([raw]) == [words]
    for _ in range(2):
        assert dict(zip(others, words_of(others), strict=True))[raw] == words


def test_words_of_a_list_are_those_of_all_its_items() -> None:
    """So one look tells whether any item has to be looked for."""
    found = all_of(words_of([raw for raw, _ in ITEMS.values()]))

    assert found == MARKED | SYSTEM | ASKS_SERVER
    assert all_of([]) == 0


def test_shapes_of_items() -> None:
    """What is cut, what is a part, and what stands for all before it is the same whenever it is looked at."""
    for _ in range(2):
        found = dict(zip(ITEMS, shapes_of([raw for raw, _ in ITEMS.values()]), strict=True))
        assert [name for name, one in found.items() if one.is_compacted] == ["compaction"]
        assert [name for name, one in found.items() if one.places] == ["two results", "a piece of that"]
