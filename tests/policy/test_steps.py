"""The list of steps of a policy file."""

from __future__ import annotations

import pytest

from gateway.policy.document import Source, parse
from gateway.policy.levels import When
from gateway.policy.steps import read_steps
from gateway.strategies import STRATEGIES

KNOWN = "; known are: " + ", ".join(sorted(STRATEGIES))


def read(text: str) -> tuple[list[str], list[str]]:
    """Return the names of the steps of a file, and what is wrong with them."""
    source = Source("f")
    steps = read_steps(parse(text.encode(), source)["steps"], STRATEGIES, source)
    return [step.use for step in steps], [str(problem) for problem in source.problems]


def test_steps_are_read_in_order() -> None:
    """Each with its settings, and when it runs; without that, at the trigger."""
    source = Source("f")
    given = [
        {"use": "digest"},
        {"use": "trim_turns", "when": "always"},
        {"use": "clear", "when": {"turns": 3}},
    ]
    steps = read_steps(given, STRATEGIES, source)
    assert [(step.use, step.when) for step in steps] == [
        ("digest", None),
        ("trim_turns", When(always=True)),
        ("clear", When(turns=3)),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("digest", "steps: expects a list, not 'digest'; write [{use: digest}]"),
        ("", "steps: expects a list, not nothing; write [] for none, or leave the key out"),
        (
            "{digest: {}}",
            "steps: expects a list, not keys and values; write each step as `- use: ...`, with its",
        ),
        ("{-use: digest}", "steps: expects a list, not keys and values; a dash needs a space behind it"),
        ("[digest]", "steps[0]: expects `use` and settings, not 'digest'; write `use: digest`"),
        ("[digset]", "steps[0]: expects `use` and settings, not 'digset'; did you mean digest?"),
        ("[~]", f"steps[0]: expects `use` and settings, not nothing{KNOWN}"),
        ("[5]", f"steps[0]: expects `use` and settings, not 5{KNOWN}"),
        (
            "[[{use: digest}]]",
            "steps[0]: expects `use` and settings, not a list; write each step behind a dash",
        ),
        ("[{}]", f"steps[0]: has no `use`, the name of a strategy{KNOWN}"),
        ("[{use: }]", f"steps[0].use: has no `use`, the name of a strategy{KNOWN}"),
        ("[{digest: {}}]", "steps[0]: has no `use`, the name of a strategy; write `use: digest`, and its"),
        (
            "[{name: digest}]",
            "steps[0]: has no `use`, the name of a strategy; write `use` in place of `name`",
        ),
        ("[{use: ''}]", f"steps[0].use: no strategy is called ''{KNOWN}"),
        ("[{use: off}]", "steps[0].use: no strategy is called 'off'; did you mean offload?"),
        ("[{use: true}]", f"steps[0].use: expects the name of a strategy, not true{KNOWN}"),
        ("[{use: 5}]", f"steps[0].use: expects the name of a strategy, not 5{KNOWN}"),
        (
            "[{use: [clear]}]",
            f"steps[0].use: expects the name of a strategy, not a list; each step names one{KNOWN}",
        ),
        (
            "[{use: {clear: 1}}]",
            "steps[0].use: expects the name of a strategy, not keys and values; write `use: cl",
        ),
        ("[{use: Digest}]", "steps[0].use: no strategy is called 'Digest'; did you mean digest?"),
        (
            "[{use: clear, when: never}]",
            "steps[0].when: expects keys and values, not 'never'; known are: always",
        ),
        (
            "[{use: clear, when: {}}]",
            "steps[0].when: names no size; write `always`, or take `when` out for the tr",
        ),
        (
            "[{use: clear, when: {ratio: }}]",
            "steps[0].when.ratio: expects a number, not nothing; write one, or le",
        ),
    ],
)
def test_what_is_no_step_is_told_with_what_to_write(text: str, problem: str) -> None:
    """Each is one line, and the other steps are read. Seen: a list within the list ended in a traceback."""
    _, (found,) = read(f"steps: {text}")
    assert found.startswith(f"f:1: {problem}")


def test_step_that_cannot_be_read_keeps_no_other_from_being_read() -> None:
    """Mistakes in several steps are told at once."""
    names, problems = read("steps: [{use: nix}, {use: clear}, 5, {use: digest, keep_turn: 1}]")
    assert names == ["clear", "digest"]
    assert len(problems) == 3
