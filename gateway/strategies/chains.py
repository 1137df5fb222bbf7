"""The note on a chain of calls: each in one line with what came of it, read back and merged.

The note stands in the place of a result, so what tools said keeps the standing of what tools say, and a
model does not learn from it to write calls as text. The text is made to be read back: an entry begins with
a sign and its further lines are indented, so nothing that was folded into it can look like an entry of its
own. Thinning takes the oldest of what matters least: calls that only looked, then what was said in between,
then failures; then calls that changed something; what a model wrote of them goes last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.strategies import marks

_ABOUT = "This call and those directly before it, in brief; + is what changed something."
_ABOUT_TOLD = "This call and those directly before it; = is by a model, + and * is what changed something."
_ARROW = " → "
_CALL = re.compile(r"(?:(?P<times>\d{1,6})× )?(?P<rest>.*)", re.DOTALL)
_COUNTED = re.compile(r"^(\d+)× ")
_LEFT_OUT = re.compile(r"\[haversack: (?P<entries>\d{1,12}) earlier entries left out\]")
_ALL_OF_IT = re.compile(rf"\[haversack: all of it: GET {marks.ORIGINALS}/(?P<id>sha256-[0-9a-f]{{24}})\]")
_MOST_ORIGINALS = 5
"""An earlier one is named by the text of the one after it."""


class Sort(IntEnum):
    """What an entry is, by how long it stays."""

    LOOK = 0
    SAID = 1
    FAILURE = 2
    CHANGE = 3
    TOLD = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a chain: a call, what the assistant said before one, or a line by a model."""

    text: str
    """The call in one line, or what was said or written."""
    outcome: str = ""
    """What the call came to; nothing is said of what was only said."""
    is_said: bool = False
    is_told: bool = False
    """Whether a model wrote it, of one call or of several."""
    changes: bool = False
    """Whether the call changed something outside of the conversation."""
    times: int = 1

    @property
    def sort(self) -> Sort:
        """What it is."""
        if self.is_said:
            return Sort.SAID
        if self.is_told:
            return Sort.TOLD
        if self.changes:
            return Sort.CHANGE
        return Sort.FAILURE if self.outcome.startswith("error") else Sort.LOOK

    def line(self) -> str:
        """Return the entry as it stands in the note."""
        if self.is_said or self.is_told:
            sign = "> " if self.is_said else "* " if self.changes else "= "
            return sign + self.text.replace("\n", "\n  ")
        times = f"{self.times}× " if self.times > 1 else ""
        return ("+ " if self.changes else "- ") + times + self.text + _ARROW + self.outcome


def call(signature: str, outcome: str, changes: bool) -> Entry:
    """Return the entry of one call."""
    return Entry(_COUNTED.sub(r"\1x ", _plain(signature)), _plain(outcome), changes=changes)


def said(text: str) -> Entry:
    """Return the entry of what the assistant said."""
    return Entry(marks.fenced("\n".join(text.splitlines())).strip(), is_said=True)


def told(text: str, changes: bool) -> Entry:
    """Return the entry of what a model wrote of calls."""
    return replace(said(text), is_said=False, is_told=True, changes=changes)


def _plain(text: str) -> str:
    return " ".join(marks.fenced(text).replace(_ARROW, " -> ").split())


@dataclass(frozen=True, slots=True)
class Chain:
    """What a note says."""

    entries: Sequence[Entry] = ()
    left_out: int = 0
    """How many entries thinning has taken so far."""
    originals: Sequence[str] = ()
    """Ids under which what was folded can be had, oldest first."""

    def text(self) -> str:
        """Return the note that says it."""
        about = _ABOUT_TOLD if any(entry.is_told for entry in self.entries) else _ABOUT
        lines = [marks.CHAIN_START, about, *(entry.line() for entry in self.entries)]
        if self.left_out:
            lines.append(f"[haversack: {self.left_out} earlier entries left out]")
        lines += (f"[haversack: all of it: GET {marks.ORIGINALS}/{id}]" for id in self.originals)
        return "\n".join([*lines, marks.CHAIN_END])


def read(text: str) -> Chain:
    """Return what a note says; what is not understood is passed over."""
    entries: list[Entry] = []
    left_out = 0
    originals: list[str] = []
    for line in text.split("\n"):
        if line[:2] in ("- ", "+ "):
            entries.append(_read_call(line))
        elif line.startswith("> "):
            entries.append(Entry(line[2:], is_said=True))
        elif line[:2] in ("= ", "* "):
            entries.append(Entry(line[2:], is_told=True, changes=line[0] == "*"))
        elif line.startswith("  ") and entries and entries[-1].sort in (Sort.SAID, Sort.TOLD):
            entries[-1] = replace(entries[-1], text=f"{entries[-1].text}\n{line[2:]}")
        elif match := _LEFT_OUT.fullmatch(line):
            left_out += int(match["entries"])
        elif match := _ALL_OF_IT.fullmatch(line):
            originals.append(match["id"])
    return Chain(tuple(entries), left_out, tuple(originals))


def _read_call(line: str) -> Entry:
    match = _CALL.fullmatch(line[2:])
    times, rest = (int(match["times"] or 1), match["rest"]) if match else (1, line[2:])
    signature, arrow, outcome = rest.rpartition(_ARROW)
    return Entry(signature if arrow else rest, outcome if arrow else "", changes=line[0] == "+", times=times)


def merged(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Return the entries with equal calls counted together, where the last of them stood.

    The last outcome is the one that holds; that a call has failed is worth a line beside that it did not.
    """
    found: dict[tuple[str, Sort], Entry] = {}
    for entry in entries:
        key = entry.text, Sort.FAILURE if entry.outcome.startswith("error") else entry.sort
        earlier = found.pop(key, None)
        times = 0 if earlier is None or entry.is_said or entry.is_told else earlier.times
        found[key] = replace(entry, times=entry.times + times) if times else entry
    return tuple(found.values())


def thinned(chain: Chain, max_tokens: int, count: Count) -> Chain:
    """Return the chain within a number of tokens; with no entries at all it may still be longer."""
    excess = count(chain.text()) - max_tokens
    if excess <= 0:
        return chain
    going: set[int] = set()
    for index in sorted(range(len(chain.entries)), key=lambda index: (chain.entries[index].sort, index)):
        if excess <= 0:
            break
        going.add(index)
        excess -= count(chain.entries[index].line())
    kept = tuple(entry for index, entry in enumerate(chain.entries) if index not in going)
    thin = replace(chain, entries=kept, left_out=chain.left_out + len(going))
    return thinned(thin, max_tokens, count) if kept else thin


def joined(chains: Iterable[Chain]) -> Chain:
    """Return several chains, oldest first, as one."""
    parts = list(chains)
    entries = merged(entry for part in parts for entry in part.entries)
    originals = dict.fromkeys(id for part in parts for id in part.originals)
    return Chain(entries, sum(part.left_out for part in parts), tuple(originals)[-_MOST_ORIGINALS:])
