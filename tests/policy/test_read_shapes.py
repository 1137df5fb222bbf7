"""Values in a policy file that are of another kind than their key wants."""

from __future__ import annotations

import pytest

from gateway.policy.document import Source, parse
from gateway.policy.read import KEYS, read_policy
from gateway.strategies import STRATEGIES


def read(text: str) -> list[str]:
    """Return what is wrong with a file."""
    source = Source("f")
    read_policy(parse(text.encode(), source), "x", None, STRATEGIES, source)
    return [str(problem) for problem in source.problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "steps: {use: clear}",
            "f:1: steps: expects a list, not keys and values; write each step as "
            "`- use: ...`, with its settings below",
        ),
        ("name: x", "f:1: name: is not known here: a policy is called as its file is"),
        ("trigger: {tokens: auto}", "f:1: trigger: names no size; it needs ratio, tokens, messages or turns"),
        (
            "trigger: {ratio: }",
            "f:1: trigger.ratio: expects a number, not nothing; write one, or leave the key out",
        ),
        ("summarizer: small", "f:1: summarizer: expects keys and values, not 'small'; write {model: small}"),
        ("summarizer: {model: ''}", "f:1: summarizer.model: is empty; `same` is that of the request"),
        (
            "models: ",
            "f:1: models: expects globs and keys, not nothing; write them below it, or leave the key out",
        ),
        (
            "models: {a: }",
            "f:1: models.a: expects keys of a policy, not nothing; write them below it, or leave the key out",
        ),
        (
            "models: {a: 5}",
            "f:1: models.a: expects keys of a policy, not 5; write them as in {window: 128000}",
        ),
        ("trigger: 0.8", "f:1: trigger: expects keys and values, not 0.8; write {ratio: 0.8}"),
        ("extend: default", "f:1: extend: is not known here; did you mean extends?"),
        (
            "policies: [fast]",
            "f:1: policies: is not known here: that is a tenant's, whose file stands in the folder tenants/",
        ),
        (
            "trigger: {ratio: 0.3}",
            "f:1: trigger: target.ratio (0.45), which is the default, must be below trigger.ratio (0.3); "
            "write target here, too",
        ),
        ("target: {}", "f:1: target: names no size; it needs ratio, tokens, messages or turns"),
        ("store: {archive: all}", "f:1: store.archive: 'all' comes with a later version"),
        ("recall: {tool: true}", "f:1: recall.tool: true comes with a later version"),
        ("recall: {memory: on}", "f:1: recall.memory: true comes with a later version"),
        ("commands: on", "f:1: commands: true comes with a later version"),
    ],
)
def test_wrong_shape_or_later_feature_is_a_problem(text: str, problem: str) -> None:
    """A value that promises what this version does not do is refused, not silently left undone."""
    assert read(text) == [problem]


ODD = (
    "",
    "~",
    "true",
    "no",
    "5",
    "0.5",
    "x",
    "'x y'",
    "2024-05-13",
    "[]",
    "{}",
    "[5]",
    "[x]",
    "[[x]]",
    "[{x: 1}]",
    "{x: 1}",
    "[~]",
)


@pytest.mark.parametrize("key", [*KEYS, "unheard_of", "steps[]", "steps[].use", "steps[].when", "models.a"])
def test_whatever_stands_behind_a_key_is_told_at_that_key(key: str) -> None:
    """A value of any other kind is a line with its place, what was found and what may stand there."""
    form = {
        "steps[]": "steps: [%s]",
        "steps[].use": "steps: [{use: %s}]",
        "steps[].when": "steps: [{use: digest, when: %s}]",
        "models.a": "models: {a: %s}",
    }.get(key, f"{key}: %s")
    for value in ODD:
        for problem in read(form % value):
            place, _, said = problem.removeprefix("f:1: ").partition(": ")
            assert place.replace("[0]", "[]").startswith(key)
            assert len(said.split()) > 3, problem
