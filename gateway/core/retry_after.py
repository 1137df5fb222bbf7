"""How long an upstream asks to be left alone, as the headers of its answer say it.

`retry-after-ms` is OpenAI's; `retry-after` is seconds or a date (RFC 9110, 10.2.3). A date is measured by the
upstream's own clock, its `date`: ours may be wrong, and without it a date says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SLOW_DOWN = 429
_BUSY = frozenset((_SLOW_DOWN, 503, 529))
_UNITS = (("retry-after-ms", 0.001), ("retry-after", 1.0))


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return the seconds that an upstream asks for, names of headers in lower case; 0 if it does not say.

    >>> retry_after_s({"retry-after": "7"})
    7.0
    >>> date, then = "Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:29:30 GMT"
    >>> retry_after_s({"date": date, "retry-after": then})
    90.0
    """
    found = (_number(headers.get(name, "")) * unit for name, unit in _UNITS)
    seconds = next((number for number in found if 0 < number < math.inf), 0.0)
    return seconds or _until(headers.get("retry-after", ""), headers.get("date", ""))


def pause_s(status: int, headers: Mapping[str, str]) -> float | None:
    """Return for how long an answer asks to be left alone, 0: it does not say; None: it does not ask.

    429 asks for it; 503 and 529 may mean other trouble, unless they tell a time (RFC 9110, 15.6.4).

    >>> pause_s(429, {}), pause_s(503, {}), pause_s(503, {"retry-after": "7"})
    (0.0, None, 7.0)
    """
    if status not in _BUSY:
        return None
    return retry_after_s(headers) or (0.0 if status == _SLOW_DOWN else None)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _until(then: str, now: str) -> float:
    first, last = _moment(now), _moment(then)
    return max((last - first).total_seconds(), 0.0) if first is not None and last is not None else 0.0


def _moment(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
