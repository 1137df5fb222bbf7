"""A YAML file of bounded size, as plain values, with the line of each.

A key that stands twice is a problem, aliases cannot blow a file up, and whatever is wrong with a file is a
problem with its place, never a traceback. One value that cannot be read keeps no other from being read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import yaml

from gateway.policy.scalars import COLLECTIONS, Loader, value_of
from gateway.policy.syntax import plainly
from gateway.policy.words import describe

MAX_BYTES = 256 * 1024
_MAX_VALUES = 20_000
_MAX_DEPTH = 20
_CREDENTIALS = re.compile(
    # A password may hold what no URL may; a port is none.
    r"\b([a-z][a-z0-9+.-]{1,20}://)[^\s/@?#:\[]{0,200}:(?!\d{1,5}[/?#])\S{0,500}@"
    r"|\b(https?://)[^\s/?#\[]+@",
    re.IGNORECASE,
)


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
    unread: list[str] = field(default_factory=list)
    """Where a value could not be read, which was told."""

    def report(self, path: str, text: str) -> None:
        """Note a problem; its line is that of the path, or of the nearest value around it.

        Of a value that could not be read nothing more is noted.
        """
        if self.is_unread(path):
            return
        around = path
        while around and around not in self.lines:
            around = around[: max(around.rfind("."), around.rfind("["), 0)]
        self.problems.append(Problem(self.file, text, path, self.lines.get(around)))

    def is_unread(self, path: str) -> bool:
        """Return whether the value at a path, or one that it is in, could not be read."""
        return any(_is_in(path, one) for one in self.unread)

    def give_up(self, path: str, text: str) -> None:
        """Note why the value at a path cannot be read."""
        self.report(path, text)
        self.unread.append(path)

    def is_wrong(self, path: str) -> bool:
        """Return whether something is wrong with the value at a path, or in it."""
        return any(_is_in(problem.path, path) for problem in self.problems)

    @property
    def wrong(self) -> tuple[str, ...]:
        """Where something is wrong."""
        return tuple(problem.path for problem in self.problems)


def _is_in(path: str, whole: str) -> bool:
    return path == whole or path.startswith((f"{whole}.", f"{whole}["))


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems file by file, in the order of their lines."""
    return sorted(problems, key=lambda problem: (problem.file, problem.line or 0))


class _TooMuch(Exception):
    """There is no end to what a file holds; what is wrong was noted."""


def parse(data: bytes, source: Source) -> dict[str, Any]:
    """Return the mapping that the file holds, as far as it can be read; problems go to *source*."""
    value, line = None, None
    if len(data) > MAX_BYTES:
        problem = f"is larger than {MAX_BYTES} bytes, and no more is read; take out what need not be there"
    elif (text := _decoded(data, source)) is None:
        return {}
    else:
        try:
            value, line = _Reader(text, source).read()
            problem = _no_mapping(value, data)
        except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
            problem, line = plainly(error, text)
        except _TooMuch:
            return {}
    if isinstance(value, dict):
        return value
    source.problems.append(Problem(source.file, problem, "", line))
    return {}


def _decoded(data: bytes, source: Source) -> str | None:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wrong, line = error.object[error.start], data.count(b"\n", 0, error.start) + 1
        text = f"is not UTF-8: byte {wrong:#04x} at offset {error.start}; save it as UTF-8"
        source.problems.append(Problem(source.file, text, "", line))
        return None


def _no_mapping(value: Any, data: bytes) -> str:
    """Return what is wrong with a file that holds something else than keys and values."""
    if value is None:
        what = "holds nothing but comments" if data.strip().startswith(b"#") else "is empty"
        return f"{what}; write keys and values, or take it away"
    form = "; behind a colon stands a space" if isinstance(value, str) and ":" in value else ""
    return f"holds {describe(value)} in place of keys and values{form or '; write `key: value`, one a line'}"


class _Reader:
    """Walks the nodes of one file."""

    def __init__(self, text: str, source: Source) -> None:
        self._loader = Loader(text)
        self._source = source
        self._values = 0

    def read(self) -> tuple[Any, int | None]:
        """Return the value of the file, None if there is none, and its line. Raise what the parser raises."""
        try:
            node = self._loader.get_single_node()
            return (None, None) if node is None else (self._value(node, "", 0), _line(node))
        finally:
            self._loader.dispose()

    def _value(self, node: yaml.Node, path: str, depth: int) -> Any:
        self._bound(path, depth)
        if isinstance(node, yaml.MappingNode) and node.tag in COLLECTIONS:
            return self._mapping(node, path, depth)
        if isinstance(node, yaml.SequenceNode) and node.tag in COLLECTIONS:
            return [self._element(item, f"{path}[{n}]", depth) for n, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            self._refuse_halves(node, path)
            self._refuse_credentials(node, path)
            with suppress(ValueError):
                return value_of(node)
        mark = node.tag.replace("tag:yaml.org,2002:", "!!")
        self._source.give_up(path, f"is marked as {mark}, which is not read here; write the value alone")
        return None

    def _bound(self, path: str, depth: int) -> None:
        """Raise _TooMuch where a file holds too many values or too deep ones, aliases followed."""
        self._values += 1
        key = re.split(r"[.\[]", path)[0]
        if depth > _MAX_DEPTH:
            self._source.report(key, f"has more than {_MAX_DEPTH} levels in each other; write it flatter")
            raise _TooMuch
        if self._values > _MAX_VALUES:
            more = "each * counts as all that it stands for"
            self._source.report(key, f"is where the file exceeds {_MAX_VALUES} values ({more}); write fewer")
            raise _TooMuch

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
        self._source.lines[path] = _line(node)
        return self._value(node, path, depth + 1)

    def _mapping(self, node: yaml.MappingNode, path: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if (key := self._key(key_node, path)) is None:
                continue
            below = f"{path}.{key}" if path else key
            if key in result:
                text = f"stands twice: the first is in line {self._source.lines[below]}; take one out"
                self._source.problems.append(Problem(self._source.file, text, below, _line(key_node)))
                continue
            self._source.lines[below] = _line(key_node)
            result[key] = self._value(value_node, below, depth + 1)
        if node.value and not result and path:
            self._source.unread.append(path)  # as of {{ a template }}
        return result

    def _key(self, node: yaml.Node, path: str) -> str | None:
        """Return a key as it is written: to YAML, `off` and `1` are no words. None: it is none."""
        if not isinstance(node, yaml.ScalarNode):
            self._no_key(node, path, "begins with [ or {; put it in quotes, and fill in a template first")
            return None
        self._refuse_halves(node, path)
        self._refuse_credentials(node, path)
        if not node.value:
            self._no_key(node, path, "is empty; write a name before the colon")
        elif not node.value.isprintable():
            self._no_key(node, path, f"holds what cannot be seen, {node.value!a}; write it anew")
        else:
            return str(node.value)
        return None

    def _no_key(self, node: yaml.Node, path: str, text: str) -> None:
        self._source.problems.append(Problem(self._source.file, f"a key {text}", path, _line(node)))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
