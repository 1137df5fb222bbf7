"""A YAML file of bounded size, as plain values, with the line of each.

Read by the safe loader, and stricter than it: a key that stands twice is a problem, aliases cannot blow a
file up, and whatever is wrong with a file is a problem with its place, never a traceback.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import yaml

MAX_BYTES = 256 * 1024
_MAX_VALUES = 20_000
_MAX_DEPTH = 20
_CREDENTIALS = re.compile(
    # A password may hold what no URL may; a port is none.
    r"\b([a-z][a-z0-9+.-]{1,20}://)[^\s/@?#:\[]{0,200}:(?!\d{1,5}[/?#])\S{0,500}@"
    r"|\b(https?://)[^\s/?#\[]+@",
    re.IGNORECASE,
)
SURELY = 0.8
"""How much alike two names are of which one is the other with a slip in it."""

_COLLECTIONS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that the author of a file has to change."""

    file: str
    text: str
    path: str = ""
    """Where, as in `steps[2].min_tokens`; empty: the file as a whole."""
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, self.path, self.text) if part)


@dataclass(slots=True)
class Source:
    """A file that is being read: where its values stand, and what was found wrong with them."""

    file: str
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, path: str, text: str) -> None:
        """Note a problem; its line is that of the path, or of the nearest value around it."""
        around = path
        while around and around not in self.lines:
            around = around[: max(around.rfind("."), around.rfind("["), 0)]
        self.problems.append(Problem(self.file, text, path, self.lines.get(around)))

    @property
    def wrong(self) -> tuple[str, ...]:
        """Where something is wrong."""
        return tuple(problem.path for problem in self.problems)


def parse(data: bytes, source: Source) -> dict[str, Any]:
    """Return the mapping that the file holds, as far as it can be read; problems go to *source*."""
    if len(data) > MAX_BYTES:
        source.report("", f"is larger than {MAX_BYTES} bytes")
        return {}
    try:
        value = _Reader(data.decode("utf-8-sig"), source).read()
    except UnicodeDecodeError as error:
        source.report("", f"is not UTF-8: byte {error.object[error.start]:#04x} at offset {error.start}")
        return {}
    except yaml.MarkedYAMLError as error:
        _report_syntax(error, source)
        return {}
    # RecursionError: thousands of brackets. ValueError: a date or a number that there cannot be.
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        source.report("", f"is not readable YAML: {error}".splitlines()[0])
        return {}
    if isinstance(value, dict):
        return value
    source.report("", "is empty" if value is None else f"holds {describe(value)} in place of keys and values")
    return {}


def _report_syntax(error: yaml.MarkedYAMLError, source: Source) -> None:
    line = error.problem_mark.line + 1 if error.problem_mark else None
    text = f"{error.problem or error.context}"
    if "alias" in f"{error.context} {error.problem}":
        text += '; what begins with * must be put in quotes, as in "*-mini"'
    source.problems.append(Problem(source.file, f"is not YAML: {text}", "", line))


class _Reader:
    """Walks the nodes of one file."""

    def __init__(self, text: str, source: Source) -> None:
        self._loader = yaml.SafeLoader(text)
        self._source = source
        self._values = 0

    def read(self) -> Any:
        """Return the value of the file; None if there is none. Raise what the loader raises."""
        try:
            node = self._loader.get_single_node()
            return None if node is None else self._value(node, "", 0)
        finally:
            self._loader.dispose()

    def _value(self, node: yaml.Node, path: str, depth: int) -> Any:
        self._values += 1
        if self._values > _MAX_VALUES or depth > _MAX_DEPTH:
            raise yaml.MarkedYAMLError(problem="too many or too deep values", problem_mark=node.start_mark)
        if isinstance(node, yaml.CollectionNode) and node.tag not in _COLLECTIONS:
            raise yaml.MarkedYAMLError(problem=f"what is {node.tag}?", problem_mark=node.start_mark)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self._element(item, f"{path}[{n}]", depth) for n, item in enumerate(node.value)]
        self._refuse_halves(node, path)
        self._refuse_credentials(node, path)
        value = self._loader.construct_object(node)
        # As in YAML 1.2, where only true and false are no words: a policy may be called `off`.
        return (
            node.value if isinstance(value, bool) and node.value.lower() not in ("true", "false") else value
        )

    def _refuse_halves(self, node: yaml.Node, path: str) -> None:
        """Put a character together that is written as two, as in JSON; report and take out half of one."""
        units = node.value.encode("utf-16-le", "surrogatepass")
        try:
            node.value = units.decode("utf-16-le")
        except UnicodeDecodeError:
            node.value = units.decode("utf-16-le", "replace")
            self._source.report(path, "holds half of a character (\\ud800 to \\udfff)")

    def _refuse_credentials(self, node: yaml.Node, path: str) -> None:
        """Report a user or password in a URL, and take it out: no other problem may repeat it."""
        without = _CREDENTIALS.sub(lambda found: found[1] or found[2], node.value)
        if without != node.value:
            node.value = without
            self._source.report(path, "must hold no user or password in a URL: this file is shown and shared")

    def _element(self, node: yaml.Node, path: str, depth: int) -> Any:
        self._source.lines[path] = node.start_mark.line + 1
        return self._value(node, path, depth + 1)

    def _mapping(self, node: yaml.MappingNode, path: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a word", problem_mark=key_node.start_mark)
            self._refuse_halves(key_node, path)
            # The key as it is written: to YAML, `off` and `1` are no words.
            self._refuse_credentials(key_node, path)
            key = str(key_node.value)
            below = f"{path}.{key}" if path else key
            if key in result:
                text = f"stands twice: the first is in line {self._source.lines[below]}"
                line = key_node.start_mark.line + 1
                self._source.problems.append(Problem(self._source.file, text, below, line))
                continue
            self._source.lines[below] = key_node.start_mark.line + 1
            result[key] = self._value(value_node, below, depth + 1)
        return result


def describe(value: Any) -> str:
    """Return a value in the words of the person who wrote it, cut short.

    >>> describe("many"), describe(True), describe([1]), describe(None)
    ("'many'", 'true', 'a list', 'nothing')
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "keys and values"
        case list():
            return "a list"
        case _:
            text = repr(value)
            return text if len(text) <= 60 else text[:57] + "..."


def nearest(word: str, known: Sequence[str], alike: float = 0.6) -> str:
    """Return the end of a sentence about an unknown word: the one that is *alike* it so much; or nothing.

    >>> nearest("triger", ["trigger", "target"]), nearest("part_ratio", ["reserve_ratio"], SURELY)
    ('; did you mean trigger?', '')
    """
    close = get_close_matches(word, known, 1, alike)
    return f"; did you mean {close[0]}?" if close else ""


def suggestion(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence about an unknown word.

    >>> suggestion("triger", ["trigger", "target"])
    '; did you mean trigger?'
    >>> suggestion("xyz", ["trigger", "target"])
    '; known are: target, trigger'
    """
    if near := nearest(word, known):
        return near
    return f"; known are: {', '.join(sorted(known))}" if known else ""
