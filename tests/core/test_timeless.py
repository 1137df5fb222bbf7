"""Dates and times are told from other numbers, in the forms in which clients write them."""

from __future__ import annotations

import pytest

from gateway.core.timeless import timeless


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-28",
        "2026-11-28 23:41:43.794480",
        "2026-11-28T23:24:53.014+00:00",
        "2026-11-28 (Saturday) 10:00 UTC",
        "Sat Nov 28 2026 23:00:00 GMT",
        "Sat Nov  8 23:41:43 2026",
        "Saturday, November 28, 2026",
        "28 November 2026",
        "Nov 28th, 2026 at 11:05 PM",
        "11/28/2026, 11:05:09 PM",
        "28.11.2026 23:05",
        "2026/11/28",
        "2026年11月28日 星期六",
        "10:00 AM",
    ],
)
def test_time_in_any_form_is_one(text: str) -> None:
    """Whatever library wrote it, the next question's time makes no other conversation."""
    assert timeless(f"The current time is {text}, in Europe.") == "The current time is {time}, in Europe."


@pytest.mark.parametrize(
    "text",
    [
        "Version 1.2.10 listens on 127.0.0.1:8080.",
        "The ratio is 16:9, the address ab:cd:12:34.",
        "See line 10:25:3, never deploy on Friday, and ask again in May 5 times.",
        "Order 2026-11, at most 1000/12/1 pieces.",
    ],
)
def test_other_numbers_are_none(text: str) -> None:
    """What tells two prompts apart still does."""
    assert timeless(text) == text


@pytest.mark.parametrize("text", ["12:", "2026-11-", "Saturday, ", "1 May ", "1" * 10])
def test_long_text_of_beginnings_takes_no_time(text: str) -> None:
    """A megabyte of what looks like dates is read once."""
    assert timeless(text * (1_000_000 // len(text)))
