"""What a policy file says of some models only: keys of a policy, below globs of model names.

`policy.read` makes a whole policy of each. Here stands which keys there may be, how a file that extends
another changes them, and how what is wrong is reported where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.policy import meant
from gateway.policy.document import Problem, Source
from gateway.policy.values import unfit

FOR_ALL = {
    "mode": "",
    "windows": "; write `window` here",
    "store": "",
    "recall": "",
    "commands": "",
    "models": "",
    "extends": "",
}
"""Keys that a policy has for all models, and what to write instead."""

_SIZES = ("trigger", "prepare", "target")


class Inner(Source):
    """The part of a file below a path; what is wrong with it is handed over to the whole."""

    def __init__(self, whole: Source, path: str) -> None:
        start = f"{path}."
        inner = {key.removeprefix(start): line for key, line in whole.lines.items() if key.startswith(start)}
        super().__init__(whole.file, inner)
        self._whole = whole
        self._path = path

    def hand_over(self) -> None:
        """Report to the whole file what was found."""
        for problem in self.problems:
            path = f"{self._path}.{problem.path}" if problem.path else self._path
            line = problem.line or self._whole.lines.get(self._path)
            if not self._whole.is_unread(path):
                self._whole.problems.append(Problem(problem.file, problem.text, path, line))


def merged(given: Mapping[str, Any], base: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what a file says of models, and what the one that it extends says; first the former.

    >>> merged({"b-*": {"keep": {"first_user": True}}}, {"a": {}, "b-*": {"keep": {"recent_turns": 1}}})
    {'b-*': {'keep': {'recent_turns': 1, 'first_user': True}}, 'a': {}}
    """
    found = {glob: _changed(base.get(glob, {}), item) for glob, item in given.items()}
    return {**found, **{glob: dict(item) for glob, item in base.items() if glob not in found}}


def _changed(base: Mapping[str, Any], item: Any) -> Any:
    """Return settings with others in their place: sections key by key, all else as a whole."""
    if not isinstance(item, Mapping):
        return item
    return {**base, **{key: _section(key, base.get(key), value) for key, value in item.items()}}


def _section(key: str, base: Any, value: Any) -> Any:
    are_sections = isinstance(base, Mapping) and isinstance(value, Mapping)
    return {**base, **value} if are_sections and key not in _SIZES else value


def settings(item: Any, source: Source) -> dict[str, Any]:
    """Return the settings that may be there; what is wrong goes to *source*."""
    if not isinstance(item, Mapping):
        hint = meant.section((), item) or "; write them as in {window: 128000}"
        source.report("", unfit("keys of a policy", item, "", hint))
        return {}
    for key in item:
        if key in FOR_ALL:
            source.report(key, f"is the same for all models{FOR_ALL[key]}")
    return {key: value for key, value in item.items() if key not in FOR_ALL}
