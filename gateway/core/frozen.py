"""Frozen values, changed by making another one."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """Return a frozen value with some of its fields exchanged: a dataclass or a struct.

    >>> class Point(msgspec.Struct, frozen=True):
    ...     x: int
    ...     y: int
    >>> replace(Point(1, 2), y=3)
    Point(x=1, y=3)
    """
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.replace(value, **changes)
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]
