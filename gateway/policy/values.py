"""Plain values into the fields of a frozen dataclass, by the types of the fields.

So a setting is declared once, where it is used. A field's type says what a file may hold there; the class
says in `problems()` what its values must satisfy, and a problem that begins with the name of a field is
reported at that field.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from gateway.core.frozen import replace
from gateway.policy import meant
from gateway.policy.document import Source, describe, suggestion

T = TypeVar("T")

MISSING: Any = object()
"""What could not be read; the problem is reported, and the default stays."""

NOWHERE: Mapping[str, str] = types.MappingProxyType({})

_MAX_NUMBER = 10**12
_SWITCHES = {"on": True, "yes": True, "off": False, "no": False}


def hints(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields by name."""
    known = get_type_hints(cls)
    return {field.name: known[field.name] for field in fields(cls)}


def fill(
    base: T,
    given: Any,
    path: str,
    source: Source,
    skip: Iterable[str] = (),
    elsewhere: Mapping[str, str] = NOWHERE,
) -> T:
    """Return *base* with the given values in its fields; what is wrong with them goes to *source*.

    Fields named in *skip* are none that a file may set. Sections and maps are filled key by key. *elsewhere*
    says of keys that are none here where they belong; those without a text are read by somebody else.
    """
    kinds = {name: kind for name, kind in hints(type(base)).items() if name not in skip}
    if not isinstance(given, Mapping):
        hint = meant.section(kinds, given) or meant.nothing(path, given)
        source.report(path, f"expects keys and values, not {describe(given)}{hint}")
        return base
    values: dict[str, Any] = {}
    for key, value in given.items():
        below = f"{path}.{key}" if path else key
        if key not in kinds:
            known = [*kinds, *(name for name, text in elsewhere.items() if not text)]
            hint = elsewhere.get(key) or meant.key(below) or suggestion(key, known)
            source.report(below, f"is not known here{hint}")
        elif (read := read_value(kinds[key], value, below, source, getattr(base, key))) is not MISSING:
            values[key] = read
    return replace(base, **values)


def check(value: Any, path: str, source: Source) -> None:
    """Report what the value says is wrong with itself, each at the field that its text begins with."""
    for text in value.problems():
        match = re.match(r"[\w.*-]+", text)
        name = match[0] if match else ""
        if name.split(".")[0] in hints(type(value)):
            source.report(f"{path}.{name}" if path else name, text[len(name) :].strip())
        else:
            source.report(path, text)


def read_value(kind: Any, value: Any, path: str, source: Source, base: Any = None) -> Any:
    """Return the value as that type; MISSING, with a problem in *source*, if it is none."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if value is None or value == "auto":
            return None
        (kind,) = (arg for arg in args if arg is not types.NoneType)
        return read_value(kind, value, path, source)
    if origin is Literal:
        return _choice(args, value, path, source)
    if origin is tuple:
        return _sequence(args[0], value, path, source)
    if origin is dict:
        return _mapping(args[1], value, path, source, base)
    if is_dataclass(kind):
        return fill(base, value, path, source)
    if issubclass(kind, StrEnum):
        word = _choice(tuple(kind), value, path, source)
        return word if word is MISSING else kind(word)
    return _scalar(kind, value, path, source)


def _scalar(kind: type, value: Any, path: str, source: Source) -> Any:
    if kind is float and type(value) is int:
        value = float(value) if abs(value) <= _MAX_NUMBER else math.inf
    if kind is bool and isinstance(value, str):
        value = _SWITCHES.get(value.lower(), value)
    expected = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
    }[kind]
    if type(value) is not kind:
        is_bare = kind is str and type(value) in (bool, int, float)
        hint = "; put it in quotes" if is_bare else meant.number(kind, value)
        source.report(path, f"expects {expected}, not {describe(value)}{hint}")
        return MISSING
    # The comparison is false for NaN, too.
    if isinstance(value, int | float) and not abs(value) <= _MAX_NUMBER:
        source.report(path, f"is too large a number: {describe(value)}")
        return MISSING
    return value


def _choice(words: tuple[str, ...], value: Any, path: str, source: Source) -> Any:
    if isinstance(value, str) and value in words:
        return str(value)
    listed = [str(word) for word in words]
    hint = suggestion(value, listed) if isinstance(value, str) else f"; known are: {', '.join(listed)}"
    hint = meant.nothing(path, value) or hint
    source.report(path, f"cannot be {describe(value)}{hint}")
    return MISSING


def _sequence(kind: Any, value: Any, path: str, source: Source) -> Any:
    if not isinstance(value, list):
        source.report(path, f"expects a list, not {describe(value)}")
        return MISSING
    read = [read_value(kind, item, f"{path}[{n}]", source) for n, item in enumerate(value)]
    return tuple(item for item in read if item is not MISSING)


def _mapping(kind: Any, value: Any, path: str, source: Source, base: Any) -> Any:
    if not isinstance(value, dict):
        source.report(path, f"expects keys and values, not {describe(value)}")
        return MISSING
    read = {key: read_value(kind, item, f"{path}.{key}", source) for key, item in value.items()}
    return {**(base or {}), **{key: item for key, item in read.items() if item is not MISSING}}
