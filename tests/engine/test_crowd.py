"""Too many messages, whatever their size. One word is one token, and a message takes four more."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from engine.subjects import subject
from gateway.core.frozen import replace
from gateway.engine.crowd import fewer_of, fewer_soon, has_grown, is_crowded, messages_on, turns_on
from gateway.engine.subject import Action
from gateway.engine.wanted import serves, wanted
from gateway.policy.levels import Level, Limit, When
from gateway.policy.schema import Policy, Step
from gateway.store.base import Checkpoint, Prepared
from gateway.strategies.digest import Digest
from gateway.strategies.summarize import Summarize
from gateway.strategies.tool_results import ToolResults
from gateway.strategies.trim_turns import TrimTurns
from wired import PLACE, TRIMMING, chat, engine, message, turns

HISTORY = (Limit(below=500, messages=10), Limit(below=1001, messages=20), Limit(messages=40))
CROWDED = replace(TRIMMING, name="crowded", history=HISTORY)
"""A window of 1000, so 20 messages; down to 45/80 of that, 11."""


def sizes(policy: Policy, number: int, tokens: int = 6) -> list[tuple[str, int]]:
    """Return what is done with a conversation that grows by one turn at a time, and its messages then."""

    async def run() -> list[tuple[str, int]]:
        async with engine() as made:
            done = []
            for count in range(1, number):
                body = chat([message("system", 6, "rules"), *turns(count, tokens)])
                plan = await made.parts.compactor.plan(await made.subject(body, policy))
                if plan.checkpoint is not None:
                    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
                done.append((plan.action.value, plan.messages))
            return done

    return asyncio.run(run())


@pytest.mark.parametrize("step", [Step("trim_turns", TrimTurns()), Step("digest", Digest())])
def test_too_many_messages_become_fewer_although_they_are_small(step: Step) -> None:
    """At the limit of its window a list comes far below it, once, and then grows again for a while."""
    tool_results = Step("tool_results", ToolResults())
    done = sizes(replace(CROWDED, steps=(tool_results, step)), 30, 9)
    assert all(messages < 20 for _, messages in done)
    moves = [n for n, (action, _) in enumerate(done) if action == Action.COMPACTED]
    assert done[moves[0] - 1] == ("none", 18)
    assert 2 <= len(moves) <= 6
    assert all(later - earlier >= 3 for earlier, later in pairwise(moves))


def test_rule_is_kept_where_a_ledger_would_make_a_list_of_small_messages_longer() -> None:
    """It then stays among the words of the user who gave it."""
    rule = "Never touch the file secret_ledger.py."

    async def run() -> None:
        async with engine() as made:
            said = [message("system", 6, "rules")]
            for count in range(28):
                asked = f"Turn {count}: we look. {rule if count == 3 else ''}"
                said += [{"role": "user", "content": asked}, {"role": "assistant", "content": "fine fine"}]
                body = chat([*said, {"role": "user", "content": "And now?"}])
                plan = await made.parts.compactor.plan(
                    await made.subject(body, replace(CROWDED, steps=(Step("digest", Digest()),)))
                )
                if plan.checkpoint is not None:
                    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
                assert count < 3 or b"secret_ledger.py" in plan.body
            assert plan.messages < 25

    asyncio.run(run())


def test_few_large_messages_are_no_matter_of_their_number() -> None:
    """What is over the trigger by its tokens goes down to the target, not to a number of messages."""
    done = sizes(CROWDED, 7, 60)
    assert "compacted" in {action for action, _ in done}
    assert sizes(replace(CROWDED, history=()), 7, 60) == done


def test_without_a_limit_the_number_does_not_matter() -> None:
    """Sixty small messages go out as they came."""
    assert sizes(TRIMMING, 30)[-1] == ("none", 60)


def test_turn_that_goes_on_does_not_move_the_boundary_each_time() -> None:
    """What cannot be folded is left alone until a fair number of messages has come."""
    base = Checkpoint(
        prefix=b"p",
        length=30,
        items=(b"digest", *range(1, 25)),
        tokens=100,
        whole_tokens=100,
        window=1000,
        policy=CROWDED.fingerprint,
        created_at=0.0,
    )
    seen = subject(CROWDED, 20)
    assert messages_on(seen, base) == 41 - 30 + 25
    assert not has_grown(seen, base, 26)
    assert has_grown(seen, base, 28)


def test_what_is_near_the_limit_is_what_summaries_are_prepared_for() -> None:
    """From the same share of the limit on as the sizes have, a summary is wanted, however few the tokens."""
    policy = replace(CROWDED, steps=(Step("tool_results", ToolResults()), Step("summarize", Summarize())))
    few, near, over = (subject(policy, number) for number in (6, 8, 10))
    assert (near.policy.prepare.messages, near.policy.trigger.messages) == (16, 20)
    assert [fewer_soon(each, None) for each in (few, near, over)] == [0, 11, 11]
    assert [fewer_of(each, None) for each in (few, near, over)] == [0, 0, 11]
    assert is_crowded(over, 20)
    assert not is_crowded(near, 19)
    asked = wanted(near, None, None)
    assert asked is not None
    assert asked.length >= 17 - 11
    reaches = Prepared(b"p", asked.length, "Done.")
    assert serves(near, None, reaches)
    assert not serves(near, None, replace(reaches, length=4))


def test_number_to_come_down_to_may_be_named() -> None:
    """Else it is the target's share of the trigger, or half where they have no ratio."""
    assert replace(CROWDED, target=Level(ratio=0.4, messages=5)).at(1000).fewer == 5
    assert replace(CROWDED, target=Level(tokens=100)).at(1000).fewer == 10
    assert CROWDED.at(1000).fewer == 11
    assert CROWDED.fewer == 0


def test_turns_are_those_of_what_is_sent() -> None:
    """A policy's turns are not those of the client's list, of which most are told of in a digest by then."""
    steps = (Step("digest", Digest(fold="half", max_turns=5), When(turns=6)),)
    policy = replace(TRIMMING, steps=steps, trigger=Level(turns=6), target=Level(tokens=700))

    async def run() -> list[tuple[str, int]]:
        async with engine() as made:
            done = []
            for count in range(3, 12):
                asked = await made.subject(chat(turns(count, 9)), policy)
                plan = await made.parts.compactor.plan(asked)
                if plan.checkpoint is not None and plan.checkpoint.length:
                    await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
                done.append((plan.action.value, turns_on(asked, plan.checkpoint or plan.base)))
            return done

    assert asyncio.run(run()) == [
        ("none", 4),
        ("none", 5),
        ("compacted", 4),
        ("frozen", 5),
        ("compacted", 4),
        ("frozen", 5),
        ("compacted", 4),
        ("frozen", 5),
        ("compacted", 4),
    ]
