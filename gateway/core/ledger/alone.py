"""What a sentence of a user's says by itself, without those around it: what it is worth is told by that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gateway.core.ledger import standing
from gateway.core.ledger.claims import claim
from gateway.core.ledger.compare import may_change
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.find import heard


def kinds(text: str) -> frozenset[Kind]:
    """Return of what kinds is what a text of a user's says, sure or not."""
    return frozenset([entry.kind for entry in _said(text)])


def changes(text: str) -> bool:
    """Return whether a sentence of a user's says, or may say, that something is otherwise than it was.

    >>> changes("8443 then."), changes("The port is 8443.")
    (True, False)
    """
    return any(
        may_change(item) and not standing.is_chat(item.text, item.sentence)
        for item in map(claim, _said(text))
    )


# Asked for its kinds, then for what it changes.
@lru_cache(16)
def _said(text: str) -> Sequence[Entry]:
    return heard(text)[0]
