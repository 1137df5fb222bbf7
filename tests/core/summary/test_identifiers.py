"""Identifiers are found in English and Chinese, and known again when they are written a little otherwise."""

from __future__ import annotations

import pytest

from gateway.core.summary.identifiers import Identifier, Sort, Text, identifiers


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("https://example.org/a/b?c=1", Sort.LINK),
        ("ana@example.org", Sort.LINK),
        ("db.internal:5432", Sort.LINK),
        ("10.0.0.5:8080", Sort.LINK),
        ("src/billing/refund.py", Sort.PATH),
        ("README.md", Sort.PATH),
        ("/etc/hosts", Sort.PATH),
        ("~/notes.txt", Sort.PATH),
        ("C:\\data\\a.csv", Sort.PATH),
        ("OPS-4471", Sort.CODE),
        ("4471-XK", Sort.CODE),
        ("#1042", Sort.CODE),
        ("9f3ab21c0d", Sort.CODE),
        ("550e8400-e29b-41d4-a716-446655440000", Sort.CODE),
        ("acc_83hf92kd", Sort.CODE),
        ("max_retries", Sort.NAME),
        ("DB_HOST", Sort.NAME),
        ("2026-11-28", Sort.NUMBER),
        ("v2.4.1", Sort.NUMBER),
        ("13800138000", Sort.NUMBER),
        ("500 EUR", Sort.MEASURE),
        ("$1,200", Sort.MEASURE),
        ("45%", Sort.MEASURE),
        ("30 s", Sort.MEASURE),
        ("3000元", Sort.MEASURE),
        ("2小时", Sort.MEASURE),
    ],
)
def test_identifier_is_found(text: str, sort: Sort) -> None:
    """In a sentence, at its end, in quotes, and in Chinese without any space."""
    for sentence in (f"It is {text} now", f"It is {text}.", f"It is `{text}`, so", f"这是{text}，谢谢"):
        assert Identifier(sort, text) in identifiers(sentence), sentence


@pytest.mark.parametrize(
    "text",
    [
        "and/or, client/server, read/write",
        "e.g. this, i.e. that, etc.",
        "UTF-8 and SHA-256 with Node.js",
        "3 files, 2 tests, step 4",
        "in_progress: 80% complete",
        "The user said no. Then yes.",
    ],
)
def test_ordinary_words_are_none(text: str) -> None:
    """Slashes, dots and digits alone make no identifier."""
    assert identifiers(text) == ()


def test_about_so_much_is_rough() -> None:
    """What was rounded cannot be compared."""
    assert [found.is_rough for found in identifiers("about 20 minutes, 约500元, 30 s")] == [True, True, False]


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("https://example.org/a/", "see http://www.example.org/a for it"),
        ("refund.py", "src/billing/refund.py"),
        ("src/billing/refund.py", "cd src/billing && cat refund.py"),
        ("C:/data/a.csv", '{"path": "C:\\\\data\\\\a.csv"}'),
        ("OPS-4471", "ops 4471"),
        ("order_id", "the order id"),
        ("v2.4.1", "version 2.4.1"),
        ("2026-12-01", "the 1st of 12, 2026"),
        ("1,200 EUR", "1200.00 euros"),
        ("3 days", "for three days"),
        ("2小时", "等两个小时"),
        ("+49-30-901820", "+49 30 901820"),
    ],
)
def test_same_identifier_written_otherwise_is_there(said: str, there: str) -> None:
    """A summary may leave out a folder, a scheme, a unit, and still mean the same."""
    (identifier,) = identifiers(said)

    assert Text.of([there]).has(identifier)


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("OPS-447", "OPS-4471"),
        ("OPS-4471", "OPS-4472"),
        ("src/payments/refund.py", "src/billing/refund.py"),
        ("refund_test.py", "refund.py and test"),
        ("2.4.1", "2.4.10, 2, 4, 1"),
        ("750 EUR", "500 EUR"),
        ("3 days", "for four days"),
        ("https://example.org/b", "https://example.org/a"),
        ("10.0.0.5:8080", "10.0.0.5:80801"),
        ("2026-12-01", "2026-12-02"),
    ],
)
def test_another_identifier_is_not_there(said: str, there: str) -> None:
    """One digit more or less, another folder, another host: another thing."""
    (identifier,) = identifiers(said)

    assert not Text.of([there]).has(identifier)


@pytest.mark.parametrize("unit", ["a/", "a.", "1,", "$1", "x@", "://", "a:\\", "A1_", "ab12 ", "9 s "])
def test_hostile_megabyte_is_read_in_one_pass(unit: str) -> None:
    """Whatever is repeated, in one word or many, the search ends (a test run would stand still)."""
    text = unit * (1_000_000 // len(unit))

    assert len(identifiers(text)) <= 1000
    assert not Text.of([text]).has(Identifier(Sort.CODE, "OPS-4471"))


def test_what_is_found_is_bounded() -> None:
    """A dump of thousands of identifiers is not taken for a list of what matters."""
    text = " ".join(f"OPS-{n} {n} s" for n in range(5000))

    assert 400 <= len(identifiers(text)) <= 1000


def test_number_among_longer_ones_is_looked_for_in_a_bounded_way() -> None:
    """Nobody can make the search slow with a thousand look-alikes."""
    (identifier,) = identifiers("OPS-447")

    assert not Text.of(["OPS-4471 " * 1000]).has(identifier)


def test_file_is_named_without_its_folder() -> None:
    """Whoever says refund.py has said what src/billing/refund.py is; a mere folder is not enough."""
    text = Text.of(["refund.py in billing"])

    assert text.names(Identifier(Sort.PATH, "src/billing/refund.py"))
    assert text.names(Identifier(Sort.PATH, "C:\\billing\\refund.py"))
    assert not text.has(Identifier(Sort.PATH, "src/billing/refund.py"))
    assert not text.names(Identifier(Sort.PATH, "src/billing"))
