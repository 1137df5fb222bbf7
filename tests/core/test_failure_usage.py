"""What is made of the numbers of an answer, the contradictory ones too."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.core.failure_usage import Spent, spent


@pytest.mark.parametrize(
    ("usage", "prompt"),
    [
        ({"prompt_tokens": 900}, 900),
        ({"input_tokens": 900}, 900),
        # Messages: what concerns the cache stands apart.
        ({"input_tokens": 20, "cache_read_input_tokens": 800, "cache_creation_input_tokens": 80}, 900),
        # LiteLLM before Claude: it is in the prompt already, and told once more.
        ({"prompt_tokens": 900, "cache_read_input_tokens": 800, "cache_creation_input_tokens": 80}, 900),
        # Relays that rename the fields and count as Messages does.
        ({"prompt_tokens": 20, "cache_read_input_tokens": 880}, 900),
        # Relays that tell both names, or fill up the one that they do not know.
        ({"prompt_tokens": 900, "input_tokens": 900}, 900),
        ({"prompt_tokens": 0, "input_tokens": 900}, 900),
        ({"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 880}}, 900),
        ({"prompt_tokens": "900"}, 900),
        ({"prompt_tokens": 900.0}, 900),
        ({"prompt_tokens": None}, 0),
        ({"prompt_tokens": True}, 0),
        ({"prompt_tokens": "many"}, 0),
        ({"prompt_tokens": float("inf")}, 0),
        ({"prompt_tokens": 0.5}, 0),
        (None, 0),
    ],
)
def test_prompt_is_counted_once(usage: Any, prompt: int) -> None:
    """However often a number of the prompt is told, and in whatever type, it counts once."""
    assert spent(usage).prompt == prompt


@pytest.mark.parametrize("total", [None, 0, "many", 1000, "1000", 1000.0, 99, False])
def test_total_that_cannot_be_one_is_not_believed(total: Any) -> None:
    """A sum that is less than the prompt, or no number, does not stand for the sum."""
    usage = {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": total}

    assert spent(usage).total == 1000
    assert not spent(usage).has_thought


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 900, "completion_tokens": 0, "total_tokens": 1299},  # Gemini
        {"prompt_tokens": 900, "completion_tokens_details": {"reasoning_tokens": 399}},
        {"input_tokens": 900, "output_tokens_details": {"reasoning_tokens": 399}},
        {"prompt_tokens": 900, "reasoning_tokens": 399},
    ],
)
def test_thinking_that_is_not_shown_is_seen(usage: dict[str, Any]) -> None:
    """What was spent on thinking was spent, though nothing of it is there."""
    assert spent(usage).has_thought


@pytest.mark.parametrize(
    ("usage", "is_odd"),
    [
        ({"prompt_tokens": 900, "completion_tokens": -800, "total_tokens": 100}, True),
        ({"prompt_tokens": 900, "completion_tokens": 0, "total_tokens": 0}, True),
        ({"prompt_tokens": 900, "completion_tokens": 0, "total_tokens": None}, False),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, False),
    ],
)
def test_numbers_that_contradict_each_other_are_noticed(usage: dict[str, Any], is_odd: bool) -> None:
    """LMDeploy counts less than nothing where it has cut a prompt."""
    assert spent(usage).is_odd is is_odd


def test_all_that_was_written_counts_against_a_cap() -> None:
    """Thinking that is not shown uses a cap up as words do."""
    assert Spent(prompt=900, output=12, total=1300, has_thought=True).written == 400
    assert Spent(prompt=900, output=12, total=912).written == 12
