"""What a single value of a YAML file is: a text, a number, true, false or nothing.

As in YAML 1.2. To YAML 1.1, which the parser was made for, `no` is false, `2024-05-13` a date, `12:30` the
number 750 and `010` the number 8: none of it is what somebody means who writes a name or a number of tokens.
"""

from __future__ import annotations

import re

import yaml

_PREFIX = "tag:yaml.org,2002:"
COLLECTIONS = f"{_PREFIX}map", f"{_PREFIX}seq"
"""The marks of sections and lists."""

# What is written without quotes and is no text: its kind, its form, what it may begin with.
_FORMS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0x[0-9a-fA-F]{1,16}|[0-9][0-9_]{0,39})", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]{1,40}|[0-9][0-9_]{0,39}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,3})?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
)


class Loader(yaml.SafeLoader):
    """Reads YAML as far as its nodes."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (the parser's)


for _kind, _form, _first in _FORMS:
    Loader.add_implicit_resolver(_PREFIX + _kind, re.compile(rf"(?:{_form})\Z"), _first)


def value_of(node: yaml.ScalarNode) -> str | int | float | bool | None:
    """Return the value of a node. Raise ValueError if it is of a kind that is not read here.

    >>> [value_of(yaml.compose(text, Loader)) for text in ("no", "010", "1e3", "2024-05-13", "True", "~")]
    ['no', 10, 1000.0, '2024-05-13', True, None]
    """
    text = str(node.value).replace("_", "")
    match node.tag.removeprefix(_PREFIX):
        case "str":
            return str(node.value)
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            return int(text, 16 if "x" in text.lower() else 10)
        case "float":
            return float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
        case _:
            raise ValueError(node.tag)
