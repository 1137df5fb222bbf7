"""The text under each field, which help pages and tables are made of."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.fields import documented


@dataclass
class Sample:
    """What is documented."""

    first: int = 1
    """What it is.

    And more.
    """
    second: int = 2
    third: int = 3
    """The last one."""
    fourth: int = 4
    5  # noqa: B018 (a literal that is no text)

    CONSTANT = 6
    """Not a field."""

    def method(self) -> None:
        """Not a field either."""


def test_text_stands_under_its_field() -> None:
    """Each field is explained by what stands under it, and by nothing else."""
    assert documented(Sample) == {
        "first": "What it is.\n\nAnd more.",
        "second": "",
        "third": "The last one.",
        "fourth": "",
    }


def test_order_is_that_of_the_class() -> None:
    """A help page lists the fields as their author ordered them."""
    assert list(documented(Sample)) == ["first", "second", "third", "fourth"]


class Bare:
    """A class without fields."""


def test_class_without_fields_has_none() -> None:
    """There is nothing to say about an empty class."""
    assert documented(Bare) == {}
