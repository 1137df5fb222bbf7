"""Which call reads or writes which file, told from the name of its tool and from its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from gateway.core import json

# As coding agents and servers of tools call them, in lower case. A name belongs here if its tool does nothing
# else: what also greps, lists or appends does not.
READS = (
    "read",
    "*read_file",
    "*readfile",
    "*read_text_file",
    "view",
    "view_file",
    "cat",
    "*get_file_contents",
)
WRITES = ("write", "*write_file", "*writefile", "*write_to_file", "create_file", "*save_file")

_PATHS = frozenset(
    ("path", "file_path", "filepath", "file", "filename", "file_name", "target_file", "absolute_path", "uri")
)
_CONTENTS = frozenset(("content", "contents", "text", "file_text", "code_content", "data"))

_REMARKS = frozenset(("explanation", "description", "reason", "thought"))
"""Arguments in which a model says why it calls: another reason does not make it another part of the file."""

_NAME_CHARS = 128


@dataclass(frozen=True, slots=True)
class Part:
    """What a call reads: two readings of one part differ only if the file has changed in between."""

    path: str
    arguments: bytes
    """The other arguments: offset, limit, encoding."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a call makes of a whole file."""

    path: str
    content: str


def read_part(name: str, arguments: str, reads: Sequence[str]) -> Part | None:
    """Return which part of which file a call reads; None if it is no such call.

    >>> read_part("Read", '{"file_path": "a.py", "limit": 10, "offset": null}', READS)
    Part(path='a.py', arguments=b'{"limit":10}')
    """
    given = _given(name, arguments, reads)
    path = _taken(given, _PATHS)
    return Part(path, json.encode(dict(sorted(given.items())))) if path else None


def written(name: str, arguments: str, writes: Sequence[str]) -> Written | None:
    """Return the whole content that a call gives a file; None if it is no such call.

    >>> written("write_file", '{"path": "a.py", "content": "x = 1"}', WRITES)
    Written(path='a.py', content='x = 1')
    >>> written("write_file", '{"path": "a.py", "content": "x = 1", "append": true}', WRITES)
    """
    given = _given(name, arguments, writes)
    path, content = _taken(given, _PATHS), _taken(given, _CONTENTS)
    return Written(path, content) if path and content and not given else None


def _given(name: str, arguments: str, globs: Sequence[str]) -> dict[str, Any]:
    """Return what a call was given, remarks and nulls left out; nothing if its tool is none of those."""
    # No real name is longer, and what is remembered stays small.
    is_like = _is_like if len(name) <= _NAME_CHARS else _is_like.__wrapped__
    if not is_like(name, tuple(globs)):
        return {}
    try:
        value = json.decode(arguments.encode("utf-8", "surrogatepass"))
    except json.Malformed:
        return {}
    given: Mapping[str, Any] = value if isinstance(value, dict) else {}
    return {key: item for key, item in given.items() if item is not None and key.lower() not in _REMARKS}


@lru_cache(maxsize=1024)
def _is_like(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name.lower(), glob) for glob in globs)


def _taken(given: dict[str, Any], keys: frozenset[str]) -> str:
    """Take the one argument of these names out and return it; empty if there is none, or several."""
    found = [key for key, value in given.items() if key.lower() in keys and isinstance(value, str)]
    return given.pop(found[0]) if len(found) == 1 else ""
