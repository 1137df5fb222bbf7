"""What is taken for an overflow although the upstream says nothing: as little as possible."""

from __future__ import annotations

import pytest

from gateway.core.failures import Overflow
from gateway.core.silence import is_suspect, truncated


@pytest.mark.parametrize(
    ("estimate", "window", "suspect"),
    [(2001, None, True), (2000, None, False), (7200, 8000, True), (7199, 8000, False), (950, 1024, True)],
)
def test_empty_answer_to_a_full_window_is_suspect(estimate: int, window: int | None, suspect: bool) -> None:
    """An answer without content is asked for again only where the conversation may have filled the window."""
    assert is_suspect(estimate, window) is suspect


@pytest.mark.parametrize(("reported", "window"), [(2050, 4096), (2051, 4096), (4098, 8192), (32770, 65536)])
def test_prompt_cut_to_half_a_window_tells_the_window(reported: int, window: int) -> None:
    """Ollama's count of a prompt that it has cut gives its context away."""
    assert truncated(100_000, reported) == Overflow(limit=window)


@pytest.mark.parametrize(
    ("estimate", "reported"),
    [(3400, 2051), (100_000, 2048), (100_000, 2049), (100_000, 2052), (100_000, 514), (100_000, 0)],
)
def test_other_counts_are_counts(estimate: int, reported: int) -> None:
    """A count near our own, or of any other size, belongs to an answer."""
    assert truncated(estimate, reported) is None
