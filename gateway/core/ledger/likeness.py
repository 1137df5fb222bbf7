"""Whether two values are written so much alike that one may stand in the place of the other."""

from __future__ import annotations

import re

from gateway.core.ledger.differences import alike
from gateway.core.ledger.forms import SOLID, Value

_FACTOR = 4
"""Numbers further apart than this are hardly of the same."""
_SMALL_FACTOR = 100
"""The same for numbers below one."""
_UNIT_CHARS = 9
"""What stands behind the value that a statement gives: its unit, a word."""
_MOST_WORDS = 9
"""What is longer does not only give a value."""

# Of these forms there is rarely more than one of a kind.
_LONE = ("email", "ip", "phone")
# An identifier of one system is written in any of these forms.
_WRITTEN = ("id", "path", "url", "version")
# Lapses of time, by how many seconds they are: an hour may stand for thirty minutes.
_LAPSES = {
    "second": 1, "s": 1, "sec": 1, "minut": 60, "hour": 3600, "h": 3600, "day": 86400, "week": 604800,
    "month": 2592000, "mth": 2592000, "year": 31536000,
}  # fmt: skip
# What an identifier with dots is if it ends so: a host, and no file.
_HOST = re.compile(
    r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|dev|app|cloud|local|internal|intra|lan|corp|example|test"
    r"|edu|gov|info|eu|uk|de|fr|cn|jp|us|ch|nl|se|it|es|pl|ca|au|co|ai)(?::\d+)?"
)
_FOLDER = re.compile(r"[^.]+/?")
_OF_FORM = {"id": (_HOST,), "path": (_FOLDER,)}
"""What is named by a form, however many parts the name has."""
_SPELT_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_SPELT = {
    word: number
    for words in (_SPELT_WORDS.split(), "一二三四五六七八九十")
    for number, word in enumerate(words, 1)
} | {"两": 2}
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_GROUPED = re.compile(r",(?<=\d,)(?=\d)")
# When and why something is so is not what is said.
_BESIDE = re.compile(r",? (?:when|whenever|if|unless|once|until|while|as soon as|because|since|so|for)\b")


def is_kin(one: Value, other: Value) -> bool:
    """Return whether two values can be of one thing, however they are written."""
    return alike(one[0], other[0]) or (one[0] in _WRITTEN and other[0] in _WRITTEN)


def gives(text: str, value: Value) -> bool:
    """Return whether a short statement comes to a value: it is what the statement is there for.

    >>> [gives(text, ("id", "web-2")) for text in ("use web-2 if all tests pass", "restart web-2 every hour")]
    [True, False]
    """
    small = _GROUPED.sub("", text.lower())
    spelt = value[1] if value[1] in small else value[1].replace("_", " ")
    at = small.rfind(spelt)
    if at < 0:
        return False
    until = _BESIDE.search(small, at + len(spelt))
    small = (small[: until.start()] if until else small).rstrip(" .!。！）)\"'”")
    return len(small) - at - len(spelt) <= _UNIT_CHARS and len(small.split()) <= _MOST_WORDS


def is_like(one: Value, other: Value) -> bool:
    """Return whether two values are written alike; of numbers, whether they are of about the same size."""
    if one[0] == "n" or one[0].startswith("n "):
        if lapses := _lapses(one, other):
            return _is_near(*lapses)
        return alike(one[0], other[0]) and (one[0] == other[0] != "n" or _is_near(one, _main(other)))
    if one[0] != other[0]:
        return False
    if one[0] not in SOLID or one[0] in _LONE:
        return True
    if one[0] == "path" and one[1][0] == other[1][0] in "/~":
        return True
    if any(what.fullmatch(one[1]) and what.fullmatch(other[1]) for what in _OF_FORM.get(one[0], ())):
        return True
    return _build(one) == _build(other) or one[1][:3] == other[1][:3]


def _lapses(one: Value, other: Value) -> list[Value]:
    """Return two lapses of time of different units, in seconds; nothing, if they are none."""
    units = [_LAPSES.get(form[2:], 0) for form, _ in (one, other)]
    if one[0] == other[0] or not all(units):
        return []
    try:
        return [("n", str(_number(v) * unit)) for (_, v), unit in zip((one, other), units, strict=True)]
    except ValueError:
        return []


def _build(value: Value) -> str:
    return _LETTERS.sub("a", _DIGITS.sub("9", value[1]))


def _number(text: str) -> float:
    return float(_SPELT.get(text, text))


def _main(value: Value) -> Value:
    """Return the number of a version that is said for short: 3 of "3.88.29"."""
    if value[0] != "version" or "-" in value[1]:
        return value
    return "n", value[1].removeprefix("v").partition(".")[0]


def _is_near(one: Value, other: Value) -> bool:
    """Return whether two numbers are of about the same size; what is no number may be any."""
    try:
        less, more = sorted((_number(one[1]), _number(other[1])))
    except ValueError:
        return True
    # Rates and levels differ by more.
    return more <= (_SMALL_FACTOR if more < 1 else _FACTOR) * less
