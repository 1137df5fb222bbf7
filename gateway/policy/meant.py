"""What the author of a file probably meant: the end of a sentence about a value that cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s?%")
_THOUSANDS = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s?([kKmM])")
_GROUPED = re.compile(r"\d{1,3}(?:[,_. ']\d{3}){1,3}")
_WITH_UNIT = re.compile(r"(\d{1,9})\s?(?:tokens?|days?|s|seconds?|messages?|turns?|chars?|characters?)")
_NOTHING = ("off", "no", "none", "false", "never")
_NO_MODEL = "; to ask no model: `extends: mechanical`"
_VARIABLE = "; did you mean key_variable, which names an environment variable with the key?"
_KEYS = {
    **dict.fromkeys(("summarizer.api_key", "summarizer.key", "summarizer.api_key_env"), _VARIABLE),
    **dict.fromkeys(
        ("summarizer.base_url", "summarizer.url", "summarizer.api_base"), "; did you mean upstream?"
    ),
    "summarizer.enabled": _NO_MODEL,
}
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_WORD = re.compile(r"[A-Za-z][\w./-]{0,99}")
_MOST_CHARS = 100
_MOST = 10**12


def instead(value: Any, path: str) -> str:
    """Return what to write in place of a value of another kind; empty: nobody knows.

    >>> instead(None, "summarizer.model"), instead(["small"], "summarizer.model")
    ('; write one, or leave the key out', '; write small')
    """
    match value:
        case None | [] | [None]:
            return f"; write one, or {'take the entry' if path.endswith(']') else 'leave the key'} out"
        case [one] if not isinstance(one, list | Mapping):
            return f"; write {_written(one)}"
        case list():
            return "; write one of them"
    return ""


def as_list(value: Any) -> str:
    """Return what to write in place of a value that should be a list; empty: nobody knows.

    >>> as_list("small"), as_list({"small": 1})
    ('; write [small]', '; write each entry behind a dash of its own')
    """
    if not value:
        return "; write [] for none, or leave the key out"
    if isinstance(value, Mapping):
        return "; write each entry behind a dash of its own"
    if isinstance(value, str) and len(value) > _MOST_CHARS:
        return "; put it in brackets"
    return f"; write [{_written(value)}]" if type(value) in (str, int) else ""


def _written(value: Any) -> str:
    """Return a value as YAML has it within brackets."""
    return value if isinstance(value, str) and _WORD.fullmatch(value) else json.dumps(value)


def switch(value: Any) -> str:
    """Return what to write in place of a number that is meant as true or false; else empty."""
    return f"; write {'true' if value else 'false'}" if type(value) is int and value in (0, 1) else ""


def number(kind: type, value: Any) -> str:
    """Return what to write in place of a value that should be a number of that kind; empty: nobody knows.

    >>> number(float, "70%"), number(int, "8k"), number(int, "30 days"), number(int, "many")
    ('; write 0.7', '; write 8000', '; write 30', '')
    """
    if kind not in (int, float):
        return ""
    if value == "auto":
        return "; to have the default, leave the key out"
    if isinstance(value, float) and kind is int and value.is_integer() and abs(value) < _MOST:
        return f"; write {int(value)}"
    meant = _number(value.strip()) if isinstance(value, str) else None
    if meant is None or (kind is int and not meant.is_integer()):
        return ""
    return f"; write {meant:.10g}"


def _number(text: str) -> float | None:
    text = text.removeprefix("$")
    if match := _PERCENT.fullmatch(text):
        return round(float(match[1]) / 100, 6)
    if match := _THOUSANDS.fullmatch(text):
        return float(match[1]) * (1000 if match[2] in "kK" else 1_000_000)
    if _GROUPED.fullmatch(text):
        return float(re.sub(r"\D", "", text))
    if match := _WITH_UNIT.fullmatch(text):
        return float(match[1])
    return float(text) if _PLAIN.fullmatch(text) else None


def section(names: Collection[str], value: Any) -> str:
    """Return what to write where keys and values are expected, of which *names* are known; may be empty.

    >>> section(["ratio", "tokens"], 0.7), section(["ratio", "tokens"], "80%"), section(["tokens"], 9000)
    ('; write {ratio: 0.7}', '; write {ratio: 0.8}', '; write {tokens: 9000}')
    >>> section(["ratio"], None), section(["ratio"], [{"ratio": 0.7}])
    ('; write them below it, or leave the key out', '; write them without dashes')
    """
    if value is None:
        return "; write them below it, or leave the key out"
    if isinstance(value, list):
        are_sections = value and all(isinstance(item, Mapping) for item in value)
        return "; write them without dashes" if are_sections else ""
    if isinstance(value, str) and "model" in names:
        return f"; write {{model: {_written(value)}}}"
    meant = _number(value.strip()) if isinstance(value, str) else value
    if not isinstance(meant, int | float) or isinstance(meant, bool) or meant <= 0:
        return ""
    if meant <= 1 and "ratio" in names:
        return f"; write {{ratio: {meant:.10g}}}"
    name = next((name for name in ("tokens", "messages") if name in names), "")
    return f"; write {{{name}: {meant:.10g}}}" if name and meant > 1 and float(meant).is_integer() else ""


def key(path: str) -> str:
    """Return what to write in place of a key that is called otherwise elsewhere; may be empty.

    >>> key("summarizer.url"), key("summarizer.modle")
    ('; did you mean upstream?', '')
    """
    if path.rpartition(".")[2] == "<<":
        return "; nothing is merged here: write the keys themselves"
    return _KEYS.get(path, "")


def nothing(path: str, value: Any) -> str:
    """Return how to have no model asked, where the value says so in a way that is not known; else empty.

    >>> nothing("summarizer.mode", "off")
    '; to ask no model: `extends: mechanical`'
    """
    is_off = value is False or (isinstance(value, str) and value.lower() in _NOTHING)
    return _NO_MODEL if is_off and path in ("summarizer", "summarizer.mode") else ""
