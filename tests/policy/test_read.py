"""A policy file into a policy, with every problem at once."""

from __future__ import annotations

from typing import get_args

import pytest

from gateway.core.frozen import replace
from gateway.policy.document import Source, parse
from gateway.policy.levels import Level, Limit, When
from gateway.policy.read import read_policy
from gateway.policy.rules import OverflowRules, RecallRules, Rung, StoreRules, SummarizerRules, UsageRules
from gateway.policy.schema import Mode, Policy, Step
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep
from gateway.strategies.offload import OffloadContent
from gateway.strategies.trim_turns import TrimTurns


def read(text: str, base: Policy | None = None) -> tuple[Policy, list[str]]:
    """Return the policy that a file makes, and its problems."""
    source = Source("f")
    policy = read_policy(parse(text.encode(), source), "x", base, STRATEGIES, source)
    return policy, [str(problem) for problem in source.problems]


EVERYTHING = """
window: 128000
window_max: 100000
margin: 1.2
reserve_output: 4000
trigger: {ratio: 0.7, tokens: 90000, turns: 50}
prepare: {ratio: 0.6}
history: [{below: 16000, messages: 20}, {messages: 200}]
target: {ratio: 0.4}
keep: {first_user: false, recent_ratio: 0.2, recent_tokens_min: 5, recent_tokens_max: 50, pairs: true,
  recent_turns: 3, user_text_tokens: 100}
steps:
  - use: offload
    min_tokens: 1000
    keep_last: 2
    deny: [read_*]
    when: always
  - use: trim_turns
    when: {min_turns: 10, tokens: 5}
overflow: {attempts: 5, rungs: [target, clear]}
store: {archive: removed, retention_days: 7, required: true}
usage: {ask: never}
windows: {gpt-4o: 128000, local-*: 8192}
summarizer: {model: small, mode: inline, timeout_s: 5, retries: 0, fallback_models: [a], fallback: digest,
  upstream: "http://small/v1", format: anthropic_messages, key_variable: SMALL_KEY, sections: [goal, Risks],
  focus: prices, max_tokens: 900, redact: false, part_ratio: 0.5, min_part_ratio: 0.2, margin: 1.5,
  min_parts: 2, max_parts: 8, concurrency: 2}
recall: {tool: false, memory: off}
commands: off
"""


ALL = Policy(
    name="x",
    mode=Mode.COMPACT,
    window=128000,
    window_max=100_000,
    margin=1.2,
    reserve_output=4000,
    trigger=Level(ratio=0.7, tokens=90000, turns=50),
    prepare=Level(ratio=0.6),
    history=(Limit(below=16000, messages=20), Limit(messages=200)),
    target=Level(ratio=0.4),
    keep=Keep(
        first_user=False,
        recent_ratio=0.2,
        recent_tokens_min=5,
        recent_tokens_max=50,
        pairs=True,
        recent_turns=3,
        user_text_tokens=100,
    ),
    steps=(
        Step("offload", OffloadContent(min_tokens=1000, keep_last=2, deny=("read_*",)), When(always=True)),
        Step("trim_turns", TrimTurns(), When(min_turns=10, tokens=5)),
    ),
    overflow=OverflowRules(attempts=5, rungs=("target", "clear")),
    store=StoreRules(retention_days=7, required=True),
    usage=UsageRules(ask="never"),
    windows={"gpt-4o": 128000, "local-*": 8192},
    summarizer=SummarizerRules(
        model="small",
        mode="inline",
        timeout_s=5,
        retries=0,
        fallback_models=("a",),
        fallback="digest",
        upstream="http://small/v1",
        format="anthropic_messages",
        key_variable="SMALL_KEY",
        sections=("goal", "Risks"),
        focus="prices",
        max_tokens=900,
        redact=False,
        part_ratio=0.5,
        min_part_ratio=0.2,
        margin=1.5,
        min_parts=2,
        max_parts=8,
        concurrency=2,
    ),
    recall=RecallRules(),
)
"""What it says."""


def test_every_key_is_read() -> None:
    """A file that uses all of the format becomes exactly the policy that it describes."""
    policy, problems = read(EVERYTHING)
    assert problems == []
    assert policy == replace(ALL, fingerprint=policy.fingerprint)


def test_auto_means_that_the_gateway_finds_out() -> None:
    """`auto` for the window and the reserve is what a file without these keys says, too."""
    assert read("window: auto\nreserve_output: auto\n") == read("mode: compact")


def test_all_problems_come_at_once() -> None:
    """One check shows every mistake of a file, each with line, key and, where there is one, a suggestion."""
    text = """trigger: {ratio: 0.4, tokenz: 4}
target: {ratio: 0.45}
mode: of
keep: {recent_ratio: 2}
overflow: {attempts: 0, rungs: [targe]}
steps:
  - use: ofload
  - use: offload
    min_token: 4
    keep_last: -1
  - offload
  - when: {alway: true}
  - use: clear
    when: {min_turns: 4, max_turns: 3}
kep: mine
"""
    assert sorted(read(text)[1]) == sorted(
        [
            "f:1: trigger.tokenz: is not known here; did you mean tokens?",
            "f:2: target.ratio: (0.45) must be below trigger.ratio (0.4)",
            "f:3: mode: cannot be 'of'; did you mean off?",
            "f:4: keep.recent_ratio: must be between 0 and 1, got 2.0",
            "f:5: overflow.attempts: must be between 1 and 10, got 0",
            "f:5: overflow.rungs[0]: cannot be 'targe'; did you mean target?",
            "f:7: steps[0].use: no strategy is called 'ofload'; did you mean offload?",
            "f:9: steps[1].min_token: is not known here; did you mean min_tokens?",
            "f:10: steps[1].keep_last: must not be negative, got -1",
            "f:11: steps[2]: expects `use` and settings, not 'offload'; write `use: offload`",
            "f:12: steps[3].when.alway: is not known here; did you mean always?",
            "f:12: steps[3]: has no `use`, the name of a strategy; known are: "
            + ", ".join(sorted(STRATEGIES)),
            "f:14: steps[4].when.min_turns: (4) is above max_turns (3): the step never runs",
            "f:15: kep: is not known here; did you mean keep?",
        ]
    )


def test_extending_changes_only_what_is_named() -> None:
    """Sections change key by key; sizes and lists are exchanged whole; windows are added."""
    base, _ = read(EVERYTHING)
    policy, problems = read("keep: {recent_turns: 9}\ntrigger: {turns: 8}\nwindows: {new: 5000}", base)
    assert problems == ["f: reserve_output: (4000) is more than half of windows.new (5000)"]
    policy, problems = read("keep: {recent_turns: 9}\ntrigger: {turns: 8}\nwindows: {new: 50000}", base)
    assert problems == []
    assert policy.keep == replace(base.keep, recent_turns=9)
    assert policy.trigger == Level(turns=8)
    assert policy.windows == {"gpt-4o": 128000, "local-*": 8192, "new": 50000}
    assert policy.steps == base.steps
    assert policy.fingerprint != base.fingerprint
    assert read("steps: []", base)[0].steps == ()


def test_problems_of_the_extended_policy_are_not_repeated() -> None:
    """A mistake is reported where it was made, not in every file built upon it."""
    base, problems = read("target: {ratio: 0.9}")
    assert len(problems) == 1
    assert read("keep: {recent_turns: 9}", base)[1] == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "summarizer: off",
            "summarizer: expects keys and values, not 'off'; to ask no model: `extends: mechani",
        ),
        (
            "summarizer: {mode: off}",
            "summarizer.mode: cannot be 'off'; to ask no model: `extends: mechanical`",
        ),
        ("summarizer: {api_key: sk-1}", "summarizer.api_key: is not known here; did you mean key_variable"),
        ("summarizer: {base_url: x}", "summarizer.base_url: is not known here; did you mean upstream?"),
        (
            "models: {a: {summarizer: {url: x}}}",
            "models.a.summarizer.url: is not known here; did you mean up",
        ),
        (
            "model: {gpt-4: {window: 9000}}",
            "model: is not known here; did you mean models? For summaries, write summarizer: {model: ...}",
        ),
        *(
            (f"{key}: 5", f"{key}: is not known here; it belongs below `summarizer`")
            for key in ("heartbeat_s", "reuse_prefix", "timeout_s", "retries", "sections", "focus")
        ),
    ],
)
def test_settings_of_summaries_are_led_to_their_place(text: str, problem: str) -> None:
    """Whoever writes them elsewhere, or as other programs have them, need not look them up."""
    (found,) = read(text)[1]
    assert found.startswith(f"f:1: {problem}")


def test_every_rung_and_every_strategy_can_be_read() -> None:
    """Whatever the gateway can do can be written in a file, with nothing but its name."""
    text = "steps:\n" + "".join(f"  - use: {name}\n" for name in STRATEGIES)
    policy, problems = read(f"overflow: {{rungs: [{', '.join(get_args(Rung))}]}}\n{text}")
    assert problems == []
    assert [(step.use, step.strategy) for step in policy.steps] == [
        (name, strategy()) for name, strategy in STRATEGIES.items()
    ]
    assert set(get_args(Rung)) <= {"target", *STRATEGIES}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("history: 20", "f:1: history: expects a list, not 20; write [{messages: 20}] for one limit"),
        ("history: [20]", "f:1: history[0]: expects keys and values, not 20; write {messages: 20}"),
        ("history: [{below: 5}]", "f:1: history[0]: names no number of messages; write {messages: 200}"),
        ("history: [{messages: 0}]", "f:1: history[0].messages: must be at least 1, got 0"),
        ("history: [{message: 5}]", "f:1: history[0].message: is not known here; did you mean messages?"),
        (
            "history: [{messages: 5}, {below: 9, messages: 4}]",
            "f:1: history: goes on behind the limit for all windows, which has no `below`",
        ),
    ],
)
def test_limits_of_messages_are_read_with_their_place(text: str, problem: str) -> None:
    """What is wrong with one is told at its place in the list."""
    assert problem in read(text)[1]


def test_windows_of_a_file_come_before_those_that_it_takes_over() -> None:
    """Whoever names a model means it, though the other policy has a glob that the name fits.

    Seen: the window of a model in an extending file was never used, because the first glob counts.
    """
    base, _ = read("windows: {gpt-*: 128000, b*: 9000}")
    policy, problems = read("windows: {gpt-4o: 50000, b*: 8000}", base)
    assert problems == []
    assert list(policy.windows.items()) == [("gpt-4o", 50000), ("b*", 8000), ("gpt-*", 128000)]
    assert read("windows: {gpt-4o: many}", base)[0].windows == base.windows
