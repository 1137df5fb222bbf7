"""Exchange old images for a marker that says what they were.

An agent that looks at screens sends one with every round and looks at none but the newest. The image goes
whole, as the text part that the dialect has: format, size in pixels and bytes, or the URL, and an id by which
it can be had again where it could be stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateway.core import json
from gateway.core.conversation import Conversation, Kind, Message, Offload
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy, requests


@dataclass(frozen=True, kw_only=True)
class Images(Strategy):
    """Old images become a marker with format, size and id."""

    light = True

    keep_last: int = 4
    """So many of the newest images stay."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("keep_last")

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest images exchanged for markers, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for index, positions in self._old(view, room).items():
            if excess <= 0:
                break
            message = view.messages[index]
            found = _originals(message, positions) if room.archive else {}
            markers = _markers(message, positions, found, excess, room)
            if markers:
                changes[index] = message.replacing(markers, room.count)
                excess -= message.tokens - changes[index].tokens
                offloads += (found[position] for position in markers if position in found)
        return view.replacing(changes, offloads)

    def _old(self, view: Conversation, room: Room) -> Mapping[int, Sequence[int]]:
        """Return the positions of the old images, by the index of their message."""
        found = [
            (index, position)
            for index, message in enumerate(view.messages)
            for position, block in enumerate(message.blocks)
            if block.kind is Kind.IMAGE
        ]
        spared = requests(view, room.keep)
        old: dict[int, list[int]] = {}
        for index, position in found[: max(0, len(found) - self.keep_last)]:
            if index < view.unseen and index not in spared:
                old.setdefault(index, []).append(position)
        return old


def _markers(
    message: Message, positions: Sequence[int], originals: Mapping[int, Offload], excess: int, room: Room
) -> dict[int, str | None]:
    """Return what takes the place of images, as long as there are too many tokens and it is shorter."""
    markers: dict[int, str | None] = {}
    for position in positions:
        block = message.blocks[position]
        if excess <= 0:
            break
        if block.whole is None or not block.whole.text_type:
            continue
        original = originals.get(position)
        what = block.whole.about
        text = marks.stand_in(what, original.id) if original else marks.stand_in(f"{what}, left out")
        saved = block.tokens - room.count(text)
        if saved > 0:
            markers[position] = text
            excess -= saved
    return markers


def _originals(message: Message, positions: Sequence[int]) -> dict[int, Offload]:
    """Return the parts of a message that are images, as the client wrote them."""
    arrays: dict[json.Path, list[bytes]] = {}
    found: dict[int, Offload] = {}
    for position in positions:
        whole = message.blocks[position].whole
        if whole is None:
            continue
        *container, step = whole.places[0]
        array = tuple(container)
        if array not in arrays:
            arrays[array] = json.elements(json.at(message.raw, array))
        part = arrays[array][int(step)].decode("utf-8", "replace")
        found[position] = Offload(marks.content_id(part), part, message.blocks[position].name)
    return found
