"""`policies/openclaw.yaml` row by row: each test names the row of the table that it proves."""

from __future__ import annotations

import asyncio

import pytest

from engine.subjects import subject
from engine.summarising import TALK, Scripted, bench, chatted, job
from engine.summing import Scripted as Writer
from engine.summing import drained, run
from engine.summing import sent as exchanged_by
from exchanging import exchanged
from gateway.core.budget import Correction
from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.engine.pipeline import run_steps
from gateway.engine.sizes import budget_of, factor_of, steps_due
from gateway.engine.subject import Action
from gateway.engine.window import Source
from gateway.engine.windows import Windows
from gateway.policy.schema import Policy
from gateway.strategies.base import Room
from seeds.shipped import asked, later, material, shipped, view_of, windowed
from stores import Clock
from wired import URL, Edge, Engine, answer, chat, engine, message, refusal, turns, words

POLICY = shipped("openclaw")
WHOLE = shipped("openclaw", "summarizer: {min_parts: 1}")
"""Where what is said of parts does not matter."""
GOOD = """\
## Key Decisions
- Keep the function net_price, since billing/invoice.py calls it.
## Next Steps
- Run tests/test_price.py.
## Open Questions
- None.
## Constraints
- Never touch legacy/old.py.
## Goal
- Set the price in src/price.py to 42 EUR for order ORDER-1042.
## Critical Context
- The last run failed with KeyError: 'vat'."""


def is_due(policy: Policy, tokens: int, messages: int = 3) -> bool:
    """Return whether steps run on messages of that size."""
    return bool(steps_due(subject(policy), tokens, messages))


def test_compaction_begins_at_eighty_percent() -> None:
    """Row "triggers": at 80 % of what the window leaves for messages, and not before."""
    policy = windowed(POLICY, 20_000)
    budget = subject(policy).budget
    assert budget is not None
    at = int(budget.tokens * 0.8)
    assert [is_due(policy, tokens) for tokens in (at - 1, at)] == [False, True]


def test_refusal_of_the_upstream_begins_one_too() -> None:
    """Row "triggers": after `context_length_exceeded` a smaller list is sent; the client sees no error."""
    edge = Edge(refusal(1200, 900), answer())
    status, _, action, attempts = exchanged(edge, policy=POLICY)
    assert (status, action, attempts) == (200, Action.RESCUED, 2)
    assert len(edge.bodies[1]) < len(edge.bodies[0])


@pytest.mark.parametrize(("window", "reserve"), [(200_000, 20_000), (16_384, 4096)])
def test_reserve_may_be_what_triggers(window: int, reserve: int) -> None:
    """Row "triggers", also: tokens over the window less 20,000, which are at most a quarter of it."""
    text = later("openclaw", "trigger", "reserve_output", "reserve_ratio") + "\nmargin: 1"
    policy = windowed(shipped("openclaw", text), window)
    assert [is_due(policy, tokens) for tokens in (window - reserve - 1, window - reserve)] == [False, True]


def test_parts_are_summed_up_at_the_same_time_and_merged() -> None:
    """Row "multi-part summary": P = 2 parts, asked for at once, told their position, then one merge."""
    model = Scripted(GOOD)
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) == GOOD

    first, second, merge = model.calls
    assert ["part 1 of 2" in first.user, "part 2 of 2" in second.user] == [True, True]
    assert "Notes on part 1 of 2" in merge.user
    assert (model.most, made.records[0].parts) == (2, 2)


def test_what_is_still_too_long_is_merged_again() -> None:
    """Row "multi-part summary": recursive, where the parts' summaries together are too long for one call."""
    long = f"{GOOD}\n{'- src/price.py holds it. ' * 60}"
    model = Scripted(lambda call: GOOD if "part 2 of 2" in call.user else long)
    with bench() as made:
        made.write(job(model, windowed(POLICY, 3000), TALK * 8))

    merges = [call for call in model.calls if "Notes on part 1" in call.user]
    assert model.most == made.records[0].parts > 4
    assert len(merges) > 1
    assert all(call.tokens * 1.2 < 3000 for call in model.calls)


def test_parts_take_their_share_of_the_window() -> None:
    """Rows BASE_CHUNK_RATIO, MIN_CHUNK_RATIO: 0.4 of the window, down to 0.15 where messages are large."""
    space = material(POLICY, TALK).space("m", 100_000, 1.0, is_calibrated=True)
    assert [space.part(tokens) for tokens in (100, 10_000, 50_000)] == [40_000, 40_000, 15_000]
    assert 15_000 < space.part(11_000) < 40_000


def test_margin_counts_until_usage_has_told_and_never_twice() -> None:
    """Row SAFETY_MARGIN: 1.2 on every estimate of ours; what usage taught takes its place."""
    made = material(POLICY, TALK)
    space = made.space("m", 100_000, 1.0, is_calibrated=False)
    assert space.part() == int(100_000 * 0.4 / 1.2)
    assert made.space("m", 100_000, 1.2, is_calibrated=False).per_token == 1.2
    assert made.space("m", 100_000, 1.1, is_calibrated=True).per_token == 1.1

    policy = windowed(POLICY, 20_000)
    uncalibrated, calibrated = Correction((1.1,)), Correction((1.1, 1.1, 1.1))
    assert [factor_of(policy, known) for known in (uncalibrated, calibrated)] == [1.2, 1.1]
    seen = subject(policy)
    budget = budget_of(seen.asked, policy, seen.counted, seen.window, 1.2)
    assert seen.budget == budget
    assert seen.correction == 1.0


def test_margin_of_requests_is_no_second_margin_of_the_summariser() -> None:
    """Row SAFETY_MARGIN: a part of a summary is estimated with 1.2, not with 1.2 times 1.2."""
    writer, model = Writer(), Scripted(GOOD)

    async def check(made: Engine) -> None:
        await exchanged_by(made, chat(turns(4)), windowed(POLICY, 1000))
        await drained(made)

    run(check, writer)
    (work,) = writer.jobs
    with bench() as made:
        assert made.write(replace(work, upstream=job(model).upstream, messages=TALK)) is not None
    assert work.correction == 1.0


def test_what_has_priority_is_asked_for_and_what_may_go_is_said() -> None:
    """Rows "kept with priority", "may go": headings for each, and the focus of the policy in every call."""
    model = Scripted(GOOD)
    with bench() as made:
        made.write(job(model, windowed(POLICY, 20_000)))
    told = asked(model)
    for heading in ("Key Decisions", "Next Steps", "Open Questions", "Constraints"):
        assert f"## {heading}" in told
    for call in model.calls:
        assert "decisions and conclusions, to-dos, open questions, constraints and limits" in call.user
        assert "exploration in between, repeated clarifications, temporary state" in call.user


@pytest.mark.parametrize(
    "identifier",
    [
        "src/price.py",
        "ORDER-1042",
        "https://example.org/v2/orders",
        "9f86d081884c7d659a2feaa0",
        "cache.internal:8443",
        "48151623",
    ],
)
def test_identifiers_are_kept_literally(identifier: str) -> None:
    """Row "kept with priority", also: a summary that changes a path, id, URL, hash or number is not used."""
    talk = [*TALK, chatted("user", f"It is all about {identifier}.")]
    changed = identifier[:-1] + ("3" if identifier[-1] != "3" else "4")
    model = Scripted(f"{GOOD}\n- Look at {changed}.".replace(identifier, changed))
    with bench() as made:
        assert made.write(job(model, windowed(WHOLE, 9000), talk)) is None
    assert changed in model.calls[1].user
    assert made.ended[0] == "failed"


@pytest.mark.parametrize(
    ("model", "window"),
    [("claude-3-5-sonnet-latest", 200_000), ("gpt-4o", 128_000), ("gpt-3.5-turbo", 16_385)],
)
def test_window_is_that_of_the_model(model: str, window: int) -> None:
    """Row "window table": per model, and, also: learned from errors and from the upstream's list."""
    windows = Windows(Clock())
    assert windows.window(POLICY, URL, model).tokens == window
    windows.listed(URL, {model: 50_000})
    assert windows.window(POLICY, URL, model).source is Source.LISTED
    windows.overflowed(URL, model, Overflow(limit=9000, prompt=12_000), 12_000)
    assert windows.window(POLICY, URL, model).tokens == 9000
    named = shipped("openclaw", f"windows: {{{model}: 7000}}")
    assert windows.window(named, URL, model).tokens == 7000


@pytest.mark.parametrize(
    ("window", "limit"),
    [(8192, 20), (16_000, 50), (63_999, 50), (64_000, 100), (127_999, 100), (200_000, 200), (None, 200)],
)
def test_history_is_limited_by_the_size_of_the_window(window: int | None, limit: int) -> None:
    """Row "adaptive history limit": 20, 50, 100 or 200 messages, however small."""
    policy = windowed(POLICY, window)
    assert [is_due(policy, 10, number) for number in (limit - 1, limit)] == [False, True]


def test_history_over_its_limit_comes_down() -> None:
    """Row "adaptive history limit": what is old is folded although there is room, the newest stays."""

    async def check() -> None:
        async with engine() as made:
            body = chat([message("system", 6, "rules"), *turns(10, 6)])
            plan = await made.parts.compactor.plan(await made.subject(body, windowed(POLICY, 8192)))
            assert (plan.action, plan.steps) == (Action.COMPACTED, ("digest",))
            assert plan.messages <= 12
            assert plan.view is not None
            assert plan.view.messages[-1].text.startswith("now")

    asyncio.run(check())


@pytest.mark.parametrize("budget", [600, 2000, 8000, 32_000])
def test_target_is_met_whatever_the_window(budget: int) -> None:
    """Beyond the table: with no summary at hand, a long conversation comes down to the target."""
    talk = view_of([message("system", 10, "rules"), *turns(200, 100)])
    room = Room(int(0.45 * budget), budget, words, POLICY.keep)
    assert run_steps(talk, POLICY.steps, room).view.tokens <= room.target
