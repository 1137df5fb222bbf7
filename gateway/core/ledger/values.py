"""Exact values and identifiers, and whether a sentence states what they are of.

A value is worth carrying with its subject: "the order number is 4471-XK", not a bare number. What a user
states counts wherever it stands; of what tools return only bounded parts are read, and only lines that tell
something: results, totals, identifiers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.core.ledger.decoys import plain

# What is a value whatever stands around it. A row is added for a format that nobody uses in prose.
STRONG = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s<>\"'`）)，。；]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])"
    r"|\b(?:sha(?:1|256)?[:-])?(?=[0-9]{0,64}[a-f])(?=[a-f]{0,64}\d)[0-9a-f]{7,64}\b"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5}|/\d{1,2})?\b"
    r"|\b[a-zA-Z][\w.-]{1,60}:\d{2,5}\b|(?<![\w:]):\d{4,5}\b"
    r"|\b[A-Z][A-Z0-9]{1,9}-\d+\b|(?<!\w)#\d{2,}\b"
    r"|\b(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Z])(?<![\w-])[A-Z0-9]{1,24}(?:[-_][A-Z0-9]{1,24}){1,6}\b"
    r"|\bv\d+(?:\.\d+)*(?:-[\w.]+)?\b|\b\d+\.\d+\.\d+(?:[-+.][\w.]+)?\b"
    r"|\b[A-Z][A-Z0-9_]{2,40}=\S+"
    r"|(?<!\w)\+\d[\d ()-]{6,18}\d\b|\b\d{3}-\d{3,4}-\d{4}\b|(?<!\d)1[3-9]\d{9}(?!\d)"
    r"|[$€£¥₹]\s?\d[\d,.]*|\b\d[\d,.]*\s?(?:USD|EUR|GBP|CNY|RMB|JPY|CHF|euros?|dollars?|元|万元|欧元|美元)"
    r"|-?\d{1,3}\.\d{3,}, ?-?\d{1,3}\.\d{3,}"
    r"|\b(?:gpt|claude|gemini|llama|qwen|deepseek|mistral|o\d)-[\w.:-]*\w"
    r"|\b[A-Z]{2,6}\d{3,}[A-Z0-9]*\b|\b[a-z]{1,6}[_-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,}\b"
)
# What is one where the sentence says so.
WEAK = re.compile(
    r"(?<![\w/])(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)*/?"
    r"|(?<![\w/.-])[\w.-]{1,64}(?:/[\w.-]{1,64})+|\b[A-Za-z]:\\[^\s\"']+"
    r"|(?<![\w.-])[\w-]{1,64}\.(?:py|tsx?|jsx?|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|sql|ya?ml|toml"
    r"|json|csv|tsv|parquet|xlsx?|md|txt|pdf|docx?|sh|env|lock|html|css|ipynb|db)\b"
    r"|\b\d{4}-\d\d-\d\d|\b\d{1,2}:\d\d\b|\b\d[\d,.]*\b ?%?|[0-9]+"
    r"|(?<![\w-])[a-z]{1,30}(?:_[a-z0-9]{1,30}){1,8}\b"
    r"|(?<![\w-])[a-z]{1,30}(?:-[a-z]{1,30}){0,4}-\d+\b"
)
# No value is without one of these.
_SIGN = re.compile(r"[\d/@_=]")
_STATES = re.compile(
    r"\b(?:is|are|was|equals?|lives?|located|called|named|stands|set to|has|have|uses?|runs?"
    r"|starts?|named|means|goes to|belongs|reachable|listens?|=|at)\b"
    r"|[\w)\"'`] ?(?:=|:)(?=\s|\d|/)|\bmy\b|\bour\b|是|为|在|叫|位于|等于|：|共|有|用|[号址口径本号码名]"
)
_NAMED = re.compile(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Tt]his|[Hh]is|[Hh]er|[Tt]heir|[\w.-]+'s) (?:[\w'/-]+ ){1,7}(?:is"
    r"|are|will be|=)(?: now| currently)?(?: called| named| set to| at| in| on"
    r"| the)? ?[\"“'`]?(?:[A-Z][\w-]+|[a-z]+(?:[-_/.][a-z0-9]+)+)"
    r"|\b(?:name|called|named|known as|codename|code-named|code name|nickname|branch|repo"
    r"|database|table|host|user(?:name)?|account|project)(?: is|:| =)? [\"“`]?(?:[A-Z]\w+"
    r"|[\w-]+[-_/.]\w+)"
    r"|[\u4e00-\u9fff]{0,10}(?:名字?|名称|姓名|代号|分支|仓库|域名|主机|账号|用户名?|项目|密钥|库名?|表名?|型号|公司|客户|负责人"
    r"|联系人)(?:是|为|叫(?:做)?|：|:)\s*[^，。]{1,30}"
)
_IMPERATIVE = re.compile(
    r"^(?:\W|please|now|ok|okay|then|and|can you|could you|also|just|hi|hey|next|let's)*(?:fix"
    r"|look|open|run|check|read|show|add|rename|update|review|see|write|create|refactor|explain"
    r"|implement|debug|remove|delete|move|change|test|edit|find|try|go|print|list|make|count|grep"
    r"|search|view|apply|commit|install|give|tell|continue|help|start|finish|parse|load|plot)\b"
)


def states_value(sentence: str) -> bool:
    """Return whether a user's sentence names an exact value and what it is of.

    >>> states_value("The customer's order number is 4471-XK."), states_value("Fix the bug in a.py")
    (True, False)
    """
    has_sign = _SIGN.search(sentence) is not None
    if has_sign and STRONG.search(sentence):
        return len(sentence) > 12
    if _NAMED.search(sentence):
        return True
    if not has_sign or WEAK.search(sentence) is None or not _STATES.search(sentence):
        return False
    return not _IMPERATIVE.match(plain(sentence))


# Words of a report on what was done or found.
_TELLS = re.compile(
    r"\b(?:created?|opened|saved|wrote|written|deployed|listening|started|assigned|committed"
    r"|pushed|merged|total|count|sum|average|mean|median"
    r"|version|result|results|status|port|url|host|endpoint|path|branch|commit|id|order|ticket"
    r"|invoice|amount|balance|price|passed|failed|succeeded"
    r"|rows?|error|found|equals?|is|are|returned|generated|booked|confirmed|confirmation"
    r"|reference|tracking|refund(?:ed)?|expires?|due|issued|measured|accuracy"
    r"|revenue|latency|p\d\d|rmse|score|p-value|registered|uploaded|updated|migrated|installed"
    r"|allocated|reserved|built|tagged|released|scheduled|key|name|number)\b"
    r"|[\w)\"'`*] ?[:=] |(?:创建|生成|保存|写入|部署|监听|总计|共计|合计|一共"
    r"|版本|结果|状态|端口|编号|单号|订单|工单|金额|余额|成功|失败|行|为|是|：)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")


def reports_value(sentence: str) -> bool:
    """Return whether what an assistant or a tool says is a result with its value.

    >>> reports_value("Created ticket OPS-4471."), reports_value("Looking at it now.")
    (True, False)
    """
    if _SIGN.search(sentence) is None or not _TELLS.search(sentence):
        return False
    return bool(STRONG.search(sentence)) or bool(WEAK.search(sentence))


_HEAD_CHARS = 1_600
_TAIL_CHARS = 800
_LINE_CHARS = 240
MAX_OF_TOOL = 6
"""So many values are taken from one tool result."""

# What is looked for between head and tail; each costs one scan for a literal.
_LITERALS = ("total", "Total", "created", "Created", "listening on", "version", '"id"', "合计", "总计")
_LINES = re.compile(
    r"^[^\w\"\n]*(?:(?:total|sum|count|rows?|created|opened|saved|wrote|deployed|listening|server"
    r"|status|result|version|commit|branch|ticket|order|invoice|amount|balance|error|exit|passed"
    r"|failed"
    r"|url|host|port|id|path|build|release|booking|confirmation|tracking|reference|mean|average"
    r"|median|accuracy|duration|price|refund|\d+ (?:rows?|tests?|files?|passed|failed|records?"
    r"|results?|items?|errors?|matches))\b"
    r"|[\w .-]{2,32}(?:id|number|total|count|version|url|host|port|status|amount|key|name|path"
    r"|date|code|hash|price|balance|rate)\b\s*[:=])"
    r"|^[^\n]{0,80}\b(?:created|opened|saved to|written to|deployed|listening|assigned|committed"
    r"|pushed|merged|booked|issued|returned|generated|uploaded|registered|total(?:s|ling)?)\b"
    r"|^[^\n]{0,40}(?:创建|生成|保存|写入|部署|监听|总计|共计|合计|共|版本|状态|端口|编号|单号|订单|工单|金额|余额)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\"[\w-]{0,40}?(?:id|number|key|name|total|count|version|url|uri|host|port|path|status|state"
    r"|amount|price|balance|email|phone|branch|commit|sha|hash|ticket|order|invoice|sku|date"
    r"|deadline|code"
    r"|result|region|model|rate|limit|quota|reference|tracking"
    r"|confirmation)\"\s*:\s*(?:\"[^\"\n]{1,120}\"|-?\d[\d.]*)",
    re.IGNORECASE,
)


def tool_lines(text: str) -> Iterator[str]:
    """Yield the lines of a tool result that tell a value.

    >>> list(tool_lines("reading\\ncreated ticket OPS-4471\\nok"))
    ['created ticket OPS-4471']
    """
    seen: set[str] = set()
    for part in _parts(text):
        for found in _telling(part):
            if found not in seen:
                seen.add(found)
                yield found
                if len(seen) >= MAX_OF_TOOL:
                    return


def _parts(text: str) -> Iterator[str]:
    if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
        yield text
        return
    yield text[:_HEAD_CHARS]
    yield text[-_TAIL_CHARS:]
    for literal in _LITERALS:
        at = text.find(literal, _HEAD_CHARS, len(text) - _TAIL_CHARS)
        if at >= 0:
            start = max(text.rfind("\n", at - 120, at), at - 120) + 1
            stop = text.find("\n", at, at + 200)
            yield text[start : stop if stop >= 0 else at + 200]


def _telling(part: str) -> Iterator[str]:
    if '":' in part or '" :' in part:
        yield from _pairs(part)
        return
    for row in part.split("\n"):
        if (len(row) >= 6 and _DIGIT.search(row)) or "/" in row:
            row = row.strip()[:_LINE_CHARS]
            if _LINES.match(row) and (STRONG.search(row) or WEAK.search(row)):
                yield row


def _pairs(part: str) -> Iterator[str]:
    """Yield the telling members of JSON, those that stand close together as one."""
    held, stop = "", 0
    for pair in _PAIR.finditer(part):
        if held and (pair.start() - stop > 40 or len(held) + len(pair[0]) > _LINE_CHARS):
            yield held
            held = ""
        held = f"{held}, {pair[0]}" if held else pair[0]
        stop = pair.end()
    if held:
        yield held
