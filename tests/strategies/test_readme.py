"""The README of the strategies is complete: every field with its default and its meaning."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.strategies import STRATEGIES
from gateway.strategies.base import Strategy

README = Path(inspect.getfile(Strategy)).parent / "README.md"


def meanings(kind: type[Strategy]) -> dict[str, str]:
    """Return the docstrings that stand under the fields of a strategy."""
    parsed = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(parsed, ast.ClassDef)
    return dict(documented(parsed.body))


def documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yield each field with the string under it."""
    for field, below in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
            yield ast.unparse(field.target), " ".join(str(ast.literal_eval(below.value)).split())


def shown(default: object) -> str:
    """Return a default as YAML shows it."""
    if isinstance(default, tuple):
        return f"[{', '.join(default)}]"
    return str(default).lower() if isinstance(default, bool) else str(default)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_field_is_in_the_readme(name: str) -> None:
    """Whoever writes a policy finds every key, its default and its meaning under the strategy's heading."""
    kind = STRATEGIES[name]
    section = README.read_text().split(f"\n## {name}\n")[1].split("\n## ")[0]
    told = meanings(kind)
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]  # every strategy is a dataclass
        assert f"| `{field.name}` | `{shown(field.default)}` | {told[field.name]} |" in section


@pytest.mark.parametrize("name", STRATEGIES)
def test_defaults_are_valid(name: str) -> None:
    """A step that sets nothing has no problems."""
    assert list(STRATEGIES[name]().problems()) == []
