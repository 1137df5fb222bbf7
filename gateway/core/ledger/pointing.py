"""What "that" and "it" mean: one of the latest entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gateway.core.ledger.claims import Claim
from gateway.core.ledger.compare import gives_instead
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.supersede import is_one_slot

_RECENT = 8
"""So many of the latest entries can be meant by "it"."""


def pointed_at(item: Claim, items: Mapping[int, Claim]) -> list[int]:
    """Return what "that" means: what gives such a value, the latest of a kind, or the last."""
    if item.about and not item.points_back:
        return []
    kinds = item.named_kinds()
    if not kinds:
        meant = next((number for number in _recent(items) if gives_instead(item, items[number])), None)
        if meant is not None:
            return [meant]
    for number in reversed(list(items)):
        other = items[number].entry
        if not other.source and (not kinds or other.kind in kinds):
            return [number]
        if not kinds:
            return []
    return []


def meant_by_it(item: Claim, items: Mapping[int, Claim]) -> list[int]:
    """Return what "it" means, of which another value is given."""
    for number in _recent(items):
        other = items[number].entry
        if other.kind is not Kind.PROHIBITION and is_one_slot(item.entry.text, other.text):
            return [number]
    return []


def _recent(items: Mapping[int, Claim]) -> Iterator[int]:
    """Return the numbers of the latest entries by users, the last one first."""
    latest = list(items)[-4 * _RECENT :]
    return reversed([number for number in latest if not items[number].entry.source][-_RECENT:])
