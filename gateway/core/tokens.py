"""Counting tokens: exact for ordinary text, bounded in time for any text.

The encoder is passed in. A long text is given to it in pieces, cut where the vocabularies' own splitting
patterns cut anyway, so that the sum is the count of the whole. Where no such place is near (a megabyte of
one letter) the cut is made regardless and costs at most a token. Short pieces are what keeps the time linear:
merging may take longer per byte the longer a run is, and a megabyte of spaces makes tiktoken panic. Equal
pieces of one text are counted once, so repetition costs next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xxhash import xxh3_64_intdigest

PIECE = 4096
"""Characters given to the encoder at once: 0.1 ms of work, and 3 ms at most, whatever they are."""

_SLACK = 512
"""Characters before the end of a piece in which a good place to cut is looked for."""

INLINE_BYTES = 32_768
"""More new text than this is better counted in a thread; this much takes 3 ms (60-100 ns a byte)."""

# Between which characters both o200k_base and cl100k_base end one match and begin another, whatever stands
# around them (patterns: tiktoken_ext.openai_public). Only what holds for every Unicode version is used:
# - a letter or digit, then ASCII or common CJK punctuation or white space. Not before an apostrophe
#   (contractions) nor a combining mark, which belong to the word;
# - an ASCII letter, then an ASCII digit, and the reverse;
# - anything visible, then a space or tab: a run of white space begins a match of its own;
# - a line feed, then anything visible: a run of white space ends with its last line feed. Not before a
#   slash, which o200k_base joins to the line feeds that follow punctuation.
_CUT = re.compile(
    r"(?<=[^\W_])(?=[\s!-&(-/:-@\[-`{-~，。、；：？！（）「」『』《》…—])"
    r"|(?<=[A-Za-z])(?=[0-9])"
    r"|(?<=[0-9])(?=[A-Za-z])"
    r"|(?<=\S)(?=[ \t])"
    r"|(?<=\n)(?=[^\s/])"
)

# One match is about one token, by what such vocabularies hold: words of common languages, groups of digits,
# pairs of punctuation marks, runs of white space; other scripts character by character.
_CLASSES = re.compile(r" ?[A-Za-z]?[a-z]{1,9}|[A-Z]{1,3}|[0-9]{1,3}| ?[!-/:-@\[-`{-~]{1,2}|\s{1,16}|[^\s!-~]")

Length = Callable[[str], int]
"""How many tokens an encoder makes of a text, special ones taken as plain text."""


REMEMBERED_CHARS = 48
"""Shorter texts are counted about as fast as they would be looked up."""


class Sizes:
    """Sizes of texts, in two generations as in `core.memo`; threads may share it.

    A message is counted when it comes, and its parts again when it is compacted, the next time it is, and
    when the request is tried once more.
    """

    def __init__(self, max_texts: int = 40_000, secret: int = 0) -> None:
        """A text takes about 100 bytes, however long. *secret*: nobody can prepare two texts with one key."""
        self._room = max_texts // 2
        self._secret = secret
        self._young: dict[int, int] = {}
        self._old: dict[int, int] = {}

    def of(self, text: str, count: Callable[[str], int]) -> int:
        """Return the size of a text, counted only if it is not known."""
        key = xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"), self._secret)
        tokens = self._young.get(key)
        if tokens is None:
            tokens = self._old.get(key)
            if tokens is None:
                tokens = count(text)
            if len(self._young) >= self._room:
                self._old, self._young = self._young, {}
            self._young[key] = tokens
        return tokens


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts with one vocabulary; `count` is a `conversation.Count`. Never raises for any text."""

    length: Length
    exact: bool = True
    """Whether the encoder is a vocabulary; False: every count is an estimate."""
    sizes: Sizes = field(default_factory=Sizes, compare=False, repr=False)

    def count(self, text: str) -> int:
        """Return the number of tokens of *text*."""
        if len(text) < REMEMBERED_CHARS:
            return _length(self.length, text) if text else 0
        return self.sizes.of(text, self._counted)

    def _counted(self, text: str) -> int:
        if len(text) <= PIECE:
            return _length(self.length, text)
        known: dict[str, int] = {}
        total = 0
        for piece in pieces(text):
            tokens = known.get(piece)
            if tokens is None:
                tokens = known[piece] = _length(self.length, piece)
            total += tokens
        return total


def pieces(text: str, size: int = PIECE, slack: int = _SLACK) -> Iterator[str]:
    """Yield *text* in parts of at most *size* characters, cut between tokens where such a place is near.

    >>> list(pieces("one two three four", size=9, slack=6))
    ['one', ' two', ' three', ' four']
    """
    start = 0
    while len(text) - start > size:
        place = _CUT.search(text, start + max(1, size - slack), start + size)
        stop = place.start() if place else start + size
        yield text[start:stop]
        start = stop
    yield text[start:]


def estimating() -> Counter:
    """Return a counter that needs no vocabulary and goes by classes of characters.

    Within a quarter of o200k_base for prose, code and base64; rare scripts count up to half.

    >>> estimating().count("Where is the vocabulary?")
    5
    """
    return Counter(_classes, exact=False)


def _classes(text: str) -> int:
    return len(_CLASSES.findall(text))


def _length(length: Length, text: str) -> int:
    try:
        return length(text)
    except UnicodeEncodeError:
        # A lone surrogate, which JavaScript leaves when it cuts an emoji in half. The upstream sees U+FFFD.
        return length(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    except BaseException as error:
        # pyo3 derives its PanicException from BaseException and exports it nowhere. No piece is known to
        # cause one; if one does, an estimate of a piece is no reason to fail a request.
        if type(error).__name__ != "PanicException":
            raise
        return _classes(text)
