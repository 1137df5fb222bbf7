"""What one exchange teaches: of refusals, of silence, of answers."""

from __future__ import annotations

import pytest

from gateway.core.failures import BodyTooLarge, OutputTooLarge, Overflow
from gateway.core.frozen import replace
from gateway.engine.learning import Learning
from gateway.engine.refusal import Refusal, Told
from gateway.engine.window import Source, Window
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


def known(windows: Windows, scope: str = "") -> int | None:
    """Return the window that the next request is planned with."""
    return windows.window(Policy(name="p"), UP, MODEL, scope).tokens


def test_refusal_teaches_window_and_unit(windows: Windows, learning: Learning) -> None:
    """A limit and an exact count tell how large the window is and how the upstream counts."""
    learning.refused(Overflow(limit=8000, prompt=12_000), Refusal(10_000, Told.MARKED))

    assert (known(windows), learning.correction) == (8000, 1.2)


def test_lower_bound_only_makes_careful(windows: Windows, learning: Learning) -> None:
    """A count that stopped at the limit is believed where it is above ours, and not where it is below."""
    bound = Overflow(limit=8000, prompt=7001, output=1000, exact=False)
    learning.refused(bound, Refusal(20_000, Told.MARKED))
    assert (known(windows), learning.correction) == (8000, 1.0)
    learning.refused(bound, Refusal(6000, Told.MARKED))
    assert learning.correction == pytest.approx(7001 / 6000)


def test_images_do_not_teach_how_text_is_counted(windows: Windows, learning: Learning) -> None:
    """What a vendor takes for an image says nothing of its words."""
    learning.refused(Overflow(limit=8000, prompt=12_000), Refusal(4000, Told.MARKED, has_images=True))
    learning.answered(Usage(12_000, 1), 4000, has_images=True)

    assert learning.correction == 1.0


def test_refusal_that_contradicts_our_count_is_believed(windows: Windows, learning: Learning) -> None:
    """Where a limit is named that what was sent is far below, what was sent is too much all the same."""
    learning.refused(Overflow(limit=131_072, prompt=537_812), Refusal(14_000, Told.MARKED))
    assert known(windows) is None
    learning.accepted(7000)

    assert known(windows) == 13_300


def test_other_refusals_teach_no_window(windows: Windows, learning: Learning) -> None:
    """Bytes and output caps are no windows."""
    learning.refused(BodyTooLarge(2_000_000), Refusal(10_000, Told.MARKED))
    learning.refused(OutputTooLarge(4096), Refusal(10_000, Told.MARKED))

    assert known(windows) is None


def test_silence_teaches_once_a_smaller_form_is_answered(windows: Windows, learning: Learning) -> None:
    """An empty answer may have any reason; that half of it was answered tells that it was the size."""
    learning.refused(Overflow(), Refusal(10_000, Told.UNSAID))
    assert known(windows) is None
    learning.accepted(5000)
    assert known(windows) == 9500


@pytest.mark.parametrize("told", list(Told))
def test_guess_is_dropped_where_every_size_was_refused(windows: Windows, told: Told) -> None:
    """Seen: a call that asks for no output, and so gets none in any size, shrank a model for everybody."""
    refused = Learning(windows, UP, MODEL)
    for tokens in (10_000, 5000, 2000):
        refused.refused(Overflow(), Refusal(tokens, told))
    Learning(windows, UP, MODEL).accepted(1000)

    assert known(windows) is None


@pytest.mark.parametrize("told", list(Told))
def test_same_size_that_was_answered_after_all_teaches_nothing(
    windows: Windows, learning: Learning, told: Told
) -> None:
    """A mishap that does not come again was none of the size, nor was it by what stands in its words."""
    limit = None if told is Told.MARKED else 9000
    learning.refused(Overflow(limit if told is Told.SAID else None), Refusal(10_000, told))
    learning.accepted(10_000)

    assert known(windows) is None


def test_number_in_words_teaches_once_a_smaller_form_is_answered(
    windows: Windows, learning: Learning
) -> None:
    """Seen: a refusal that repeated what a user had written about windows made everybody's 2,048 tokens.

    It counts for the exchange itself: what it sends next is made as small as the words say.
    """
    quoting = Overflow(limit=2048, prompt=2600)
    learning.refused(quoting, Refusal(2000, Told.SAID))
    assert (known(windows), learning.correction) == (None, 1.3)
    assert Learning(windows, UP, MODEL).correction == 1.0
    learning.accepted(1000)
    assert (known(windows, "another"), learning.correction) == (2048, 1.3)


def test_lower_output_confirms_a_number_too(windows: Windows, learning: Learning) -> None:
    """Where it was the output that was too much, the prompt is answered as it was."""
    learning.refused(Overflow(limit=40_000, prompt=14_000, output=30_000), Refusal(14_000, Told.SAID))
    learning.accepted(14_000, output=25_000)

    assert (known(windows), windows.counts_output(UP, MODEL)) == (40_000, True)


def test_what_nobody_named_is_for_those_who_met_it(windows: Windows) -> None:
    """No key's requests make the window smaller for others, whatever they have in them."""
    for failure in (Overflow(), Overflow(limit=4096)):
        learning = Learning(windows, UP, MODEL, "mine")
        learning.refused(failure, Refusal(9000, Told.UNSAID))
        learning.accepted(4000)
    Learning(windows, UP, MODEL, "cut").answered(Usage(2051, 88), 10_000, has_images=False)

    assert [known(windows, scope) for scope in ("mine", "cut", "others")] == [4096, 4096, None]


def test_guess_lies_above_prompts_of_streams_without_usage(windows: Windows) -> None:
    """Seen: after three streams of 7,500 tokens one that ended empty at 5,000 became the window.

    Where no usage tells how long an answered prompt was, our own count of it does.
    """
    for _ in range(3):
        learning = Learning(windows, UP, MODEL)
        learning.accepted(7500)
        learning.answered(None, 7500, has_images=False)
    learning = Learning(windows, UP, MODEL)
    learning.refused(Overflow(), Refusal(5000, Told.UNSAID))
    learning.accepted(2500)

    assert known(windows) is None


@pytest.mark.parametrize(("accepts", "has_images"), [(False, False), (True, True)])
def test_what_was_not_answered_or_cannot_be_counted_disproves_nothing(
    windows: Windows, learning: Learning, accepts: bool, has_images: bool
) -> None:
    """A failure has no usage either, and what images take nobody knows."""
    if accepts:
        learning.accepted(20_000)
    learning.answered(None, 20_000, has_images)
    learning.refused(Overflow(), Refusal(10_000))
    learning.accepted(5000)

    assert known(windows) == 9500


def test_usage_that_cannot_be_the_prompts_forgets_no_window(windows: Windows, learning: Learning) -> None:
    """Seen: 20,000 tokens reported for a prompt of 700 ended the belief in a window of 8,192, for a day."""
    learning.refused(Overflow(limit=8192), Refusal(9000, Told.MARKED))
    learning.answered(Usage(20_000, 1), 700, has_images=False)
    assert known(windows) == 8192
    learning.refused(Overflow(limit=4096), Refusal(9000, Told.MARKED))
    assert known(windows) == 4096


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
    learning.refused(Overflow(limit=8000), Refusal(9000, Told.MARKED))
    learning.answered(Usage(11_000, 5), 10_000, has_images=False)
    assert (known(windows), learning.correction) == (None, 1.1)
    learning.refused(Overflow(limit=9000), Refusal(10_000, Told.MARKED))
    assert known(windows) is None


def test_answer_that_the_window_ended_teaches_its_size(windows: Windows, learning: Learning) -> None:
    """A stream that was out when the window ended it tells the window, however short its prompt was."""
    learning.answered(Usage(20_000, 180_000, is_ended_by_window=True), 20_000, has_images=False)

    assert known(windows) == 200_000


def test_whole_answer_that_filled_the_window_teaches_its_size(windows: Windows, learning: Learning) -> None:
    """One that is taken back teaches the same: nothing was wrong with its short prompt."""
    filled = Overflow(limit=200_000, prompt=20_000, is_filled=True)
    learning.refused(filled, Refusal(20_000, Told.MARKED))

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


def test_exchange_goes_by_its_refusals_at_once(windows: Windows, learning: Learning) -> None:
    """What it sends next is planned with what it was told, though nobody else goes by that yet.

    A guess is no reason to send less than the policy says, and one of next to nothing is none at all.
    """
    policy = Policy(name="p")
    learning.refused(Overflow(), Refusal(500))
    assert learning.known(policy).window == Window(None, Source.UNKNOWN)
    learning.refused(Overflow(), Refusal(10_000))
    assert learning.known(policy).window == Window(9500, Source.GUESSED)
    assert learning.known(replace(policy, window=20_000)).window == Window(20_000, Source.POLICY)
    learning.refused(Overflow(limit=8000, prompt=12_000), Refusal(10_000))
    assert learning.known(replace(policy, window=20_000)).window == Window(8000, Source.LEARNED)
    assert (learning.known(policy).correction.factor, known(windows)) == (1.2, None)
