"""Exact identifiers in a text, and whether another text has them.

The ledger's finders tell whether a sentence is worth carrying; here every identifier is wanted, with its
sort, as each sort has its own way to be written otherwise and still be the same: a path without its folder,
a number with another unit sign. What is compared is forgiving, what is found is not: ordinary words with a
slash or a dot between them are no identifiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import AnyStr

from gateway.core.summary.measures import Amounts, digits, measures


class Sort(IntEnum):
    """What an identifier is."""

    LINK = 0
    """URLs, addresses of mail, hosts with a port."""
    PATH = 1
    """Paths and names of files."""
    CODE = 2
    """Tickets, ids, hashes, order numbers."""
    NAME = 3
    """Names of variables, functions, settings."""
    NUMBER = 4
    """Versions, dates, long numbers: they are told by their digits."""
    MEASURE = 5
    """Numbers with their unit, amounts of money."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """Something exact."""

    sort: Sort
    text: str
    is_rough: bool = field(default=False, compare=False)
    """Whether it is said to be about so much: then it may have been rounded."""


_FILES = (
    "py|pyi|tsx?|jsx?|mjs|vue|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|sql|ya?ml|toml|json|jsonl|csv"
    "|tsv|parquet|xlsx?|md|rst|txt|pdf|docx?|pptx?|sh|env|lock|html?|css|scss|ipynb|db|sqlite|log|conf|cfg|ini"
    "|xml|tf|proto|png|jpe?g|svg|gz|zip|tar|service|pem|crt"
)
_FOLDERS = (
    "src|lib|libs|apps|tests|docs|etc|var|usr|opt|home|tmp|configs?|pkg|cmd|internal|packages|bin|scripts"
)
_DOMAINS = "com|org|net|io|dev|ai|cn|de|eu|uk|fr|internal|local|example|app|cloud"
# Within a word without spaces, the first that fits counts. All classes are ASCII: Chinese stands around
# identifiers without spaces. All is bounded, and a part of a path ends where its class does.
_FORMS = re.compile(
    r"(?P<link>[a-z][a-z0-9+.-]{1,15}://[!#-&(-;=?-Z\]_a-z~|]{1,400}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5}"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5}|/\d{1,2})?\b"
    rf"|\b(?![\w.-]{{1,80}}\.(?:{_FILES}):)[A-Za-z][\w.-]{{1,80}}:\d{{2,5}}\b(?!:)"
    rf"|(?<![\w.-])[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,4}}\.(?:{_DOMAINS})\b(?![.(\w-]))"
    r"|(?P<path>(?<![\w/.~-])(?:~|\.{1,2})?/[A-Za-z_.][\w.@+-]{1,80}(?:/[\w.@+-]{1,80}){0,16}"
    r"|\b[A-Za-z]:\\[\w.\\-]{1,200}"
    rf"|(?<![\w/.-])(?:[\w.@+-]{{1,80}}/){{0,16}}[\w.@+-]{{0,80}}[\w-]\.(?:{_FILES})(?![\w-])"
    rf"|(?<![\w/.-])(?:{_FOLDERS})/[\w.@+-]{{1,80}}(?:/[\w.@+-]{{1,80}}){{0,16}}"
    r"|(?<![\w/.-])(?=[a-z./]{0,60}[_A-Z-])(?:[\w.@+-]{1,80}/){2,16}[\w.@+-]{1,80})"
    r"|(?P<uuid>(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-]))"
    r"|(?P<number>\b\d{4}-\d\d-\d\d\b|\bv?\d+\.\d+\.\d+(?:[-+.]\w{1,20}){0,3}\b|(?<![\w-])v\d+(?:\.\d+)?\b"
    r"|\+\d[\d-]{6,18}\d\b|\b\d{2,4}(?:-\d{3,5}){1,3}\b|(?<![\w.])\d{5,20}\b(?![-\w]))"
    r"|(?P<code>(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d+\b|(?<!\w)#\d{2,}\b"
    r"|(?<![\w-])(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Z])[A-Z0-9]{1,24}(?:[-_][A-Z0-9]{1,24}){1,6}(?![\w-])"
    r"|(?<![\w-])(?:sha(?:1|256)[:-])?(?=[0-9]{0,64}[a-f])(?=[a-f]{0,64}\d)[0-9a-f]{7,64}(?![\w-])"
    r"|\b[A-Z]{2,6}\d{3,}[A-Z0-9]*\b"
    r"|(?<![\w-])[a-z]{1,12}[_-](?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{5,32}(?![\w-]))"
    r"|(?P<name>(?<![\w.-])[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,8}(?!\w))",
    re.ASCII,
)
# Names that everybody knows: no conversation owns them.
_COMMON = re.compile(
    r"(?:utf|sha|iso|rfc|aes|md|http|tls|gpt|es|covid|top|phase|step|part|stage|q|v)[-_]?\d{1,5}"
    r"|(?:node|vue|next|nuxt|express|react|three|d3|chart|ember|alpine)\.js|x86_64|in_progress|next_steps"
    r"|key_decisions|critical_context|nothing_to_record|n/a",
    re.IGNORECASE,
)
_SORTS = {"link": Sort.LINK, "path": Sort.PATH, "uuid": Sort.CODE, "number": Sort.NUMBER, "code": Sort.CODE}
_SORTS |= {"name": Sort.NAME}

_WORD = re.compile(r"[!-~]{3,400}")
_SIGN = re.compile(r"[\d/\\@_#]|\.[a-z]")
_TRAIL = ".,;:!?)]}>'*`|"

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"\d+")
_MOST = 400
_READ_CHARS = 200_000
"""No summary is so long; what is longer was pasted."""


def identifiers(text: str) -> tuple[Identifier, ...]:
    """Return the identifiers in a text, each once, in the order of its words; measures last.

    >>> [found.text for found in identifiers("OPS-4471: src/a.py and/or b.py takes 30 s, see 3 files")]
    ['OPS-4471', 'src/a.py', 'b.py', '30 s']
    """
    text = text[:_READ_CHARS]
    found: dict[Identifier, None] = {}
    for word in _WORD.finditer(text):
        if _SIGN.search(word[0]):
            found |= dict.fromkeys(_in_word(word[0].rstrip(_TRAIL)))
        if len(found) >= _MOST:
            break
    rough = (Identifier(Sort.MEASURE, value, is_rough) for value, is_rough in measures(text))
    return (*found, *dict.fromkeys(rough))


def _in_word(word: str) -> Iterator[Identifier]:
    for match in _FORMS.finditer(word):
        text = match[0].rstrip(_TRAIL)
        if match.lastgroup and len(text) > 2 and not _COMMON.fullmatch(text):
            yield Identifier(_SORTS[match.lastgroup], text)


@dataclass(frozen=True)
class Text:
    """A text that is asked whether it has an identifier: read once, in time linear in its length."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, parts: Iterable[str]) -> Text:
        """Return the text that some parts are together."""
        return cls(tuple(parts))

    @cached_property
    def folded(self) -> str:
        """All of it, without what tells no two identifiers apart."""
        return "\n".join(self.parts).casefold().replace("\\\\", "/").replace("\\/", "/").replace("\\", "/")

    @cached_property
    def condensed(self) -> bytes:
        """Its ASCII letters and digits."""
        return _condensed(self.folded)

    @cached_property
    def amounts(self) -> Amounts:
        """Its numbers, with their units."""
        return Amounts.of("\n".join(self.parts))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """All groups of digits in it."""
        return frozenset(map(digits, set(_NUMBER.findall(self.folded))))

    def quotes(self, text: str) -> bool:
        """Return whether a text stands in it exactly so."""
        return any(text in part for part in self.parts)

    def has(self, identifier: Identifier) -> bool:
        """Return whether an identifier stands in it, as it is or written a little otherwise."""
        small = identifier.text.casefold().replace("\\", "/")
        match identifier.sort:
            case Sort.LINK:
                bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", small).rstrip("/")
                return self._has_whole(bare)
            case Sort.PATH:
                return self._has_path(small)
            case Sort.CODE | Sort.NAME:
                return self._has_whole(small) or self._has_condensed(small)
            case Sort.NUMBER if _DATE.fullmatch(small):
                return self._has_whole(small) or all(digits(n) in self.numbers for n in small.split("-"))
            case Sort.NUMBER:
                return self._has_whole(small.removeprefix("v")) or self._has_condensed(small)
            case _:
                return self.amounts.has(identifier.text)

    def names(self, identifier: Identifier) -> bool:
        """Return whether an identifier stands in it, of a path at least the last part."""
        name = re.split(r"[/\\]", identifier.text.rstrip("/\\"))[-1]
        is_file = identifier.sort is Sort.PATH and "." in name[1:]
        return self.has(identifier) or (is_file and self._has_whole(name.casefold()))

    def _has_whole(self, small: str) -> bool:
        return _stands_in(small, self.folded)

    def _has_path(self, small: str) -> bool:
        bare = small.strip("/").removeprefix("./").removeprefix("~/")
        if self._has_whole(bare):
            return True
        *folders, name = bare.split("/")
        return bool(folders) and self._has_whole(name) and all(folder in self.folded for folder in folders)

    def _has_condensed(self, small: str) -> bool:
        condensed = _condensed(small)
        return len(condensed) > 5 and _stands_in(condensed, self.condensed)


_MOST_PLACES = 50


def _stands_in(small: AnyStr, text: AnyStr) -> bool:
    """Return whether one text stands in another, and not as the beginning or end of a longer number."""
    at = text.find(small)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return False
        stop = at + len(small)
        is_longer = small[-1:].isdigit() and text[stop : stop + 1].isdigit()
        if not is_longer and not (small[:1].isdigit() and text[max(0, at - 1) : at].isdigit()):
            return True
        at = text.find(small, at + 1)
    return False


_NOT_CONDENSED = bytes(code for code in range(256) if not chr(code).isascii() or not chr(code).isalnum())


def _condensed(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(None, _NOT_CONDENSED)
