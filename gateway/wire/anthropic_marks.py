"""Cache marks of a Messages list: as many as the vendor takes, and where the client wants them.

The vendor caches nothing that is not marked, looks back some twenty blocks from each mark, and takes four
marks, those of tools, system and the whole request included. So what a rewrite took is put back as far from
the end of the list as it was, and of too many the oldest go: the next request reads from the newest. Marks
are no part of what the vendor compares, so what is frozen may lose its own. A mark that lasts an hour must
not stand behind one that lasts five minutes, so of such two the older goes. What was frozen with an hour's is
sent without, once the client asks for none: it may have shorter ones beside the list, too. None may stand on
thinking, on a text that says nothing, on a call that code made (the model sees none) or on the result of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gateway.core import json
from gateway.wire.members import content_of, object_of

MARKS_MAX = 4

MARK = b'"cache_control"'
"""Stands in whatever bears a mark; inside a text its quotes would be escaped."""

_LONG = b'"1h"'
_UNMARKED = ("thinking", "redacted_thinking")

_CALLER = b'"caller"'
_DIRECT = "direct"
"""What calls that the model made itself have as the type of their caller, if they have one."""


def marked(
    slices: Sequence[bytes], came: Sequence[bytes], beside: Sequence[bytes], bare: Iterable[bytes] = ()
) -> list[bytes]:
    """Return the slices with the marks that those who *came* had, and with no more than are taken.

    *came* may be empty if none of them has one. *beside*: the body before its list, and behind it. *bare*:
    those slices of either list, the very objects, of which it is known that they have none.
    """
    paths = _Paths()
    paths.bare.update(map(id, bare))
    wanted, present = _distances(came, paths), _distances(slices, paths)
    kept = list(slices)
    if not wanted and not present:
        return kept
    if not any(_LONG in mark for mark in wanted.values()) and _drop_long(kept, paths):
        present = _distances(kept, paths)
    for distance in _lost(wanted, present):
        if distance < len(kept):
            put_back(kept, wanted[distance], len(kept) - 1 - distance)
        else:
            mark_all(kept, wanted[distance])
    return _limited(in_order(kept, came, paths), beside, paths)


def put_back(slices: list[bytes], mark: bytes, at: int, place: int | None = None) -> bool:
    """Put a mark on the slice at this index, or on the next before it that can bear one, if there is one.

    Not where another is on the way. *place*: only blocks before it, of the slice itself. Return whether there
    is a mark up to there now.
    """
    called = _called(slices)
    for index in range(at, -1, -1):
        stop = place if index == at else None
        if any(stop is None or block_of(path) < stop for path in places(slices[index])):
            return True
        after = _with_mark(slices[index], mark, called, stop)
        if after is not None:
            slices[index] = after
            return True
    return False


def mark_all(slices: list[bytes], mark: bytes) -> None:
    """Mark the whole of a list that bears no mark: with that of what stood before all that is left of it."""
    if slices and not any(map(places, slices)):
        put_back(slices, mark, len(slices) - 1)


def in_order(items: Sequence[bytes], came: Sequence[bytes], paths: _Paths | None = None) -> list[bytes]:
    """Return slices or items without the marks behind which now stands one that lasts longer.

    Where the list that *came* has such, its upstream takes them, and they stay. *paths*: where marks are, as
    far as it is known.
    """
    kept, paths = list(items), _Paths() if paths is None else paths
    outlived = _outlived(kept, paths)
    if any(outlived.values()) and not any(_outlived(came, paths).values()):
        _edit(kept, outlived)
    return kept


class _Paths(dict[int, tuple[bytes, list[json.Path]]]):
    """Where the marks of a slice are. Most slices are in both lists, and looked through once."""

    def __init__(self) -> None:
        self.bare: set[int] = set()
        """Of which slices it is known that they have none."""

    def bearers(self, slices: Sequence[bytes]) -> list[int]:
        """Return the indices of the slices that may bear marks: of hundreds a few."""
        bare = self.bare
        return [index for index, raw in enumerate(slices) if id(raw) not in bare and MARK in raw]

    def of(self, raw: bytes) -> list[json.Path]:
        """Return the paths to the marks in a slice."""
        found = self.get(id(raw))
        if found is None:
            # Kept with the slice, whose identity would be another's if it were gone.
            found = self[id(raw)] = raw, places(raw)
        return found[1]


def _distances(slices: Sequence[bytes], paths: _Paths) -> dict[int, bytes]:
    """Return the marks of these slices by how many slices stand behind theirs, newest first."""
    found: dict[int, bytes] = {}
    for index in reversed(paths.bearers(slices)):
        if marks := paths.of(slices[index]):
            found[len(slices) - 1 - index] = json.at(slices[index], marks[-1])
    return found


def places(raw: bytes) -> list[json.Path]:
    """Return where the marks of a message are, in order."""
    if MARK not in raw:
        return []
    try:
        return list(_marks(json.decode(raw)))
    except (json.Malformed, RecursionError):
        return []


def block_of(path: json.Path) -> int:
    """Return in which block of its message a mark is."""
    return int(path[1])


def _marks(value: Any, path: json.Path = ()) -> Iterator[json.Path]:
    """Yield where the marks of the blocks of a message are, and of those inside a result."""
    blocks = value.get("content") if isinstance(value, dict) else None
    for place, block in enumerate(blocks if isinstance(blocks, list) else ()):
        here = (*path, "content", place)
        yield from _marks(block, here)
        if isinstance(block, dict) and block.get("cache_control") is not None:
            yield (*here, "cache_control")


def _lost(wanted: dict[int, bytes], present: dict[int, bytes]) -> list[int]:
    """Return the distances at which marks are missing: as many as were lost, and the newest in any case."""
    missing = [distance for distance in wanted if distance not in present]
    has_lost_newest = bool(missing) and missing[0] < min(present, default=missing[0] + 1)
    return missing[: max(len(wanted) - len(present), int(has_lost_newest))]


def _with_mark(raw: bytes, mark: bytes, called: set[str], stop: int | None = None) -> bytes | None:
    """Return the message with a mark on its last block before *stop* that can bear one; None if none can."""
    content = content_of(raw)
    if isinstance(content, str) and content.strip():
        block = b'[{"type":"text","text":%s,"cache_control":%s}]' % (json.at(raw, ("content",)), mark)
        return json.replace(raw, ("content",), block)
    blocks = content[:stop] if isinstance(content, list) else []
    able = [place for place, block in enumerate(blocks) if _can_bear(block, called)]
    if not able:
        return None
    path = ("content", able[-1])
    return json.replace(raw, path, json.with_member(json.at(raw, path), "cache_control", mark))


def _can_bear(block: Any, called: set[str]) -> bool:
    if not isinstance(block, dict) or block.get("type") in _UNMARKED:
        return False
    if str(block.get("tool_use_id" if block.get("type") == "tool_result" else "id")) in called:
        return False
    return block.get("type") != "text" or bool(str(block.get("text")).strip())


def _called(slices: Sequence[bytes]) -> set[str]:
    """Return the ids of the calls that were made by code."""
    contents = [content_of(raw) for raw in slices if _CALLER in raw]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return {
        str(block.get("id"))
        for block in blocks
        if isinstance(block, dict)
        and isinstance(block.get("caller"), dict)
        and block["caller"].get("type") != _DIRECT
    }


def _drop_long(slices: list[bytes], paths: _Paths) -> bool:
    """Take the marks that last an hour out of these slices; return whether there were any."""
    gone = {index: paths.of(slices[index]) for index in paths.bearers(slices)}
    long = {
        index: [path for path in found if _LONG in json.at(slices[index], path)]
        for index, found in gone.items()
    }
    _edit(slices, long)
    return any(long.values())


def _outlived(slices: Sequence[bytes], paths: _Paths) -> dict[int, list[json.Path]]:
    """Return the marks of these slices behind which stands one that lasts longer, by index."""
    found: dict[int, list[json.Path]] = {}
    is_before_longer = False
    for index in reversed(paths.bearers(slices)):
        for path in reversed(paths.of(slices[index])):
            is_long = _LONG in json.at(slices[index], path)
            if is_before_longer and not is_long:
                found.setdefault(index, []).append(path)
            is_before_longer |= is_long
    return found


def _edit(slices: list[bytes], gone: dict[int, list[json.Path]]) -> None:
    for index, marks in gone.items():
        slices[index] = json.edit(slices[index], dict.fromkeys(marks))


def _limited(slices: list[bytes], beside: Sequence[bytes], paths: _Paths) -> list[bytes]:
    """Return the slices less the oldest of too many marks."""
    found = {index: paths.of(slices[index]) for index in paths.bearers(slices)}
    number = sum(map(len, found.values()))
    over = number + sum(part.count(MARK) for part in beside) - MARKS_MAX
    if over > 0:
        over = min(over, max(0, number + _beside(beside) - MARKS_MAX))
    for index, marks in found.items():
        gone = marks[: max(0, over)]
        if gone:
            _edit(slices, {index: gone})
            over -= len(gone)
    return slices


def _beside(parts: Sequence[bytes]) -> int:
    """Return how many marks tools, system and the request itself bear."""
    value = object_of(b"[]".join(parts))
    bearers: list[Any] = [value]
    for key in ("tools", "system"):
        listed = value.get(key)
        bearers += listed if isinstance(listed, list) else []
    return sum(isinstance(one, dict) and one.get("cache_control") is not None for one in bearers)
