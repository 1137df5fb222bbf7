"""The dry run: what would be sent, without a trace."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

import pytest

from engine.asking import TELLING
from engine.summing import OVER
from engine.summing import POLICY as SUMMING
from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.engine import dry_run
from gateway.engine.subject import Action
from gateway.policy.levels import Level, Limit
from gateway.policy.live import read_all
from gateway.policy.rules import StoreRules, SummarizerRules
from gateway.policy.schema import ForModels, Mode, Policy
from gateway.store.file import MEMORY
from stores import opened
from wired import LONG, REACTING, TRIMMING, WIRE, Full, chat, engine, message, turns


def test_dry_run_stores_nothing() -> None:
    """What would be sent is told without a trace, the second time as the first."""

    async def run() -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            subject = await made.subject(chat(LONG), replace(TRIMMING, store=StoreRules(required=True)))
            first = await dry_run.preview(made.parts.compactor, subject, None)
            second = await dry_run.preview(made.parts.compactor, subject, None)
            assert first.action is second.action is Action.COMPACTED
            assert first.body == second.body
            assert made.failed_open("archive") == 0

    asyncio.run(run())


@pytest.mark.parametrize("target", [1, 100, 400, 859])
def test_dry_run_with_a_target_goes_down_to_it(target: int) -> None:
    """Who asks what a request of so many tokens would look like gets one, wherever one can be made."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG), REACTING)
            plan = await dry_run.preview(made.parts.compactor, subject, target)
            assert plan.tokens <= max(target, 70)

    asyncio.run(run())


@pytest.mark.parametrize("policy", [REACTING, TRIMMING])
@pytest.mark.parametrize("target", [860, 1000, 10**9])
def test_dry_run_with_a_target_that_is_met_changes_nothing(policy: Policy, target: int) -> None:
    """A target that the policy's own plan meets shows that plan, also one above the policy's window."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG), policy)
            plain = await dry_run.preview(made.parts.compactor, subject, None)
            aimed = await dry_run.preview(made.parts.compactor, subject, target)
            assert (aimed.action, aimed.body) == (plain.action, plain.body)

    asyncio.run(run())


def told(messages: list[Any], policy: Policy, target: int | None = None, **members: Any) -> Any:
    """Return the report of a dry run."""
    made, hint = asyncio.run(dry_run.offline(WIRE, chat(messages, **members), policy, target))
    report = json.loads(made)["report"]
    assert report["hint"] == hint
    return report


def test_report_tells_what_the_plan_was_measured_by() -> None:
    """Window, reserve, budget, trigger and target stand beside the sizes, so that they can be compared."""
    report = told(LONG, TRIMMING)
    told_of = ("window", "window_source", "reserve", "fixed_tokens", "budget", "trigger", "target")
    assert [report[name] for name in told_of] == [1000, "policy", 200, 0, 800, 640, 360]
    assert report["hint"] == ""


def test_report_tells_what_applies_to_the_model() -> None:
    """The limit of messages at its window, and the glob whose settings are used for it."""
    limits = (Limit(below=900, messages=5), Limit(messages=50))
    policy = replace(TRIMMING, history=limits)
    small = replace(policy, window=800, glob="m*")
    assert told(LONG, policy)["messages_limit"] == 50
    report = told(LONG, replace(policy, models=(ForModels("m*", {"window": 800}, small),)))
    assert (report["window"], report["messages_limit"]) == (800, 5)
    assert report["hint"] == "for m the settings below `models: m*` apply"
    assert told(LONG, TRIMMING)["messages_limit"] is None


def test_report_says_that_no_window_is_known() -> None:
    """Who sees that nothing is done to a long request is told why, and what to do about it."""
    report = told(LONG, REACTING)
    assert (report["action"], report["window"], report["budget"], report["trigger"]) == ("none", *[None] * 3)
    assert report["window_source"] == "unknown"
    assert report["hint"].startswith("no window is known for m: ")
    assert "`windows`" in report["hint"]
    assert "no window is known" in told(LONG, REACTING, 400)["hint"]


def test_report_tells_a_guessed_window_from_a_told_one() -> None:
    """Who reads where the window comes from sees whether its upstream has named it."""

    async def run(failure: Overflow) -> tuple[int, str]:
        async with engine() as made:
            before = await made.subject(chat(LONG), REACTING)
            upstream, model, scope = before.asked.upstream, before.asked.model, before.place.scope
            made.parts.windows.overflowed(upstream, model, failure, 2000, scope=scope)
            subject = await made.subject(chat(LONG), REACTING)
            plan = await dry_run.preview(made.parts.compactor, subject, None)
            said = json.loads(dry_run.report(subject, plan))["report"]
            return said["window"], said["window_source"]

    assert asyncio.run(run(Overflow())) == (1900, "guessed")
    assert asyncio.run(run(Overflow(limit=1800))) == (1800, "learned")


@pytest.mark.parametrize(
    ("policy", "action", "hint"),
    [
        (
            replace(TRIMMING, trigger=Level(ratio=1.0), window=2000),
            "none",
            "it is below the trigger (1800 tokens of messages)",
        ),
        (replace(TRIMMING, steps=()), "none", "has no steps: nothing is done before"),
        (replace(TRIMMING, mode=Mode.OBSERVE), "compacted", "`mode: observe`"),
        (replace(TRIMMING, mode=Mode.OFF), "none", "`mode: off`"),
    ],
)
def test_report_says_why(policy: Policy, action: str, hint: str) -> None:
    """Where nothing is done, or nothing would be sent that way, the reason is told."""
    report = told(LONG, policy)
    assert report["action"] == action
    assert hint in report["hint"]


def test_report_names_the_numbers_of_a_policy_that_counts_turns() -> None:
    """A size in tokens or turns needs no window; one far below it is not told that too little was found."""
    shipped = read_all(None, "default").policies["cowagent"]
    below = "it is below the trigger (50000 tokens of messages or 21 turns), and the steps that run before"
    assert below in told(LONG, replace(shipped, window=128_000))["hint"]
    hint = told(LONG, shipped)["hint"]
    assert "nothing but 50000 tokens of messages or 21 turns triggers a compaction before" in hint
    assert below in hint


def test_report_says_that_an_earlier_compaction_is_replayed() -> None:
    """Who compares policies on a conversation that was compacted already learns why they all say the same."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG))
            plan = await made.parts.compactor.plan(subject)
            assert plan.checkpoint is not None
            made.parts.checkpoints.keep(subject.place, plan.checkpoint)
            again = await dry_run.preview(made.parts.compactor, subject, None)
            assert again.action is Action.FROZEN
            assert "an earlier compaction of its beginning is replayed" in dry_run.hint(subject, again)

    asyncio.run(run())


def test_report_lists_what_an_earlier_compaction_removed() -> None:
    """What went long ago can still be found: by the ids under which it was stored then."""

    async def run() -> tuple[list[str], list[str], list[str]]:
        async with engine() as made:
            subject = await made.subject(chat(LONG))
            plan = await made.parts.compactor.plan(subject)
            first = json.loads(dry_run.report(subject, plan))["report"]
            assert plan.checkpoint is not None
            made.parts.checkpoints.keep(subject.place, plan.checkpoint)
            again = await dry_run.preview(made.parts.compactor, subject, None)
            then = json.loads(dry_run.report(subject, again))["report"]
            stored = [one["id"] for one in then["removed_before"]]
            found = [await made.parts.store.original(subject.place.scope, id) for id in stored]
            assert all(original is not None for original in found)
            assert first["removed_before"] == then["removed"] == []
            return [one["id"] for one in first["removed"]], stored, [one.id for one in found if one]

    removed, stored, found = asyncio.run(run())
    assert len(removed) > 5
    assert removed == stored == found


@pytest.mark.parametrize(
    ("role", "hint"),
    [
        ("user", "too little could be taken out: lower `keep` in the policy, or add steps to it"),
        (
            "system",
            "its system messages and tools alone, 700 tokens, are past the trigger: no step shortens them",
        ),
    ],
)
def test_report_says_that_nothing_can_be_taken_out(role: str, hint: str) -> None:
    """A request of one huge message is over the trigger, and stays as it is."""
    report = told([message(role, 700)], TRIMMING)
    assert report["action"] == "none"
    assert report["hint"] == hint


def test_sizes_of_steps_add_up() -> None:
    """From the request as it came each step begins where the last one ended; the rest is the ledger's."""
    tools = [{"type": "function", "function": {"name": "look", "description": "word " * 30}}]
    rule = {"role": "user", "content": "Never deploy on a Friday; the limit is 250 requests per second."}
    report = told([*LONG[:3], rule, *LONG[2:]], TRIMMING, tools=tools)
    assert report["fixed_tokens"] > 30
    steps = report["steps"]
    assert steps[0]["tokens_before"] == report["tokens_before"]
    assert [step["tokens_before"] for step in steps[1:]] == [step["tokens_after"] for step in steps[:-1]]
    assert report["ledger_tokens"] > 0
    assert steps[-1]["tokens_after"] + report["ledger_tokens"] == report["tokens_after"]


@pytest.mark.parametrize(
    ("mode", "body", "state", "hint"),
    [
        (
            "background",
            chat([message("system", 10), *turns(3)]),
            "wanted",
            "tokens of messages); once this is answered, a summary",
        ),
        ("background", OVER, "missing", "no summary is ready for the step `summarize`: the steps behind"),
        ("next", OVER, "wanted", "which the next request has"),
        ("inline", OVER, "wanted", "it would wait up to 60 s for a summary and go out with that"),
        ("background", chat(LONG[:3]), "none", "below the trigger"),
    ],
)
def test_report_says_how_far_the_summary_is(
    mode: Literal["background", "next", "inline"], body: bytes, state: str, hint: str
) -> None:
    """Without a gateway none is ever ready; whether one would be asked for is told all the same."""
    policy = replace(SUMMING, summarizer=SummarizerRules(mode=mode))
    made, said = asyncio.run(dry_run.offline(WIRE, body, policy, None))
    assert json.loads(made)["report"]["summary"] == state
    assert hint in said


def test_report_says_how_many_texts_would_be_asked_for() -> None:
    """Of a step that has pieces of a conversation said in fewer words: near the trigger, and at it."""
    found = [told([message("system", 10), *turns(number)], TELLING) for number in (2, 3, 8)]
    assert [report["action"] for report in found] == ["none", "none", "compacted"]
    assert [report["texts"]["wanted"] for report in found] == [0, 6, 16]
    assert {report["texts"]["ready"] + report["texts"]["writing"] for report in found} == {0}
    assert told(LONG, SUMMING)["texts"] is None
    assert told(LONG, replace(TELLING, mode=Mode.OFF))["texts"] is None


def test_policy_that_asks_no_model_tells_nothing_of_summaries() -> None:
    """Neither does a request that no policy changes."""
    assert told(LONG, TRIMMING)["summary"] is None
    made, _ = asyncio.run(dry_run.offline(WIRE, OVER, SUMMING, None, "the upstream keeps its history"))
    assert json.loads(made)["report"]["summary"] is None


def test_off_changes_nothing_whatever_the_target() -> None:
    """A policy that forwards everything as it came is shown to do so."""
    body = chat(LONG)
    made, _ = asyncio.run(dry_run.offline(WIRE, body, Policy(name="off", mode=Mode.OFF), 100))
    assert made.startswith(b'{"request":' + body)


def test_no_gateway_is_needed() -> None:
    """A process alone tells what a policy makes of a request: how large it was and is, and what went."""
    made = json.loads(asyncio.run(dry_run.offline(WIRE, chat(LONG), TRIMMING, 500))[0])
    report = made["report"]
    assert (report["action"], report["steps"][0]["step"]) == ("compacted", "trim_turns")
    assert report["tokens_after"] <= 500 < report["tokens_before"]
    assert len(report["removed"]) > 5
    assert made["request"]["messages"][0] == LONG[0]
