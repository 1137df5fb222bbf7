"""What a policy says of some models only."""

from __future__ import annotations

from typing import Any

from gateway.policy.document import Source, parse
from gateway.policy.levels import Level
from gateway.policy.models import Inner, merged, settings
from gateway.policy.read import read_policy
from gateway.policy.schema import Mode, Policy
from gateway.strategies import STRATEGIES

FILE = """
trigger: {ratio: 0.8}
target: {ratio: 0.4}
keep: {recent_turns: 3, user_text_tokens: 100}
windows: {"gpt-*": 128000}
models:
  gpt-3.5-turbo-16k: {trigger: {ratio: 0.6}}
  gpt-3.5*:
    window: 16385
    keep: {recent_turns: 1}
  "*": {steps: [{use: digest}]}
"""


def read(text: str, base: Policy | None = None) -> tuple[Policy, list[str]]:
    """Return the policy that a file makes, and its problems."""
    source = Source("f")
    policy = read_policy(parse(text.encode(), source), "x", base, STRATEGIES, source)
    return policy, [str(problem) for problem in source.problems]


def sound(text: str, base: Policy | None = None) -> Policy:
    """Return the policy that a file without problems makes."""
    policy, problems = read(text, base)
    assert problems == []
    return policy


def test_first_glob_that_matches_counts() -> None:
    """A model gets what stands below the first glob of its name, and nothing of the others."""
    policy = sound(FILE)
    assert policy.of("gpt-3.5-turbo-16k").trigger == Level(ratio=0.6)
    assert policy.of("gpt-3.5-turbo-16k").keep.recent_turns == 3
    assert policy.of("gpt-3.5-turbo").keep.recent_turns == 1
    assert [step.use for step in policy.of("claude").steps] == ["digest"]


def test_all_else_is_as_in_the_policy() -> None:
    """What is not named for a model is the policy's: sections are changed key by key."""
    policy = sound(FILE)
    found = policy.of("gpt-3.5-turbo")
    assert (found.trigger, found.target, found.mode) == (policy.trigger, policy.target, policy.mode)
    assert found.keep.user_text_tokens == 100
    assert (found.name, found.glob) == ("x", "gpt-3.5*")
    assert found.of("gpt-3.5-turbo") is found


def test_model_without_settings_of_its_own_gets_the_policy() -> None:
    """Where no glob matches, nothing differs."""
    policy = sound("models: {gpt-*: {window: 5000}}")
    assert policy.of("claude") is policy


def test_window_of_a_model_comes_before_those_of_the_policy() -> None:
    """A window that stands below a glob is meant, whatever the policy says of more names."""
    policy = sound(FILE)
    assert (policy.of("gpt-3.5-turbo").window, policy.of("gpt-3.5-turbo").windows) == (16385, {})
    assert policy.of("gpt-3.5-turbo-16k").windows == {"gpt-*": 128000}


def test_extending_file_changes_what_it_names() -> None:
    """Its globs come first; below the same glob it changes keys; what it says for all holds for all."""
    base = sound(FILE)
    policy = sound("keep: {user_text_tokens: 7}\nmodels: {gpt-3.5*: {keep: {recent_ratio: 0.2}}}", base)
    found = policy.of("gpt-3.5-turbo-16k")
    assert found.glob == "gpt-3.5*"
    assert (found.window, found.keep.recent_turns, found.keep.recent_ratio) == (16385, 1, 0.2)
    assert {policy.of(model).keep.user_text_tokens for model in ("gpt-3.5-turbo", "other")} == {7}
    assert policy.of("claude").steps == base.of("claude").steps


def test_mode_of_an_extending_file_holds_for_all_models() -> None:
    """Whoever observes a policy observes it for all models."""
    policy = sound("mode: observe", sound(FILE))
    assert policy.of("gpt-3.5-turbo").mode is Mode.OBSERVE


def test_settings_of_a_model_change_the_fingerprint() -> None:
    """Of the policy, and what applies to a model has one of its own."""
    policy, other = sound(FILE), sound(FILE.replace("16385", "16384"))
    assert policy.fingerprint != other.fingerprint
    found, changed = policy.of("gpt-3.5-turbo"), other.of("gpt-3.5-turbo")
    assert found.fingerprint not in (policy.fingerprint, changed.fingerprint)
    assert policy.of("gpt-3.5-turbo-16k").fingerprint == other.of("gpt-3.5-turbo-16k").fingerprint
    reordered = sound("models: {b*: {window: 5000}, a*: {window: 6000}}")
    assert sound("models: {a*: {window: 6000}, b*: {window: 5000}}").fingerprint != reordered.fingerprint


def test_another_name_is_the_name_for_all_models() -> None:
    """A tenant's policy is named like its file, whichever model is asked for."""
    policy = sound(FILE).named("tenants/a")
    assert {policy.name, *(policy.of(model).name for model in ("gpt-3.5-turbo", "claude"))} == {"tenants/a"}


def test_problem_is_told_where_it_stands() -> None:
    """File, line and key of what is wrong below a glob, with a hint, as everywhere."""
    text = """trigger: {ratio: 0.8}
models:
  gpt-*:
    triger: {ratio: 0.5}
    target: {ratio: 0.9}
  a:
    steps: [{use: digestt}]
    mode: off
    windows: {b: 5}
  c: 5
"""
    _, problems = read(text)
    assert problems == [
        "f:4: models.gpt-*.triger: is not known here; did you mean trigger?",
        "f:5: models.gpt-*.target.ratio: (0.9) must be below trigger.ratio (0.8)",
        "f:8: models.a.mode: is the same for all models",
        "f:9: models.a.windows: is the same for all models; write `window` here",
        "f:7: models.a.steps[0].use: no strategy is called 'digestt'; did you mean digest?",
        "f:10: models.c: expects keys of a policy, not 5; write them as in {window: 128000}",
    ]


def test_value_that_cannot_be_read_is_told_once() -> None:
    """What is wrong with what stands in its place is nobody's mistake."""
    _, problems = read("models:\n  a: {window: !env X, margin: 9}\n  b: !env Y\n")
    assert problems == [
        "f:2: models.a.window: is marked as !env, which is not read here; write the value alone",
        "f:3: models.b: is marked as !env, which is not read here; write the value alone",
        "f:2: models.a.margin: must be between 1 and 5, got 9.0",
    ]


def test_list_of_models_is_a_tenants() -> None:
    """Whoever writes the list that a tenant's file has is told where it belongs."""
    _, problems = read("models: [gpt-4o]")
    assert problems == [
        "f:1: models: expects globs and keys, not a list; which models a tenant may use is said in its file, "
        "in the folder tenants/"
    ]


def test_contradiction_with_an_extending_file_is_told() -> None:
    """What a file says for all may contradict what its base says of a model."""
    base = sound("models: {a: {target: {ratio: 0.5}}}")
    _, problems = read("trigger: {ratio: 0.48}\nprepare: {ratio: 0.47}", base)
    assert problems == ["f: models.a.target.ratio: (0.5) must be below trigger.ratio (0.48)"]


def test_sizes_are_exchanged_whole() -> None:
    """As everywhere: a size that names tokens names no ratio any more."""
    base: dict[str, Any] = {"a": {"trigger": {"ratio": 0.5}, "keep": {"recent_turns": 1}}}
    given = {"a": {"trigger": {"tokens": 5}, "keep": {"recent_ratio": 0.1}}}
    assert merged(given, base) == {
        "a": {"trigger": {"tokens": 5}, "keep": {"recent_turns": 1, "recent_ratio": 0.1}}
    }


def test_part_of_a_file_reports_to_the_whole() -> None:
    """What is wrong in a part has the path and the line of the whole file."""
    whole = Source("f", {"models.a": 3, "models.a.b": 4})
    inner = Inner(whole, "models.a")
    inner.report("b", "is wrong")
    assert settings([], inner) == {}
    inner.hand_over()
    assert list(map(str, whole.problems)) == [
        "f:4: models.a.b: is wrong",
        "f:3: models.a: expects keys of a policy, not a list; write them as in {window: 128000}",
    ]
