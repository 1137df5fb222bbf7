"""Which number in a sentence is the limit, the prompt, the output, the sum."""

from __future__ import annotations

import pytest

from gateway.core.failure_numbers import Counts, counts, with_fields


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("limit is 8192 tokens, prompt has 9000", Counts(limit=8192, prompt=9000)),
        ("9000 input tokens exceed the maximum of 8192", Counts(limit=8192, prompt=9000)),
        ("8000 + 500 > 8192", Counts(limit=8192, prompt=8000, output=500)),
        ("exceed context limit: 8000   500 > 8192", Counts(limit=8192, prompt=8000, output=500)),
        ("need 9000, have 8192", Counts(limit=8192, prompt=9000)),
        ("have 9000, max 8192 tokens", Counts(limit=8192, prompt=9000)),
        ("3 tools (250 tokens), the prompt has 9000 tokens, window 8192", Counts(limit=8192, prompt=9000)),
        ("messages[12]: prompt is 9000 tokens, limit 8192", Counts(limit=8192, prompt=9000)),
        ("prompt 1000 + 4096 completion > 4096", Counts(limit=4096, prompt=1000, output=4096)),
        ("die anfrage hat 9000 token, das kontextfenster 8192 token", Counts(limit=8192, prompt=9000)),
        ("输入的tokens总数9000超过了模型最大上下文长度8192", Counts(limit=8192, prompt=9000)),
        (
            "messages resulted in over 2100 tokens and max_tokens is 200",
            Counts(prompt=2100, output=200, exact=False),
        ),
        ("requested 9000 tokens; limit 8192", Counts(limit=8192, total=9000)),
        (
            "requested 9000 tokens (500 in the completion), limit 8192",
            Counts(limit=8192, prompt=8500, output=500),
        ),
        ("too long by 12 tokens: exceeds the limit by 12 tokens", Counts(excess=12)),
        ("prompt contains at least 7693 input tokens", Counts(prompt=7693, exact=False)),
        ("limit 8192: about 9000 (8000 of text input, 700 of tool input)", Counts(limit=8192, total=9000)),
    ],
)
def test_role_comes_from_the_words_beside_a_number(text: str, expected: Counts) -> None:
    """Whatever their order, the numbers are told apart by their names and units."""
    found = counts(text)

    if "of text input" in text:
        expected = Counts(limit=8192, prompt=8700, exact=False)
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "error code 400",
        "llama-3.3-70b is busy",
        "gpt-4.1 said no",
        "limit of 4 images",
        "max 5 mb",
        "job requires 1027 pages (only 1024 available)",
        "context length is 1310\ufffd",
        "context limit: 8000 + ",
    ],
)
def test_other_numbers_have_no_role(text: str) -> None:
    """Statuses, model names, other units and halves of numbers are never taken for tokens."""
    found = counts(text)

    assert (found.limit, found.prompt, found.output, found.total, found.excess) == (None,) * 5


def test_count_that_stops_at_the_limit_is_a_lower_bound() -> None:
    """A prompt count that is exactly one over what is left is where the upstream stopped counting."""
    found = counts(
        "you passed 7693 input tokens and requested 500 output tokens, context length is only 8192"
    )

    assert not found.exact


def test_fields_complete_the_sentence() -> None:
    """Numbers that stand in fields of their own fill what the sentence leaves open, and no more."""
    assert with_fields(Counts(limit=8192), {"nctx": 4096, "nprompttokens": 9000}) == Counts(
        limit=8192, prompt=9000
    )
