"""A model that is left alone stays so for as long as was said, and nobody fills the memory with names."""

from __future__ import annotations

from gateway.engine.summary_rest import LONGEST_S, MAX_RESTS, Rests
from stores import Clock


def test_rest_ends_with_its_time() -> None:
    """It is on until then, and over from then on."""
    clock = Clock()
    rests = Rests(clock)
    rests.begin(("acme", "u", "m"), 10.0)

    clock.now += 9.5
    assert rests.is_on(("acme", "u", "m"))
    assert not rests.is_on(("acme", "u", "other"))
    clock.now += 0.5
    assert not rests.is_on(("acme", "u", "m"))


def test_rest_says_why() -> None:
    """Its reason is that of the rest that lasts; without one there is none."""
    rests = Rests(Clock())
    rests.begin(("m",), 60.0, "denied")
    rests.begin(("m",), 10.0)

    assert (rests.why(("m",)), rests.why(("n",))) == ("denied", "")


def test_longer_rest_counts() -> None:
    """A short one does not cut a long one short, and none lasts for days."""
    clock = Clock()
    rests = Rests(clock)
    rests.begin(("m",), 1e9)
    rests.begin(("m",), 1.0)

    clock.now += LONGEST_S - 1
    assert rests.is_on(("m",))
    clock.now += 1
    assert not rests.is_on(("m",))


def test_oldest_is_forgotten() -> None:
    """Clients choose the names of models; only so many are remembered."""
    rests = Rests(Clock())
    for number in range(MAX_RESTS + 1):
        rests.begin((str(number),), 60.0)

    assert not rests.is_on(("0",))
    assert rests.is_on((str(MAX_RESTS),))
