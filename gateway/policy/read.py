"""A policy file into a `Policy`, with every problem at once.

A file with `extends` starts from another policy and changes what it names: sections are changed key by key,
sizes (`trigger`, `prepare`, `target`) and lists are exchanged whole; a `trigger` without `prepare` takes the
other's along in proportion. Keys of features that are still to come are known, so that files stay valid;
values that would switch such a feature on are problems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.core.frozen import replace
from gateway.policy import meant, models
from gateway.policy.document import Problem, Source
from gateway.policy.levels import Level, Limit, in_proportion
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import ForModels, Policy, with_fingerprint
from gateway.policy.steps import Strategies, read_steps
from gateway.policy.values import check, field_types, fill, unfit
from gateway.policy.words import SURELY, describe, nearest

LATER_VALUES: tuple[tuple[str, Any], ...] = (
    ("store.archive", "all"),
    ("summarizer.fallback", "trim_turns"),
    ("recall.tool", True),
    ("recall.memory", True),
    ("commands", True),
)
"""Values that would switch on what is not there yet; a row goes with the feature that it names."""

LATER = "comes with a later version"

NOT_KEYS = ("name", "fingerprint", "glob")
"""Fields of a policy that are not keys of its file."""

KEYS = tuple(key for key in field_types(Policy) if key not in NOT_KEYS)
"""Those of a policy's file, but for `extends`, which is read before."""


def below_summarizer(known: Sequence[str]) -> dict[str, str]:
    """Return what is said of keys that stand beside their section, where *known* are the keys of a file.

    One that is nearly one of those is more likely meant for it. Two might be meant otherwise.
    """
    found = {}
    for key in field_types(SummarizerRules):
        if key not in (*field_types(Policy), "max_tokens", "upstream"):
            near = nearest(key, known, SURELY)
            first = f"{near} For summaries," if near else "; it belongs below `summarizer`:"
            found[key] = f"{first} write summarizer: {{{key}: ...}}"
    return found


ELSEWHERE = {
    **below_summarizer(KEYS),
    "extends": "",
    "name": ": a policy is called as its file is",
    **dict.fromkeys(
        ("keys", "upstream", "anthropic_upstream", "policy", "policies"),
        ": that is a tenant's, whose file stands in the folder tenants/",
    ),
}
"""What is no key of a policy, and where it belongs; `extends` is read before."""

_TENANTS_MODELS = "; which models a tenant may use is said in its file, in the folder tenants/"
_LEVELS = ("trigger", "prepare", "target")
_READ_HERE = (*_LEVELS, "history", "steps", "models")
_SECTIONS = ("overflow", "store", "summarizer")


def read_policy(
    given: Mapping[str, Any], name: str, base: Policy | None, strategies: Strategies, source: Source
) -> Policy:
    """Return the policy that the file's values make of *base*, or of the defaults.

    What is wrong goes to *source*; then the policy is only good for finding more that is wrong.
    """
    start = replace(base or Policy(name=name), name=name, fingerprint="")
    plain = {key: value for key, value in given.items() if key not in _READ_HERE}
    policy = fill(start, plain, "", source, skip=NOT_KEYS, elsewhere=ELSEWHERE)
    whole: dict[str, Any] = {key: _level(given[key], key, source) for key in _LEVELS if key in given}
    if "trigger" in given and "prepare" not in given:
        # Prepared at a size above the trigger no summary would ever be there in time.
        whole["prepare"] = in_proportion(start.prepare, start.trigger, whole["trigger"])
    if isinstance(given.get("windows"), Mapping):
        whole["windows"] = _nearest_first(given["windows"], policy.windows)
    if "history" in given:
        whole["history"] = _history(given["history"], source)
    if "steps" in given:
        whole["steps"] = read_steps(given["steps"], strategies, source)
    policy = replace(policy, **whole)
    _check(policy, base, given, source)
    if "models" in given or policy.models:
        policy = replace(policy, models=_models(given.get("models", {}), policy, base, strategies, source))
    return with_fingerprint(policy)


def _nearest_first(given: Mapping[str, Any], windows: Mapping[str, int]) -> dict[str, int]:
    """Return windows with those of the file before those that it takes over: the first that fits counts."""
    return {glob: windows[glob] for glob in dict.fromkeys((*given, *windows)) if glob in windows}


def _models(
    given: Any, policy: Policy, base: Policy | None, strategies: Strategies, source: Source
) -> tuple[ForModels, ...]:
    """Return what differs for some models: what the file says comes before what it extends."""
    if not isinstance(given, Mapping):
        hint = _TENANTS_MODELS if isinstance(given, str | list) else meant.section((), given)
        source.report("models", unfit("globs and keys", given, "models", hint))
        return ()
    before = {entry.glob: entry.given for entry in policy.models}
    found = []
    for glob, item in models.merged(given, before).items():
        inner = models.Inner(source, f"models.{glob}")
        found.append(_for_models(glob, item, policy, strategies, inner))
        if inner.problems and base is not None and glob in before:
            was = models.Inner(source, f"models.{glob}")
            _for_models(glob, before[glob], base, strategies, was)
            inner.problems = [problem for problem in inner.problems if problem not in was.problems]
        inner.hand_over()
    return tuple(found)


def _for_models(glob: str, item: Any, policy: Policy, strategies: Strategies, source: Source) -> ForModels:
    settings = models.settings(item, source)
    # The window that is named here is nearer than one of the policy's `windows`.
    windows = {} if "window" in settings else policy.windows
    base = replace(policy, models=(), glob=glob, windows=windows)
    return ForModels(glob, settings, read_policy(settings, policy.name, base, strategies, source))


def _check(policy: Policy, base: Policy | None, given: Mapping[str, Any], source: Source) -> None:
    """Report what is wrong with the whole, once: what was wrong before stands in another file."""
    found, inherited = Source(source.file, source.lines), Source(source.file, source.lines)
    _check_all(policy, given, found)
    if base is not None:
        _check_all(base, given, inherited)
    wrong = {problem.path for problem in inherited.problems}
    for problem in found.problems:
        section = problem.path.partition(".")[0]
        is_taken_over = section not in given and (problem.path in wrong or section == "prepare")
        if not is_taken_over and problem not in inherited.problems:
            source.problems.append(_at_what_is_written(problem, base, given, source))


def _check_all(policy: Policy, given: Mapping[str, Any], source: Source) -> None:
    """Report what is wrong with a policy, and with those of its sections that a file names."""
    check(policy, "", source)
    for section in _SECTIONS:
        if section in given:
            check(getattr(policy, section), section, source)
    for path, value in LATER_VALUES:
        section, _, key = path.partition(".")
        holder = getattr(policy, section)
        if section in given and (getattr(holder, key) if key else holder) == value:
            source.report(path, f"{describe(value)} {LATER}")


def _at_what_is_written(
    problem: Problem, base: Policy | None, given: Mapping[str, Any], source: Source
) -> Problem:
    """Return a problem of two values at the one that the file says, if the other one is taken over."""
    section = problem.path.partition(".")[0]
    other = next((key for key in _LEVELS if key in given and f" {key}." in problem.text), None)
    if section not in _LEVELS or section in given or other is None:
        return problem
    whence = f"comes from {base.name}" if base is not None else "is the default"
    value, _, wrong = problem.text.partition(" ")
    text = f"{problem.path} {value}, which {whence}, {wrong}; write {section} here, too"
    return Problem(problem.file, text, other, source.lines.get(other))


def _level(given: Any, path: str, source: Source) -> Level:
    level = fill(Level(), given, path, source)
    if level.is_empty and isinstance(given, Mapping) and not source.is_wrong(path):
        source.report(path, "names no size; it needs ratio, tokens, messages or turns")
    check(level, path, source)
    return level


def _history(given: Any, source: Source) -> tuple[Limit, ...]:
    if not isinstance(given, list):
        most = given if type(given) is int else 200
        hint = f"; write [{{messages: {most}}}] for one limit" if given else meant.as_list(given)
        source.report("history", unfit("a list", given, "history", hint))
        return ()
    limits = []
    for n, item in enumerate(given):
        path = f"history[{n}]"
        limits.append(fill(Limit(), item, path, source))
        if isinstance(item, Mapping) and "messages" not in item:
            source.report(path, "names no number of messages; write {messages: 200}")
        check(limits[-1], path, source)
    # What is told of their order would be a guess.
    return () if source.is_wrong("history") else tuple(limits)
