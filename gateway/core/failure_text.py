"""Gather what an error body itself says, and nothing that it quotes from the request.

Upstreams nest: an error in an error, JSON in a string, JSON behind prose, a Python repr of either, each cut
off anywhere. All of that is taken apart, to a bounded depth and size, and sorted into sentences, identifiers,
parameter names and counts. Fields that repeat the request (`input`, `messages`, ...) are never read: a user
may well write about context windows. Every step is linear in the size of the body.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gateway.core.failure_encoding import text_of

MAX_DEPTH = 20
MAX_NODES = 4000
MAX_TEXTS = 24
HEAD, TAIL = 3000, 1000
CUT = "\ufffd"
"""Stands where a text was cut off: a number that touches it is not the whole number."""

# Keys are compared without case, `_` and `-`. A text key holds a sentence (or JSON, or both); a mark key an
# identifier; what an echo key holds came from the client.
TEXT_KEYS = re.compile(
    r"(?:.*error|errortext|.*message|.*msg|.*details?|raw|title|.*reason|.*description|faultstring|cause|exception"
    r"|err|hint|explanation|fail(?:ure)?|.*body)s?"
)
MARK_KEYS = re.compile(
    r"code|type|.*errortype|.*errorcode|statuscode|.*reason|status|exceptiontype|name|kind|error|rule"
)
OPEN_KEYS = re.compile(
    r".*(?:error|detail|meta|resp|cause|fault|exception|raw|value|info|reason|upstream|provider|original"
    r"|status|result|data|json|header|body|issue|violation|message|msg|failure)s?.*"
)
_PARAM_KEYS = frozenset(("param", "parameter", "field", "path"))
_WORD_KEYS = _PARAM_KEYS | {"code", "value", "data"}
"""What holds a word, if it is not a sentence after all: MiMo says in `param` what is wrong with one."""
ECHO_KEYS = frozenset(
    [
        "input",
        "inputs",
        "prompt",
        "prompts",
        "messages",
        "content",
        "contents",
        "ctx",
        "choices",
        "output",
        "tools",
        "text",
        "request",
        "instructions",
        "query",
        "arguments",
        "toolcalls",
        "inputvalue",
        "loc",
        "url",
        "requestbody",
        "inputdata",
    ]
)

# Where JSON or a Python repr begins: an object with its first key, an array of objects, a text in brackets.
_JSON_START = re.compile(r"""\{\s*\\*["'][^"'{}\[\]]{0,60}["']\s*:|\[\s*\{\s*\\*["']|\A\[\s*\\*["'\[]""")
_TOKEN = re.compile(
    r'"(?P<d>[^"\\]*+(?:\\.[^"\\]*+)*+)(?P<dend>"?)'
    r"|'(?P<s>[^'\\]*+(?:\\.[^'\\]*+)*+)(?P<send>'?)"
    r"|(?P<word>-?\d+|[A-Za-z]+)|(?P<mark>[\[\](){}:,])",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_TAG = re.compile(r"<[^<>]{0,300}>")
_STYLE = re.compile(r"<(script|style)\b[^<]{0,20000}", re.IGNORECASE)


@dataclass(slots=True)
class Evidence:
    """What a body says about its error."""

    texts: list[str] = field(default_factory=list)
    """Sentences, outermost first."""
    marks: list[str] = field(default_factory=list)
    """Identifiers from `code`, `type` and their like."""
    params: list[str] = field(default_factory=list)
    """The fields of the request that the error names."""
    counts: dict[str, int] = field(default_factory=dict)
    """Numeric fields beside the message, by lower-case name."""
    nodes: int = 0

    def add_text(self, text: str) -> None:
        text = text.strip()
        if len(text) > HEAD + TAIL:
            text = text[:HEAD] + CUT + text[-TAIL:]
        if text and text not in self.texts and len(self.texts) < MAX_TEXTS:
            self.texts.append(text)

    def add_mark(self, value: str | int) -> None:
        mark = str(value)
        if mark and len(mark) <= 100 and len(self.marks) < 100:
            self.marks.append(mark)


def gather(body: bytes, content_type: str = "") -> Evidence:
    """Return what *body* says about its error.

    >>> gather(b'{"error": {"message": "too long", "code": 400}, "input": "prompt is too long"}').texts
    ['too long']
    """
    found = Evidence()
    text = text_of(body, content_type).lstrip("\ufeff \t\r\n\x00")
    if text.startswith("<") and not text[1:2].isdigit():
        text = _TAG.sub(" ", _STYLE.sub("", text))
    _read_text(text, found, 0)
    return found


def gather_value(value: Any) -> Evidence:
    """Return what a decoded error says about itself."""
    found = Evidence()
    _read_value("", value, found, 0)
    return found


def snake(mark: str) -> str:
    """Return an identifier in lower case with underscores.

    >>> snake("ContextWindowExceededError")
    'context_window_exceeded_error'
    """
    return re.sub(r"[\s.\-]+|(?<=[a-z])(?=[A-Z])", "_", mark).lower()


def decode(text: str) -> Any:
    """Return the JSON value that *text* is. Raise ValueError if it is none, however it is malformed."""
    value, stop = decode_start(text)
    if text[stop:].strip():
        raise ValueError
    return value


def decode_start(text: str) -> tuple[Any, int]:
    """Return the JSON value at the start of *text* and where it ends. Raise ValueError if there is none."""
    try:
        return _DECODER.raw_decode(text)
    except RecursionError:
        raise ValueError from None


def _bounded_int(digits: str) -> int:
    return int(digits) if len(digits) <= 18 else 0


_DECODER = json.JSONDecoder(strict=False, parse_int=_bounded_int, parse_constant=lambda _: None)


def _read_text(text: str, found: Evidence, depth: int) -> None:
    """Sort a string that may be a sentence, JSON, or a sentence with JSON in it."""
    start = _JSON_START.search(text) if depth <= MAX_DEPTH else None
    if start is None:
        found.add_text(text)
        return
    found.add_text(text[: start.start()].rstrip(" -:\"'").removesuffix(" b"))
    rest = text[start.start() :]
    if rest[1:].lstrip().startswith("\\"):
        rest = rest.replace('\\"', '"').replace("\\\\", "\\")
    try:
        value, stop = decode_start(rest)
    except ValueError:
        _read_pairs(rest, found, depth)
        return
    _read_value("", value, found, depth)
    suffix = rest[stop:].lstrip(" \n\"'.")
    is_line = suffix[:1] in ("{", "[") and depth < MAX_DEPTH
    if is_line or (suffix and not _JSON_START.search(suffix)):  # JSON behind prose may quote the request
        _read_text(suffix, found, depth + 1)


def _read_value(key: str, value: Any, found: Evidence, depth: int) -> None:
    found.nodes += 1
    if found.nodes > MAX_NODES or depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        _read_object(value, found, depth, is_by_field=key == "errors")
    elif isinstance(value, list):
        for item in value[:50]:
            _read_value(key, item, found, depth + 1)
    elif isinstance(value, str):
        _read_leaf(key, value, found, depth)
    elif isinstance(value, int) and not isinstance(value, bool):
        _read_number(key, value, found)


def _read_object(value: dict[str, Any], found: Evidence, depth: int, *, is_by_field: bool) -> None:
    if "msg" in value and "loc" in value:  # pydantic: the rest of the entry repeats the request
        found.params.append(_location(value["loc"]))
        value = {key: value[key] for key in ("msg", "type") if key in value}
    for name, item in list(value.items())[:100]:
        key = _fold(name)
        if key in ECHO_KEYS and not (is_by_field and isinstance(item, list)):
            continue
        if is_by_field and isinstance(item, list):  # what is wrong with each field of the request
            _read_value("", [said for said in item if isinstance(said, str)], found, depth + 1)
        elif not isinstance(item, dict | list) or OPEN_KEYS.fullmatch(key):
            _read_value(key, item, found, depth + 1)


def _read_leaf(key: str, value: str, found: Evidence, depth: int) -> None:
    is_word = len(value) <= 100 and " " not in value.strip()
    if key in _PARAM_KEYS and value:
        found.params.append(value[:200])
    if MARK_KEYS.fullmatch(key) and is_word:
        found.add_mark(value.strip())
    if key == "" or TEXT_KEYS.fullmatch(key) or (key in _WORD_KEYS and not is_word):
        _read_text(value, found, depth + 1)


def _read_number(key: str, value: int, found: Evidence) -> None:
    if MARK_KEYS.fullmatch(key):
        found.add_mark(value)
    elif len(found.counts) < 50:
        found.counts.setdefault(key, value)


def _read_pairs(text: str, found: Evidence, depth: int) -> None:
    """Read the keys and values of what is nearly JSON: cut off, or a Python repr."""
    for key, value in _pairs(text):
        if key in ECHO_KEYS:
            continue
        if isinstance(value, int):
            _read_number(key, value, found)
        else:
            _read_leaf(key, value, found, depth)


def _pairs(text: str) -> Iterator[tuple[str, str | int]]:
    """Yield each key with its string or number, leaving out the insides of what repeats the request."""
    key, before, level, echo = "", "", 0, 0
    for count, token in enumerate(_TOKEN.finditer(text)):
        if count > 8 * MAX_NODES:
            return
        mark = token["mark"]
        if mark is None:
            value = _token_value(token)
            if before == ":" and key and not echo and value is not None:
                yield _fold(key), value
                key = ""
            elif isinstance(value, str) and before != ":":
                key = value if len(value) <= 60 else ""
        elif mark in "[{(":
            level += 1
            if before == ":" and not echo and _fold(key) in ECHO_KEYS:
                echo = level
        elif mark in "]})":
            echo = 0 if level <= echo else echo
            level -= 1
        before = mark or ""


def _token_value(token: re.Match[str]) -> str | int | None:
    if token["word"] is not None:
        digits = token["word"]
        is_whole = token.end() < len(token.string) and len(digits) <= 18
        return int(digits) if is_whole and digits.lstrip("-").isdigit() else None
    text = token["d"] if token["d"] is not None else token["s"]
    return _ESCAPE.sub(_unescape, text or "") + ("" if token["dend"] or token["send"] else CUT)


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r"}.get(code, code)


def _location(loc: Any) -> str:
    """Return a pydantic location as a path: `messages[3].content`."""
    parts = loc[:12] if isinstance(loc, list) else []
    path = ""
    for part in parts[1:] if parts[:1] == ["body"] else parts:
        path += f"[{part}]" if isinstance(part, int) else f".{str(part)[:60]}"
    return path.lstrip(".")


def _fold(key: str) -> str:
    return key[:80].replace("_", "").replace("-", "").replace(":", "").lower()
