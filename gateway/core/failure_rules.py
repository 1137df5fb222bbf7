"""Judge one sentence of an upstream by the tables of `dialects` and `dialects_overflow`.

Each question has a function of its own; `failures` asks them in the order in which they may answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from gateway.core import dialects, dialects_overflow
from gateway.core.dialects import Rows
from gateway.core.failure_numbers import Counts
from gateway.core.failure_text import Evidence


def plain(text: str) -> str:
    """Return *text* as the patterns want it: folded case and width, no addresses, no ids, plain digits.

    >>> plain("Limit: 16,384 tokens (request id: 0217f)")
    'limit: 16384 tokens '
    """
    text = unicodedata.normalize("NFKC", text)[:_MAX_TEXT].lower().translate(_SIGNS)
    for pattern, replacement in _SCRUB:
        text = pattern.sub(replacement, text)
    return _spelled_out(_ungrouped(text))


def _ungrouped(text: str) -> str:
    """Join grouped digits where a count of tokens shows that the text groups them so.

    >>> _ungrouped("140.000 von maximal 128.000 token")
    '140000 von maximal 128000 token'
    """
    for separator in {match[1] for match in _GROUPED.finditer(text)}:
        grouped = re.compile(rf"(?<![\d.,])\d{{1,3}}(?:{re.escape(separator)}\d{{3}}){{1,4}}(?!\d)")
        text = grouped.sub(_joined, text)
    return text


def _spelled_out(text: str) -> str:
    """Write thousands and millions out where tokens or a context are counted in them.

    >>> _spelled_out("131.5k tokens in a context of 128k")
    '131500 tokens in a context of 128000'
    """
    return _SHORTHAND.sub(_in_full, text) if _COUNTED.search(text) else text


def _in_full(match: re.Match[str]) -> str:
    return str(round(float(match[1]) * _POWERS[match[2]]))


def _joined(match: re.Match[str]) -> str:
    return re.sub(r"\D", "", match[0])


def _short(match: re.Match[str]) -> str:
    """Keep a quoted word; drop a quoted sentence, which is the user's."""
    return match[0] if match[0].count(" ") < 4 else match[1]


_GROUPED = re.compile(
    r"(?<![\d.,])\d{1,3}([. _])\d{3}(?:\1\d{3}){0,4}(?= ?(?:tok|jeton|токен|トークン|토큰|个))"
)
_COUNTED = re.compile(r"tok|jeton|токен|context|contexte?o?|kontext|上下文")
_SHORTHAND = re.compile(r"(?<![\w.,\-])(\d{1,5}(?:\.\d{1,3})?) ?([km万])(?![a-z0-9])")
_POWERS = {"k": 10**3, "m": 10**6, "万": 10**4}
_SIGNS = str.maketrans("’輸過長請數總對話訊詞頻餘費鐘發額並", "'输过长请数总对话讯词频余费钟发额并")
"""Traditional characters that the tables know as simplified ones."""
_MAX_TEXT = 6000
"""Folding may make one character eighteen."""

# What would mislead: addresses, ids, the user's own words where a message quotes them, grouped digits.
_SCRUB: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"https?://[^\s'\"<>]+"), " "),
    (re.compile(r"input_value=.*?(?=, input_type|\Z)", re.DOTALL), ""),
    (
        re.compile(
            r"(\b(?:value|got|content|received|found|text|input|string)\b[:=]? ?)(?:'(?:[^']"
            r"|'(?=\w))*+'?|\"[^\"]*+\"?)"
        ),
        _short,
    ),
    (re.compile(r"\(?\b(?:request|trace|req)[ _-]?id:? ?[\w-]+\)?"), ""),
    (re.compile(r"\breq_\w+|\b[0-9a-f]{8}-[0-9a-f-]{20,30}\b"), ""),
    (re.compile(r"\.(?:h|hpp|cc|cpp|cu|py|go|rs|ts|js|java):\d{1,6}\b"), " "),
    (re.compile(r"input validation error"), "error"),  # TGI says so of the output too
    (re.compile(r"\(2013\)|^<\d{3}>"), ""),  # MiniMax's error code; DashScope's status
    (re.compile(r"\A\W{0,3}[45]\d\d(?=:? [^\W\d])(?! (?:\w{1,12} )?tokens\b)"), ""),  # SDKs' exceptions
    (
        re.compile(r"(?<![\d,.'])(\d{1,3}(?:[,']\d{2,3}){0,4}[,']\d{3})(?![\d,'])"),
        lambda m: re.sub(r"[,']", "", m[1]),
    ),
)


def matches(rows: Rows, text: str) -> bool:
    """Return whether any row of a table is found in a sentence or identifier."""
    return any(row.search(text) for row in rows)


def is_strong(status: int, found: Evidence, marks: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether an identifier says overflow, whatever the sentences and the status say."""
    if any(matches(dialects.STRONG_MARKS, mark) for mark in marks):
        return True
    if status in (400, 422) and not dialects.STRONG_PARAMS.isdisjoint(found.params):
        return True
    if found.counts.keys() >= dialects.STRONG_FIELDS:
        return True
    return any(matches(dialects.STRONG_WORDS, text) for text in texts)


def is_vetoed(status: int, marks: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether the error is about rate, money, load or time."""
    if status in dialects.DENIED or any(matches(dialects.VETO_MARKS, mark) for mark in marks):
        return True
    return any(matches(dialects.VETO, text) for text in texts)


def is_overflow(text: str, found: Counts) -> bool:
    """Return whether a prepared sentence says that the conversation is longer than the window."""
    if matches(dialects_overflow.ODD, text):
        return True
    if matches(dialects_overflow.NOT_OVERFLOW, text) or _is_hopeless(text):
        return False
    said = matches(dialects_overflow.OVERFLOW, text) or matches(dialects_overflow.OVERFLOW_OTHER, text)
    return said or _by_numbers(text, found)


def is_output_cap(text: str, found: Counts) -> bool:
    """Return whether only the output that was asked for is too large."""
    if matches(dialects_overflow.NOT_OVERFLOW, text) or matches(dialects_overflow.ODD, text) or found.excess:
        return False
    if not matches(dialects.OUTPUT_CAP, text):
        return False
    limit, prompt, output = found.limit, found.prompt, found.output
    if prompt is not None and output is not None and limit is not None:
        return output >= limit > prompt and matches(dialects.OUTPUT_BLAMED, text)
    if (prompt is not None and dialects.INPUT.search(text)) or matches(dialects.TOGETHER, text):
        return False
    return not matches(dialects.OUTPUT_FLOOR, text) or matches(dialects.OUTPUT_CEILING, text)


def is_bytes(text: str) -> bool:
    """Return whether the sentence measures bytes or characters of the request as a whole."""
    if dialects.TOKEN_WORDS.search(text) or _is_hopeless(text):
        return False
    return matches(dialects.BYTES, text)


def is_about_form(status: int, texts: Sequence[str]) -> bool:
    """Return whether the request is refused for its form: by the status, or by a template of messages."""
    return status in dialects.FORM or any(matches(dialects.TEMPLATE, text) for text in texts)


def item_limit(text: str, params: Sequence[str]) -> tuple[str, int, bool] | None:
    """Return which part of the request is too long, by what limit, and whether that counts items of a list.

    >>> item_limit("Invalid 'input': array too long. Expected an array with maximum length 16.", [])
    ('input', 16, True)
    """
    string, array = dialects.STRING_TOO_LONG.search(text), dialects.ARRAY_TOO_LONG.search(text)
    if found := string or array:
        return found["param"], int(found["limit"]), not string
    at_most = dialects.AT_MOST.search(text)
    param = at_most["param"] or next(iter(params), "") if at_most else ""
    if at_most and param:  # pydantic names the field apart, Anthropic in front
        return param, int(at_most["limit"]), at_most["unit"] == "items"
    return None


def status_inside(marks: Sequence[str]) -> int:
    """Return the status of an error that came inside a 200: its own code says it."""
    codes = [int(mark) for mark in marks if mark.isdigit() and len(mark) == 3]
    is_form = any("invalid" in mark.lower() or "badrequest" in mark.lower() for mark in marks)
    return next((code for code in codes if 400 <= code < 600), 400 if is_form else 500)


def is_silent(texts: Sequence[str]) -> bool:
    """Return whether nothing is told: one sentence may hide anything, or all say only that it failed."""
    if any(matches(dialects.OPAQUE, text) for text in texts):
        return True
    return all(matches(dialects.RELAYED, text) for text in texts)


def messages_limit(text: str) -> int | None:
    """Return how many messages are accepted, if the sentence is about their number."""
    for row in dialects.TOO_MANY_MESSAGES:
        match = row.search(text)
        if match and not _is_hopeless(text):
            return int(match["limit"])
    return None


# How the largest accepted output is named; the second column is what to take off the number.
_OUTPUT_LIMITS = tuple(
    (re.compile(pattern), less)
    for pattern, less in (
        (r"(\d{1,12}) \(exclusive\)", 1),
        (r"\[ ?\d+ ?[,，] ?(\d{1,12}) ?\]", 0),
        (r"(?:between|range)[^\d]{0,20}\d{1,12} ?(?:and|\.\.=?|to|-|~) ?(\d{1,12})(?![\d\ufffd])", 0),
        (
            r"(?:<=|≤|at most|up to|not exceed|than or equal to|no more than|limit(?:ed)? (?:of|to)"
            r"|最大值?[为是]?)[ `'\"(]*(\d{1,12})(?![\d\ufffd])",
            0,
        ),
        (
            r"(?<!requested a )max(?:imum)?(?: allowed| value| number| output)?(?: of| is)?"
            r"[ :`'\"(]*(\d{1,12})(?![\d\ufffd])",
            0,
        ),
        (r"(?:less|lower|smaller) than[ `'\"(]*(\d{1,12})(?![\d\ufffd])", 1),
        (r"\d ?>[ `'\"(]*(\d{1,12})(?![\d\ufffd])", 0),
        (
            r"(?:exceed\w{0,15}+|above|\bover\b|(?:larger|greater|higher|more) than|大于|超过|超出)"
            r"[^\d]{0,40}(\d{1,12})(?![\d\ufffd])",
            0,
        ),
        (r"(?:(?<!requested a )maximum|limit|最大|上限)[^\d]{0,40}(\d{1,12})(?![\d\ufffd])", 0),
    )
)


def output_limit(text: str) -> int | None:
    """Return the largest output that a prepared sentence about the output names.

    >>> output_limit("max_tokens (16384) must be less than or equal to 8192")
    8192
    """
    for pattern, less in _OUTPUT_LIMITS:
        match = pattern.search(text)
        if match:
            return max(int(match[1]) - less, 1)
    return None


_BYTES_LIMIT = re.compile(
    r"(?:limit|maximum|\bmax\b|exceed\w{0,15}+|than|>|\bover\b"
    r"|at most|vs\.?)[^\d]{0,40}(?P<n>\d{1,12}(?:\.\d{1,3})?)(?![\d.]| ?vs) ?(?P<unit>[kmg])?i?b?"
)
_UNITS = {None: 1, "k": 10**3, "m": 10**6, "g": 10**9}


def bytes_limit(text: str) -> int | None:
    """Return how many bytes a prepared sentence allows; None if it counts characters or names no number.

    >>> bytes_limit("request body exceeds 10 mb limit")
    10000000
    """
    match = None if re.search(r"char|字符|maxlength", text) else _BYTES_LIMIT.search(text)
    return int(float(match["n"]) * _UNITS[match["unit"]]) if match else None


def _is_hopeless(text: str) -> bool:
    """Return whether what is too long is something that compaction does not touch."""
    relation = re.search(
        r"too (?:long|large|many|big|deep)|exceed|at most|maximum|less than|greater than|超", text
    )
    before = text[max(0, relation.start() - 70) : relation.end() + 40] if relation else text[:100]
    return matches(dialects.HOPELESS, before) and not dialects.TOKEN_WORDS.search(text)


_LEAST = 256
"""Tokens; what is limited to less is no window, but a count of something else."""


def _by_numbers(text: str, found: Counts) -> bool:
    """Return whether the numbers alone say it: tokens are measured, and there are more than the limit."""
    if (found.limit or 0) < _LEAST or not (dialects.TOKEN_WORDS.search(text) or dialects.INPUT.search(text)):
        return False
    return (found.total or (found.prompt or 0) + (found.output or 0)) > (found.limit or 0)
