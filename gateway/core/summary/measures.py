"""Numbers with their unit: found in a text, and looked for in another by number and unit.

A number without a unit may be one whose unit stands elsewhere (`"timeout_s": 30`, the column of a table), so
it agrees with every unit; a number with another unit is another thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_UNITS = (
    r"%|(?i:percent)\b|°[CF]?|[kKMGT]i?B\b|[kKMG]?bit/s|ms\b|µs\b|(?i:seconds?|secs?)\b|s\b"
    r"|(?i:minutes?|mins?)\b|h\b"
    r"|(?i:hours?|hrs?|days?|weeks?|months?|years?)\b|[kKMG]?Hz\b|px\b|[mck]?m\b|kg\b|g\b"
    r"|[kMG]?[WV]\b|rpm\b|req/s|rps\b"
    r"|(?i:usd|eur|gbp|cny|rmb|jpy|chf|euros?|dollars?|tokens)\b"
    r"|[万亿]?[欧美日]?元|[万亿]块|块(?!儿)|毫秒|秒|分钟|小时|天|周|个月|公里|公斤|米|度"
)
_ONE = r"\d[\d,]{0,16}(?:\.\d{1,8})?"
_SCALE = r"[kKMB](?![A-Za-z0-9])"
_MEASURE = re.compile(
    r"(?P<rough>(?:[~≈约近]|\b(?:about|around|approximately|roughly|nearly|almost) |大约|大概)\s?)?"
    rf"(?P<value>(?<![A-Za-z0-9_.,/#-])(?:[$€£¥₹]\s?{_ONE}(?:{_SCALE}|(?![A-Za-z0-9]))"
    rf"|{_ONE}(?:{_SCALE})?[\s-]?(?:{_UNITS})))"
)
_AMOUNT = re.compile(
    rf"(?<![A-Za-z0-9_./#])(?P<coin>[$€£¥₹]\s?)?(?P<number>\d+(?:[.,]\d+)*)(?P<scale>{_SCALE})?"
    rf"(?:[\s-]?(?P<unit>{_UNITS})|(?P<rest>[A-Za-z_]))?"
)
# How much of a task is done is the summariser's own word, before or behind its share.
_DONE = re.compile(r"complete|done|finished|progress|pass|完成|进度|通过", re.IGNORECASE)
_NEAR_CHARS = 40
_MOST = 400

# Units that are one, in lower case.
_SAME = {
    word: words.split()[0]
    for words in (
        "% percent", "ms 毫秒", "s sec secs second seconds 秒", "min mins minute minutes 分钟",
        "h hr hrs hour hours 小时", "day days 天", "week weeks 周", "month months 个月", "year years",
        "km 公里", "kg 公斤", "m 米", "eur euro euros € 欧元", "usd dollar dollars $ 美元", "gbp £",
        "cny rmb 元 块 ¥", "jpy 日元", "req/s rps", "kb kib", "mb mib", "gb gib", "tb tib", "° °c 度",
    )
    for word in words.split()
}  # fmt: skip
_TIMES = {"万": 10_000, "亿": 100_000_000, "k": 1000, "K": 1000, "M": 1_000_000, "B": 1_000_000_000}
_MOST_DIGITS = 15

# How small numbers are said in words, without their unit.
_SAID = {
    "1": "one|once|single|an?|一", "2": "two|twice|[两二]", "3": "three|三", "4": "four|四", "5": "five|五",
    "6": "six|六", "7": "seven|七", "8": "eight|八", "9": "nine|九", "10": "ten|十",
    "12": "twelve|dozen|十二", "15": "fifteen|十五", "20": "twenty|二十", "30": "thirty|三十",
    "50": "fifty|五十", "60": "sixty|六十", "90": "ninety|九十", "100": "(?:a |one )?hundred|[一两]?百",
    "1000": "(?:a |one )?thousand|[一两]?千",
}  # fmt: skip


def measures(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the numbers with a unit in a text, each with whether it is said to be rough.

    >>> list(measures("about 20 minutes, 500 EUR, 3 files"))
    [('20 minutes', True), ('500 EUR', False)]
    """
    for number, match in enumerate(_MEASURE.finditer(text)):
        if number >= _MOST:
            return
        value = match["value"].rstrip(".,")
        if value[-1] != "%" or not _DONE.search(text, match.start() - _NEAR_CHARS, match.end() + _NEAR_CHARS):
            yield value, match["rough"] is not None or text.startswith("左右", match.end())


def digits(text: str) -> str:
    """Return a number as it is compared: no thousands' commas, no zeros that say nothing.

    >>> digits("1,200.50"), digits("007")
    ('1200.5', '7')
    """
    plain = text.replace(",", "")
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts in a text."""

    text: str
    found: frozenset[tuple[str, str]]
    """Number and unit; an empty unit where none stands beside it."""

    @classmethod
    def of(cls, text: str) -> Amounts:
        """Return the amounts in a text, which may hold escapes of JSON."""
        plain = text.replace("\\n", " ").replace("\\t", " ") if "\\" in text else text
        return cls(text, frozenset(_taken(match) for match in _AMOUNT.finditer(plain) if not match["rest"]))

    def has(self, value: str) -> bool:
        """Return whether an amount is in the text, perhaps in another way of writing.

        >>> Amounts.of("limit: 1,200.00 euros").has("1200 EUR"), Amounts.of("30 minutes").has("30 s")
        (True, False)
        """
        match = _AMOUNT.search(value)
        if match is None:
            return False
        number, unit = _taken(match)
        words = _SAID.get(number)
        if (number, unit) in self.found or (number, "") in self.found:
            return True
        return bool(words and re.search(rf"(?<![a-z])(?:{words})(?![a-z])", self.text, re.IGNORECASE))


def unit(value: str) -> str:
    """Return in what a value is measured, in one word for all ways to write it; empty if in nothing.

    >>> unit("500 euros"), unit("€3"), unit("2.4.1")
    ('eur', 'eur', '')
    """
    match = _AMOUNT.search(value)
    return _taken(match)[1] if match else ""


def _taken(match: re.Match[str]) -> tuple[str, str]:
    number, unit = digits(match["number"]), (match["unit"] or match["coin"] or "").strip()
    scale = match["scale"] or (unit[:1] if unit[:1] in "万亿" else "")
    if scale and len(number) < _MOST_DIGITS and number.replace(".", "", 1).isdigit():
        number = digits(f"{float(number) * _TIMES[scale]:.2f}")
    unit = unit.lstrip("万亿").casefold()
    return number, _SAME.get(unit, unit)
