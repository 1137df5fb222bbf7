"""What a statement can be held by where it is enough that it may be so: more forms of values than are sure.

Months that are words too, people in Chinese, days without a month, measures in words, and names of which one
is chosen (`words_choices`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from gateway.core.ledger.anchors import Anchors, anchors
from gateway.core.ledger.forms import Value
from gateway.core.ledger.topic import stem
from gateway.core.ledger.words_choices import CHOICES

_NONE: frozenset[str] = frozenset()
_JOINED = re.compile(r"(?<=[A-Za-z])(?=[\u4e00-\u9fff])|(?<=[A-Za-z]\d)(?=[\u4e00-\u9fff])")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"(?<![\w.-])[A-Z][A-Za-z]{1,40}(?![\w.-]{0,40}\d)")
# Who is to do a thing is named behind one of these; common family names only.
_HAN_PERSON = re.compile(
    r"(?:[由让归找请换给]|[是，])\s?((?:欧阳|司徒|诸葛|上官|司马"
    r"|[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎潘杜戴夏钟汪"
    r"田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易常武乔贺赖龚文])[\u4e00-\u9fff]{1,2}?)"
    r"(?=\s?[签管负来在做写审批看定盯接带处对，。！吧了]|$)"
)
_HAN_NICK = re.compile(
    r"(?:[叫喊找让由给是归问请改]我?|^)([老小阿][\u4e00-\u9fff])(?![\u4e00-\u9fff]*[时板师])"
)
# A name with a title, or where another one is given.
_NAMED = re.compile(
    r"\b(?:(?:Mrs?|Ms|Dr|Prof)\.?|[Rr]ather|[Ss]o|[Tt]hen|[Nn]o,?|[Bb]etter|[Tt]ry) ([A-Z][a-z]{2,30})\b"
    r"|[,;–—-] ([A-Z][a-z]{2,30})\b|(?:^|[,;.] )([A-Z][A-Za-z]{2,30}) it is(?=[,.;!]|$)"
)
# Who passes a decision on is not what it is about.
_PASSED_ON = re.compile(r"^[^，。]{1,10}(?:发邮件|发消息|来信|来电|通知|打电话)[说来]{0,2}")
# It is no date by which something is due.
_REASON = re.compile(r"\bdue to\b")
_MONTH = re.compile(r"\b(?:until|till|by|in|to|from|for|of|on|mid|early|late) (May|March)\b(?! \d)")
_DAY = re.compile(
    r"\b(?:the |on |by )(\d{1,2}(?:st|nd|rd|th))\b"
    r"|\b((?:end|start|middle|beginning) of (?:the |next )?(?:week|month|year|quarter))\b"
    r"|\b(next (?:week|month|year|spring|summer|autumn|winter))\b|(?<![\d月年])(\d{1,2}[日号])(?![线楼院])",
    re.IGNORECASE,
)
_AT = re.compile(
    r"\bat (\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= ?[.,;!]| ?$)", re.I
)
# Where somebody is to be found: a house by its number in a street.
_ADDRESS = re.compile(
    r"(?<![\w.])\d{1,5}[a-zA-Z]? (?:[A-Z][\w'-]{1,30} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive"
    r"|Boulevard|Blvd|Way|Court|Square|Place|Terrace|Close|Crescent|Row|Quay|Hill|Gardens|Walk|Alley|Mews)\b"
    r"|\b[A-ZÄÖÜ][\w-]{2,30}(?:stra(?:ß|ss)e|weg|gasse|platz|allee) \d{1,4}"
    r"|(?:(?![到在至寄住是往给址为])[\u4e00-\u9fff]){2,16}(?:路|街|道|巷|弄)\d{1,5}(?:号|弄)"
)
_STREET_WORDS = (
    "street st road rd avenue ave lane ln drive boulevard blvd way court square place terrace close crescent"
    " row quay hill gardens walk alley mews"
)
_STREETS = frozenset(_STREET_WORDS.split())
_ENDINGS = ("strasse ", "weg ", "gasse ", "platz ", "allee ")
# A measure in words, some of them by how far it is from what was said.
_MEASURE = re.compile(
    r"\b((?:an?|half an?|one) (?:hour|day|week|fortnight|month|year|minute|dozen)"
    r"|half an? [a-z]{2,12}|(?<!first )(?<!second )(?<!other )(?<!last )(?<!upper )(?<!lower )half|twice"
    r"|double[ds]?|halved|tripled?|once|a quarter)\b"
    r"|(一半|减半|翻倍|翻番|[一两半]个?(?:小时|钟头|天|周|星期|月|年)|[三四五六七八九十]个?(?:小时|钟头|天|周|星期)"
    r"|[一两三四五六]次)",
    re.IGNORECASE,
)
_ORDINAL_NAMES = "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ORDINALS = {word: str(number) for number, word in enumerate(_ORDINAL_NAMES.split(), 4)}
# Two numbers that say how a whole is parted: no identifier.
_RATIO = re.compile(r"\d{1,3}/\d{1,3}")
# A setting by its key, in which the unit may stand: "retain_days: 7".
_SETTING = re.compile(r"\b([a-z]{1,30}(?:[_.-][a-z]{1,30}){1,5}) ?[:=] ?[\"']?(\d[\d.]*)\b(?![\w-])")
_KEY_UNITS = {
    "seconds": "second", "secs": "second", "minutes": "minut", "mins": "minut", "hours": "hour",
    "days": "day", "weeks": "week", "months": "month", "mb": "mb", "gb": "gb", "kb": "kb",
    "px": "px", "ms": "ms",
}  # fmt: skip
_SETS = re.compile(
    r"[\s#-]*(?:[a-z][\w.-]{1,60} ?[:=] ?[\"']?\d[\w.]*|[a-z]+[_.][\w.-]{1,60} ?[:=] ?[\"']?[\w.:/-]{1,80})"
    r"[\"']?(?: *[#/（(].{0,200})?[,;]?$"
)
# Written like identifiers, these are words.
_NO_IDS = frozenset(("e2e", "k8s", "i18n", "l10n", "a11y", "b2b", "b2c", "p2p", "h2h", "f2f"))
_PLURAL = re.compile(r"[a-z]\d{1,2}s")
_DAY_FORM = re.compile(r"(?:[dmy]{2,4}[/.-]){2}[dmy]{2,4}")
_KEY_COINS = ("usd", "eur", "gbp", "cny")
_WORDS = re.compile(r"[a-z0-9_+#-]{2,40}", re.IGNORECASE)
_HAN_CHOICES = re.compile(
    "|".join(sorted((word for word in CHOICES if word > "\u2e80" and len(word) > 1), key=len, reverse=True))
)
_QUOTES = frozenset('"“”「『')
_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』]{1,30})[\"”」』]")
_CAPITAL = re.compile(r"\S [A-Z][a-z]")
_LETTERS = re.compile(r"[a-z]+")
_MONTHS = frozenset(("may", "march"))
_DAY_WORDS = frozenset(("st", "nd", "rd", "th", "end", "start", "middle", "beginning", "next"))
_MEASURE_NAMES = (
    "hour day week fortnight month year minute dozen half twice double doubles doubled halved triple tripled"
    " once quarter"
)
_MEASURE_WORDS = frozenset(_MEASURE_NAMES.split())
_CHOICE_WORDS = frozenset(letters for word in CHOICES for letters in _LETTERS.findall(word))
# Before these a name of what is chosen is an ordinary word.
_COMMON = re.compile(
    r"\b(?:make|go|express|rust|ash|word|text|call|meet|render|single|list|table|fall|spring"
    r"|signal|edge|mail|phone|letter|car|space|light|short|long|info|water|paper|glass|solid"
    r"|actions|black|chef|office|error|warning|way|board|cash|cherry|gold|silver|rock|pop)\b"
)


@lru_cache(4096)
def read(text: str) -> Anchors:
    """Return what a statement can be held by, letters apart from Chinese.

    >>> sorted(read("After the outage we went with Memcached").values)
    [('choice cache', 'memcached')]
    """
    # "20 °C" is no Chinese.
    is_ascii = text.isascii() or not _HAN.search(text)
    found = anchors(_REASON.sub(" ", text) if is_ascii else _JOINED.sub(" ", _PASSED_ON.sub("", text)))
    found = _as_meant(text, found)
    more = frozenset(_more(text, is_ascii)) - found.values
    spelt = (
        [name for pair in _NAMED.findall(text) for name in pair if name]
        if _CAPITAL.search(text) or " it is" in text
        else []
    )
    if not is_ascii:
        spelt += _LATIN.findall(text)
    names = frozenset(stem(name.lower())[:6] for name in spelt)
    if not more and names <= found.names:
        return found
    # The number of a house is none by itself.
    houses = [value for form, value in more if form == "address"]
    parts = {value for value in found.values if any(value[1] in house for house in houses)}
    clauses = tuple((values - parts | more, words) for values, words in found.clauses)
    return Anchors(found.values - parts | more, found.names | names & found.words, found.words, clauses)


def _as_meant(text: str, found: Anchors) -> Anchors:
    """Return what was found with ratios as such, and settings without their keys, with the units in them."""
    meant: dict[Value, Value | None] = {
        value: ("ratio", value[1])
        for value in found.values
        if value[0] == "id" and _RATIO.fullmatch(value[1])
    }
    meant |= {value: new for value in found.values if (new := _as_word(*value)) != value}
    if "_" in text or "=" in text or ": " in text:
        for key, number in _SETTING.findall(text.lower()):
            meant |= {("id", key): None, ("n", number): _with_unit(key, number)}
    if not meant:
        return found
    clauses = tuple((_exchanged(values, meant), words) for values, words in found.clauses)
    return Anchors(_exchanged(found.values, meant), found.names, found.words, clauses)


def _as_word(form: str, value: str) -> Value | None:
    """Return what is written like an identifier as what it is: some of a kind, a form of dates, a word."""
    if form not in ("id", "path"):
        return form, value
    if value in _NO_IDS:
        return None
    if _DAY_FORM.fullmatch(value):
        return "choice date", value
    return form, value[:-1] if _PLURAL.fullmatch(value) else value


def _exchanged(values: frozenset[Value], meant: Mapping[Value, Value | None]) -> frozenset[Value]:
    return frozenset([new for value in values if (new := meant.get(value, value))])


def _with_unit(key: str, number: str) -> Value:
    parts = re.split(r"[_.-]", key)
    if not set(parts).isdisjoint(_KEY_COINS):
        return "money", number
    return next(((f"n {_KEY_UNITS[part]}", number) for part in parts if part in _KEY_UNITS), ("n", number))


def is_setting(text: str) -> bool:
    """Return whether a text gives a value to a key, as in a file of settings.

    >>> is_setting("timeout: 90s"), is_setting("the timeout is 90 s")
    (True, False)
    """
    return _SETS.match(text) is not None


def without_choices(text: str) -> str:
    """Return a Chinese text without the names of what is chosen, and without what is quoted.

    >>> without_choices("寄顺丰吧")
    '寄 吧'
    """
    return _HAN_CHOICES.sub(" ", _QUOTED.sub(" ", text))


def _more(text: str, is_ascii: bool) -> Iterator[Value]:
    words = frozenset(_LETTERS.findall(text.lower()))
    # Each is looked for only where one of its words is.
    if not _MONTHS.isdisjoint(words):
        yield from (("date", month.lower()) for month in _MONTH.findall(text))
    if not is_ascii or not _DAY_WORDS.isdisjoint(words):
        yield from (("date", next(filter(None, groups)).lower()) for groups in _DAY.findall(text))
    if not is_ascii or not _MEASURE_WORDS.isdisjoint(words):
        yield from (("n", next(filter(None, groups)).lower()) for groups in _MEASURE.findall(text))
    if not (text.isascii() and _STREETS.isdisjoint(words)) or any(ending in text for ending in _ENDINGS):
        yield from (("address", where.lower()) for where in _ADDRESS.findall(text))
    yield from (("n th", _ORDINALS[word]) for word in words if word in _ORDINALS)
    if "at" in words:
        yield from (("time", hour) for hour in _AT.findall(text))
    if not _CHOICE_WORDS.isdisjoint(words):
        yield from _choices(text)
    if not _QUOTES.isdisjoint(text):
        yield from (("quote", words.lower()) for words in _QUOTED.findall(text))
    if not is_ascii:
        yield from (("han", name) for name in _HAN_PERSON.findall(text))
        yield from (("han", name) for name in _HAN_NICK.findall(text))
        yield from ((f"choice {CHOICES[word]}", word) for word in _HAN_CHOICES.findall(text))


def _choices(text: str) -> Iterator[Value]:
    """Yield the names of what is chosen; words too only where they have a capital."""
    for found in _WORDS.finditer(text):
        small = found[0].lower()
        # Behind a dot it is what a file is named by.
        kind = "" if text[found.start() - 1 : found.start()] == "." else CHOICES.get(small)
        if kind and (not _COMMON.fullmatch(small) or (found.start() and not found[0].islower())):
            yield f"choice {kind}", small
