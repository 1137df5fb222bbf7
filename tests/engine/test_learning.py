"""What one exchange teaches: of refusals, of silence, of answers."""

from __future__ import annotations

import pytest

from gateway.core.failures import BodyTooLarge, OutputTooLarge, Overflow
from gateway.engine.learning import Learning
from gateway.engine.windows import Windows
from gateway.policy.schema import Policy
from gateway.wire.base import Usage
from stores import Clock

UP, MODEL = "http://upstream/v1", "m"


@pytest.fixture
def windows() -> Windows:
    """Nothing is known yet."""
    return Windows(Clock())


@pytest.fixture
def learning(windows: Windows) -> Learning:
    """The lessons of an exchange with one model."""
    return Learning(windows, UP, MODEL)


def known(windows: Windows) -> int | None:
    """Return the window that the next request is planned with."""
    return windows.window(Policy(name="p"), UP, MODEL).tokens


def test_refusal_teaches_window_and_unit(windows: Windows, learning: Learning) -> None:
    """A limit and an exact count tell how large the window is and how the upstream counts."""
    learning.refused(Overflow(limit=8000, prompt=12_000), 10_000, has_images=False, is_silent=False)

    assert (known(windows), learning.correction) == (8000, 1.2)


def test_lower_bound_only_makes_careful(windows: Windows, learning: Learning) -> None:
    """A count that stopped at the limit is believed where it is above ours, and not where it is below."""
    bound = Overflow(limit=8000, prompt=7001, output=1000, exact=False)
    learning.refused(bound, 20_000, has_images=False, is_silent=False)
    assert (known(windows), learning.correction) == (8000, 1.0)
    learning.refused(bound, 6000, has_images=False, is_silent=False)
    assert learning.correction == pytest.approx(7001 / 6000)


def test_images_do_not_teach_how_text_is_counted(windows: Windows, learning: Learning) -> None:
    """What a vendor takes for an image says nothing of its words."""
    learning.refused(Overflow(limit=8000, prompt=12_000), 4000, has_images=True, is_silent=False)
    learning.answered(Usage(12_000, 1), 4000, has_images=True)

    assert learning.correction == 1.0


def test_refusal_that_contradicts_our_count_is_believed(windows: Windows, learning: Learning) -> None:
    """Where a limit is named that what was sent is far below, what was sent is too much all the same."""
    learning.refused(Overflow(limit=131_072, prompt=537_812), 14_000, has_images=False, is_silent=False)

    assert known(windows) == 13_300


def test_other_refusals_teach_no_window(windows: Windows, learning: Learning) -> None:
    """Bytes and output caps are no windows."""
    learning.refused(BodyTooLarge(2_000_000), 10_000, has_images=False, is_silent=False)
    learning.refused(OutputTooLarge(4096), 10_000, has_images=False, is_silent=False)

    assert known(windows) is None


def test_silence_teaches_once_a_smaller_form_is_answered(windows: Windows, learning: Learning) -> None:
    """An empty answer may have any reason; that half of it was answered tells that it was the size."""
    learning.refused(Overflow(), 10_000, has_images=False, is_silent=True)
    assert known(windows) is None
    learning.accepted()
    assert known(windows) == 9500


def test_cut_prompt_teaches_the_window(windows: Windows, learning: Learning) -> None:
    """A stream that is over cannot be saved, but what its usage gives away helps the next request."""
    learning.answered(Usage(2051, 88), 10_000, has_images=False)

    assert (known(windows), learning.correction) == (4096, 1.0)


@pytest.mark.parametrize(
    ("reported", "has_images", "is_suspect"),
    [(2051, False, True), (5000, False, True), (7000, False, False), (5000, True, False)],
)
def test_answer_to_a_cut_prompt_is_told(
    learning: Learning, reported: int, has_images: bool, is_suspect: bool
) -> None:
    """Usage far below what was sent is suspect, to whatever size it was cut; not where images were sent."""
    assert learning.answered(Usage(reported, 88), 10_000, has_images) is is_suspect


def test_answer_teaches_the_unit_and_disproves_a_window(windows: Windows, learning: Learning) -> None:
    """Usage calibrates; a prompt longer than the window that was believed ends the belief."""
    learning.refused(Overflow(limit=8000), 9000, has_images=False, is_silent=False)
    learning.answered(Usage(11_000, 5), 10_000, has_images=False)
    assert (known(windows), learning.correction) == (None, 1.1)
    learning.refused(Overflow(limit=9000), 10_000, has_images=False, is_silent=False)
    assert known(windows) is None


def test_answer_that_the_window_ended_teaches_its_size(windows: Windows, learning: Learning) -> None:
    """A stream that was out when the window ended it tells the window, however short its prompt was."""
    learning.answered(Usage(20_000, 180_000, is_ended_by_window=True), 20_000, has_images=False)

    assert known(windows) == 200_000


def test_whole_answer_that_filled_the_window_teaches_its_size(windows: Windows, learning: Learning) -> None:
    """One that is taken back teaches the same: nothing was wrong with its short prompt."""
    filled = Overflow(limit=200_000, prompt=20_000, is_filled=True)
    learning.refused(filled, 20_000, has_images=False, is_silent=False)

    assert known(windows) == 200_000


@pytest.mark.parametrize(("prompt", "output"), [(0, 9000), (9000, 0), (5, 5)])
def test_usage_that_says_half_teaches_no_window(
    windows: Windows, learning: Learning, prompt: int, output: int
) -> None:
    """Where prompt or output is not told, or both are no window, its size is not known."""
    learning.answered(Usage(prompt, output, is_ended_by_window=True), 9000, has_images=False)

    assert known(windows) is None


def test_prompt_that_the_vendor_edited_teaches_no_unit(windows: Windows, learning: Learning) -> None:
    """Where old results were cleared by the vendor, a small count is neither a cut nor another tokenizer."""
    for _ in range(5):
        is_cut = learning.answered(Usage(40_000, 10, is_edited=True), 60_000, has_images=False)
        assert not is_cut
    assert learning.correction == 1.0
    assert not learning.answered(Usage(9000, 10, is_edited=True), 60_000, has_images=False)
    assert known(windows) is None
