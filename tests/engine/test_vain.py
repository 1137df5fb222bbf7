"""What a compaction could not free is not looked for again before there is more of it."""

from __future__ import annotations

import asyncio
from typing import Any

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.engine.subject import Action
from gateway.engine.vain import Tried, Vain
from gateway.policy.levels import When
from gateway.policy.schema import Policy, Step
from gateway.strategies.base import Room, Strategy, Summary
from wired import TRIMMING, Engine, chat, engine, message, turns


class Counter(Strategy):
    """Frees nothing, and counts how often it was asked to."""

    runs = 0

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation as it is."""
        Counter.runs += 1
        return view


COUNTED = replace(TRIMMING, name="vain", steps=(Step("counter", Counter()),))
"""The trigger is at 640, the budget 800: 40 tokens are worth a move."""


async def runs(made: Engine, talk: list[dict[str, Any]], policy: Policy = COUNTED, dry: bool = False) -> int:
    """Return how often the step runs for one request of a conversation that it cannot make smaller."""
    before = Counter.runs
    plan = await made.parts.compactor.plan(await made.subject(chat(talk), policy), dry)
    assert plan.action is Action.NONE
    return Counter.runs - before


def growing(policy: Policy, *added: int) -> list[int]:
    """Return how often the step runs at each turn, as messages of so many tokens come to 750."""

    async def run() -> list[int]:
        async with engine() as made:
            talk, found = turns(7), []
            for tokens in (0, *added):
                talk += [message("assistant", tokens, f"a{len(talk)}")] if tokens else []
                found.append(await runs(made, talk, policy))
            return found

    return asyncio.run(run())


def test_what_was_in_vain_is_tried_again_when_the_list_has_grown() -> None:
    """A list that gives nothing is tried once for each twentieth of the budget, not at every turn."""
    assert growing(COUNTED, 0, 15, 15, 15, 5) == [1, 0, 0, 0, 1, 0]


def test_what_the_answer_needs_is_looked_for_at_every_turn() -> None:
    """Where less than half of what is kept for the answer is left, every word counts."""
    assert growing(COUNTED, 160, 5, 5) == [1, 1, 1, 1]


def test_step_with_a_size_of_its_own_runs_at_that_size() -> None:
    """What a policy wants done at a size is tried at every turn."""
    own = replace(COUNTED, steps=(Step("counter", Counter(), When(messages=10)),))

    assert growing(own, 5, 5) == [1, 1, 1]


def test_other_terms_are_tried_at_once() -> None:
    """Another policy, another window or another conversation is no repetition; a dry run takes no note."""

    async def run() -> None:
        async with engine() as made:
            talk = turns(7)
            assert await runs(made, talk, dry=True) == 1
            assert await runs(made, talk) == 1
            assert await runs(made, talk, dry=True) == 1
            assert await runs(made, talk, replace(COUNTED, fingerprint="other")) == 1
            assert await runs(made, talk, replace(COUNTED, window=1010)) == 1
            assert await runs(made, [*talk[:-1], message("user", 50, "else")]) == 1

    asyncio.run(run())


def test_new_summary_is_tried_at_once() -> None:
    """A summary that got ready since gives a list more to lose."""

    async def run() -> None:
        async with engine() as made:
            subject, vain = await made.subject(chat(turns(7)), COUNTED), Vain()
            chain = subject.counted.chain()
            vain.add(Tried.of(subject, chain, None, None))
            assert vain.has(Tried.of(subject, chain, None, None), 1)
            assert not vain.has(Tried.of(subject, chain, None, Summary(4, "so far")), 1)

    asyncio.run(run())


def test_tries_remembered_are_bounded() -> None:
    """The one that was asked for longest ago is forgotten, and costs a try."""

    async def run() -> None:
        async with engine() as made:
            vain, tries = Vain(max_tries=2), []
            for number in (7, 8, 9):
                subject = await made.subject(chat(turns(number)), COUNTED)
                tries.append(Tried.of(subject, subject.counted.chain(), None, None))
            vain.add(tries[0])
            vain.add(tries[1])
            assert vain.has(tries[0], 1)
            vain.add(tries[2])
            assert [vain.has(one, 1) for one in tries] == [True, False, True]

    asyncio.run(run())


def test_text_that_was_missed_and_is_there_now_is_tried_at_once() -> None:
    """Steps that had to do without what a model writes have more to take away when it is written."""

    async def run() -> None:
        async with engine() as made:
            subject, vain, ready = await made.subject(chat(turns(7)), COUNTED), Vain(), set[bytes]()
            tried = Tried.of(subject, subject.counted.chain(), None, None)
            tried = replace(tried, is_ready=lambda missed: bool(ready & set(missed)))
            vain.add(tried, [b"a", b"b"])
            assert vain.has(tried, 1)
            ready.add(b"b")
            assert not vain.has(tried, 1)

    asyncio.run(run())
