"""What the author of a file probably meant: the end of a sentence about a value that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Collection
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


def number(kind: type, value: Any) -> str:
    """Return what to write in place of a value that should be a number of that kind; empty: nobody knows.

    >>> number(float, "70%"), number(int, "8k"), number(int, "30 days"), number(int, "many")
    ('; write 0.7', '; write 8000', '; write 30', '')
    """
    if kind not in (int, float):
        return ""
    if isinstance(value, float) and kind is int and value.is_integer():
        return f"; write {int(value)}"
    meant = _number(value.strip()) if isinstance(value, str) else None
    if meant is None or (kind is int and not meant.is_integer()):
        return ""
    return f"; write {meant:.10g}"


def _number(text: str) -> float | None:
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
    """
    meant = _number(value.strip()) if isinstance(value, str) else value
    if not isinstance(meant, int | float) or isinstance(meant, bool) or meant <= 0:
        return ""
    if meant <= 1:
        return f"; write {{ratio: {meant:.10g}}}" if "ratio" in names else ""
    return f"; write {{tokens: {meant:.10g}}}" if "tokens" in names and float(meant).is_integer() else ""


def key(path: str) -> str:
    """Return what to write in place of a key that is called otherwise elsewhere; may be empty.

    >>> key("summarizer.url"), key("summarizer.modle")
    ('; did you mean upstream?', '')
    """
    return _KEYS.get(path, "")


def nothing(path: str, value: Any) -> str:
    """Return how to have no model asked, where the value says so in a way that is not known; else empty.

    >>> nothing("summarizer.mode", "off")
    '; to ask no model: `extends: mechanical`'
    """
    is_off = value is False or (isinstance(value, str) and value.lower() in _NOTHING)
    return _NO_MODEL if is_off and path in ("summarizer", "summarizer.mode") else ""
