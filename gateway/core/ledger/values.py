"""Exact values and identifiers, and whether a sentence states what they are of.

A value is worth carrying with its subject: "the order number is 4471-XK", not a bare number. What a user
states counts wherever it stands; what assistants and tools report is told by `results`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gateway.core.ledger.decoys import plain
from gateway.core.ledger.gates import gated
from gateway.core.ledger.openings import Listed
from gateway.core.ledger.phrases import DIGIT

# What is a value whatever stands around it. A row is added for a format that nobody uses in prose.
STRONG = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s<>\"'`）)，。；]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])|\b(?:sha(?:1"
    r"|256)?[:-])?(?=[0-9]{0,64}[a-f])(?=[a-f]{0,64}\d)[0-9a-f]{7,64}\b"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5}|/\d{1,2})?\b|\b[a-zA-Z][\w.-]{1,60}:\d{2,5}\b"
    r"|(?<![\w:]):\d{4,5}\b|\b[A-Z][A-Z0-9]{1,9}-\d+\b|(?<!\w)#\d{2,}\b"
    r"|\b(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Z])(?<![\w-])[A-Z0-9]{1,24}(?:[-_][A-Z0-9]{1,24}){1,6}\b"
    r"|(?<![\w-])v\d+(?:\.\d+)*(?:-[\w.]+)?\b|\b\d+\.\d+\.\d+(?:[-+.][\w.]+)?\b|\b[A-Z][A-Z0-9_]{2,40}=\S+"
    r"|(?<!\w)\+\d[\d ()-]{6,18}\d\b|\b\d{3}-\d{3,4}-\d{4}\b|(?<!\d)1[3-9]\d{9}(?!\d)|[$€£¥₹]\s?\d[\d,.]*"
    r"|\b\d[\d,.]*\s?(?:USD|EUR|GBP|CNY|RMB|JPY|CHF|euros?|dollars?|元|万元|欧元|美元)"
    r"|-?\d{1,3}\.\d{3,}, ?-?\d{1,3}\.\d{3,}|\b(?:gpt|claude|gemini|llama|qwen|deepseek|mistral"
    r"|o\d)-[\w.:-]*\w|\b[A-Z]{2,6}\d{3,}[A-Z0-9]*\b|\b[a-z]{1,6}[_-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,}\b"
)
# What is one where the sentence says so.
_FORMED = re.compile(
    r"(?<![\w/])(?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)*/?|(?<![\w/.-])[\w.-]{1,64}(?:/[\w.-]{1,64})+"
    r"|\b[A-Za-z]:\\[^\s\"']+|(?<![\w.-])[\w-]{1,64}\.(?:py|tsx?|jsx?|go|rs|java|kt|rb|php|c|cc|cpp|h|cs"
    r"|sql|ya?ml|toml|json|csv|tsv|parquet|xlsx?|md|txt|pdf|docx?|sh|env|lock|html|css|ipynb|db)\b"
    r"|\b\d{4}-\d\d-\d\d|\b\d{1,2}:\d\d\b|(?<![\w-])[a-z]{1,30}(?:_[a-z0-9]{1,30}){1,8}\b"
    r"|(?<![\w-])[a-z]{1,30}(?:-[a-z]{1,30}){0,4}-\d+\b"
)
NUMBER = re.compile(r"[0-9]")
# Where a value of such a form can be: the forms are tried only on words with one of these. It begins with a
# plain set of characters, so that looking for it is fast.
_SPOT = re.compile(rf"[{DIGIT}/@_=\\$€£¥₹#+.](?:(?<!\.)|(?=[a-z]))")
_COIN = re.compile(r" (?:USD|EUR|GBP|CNY|RMB|JPY|CHF|euro|dollar|元|万|欧|美)")
_BARE = re.compile(r"\d+(?:\.\d{1,2})?")
_PHONE_DIGITS = 11
_REACH = 20
"""So far goes a form of several words behind the first, such as a telephone number."""


# Asked several times of a sentence.
@lru_cache(1024)
def strong(text: str) -> str:
    """Return what is a value whatever stands around it; nothing, if there is none.

    >>> strong("call +49 30 901820 now"), strong("call 3 people now")
    ('+49 30 901820', '')
    """
    return _at_spots(STRONG, text)


@lru_cache(1024)
def formed(text: str) -> str:
    """Return a weak form that is no bare number; nothing, if there is none.

    >>> formed("see src/a.py"), formed("see 3 files")
    ('src/a.py', '')
    """
    return _at_spots(_FORMED, text)


def _at_spots(pattern: re.Pattern[str], text: str) -> str:
    """Return the first match of a pattern beginning in a word with a sign of a value; no bare number has."""
    for start, stop in _spots(text):
        if found := pattern.search(text, start, stop):
            return found[0]
    return ""


# Asked for strong forms, then for weak ones.
@lru_cache(256)
def _spots(text: str) -> Sequence[tuple[int, int]]:
    """Return where words with a sign of a value are, but for bare numbers, with what can be part of one."""
    found = []
    at = 0
    while spot := _SPOT.search(text, at):
        start = max(at, text.rfind(" ", at, spot.start()) + 1)
        at = text.find(" ", spot.end())
        at = len(text) if at < 0 else at
        word = text[start:at].strip(".,;!?()\"'。，；：、？！").rstrip(":")
        if not _BARE.fullmatch(word) or len(word) >= _PHONE_DIGITS or _COIN.match(text, at):
            found.append((start, min(len(text), at + _REACH)))
    return found


# No value is without one of these.
SIGN = re.compile(rf"[{DIGIT}/@_=]")
_STATES = gated(
    r"\b(?:is|are|was|equals?|lives?|located|called|named|stands|set to|has|have|uses?|runs?|starts?|named"
    r"|means|goes to|belongs|reachable|listens?|=|at)\b|[a-zA-Z\u4e00-\u9fff)\"'`] ?(?:=|:)(?=\s|\d|/)"
    r"|\bmy\b|\bour\b|是|为|在|叫|位于|等于|：|共|有|用|[号址口径本号码名]"
)
_STATING_WORDS = (
    "is are was were equal equals live lives located called named stands set has have use uses run runs start"
    " starts means goes belongs reachable listen listens at my our"
)
_STATING = frozenset(_STATING_WORDS.split())
_STATES_SMALL = Listed(_STATING)
_LETTERS = re.compile(r"[a-zA-Z]+")
_NAMED = gated(
    r"\b(?:[Tt]he|[Oo]ur|[Mm]y|[Tt]his|[Hh]is|[Hh]er|[Tt]heir|[\w.-]+'s) (?:[\w'/-]+ ){1,7}(?:is|are"
    r"|will be|=)(?: now| currently)?(?: called| named| set to| at| in| on| the)? ?[\"“'`]?(?:[A-Z][\w-]+"
    r"|[a-z]+(?:[-_/.][a-z0-9]+)+)|\b(?:name|(?:is|are|was|were|be|been|it|him|her|'s) (?:called|named)"
    r"|known as|codename|code-named|code name|nickname|handle|alias|password|passphrase|login|branch|repo"
    r"|database|table|host|user(?:name)?|account|project)(?: is|:| =)? [\"“`]?(?:[A-Z]\w+|[\w-]+[-_/.]\w+)"
    r"|[\u4e00-\u9fff]{0,10}(?:名字?|名称|姓名|代号|分支|仓库|域名|主机|账号|用户名?|项目|密钥|库名?|表名?"
    r"|型号|公司|客户|负责人|联系人)(?:是|为|叫(?:做)?|：|:)\s*[^，。]{1,30}"
)
# One of them is in whatever tells a name.
_NAMED_HINTS = (
    " is ",
    " are ",
    " be ",
    " = ",
    "name",
    "called",
    "known",
    "branch",
    "repo",
    "database",
    "table",
    "host",
)
_NAMED_HINTS += ("handle", "alias", "passw", "passphrase", "login", "user", "account", "project", *"是为叫：")
_HINTS = gated("|".join(map(re.escape, _NAMED_HINTS)))
# So many of them: no value, unless they are units of something measured.
_COUNTED = re.compile(
    r"(?<![\w.-])\d{1,2} (?!(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|pages|words|characters"
    r"|degrees|percent|euros?|dollars|meters|metres|people|retries|attempts|rows|lines|columns"
    r"|units)\b)[a-z]+s\b|\d+\s?[下次遍个]"
)
_IMPERATIVE = re.compile(
    r"^(?:\W|please|now|ok|okay|then|and|can you|could you|also|just|hi|hey|next|let's)*(?:fix|look|open"
    r"|run|check|read|show|add|rename|update|review|see|write|create|refactor|explain|implement|debug"
    r"|remove|delete|move|change|test|edit|find|try|go|print|list|make|count|grep|search|view|apply|commit"
    r"|install|give|tell|continue|help|start|finish|parse|load|plot)\b"
)


def _may_state(sentence: str) -> bool:
    """Return whether a sentence has any sign that it says what something is."""
    if not sentence.isascii() or ":" in sentence or "=" in sentence:
        return True
    return _STATES_SMALL.are_in(sentence) and not _STATING.isdisjoint(_LETTERS.findall(sentence))


def states_value(sentence: str) -> bool:
    """Return whether a user's sentence names an exact value and what it is of.

    >>> states_value("The customer's order number is 4471-XK."), states_value("Fix the bug in a.py")
    (True, False)
    """
    has_sign = SIGN.search(sentence) is not None
    if has_sign and strong(sentence):
        return len(sentence) > 12
    # Its words are known in small letters already, as a rule.
    if _HINTS.search(sentence.lower()) and _HINTS.search(sentence) and _NAMED.search(sentence):
        return True
    if not has_sign or not _may_state(sentence) or not _STATES.search(sentence):
        return False
    bare = _COUNTED.sub(" ", sentence)
    if not (NUMBER.search(bare) or formed(bare)):
        return False
    return not _IMPERATIVE.match(plain(sentence))
