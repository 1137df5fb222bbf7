"""What of a block between fences is read: comments and settings, all of it, or nothing."""

from __future__ import annotations

import re

from gateway.core.ledger.entry import Kind

_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#+|//+|--|/\*+|\*(?=\s)|<!--|;+|%+|\"\"\")\s*(?P<words>[^\s#/*].*)")
_DATA = frozenset(("yaml", "yml", "toml", "ini", "env", "dotenv", "json", "properties", "conf", "cfg"))
_LABELS = "log logs text txt output console diff md markdown plaintext csv html email"
_PASTED = frozenset(_LABELS.split())
_SETTING = re.compile(r"\s*[\"']?[\w.-]{2,60}[\"']?\s*[:=]\s*\S")


def mode(label: str, kind: Kind | None) -> str:
    """Return how a block is read, by what stands behind its fence and what the heading above says it is.

    >>> mode("python", None), mode("yaml", None), mode("log", None), mode("", Kind.RULE)
    ('code', 'data', 'skip', 'words')
    """
    label = label.strip().lower().split(" ")[0]
    if kind is not None and (not label or label in _PASTED):
        return "words"
    if label in _PASTED:
        return "skip"
    return "data" if label in _DATA else "code"


def is_read(line: str, mode: str) -> bool:
    """Return whether a line of a block says something: a comment, or a setting in what is data.

    >>> is_read("x = 1  # never push", "code"), is_read("port: 80", "data"), is_read("port: 80", "code")
    (True, True, False)
    """
    if mode == "skip":
        return False
    return _COMMENT.search(line) is not None or (mode == "data" and _SETTING.match(line) is not None)
