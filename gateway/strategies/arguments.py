"""Shorten the arguments of a call: the strings in them, so that the JSON stays valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from gateway.core import json
from gateway.core.conversation import Count
from gateway.core.level import level
from gateway.strategies import marks
from gateway.strategies.shorten import Cap, Counted, shorten

_LONG_CHARS = 80
"""Shorter strings are names, paths and flags: what a call is about."""

_MOST_STRINGS = 32
"""Every edit copies the arguments once; what is spread over more strings than this is not worth it."""

_DEEPEST = 32


def shorten_arguments(whole: Counted, cap: Cap, count: Count) -> Counted:
    """Return arguments with their long strings cut to the cap; *whole* itself if that is not shorter.

    Text that is no JSON object is cut as it is: it means something to its tool only. A cap of no tokens
    leaves the notice alone, as the one member of an object.
    """
    value = _object(whole.text)
    if value is None:
        return shorten(whole, cap, count)
    if cap.tokens == 0:
        text = whole.text if _is_stripped(value) else _stripped(whole.text)
    else:
        text = _with_short_strings(whole, value, cap, count)
    if text == whole.text:
        return whole
    shorter = Counted(text, count(text))
    return shorter if shorter.tokens < whole.tokens else whole


def shorten_values(
    whole: Counted, cap: Cap, keep: Sequence[str], count: Count, id_of: Callable[[str], str]
) -> tuple[Counted, list[str]]:
    """Return arguments with every long string cut to the cap, and the strings that were cut.

    *keep* are globs of names, in lower case, whose strings stay whole, and all that is within them. *id_of*
    gives the id under which a string can be had again, if any. Text that is no JSON object stays as it is.
    """
    value = _object(whole.text)
    if value is None:
        return whole, []
    edits: dict[json.Path, bytes | None] = {}
    cut: list[str] = []
    for path, text in _strings(value):
        if len(text) <= _LONG_CHARS or _is_kept(path, keep):
            continue
        string = Counted(text, count(text))
        shorter = shorten(string, cap, count, "" if marks.is_marked(text) else id_of(text))
        if shorter is not string:
            edits[path] = json.encode(shorter.text)
            cut.append(text)
    if not edits:
        return whole, []
    data = json.edit(whole.text.encode("utf-8", "surrogatepass"), edits)
    text = data.decode("utf-8", "surrogatepass")
    shorter = Counted(text, count(text))
    return (shorter, cut) if shorter.tokens < whole.tokens else (whole, [])


def _is_kept(path: json.Path, keep: Sequence[str]) -> bool:
    names = (step.lower() for step in path if isinstance(step, str))
    return any(fnmatchcase(name, glob) for name in names for glob in keep)


def _stripped(text: str) -> str:
    return json.encode({"haversack": marks.notice(len(text), len(text))}).decode()


def _is_stripped(value: dict[str, Any]) -> bool:
    mark = value.get("haversack")
    return len(value) == 1 and isinstance(mark, str) and marks.NOTICE.fullmatch(mark) is not None


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.decode(text.encode("utf-8", "surrogatepass"))
    except json.Malformed:
        return None
    return value if isinstance(value, dict) else None


def _with_short_strings(whole: Counted, value: dict[str, Any], cap: Cap, count: Count) -> str:
    found = [(path, string) for path, string in _strings(value) if len(string) > _LONG_CHARS]
    longest = sorted(found, key=lambda entry: -len(entry[1]))[:_MOST_STRINGS]
    strings = [(path, Counted(string, count(string))) for path, string in longest]
    sizes = [string.tokens for _, string in strings]
    allowed = level(sizes, (cap.tokens or 0) - (whole.tokens - sum(sizes)))
    data = whole.text.encode("utf-8", "surrogatepass")
    for path, string in strings:
        shorter = shorten(string, Cap(allowed, head_share=cap.head_share), count)
        if shorter is not string:
            data = json.replace(data, path, json.encode(shorter.text))
    return data.decode("utf-8", "surrogatepass")


def _strings(value: dict[str, Any]) -> Iterator[tuple[json.Path, str]]:
    """Yield every string in a value with the path that leads to it, in order."""
    waiting: list[tuple[json.Path, Any]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if len(path) > _DEEPEST:
            continue
        if isinstance(item, str):
            yield path, item
        elif isinstance(item, dict):
            waiting += [((*path, key), member) for key, member in reversed(item.items())]
        elif isinstance(item, list):
            waiting += [((*path, index), member) for index, member in reversed(list(enumerate(item)))]
