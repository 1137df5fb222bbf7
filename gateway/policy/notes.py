"""What is valid in files of policies and surely not meant: a line each, for `haversack check`.

Only what the files of a folder say themselves is looked at, not what they take over from others. Where
something is wrong with the files, too, that is left out which depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from gateway.policy.policies import PolicySet, Written
from gateway.policy.schema import Mode, Policy
from gateway.policy.unknown import Unknown
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
        name = written.policy.name
        yield from (f"{name} {text}" for note in _NOTES for text in note.of(written))
        for part in _parts(written):
            told = (text for note in _NOTES if note.is_by_model for text in note.of(part))
            yield from (f"{name}, for {part.policy.glob}, {text}" for text in told)
    yield from unset(found, environment)


def _parts(written: Written) -> Iterator[Written]:
    """Yield what a file says of some models."""
    for entry in written.policy.models:
        if isinstance(own := written.given.get("models", {}).get(entry.glob), Mapping):
            wrong = [path.removeprefix(f"models.{entry.glob}.") for path in written.wrong]
            yield Written(entry.policy, own, written.policy, wrong)


def _read_alone(written: Written) -> Iterator[str]:
    if isinstance(written.policy, Unknown):
        yield "was looked at without what it builds upon; more may be found once that is mended."


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


@dataclass(frozen=True, kw_only=True)
class _Note:
    """Something to tell the author of a file."""

    tell: Callable[[Written], Iterable[str]]
    keys: tuple[str, ...]
    """What it looks at; where that is wrong, there is nothing to be told of it yet."""
    is_of_file: bool = False
    """Whether it looks only at what the file itself says."""
    is_by_model: bool = True
    """Whether it may be told of what a file says of some models, too."""

    def of(self, written: Written) -> Iterable[str]:
        """Return what is to be told of a file, as far as that can be known."""
        is_known = self.is_of_file or not isinstance(written.policy, Unknown)
        sections = {re.split(r"[.\[]", path)[0] for path in written.wrong}
        return self.tell(written) if is_known and not sections & set(self.keys) else ()


_NOTES = (
    _Note(tell=_read_alone, keys=(), is_of_file=True, is_by_model=False),
    _Note(tell=_no_steps, keys=("mode", "steps")),
    _Note(tell=_other_models, keys=("models",), is_of_file=True, is_by_model=False),
    _Note(tell=_covered_globs, keys=("models", "windows"), is_of_file=True, is_by_model=False),
    _Note(tell=_small_windows, keys=("window", "window_max", "windows"), is_of_file=True),
    _Note(tell=_asks_nobody, keys=("mode", "steps", "summarizer", "models")),
    _Note(tell=_heartbeats, keys=("summarizer",)),
    _Note(tell=_model_called_none, keys=("summarizer",), is_of_file=True),
    _Note(tell=_late_summaries, keys=("steps", "prepare", "trigger", "summarizer")),
    _Note(tell=_nothing_behind, keys=("steps",), is_of_file=True),
)
