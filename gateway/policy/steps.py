"""The list of steps of a policy file: strategies by name, with their settings, and when they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.policy import meant
from gateway.policy.document import Source
from gateway.policy.levels import When
from gateway.policy.schema import Step
from gateway.policy.values import check, fill, unfit
from gateway.policy.words import listed, suggestion
from gateway.strategies.base import Strategy

Strategies = Mapping[str, type[Strategy]]


def read_steps(given: Any, strategies: Strategies, source: Source) -> tuple[Step, ...]:
    """Return the steps of a policy, those that can be read; what is wrong goes to *source*."""
    if not isinstance(given, list):
        source.report("steps", unfit("a list", given, "steps", _meant_list(given, strategies)))
        return ()
    steps = (_step(item, f"steps[{n}]", strategies, source) for n, item in enumerate(given))
    return tuple(step for step in steps if step is not None)


def _step(given: Any, path: str, strategies: Strategies, source: Source) -> Step | None:
    if not isinstance(given, Mapping):
        source.report(path, unfit("`use` and settings", given, path, _meant_step(given, strategies)))
        return None
    when = _when(given["when"], f"{path}.when", source) if "when" in given else None
    use = given.get("use")
    if not isinstance(use, str) or use not in strategies:
        at, text = _no_strategy(given, strategies)
        source.report(f"{path}{at}", text)
        return None
    settings = {key: value for key, value in given.items() if key not in ("use", "when")}
    strategy = fill(strategies[use](), settings, path, source)
    check(strategy, path, source)
    return Step(use, strategy, when)


def _meant_list(given: Any, strategies: Strategies) -> str:
    """Return what to write in place of a value that should be the list of steps; may be empty."""
    if isinstance(given, str) and given in strategies:
        return f"; write [{{use: {given}}}]"
    if isinstance(given, Mapping) and "-use" in given:
        return "; a dash needs a space behind it: `- use: ...`"
    if isinstance(given, Mapping):
        return "; write each step as `- use: ...`, with its settings below"
    return meant.as_list(given)


def _meant_step(given: Any, strategies: Strategies) -> str:
    """Return what to write in place of a value that should be a step; may be empty."""
    if isinstance(given, str):
        return f"; write `use: {given}`" if given in strategies else suggestion(given, list(strategies))
    return (
        "; write each step behind a dash of its own" if isinstance(given, list) else listed(list(strategies))
    )


def _no_strategy(given: Mapping[str, Any], strategies: Strategies) -> tuple[str, str]:
    """Return where in a step, and why, no strategy is named."""
    known = listed(list(strategies))
    use = given.get("use")
    if use is None:
        meant = _meant_use(given, strategies) or known
        return ".use" if "use" in given else "", f"has no `use`, the name of a strategy{meant}"
    if not isinstance(use, str):
        hint = _meant_use(use, strategies) if isinstance(use, Mapping) else ""
        hint = "; each step names one" if isinstance(use, list) else hint
        return ".use", unfit("the name of a strategy", use, ".use", hint + known)
    return ".use", f"no strategy is called {use!r}{suggestion(use, list(strategies))}"


def _meant_use(given: Mapping[str, Any], strategies: Strategies) -> str:
    """Return how to name the strategy that stands in a key or behind another one; may be empty."""
    if name := next((key for key in given if key in strategies), None):
        return f"; write `use: {name}`, and its settings below `use`"
    other = next((k for k, value in given.items() if isinstance(value, str) and value in strategies), None)
    return f"; write `use` in place of `{other}`" if other is not None else ""


def _when(given: Any, path: str, source: Source) -> When:
    if given == "always":
        return When(always=True)
    when = fill(When(), given, path, source)
    if when == When() and isinstance(given, Mapping) and not source.is_wrong(path):
        source.report(path, "names no size; write `always`, or take `when` out for the trigger")
    check(when, path, source)
    return when
