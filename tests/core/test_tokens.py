"""Counts equal the vocabulary's for ordinary text, and no text takes long or raises."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.core.tokens import PIECE, Counter, Sizes, estimating, pieces
from gateway.engine.vocabulary import by_library

ENCODINGS = ("o200k_base", "cl100k_base")

PROSE = "The gateway keeps a conversation inside its window; nobody's rules are lost (not even yours).\n\n"
CODE = "    def fit(view: View, budget: int=4096) -> View:\n        return view if x2 <= 10_000 else None\n"
MARKDOWN = "## Heading 3\n\n- *item* `code`: [link](https://example.org/a/b?c=1)\n\n| a | b |\n|---|---|\n"
CHINESE = (
    "我们今天讨论一下，如何在有限的上下文窗口里保存重要的信息。首先（其次）需要「理解」模型的限制；然后……\n"
)
MINIFIED = "function(a,b){var c=[1,2,3];return c.map(x=>x*a+b).filter(Boolean)};let $k='it''s';"
EMOJI = "Deploy done 🎉🎉 👨‍👩‍👧 all green ✅ — ship it 🚀🚀🚀!\n"

# What makes splitting hard: contractions, marks, case changes, every kind of white space, slashes.
NASTY = st.text(
    st.sampled_from(
        "aAbZé1²५中あ'’sdtSTRVEmllſ _-/!，。.\"#\n\r\t\x0b\x1c\x85\u00a0\u2028\u3000\u0301\u200d😀\0"
    ),
    max_size=60,
)


@cache
def counter(encoding: str) -> Counter:
    """Return a counter with the real vocabulary."""
    return Counter(by_library(encoding))


class Recorder:
    """What counts every character as a token, and remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def __call__(self, text: str) -> int:
        self.given.append(text)
        return len(text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("unit", [PROSE, CODE, MARKDOWN, CHINESE, MINIFIED, EMOJI])
def test_ordinary_text_has_exactly_the_count_of_the_vocabulary(encoding: str, unit: str) -> None:
    """A long text of an ordinary kind is counted as if the vocabulary had seen it whole."""
    text = (unit * (100_000 // len(unit))) + PROSE

    assert counter(encoding).length(text) == counter(encoding).count(text)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=300, deadline=None)
@given(text=NASTY)
def test_cutting_at_a_good_place_changes_no_count(encoding: str, text: str) -> None:
    """However strange the characters around it, a cut that was not forced lies between two tokens."""
    length = counter(encoding).length
    parts = list(pieces(text, size=6, slack=6))
    forced = sum(len(part) == 6 for part in parts[:-1])

    assert "".join(parts) == text
    if not forced:
        assert sum(map(length, parts)) == length(text)


@given(text=st.text(max_size=200), size=st.integers(2, 40))
def test_pieces_are_the_text_and_none_is_too_long(text: str, size: int) -> None:
    """Nothing is lost or repeated between pieces, and every piece is short."""
    parts = list(pieces(text, size=size, slack=size // 2))

    assert "".join(parts) == text
    assert all(0 < len(part) <= size for part in parts[:-1])


@pytest.mark.parametrize("text", ["x" * 1_000_000, "aB" * 500_000, " " * 1_000_000, "\n" * 1_000_000])
def test_the_encoder_never_sees_a_long_text(text: str) -> None:
    """A megabyte without a single place to cut is given to the encoder in short pieces, equal ones once."""
    length = Recorder()

    assert Counter(length).count(text) == len(text)
    assert max(map(len, length.given)) == PIECE
    assert len(length.given) <= 2


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "unit", ["x", " ", "\n", "\t", "!", "中", "aB", "e\u0301", "\u3000", "\0", "\r\n", "😀", "/"]
)
def test_forced_cuts_cost_almost_nothing(encoding: str, unit: str) -> None:
    """A text without any good place to cut is still counted to within one token per piece."""
    text = (unit * 20_000)[:20_000]
    whole = counter(encoding).length(text)

    assert abs(counter(encoding).count(text) - whole) <= len(text) / PIECE + 1


def test_a_megabyte_of_spaces_is_counted() -> None:
    """What makes the tokenizer panic as a whole is counted like anything else."""
    assert counter("o200k_base").count(" " * 1_000_000) < 10_000


@pytest.mark.parametrize("text", ["\ud83d", "half an emoji \ud83d!", "\ude00\ud83d" * 3000, "\0" * 9])
def test_text_that_is_no_unicode_is_counted(text: str) -> None:
    """A lone surrogate or NUL costs tokens like the replacement character; it is no error."""
    assert counter("o200k_base").count(text) > 0


def test_a_strict_encoder_gets_valid_text() -> None:
    """An encoder that refuses surrogates is given U+FFFD, or the whole emoji where halves meet."""
    strict = Counter(lambda text: len(text.encode("utf-8")))

    assert strict.count("\ud83d") == len("\ufffd".encode())
    assert strict.count("\ud83d\ude00") == len("😀".encode())


def test_names_of_special_tokens_are_text() -> None:
    """A conversation about <|endoftext|> is counted like any other."""
    assert counter("o200k_base").count("<|endoftext|>") == 7


def test_a_panic_of_the_tokenizer_becomes_an_estimate() -> None:
    """The tokenizer's panic, which is no Exception, does not fail the request."""
    PanicException = type("PanicException", (BaseException,), {})

    def length(text: str) -> int:
        raise PanicException

    assert Counter(length).count("one two three") == 3


def test_an_interrupt_is_not_swallowed() -> None:
    """Ctrl-C while counting ends the process as it should."""

    def length(text: str) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Counter(length).count("one")


@pytest.mark.parametrize("unit", [PROSE, CODE, MARKDOWN, MINIFIED])
def test_estimates_are_near(unit: str) -> None:
    """Without a vocabulary, ordinary counts are off by a third at most, and say so."""
    exact = counter("o200k_base").count(unit * 20)

    assert 0.67 < estimating().count(unit * 20) / exact < 1.5
    assert not estimating().exact


def test_long_text_is_counted_once() -> None:
    """The same long text is not given to the vocabulary again, and what is remembered stays bounded."""
    given: list[str] = []

    def length(text: str) -> int:
        given.append(text)
        return len(text.split())

    counter = Counter(length, sizes=Sizes(max_texts=10))
    text = "word " * 100
    assert counter.count(text) == counter.count(text) == 100
    assert given == [text]
    for number in range(100):
        assert counter.count(f"{number} " + text) == 101
        assert counter.count(text) == 100
    assert given.count(text) == 1
    assert counter.count("\ud83d" + text) == counter.count("\ud83d" + text)
