"""Share a number of tokens, or characters, among texts of different sizes."""

from __future__ import annotations

from collections.abc import Sequence


def level(sizes: Sequence[int], total: int) -> int:
    """Return the largest cap under which the sizes add up to no more than *total*: the largest lose first.

    >>> level([10, 500, 300], 400)
    195
    """
    left = total
    for rank, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - rank)
        if size > share:
            return max(0, share)
        left -= size
    return max(sizes, default=0)
