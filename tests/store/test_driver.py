"""What SQLite's driver raises, translated."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.store.base import StoreError
from gateway.store.driver import border


def test_cause_is_named_in_words(tmp_path: Path) -> None:
    """The owner of a store that cannot be opened reads what is wrong with it."""
    with pytest.raises(StoreError, match="the file cannot be opened"), border():
        sqlite3.connect(f"file:{tmp_path}/none/store.db?mode=ro", uri=True)


def test_unknown_cause_keeps_the_drivers_words() -> None:
    """An error that the table does not know says what SQLite says."""
    with pytest.raises(StoreError, match="no such table: absent"), border():
        sqlite3.connect(":memory:").execute("SELECT * FROM absent")


@pytest.mark.parametrize("error", [OSError("disk"), ValueError("closed"), OverflowError("large")])
def test_other_failures_of_a_store_are_store_errors(error: Exception) -> None:
    """A disk that fails and a connection that is closed look the same to the gateway."""
    with pytest.raises(StoreError) as caught, border():
        raise error
    assert caught.value.__cause__ is error


def test_mistakes_of_ours_are_not_hidden() -> None:
    """A wrong configuration and a bug are not taken for trouble with the disk."""
    with pytest.raises(ConfigError), border():
        raise ConfigError(["later version"])
    with pytest.raises(KeyError), border():
        raise KeyError("bug")
