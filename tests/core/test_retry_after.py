"""An upstream says for how long it wants to be left alone, in one of four ways."""

from __future__ import annotations

import pytest

from gateway.core.retry_after import pause_s, retry_after_s

DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2),
        ({"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:28:20 GMT"}, 20),
        ({"date": DATE, "retry-after": "Wed, 21 Oct 2026 09:28:20 +0200"}, 20),
        ({"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:28:20 -0000"}, 20),
    ],
)
def test_it_is_heard_however_it_is_said(headers: dict[str, str], seconds: float) -> None:
    """In thousandths, in seconds, or as a date, which is measured by its own clock."""
    assert retry_after_s(headers) == seconds


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"retry-after": ""},
        {"retry-after": "inf"},
        {"retry-after": "nan"},
        {"retry-after": "-3"},
        {"retry-after": "soon"},
        {"retry-after": DATE},
        {"date": "yesterday", "retry-after": DATE},
        {"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:00:00 GMT"},
        {"date": DATE, "retry-after": "Wed, 99 Oct 99999 07:00:00 GMT"},
        {"date": DATE, "retry-after": "Wed, 21 Oct 2026 07:28:20 +9999999999999"},
    ],
)
def test_what_cannot_be_used_says_nothing(headers: dict[str, str]) -> None:
    """No number, no end, a time that is over, a date beside no clock."""
    assert retry_after_s(headers) == 0


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {}, 0),
        (429, {"retry-after": "7"}, 7),
        (503, {"retry-after": "7"}, 7),
        (529, {"retry-after-ms": "1500"}, 1.5),
        (503, {}, None),
        (529, {"retry-after": "soon"}, None),
        (500, {"retry-after": "7"}, None),
        (200, {"retry-after": "7"}, None),
    ],
)
def test_busy_is_who_says_slow_down_or_when(
    status: int, headers: dict[str, str], seconds: float | None
) -> None:
    """A server that is down or being restarted may come back at once; one that names a time will not."""
    assert pause_s(status, headers) == seconds
