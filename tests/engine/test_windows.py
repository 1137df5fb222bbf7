"""What is believed about a model's window, of whom, and for how long."""

from __future__ import annotations

import pytest

from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.engine.window import Source, Window
from gateway.engine.windows import LEARNED_TTL_S, MODELS_MAX, Windows
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


def test_order_of_trust(windows: Windows) -> None:
    """A policy's word goes before what the upstream said in an error, its list, and the shipped table."""
    model = "gpt-4o"
    found = [windows.window(POLICY, UP, model)]
    windows.listed(UP, {model: 64_000})
    found.append(windows.window(POLICY, UP, model))
    windows.overflowed(UP, model, Overflow(limit=32_000), 40_000)
    found.append(windows.window(POLICY, UP, model))
    policy = replace(POLICY, window=16_000)
    found.append(windows.window(policy, UP, model))
    found.append(windows.window(replace(policy, windows={"gpt-*": 8000}), UP, model))

    assert found == [
        Window(128_000, Source.TABLE),
        Window(64_000, Source.LISTED),
        Window(32_000, Source.LEARNED),
        Window(16_000, Source.POLICY),
        Window(8000, Source.POLICY),
    ]
    assert [window.source.certain for window in found] == [False, True, True, True, True]


def test_smaller_window_that_the_upstream_names_goes_before_the_policys(
    windows: Windows, clock: Clock
) -> None:
    """A policy that says too much would have every long request refused first; a guess is no such word."""
    policy = replace(POLICY, window=12_000)
    windows.overflowed(UP, "guessed", Overflow(), 9000)
    windows.overflowed(UP, "m", Overflow(limit=8192), 9000)
    windows.overflowed(UP, "larger", Overflow(limit=16_000), 17_000)

    assert windows.window(policy, UP, "m") == Window(8192, Source.LEARNED)
    assert windows.window(policy, UP, "larger") == Window(12_000, Source.POLICY)
    assert windows.window(policy, UP, "guessed") == Window(12_000, Source.POLICY)
    clock.now += LEARNED_TTL_S + 1
    assert windows.window(policy, UP, "m") == Window(12_000, Source.POLICY)


def test_policy_names_models_by_glob(windows: Windows) -> None:
    """The first pattern that fits decides; a model that none fits is looked for elsewhere."""
    policy = replace(POLICY, windows={"qwen-7b": 4000, "qwen-*": 32_000})

    assert windows.window(policy, UP, "qwen-7b").tokens == 4000
    assert windows.window(policy, UP, "qwen-72b").tokens == 32_000
    assert windows.window(policy, UP, "nobody-knows-me") == Window(None, Source.UNKNOWN)


def test_same_model_elsewhere_is_another(windows: Windows) -> None:
    """What one server says of its model says nothing of the same model on another server."""
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)

    assert windows.window(POLICY, "http://another/v1", "m").tokens is None


def test_learned_window_expires(windows: Windows, clock: Clock) -> None:
    """After a day the server may have been started with another window, so it is asked again."""
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)
    clock.now += LEARNED_TTL_S
    assert windows.window(POLICY, UP, "m").tokens == 8000
    clock.now += 1
    assert windows.window(POLICY, UP, "m").tokens is None


@pytest.mark.parametrize("limit", [0, 400, 1023, 20_000_001])
def test_implausible_limit_is_not_learned(windows: Windows, limit: int) -> None:
    """A status, a port or a cache size is not taken for a window."""
    windows.overflowed(UP, "m", Overflow(limit=limit), 9000)

    assert windows.window(POLICY, UP, "m").tokens is None


def test_longer_success_forgets(windows: Windows) -> None:
    """A prompt that was answered cannot be longer than the window, so the window was wrong."""
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)
    windows.accepted(UP, "m", 8000)
    assert windows.window(POLICY, UP, "m").tokens == 8000
    windows.accepted(UP, "m", 8001)
    assert windows.window(POLICY, UP, "m").tokens is None


def test_success_says_nothing_of_a_model_nobody_knows(windows: Windows) -> None:
    """Without a window there is none to forget, and nothing to write."""
    windows.accepted(UP, "m", 8000)

    assert windows.take_changes() == []


def test_restart_restores(windows: Windows, clock: Clock) -> None:
    """A new process knows what the last one learned, and how old it is."""
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)
    windows.refused_stream_options(UP, "m")
    for _ in range(3):
        windows.counted(UP, "m", 1000, 1300)
    restarted = Windows(clock)
    restarted.restore(windows.take_changes())

    assert restarted.window(POLICY, UP, "m").tokens == 8000
    assert restarted.correction(UP, "m").factor == 1.3
    assert restarted.entry(UP, "m") == Learned(UP, "m", 8000, clock.now, 1.3, True)
    clock.now += LEARNED_TTL_S + 1
    assert restarted.window(POLICY, UP, "m").tokens is None


def test_what_is_learned_is_written_once(windows: Windows) -> None:
    """Only what has changed since goes to the store."""
    windows.overflowed(UP, "m", Overflow(limit=8000), 9000)
    assert [entry.window for entry in windows.take_changes()] == [8000]
    assert windows.take_changes() == []
    windows.refused_stream_options(UP, "m")
    assert [entry.no_stream_options for entry in windows.take_changes()] == [True]


def test_way_of_counting_is_written_when_it_has_moved(windows: Windows) -> None:
    """Every answer brings a ratio, but a store is not written for each of them."""
    for _ in range(3):
        windows.counted(UP, "m", 1000, 1300)
    assert [entry.correction for entry in windows.take_changes()] == [1.3]
    windows.counted(UP, "m", 1000, 1301)
    assert windows.take_changes() == []
    for _ in range(20):
        windows.counted(UP, "m", 1000, 2000)
    assert [entry.correction for entry in windows.take_changes()] == [2.0]


def test_report_that_teaches_nothing_changes_nothing(windows: Windows) -> None:
    """A ratio that no tokenizer explains is not believed."""
    windows.counted(UP, "m", 1000, 100_000)

    assert windows.correction(UP, "m").factor == 1.0
    assert windows.take_changes() == []


def test_models_are_bounded(windows: Windows) -> None:
    """A client that invents names without end pushes out the oldest, not the memory of the machine."""
    for number in range(MODELS_MAX + 1):
        windows.overflowed(UP, f"m{number}", Overflow(limit=8000), 9000)
        windows.overflowed(UP, f"guess{number}", Overflow(), 9000)

    assert windows.window(POLICY, UP, "m0").tokens is None
    assert windows.window(POLICY, UP, "guess0").tokens is None
    assert windows.window(POLICY, UP, "m1").tokens == 8000
    assert windows.window(POLICY, UP, "guess1").tokens == 8550
    assert windows.window(POLICY, UP, f"m{MODELS_MAX}").tokens == 8000
    assert len(windows.take_changes()) == MODELS_MAX


def test_one_list_is_bounded(windows: Windows) -> None:
    """A model list of any length takes a bounded part of the memory."""
    windows.listed(UP, {f"m{number}": 8000 for number in range(MODELS_MAX + 1)})

    assert windows.window(POLICY, UP, f"m{MODELS_MAX - 1}").tokens == 8000
    assert windows.window(POLICY, UP, f"m{MODELS_MAX}").tokens is None


def test_ways_of_counting_are_bounded(windows: Windows) -> None:
    """Names that a client invents, and a server accepts, push out the oldest way of counting.

    Seen: they were kept for ever, a record for every name.
    """
    for number in range(MODELS_MAX + 1):
        windows.counted(UP, f"m{number}", 1000, 1300)

    assert windows.correction(UP, "m0").factor == 1.0
    assert windows.correction(UP, "m1").factor == 1.3


def test_answered_prompts_are_bounded(windows: Windows) -> None:
    """Of names without end, only the latest keep a window from being learned that they disprove."""
    for number in range(MODELS_MAX + 1):
        windows.accepted(UP, f"m{number}", 9000)
    for model in ("m0", "m1"):
        windows.overflowed(UP, model, Overflow(limit=8000), 8500)

    assert windows.window(POLICY, UP, "m0").tokens == 8000
    assert windows.window(POLICY, UP, "m1").tokens is None


def test_longest_answered_prompt_counts(windows: Windows) -> None:
    """A short prompt after a long one does not make a small window believable; a day later it is."""
    windows.accepted(UP, "m", 9000)
    windows.accepted(UP, "m", 20)
    windows.overflowed(UP, "m", Overflow(limit=8000), 8500)

    assert windows.window(POLICY, UP, "m").tokens is None


def test_model_without_a_way_of_counting_is_restored_too(windows: Windows, clock: Clock) -> None:
    """What was stored before anything was counted is taken in as it is."""
    windows.restore([Learned(UP, "m", window=8000, window_at=clock.now)])

    assert windows.window(POLICY, UP, "m").tokens == 8000
    assert windows.correction(UP, "m").factor == 1.0


def test_limit_that_what_was_sent_is_far_below_is_not_believed(windows: Windows) -> None:
    """One odd refusal of a greeting does not make everybody's window small for a day."""
    windows.overflowed(UP, "m", Overflow(limit=2048, prompt=5000), 10)

    assert windows.window(POLICY, UP, "m").tokens is None


def test_names_that_are_no_models_are_not_remembered(windows: Windows) -> None:
    """A client that sends a megabyte as the model's name takes no memory with it."""
    name = "m" * 1_000_000
    windows.overflowed(UP, name, Overflow(limit=8000), 9000)
    windows.overflowed(UP, name, Overflow(), 9000)
    windows.counted(UP, name, 1000, 1300)
    windows.taken(UP, name, 9000)
    windows.accepted(UP, name, 9000)

    assert windows.window(POLICY, UP, name).tokens is None
    assert windows.take_changes() == []
