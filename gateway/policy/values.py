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
from gateway.policy.document import Source
from gateway.policy.words import describe, listed, suggestion

T = TypeVar("T")

_MISSING: Any = object()
"""What could not be read; the problem is reported, and the default stays."""

_NOWHERE: Mapping[str, str] = types.MappingProxyType({})

_MAX_NUMBER = 10**12
_SWITCHES = {"on": True, "yes": True, "off": False, "no": False}


def field_types(cls: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields by name."""
    known = get_type_hints(cls)
    return {field.name: known[field.name] for field in fields(cls)}


def fill(
    base: T,
    given: Any,
    path: str,
    source: Source,
    skip: Iterable[str] = (),
    elsewhere: Mapping[str, str] = _NOWHERE,
) -> T:
    """Return *base* with the given values in its fields; what is wrong with them goes to *source*.

    Fields named in *skip* are none that a file may set. Sections and maps are filled key by key. *elsewhere*
    says of keys that are none here where they belong; those without a text are read by somebody else.
    """
    kinds = {name: kind for name, kind in field_types(type(base)).items() if name not in skip}
    if not isinstance(given, Mapping):
        hint = meant.nothing(path, given) or meant.section(kinds, given) or listed(list(kinds))
        source.report(path, unfit("keys and values", given, path, hint))
        return base
    values: dict[str, Any] = {}
    for key, value in given.items():
        below = f"{path}.{key}" if path else key
        if key not in kinds:
            known = [*kinds, *(name for name, text in elsewhere.items() if not text)]
            hint = elsewhere.get(key) or meant.key(below) or suggestion(key, known)
            source.report(below, f"is not known here{hint}")
        elif (read := read_value(kinds[key], value, below, source, getattr(base, key))) is not _MISSING:
            values[key] = read
    return replace(base, **values)


def unfit(expected: str, value: Any, path: str, hint: str = "") -> str:
    """Return what is wrong with a value of another kind than is expected, and what to do.

    >>> unfit("a text", None, "summarizer.model")
    'expects a text, not nothing; write one, or leave the key out'
    """
    return f"expects {expected}, not {describe(value)}{hint or meant.instead(value, path)}"


def check(value: Any, path: str, source: Source) -> None:
    """Report what the value says is wrong with itself, each at the field that its text begins with."""
    for text in value.problems():
        match = re.match(r"[\w.*-]+", text)
        name = match[0] if match else ""
        if name.split(".")[0] in field_types(type(value)):
            source.report(f"{path}.{name}" if path else name, text[len(name) :].strip())
        else:
            source.report(path, text)


def read_value(kind: Any, value: Any, path: str, source: Source, base: Any = None) -> Any:
    """Return the value as that type; _MISSING, with a problem in *source*, if it is none."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (kind,) = (arg for arg in args if arg is not types.NoneType)
        is_auto = value == "auto" and kind in (int, float)
        return None if is_auto else read_value(kind, value, path, source)
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
        return word if word is _MISSING else kind(word)
    return _scalar(kind, value, path, source)


_EXPECTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _scalar(kind: type, value: Any, path: str, source: Source) -> Any:
    if kind is float and type(value) is int:
        value = float(value) if abs(value) <= _MAX_NUMBER else math.inf
    if kind is bool and isinstance(value, str):
        value = _SWITCHES.get(value.lower(), value)
    if type(value) is not kind:
        source.report(path, unfit(_EXPECTED[kind], value, path, _meant(kind, value)))
        return _MISSING
    # The comparison is false for NaN, too.
    if isinstance(value, int | float) and not abs(value) <= _MAX_NUMBER:
        source.report(path, f"must be a number of at most {_MAX_NUMBER}, not {describe(value)}")
        return _MISSING
    return value


def _meant(kind: type, value: Any) -> str:
    if kind is str and type(value) in (bool, int, float):
        return "; put it in quotes"
    return meant.switch(value) if kind is bool else meant.number(kind, value)


def _choice(words: tuple[str, ...], value: Any, path: str, source: Source) -> Any:
    if isinstance(value, str) and value in words:
        return str(value)
    known = [str(word) for word in words]
    hint = suggestion(value, known) if isinstance(value, str) else f"; known are: {', '.join(known)}"
    hint = meant.nothing(path, value) or hint
    source.report(path, f"cannot be {describe(value)}{hint}")
    return _MISSING


def _sequence(kind: Any, value: Any, path: str, source: Source) -> Any:
    if not isinstance(value, list):
        source.report(path, unfit("a list", value, path, meant.as_list(value)))
        return _MISSING
    read = [_entry(kind, item, f"{path}[{n}]", source) for n, item in enumerate(value)]
    return tuple(item for item in read if item is not _MISSING)


def _entry(kind: Any, value: Any, path: str, source: Source) -> Any:
    if value == "":
        source.report(path, "is empty; write a text, or take the entry out")
        return _MISSING
    return read_value(kind, value, path, source)


def _mapping(kind: Any, value: Any, path: str, source: Source, base: Any) -> Any:
    if not isinstance(value, dict):
        hint = meant.section((), value) or f"; write {_EXPECTED.get(kind, 'a value')} behind each name"
        source.report(path, unfit("keys and values", value, path, hint))
        return _MISSING
    read = {key: read_value(kind, item, f"{path}.{key}", source) for key, item in value.items()}
    return {**(base or {}), **{key: item for key, item in read.items() if item is not _MISSING}}
