"""What is valid in files of policies and surely not meant: a line each, for `haversack check`.

Only what the files of a folder say themselves is looked at, not what they take over from others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from gateway.policy.policies import PolicySet, Written
from gateway.policy.schema import Mode, Policy
from gateway.policy.variables import asking, unset
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize

_LEAST_WINDOW = 512
_NO_MODELS = ("none", "off", "no", "false", "never", "null", "nobody")
"""What no model is called, and what is written where none is to be asked."""


def notes(found: PolicySet, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each thing that the author of the files would want to know."""
    yield from found.ignored
    for written in found.written:
        for note in _NOTES:
            yield from (f"{written.policy.name} {text}" for text in note(written))
        for part in _parts(written):
            for note in _NOTES_BY_MODEL:
                yield from (f"{part.policy.name}, for {part.policy.glob}, {text}" for text in note(part))
    yield from unset(found, environment)


def _parts(written: Written) -> Iterator[Written]:
    """Yield what a file says of some models."""
    own = written.given.get("models", {})
    for entry in written.policy.models:
        if entry.glob in own:
            yield Written(entry.policy, own[entry.glob], written.policy)


def _no_steps(written: Written) -> Iterator[str]:
    is_taken_over = written.policy.glob and "steps" not in written.given
    if written.policy.mode is Mode.COMPACT and not written.policy.steps and not is_taken_over:
        yield "has no steps, so nothing is done before an upstream refuses a request."


def _other_models(written: Written) -> Iterator[str]:
    if written.given.get("models"):
        globs = ", ".join(entry.glob for entry in written.policy.models)
        yield f"has other settings for {globs}; the first that fits a model counts."


def _covered_globs(written: Written) -> Iterator[str]:
    for key in ("models", "windows"):
        globs = list(written.given.get(key, {}))
        for n, glob in enumerate(globs):
            if first := next((other for other in globs[:n] if _covers(other, glob)), None):
                yield f'never comes to "{glob}" in {key}: "{first}" before it fits the same models.'


def _covers(glob: str, other: str) -> bool:
    """Return whether a glob surely fits all that another one fits.

    >>> _covers("*", "gpt-*"), _covers("gpt-*", "gpt-4o"), _covers("gpt-?", "gpt-*")
    (True, True, False)
    """
    is_sure = not set("?[") & set(glob) or not set("*?[") & set(other)
    return is_sure and fnmatchcase(other, glob)


def _small_windows(written: Written) -> Iterator[str]:
    own = written.given
    named = [key for key in ("window", "window_max") if key in own]
    sizes = {key: getattr(written.policy, key) for key in named}
    sizes |= {f"windows.{glob}": written.policy.windows.get(glob) for glob in own.get("windows", {})}
    for key, tokens in sizes.items():
        if tokens is not None and tokens < _LEAST_WINDOW:
            yield f"names {tokens} tokens at {key}; if thousands are meant, write {tokens * 1000}."


def _asks_nobody(written: Written) -> Iterator[str]:
    """Yield that its own steps leave out the one of its base that asks, or that settings have no effect."""
    policy, base, given = written.policy, written.base, written.given
    if policy.mode is Mode.OFF or not policy.steps or _any_asks(policy):
        return
    without = asking(base.steps) if base is not None and "steps" in given else None
    has_settings = "summarizer" in given
    if without is not None and base is not None:
        rest = ", and its `summarizer` has no effect" if has_settings else ""
        yield f"asks no model for summaries: {base.name}'s step `{without.use}` is not among its steps{rest}."
    elif has_settings:
        yield "has a `summarizer` without effect: none of its steps asks a model."


def _any_asks(policy: Policy) -> bool:
    return any(asking(one.steps) for one in (policy, *(entry.policy for entry in policy.models)))


def _heartbeats(written: Written) -> Iterator[str]:
    rules = written.policy.summarizer
    if not rules.heartbeat_s or not {"heartbeat_s", "mode", "timeout_s"} & _keys(written, "summarizer"):
        return
    if rules.mode != "inline":
        yield "sends no heartbeats: summarizer.heartbeat_s is for `mode: inline`, where a client waits."
    elif rules.heartbeat_s >= rules.timeout_s:
        yield (
            f"sends no heartbeats: summarizer.heartbeat_s ({rules.heartbeat_s:g}) is not below timeout_s "
            f"({rules.timeout_s})."
        )


def _model_called_none(written: Written) -> Iterator[str]:
    model = written.policy.summarizer.model
    if "model" in _keys(written, "summarizer") and model.lower() in _NO_MODELS:
        yield f"asks a model called {model!r} for summaries; to ask no model: `extends: mechanical`."


def _late_summaries(written: Written) -> Iterator[str]:
    policy = written.policy
    if "steps" in written.given:
        names = [type(step.strategy) for step in policy.steps if step.when is None]
        if Summarize in names and Digest in names[: names.index(Summarize)]:
            yield "has `summarize` behind `digest`, which leaves it nothing old to replace; put it before."
    early, trigger = policy.prepare.ratio, policy.trigger.ratio
    is_asked_early = policy.summarizer.mode == "background" and asking(policy.steps)
    if "prepare" in written.given and is_asked_early and early is not None and early == trigger:
        yield f"prepares summaries at the trigger ({trigger}), too late for it; put `prepare` below."


def _nothing_behind(written: Written) -> Iterator[str]:
    strategies = [step.strategy for step in written.policy.steps]
    places = [n for n, strategy in enumerate(strategies) if isinstance(strategy, Summarize)]
    if "steps" not in written.given or not places or any(isinstance(one, Digest) for one in strategies):
        return
    if all(strategy.light for strategy in strategies[places[-1] + 1 :]):
        yield "has nothing behind `summarize` for when no summary is ready; put `digest` there."


def _keys(written: Written, section: str) -> set[Any]:
    return set(written.given.get(section, {}))


_Note = Callable[[Written], Iterable[str]]

_NOTES: tuple[_Note, ...] = (
    _no_steps,
    _other_models,
    _covered_globs,
    _small_windows,
    _asks_nobody,
    _heartbeats,
    _model_called_none,
    _late_summaries,
    _nothing_behind,
)
_NOTES_BY_MODEL: tuple[_Note, ...] = tuple(
    note for note in _NOTES if note not in (_other_models, _covered_globs)
)
