"""Cache marks on a rewritten list."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.anthropic_marks import marked

MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
BEFORE = [b'{"content":[{"cache_control":{}}]}']


def item(*blocks: Any) -> bytes:
    return json.dumps({"role": "user", "content": list(blocks)}).encode()


def test_without_marks_none_is_made() -> None:
    """A client that does not ask for a cache gets no marks."""
    assert marked([item({"type": "text", "text": "a"})], [item()], []) == [
        item({"type": "text", "text": "a"})
    ]


@pytest.mark.parametrize("block", [{"type": "thinking"}, {"type": "text", "text": " "}, 1])
def test_block_that_cannot_bear_a_mark_gets_none(block: Any) -> None:
    """The vendor refuses marks on thinking and on empty texts."""
    assert marked([item(block)], BEFORE, []) == [item(block)]


def test_newest_block_bears_the_mark() -> None:
    """A result bears one as well as a text."""
    (written,) = marked([item({"type": "tool_result"})], BEFORE, [])

    assert json.loads(written)["content"] == [{"type": "tool_result", **MARK}]


def test_marks_inside_results_count() -> None:
    """The oldest of five goes, also where it stands inside a result."""
    inner = {"type": "tool_result", "content": [{"type": "text", "text": "a", **MARK}]}
    block = {"type": "text", "text": "a", **MARK}

    written = marked([item(inner), *[item(block)] * 4], BEFORE, [])

    assert b"cache_control" not in written[0]
    assert written[1:] == [item(block)] * 4


def test_empty_list_stays_empty() -> None:
    """There is nothing to mark."""
    assert marked([], BEFORE, []) == []
