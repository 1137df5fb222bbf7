"""The text under each field of a class: what a help page and the tables of the documentation are made of."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from textwrap import dedent


def documented(kind: type) -> dict[str, str]:
    """Return the text that stands under each annotated field of a class; empty where there is none."""
    tree = ast.parse(dedent(inspect.getsource(kind)))
    body = tree.body[0]
    assert isinstance(body, ast.ClassDef)
    texts: dict[str, str] = {}
    for field, after in pairwise([*body.body, ast.Pass()]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            texts[field.target.id] = _text(after)
    return texts


def _text(node: ast.stmt) -> str:
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return inspect.cleandoc(node.value.value)
    return ""
