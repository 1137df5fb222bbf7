"""How far what was written about the beginning of a client's list reaches in a view of it.

Other steps may have changed, joined or left out some of its messages since.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gateway.core.conversation import Conversation
from gateway.strategies.base import newest, round_start
from gateway.strategies.place import is_digest


def reach(view: Conversation, length: int) -> int:
    """Return the index after the last message that is surely one of the client's first *length*.

    It never begins in a round, and what no successful call has seen stays.
    """
    known = [(at, message.origin) for at, message in enumerate(view.messages) if message.origin is not None]
    before = [pair for pair in known if pair[1] < length]
    after = next((pair for pair in known if pair[1] >= length), None)
    at, number = before[-1] if before else (-1, -1)
    # No round lies on both sides of the number: its results are there with its call, whatever they say now.
    stop = next((span.stop for span in view.rounds if at in range(span.start, span.stop)), at + 1)
    if after is not None and (after[1] == length or _is_whole((at, number), after)):
        # Those in between have changed, but what comes after them tells which they are.
        stop = after[0] - (after[1] - length)
    stop = round_start(view, min(stop, newest(view)))
    return stop if _most_told(view, stop, known) <= length else 0


def _is_whole(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether none of the client's messages is missing between two, given by place and number."""
    return other[0] - one[0] == other[1] - one[1]


def _most_told(view: Conversation, stop: int, known: Sequence[tuple[int, int]]) -> int:
    """Return the number below which are all messages that a digest before *stop* may tell of.

    Behind it there may be a request that was kept, and only then what is younger than the digest.
    """
    digest = next((at for at in range(stop - 1, -1, -1) if is_digest(view.messages[at])), None)
    if digest is None:
        return 0
    first, *later = [pair for pair in known if pair[0] > digest][:2] or [(0, sys.maxsize)]
    return first[1] if later and _is_whole(first, later[0]) else later[0][1] if later else sys.maxsize
