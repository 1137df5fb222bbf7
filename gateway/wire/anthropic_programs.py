"""What a server tool began in one message of a Messages list and goes on with in later ones.

Code that the vendor runs may call the client's tools (programmatic tool calling): the code stands in one
answer, its calls in this and in later ones, each with a `caller`, and its result in the last. A model that
asks a server and the client at once gets the server's result in its next answer, too. The vendor refuses a
call or a result whose beginning is not there. So where a compaction took the beginning, what goes on with it
goes, too: by repair, so that it is stored and not counted, and what comes later as it is written. So do the
results of its calls, and an answer that the list would end with only then. A cache mark on any of it moves to
what stands before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gateway.core import json
from gateway.wire.anthropic_marks import block_of, places, put_back
from gateway.wire.anthropic_system import role_of
from gateway.wire.members import content_of

SERVED = b"_tool_use"
"""Stands in whatever a server was asked for."""

_THOUGHTS = ("thinking", "redacted_thinking")

_GOES_ON = (b"_tool_result", b'"caller"')
"""One of these stands in whatever goes on with what a server was asked for."""

Block = dict[str, Any]


def severed(raws: Sequence[bytes], start: int) -> dict[int, bytes | None]:
    """Return the messages from *start* on without what goes on with something that is not there, by index.

    None: nothing of it stays. Results of calls that go are left to whoever pairs them.
    """
    if not any(sign in raw for raw in raws[start:] for sign in _GOES_ON):
        return {}
    begun: set[str] = set()
    found: dict[int, bytes | None] = {}
    for index, raw in enumerate(raws):
        if SERVED not in raw and not any(sign in raw for sign in _GOES_ON):
            continue
        blocks = _blocks(raw)
        begun |= _asked(blocks, "_tool_use")
        kept = _kept(blocks, _continued(blocks) - begun, set()) if index >= start else range(len(blocks))
        if len(kept) < len(blocks):
            found[index] = _only(raw, kept) if kept else None
            begun -= _asked((block for place, block in enumerate(blocks) if place not in kept), "_tool_use")
    return found


def _continued(blocks: Iterable[Block]) -> set[str]:
    """Return the ids of what these blocks go on with."""
    found: set[str] = set()
    for block in blocks:
        caller = block.get("caller")
        if _is(block, "_tool_result"):
            found.add(str(block.get("tool_use_id")))
        elif isinstance(caller, dict) and "tool_id" in caller:
            found.add(str(caller["tool_id"]))
    return found


def complete(items: Sequence[bytes], came: Sequence[bytes]) -> list[bytes]:
    """Return the items less what goes on with something that is only in the list that *came*.

    That may be empty if nothing in it was asked of a server.
    """
    whole = list(items)
    here = set(map(id, items))
    begun = _begun(raw for raw in came if id(raw) not in here)
    lost = begun - _begun(items) if begun else begun
    return _without(whole, lost) or whole if lost else whole


def _begun(raws: Iterable[bytes]) -> set[str]:
    """Return the ids of what servers were asked for in messages that do not hold the results."""
    found: set[str] = set()
    for raw in raws:
        if SERVED in raw:
            blocks = _blocks(raw)
            answered = {str(block.get("tool_use_id")) for block in blocks if _is(block, "_tool_result")}
            found |= {id for id in _asked(blocks, "_tool_use") if id not in answered}
    return found


def _is(block: Block, ending: str) -> bool:
    return str(block.get("type")).endswith(ending)


def _asked(blocks: Iterable[Block], ending: str) -> set[str]:
    """Return the ids of the calls among these blocks: of all, or of servers' only (`_tool_use`)."""
    return {str(block.get("id")) for block in blocks if _is(block, ending)}


def _without(items: Sequence[bytes], lost: set[str]) -> list[bytes]:
    left: list[bytes] = []
    unasked: set[str] = set()
    waiting = b""
    kept: Sequence[int] = ()
    blocks: list[Block] = []
    for item in items:
        blocks = _blocks(item)
        kept = _kept(blocks, lost, unasked)
        gone = [place for place in range(len(blocks)) if place not in kept]
        # What they began ends in a later message.
        unasked |= _asked((blocks[place] for place in gone), "tool_use")
        lost = lost | _asked((blocks[place] for place in gone), "_tool_use")
        if kept or not blocks:
            left.append(_only(item, kept) if gone else item)
        for path in reversed(places(item) if gone else []):
            if block_of(path) in gone and not _moved(left, json.at(item, path), kept, block_of(path)):
                waiting = json.at(item, path)
    return _to_user(left, not kept and bool(blocks), waiting)


def _to_user(left: list[bytes], is_cut: bool, waiting: bytes) -> list[bytes]:
    """Return what is left less the answers that it ends with only now: the model would go on from them.

    *is_cut*: whether what it ended with is gone. *waiting*: a mark that had no place, if there is one.
    """
    if is_cut:
        while left and role_of(left[-1]) == "assistant":
            waiting = next((json.at(left[-1], path) for path in reversed(places(left[-1]))), waiting)
            left.pop()
    if waiting and left:
        put_back(left, waiting, len(left) - 1)
    return left


def _only(item: bytes, kept: Sequence[int]) -> bytes:
    """Return a message with these of its blocks."""
    raws = json.elements(json.at(item, ("content",)))
    return json.replace(item, ("content",), b"[%s]" % b",".join(raws[place] for place in kept))


def _moved(left: list[bytes], mark: bytes, kept: Sequence[int], place: int) -> bool:
    """Put the mark of a block that is gone on what stood before it; return whether it could be."""
    before = sum(one < place for one in kept)
    return put_back(left, mark, len(left) - 1, before if kept else None)


def _kept(blocks: Sequence[Block], lost: set[str], unasked: set[str]) -> list[int]:
    """Return the places of the blocks that stay: none if only thinking would, or would have moved."""
    gone = {place for place, block in enumerate(blocks) if _goes(block, lost, unasked)}
    thoughts = {place for place, block in enumerate(blocks) if block.get("type") in _THOUGHTS}
    kept = [place for place in range(len(blocks)) if place not in gone]
    if gone and (thoughts.issuperset(kept) or max(thoughts, default=-1) > min(gone)):
        return []
    return kept


def _goes(block: Block, lost: set[str], unasked: set[str]) -> bool:
    kind, caller = str(block.get("type")), block.get("caller")
    if kind == "tool_result":
        return str(block.get("tool_use_id")) in unasked
    if kind.endswith("_tool_result"):
        return str(block.get("tool_use_id")) in lost
    return kind == "tool_use" and isinstance(caller, dict) and str(caller.get("tool_id")) in lost


def _blocks(item: bytes) -> list[Block]:
    """Return the blocks of a message; none if they cannot be read, or it is a text."""
    content = content_of(item)
    listed = content if isinstance(content, list) else []
    return [block if isinstance(block, dict) else {} for block in listed]
