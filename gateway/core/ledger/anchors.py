"""What a statement holds fast: its exact values by their form, its names, and the words of its subject.

Two statements are compared by these to tell whether the later says another value of the same thing: what
stands in both is what they are about, what differs in form alike is the value. Forms are known by how they
are written, not by lists of things, as far as that goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gateway.core.ledger.topic import han_words, stem, without_lead

Value = tuple[str, str]
"""A form, such as `time`, and the value as it is compared. Numbers have their unit in the form: `n row`."""

SOLID = frozenset(("url", "email", "path", "ip", "phone", "id", "name"))
"""Forms of what can also be the thing that a statement is about; the others only measure."""

_MONTH = (
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?"
)
_TONGUES = (
    r"english|french|german|spanish|italian|chinese|mandarin|japanese|korean|portuguese|russian|dutch|polish"
    r"|arabic|hindi|turkish|swedish|estonian|greek|irish|finnish|danish|norwegian|czech|hungarian|romanian"
    r"|ukrainian|vietnamese|thai|hebrew|latvian|lithuanian|slovak|croatian|serbian|bulgarian|catalan|welsh"
)
_ZH_TONGUES = (
    r"(?:中|英|日|法|德|俄|韩|泰|粤|汉|葡萄牙|西班牙|意大利|阿拉伯|荷兰|瑞典|波兰|希腊|芬兰|丹麦|挪威|土耳其|越南)"
    r"[语文]"
)
_HUES = "red|blue|green|yellow|orange|purple|pink|black|white|gr[ae]y|brown|teal|navy|beige|turquoise"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight"
_COUNTS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|fifty|hundred"
_COINS = "usd|eur|gbp|cny|rmb|jpy|chf|euros?|dollars?|francs|pounds|yen"
_HAN_COUNT = "[一二三四五六七八九十百千两半]"
_NUMBER = r"\d+(?:[.,]\d+)*"

# The first that fits counts. A form is added when two values of it were not seen to be alike.
_FORMS = re.compile(
    r"(?<![a-z0-9_])(?:"
    r"(?P<url>[a-z][a-z0-9+.-]{1,12}://[^\s，。；、）)]+)"
    r"|(?P<email>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)"
    rf"|(?P<date>\d{{4}}-\d\d?-\d\d?\b|\d{{1,2}}/\d{{1,2}}/\d{{4}}\b|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b(?: \d{{4}}\b)?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{{4}}\b)?|{_MONTH} \d{{4}}\b|(?:{_DAYS}|january|february|april|june|july|august"
    r"|september|october|november|december)\b"
    r"|(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?)"
    r"|(?P<time>\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m\b)?|\d{1,2} ?(?:[ap]m\b|o'clock)|\d{1,2}点半?|noon\b|midnight\b)"
    r"|(?P<ip>\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b)"
    rf"|(?P<percent>{_NUMBER}\s?(?:%|percent\b|per cent\b))"
    rf"|(?P<money>(?:[$€£¥₹]|(?:{_COINS}) )\s?{_NUMBER}|{_NUMBER}\s?(?:(?:{_COINS})\b|[$€£]|[万亿]?(?:[欧美日]?元|块)))"
    r"|(?P<version>v\d+(?:\.\d+)*(?:-\w+)?\b|\d+\.\d+\.\d[\w.+-]*)"
    r"|(?P<phone>\+\d[\d -]{6,18}\d|\d{3}-\d{4}\b|1[3-9]\d{9}(?!\d))"
    r"|(?P<path>[a-z]:\\[^\s，。；]+|(?:~|\.{1,2})?/[\w.@-]+[^\s，。；]*|[a-z_][\w.-]*(?:/[\w.@-]+)+/?)"
    r"|(?P<id>#\d+|\d+[-/][a-z0-9][\w/-]*|\d+[acf]\b"
    r"|(?=[a-z_.-]{1,40}\d)[a-z][\w-]*(?:[.:][\w-]+)*|[a-z][\w-]*(?:\.[a-z][\w-]+)+|[a-z]+(?:_[a-z]+)+\b"
    r"|\d+[a-z]+\d\w*)"
    rf"|(?P<tongue>(?:{_TONGUES})\b)|(?P<hue>(?:{_HUES})\b)"
    rf"|(?P<n>{_NUMBER}(?:e-?\d+)?|(?:{_COUNTS})\b))"
    rf"|(?P<zhdate>(?:下?周|星期|礼拜)[一二三四五六日天末]|[明后今]天|[月年]底|{_HAN_COUNT}+月(?:{_HAN_COUNT}+[日号])?)"
    r"|(?P<zhid>[\u4e00-\u9fff]{2,3}(?:路|街|巷|大道)\d*号?)"
    rf"|(?P<zhtime>{_HAN_COUNT}{{1,3}}点半?)|(?P<zhtongue>{_ZH_TONGUES})"
    r"|(?P<zhhue>[红蓝绿黄黑白紫橙灰]色)"
    rf"|(?P<zhn>{_HAN_COUNT}{{1,4}}(?=[个次字条页行份倍]))"
)
_ZH_UNIT = re.compile(
    r"\s?([毫千]?[克升米秒]|公里|公斤|分钟?|小时|字|天|次|条|个|页|行|人|份|度|楼|层|斤|周|月|年|台|件|位|倍|号)"
)
_UNIT = re.compile(r"[\s-]?([a-z]{1,14}|°)(?!\w|\.\w)")
# A flight, a train: one thing in two parts.
_CODE = re.compile(r"(?<=\b[A-Z]{2}) (?=\d{3,5}\b)")
_WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ]*(?:['-][A-Za-zÀ-ɏ]+)*|[\u4e00-\u9fff]+|[.!?:;|]")
_FULL_NAME = re.compile(r"(?:^|[.!?:;|] ?)([A-ZÀ-Þ][a-zà-ɏ]+) (?=[A-ZÀ-Þ][a-zà-ɏ]+\b)")
_IRREGULAR = {
    "sent": "send", "written": "write", "wrote": "write", "bought": "buy", "paid": "pay", "built": "build", "told": "tell",
    "found": "find", "met": "meet", "spoken": "speak", "drawn": "draw", "chosen": "choose", "driven": "drive",
}  # fmt: skip
_CLAUSE = re.compile(r"\s\(|\)|[,;:.—–，。；：!！]\s+|[，。；：！]|\s[-–—]\s|\s(?:so|but|because|and)\s")

# Words without which a statement is about the same.
_LIGHT = frozenset(
    "a an the this that these those is are was were be been being am do does did has have had can could will would"
    " shall should must may might to of in on at by for from with into it its it's i me my we us our you your they"
    " them their he she his her and or but so if as than then there here please pls now just still again also"
    " too not no i'm i'd i'll i've we're we've we'll that's there's let let's lets isn't aren't don't doesn't"
    " didn't won't can't there's what which who".split()
)


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word)[:6] for word in words.split())


# Words that say that something changes, or how it is said: they are no part of any subject.
_TURNS = _stems(
    "new old sure make made keep use using used want need like ok okay fine yes well wait sorry set change changed update"
    " updated correct correction mean meant move moved moving switch swap raise raised lower lowered increase increased"
    " decrease reduce reduced extend extended extension postpone postponed bump bumped replace replaced rename renamed"
    " revise revised forget scratch drop dropped shift shifted push pushed back forward bring brought tighten tightened"
    " loosen loosened relax relaxed upgrade upgraded migrate migrated adjust adjusted go goes went gone get got give gave"
    " take takes taken put rather instead actually after all always only today tomorrow henceforth onwards wrong mistake"
    " typo misread mistyped earlier previous former one up down out over off about until till before more most less least"
    " currently current thing things right assume expect stay stays become becomes became say says said think know let"
    " wants wanted would better accident mind decided decide each under any some other since because when while turn turned"
    " happen happens have having assigned reassigned look looks see seems via own leave left done finished finish"
    " completed complete closed resolved fixed handled sorted already never ignore lifted rule requirement restriction"
    " whatever longer anymore again allowed free may must try trying please feel fewer per  open alone scrap scrapped removed abolished waived cancelled canceled revoked withdrawn embargo ban"
    " task todo remind reminder"
)
# What can be left out or said in another word: it tells no two subjects apart, but is something to share.
_FRAME = _TURNS | _stems(
    "run runs running deploy deploys start begins begin write writes answer weigh weighs send book serve call called live"
    " lives plan plans prefer prefers number value year next week month read reads line digit work works every maximum"
    " limit cap exceed hold show put line check"
)
_HAN_FRAME = re.compile(
    "[上下]午|晚上|早上|凌晨|定在|安排|开始|放到?|住在?|寄到|部署|搬家|家|抱歉|说错|写错|看错|错|计划|有变|收紧|放宽|老师|规定|取值?|算|开关|打开|关闭|保持|提(?=到)|能|吃"
)


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
    return words - _FRAME


def told(words: frozenset[str]) -> frozenset[str]:
    """Return those of some words that two statements can have in common."""
    return words - _TURNS


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
    for part in _CLAUSE.split(without_lead(text).replace("’", "'")):
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
    small = _CODE.sub("_", part).lower()
    kept, last = [], 0
    for match in _FORMS.finditer(small):
        stop = _take(match, small, values)
        kept += part[last : match.start()], " … "
        last = stop
    kept.append(part[last:])
    _read_words("".join(kept), names, words)


def _take(match: re.Match[str], small: str, values: set[Value]) -> int:
    """Note a value, and return where it ends, its unit with it."""
    form = (match.lastgroup or "").removeprefix("zh")
    value, stop = match[0].strip(" .,:;-"), match.end()
    if form == "n":
        unit = _UNIT.match(small, stop) or _ZH_UNIT.match(small, stop)
        if unit and unit[1] not in _LIGHT and stem(unit[1])[:6] not in _FRAME:
            form, stop = f"n {stem(unit[1])[:6]}", unit.end()
        value = value.replace(",", "")
    elif form == "date":
        value = value.removesuffix("s")
    elif form in ("percent", "money"):
        value = re.sub(r"[^\d.]", "", value.replace(",", "")) or value
    values.add((form, value))
    return stop


def _read_words(text: str, names: set[str], words: set[str]) -> None:
    names.update(stem(name.lower())[:6] for name in _FULL_NAME.findall(text) if name.lower() not in _LIGHT)
    is_first = True
    for token in _WORD.findall(text):
        if token[0] in ".!?:;|":
            is_first = True
            continue
        if "\u4e00" <= token[0] <= "\u9fff":
            words.update(han_words(_HAN_FRAME.sub(" ", token)))
        elif (small := token.lower()) not in _LIGHT:
            word = stem(_IRREGULAR.get(small, small))[:6]
            words.add(word)
            if token[0].isupper() and (not is_first or (len(token) > 3 and token.isupper())):
                names.add(word)
        is_first = False


def exact(text: str) -> frozenset[str]:
    """Return the values and names in a statement."""
    found = anchors(text)
    return found.names.union(value for _, value in found.values)
