"""Which lines of a result tell what came of a call, and how much each of them tells.

No table of phrases: a line tells something by what is exact in it (an identifier, an address, something
measured), by being labelled, and by standing alone. What stands in a run, in code, in a log, or begins as
several other lines do, is data; what only says that something goes on tells nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from gateway.core.ledger import shapes
from gateway.core.ledger.gates import gated
from gateway.core.ledger.phrases import DIGIT
from gateway.core.ledger.values import NUMBER, formed, strong

_PLACE = re.compile(r"[A-Za-z0-9_-]*[./][A-Za-z0-9_./-]*:\d+:")
_CODE = re.compile(
    r"(?:def|class|import|from|return|if|for|while|const|let|var|func|fn|public|#include)\b|[\w.]+\(.*\)$"
)
_CODE_WITHIN = re.compile(r"[;{]$|\)\s*[:{]$|= ?\w+\(")
# Code has one of these, if it does not begin as code does.
_CODE_SIGNS = re.compile(r"[;{()]")
# What is code only among code; what belongs to a patch or a traceback.
_AMONG_CODE = re.compile(r"\s|[\w.\[\]\"']{1,60} ?[-+|:]?=(?!=)|[#/*<\"'`)}\]@-]|export\b|async\b|type\b")
_PATCH = re.compile(
    r"(?:File \"|at [\w$.<>]{1,80} ?\(|diff --git |index [0-9a-f]{4,40}\.\.|--- |\+\+\+ |@@ )"
)
# What went wrong, in whatever state it is listed.
_WRONG = gated(
    r"\b(?:error|fail\w*|fatal|crash\w*|denied|refused|timed? ?out|evicted|exhausted|killed|unreachable"
    r"|conflict|corrupt\w*|critical)\b|CrashLoop|BackOff|OOM|失败|错误|异常|超时|已满|中断|冲突"
)
_CODE_SHARE = 0.2
_LEAST_CODE = 3

_GOES_ON = re.compile(
    r".*(?:\.\.\.|…|[:：]|\[ {0,2}\d{1,3} ?%\])$|\W*(?:[\d.]{1,6}\s?%\W*)?$"
    r"|\W*(?:waiting|loading|pulling|fetching|downloading|connecting|starting|stopping|checking|reading"
    r"|scanning|running|building|pushing|uploading|warm(?:ing|-?up)|please wait|step \d|attempt \d|still"
    r"|refreshing|preparing|resolving|collecting|unpacking|using|bisecting|正在|开始|等待|请稍|准备|预热)"
    r"\b(?!\s*[:：])[^:：]{0,80}(?:[:：][\s\d/%.]{0,20})?$",
    re.IGNORECASE,
)
_HEAD = re.compile(r"([^\s:：=，,]{1,24})(?:(\s+)([^\s:：=]{1,24}))?")
_DIGITS = re.compile(r"\d+")
_NUMERALS = frozenset("0123456789")
_MANY = 8
_REPEATED = 3
"""So many lines that begin alike are data, in whatever places of a result they stand."""

# A word of letters and digits, as identifiers are; no ordinals, no sizes of images, no times.
_MIXED = re.compile(
    r"(?<!\w)[#!№]\d{2,}|(?<![\w.])(?=[A-Za-z_]{1,24}-?[A-Za-z_]{0,24}\d|\d{1,24}[-_]?\d{0,24}[A-Za-z])"
    r"(?!\d+-[a-z]{2,12}(?![\w-])|\d+(?:st|nd|rd|th|s|ms|m|h|d|x|k|[KMGT]i?B?|v\d)\b)[A-Za-z0-9_-]{2,40}(?![\w])"
)
# What has no letter and no sign beside a digit, has no such word; it begins with a digit, so it is fast.
_MAY_BE_MIXED = re.compile(r"\d(?:(?<=[A-Za-z_#!№-].)|[-_]?[A-Za-z])")
_UNIT = (
    r"(?:%|‰|°\s?[CF]?|℃|[kKMGT]i?B\b|bytes\b|[µnm]?s\b|sec\b|seconds?\b|min(?:utes?)?\b|h\b|hours?\b|days?\b"
    r"|[nµmck]?m\b|[µmk]?g\b|kg\b|t\b|m?[VA]\b|[mkMG]?Wh?\b|[kMG]?Hz\b|[kMh]?Pa\b|bar\b|m?K\b|k?J\b|k?Nm?\b"
    r"|m?mol\b|[mµ]?[lL]\b|dB\b|rpm\b|px\b|bp\b|pp[mb]\b|(?:req|rows?|records?|points?|votes?|words?|items?"
    r"|tests?|files?|pages?|lines?|seats?|nights?|guests?|pieces?|units?"
    r"|nodes?|objects?|users?|hosts?|pods?|instances?|contacts?|copies)\b|[a-zA-Z]{1,5}/[a-zA-Z]{1,4}\b"
    r"|[元件条个位张份次行页人台套间晚天小时分秒毫克吨米升伏安度倍票轮户家辆只级万亿]|EUR|USD|GBP|CNY)"
)
MEASURED = re.compile(rf"[{DIGIT}]\s?{_UNIT}")
"""A number with what it counts."""
# Each begins with a plain set of characters, so that looking for it is fast.
_LARGE = re.compile(
    rf"[{DIGIT}](?<![\w.-].)(?!(?:(?<=1)9|(?<=2)0)\d\d\b)(?:\d\d+|\d{{0,2}}(?:,\d{{3}})+|\d*\.\d+)(?![\w-])"
)
_DATED = gated(
    r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2}\b"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?(?: the)? \d|\d{1,2}\s?[月号日](?!志)"
)
_LABEL = re.compile(r"\W*[^\W\d][\w ()/.-]{0,30}?\s?(?:[:=：]|\bis\b|为|是)\s*\S|[^\s：]{1,12}：\S")
_CAME_OF_IT = gated(
    r"\b(?:created?|opened|saved?|wrote|written|deployed|live|started|assigned|committed|pushed|merged|passed"
    r"|failed|found|returned|generated|booked|confirmed|reserved|issued|registered|uploaded|installed|updated"
    r"|migrated|released|scheduled|sent|submitted|published|applied|total|result|complete(?:d)?|done|ready"
    r"|success\w*|accepted|captured|charged|refunded|granted|placed|won|closed|match|delivered|finished|available|cheapest"
    r"|version|reference|number|id|runs? as|now|is up|up at|signs?|expires?|root cause|caused?|mean|average"
    r"|best|highest|lowest|peak|reading)\b"
    r"|成功|完成|已|创建|生成|保存|预订|编号|单号|号码|版本|地址|合计|总计|结果|原因|读数|共|净重|准确率",
    re.IGNORECASE,
)

_STOP = re.compile(r"[.!?](?=\s|$)|[。！？]")
_MOST_SENTENCES = 2
_LONG_IN_CHINESE = 60

MOST_CHARS = 240
"""A longer line is prose or data."""


def is_code(row: str) -> bool:
    """Return whether a line is code, or one that a search found in code.

    >>> is_code("print(a.b(3))"), is_code("src/a.py:3: x = 1"), is_code("It is 3.")
    (True, True, False)
    """
    if _CODE.match(row) or _PLACE.match(row):
        return True
    return _CODE_SIGNS.search(row) is not None and _CODE_WITHIN.search(row) is not None


def alone(rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a result that are no data and say more than that something goes on.

    >>> list(alone(["port: 1", "port: 2", "port: 3", "", "Pulling...", "Ready as rel-20418"]))
    ['Ready as rel-20418']
    """
    return (row for row in apart(rows) if not _GOES_ON.match(row[:MOST_CHARS]))


def apart(rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are neither data nor code, and do not begin as several others do."""
    data = shapes.data_lines(rows)
    rest = [number for number, row in enumerate(rows) if number not in data and row.strip()]
    # Most results are nothing but data.
    if not rest:
        return
    bare = [row.strip() for row in rows]
    is_repeated = _repeated([bare[number] for number in rest], bare)
    is_source: bool | None = None
    for number in rest:
        row = bare[number]
        if is_repeated(row) or is_code(row) or _PATCH.match(row):
            continue
        if _AMONG_CODE.match(rows[number]):
            # Asked of few lines, and answered by all.
            is_source = _is_source(bare) if is_source is None else is_source
            if is_source:
                continue
        yield row


def _repeated(some: Sequence[str], rows: Sequence[str]) -> Callable[[str], bool]:
    """Return what tells of *some* of the lines whether they begin as several of all *rows* do."""
    firsts = {row[0] for row in some}
    is_numbered = any(map(str.isdecimal, firsts))
    alike = [row for row in rows if row[:1] in firsts or (is_numbered and row[:1].isdecimal())]
    if len(alike) < _REPEATED:
        return lambda row: False
    heads = Counter(map(_head, alike))
    return lambda row: heads[_head(row)] >= _REPEATED


def _is_source(rows: Sequence[str]) -> bool:
    coded = sum(is_code(row) for row in rows)
    return coded >= _LEAST_CODE and coded >= _CODE_SHARE * sum(map(bool, rows))


def _head(row: str) -> str:
    """Return how a line begins: a label, or two words of a sentence, whatever its numbers are."""
    found = _HEAD.match(row)
    if found is None:
        return row[:1]
    first, gap, second = found.groups()
    if not gap or row[found.end(1) : found.end(1) + 1] in ":：=" or not first.isalpha():
        return _DIGITS.sub("0", first)
    return _DIGITS.sub("0", f"{first} {second}")


def is_prose(line: str) -> bool:
    """Return whether a line is of a text that somebody wrote, rather than what a tool reports.

    >>> is_prose("Done. It is rel-20418.")
    False
    """
    most = _MOST_SENTENCES - (len(line) > _LONG_IN_CHINESE and not line.isascii())
    return len(line) >= MOST_CHARS or len(_STOP.findall(line)) > most


def _is_dense(line: str) -> bool:
    """Return whether a line is little else than numbers: a row of data that stands by itself."""
    words = line.split()
    # A word of the kind has at least one digit.
    if len(words) < _MANY or 2 * sum(map(line.count, _NUMERALS)) <= len(words):
        return False
    return 2 * sum(not _NUMERALS.isdisjoint(word) for word in words) > len(words)


def is_named(text: str) -> bool:
    """Return whether a text holds a word of letters and digits, or a number that names something.

    >>> is_named("pull request #5521"), is_named("for 24 hours")
    (True, False)
    """
    return _MAY_BE_MIXED.search(text) is not None and _MIXED.search(text) is not None


def counts(text: str) -> bool:
    """Return whether a text holds a number that nobody says in passing: large, exact, or a date.

    >>> counts("312 senders"), counts("3 ways in 2019")
    (True, False)
    """
    return _LARGE.search(text) is not None or _DATED.search(text) is not None


def weight(line: str, known: str = "") -> int:
    """Return how much a line tells that *known* does not say; nothing exact: 0.

    >>> weight("Charge ch_9xKw21 captured for 129.00 EUR") > weight("took 3 s") > weight("all is well")
    True
    """
    return _weighed(line, known) if known else _weight(line)


# Asked by what is carried and by what is quoted.
@lru_cache(1024)
def _weight(line: str) -> int:
    return _weighed(line, "")


def _weighed(line: str, known: str) -> int:
    if _is_dense(line):
        return 0
    if not NUMBER.search(line) and not strong(line) and not formed(line):
        return bool(_CAME_OF_IT.search(line)) + 2 * bool(_WRONG.search(line))
    exact = _exact(line, known)
    came_of_it = bool(_CAME_OF_IT.search(line)) + bool(_WRONG.search(line))
    return exact and exact + bool(_LABEL.match(line)) + 2 * came_of_it


def _exact(line: str, known: str) -> int:
    name = strong(line)
    if name and name not in known:
        return 4
    if _MAY_BE_MIXED.search(line) and any(found[0] not in known for found in _MIXED.finditer(line)):
        return 4
    if any(found[0] not in known for found in _LARGE.finditer(line)):
        return 3
    name = formed(line)
    if MEASURED.search(line) or _DATED.search(line) or (name and name not in known):
        return 2
    return 0 if known and all(number in known for number in _DIGITS.findall(line)) else 1
