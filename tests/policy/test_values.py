"""Plain values into the fields of a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

import pytest

from gateway.policy.document import Source, parse
from gateway.policy.values import check, fill


class Colour(StrEnum):
    """A choice."""

    RED = "red"
    OFF = "off"


@dataclass(frozen=True)
class Inner:
    """A section."""

    a: int = 1
    b: int = 2


@dataclass(frozen=True)
class Outer:
    """One field of each type."""

    flag: bool = False
    number: int = 1
    share: float = 0.5
    text: str = "x"
    names: tuple[str, ...] = ()
    size: int | None = 7
    word: Literal["never", "always"] = "never"
    colour: Colour = Colour.RED
    inner: Inner = Inner()
    sizes: dict[str, int] = field(default_factory=lambda: {"old": 1})

    def problems(self) -> list[str]:
        """Say what is wrong."""
        return [
            "number must be odd",
            "inner.a is odd",
            "all of it is wrong",
            "sizes.gpt-4.1 is small",
        ]


def read(text: str) -> tuple[Outer, list[str]]:
    """Return the values that a file makes, and its problems."""
    source = Source("f")
    outer = fill(Outer(), parse(text.encode(), source), "", source)
    return outer, [str(problem) for problem in source.problems]


def test_every_type_is_read() -> None:
    """A file that says what the types allow becomes exactly these values."""
    text = """
    flag: true
    number: 3
    share: 1
    text: words
    names: [a, b]
    size: auto
    word: always
    colour: off
    inner: {b: 5}
    sizes: {gpt-4.1: 9}
    """
    expected = Outer(
        True, 3, 1.0, "words", ("a", "b"), None, "always", Colour.OFF, Inner(1, 5), {"old": 1, "gpt-4.1": 9}
    )
    outer, problems = read(text)
    assert (outer, problems) == (expected, [])
    assert type(outer.share) is float


def test_nothing_given_changes_nothing() -> None:
    """Keys that are not in a file keep what was there before."""
    source = Source("f")
    assert fill(Outer(number=9), {}, "", source) == Outer(number=9)


@pytest.mark.parametrize(("word", "means"), [("on", True), ("yes", True), ("off", False), ("No", False)])
def test_switches_may_be_words(word: str, means: bool) -> None:
    """A switch is set with on and off as well as with true and false."""
    assert read(f"flag: {word}") == (Outer(flag=means), [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("flag: 1", "flag: expects true or false, not 1; write true"),
        ("flag: maybe", "flag: expects true or false, not 'maybe'"),
        ("number: 1.5", "number: expects a whole number, not 1.5"),
        ("number: true", "number: expects a whole number, not true"),
        ("number: '1'", "number: expects a whole number, not '1'; write 1"),
        ("number: 99999999999999", "number: must be a number of at most 1000000000000, not 99999999999999"),
        ("number:", "number: expects a whole number, not nothing; write one, or leave the key out"),
        ("share: .nan", "share: must be a number of at most 1000000000000, not nan"),
        ("share: -.inf", "share: must be a number of at most 1000000000000, not -inf"),
        ("share: 80%", "share: expects a number, not '80%'; write 0.8"),
        ("text: 5", "text: expects a text, not 5; put it in quotes"),
        ("text: [a]", "text: expects a text, not a list; write a"),
        ("text: [a, b]", "text: expects a text, not a list; write one of them"),
        ("text: 2.5", "text: expects a text, not 2.5; put it in quotes"),
        ("names: a", "names: expects a list, not 'a'; write [a]"),
        ("names: a*", "names: expects a list, not 'a*'; write [\"a*\"]"),
        ("names: 5", "names: expects a list, not 5; write [5]"),
        ("names:", "names: expects a list, not nothing; write [] for none, or leave the key out"),
        (
            "names: {a: 1}",
            "names: expects a list, not keys and values; write each entry behind a dash of its own",
        ),
        ("names: [{a: 1}]", "names[0]: expects a text, not keys and values"),
        ("names: ['']", "names[0]: is empty; write a text, or take the entry out"),
        ("names: [~]", "names[0]: expects a text, not nothing; write one, or take the entry out"),
        ("size:", "size: expects a whole number, not nothing; write one, or leave the key out"),
        ("size: {}", "size: expects a whole number, not keys and values"),
        ("word: allways", "word: cannot be 'allways'; did you mean always?"),
        ("word: 5", "word: cannot be 5; known are: never, always"),
        ("colour: blue", "colour: cannot be 'blue'; known are: off, red"),
        ("inner: 5", "inner: expects keys and values, not 5; known are: a, b"),
        ("inner: {c: 1}", "inner.c: is not known here; known are: a, b"),
        ("inner:", "inner: expects keys and values, not nothing; write them below it, or leave the key out"),
        ("inner: [{a: 1}]", "inner: expects keys and values, not a list; write them without dashes"),
        (
            "inner: {<<: {a: 1}}",
            "inner.<<: is not known here; nothing is merged here: write the keys themselves",
        ),
        ("sizes: 5", "sizes: expects keys and values, not 5; write a whole number behind each name"),
        (
            "sizes: {a: auto}",
            "sizes.a: expects a whole number, not 'auto'; to have the default, leave the key out",
        ),
        ("colour: RED", "colour: cannot be 'RED'; did you mean red?"),
        ("numbre: 5", "numbre: is not known here; did you mean number?"),
    ],
)
def test_wrong_value_is_a_problem_with_its_place(text: str, problem: str) -> None:
    """What is wrong is said in words for the author, and the default stays."""
    assert read(text) == (Outer(), [f"f:1: {problem}"])


def test_all_problems_are_found_at_once() -> None:
    """Nobody has to run the check once per mistake."""
    outer, problems = read("names: [1, a, 2]\nsizes: {x: y, z: 3}\nnumber: x\ninner: {a: x, b: 3}\n")
    assert len(problems) == 5
    assert outer == Outer(names=("a",), sizes={"old": 1, "z": 3}, inner=Inner(1, 3))


def test_what_a_value_says_of_itself_is_reported_at_its_field() -> None:
    """A contradiction is shown at the key that causes it, if one does."""
    source = Source("f", {"top.number": 3, "top.inner": 5})
    check(Outer(), "top", source)
    assert [str(problem) for problem in source.problems] == [
        "f:3: top.number: must be odd",
        "f:5: top.inner.a: is odd",
        "f: top: all of it is wrong",
        "f: top.sizes.gpt-4.1: is small",
    ]
