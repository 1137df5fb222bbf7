"""What is made of refusals that name no number, or name it in words: for whom it counts, and for how long."""

from __future__ import annotations

import pytest

from gateway.core.failures import Overflow
from gateway.engine.refusal import Told
from gateway.engine.window import Source, Window
from gateway.engine.windows import GUESSED_TTL_S, Windows
from gateway.policy.schema import Policy
from gateway.store.base import Learned
from stores import Clock

POLICY = Policy(name="p")
UP = "http://upstream/v1"


@pytest.fixture
def clock() -> Clock:
    """Time that stands still."""
    return Clock()


@pytest.fixture
def windows(clock: Clock) -> Windows:
    """Nothing is known yet."""
    return Windows(clock)


def test_guess_is_told_as_one_and_acted_on_like_what_was_told(windows: Windows) -> None:
    """Nobody takes our number for the upstream's, and it is used all the same."""
    windows.overflowed(UP, "m", Overflow(), 10_000)

    found = windows.window(POLICY, UP, "m")
    assert (found, found.source.value) == (Window(9500, Source.GUESSED), "guessed")
    assert (found.source.certain, found.sure_tokens) == (True, None)


def test_guess_is_for_its_scope_and_not_for_the_store(windows: Windows, clock: Clock) -> None:
    """Seen: a guess from one key's call shrank everybody's conversations, and a restart did not help.

    What an earlier version has stored is left out, and what else was learned of the model is not.
    """
    windows.overflowed(UP, "m", Overflow(), 10_000, scope="mine")
    assert windows.window(POLICY, UP, "m", "mine").tokens == 9500
    assert windows.window(POLICY, UP, "m", "another").tokens is None
    assert windows.take_changes() == []
    windows.restore([Learned(UP, "n", 1196, clock.now, 1.3, True, is_guessed=True)])
    assert windows.window(POLICY, UP, "n").tokens is None
    assert windows.correction(UP, "n").factor == 1.3


@pytest.mark.parametrize(("sent", "expected"), [(9000, 8550), (8000, 16_384)])
@pytest.mark.parametrize("is_listed", [True, False])
def test_silence_far_below_what_is_known_is_no_window(
    windows: Windows, sent: int, expected: int, is_listed: bool
) -> None:
    """Seen: an empty answer to a summary made 2,078 tokens of a listed 16,384. A refusal is believed."""
    model = "m" if is_listed else "phi-4"
    if is_listed:
        windows.listed(UP, {model: 16_384})
    windows.overflowed(UP, model, Overflow(), sent, told=Told.UNSAID)
    assert windows.window(POLICY, UP, model).tokens == expected
    windows.overflowed(UP, model, Overflow(), 4000, told=Told.SAID)
    assert windows.window(POLICY, UP, model) == Window(3800, Source.GUESSED)


def test_number_in_words_that_is_far_below_what_is_known_is_for_its_scope(windows: Windows) -> None:
    """Words may be the client's own; beside an identifier, or where nothing is known, they count for all."""
    windows.listed(UP, {"m": 16_384})
    for model in ("m", "n"):
        windows.overflowed(UP, model, Overflow(limit=4096), 5000, told=Told.SAID, scope="mine")
    assert windows.window(POLICY, UP, "m", "mine") == Window(4096, Source.LEARNED)
    assert windows.window(POLICY, UP, "m", "another") == Window(16_384, Source.LISTED)
    assert windows.window(POLICY, UP, "n", "another") == Window(4096, Source.LEARNED)
    windows.overflowed(UP, "m", Overflow(limit=4000), 5000, scope="mine")
    for scope in ("mine", "another"):
        assert windows.window(POLICY, UP, "m", scope) == Window(4000, Source.LEARNED)


def test_number_in_words_is_disproved_by_what_was_answered(windows: Windows) -> None:
    """By our own count too, as far as no tokenizer explains the difference; an identifier goes before it."""
    windows.taken(UP, "m", 20_000)
    windows.overflowed(UP, "m", Overflow(limit=11_999), 13_000, told=Told.SAID)
    assert windows.window(POLICY, UP, "m").tokens is None
    windows.overflowed(UP, "m", Overflow(limit=12_001), 13_000, told=Told.SAID)
    assert windows.window(POLICY, UP, "m").tokens == 12_001
    windows.overflowed(UP, "m", Overflow(limit=8000), 13_000)
    assert windows.window(POLICY, UP, "m").tokens == 8000


def test_longer_success_of_anybody_ends_a_guess(windows: Windows) -> None:
    """What others were answered since, with usage or without, cannot be longer than the window."""
    for model in ("m", "n", "o"):
        windows.overflowed(UP, model, Overflow(), 10_000, scope="mine")
    windows.taken(UP, "m", 9501)
    windows.accepted(UP, "n", 9501)
    windows.taken(UP, "o", 9500)

    assert [windows.window(POLICY, UP, model, "mine").tokens for model in "mno"] == [None, None, 9500]


def test_guess_expires_sooner(windows: Windows, clock: Clock) -> None:
    """A refusal without a number is believed for an hour."""
    windows.overflowed(UP, "m", Overflow(), 10_000)
    clock.now += GUESSED_TTL_S
    assert windows.window(POLICY, UP, "m").tokens == 9500
    clock.now += 1
    assert windows.window(POLICY, UP, "m").tokens is None


def test_guess_only_lowers(windows: Windows) -> None:
    """A refusal of much more than what was refused before teaches nothing."""
    windows.overflowed(UP, "m", Overflow(), 10_000)
    windows.overflowed(UP, "m", Overflow(), 90_000)
    assert windows.window(POLICY, UP, "m").tokens == 9500
    windows.overflowed(UP, "m", Overflow(), 5000)
    assert windows.window(POLICY, UP, "m").tokens == 4750


def test_guess_lies_above_what_was_answered(windows: Windows) -> None:
    """A refusal just above the longest prompt that was answered still teaches where the window is."""
    windows.accepted(UP, "m", 12_800)
    windows.overflowed(UP, "m", Overflow(), 13_000)

    assert windows.window(POLICY, UP, "m") == Window(12_800, Source.GUESSED)


def test_guess_gives_way_to_a_number(windows: Windows, clock: Clock) -> None:
    """A window that the upstream names replaces a guess, and lives its full time."""
    windows.overflowed(UP, "m", Overflow(), 5000)
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)
    clock.now += GUESSED_TTL_S + 1

    assert windows.window(POLICY, UP, "m") == Window(8000, Source.LEARNED)


def test_expired_guess_is_no_bound_for_the_next(windows: Windows, clock: Clock) -> None:
    """What is no longer believed does not keep a new guess from being made."""
    windows.overflowed(UP, "m", Overflow(), 5000)
    clock.now += GUESSED_TTL_S + 1
    windows.overflowed(UP, "m", Overflow(), 10_000)

    assert windows.window(POLICY, UP, "m").tokens == 9500


def test_refusal_of_next_to_nothing_teaches_nothing(windows: Windows) -> None:
    """An upstream that calls a greeting too long has no window of five tokens."""
    windows.overflowed(UP, "m", Overflow(), 5)

    assert windows.window(POLICY, UP, "m").tokens is None
