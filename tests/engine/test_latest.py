"""The latest user message stands cut in what is frozen only as long as it has no room as it came."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from gateway.core.frozen import replace
from gateway.core.rescue import Shrink
from gateway.engine.latest import is_answerable, uncut
from gateway.engine.sizes import tokens_at
from gateway.engine.subject import Action, Plan, Subject
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns
from wired import PLACE, REACTING, TRIMMING, Engine, chat, engine, message, turns

POLICY = replace(
    TRIMMING,
    steps=(
        Step("tool_results", ToolResults(keep_last=1, max_tokens=20, current_turn_max_tokens=20)),
        Step("trim_turns", TrimTurns()),
    ),
)
WIDER = replace(POLICY, window=1600)
QUESTION = message("user", 700, "now")
CUT = b'{"role":"user","content":"now cut"}'


def rounds(number: int, tokens: int, mark: str = "r") -> list[dict[str, Any]]:
    """Return so many calls with their results, of so many tokens each."""
    found: list[dict[str, Any]] = []
    for n in range(number):
        call = {"id": f"{mark}{n}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({**message("tool", tokens, f"{mark}{n}"), "tool_call_id": f"{mark}{n}"})
    return found


def questions(plan: Plan) -> list[str]:
    """Return what users say in what goes out."""
    return [entry["content"] for entry in json.loads(plan.body)["messages"] if entry["role"] == "user"]


def asks_all(plan: Plan, question: dict[str, Any] = QUESTION) -> bool:
    """Return whether the question goes out as it came."""
    return question["content"] in questions(plan)


async def planned(made: Engine, messages: list[Any], policy: Policy = POLICY) -> tuple[Subject, Plan]:
    """Return the plan for a request; the upstream accepts it."""
    subject = await made.subject(chat(messages), policy)
    plan = await made.parts.compactor.plan(subject)
    await accept(made, plan)
    return subject, plan


async def accept(made: Engine, plan: Plan) -> None:
    """Let the upstream accept a plan."""
    if plan.checkpoint is not None:
        await made.parts.checkpoints.commit(PLACE, plan.checkpoint)


def test_question_returns_once_the_window_is_known_to_be_larger() -> None:
    """Seen: what one window had no room for stayed cut under the next, and the model never saw it.

    From then on it is frozen as it came: the next request begins with the same bytes.
    """

    async def run() -> None:
        async with engine() as made:
            asked = [*turns(1)[:2], QUESTION, *rounds(1, 400)]
            _, cut = await planned(made, asked)
            assert not asks_all(cut)
            _, same = await planned(made, asked)
            assert (same.action, same.body) == (Action.FROZEN, cut.body)
            _, whole = await planned(made, [*asked, *rounds(1, 40, "s")], WIDER)
            assert asks_all(whole)
            _, later = await planned(made, [*asked, *rounds(2, 40, "s")], WIDER)
            before, after = (json.loads(plan.body)["messages"] for plan in (whole, later))
            assert after[: len(before)] == before
            assert later.checkpoint is None

    asyncio.run(run())


def test_question_returns_when_what_stood_behind_it_is_taken_back() -> None:
    """As much as was accepted with the question cut will be accepted with all of it."""

    async def run() -> None:
        async with engine() as made:
            asked = [*turns(1)[:2], QUESTION]
            _, cut = await planned(made, [*asked, *rounds(1, 400)])
            assert not asks_all(cut)
            _, back = await planned(made, [*asked, message("assistant", 20, "a")])
            assert asks_all(back)

    asyncio.run(run())


def test_question_returns_when_results_make_room_for_it() -> None:
    """At the next compaction the old results are shortened, as they are no longer new, not the question."""

    async def run() -> None:
        async with engine() as made:
            question = message("user", 600, "now")
            asked = [question, *rounds(1, 400)]
            _, cut = await planned(made, asked)
            _, whole = await planned(made, [*asked, *rounds(1, 150, "s")])
            assert (asks_all(cut, question), asks_all(whole, question)) == (False, True)

    asyncio.run(run())


def test_question_that_was_refused_stays_cut() -> None:
    """A policy may be wrong about its window: what the upstream refused is not tried at every turn."""

    async def run() -> None:
        async with engine() as made:
            wrong = replace(POLICY, window=4000)
            asked = [QUESTION, *rounds(1, 20)]
            subject, came = await planned(made, asked, wrong)
            cut = await made.parts.compactor.follow(subject, came, Shrink(400))
            assert cut is not None
            await accept(made, cut)
            for number in range(1, 4):
                _, plan = await planned(made, [*asked, *rounds(number, 20, "s")], wrong)
                assert (plan.action, asks_all(plan)) == (Action.FROZEN, False)

    asyncio.run(run())


def test_rescue_takes_the_question_as_it_came_where_it_has_room() -> None:
    """After a restart in spirit: a list refused whole comes down to what was frozen, less the cut."""

    async def run() -> None:
        async with engine() as made:
            asked = [*turns(1)[:2], QUESTION, *rounds(1, 400)]
            _, cut = await planned(made, asked)
            subject = await made.subject(chat(asked), replace(REACTING, steps=POLICY.steps))
            came = await made.parts.compactor.plan(subject)
            rescued = await made.parts.compactor.follow(subject, came, Shrink(came.tokens - 80))
            assert came.action is Action.NONE
            assert rescued is not None
            assert (asks_all(cut), asks_all(rescued)) == (False, True)

    asyncio.run(run())


def test_nothing_returns_while_nobody_knows_the_window() -> None:
    """What was refused without a number, and what is left of it, is all that is known."""

    async def run() -> None:
        async with engine() as made:
            policy = replace(REACTING, steps=POLICY.steps)
            asked = [QUESTION, *rounds(1, 20)]
            subject, came = await planned(made, asked, policy)
            cut = await made.parts.compactor.follow(subject, came, Shrink(400))
            assert cut is not None
            await accept(made, cut)
            _, later = await planned(made, [*asked, *rounds(1, 20, "s")], policy)
            assert (later.action, asks_all(later)) == (Action.FROZEN, False)

    asyncio.run(run())


def test_list_that_ends_in_a_question_that_was_left_out_is_compacted_anew() -> None:
    """Seen: a client that took back its latest messages asked nothing: its question was in the digest."""
    left_out = Checkpoint(b"", 3, (b'{"role":"assistant","content":"noted"}',), 10, 1000, "")

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(turns(1)))
            prefix = subject.counted.chain()[-1]
            await made.parts.checkpoints.commit(PLACE, replace(left_out, prefix=prefix))
            assert not is_answerable(subject, left_out)
            assert questions(await made.parts.compactor.plan(subject))[-1].startswith("now")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("items", "is_cut"),
    [
        ((CUT,), True),
        ((0, CUT, b'{"role":"assistant","content":"x"}'), True),
        ((0, CUT, b'{"role":"user","content":"<info-msg>10:41</info-msg>"}'), True),
        ((0, 2), False),
        ((b'{"role":"user","content":"<haversack-digest>\\nx\\n</haversack-digest>"}', 1), False),
    ],
)
def test_cut_form_is_the_last_that_a_user_says(items: tuple[int | bytes, ...], is_cut: bool) -> None:
    """Digests and what others say are not taken for it, nor a message that stays as it came."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(turns(1)))
            base = Checkpoint(b"p", 3, items, 60, 1000, "p")
            whole = uncut(subject, base)
            assert (whole is not None) is is_cut
            if whole is not None:
                assert whole.items == tuple(2 if item == CUT else item for item in items)

    asyncio.run(run())


@dataclass
class Growing:
    """A client whose conversation grows at random, and an upstream whose window is found out on the way."""

    random: Random
    is_steady: bool
    """Whether the window stays the same."""
    messages: list[Any] = field(default_factory=list)
    window: int = 1000

    def grow(self) -> None:
        """Ask, call, or take the end back."""
        random, number = self.random, len(self.messages)
        chance = random.random()
        if not self.messages or chance < 0.15:
            self.messages += [
                *([message("assistant", 20, f"a{number}")] if self.messages else []),
                message("user", random.choice([20, 300, 700, 1200]), f"u{number}"),
            ]
        elif chance < 0.25:
            last = max(n for n, entry in enumerate(self.messages) if entry["role"] == "user")
            self.messages = self.messages[: last + 1]
        elif chance < 0.35 and not self.is_steady:
            self.window = random.choice([800, 1000, 1400, 2000])
        else:
            self.messages += rounds(1, random.choice([10, 60, 300]), f"r{random.random()}x")

    @property
    def question(self) -> Any:
        """The latest message of the user."""
        return next(entry for entry in reversed(self.messages) if entry["role"] == "user")


@pytest.mark.parametrize("seed", range(12))
def test_question_is_whole_wherever_it_fits_and_never_to_and_fro(seed: int) -> None:
    """However a conversation grows: what is under the trigger asks all of the question; the same list leaves
    the same, but for one time at which the question returns; and what is frozen is replayed as it was."""

    async def run() -> None:
        client = Growing(Random(seed), is_steady=seed % 2 == 0)
        before: Plan | None = None
        sent: list[Any] = []
        async with engine() as made:
            for _ in range(40):
                client.grow()
                policy = replace(POLICY, window=client.window)
                for again in range(3):
                    subject, plan = await planned(made, client.messages, policy)
                    base = plan.checkpoint or plan.base
                    whole = uncut(subject, base) if base is not None else None
                    if not asks_all(plan, client.question):
                        assert whole is not None
                        trigger = tokens_at(policy.trigger, subject, 0)
                        assert whole.whole_tokens >= trigger or plan.checkpoint is not None
                    if again and before is not None:
                        assert plan.body == before.body or (again == 1 and asks_all(plan, client.question))
                    elif before is not None and plan.action is Action.FROZEN and plan.checkpoint is None:
                        was = json.loads(before.body)["messages"]
                        if client.is_steady and before.is_rewritten and client.messages[: len(sent)] == sent:
                            assert json.loads(plan.body)["messages"][: len(was)] == was
                    before = plan
                sent = list(client.messages)

    asyncio.run(run())
