"""A bounded map of what was put into it last."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(OrderedDict[K, V]):
    """Holds at most *most* entries; of more, those that were put or moved to the end longest ago go.

    >>> seen: Recent[str, int] = Recent(2)
    >>> for number, key in enumerate("abac"):
    ...     seen.put(key, number)
    >>> dict(seen)
    {'a': 2, 'c': 3}
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def put(self, key: K, value: V) -> None:
        """Set an entry, the latest one from now on."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
