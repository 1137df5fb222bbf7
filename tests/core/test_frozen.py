"""Frozen values are changed by making another one, whatever they are made with."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import pytest

from gateway.core.frozen import replace


@dataclass(frozen=True)
class _Plain:
    x: int
    y: int = 0


class _Struct(msgspec.Struct, frozen=True):
    x: int
    y: int = 0


@pytest.mark.parametrize("kind", [_Plain, _Struct])
def test_another_one_is_made_and_the_first_stays(kind: type[_Plain] | type[_Struct]) -> None:
    """The fields that are named have other values, the others the same, and nobody's value has changed."""
    first = kind(1, 2)
    assert replace(first, y=3) == kind(1, 3)
    assert first == kind(1, 2)


@pytest.mark.parametrize("kind", [_Plain, _Struct])
def test_field_that_there_is_not_is_refused(kind: type[_Plain] | type[_Struct]) -> None:
    """A misspelt name changes nothing in silence."""
    with pytest.raises(TypeError):
        replace(kind(1), z=3)
