"""A message cut into the pieces that can mean something on their own: sentences, list items, table rows.

Each piece comes with what is needed to understand it: the sentence before it, the lead-in above its list, the
header of its table. What is presented as material (documents, logs, examples, code but for its comments) is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gateway.core.ledger import fences, material, shapes
from gateway.core.ledger.entry import Kind

MAX_TEXT = 65_536
"""So much of a text is read, three quarters from its beginning: what is longer was pasted."""

_MAX_PIECE = 800
_REMEMBERED_CHARS = 1_000


class Segment(NamedTuple):
    """A piece of a message."""

    text: str
    before: str = ""
    """The sentence before it in the same paragraph or list."""
    intro: str = ""
    """The lead-in of the list, or the header of the table, that it stands in."""
    kind: Kind | None = None
    """What the heading above says it is."""
    code: bool = False
    """It is a comment or a setting in code: only plain words of rule count there."""
    data: bool = False
    """It is one of many lines of one shape: its numbers are no values."""


# The sign that ends a sentence, and what stands between it and the next one.
_STOP = re.compile(r"[.!?。！？；](?:(?<=[.!?])[\"'”’)\]*_]{0,3}\s+(?=\S)|(?<=[。！？；])(?![”’」』）\"')]))")
# Where a sentence begins though the one before it has no stop: a capital where none is due.
_RUN_ON = re.compile(
    # Most words are told by their first letter to be none.
    r" (?=[A-Z\u4e00-\u9fff])"
    r"(?:(?=[A-Z])(?<=[a-z0-9%)] )(?=(?:Where|What|Why|How|Which|Who|When|Can|Could|Would|Is|Are|Do|Does|Did"
    r"|Hi|Hm|Okay|Thanks),? [a-z])"
    r"|(?=(?:好的|嗯|你好|谢谢|对了|另外|请问|麻烦|顺便)[，,])"
    # Behind a measure that something is given.
    r"|(?<=[0-9] [秒分元次条天页行个] )(?=[\u4e00-\u9fff]{5})(?![的那这和里是在要不也都就以内后前之])"
    # Not behind a word that wants one more: "最好用 莫兰迪色".
    r"|(?=[\u4e00-\u9fff]{4})(?<=[\u4e00-\u9fff]{4} )(?<![用是为叫到成选换改设定做按以给请要于由从和与或] )"
    r"(?![的那这和里是在要不也都就被给跟把等之时说]))"
)
_ABBREVIATION = re.compile(
    # "58 ms." ends a sentence.
    r".*\b(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|(?<!\d )ms|dr|st|cf|ca|resp|incl|z\.b)\.",
    re.IGNORECASE | re.DOTALL,
)
_ABBREVIATIONS = "e.g. i.e. etc. vs. approx. no. mr. mrs. ms. dr. st. cf. ca. resp. incl. z.b."
_ABBREVIATED = tuple(_ABBREVIATIONS.split())
_LETTER = re.compile(r"\W*\w\.")
_BULLET = re.compile(
    r"(?:[-*+•·–](?=\s|[^\x00-\x7f-])|\(?\d{1,3}(?:[.)](?=\s)|、)|\(?[a-zA-Z][.)](?=\s)|[①-⑳]"
    r"|[（(][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)"
)
_RULE_LINE = re.compile(r"[\s|:=_*-]{3,}$")
_MARKS = frozenset("#`~<>|")
"""With these begin headings, code, tags, quotations and tables."""
_WRAP_CHARS = 50
_MAX_OF_RUN = 8
"""So many lines of one shape are read at either end of them."""


def segments(text: str) -> Iterator[Segment]:
    """Return the pieces of a message that are the speaker's own.

    >>> [s.text for s in segments("Hi. Rules:\\n- use tabs\\n- be brief\\nTranslate this:\\nnever say die")]
    ['Hi.', 'Rules:', 'use tabs', 'be brief', 'Translate this:']
    """
    if "\n" not in text and (bare := text.strip())[:1] not in _MARKS and len(text) <= MAX_TEXT:
        return _of_line(bare)
    return _of_lines(text)


def _of_line(bare: str) -> Iterator[Segment]:
    """Yield the pieces of a text that is one line, and not marked as anything."""
    item = _BULLET.match(bare)
    before = ""
    for sentence in sentences(bare[item.end() :] if item else bare):
        yield Segment(sentence, before)
        before = sentence


def _of_lines(text: str) -> Iterator[Segment]:
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT * 3 // 4] + "\n\n" + text[-MAX_TEXT // 4 :]
    reader = _Reader()
    lines = text.split("\n")
    last = material.last_paragraph(lines)
    data = shapes.data_lines(lines)
    for number, row in enumerate(lines):
        if number not in data:
            yield from reader.read(row, number >= last)
        elif not {number - _MAX_OF_RUN, number + _MAX_OF_RUN} <= data:
            yield from reader.datum(row)
    yield from reader.flush()


class _Reader:
    """Goes through the lines and remembers what each stands in."""

    def __init__(self) -> None:
        self._pending = ""
        self._wraps = False
        self._before = ""
        self._intro = ""
        self._kind: Kind | None = None
        self._header = ""
        self._fence = ""
        self._fenced = ""
        self._tag = ""
        self._material = ""

    def read(self, row: str, last: bool) -> Iterator[Segment]:
        """Yield what a line completes."""
        bare = row.strip()
        if self._fence or bare.startswith(("```", "~~~")):
            yield from self._in_fence(bare, row)
        elif self._tag or bare.startswith("<"):
            yield from self._in_tag(bare, last)
        else:
            yield from self._plain(bare, row, last)

    def datum(self, row: str) -> Iterator[Segment]:
        """Yield a line of data, unless it is in what is left out anyway."""
        if not (self._fence or self._tag or self._material):
            yield from self.flush()
            yield Segment(row.strip()[:_MAX_PIECE], data=True)

    def flush(self) -> Iterator[Segment]:
        """Yield the sentences of the paragraph that ends here."""
        text, self._pending = self._pending, ""
        if not text:
            return
        for sentence in sentences(text):
            yield Segment(sentence, self._before, self._intro, self._kind)
            self._before = sentence
        self._lead(text)

    def _lead(self, text: str) -> None:
        """Remember a line that introduces what follows."""
        tail = self._before
        if tail.endswith((":", "：")) or material.presents(tail):
            self._material = "next" if material.is_presented(tail) else ""
            self._intro = "" if self._material else tail
            self._kind = None if self._material else material.heading(tail)

    def _in_fence(self, bare: str, row: str) -> Iterator[Segment]:
        if not self._fence:
            yield from self.flush()
            self._fence = bare[:3]
            self._fenced = "skip" if self._material else fences.mode(bare[3:], self._kind)
        elif bare.startswith(self._fence):
            self._fence = ""
            self._material = ""
        elif self._fenced == "words":
            yield from self._plain(bare, row, False)
        elif fences.is_read(bare[:_MAX_PIECE], self._fenced):
            yield Segment(bare[:_MAX_PIECE], code=True)

    def _in_tag(self, bare: str, last: bool) -> Iterator[Segment]:
        tags = list(material.TAG.finditer(bare[:_MAX_PIECE]))
        if not self._tag and not tags:
            yield from self._plain(bare, bare, last)
            return
        for tag in tags:
            if not self._tag and not tag[1]:
                yield from self.flush()
                self._tag = tag[2].lower()
            elif self._tag and tag[1] and tag[2].lower() == self._tag:
                self._tag = ""
                rest = bare[tag.end() :].strip()
                self._pending = "" if rest.startswith("<") else rest

    def _plain(self, bare: str, row: str, last: bool) -> Iterator[Segment]:
        if not self._continues(bare):
            yield from self.flush()
        if not bare:
            self._blank()
        elif self._material and not (last and material.RESUMES.match(bare)):
            self._material = "here"
        elif bare.startswith(">"):
            self._before = ""
        elif bare.startswith("|") and bare.count("|") > 2:
            yield from self._row(bare)
        else:
            self._material = self._header = ""
            self._line(bare, row)

    def _continues(self, bare: str) -> bool:
        """Return whether a line only goes on where the one before it was wrapped."""
        return bool(self._pending and self._wraps and bare and (bare[0].islower() or bare[0] > "\u2fff"))

    def _blank(self) -> None:
        self._header = ""
        if self._kind is None and not self._before.endswith((":", "：")):
            self._intro = ""

    def _row(self, bare: str) -> Iterator[Segment]:
        if _RULE_LINE.match(bare):
            return
        if not self._header:
            self._header = bare
            yield Segment(bare)
        else:
            kind = next(
                filter(None, (material.heading(cell.strip()) for cell in self._header.split("|"))), self._kind
            )
            yield Segment(bare, intro=self._header, kind=kind)

    def _line(self, bare: str, row: str) -> None:
        item = _BULLET.match(bare)
        if bare.startswith("#") and (kind := material.heading(bare.lstrip("# "))) is not None:
            self._kind, self._intro, self._before = kind, bare.lstrip("# "), ""
        elif item is not None:
            self._pending = bare[item.end() :]
        elif self._pending:
            self._pending += ("" if bare[0] > "\u2fff" else " ") + bare
        else:
            if not self._before.endswith((":", "：")):
                self._kind, self._intro = None, ""
            self._pending = bare
        self._wraps = len(row) >= _WRAP_CHARS and bare[-1] not in ".!?:;。！？：；"


def sentences(text: str) -> Iterable[str]:
    """Return the sentences of a paragraph.

    >>> list(sentences("make it port 8443 Where do I find the log?"))
    ['make it port 8443', 'Where do I find the log?']
    >>> list(sentences("Use tabs, e.g. in server.ts. 不要提交。好的"))
    ['Use tabs, e.g. in server.ts.', '不要提交。', '好的']
    """
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _parted(text)


# Read for the ledger, then for what a digest says.
@lru_cache(1024)
def _remembered(text: str) -> Sequence[str]:
    return tuple(_parted(text))


def _parted(text: str) -> Iterator[str]:
    held = ""
    start = 0
    for stop in _STOP.finditer(text):
        piece = text[start : stop.start() + 1]
        start = stop.end()
        held = f"{held} {piece}" if held else piece
        if not _is_abbreviated(held[-12:]):
            yield from _bounded(held)
            held = ""
    yield from _bounded(f"{held} {text[start:]}" if held else text[start:])


def _is_abbreviated(tail: str) -> bool:
    """Return whether the stop at the end of a text is that of an abbreviation, or of a letter on its own."""
    if not tail.endswith("."):
        return False
    if tail.lower().endswith(_ABBREVIATED) and _ABBREVIATION.fullmatch(tail):
        return True
    return _LETTER.fullmatch(tail) is not None


def _bounded(text: str) -> Iterator[str]:
    start = 0
    for stop in _RUN_ON.finditer(text):
        yield from _cut(text[start : stop.start()])
        start = stop.end()
    yield from _cut(text[start:] if start else text)


def _cut(text: str) -> Iterator[str]:
    text = text.strip()
    while len(text) > _MAX_PIECE:
        stop = text.rfind(" ", _MAX_PIECE // 2, _MAX_PIECE)
        stop = _MAX_PIECE if stop < 0 else stop
        yield text[:stop]
        text = text[stop:].strip()
    if text:
        yield text
