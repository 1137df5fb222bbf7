"""What a summary is held against: all that its summariser was given, and what of that has to be in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gateway.core.conversation import Kind as BlockKind
from gateway.core.conversation import Message, Role
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.summary.identifiers import Identifier, Sort, Text, identifiers
from gateway.core.summary.measures import unit

MOST_WANTED = 24
"""A summary of a long conversation cannot hold every identifier: so many are looked for."""

# Of these one value takes the place of another. A task that was done is gone too, but may well be told.
_STATES = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE, Kind.VALUE))
_REPLACED = frozenset((Sort.MEASURE, Sort.NUMBER, Sort.LINK))
_RULES = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE))
_DECIDED = 3
"""What an identifier weighs that stands in the ledger; in what a user said it weighs 1 each time."""
_HEAD_CHARS = 3000
_TAIL_CHARS = 1000
_PASTED_CHARS = 8000
"""A longer text was pasted: only what stands at its ends is the user's own word."""


@dataclass(frozen=True)
class Source:
    """What a summary is made of."""

    text: Text
    """Everything that was said, also in calls and results, and what is known from before."""
    tokens: int
    """Of the messages and the earlier summary, in our count."""
    wanted: tuple[Identifier, ...] = ()
    """Identifiers that were decided or that users named, most often and latest first."""
    rules: tuple[str, ...] = ()
    """Prohibitions, limits and rules in force, in the users' words."""
    replaced: Mapping[Identifier, tuple[Identifier, ...]] = field(default_factory=dict)
    """Values that hold no longer, each with those in force of which one may have taken its place."""
    ask: str = ""
    """The latest request, where it is to be in the summary."""

    @classmethod
    def of(
        cls,
        messages: Sequence[Message],
        *,
        previous: str = "",
        previous_tokens: int = 0,
        current: Sequence[Entry] = (),
        gone: Sequence[Entry] = (),
        ask: str = "",
    ) -> Source:
        """Return what a summary of *messages* is held against.

        *previous*: the earlier summary, or partial summaries, that it is made of too. *current* and *gone*
        are what `ledger.settle` says of the conversation: what was replaced is not asked for. *ask* is empty
        where the latest request stays beside the summary as it came.
        """
        texts = [block.text for message in messages for block in message.blocks if _is_said(block.kind)]
        names = [block.name for message in messages for block in message.blocks if block.name]
        known = [entry.text for entry in (*current, *gone)]
        own = [part for message in messages if message.role is Role.USER for part in _own(message.text)]
        return cls(
            Text.of((*texts, *dict.fromkeys(names), previous, *known, ask)),
            sum(message.tokens for message in messages) + previous_tokens,
            tuple(_wanted(own, [*_own(previous)], current, gone)),
            tuple(entry.text for entry in current if entry.kind in _RULES and entry.is_sure),
            _replaced(current, gone),
            ask,
        )


def _is_said(kind: BlockKind) -> bool:
    return kind in (BlockKind.TEXT, BlockKind.TOOL_CALL, BlockKind.TOOL_RESULT)


def _own(text: str) -> Iterator[str]:
    """Yield what of a text is likely to be its author's own words."""
    if len(text) <= _PASTED_CHARS:
        yield text
    else:
        yield from (text[:_HEAD_CHARS], text[-_TAIL_CHARS:])


def _replaced(current: Iterable[Entry], gone: Iterable[Entry]) -> dict[Identifier, tuple[Identifier, ...]]:
    now = dict.fromkeys(found for entry in current for found in identifiers(entry.text))
    before = (found for entry in gone if entry.kind in _STATES for found in identifiers(entry.text))
    pairs = {
        old: tuple(new for new in now if new.sort is old.sort and unit(new.text) == unit(old.text))
        for old in before
        if old.sort in _REPLACED and old not in now
    }
    return {old: rivals for old, rivals in pairs.items() if rivals}


def _wanted(
    said: Sequence[str], before: Iterable[str], current: Sequence[Entry], gone: Sequence[Entry]
) -> Iterator[Identifier]:
    weights: Counter[Identifier] = Counter()
    latest: dict[Identifier, int] = {}
    for texts, weight in ((before, 1), (said, 1), ([entry.text for entry in current], _DECIDED)):
        for text in texts:
            here = [found for found in identifiers(text) if not found.is_rough]
            weights.update(dict.fromkeys(here, weight))
            latest |= dict.fromkeys(here, len(latest))
    over = {found for entry in gone for found in identifiers(entry.text)}
    over -= {found for entry in current for found in identifiers(entry.text)}
    left = (found for found in weights if found not in over)
    yield from sorted(left, key=lambda found: (-weights[found], -latest[found]))[:MOST_WANTED]
