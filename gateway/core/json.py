"""Slices of a JSON text: find, splice, tolerate.

A body is never decoded and encoded again: values are found as slices of the client's bytes and new values
are spliced in between, so whitespace, key order, number formats and escapes stay as they came. Well-formed
bodies take the fast way through msgspec; what only a lenient reader accepts (lone surrogates, 1e400,
duplicate keys, depth) takes a scanner of our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value."""


class Malformed(ValueError):
    """Neither reader understands the text."""


@dataclass(frozen=True, slots=True)
class Member:
    """Where the value of one key of an object stands in its text: *start* up to *stop*."""

    key: str
    start: int
    stop: int


def members(data: bytes) -> list[Member]:
    """Return the members of an object in order of appearance, duplicates included. Raise Malformed."""
    raise NotImplementedError


def elements(data: bytes) -> list[bytes]:
    """Return the elements of an array, as copies of their slices. Raise Malformed."""
    raise NotImplementedError


def decode(data: bytes) -> Any:
    """Return the value, as leniently as the standard library reads it, and invalid UTF-8 replaced. Raise Malformed."""
    raise NotImplementedError


def encode(value: Any) -> bytes:
    """Return the compact JSON of a value; a lone surrogate is written as its escape."""
    raise NotImplementedError


def replace(data: bytes, path: Path, value: bytes) -> bytes:
    """Return the text with the value at *path* exchanged; the rest is the same bytes. Raise KeyError if absent."""
    raise NotImplementedError


def with_member(data: bytes, key: str, value: bytes) -> bytes:
    """Return the object with the value of *key* exchanged, or the member added at the end."""
    raise NotImplementedError


def without_member(data: bytes, key: str) -> bytes:
    """Return the object less the member *key*; the same bytes if it has none."""
    raise NotImplementedError
