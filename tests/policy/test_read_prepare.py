"""Where summaries begin to be prepared, if a file says only where compaction starts."""

from __future__ import annotations

from engine.summing import OVER, Scripted, drained, run, sent
from engine.summing import POLICY as SUMMING
from gateway.policy.document import Source, parse
from gateway.policy.levels import Level
from gateway.policy.read import read_policy
from gateway.policy.schema import Policy
from gateway.strategies import STRATEGIES
from wired import Engine, chat, message, turns


def read(text: str, base: Policy | None = None) -> tuple[Policy, list[str]]:
    """Return the policy that a file makes, and its problems."""
    source = Source("f")
    policy = read_policy(parse(text.encode(), source), "x", base, STRATEGIES, source)
    return policy, [str(problem) for problem in source.problems]


def test_trigger_takes_prepare_along() -> None:
    """Who lowers the trigger has summaries ready in time, by default or by what the file extends."""
    policy, problems = read("trigger: {ratio: 0.6}\nmodels: {a*: {trigger: {ratio: 0.5}}}")
    assert problems == []
    assert policy.prepare == Level(ratio=0.4875)
    assert policy.of("a").prepare == Level(ratio=0.4062)
    base, _ = read("trigger: {ratio: 1.0}\nprepare: {ratio: 0.5, turns: 9}")
    assert read("trigger: {ratio: 0.8}", base)[0].prepare == Level(ratio=0.4, turns=9)
    assert read("keep: {recent_turns: 1}", base)[0].prepare == base.prepare


def test_prepare_that_is_written_is_not_moved() -> None:
    """What the author says is taken as it is, and is a problem above the trigger."""
    assert read("trigger: {ratio: 0.6}\nprepare: {ratio: 0.55}")[0].prepare == Level(ratio=0.55)
    assert read("trigger: {ratio: 0.5}\nprepare: {ratio: 0.6}")[1] == [
        "f:2: prepare.ratio: (0.6) must be below trigger.ratio (0.5)"
    ]


def test_summary_is_ready_at_a_lowered_trigger() -> None:
    """Seen: below `extends: default`, a trigger under 0.65 left every compaction without its summary."""
    writer = Scripted()
    policy, problems = read("trigger: {ratio: 0.6}", SUMMING)
    assert problems == []

    async def check(made: Engine) -> None:
        before = chat([message("system", 10, "rules"), *turns(4)])
        assert await sent(made, before, policy) == before
        await drained(made)
        assert len(writer.jobs) == 1
        assert b"Build the parser." in await sent(made, OVER, policy)

    run(check, writer)
