"""Settle what several people say in one conversation: nobody's word takes the place of another's.

"My order is 4471" said by two people is two orders. Where user messages bear two names or more, what each of
them said stands in the ledger behind the name, and is settled with what the same person said, only. All else,
with the head and what tools and assistants reported, is settled together as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from gateway.core.conversation import Message
from gateway.core.frozen import replace
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.settle import Settled, settle
from gateway.core.speaker import attributed, is_by, named_first, speaker


def several(messages: Iterable[Message], told: Iterable[str]) -> frozenset[str]:
    """Return the names of those who speak; none where there are no two of them.

    *told*: what a digest has of users, each with the name before it if their messages bore any.
    """
    names = {name.lower() for message in messages if (name := speaker(message))}
    if names:
        names.update(name.lower() for text in told if (name := named_first(text)))
    return frozenset(names) if len(names) > 1 else frozenset()


def named(entries: Sequence[Entry], name: str) -> tuple[Entry, ...]:
    """Return what a user says, with the name before it."""
    return tuple(replace(one, text=attributed(one.text, name)) for one in entries)


def settled_apart(
    entries: Sequence[Entry], together: range, names: Collection[str], messages: Sequence[int] = ()
) -> Settled:
    """Return what counts of what each person said; see `settle`."""
    if not names:
        return settle(entries, together, messages=messages)
    parts: dict[str, list[tuple[int, Entry]]] = {}
    for place, one in enumerate(entries):
        name = next((name for name in names if not one.source and is_by(one.text, name)), "")
        parts.setdefault(name, []).append((place, one))
    found = [_settled(part, name, together, messages) for name, part in parts.items()]
    current = tuple(one for part in found for one in part.current)
    gone = tuple(one for part in found for one in part.gone)
    return Settled(current, gone, tuple(one for part in found for one in part.aside))


def _settled(
    part: Sequence[tuple[int, Entry]], name: str, together: range, messages: Sequence[int]
) -> Settled:
    cut = len(name) + 2 if name else 0
    spelled = part[0][1].text[: len(name)]
    bare = [replace(one, text=one.text[cut:]) for _, one in part]
    places = [at for at, (place, _) in enumerate(part) if place in together]
    held = range(places[0], places[-1] + 1) if places else range(0)
    found = settle(bare, held, messages=[messages[place] for place, _ in part] if messages else ())
    if not name:
        return found
    return Settled(named(found.current, spelled), found.gone, named(found.aside, spelled))
