"""How often the boundary of what is frozen moves, and how far."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.engine.subject import Action
from gateway.policy.levels import Level, When
from gateway.policy.schema import Policy, Step
from gateway.strategies.base import Room, Strategy
from wired import PLACE, TRIMMING, chat, engine, message, turns


@dataclass(frozen=True, kw_only=True)
class DropOne(Strategy):
    """Takes the second message and never gets near a target."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less one message."""
        return view.without([1])


WEAK = replace(TRIMMING, name="weak", steps=(Step("weak", DropOne()),))


def actions(policy: Policy, *added: int) -> list[str]:
    """Return what is done with a conversation over its trigger, as messages of so many tokens are added."""

    async def run() -> list[str]:
        async with engine() as made:
            talk = turns(7)  # 750 tokens; the trigger is at 640, the budget 800
            done = []
            for tokens in (0, *added):
                talk += [message("assistant", tokens, f"a{len(talk)}")] if tokens else []
                plan = await made.parts.compactor.plan(await made.subject(chat(talk), policy))
                if plan.checkpoint is not None:
                    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
                done.append(plan.action.value)
            return done

    return asyncio.run(run())


def test_steps_that_cannot_reach_the_target_do_not_run_at_every_turn() -> None:
    """Where the policy's steps free too little, what fits waits until it has grown: the cache stays warm."""
    assert actions(WEAK, 40, 40, 40, 40) == ["compacted", "frozen", "frozen", "frozen", "compacted"]


def test_half_of_what_is_left_of_the_window_is_left_to_the_answer() -> None:
    """Where not even the budget can be met, the boundary waits for half of what the upstream would take.

    Seen: codex in a window of 1.5 times its instructions; every turn moved the boundary.
    """
    assert actions(replace(WEAK, window=900), 10, 90, 10) == ["compacted", "frozen", "compacted", "frozen"]


@dataclass(frozen=True, kw_only=True)
class KeepThree(Strategy):
    """Keeps the newest three messages."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less those before."""
        return view.without(range(len(view.messages) - 3))


def test_little_room_below_the_trigger_is_not_used_up_by_every_request() -> None:
    """Seen: Cline, whose tools fill half of its window: each step's result was over the trigger again, which
    left less than a tenth of the window, and so each of them moved the boundary."""

    async def run() -> None:
        tools = [{"description": " ".join(["t"] * 3600)}]
        policy = replace(TRIMMING, window=8000, reserve_output=2000, steps=(Step("keep", KeepThree()),))
        talk, done = [message("user", 480)] * 5, list[str]()
        async with engine() as made:
            for _ in range(6):
                talk = [*talk, message("user", 540)]
                plan = await made.parts.compactor.plan(await made.subject(chat(talk, tools=tools), policy))
                if plan.checkpoint is not None:
                    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
                done.append(plan.action.value)
        assert done == ["compacted", "frozen", "frozen", "compacted", "frozen", "frozen"]

    asyncio.run(run())


def test_what_does_not_fit_does_not_wait() -> None:
    """What the upstream is sure to refuse is compacted, however little has come since the last time."""
    assert actions(replace(WEAK, window=650), 10) == ["compacted", "compacted"]


@dataclass(frozen=True, kw_only=True)
class DropLittle(Strategy):
    """Takes the messages of fewer than 20 tokens."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less those."""
        return view.without([at for at, one in enumerate(view.messages) if one.tokens < 20])


LITTLE = replace(WEAK, steps=(Step("little", DropLittle()),))


def test_what_frees_little_waits_until_it_frees_more() -> None:
    """A boundary is not moved for a few words.

    Seen: codex's newest result, of 1,100 words, put a list over its budget. All else gave 17, and the next
    turn moved the boundary again, when that result was no longer the newest.
    """
    assert actions(LITTLE, 12, 12, 12, 12, 12) == ["none", "none", "none", "none", "compacted", "frozen"]
    # Over the budget as well, while nobody asked for the output that is kept free, and half of it is left.
    assert actions(LITTLE, 80, 12) == ["none", "none", "none"]
    assert actions(LITTLE, 160, 12) == ["none", "none", "compacted"]


def test_step_with_a_size_of_its_own_does_not_wait() -> None:
    """What a policy wants done at a size is done at that size."""
    own = replace(WEAK, steps=(Step("weak", DropOne(), When(messages=10)),))
    assert actions(own, 10, 10) == ["compacted", "compacted", "compacted"]


def test_changed_policy_takes_effect_at_once() -> None:
    """A decision made under other rules does not keep the present ones waiting."""

    async def run() -> None:
        async with engine() as made:
            body = chat(turns(7))
            plan = await made.parts.compactor.plan(await made.subject(body, WEAK))
            assert plan.checkpoint is not None
            await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
            again = await made.parts.compactor.plan(await made.subject(body, WEAK))
            assert again.action is Action.FROZEN
            other = replace(WEAK, fingerprint="other", target=Level(ratio=0.3))
            assert (
                await made.parts.compactor.plan(await made.subject(body, other))
            ).action is Action.COMPACTED

    asyncio.run(run())
