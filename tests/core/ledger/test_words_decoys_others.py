"""Rules of others, as against those that others set for us."""

from __future__ import annotations

import pytest

from gateway.core.ledger.decoys import live

_OF_RULE = {"never", "must", "only", "forbids", "may", "approved"}


@pytest.mark.parametrize(
    "sentence",
    [
        "their handbook says never to store names",
        "acme's policy is that names must be short",
        "my cousin's school forbids phones",
        "rust's borrow rules say you may have one mutable reference",
        "in chess you must never leave your king in check",
        "my novel's villain demands that clocks must stop",
        "roman soldiers must march",
        'from the manual: "you must never open it.',
    ],
)
def test_rule_of_others_is_none(sentence: str) -> None:
    """What others rule among themselves binds nobody here."""
    assert not _OF_RULE & set(live(sentence).split())


@pytest.mark.parametrize(
    "sentence",
    [
        "our handbook says never to store names",
        "the client's contract says that we must store no names",
        "legal told us never to store names",
        "years ago i lost data, so never work without a backup",
        "her contract must be signed",
        "in the story, never mention the king",
    ],
)
def test_rule_that_others_set_for_us_is_one(sentence: str) -> None:
    """Whoever says it: what is demanded of us counts."""
    assert _OF_RULE & set(live(sentence).split())
