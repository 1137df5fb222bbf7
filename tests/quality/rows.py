"""The phrasings: what people say that must survive, and what only looks like it.

Each file of `phrasings/` holds the rows of one type in one language. A row is a text with slots for exact
values, and the probes by which it is found again: strings that must all stand within one line or entry of
what is forwarded. They were worded before, and apart from, the code that is judged by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

FOLDER = Path(__file__).parent / "phrasings"

BLIND = FOLDER / "blind"
"""A second collection, for one measurement when the code is done: `all` leaves it out."""

Set = Literal["dev", "held_out", "all", "blind"]
"""`dev` rows may be looked at while code is written, `held_out` rows only judge it, `blind` ones once."""

DECOYS = ("decoy", "revoked")
"""Types that must not be carried as current."""

BAR = ("prohibition", "limit", "rule", "preference", "goal", "value", "outcome", "task", "update")
"""Types of which 99 % must survive. `outcome` is a value that a tool or the assistant stated."""

TYPES = (*BAR, "decision")
"""Types that are to survive."""


@dataclass(frozen=True, slots=True)
class Row:
    """One phrasing."""

    id: str
    type: str
    language: str
    set: str
    text: str
    probe: tuple[str, ...]
    """All of these stand in one line or entry, or the row is lost (for a decoy: it is carried)."""
    before: str = ""
    """What was said earlier, and is replaced or withdrawn by `text`."""
    stale: tuple[str, ...] = ()
    """All of these in one entry: the replaced value stands there as if it were current."""
    by: str = "user"
    """Who says it: `user`, `assistant` or `tool`."""
    form: str = ""
    """For decoys: why it is none of the user's rules."""

    @property
    def is_decoy(self) -> bool:
        """Whether it must not be carried as current."""
        return self.type in DECOYS


@cache
def rows(which: Set = "all") -> tuple[Row, ...]:
    """Return all rows of a set, in the order of the files."""
    folder = BLIND if which == "blind" else FOLDER
    found = (row for path in sorted(folder.glob("*.yaml")) for row in _read(path))
    return tuple(row for row in found if which in ("all", row.set))


def _read(path: Path) -> list[Row]:
    file: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    shared = {"type": file["type"], "language": file["language"]}
    return [
        Row(**{**shared, **row, "probe": tuple(row["probe"]), "stale": tuple(row.get("stale", ()))})
        for row in file["rows"]
    ]
