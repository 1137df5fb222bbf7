"""`policies/copaw.yaml` row by row: each test names the row of the table, or the fault, that it is about."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from engine.subjects import subject
from engine.summarising import TALK, Scripted, bench, job
from engine.summing import Scripted as Writer
from engine.summing import drained, run
from engine.summing import sent as exchanged_by
from gateway.core.conversation import Conversation, Role
from gateway.core.frozen import replace
from gateway.engine.pipeline import run_steps
from gateway.engine.retention import DAY_S, delete_old
from gateway.engine.sizes import steps_due
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.store.base import Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies import marks
from gateway.strategies.base import Room, Summary
from gateway.strategies.tool_results import ToolResults
from seeds.shipped import asked, call, later, result, said, shipped, view_of, windowed, with_results
from stores import Clock, opened
from wired import WIRE, Engine, chat, message, turns, words

POLICY = shipped("copaw")
GOOD = """\
## Goal
- Set the price in src/price.py to 42 EUR for order ORDER-1042.
## Constraints
- Never touch legacy/old.py.
## Progress
- Done: read src/price.py. In progress: the change. Blocked: nothing.
## Key Decisions
- Keep the function net_price, since billing/invoice.py calls it.
## Next Steps
- Run tests/test_price.py.
## Critical Context
- The last run failed with KeyError: 'vat'."""


def room(policy: Policy, budget: int, summary: Summary | None = None) -> Room:
    """Return the room that the steps of a policy have."""
    assert policy.target.ratio is not None
    return Room(int(policy.target.ratio * budget), budget, words, policy.keep, summary=summary)


def compacted(view: Conversation, budget: int, policy: Policy = POLICY, length: int = 0) -> Conversation:
    """Return what the steps make of a conversation; *length*: a summary of so many messages is ready."""
    summary = Summary(length, GOOD) if length else None
    return run_steps(view, policy.steps, room(policy, budget, summary)).view


def talk(number: int, tokens: int = 50) -> list[dict[str, Any]]:
    """Return a head and so many turns, with a question at the end."""
    return [message("system", 20, "rules"), *turns(number, tokens)]


@pytest.mark.parametrize(
    ("window", "used"), [(1_000_000, 131_072), (131_072, 131_072), (32_768, 32_768), (None, 131_072)]
)
def test_no_more_input_than_its_maximum_is_used(window: int | None, used: int) -> None:
    """Row `max_input_length`: 131,072 tokens, or the model's window where that is smaller."""
    budget = subject(windowed(POLICY, window)).budget
    assert budget is not None
    assert budget.window == used


def test_whole_window_may_be_used() -> None:
    """Row `max_input_length`, later: the model's window."""
    budget = subject(windowed(shipped("copaw", "window_max: auto"), 1_000_000)).budget
    assert budget is not None
    assert budget.window == 1_000_000


@pytest.mark.parametrize(("changes", "ratio"), [("", 0.75), ("trigger: {ratio: 0.8}", 0.8)])
def test_threshold_is_a_share_of_it(changes: str, ratio: float) -> None:
    """Row `memory_compact_ratio`: 0.75, later 0.8."""
    seen = subject(windowed(shipped("copaw", changes), 20_000))
    assert seen.budget is not None
    at = int(seen.budget.tokens * ratio)
    assert [bool(steps_due(seen, tokens, 3)) for tokens in (at - 1, at)] == [False, True]


@pytest.mark.parametrize(
    ("is_later", "budget", "reserved"),
    [
        (False, 131_072, 13_107),
        (False, 20_000, 2000),
        (True, 131_072, 13_107),
        (True, 20_000, 10_000),
        (True, 900_000, 40_000),
    ],
)
def test_reserve_is_a_share_from_the_end(is_later: bool, budget: int, reserved: int) -> None:
    """Row `memory_reserve_ratio`: 0.1 of tokens from the tail; later never under 10,000 or over 40,000."""
    lines = later("copaw", "recent_tokens_min", "recent_tokens_max") if is_later else ""
    policy = (
        shipped("copaw", "keep: {" + ", ".join(re.findall(r"\w+: \d+", lines)) + "}") if lines else POLICY
    )
    view = view_of(turns(500, 100))
    start = room(policy, budget).tail(view)
    tokens = sum(each.tokens for each in view.messages[start:])
    assert reserved - 200 < tokens <= reserved


def reading(number: int, lines: int) -> list[dict[str, Any]]:
    """Return turns in each of which two files were read."""
    found: list[dict[str, Any]] = [said("system", "You mend a parser.")]
    for n in range(number):
        found += [said("user", f"Read file {n}."), call(f"a{n}"), result(f"a{n}", lines, f"a{n}-")]
        found += [call(f"b{n}"), result(f"b{n}", lines, f"b{n}-"), said("assistant", f"It is {n}.")]
    return [*found, said("user", "And now?")]


@pytest.mark.parametrize("is_ready", [False, True])
@pytest.mark.parametrize("budget", [300, 420, 510, 640, 770, 900])
def test_pairs_and_calls_stay_together(budget: int, is_ready: bool) -> None:
    """Order 2, `check_context`: never split a user-assistant pair, nor a call from its result."""
    for size in (5, 17, 30):
        view = view_of(reading(6, size))
        after = compacted(view, budget, length=25 if is_ready else 0)
        assert WIRE.problems(after) == []
        kept = {each.origin for each in after.messages}
        for at, each in enumerate(view.messages):
            if each.role is Role.ASSISTANT and view.messages[at - 1].role is Role.USER and at in kept:
                assert at - 1 in kept


def test_head_and_reserve_stay_and_the_rest_is_summed_up() -> None:
    """The three zones: head as it is, then the summary, then the newest messages as they are."""
    view = view_of(talk(20))
    after = compacted(view, 2000, length=37)
    assert after.messages[0] is view.messages[0]
    assert "Set the price in src/price.py" in after.messages[1].text
    assert [each.origin for each in after.messages[3:]] == list(range(37, 42))


def test_results_are_left_alone_unless_it_is_switched_on() -> None:
    """Row `enable_tool_result_compact`: false; then no result is cut."""
    assert "tool_results" not in [step.use for step in POLICY.steps]
    assert [step.use for step in with_results().steps] == [
        "tool_results",
        "summarize",
        "digest",
        "trim_turns",
    ]


def results(view: Conversation) -> list[str]:
    """Return the texts of the results, oldest first."""
    return [each.blocks[0].text for each in view.messages if each.role is Role.TOOL]


def test_newest_results_stay_whole() -> None:
    """Row `keep_n`: of eight long results the newest five are not cut."""
    policy = with_results()
    found = results(run_steps(view_of(reading(4, 1500)), policy.steps[:1], room(policy, 1000)).view)
    assert ["left out" in text for text in found] == [True] * 3 + [False] * 5
    assert all(len(text) <= 3000 for text in found[:3])


def test_newest_run_may_be_longer_than_older_ones() -> None:
    """Row `keep_n`, later: 50,000 for the newest run, 3,000 for older ones; what is not yet read stays."""
    (step, *_) = with_results().steps
    assert isinstance(step.strategy, ToolResults)
    policy = replace(with_results(), steps=(replace(step, strategy=replace(step.strategy, keep_last=0)),))
    view = view_of([*reading(1, 1500), call("c"), result("c", 9000), call("d"), result("d", 9000)])
    found = results(run_steps(view, policy.steps, room(policy, 1000)).view)
    assert max(map(len, found[:2])) <= 3000
    assert 40_000 < len(found[2]) <= 50_000
    assert found[3] == results(view)[3]


def test_full_text_is_stored_under_an_id_that_stands_there() -> None:
    """Order 1, `compact_tool_result`: a reference is left in the message, and leads to the full text."""
    policy = with_results()
    view = view_of(reading(4, 1500))
    cut = run_steps(view, policy.steps[:1], room(policy, 1000)).view
    (id,) = re.findall(r"GET /haversack/originals/([\w-]+)", results(cut)[0])
    assert id == marks.content_id(results(view)[0])
    assert results(view)[0] in [offload.text for offload in cut.offloads]


def test_expired_texts_are_cleaned_up() -> None:
    """Order 1: what was stored and not used for as long as the policy says is deleted."""
    days = POLICY.store.retention_days

    async def kept_after(passed: float) -> bool:
        clock = Clock()
        async with opened(SqliteStore(MEMORY, clock)) as store:
            await store.put_originals("s", [Original("id", b"text", created_at=clock.now)])
            clock.now += passed * DAY_S
            await delete_old(store, PolicySet({"copaw": POLICY}, {}, POLICY), str, clock.now, 0)
            return await store.original("s", "id") is not None

    assert asyncio.run(kept_after(days - 1))
    assert not asyncio.run(kept_after(days + 1))


def test_summary_has_its_sections() -> None:
    """Order 3, `compact_memory`: Goal, Constraints, Progress, Key Decisions, Next Steps, Critical Context."""
    model = Scripted(GOOD)
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) == GOOD
    told = asked(model)
    sections = ["Goal", "Constraints", "Progress", "Key Decisions", "Next Steps", "Critical Context"]
    places = [told.index(f"## {section}") for section in sections]
    assert places == sorted(places)
    assert "what is done, what is in progress, what is blocked" in told


@pytest.mark.parametrize("lost", ["## Progress\n", "## Next Steps\n"])
def test_summary_without_its_sections_is_put_right(lost: str) -> None:
    """Order 3: a summary that lacks several sections is asked for once more."""
    bare = re.sub(r"## (Goal|Constraints|Key Decisions)\n", "", GOOD.replace(lost, ""))
    model = Scripted(bare, GOOD)
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) == GOOD
    assert made.ended == ("written", "repaired")


def test_summary_goes_on_from_the_last_one() -> None:
    """Incremental: the previous summary is merged with the new messages."""
    model = Scripted(GOOD)
    with bench() as made:
        made.write(job(model, windowed(POLICY, 20_000), TALK[1:], previous=GOOD))
    (only,) = model.calls
    assert "previous-summary" in only.user
    assert "KeyError: 'vat'" in only.user


def test_next_summary_takes_the_place_of_the_last_one() -> None:
    """Incremental: of two summaries one is left, and it is told what the first one said."""
    writer = Writer("## Goal\n- FIRST: build the parser.", "## Goal\n- SECOND: build it all.")
    policy = windowed(shipped("copaw", "window_max: auto"), 1000)

    async def check(made: Engine) -> None:
        bodies = []
        for number in (4, 6, 8, 9, 11):
            bodies.append(await exchanged_by(made, chat(talk(number)), policy))
            await drained(made)
        assert b"FIRST" in bodies[1]
        assert b"SECOND" in bodies[-1]
        assert b"FIRST" not in bodies[-1]

    run(check, writer)
    assert "FIRST" in writer.jobs[1].previous


@pytest.mark.parametrize("exact", ["src/price.py", "net_price", "KeyError: 'vat'"])
def test_exact_names_are_preserved(exact: str) -> None:
    """Exact paths, function names and error messages: they are asked for, and made-up ones are refused."""
    model = Scripted(GOOD.replace("src/price.py", "src/prices.py").replace("net_price", "nett_price"))
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) is None
    assert exact in model.calls[0].user
    assert "Preserve exact file paths, function names and error messages." in model.calls[0].user
    assert "src/prices.py" in model.calls[1].user.partition("your answer could not be used")[2]


@pytest.mark.parametrize("budget", [600, 2000, 8000, 32_000])
def test_target_is_met_whatever_the_window(budget: int) -> None:
    """Beyond the table: with no summary at hand, a long conversation comes down to the target."""
    assert compacted(view_of(talk(200, 100)), budget).tokens <= int(0.35 * budget)
