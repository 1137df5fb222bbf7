"""Whose word counts about a window, and for what."""

from __future__ import annotations

import pytest

from gateway.core.frozen import replace
from gateway.engine.window import Source, Window, given, is_less, overrules
from gateway.policy.schema import Policy

POLICY = Policy(name="p", window=12_000, windows={"small-*": 4000})


def test_policy_names_a_window_by_glob_or_for_all() -> None:
    """A pattern that fits goes first; without a number for it the policy says nothing."""
    assert given(POLICY, "small-1") == Window(4000, Source.POLICY)
    assert given(POLICY, "m") == Window(12_000, Source.POLICY)
    assert given(replace(POLICY, window=None), "m") is None


@pytest.mark.parametrize(
    ("learned", "expected"),
    [
        (Window(8192, Source.LEARNED), True),
        (Window(16_000, Source.LEARNED), False),
        (Window(8192, Source.GUESSED), False),
    ],
)
def test_only_a_smaller_number_of_the_upstream_goes_before_the_policy(
    learned: Window, expected: bool
) -> None:
    """A guess of ours is no reason to doubt what an operator has written."""
    assert overrules(learned, Window(12_000, Source.POLICY)) is expected


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (Window(8000, Source.TABLE), True),
        (Window(None, Source.UNKNOWN), True),
        (Window(6000, Source.LISTED), False),
        (Window(8000, Source.POLICY), False),
    ],
)
def test_what_an_exchange_was_told_only_lowers(known: Window, expected: bool) -> None:
    """What an attempt was refused with is for the next one less than what was known, or nothing."""
    assert is_less(Window(7000, Source.GUESSED), known) is expected


def test_only_policy_and_list_are_sure() -> None:
    """What a refusal taught is acted on, but nothing is taken away from a client by it alone."""
    assert [source for source in Source if Window(1, source).sure_tokens] == [Source.POLICY, Source.LISTED]
    assert [source for source in Source if not source.certain] == [Source.TABLE, Source.UNKNOWN]
