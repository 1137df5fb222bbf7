"""What assistants and tools report: results with their value, told from narration, code, listings and logs.

Of what tools return only bounded parts are read, and only lines that tell something: results, totals,
identifiers. Lines of data tell nothing, but for one that stands out by its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gateway.core.ledger import members, telling
from gateway.core.ledger.gates import gated
from gateway.core.ledger.openings import Listed
from gateway.core.ledger.values import NUMBER, SIGN, formed, strong

# Words of a report on what was done or found.
_TELLS = gated(
    r"\b(?:created?|opened|saved|wrote|written|deployed|listening|started|assigned|committed|pushed|merged"
    r"|total|count|sum|average|mean|median|version|result|results|status|port|url|host|endpoint|path|branch"
    r"|commit|id|order|ticket|invoice|amount|balance|price|passed|failed|succeeded|rows?|error|found"
    r"|equals?|is|are|returned|generated|booked|confirmed|confirmation|reference|tracking|refund(?:ed)?"
    r"|expires?|due|issued|measured|accuracy|revenue|latency|p\d\d|rmse|score|p-value|registered|uploaded"
    r"|updated|migrated|installed|allocated|reserved|built|tagged|released|scheduled|key|name|number|put"
    r"|placed|moved|copied|copy|stored|filed|added|landed|lands|lives|sits|runs|running|now|answers|queued"
    r"|submitted|sent|posted|published|applied|comes?|came|was|has been|set|switched|renamed|archived"
    r"|exported|restored|renewed|archive|backup|job|reservation|carrier|model|migration|image|revision"
    r"|introduced)\b|[\w)\"'`*] ?[:=] |(?:创建|生成|保存|写入|部署|监听|总计|共计|合计|一共|版本|结果|状态"
    r"|端口|编号|单号|订单|工单|金额|余额|成功|失败|行|为|是|：|放|在|到|由|已|了)"
)
# What is only going to be done.
_PLANS = re.compile(
    r"\W*(?:let me|let's|i'll|i will|i'm going to|i am going to|next,? i|now i|first,? i|to do that|if you"
    r"|(?:looking|checking|reading|running|opening|searching)\b[^,;:，]*$"
    r"|you (?:could|should|may|can (?!find|see|reach|open|track|follow|view|pick|download))"
    r"|我(?:来|先|再|去|会|将)|让我|接下来|正在)",
    re.IGNORECASE,
)
# A bare number tells something only close to what it measures; others only count what was seen.
_UNIT = r"(?:(?:[kmgt]i?b|bytes|ms|s|seconds?|minutes?|min|hours?|h|kg|km|rpm|rows|records)\b|€)"
_MEASURED = gated(
    r"\b(?:total|count|sum|average|mean|median|max\w*|min\w*|id|number|port|price|amount|balance|accuracy"
    r"|score|rmse|rate|ratio|loss|auc|revenue|latency|duration|p\d\d|p-value|n|size|length|version|revision"
    r"|ticket|order|invoice|error|code|status|exit|result|value|limit|timeout|margin|growth|share|cost"
    r"|budget|temperature|speed)\b[^.;\d]{0,40}?(?:\b(?:is|are|was|were|of|to|at|equals?|reached|came|comes"
    r"|now|stands)\b|[:=≈→])[^\d;]{0,12}[$€£¥~-]?\d"
)
# What gives the number to such a word; without it, that is not looked for.
_GIVING = Listed("is are was were of to at equal equals reached came comes now stands")
# Each begins with a plain set of characters, so that looking for it is fast.
_WITH_UNIT = re.compile(rf"\d[\d.,]*\s?{_UNIT}")
_BEHIND_SIGN = re.compile(r"[为是达：:=共计号到于](?<!\d到)(?:(?<!于)|(?<=等于))\s?-?\d")


# How a number is said to be what came out.
_CAME_OUT = gated(
    r"\b(?:is|are|was|were|now|runs?|has|have|had|came|comes?|works? out|obtain(?:ed)?|got|gives?|gave"
    r"|yields?|found|find|counted|reach\w*|dropped|fell|rose|grew|shrank|shrunk|brought|cut|down to|up to"
    r"|ended up|left|takes?|took|shows?|stands?|amounts?|booked|charged|paid|costs?|measured|answers?"
    r"|listens?|issued)\b"
    r"|\b(?:get|gets|will|by|with an?) |[是为到了有共占达剩用能在]|[:：=≈]"
)
_CAN_BE_FOUND = gated(r"\b(?:find|see|reach|open|track|follow|view|pick|download)\b")
_SUPPOSES = gated(
    r"\b(?:would|could|might|if|e\.g|for example|for instance|such as|suppose|say|usually|typically|often)\b"
    r"|例如|比如|如果|假如|可能|建议|通常|一般|大概"
)
_CHANGED = gated(
    r"\bfrom \d[^.;]{0,30} to \d|从[^。；]{0,10}\d[^。；]{0,12}(?:到|变成|变为|成)[^。；]{0,4}\d"
)
_ROLE = re.compile(
    r"(?:[\w ]{0,20}\b(?:owner|assignee|assigned to|contact|manager|doctor|winner|cause|reason|supplier"
    r"|carrier)|[\u4e00-\u9fff]{0,6}(?:经理|负责人|联系人|医生|原因|处理人|承运商|供应商))\s?[:：]\s*\S",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"\W*(?:for (?:example|instance)|e\.g|say,|suppose|例如|比如|假如)")
# Whom or what something was settled with: a name without a digit.
_SETTLED = gated(
    r"\b(?:booked|reserved|reserving|ordered|rented|given|assigned|appointed|signed off|approved|won"
    r"|granted)\b[^.;]{0,60} (?:[A-Z][a-z]+|[A-Z]\b)|\b(?:is|was|with|by) (?:Dr|Mr|Mrs|Ms|Prof)\.? [A-Z]"
    r"|(?:订|约|预订|预约|留|分配|批|指派|安排)(?:好|到|给|了|的是)\S{2,}"
)


# Asked by what is carried and by what is quoted.
@lru_cache(1024)
def reports_value(sentence: str) -> bool:
    """Return whether what an assistant or a tool says is a result with its value.

    >>> reports_value("Created ticket OPS-4471."), reports_value("I see 3 ways.")
    (True, False)
    """
    if _PLANS.match(sentence):
        return False
    if SIGN.search(sentence) is None:
        return _SETTLED.search(sentence) is not None and not _SUPPOSES.search(sentence)
    lower = sentence.lower()
    if strong(sentence) or formed(sentence):
        return not _EXAMPLE.match(lower) and _reports(sentence, lower)
    return not _SUPPOSES.search(lower) and (_comes_out(sentence, lower) or _is_measured(lower))


def _is_measured(lower: str) -> bool:
    if _WITH_UNIT.search(lower) or _BEHIND_SIGN.search(lower):
        return True
    gives = _GIVING.are_in(lower) or any(sign in lower for sign in ":=≈→")
    return gives and _MEASURED.search(lower) is not None


def _reports(sentence: str, lower: str) -> bool:
    return any(words.search(lower) for words in (_TELLS, _CAN_BE_FOUND, _CAME_OUT)) or bool(
        _SETTLED.search(sentence)
    )


def _comes_out(sentence: str, lower: str) -> bool:
    """Return whether a sentence says by a number, or by a name with one in it, what came out."""
    if telling.counts(sentence):
        return telling.MEASURED.search(sentence) is not None or _CAME_OUT.search(lower) is not None
    if telling.is_named(sentence):
        return _reports(sentence, lower)
    return bool(_SETTLED.search(sentence) or _CHANGED.search(lower))


is_code = telling.is_code

_HEAD_CHARS = 1_600
_TAIL_CHARS = 800
_LINE_CHARS = 240
_LEAST_CHARS = 6
_SHORT_CHARS = 400
"""A result of so few characters is an outcome rather than a listing."""
_RARE_CHARS = 20_000
_LABELLED = re.compile(r"[A-Za-z][\w .-]{0,30}(?::\s|\s)\s*-?\d[\d.,]*\W*$|[\u4e00-\u9fff]{2,8}[：:]\s*\S*\d")
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u4e00-\u9fff]")
_LEAST_OF_SHORT = 2
_LEAST_OF_LONG = 3
# What agents' shells add to whatever a command said, where it ended well: it is the same each time.
_ENDED_WELL = re.compile(
    r"\W{0,4}(?:(?:shell ?id|command|process)\b:?[\w -]{0,40})?"
    r"(?:exit(?:ed)?[ _-]?(?:with )?(?:code|status)|return ?code)\W{0,3}0\W{0,4}$"
    r"|\W{0,4}(?:wall time|chunk id|original token count)\b[^\n]{0,60}$",
    re.IGNORECASE,
)
MAX_OF_TOOL = 6
"""So many values are taken from one tool result."""

# What is looked for between head and tail, and among data; each costs one scan for a literal.
_LITERALS = (
    "otal",
    "reated",
    "istening ",
    "ersion",
    "aved ",
    "ritten to",
    "ueued",
    "ublished",
    '"id"',
    '{"',
    "rror",
    "ailed",
    "://",
    " is now ",
    "成功",
    "错误",
    "号：",
    "ploaded",
    "ed to ",
    "ed as ",
    "ed at ",
    "ed on ",
    "合计",
    "总计",
    "已",
)
_RARE = 2
"""What stands in more lines than that stands out of none."""
_LINES = re.compile(
    r"^[^\w\"\n]*(?:(?:total|sum|count|rows?|created|opened|saved|wrote|deployed|listening|server|status"
    r"|result|version|commit|branch|ticket|order|invoice|amount|balance|error|exit|passed|failed|queued"
    r"|stored|published|applied|archived?|backup|submitted|scheduled|reserved|confirmed|tagged|job|carrier"
    r"|accuracy|auc|loss|model|migration|image|revision|url|host|port|id|path|build|release|booking"
    r"|confirmation|tracking|reference|mean|average|median|accuracy|duration|price|refund|\d+ (?:rows?"
    r"|tests?|files?|passed|failed|records?|results?|items?|errors?|matches))\b|[\w .-]{2,32}(?:id|number"
    r"|total|count|version|url|host|port|status|amount|key|name|path|date|code|hash|price|balance"
    r"|rate)\b\s*[:=])|^[^\n]{0,80}\b(?:created|opened|saved to|written to|deployed|listening|assigned"
    r"|committed|pushed|merged|booked|issued|returned|generated|uploaded|registered|total(?:s|ling)?)\b"
    r"|^[^\n]{0,60}\b[a-z]{2,}(?:ed|ten|nt|ut) (?:to|at|in|into|as|on|under|from)\b(?=[^\n]{0,100}$)"
    r"|^[^\n]{0,40}(?:已|创建|生成|保存|写入|部署|监听|总计|共计|合计|共|版本|状态|端口|编号|单号|订单|工单"
    r"|金额|余额)",
    re.IGNORECASE,
)


def tool_lines(text: str) -> Iterator[str]:
    """Yield the lines of a tool result that tell a value.

    >>> list(tool_lines("reading\\ncreated ticket OPS-4471\\nok"))
    ['created ticket OPS-4471']
    """
    seen: set[str] = set()
    for part in parts(text):
        for found in _telling(part, len(text) <= _SHORT_CHARS):
            if found not in seen:
                seen.add(found)
                yield found
                if len(seen) >= MAX_OF_TOOL:
                    return


def parts(text: str) -> Iterator[str]:
    """Yield what is read of a result: all of it, or both its ends and what announces itself between them."""
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        yield text
        return
    # Whole lines, where there are any: half a line of data has another shape than its neighbours.
    last = text.rfind("\n", _HEAD_CHARS - _LINE_CHARS, _HEAD_CHARS)
    yield text[: last if last > 0 else _HEAD_CHARS]
    yield text[max(text.find("\n", -_TAIL_CHARS, _LINE_CHARS - _TAIL_CHARS), len(text) - _TAIL_CHARS) :]
    between = text[_HEAD_CHARS:-_TAIL_CHARS]
    for literal in [literal for literal in _LITERALS if literal in between]:
        at = text.find(literal, _HEAD_CHARS)
        if text.count(literal, at, at + _RARE_CHARS) <= _RARE:
            start = max(text.rfind("\n", at - 120, at), at - 120) + 1
            stop = text.find("\n", at, at + 200)
            yield text[max(start, 0) : stop if stop >= 0 else at + 200]


def _telling(part: str, is_short: bool) -> Iterator[str]:
    """Yield the telling lines of a part of a result; what is JSON in it comes last."""
    rows, objects = members.parted(part)
    for row in telling.alone(rows):
        row = row[:_LINE_CHARS]
        if len(row) >= _LEAST_CHARS and _tells(row, is_short):
            yield row
    if objects:
        yield from members.telling(objects)


def _tells(row: str, is_short: bool) -> bool:
    """Return whether a line of a result tells a value; of a short one, each with something exact does."""
    if _ENDED_WELL.match(row):
        return False
    # In Chinese a page is as short as an outcome in English.
    if telling.is_prose(row) and not (is_short and row.isascii()):
        return False
    if SIGN.search(row) is None:
        return is_short and _ROLE.match(row) is not None
    if _LINES.match(row):
        return bool(NUMBER.search(row) or strong(row) or formed(row))
    if is_short and (_LABELLED.match(row) or (" " in row and (strong(row) or formed(row)))):
        return True
    return bool(_LETTERS.search(row) or strong(row)) and telling.weight(row) >= (
        _LEAST_OF_SHORT if is_short else _LEAST_OF_LONG
    )
