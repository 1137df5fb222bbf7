"""The longest prompts answered lately are remembered, each for a day."""

from __future__ import annotations

from gateway.engine.answered import Answered
from stores import Clock

MODEL, OTHER, THIRD = (("http://upstream/v1", name) for name in "abc")


def test_longest_counts_for_its_time() -> None:
    """A shorter prompt does not take the place of a longer one, until that one is too long ago."""
    clock = Clock()
    answered = Answered(clock, 9, 100.0)
    for tokens in (9000, 20):
        answered.take(MODEL, tokens)
        clock.now += 60
    assert (answered.longest(MODEL), answered.longest(OTHER)) == (0, 0)
    answered.take(MODEL, 20)
    assert answered.longest(MODEL) == 20


def test_models_are_bounded() -> None:
    """Of names without end, those that were answered last are remembered."""
    answered = Answered(Clock(), 2, 100.0)
    for model in (MODEL, OTHER, MODEL, THIRD):
        answered.take(model, 9)
    assert [answered.longest(model) for model in (MODEL, OTHER, THIRD)] == [9, 0, 9]
