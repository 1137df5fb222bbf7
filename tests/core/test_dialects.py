"""The tables themselves: each row earns its place and is safe on any text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gateway.core import dialects
from gateway.core.failure_answers import events, is_stream
from gateway.core.failure_rules import plain
from gateway.core.failure_text import gather, snake

FOLDER = Path(__file__).parent.parent / "failures"
ROWS = [
    pytest.param(row, id=f"{name}[{index}]")
    for name, table in vars(dialects).items()
    if isinstance(table, tuple) and not name.startswith("_")
    for index, row in enumerate(table)
]


def evidence() -> list[str]:
    """Return every prepared sentence and identifier of the recorded bodies."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        for record in json.loads(path.read_text("utf-8")):
            body = record["body"].encode()
            parts = [data for data, _ in events(body)] if is_stream(body) else [body]
            for said in map(gather, parts):
                found += [plain(text) for text in said.texts] + [snake(mark) for mark in said.marks]
    return found


EVIDENCE = evidence()


@pytest.mark.parametrize("row", ROWS)
def test_row_has_a_recorded_body(row: re.Pattern[str]) -> None:
    """No row stands in a table without a recorded body that needs it."""
    assert any(row.search(text) for text in EVIDENCE)


@pytest.mark.parametrize("param", ["messages[3].content", "messages[7].content[0].text", "input[388].output"])
def test_text_of_the_conversation_can_be_shortened(param: str) -> None:
    """A string that is part of the conversation may be cut."""
    assert dialects.COMPACTABLE.fullmatch(param)


@pytest.mark.parametrize(
    "param", ["messages[2].name", "tools[0].function.description", "prompt_cache_key", "stop"]
)
def test_other_strings_cannot(param: str) -> None:
    """Names, tools and keys are the client's to correct."""
    assert not dialects.COMPACTABLE.fullmatch(param)
