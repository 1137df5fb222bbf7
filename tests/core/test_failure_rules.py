"""How one sentence is prepared and judged."""

from __future__ import annotations

import pytest

from gateway.core.failure_numbers import counts
from gateway.core.failure_rules import (
    bytes_limit,
    is_overflow,
    is_strong,
    is_vetoed,
    messages_limit,
    output_limit,
    plain,
)
from gateway.core.failure_text import Evidence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Limit: 1,048,576 tokens", "limit: 1048576 tokens"),
        ("128.000 Token", "128000 token"),
        ("a 128k-token window", "a 128000-token window"),
        ("131.5K tokens in a window of 1M", "131500 tokens in a window of 1000000"),
        ("当前 14万 tokens", "当前 140000 tokens"),
        ("a file of 5M", "a file of 5m"),
        ("gpt-3.5-turbo-16k has no such context", "gpt-3.5-turbo-16k has no such context"),
        ("2,05,000 tokens", "205000 tokens"),
        ("llmRequest.h:203: too long", "llmrequest : too long"),
        ("最大（８１９２）", "最大(8192)"),
        ("see https://x.example/rate-limits now", "see   now"),
        ("no (request id: 2025abc)", "no "),
        ("got 'the prompt is too long for me' here", "got  here"),
        ("got 'low' here", "got 'low' here"),
    ],
)
def test_sentence_is_prepared(text: str, expected: str) -> None:
    """Digits are joined, addresses and ids go, and so does what the sentence quotes from the user."""
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("the valid range of max_tokens is [1, 8192]", 8192),
        ("supported range is from 1 (inclusive) to 8193 (exclusive)", 8192),
        ("max_tokens must be less than 8192", 8191),
        ("max_tokens: 64000 > 32000, which is the maximum", 32000),
        ("max_tokens 32000 is not in range 1..8192", 8192),
        ("requested a maximum of 64000 tokens, the limit is 8192", 8192),
        ("max_tokens不能大于8192", 8192),
        ("max_tokens is too large", None),
    ],
)
def test_largest_output_is_read(text: str, limit: int | None) -> None:
    """The largest accepted output is found in each way of saying it, and is never more than what was said."""
    assert output_limit(text) == limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("body exceeds 4.5 mb", 4_500_000),
        ("total message size 2306631 exceeds limit 2097152", 2097152),
        ("sent message larger than max (9437184 vs. 8388608)", 8388608),
        ("prompt exceeds 400000 characters", None),
        ("body too large", None),
    ],
)
def test_largest_body_is_read(text: str, limit: int | None) -> None:
    """A limit in bytes is read with its unit; characters are not bytes."""
    assert bytes_limit(text) == limit


def test_number_of_messages_is_not_a_number_of_tokens() -> None:
    """A limit on the list's length is told from a window."""
    assert messages_limit("too many messages: 1200 exceeds the maximum of 1000 messages per request") == 1000
    assert messages_limit("maximum context length is 8192 tokens") is None


def test_veto_outranks_a_sentence_about_tokens() -> None:
    """Rate, money and load speak of tokens too, and are not cured by a shorter prompt."""
    text = "request exceeds 40000 input tokens per minute"

    assert is_vetoed(400, [], [text])
    assert is_vetoed(429, [], [])
    assert not is_vetoed(400, [], ["prompt is too long"])


def test_numbers_alone_say_overflow() -> None:
    """A prompt above a limit, both in tokens, is an overflow in whatever words."""
    text = "prompt tokens: 9000, limit: 8192"

    assert is_overflow(text, counts(text))
    assert not is_overflow("prompt tokens: 900, limit: 8192", counts("prompt tokens: 900, limit: 8192"))


@pytest.mark.parametrize(
    "text",
    [
        "n must be at most 1 for this prompt, you requested 3",
        "requested prompt logprobs of 30, which is greater than max allowed: 20",
        "max thinking tokens 40000 exceeds limit 32000",
        "the session token exceeds the maximum age of 3600, got 7200",
    ],
)
def test_numbers_of_something_else_say_none(text: str) -> None:
    """What is limited to a few is no window, and a session's or thinking's tokens are not the prompt's."""
    assert not is_overflow(text, counts(text))


def test_counts_in_fields_decide_alone() -> None:
    """llama.cpp names prompt and window in fields of their own, whatever the sentence says."""
    assert is_strong(400, Evidence(counts={"nctx": 4096, "nprompttokens": 5000}), [], ["no"])
    assert not is_strong(400, Evidence(counts={"nctx": 4096}), [], ["no"])
