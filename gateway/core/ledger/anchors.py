"""What a statement holds fast: its exact values by their form, its names, and the words of its subject.

Two statements are compared by these to tell whether the later says another value of the same thing: what
stands in both is what they are about, what differs in form alike is the value. Forms are known by how they
are written, not by lists of things, as far as that goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.ledger.forms import COINS, FORMS, HUES, NO_UNITS, TONGUES, UNIT, UNITS, ZH_UNIT, Value
from gateway.core.ledger.leads import without_lead
from gateway.core.ledger.openings import Listed
from gateway.core.ledger.phrases import DO
from gateway.core.ledger.topic import han_words, stem
from gateway.core.ledger.words_subject import FRAME, HAN_FRAME, LIGHT, TURNS

# A flight, a train: one thing in two parts.
_CODE = re.compile(r"\b(?!USD|EUR|GBP|CNY|RMB|JPY|CHF|IN|ON|AT|OF|TO|IS)([A-Z]{2,4}) (?=\d{3,5}\b)")
_CODE_END = re.compile(r"[A-Z] \d")
_WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ]*(?:['-][A-Za-zÀ-ɏ]+)*|[\u4e00-\u9fff]+|[.!?:;|]")
_FULL_NAME = re.compile(r"(?:^|[.!?:;|] ?)([A-ZÀ-Þ][a-zà-ɏ]+) (?=[A-ZÀ-Þ][a-zà-ɏ]+\b)")
# What a Chinese clause ends in that says what something is or becomes.
_HAN_VALUE = re.compile(r"(?:[是为叫]|[改换变][成为用由到]|改住|住)([\u4e00-\u9fff]{2,8}?)[了吧呢]?[。！!]?$")
_HAN_OPEN = re.compile(r"[什怎哪谁都不可能任没]")
_TITLED = re.compile(r"[A-ZÀ-Þ][a-zà-ɏ]{2}")
_VERB = re.compile(DO)
# Whatever is exact begins with one of these words, or has one of those signs in its first word.
_FIRST_WORDS = (
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct"
    " october nov november dec december monday mondays tuesday tuesdays wednesday wednesdays thursday"
    " thursdays friday fridays saturday saturdays sunday sundays tomorrow tonight noon midnight usd eur gbp"
    " cny rmb jpy chf euro euros dollar dollars franc francs pounds yen two three four five six seven eight"
    " nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety"
    " hundred thousand"
)
_FIRSTS = Listed((*_FIRST_WORDS.split(), *TONGUES.split("|"), *HUES.split("|")))
_SPOT = re.compile(r"[\d@/\\_#$.](?:(?<!\.)|(?=[a-z]))")
# A number that ends a text is a number and nothing else.
_LAST = re.compile(r"(?:^|(?<= ))(?P<n>\d{1,9})(?=\.?$)", re.ASCII)
_IRREGULAR = {
    "sent": "send", "written": "write", "wrote": "write", "bought": "buy", "paid": "pay", "built": "build",
    "told": "tell",
    "found": "find", "met": "meet", "spoken": "speak", "drawn": "draw", "chosen": "choose", "driven": "drive",
}  # fmt: skip
_CLAUSE = re.compile(
    r"\s\(|\)|[,;:.—–，。；：!！]\s+|[，。；：！]|\s[-–—]\s|\s(?:so|but|because|and|since|after(?! all))\s"
)


# What no border of a clause is without in a text of nothing but ASCII.
_BORDER = re.compile(r"[-,;:.!()](?:(?<=[()])|\s)")
_JOINS = Listed("so but because and since that after")


def parted(clause: re.Pattern[str], text: str) -> list[str]:
    """Return a text, cut at the borders of its clauses; most have none, and are not searched for them."""
    # What a text in small letters opens is asked for again.
    if text.isascii() and not _BORDER.search(text) and not _JOINS.are_in(text.lower()):
        return [text]
    return clause.split(text)


@dataclass(frozen=True, slots=True)
class Anchors:
    """What a statement can be held by."""

    values: frozenset[Value]
    names: frozenset[str]
    """Stems of words with a capital where none is due."""
    words: frozenset[str]
    """Stems of all words but the lightest, names among them, values not."""
    clauses: tuple[tuple[frozenset[Value], frozenset[str]], ...]
    """Values and words of each clause."""


def subject(words: frozenset[str]) -> frozenset[str]:
    """Return those of some words that tell a subject from others."""
    return words - FRAME


def told(words: frozenset[str]) -> frozenset[str]:
    """Return those of some words that two statements can have in common."""
    return words - TURNS


@lru_cache(4096)
def anchors(text: str) -> Anchors:
    """Return what a statement can be held by.

    >>> found = anchors("Retry svc-mail-12 at most 3 times before 10:30")
    >>> sorted(found.values)
    [('id', 'svc-mail-12'), ('n time', '3'), ('time', '10:30')]
    """
    values: set[Value] = set()
    names: set[str] = set()
    words: set[str] = set()
    clauses = []
    for part in parted(_CLAUSE, without_lead(text).replace("’", "'")):
        own: set[str] = set()
        found: set[Value] = set()
        _read(part, found, names, own)
        values |= found
        words |= own
        if own or found:
            clauses.append((frozenset(found), frozenset(own)))
    return Anchors(frozenset(values), frozenset(names), frozenset(words), tuple(clauses))


def _read(part: str, values: set[Value], names: set[str], words: set[str]) -> None:
    """Take a clause apart."""
    small = (_CODE.sub(r"\1_", part) if _CODE_END.search(part) else part).lower()
    kept: list[str] = []
    last = 0
    han = None if part.isascii() else _HAN_VALUE.search(part)
    if han and not _HAN_OPEN.search(han[1]) and not FORMS.search(han[1]):
        values.add(("han", han[1]))
        part, small = part[: han.start(1)], small[: han.start(1)]
    for match in _forms(small):
        stop = _take(match, small, part, values)
        kept += part[last : match.start()], " … "
        last = stop
    kept.append(part[last:])
    _read_words("".join(kept), names, words)


def _forms(small: str) -> Iterator[re.Match[str]]:
    """Yield the values in a text in lower case: they are looked for from where the next one can begin."""
    if not small.isascii() or _FIRSTS.are_in(small):
        yield from FORMS.finditer(small)
        return
    at = 0
    while spot := _SPOT.search(small, at):
        start = max(at, small.rfind(" ", at, spot.start()) + 1)
        match = _LAST.match(small, start) or FORMS.search(small, start)
        if match is None:
            return
        yield match
        at = match.end()


def _take(match: re.Match[str], small: str, part: str, values: set[Value]) -> int:
    """Note a value, and return where it ends, its unit with it."""
    form = (match.lastgroup or "").removeprefix("zh")
    value, stop = match[0].strip(" .,:;-"), match.end()
    if form == "n":
        unit = UNIT.match(small, stop) or ZH_UNIT.match(small, stop)
        # "4411 Elm Walk" counts no elms.
        if unit and _TITLED.match(part, unit.start(1)):
            unit = None
        counted = _counted(unit[1]) if unit else ""
        if unit and counted:
            form, stop = "money" if counted in COINS else f"n {counted}", unit.end()
        value = f"0.{value}" if match[0].startswith(".") else value.replace(",", "")
    elif form == "date":
        value = value.removesuffix("s")
    elif form in ("percent", "money"):
        value = re.sub(r"[^\d.]", "", value.replace(",", "")) or value
    values.add((form, value))
    return stop


def _counted(word: str) -> str:
    """Return what a number counts by the word behind it; nothing, if that is no unit."""
    if word in LIGHT or word in NO_UNITS:
        return ""
    unit = UNITS.get(word) or stem(word)[:6]
    return "" if unit in FRAME else unit


def _is_letter(token: str, is_first: bool, text: str) -> bool:
    """Return whether a word is a letter that names something, and no article or pronoun."""
    if not token.isupper():
        return False
    return text > "\u2e80" or token not in "AI" or (token == "A" and not is_first)


def _is_verb(word: str) -> bool:
    """Return whether a word that begins a statement with a capital is none of a name."""
    return word in LIGHT or _VERB.fullmatch(word) is not None or stem(word)[:6] in FRAME


def _read_words(text: str, names: set[str], words: set[str]) -> None:
    names.update(stem(name.lower())[:6] for name in _FULL_NAME.findall(text) if not _is_verb(name.lower()))
    is_first = True
    # No word has a space in it, and most of what stands between spaces is a word in small letters.
    for run in text.split():
        if run.isascii() and run.isalpha() and run.islower():
            words.add(_told_by(run))
            is_first = False
            continue
        for token in _WORD.findall(run):
            is_first = _read_word(token, is_first, text, names, words)
    words.discard("")


def _read_word(token: str, is_first: bool, text: str, names: set[str], words: set[str]) -> bool:
    """Note a word; return whether the next one stands at the beginning of a sentence."""
    first = token[0]
    if first in ".!?:;|":
        return True
    if "\u4e00" <= first <= "\u9fff":
        words.update(han_words(HAN_FRAME.sub(" ", token)))
    elif len(token) == 1 and _is_letter(token, is_first, text):
        # "Group A" and "group B" are two.
        words.add(token)
        names.add(token)
    elif word := _told_by(token):
        words.add(word)
        if first.isupper() and (not is_first or (len(token) > 3 and token.isupper())):
            names.add(word)
    return False


# Most words of a conversation come again and again in it.
@lru_cache(4096)
def _told_by(token: str) -> str:
    """Return the stem of a word, unless it is of the lightest."""
    small = token.lower()
    return "" if small in LIGHT else stem(_IRREGULAR.get(small, small))[:6]


def exact(text: str) -> frozenset[str]:
    """Return the values and names in a statement."""
    found = anchors(text)
    return found.names.union(value for _, value in found.values)
