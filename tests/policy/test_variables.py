"""A variable that holds a key and is not set is told before anybody misses a summary."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.policy.policies import File, PolicySet, read_set
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.policy.variables import unset
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Strategy

ASKING = b"steps: [{use: summarize}]\nsummarizer: {key_variable: SMALL_KEY}\n"


def policies(**files: bytes) -> PolicySet:
    """Return a set of policies."""
    found = [File(f"{name}.yaml", name, data) for name, data in files.items()]
    return read_set((), [*found, File("default.yaml", "default", b"mode: off\n")], (), "default", STRATEGIES)


def test_variable_that_is_not_set_is_told_once() -> None:
    """With the policies that name it; an empty one is as good as none."""
    found = policies(one=ASKING, two=b"extends: one\n", three=b"mode: compact\n")

    for environment in ({}, {"SMALL_KEY": " \n"}):
        (told,) = unset(found, environment)
        assert told.startswith("SMALL_KEY is not set, and summarizer.key_variable names it in one, two:")
    assert list(unset(found, {"SMALL_KEY": "sk-small"})) == []


def test_policy_that_asks_nobody_misses_no_key() -> None:
    """Without a step that uses a model's text, and where nothing is compacted, there is nothing to tell."""
    silent = b"steps: [{use: digest}]\nsummarizer: {key_variable: SMALL_KEY}\n"

    assert list(unset(policies(one=silent, two=b"mode: observe\n" + ASKING), {})) == []


@dataclass(frozen=True, kw_only=True)
class Telling(Strategy):
    """A strategy that can use a model's text."""

    model: bool = False


def test_step_that_has_pieces_written_asks_too() -> None:
    """Whatever uses what a model writes needs the key."""
    rules = SummarizerRules(key_variable="SMALL_KEY")
    for asks in (True, False):
        policy = Policy(name="one", steps=(Step("telling", Telling(model=asks)),), summarizer=rules)
        found = PolicySet({"one": policy}, {}, policy)
        assert len(list(unset(found, {}))) == asks


def test_variable_of_some_models_is_told_too() -> None:
    """What a policy says of some models only may name another key."""
    some = ASKING + b"models: {small-*: {summarizer: {key_variable: OTHER_KEY}}}\n"
    (told,) = unset(policies(one=some), {"SMALL_KEY": "sk-small"})
    assert told.startswith("OTHER_KEY is not set, and summarizer.key_variable names it in one:")
