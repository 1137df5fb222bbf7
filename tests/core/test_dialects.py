"""The tables themselves: each row earns its place and is safe on any text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from failure_evidence import EVIDENCE
from gateway.core import dialects, dialects_overflow, failure_numbers, failure_rules

ROWS = [
    pytest.param(row, id=f"{name}[{index}]")
    for module in (dialects, dialects_overflow)
    for name, table in vars(module).items()
    if isinstance(table, tuple) and not name.startswith("_")
    for index, row in enumerate(table)
]


def _patterns(held: object) -> Iterator[re.Pattern[str]]:
    """Yield the expressions in a value of a module, however deep in its tables."""
    if isinstance(held, re.Pattern):
        yield held
    elif isinstance(held, tuple):
        for item in held:
            yield from _patterns(item)


@pytest.mark.parametrize("module", [dialects, dialects_overflow, failure_numbers, failure_rules])
def test_a_word_that_goes_on_and_on_is_no_work(module: ModuleType) -> None:
    """A run of letters has a bound: one word said a thousand times in a row kept everybody waiting for 2 s.

    Upstreams quote what a client wrote, so anybody can write what these are matched against.
    """
    found = [pattern.pattern for value in vars(module).values() for pattern in _patterns(value)]

    assert found
    assert not [text for text in found if re.search(r"[a-zа-яé)]\\w[*+](?!_penalty)", text)]


@pytest.mark.parametrize("row", ROWS)
def test_row_has_a_recorded_body(row: re.Pattern[str]) -> None:
    """No row stands in a table without a recorded body that needs it."""
    assert any(row.search(text) for text in EVIDENCE)


@pytest.mark.parametrize(
    "param",
    [
        "messages[3].content",
        "messages[7].content[0].text",
        "input[388].output",
        "messages[3].content.constrained-str",
    ],
)
def test_text_of_the_conversation_can_be_shortened(param: str) -> None:
    """A string that is part of the conversation may be cut."""
    assert dialects.COMPACTABLE.fullmatch(param)


@pytest.mark.parametrize(
    "param", ["messages[2].name", "tools[0].function.description", "prompt_cache_key", "stop"]
)
def test_other_strings_cannot(param: str) -> None:
    """Names, tools and keys are the client's to correct."""
    assert not dialects.COMPACTABLE.fullmatch(param)
