"""The parameters of AutoContextMemory in `policies/autocontext.yaml`: when it begins, what is kept and told.

Requests go through the compactor. One word is one token; nobody knows the window, so it is `maxToken`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from gateway.core.frozen import replace
from gateway.engine.finish import removed
from gateway.engine.subject import Action, Plan, Subject
from gateway.policy.document import Source, parse
from gateway.policy.live import read_all
from gateway.policy.read import read_policy
from gateway.policy.schema import Policy
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies import STRATEGIES, marks
from gateway.strategies.base import Room
from stores import opened
from test_cases import conversation
from wired import PLACE, Engine, chat, engine, message, words

POLICY = read_all(None, "default").policies["autocontext"]
LATER = """
steps:
  - {use: tool_chains, min_messages: 7, min_tokens: 5000, model: true}
  - {use: offload, roles: [tool, assistant, user], min_tokens: 0, min_chars: 5120, keep_last: 0,
     keep_messages: 50, before_reply: true}
"""
"""The values of later versions, as a policy that extends the shipped one has them."""

BUDGET = 131_072 - 8192
"""Tokens of messages that maxToken leaves beside an answer."""

LONG = "0123456789 line of a long log goes on\n" * 200


def later() -> Policy:
    """Return the policy with the values of later versions."""
    source = Source("later.yaml")
    policy = read_policy(parse(LATER.encode(), source), "later", POLICY, STRATEGIES, source)
    assert source.problems == []
    return policy


def turns(number: int, result: str = "ok", calls: int = 1) -> list[Any]:
    """Return turns of a question, so many rounds with that result, and an answer."""
    said: list[Any] = []
    for n in range(number):
        said.append({"role": "user", "content": f"Question {n}?"})
        for k in range(calls):
            function = {"name": "read_file", "arguments": json.dumps({"path": f"f{n}-{k}.py"})}
            call = {"id": f"c{n}-{k}", "type": "function", "function": function}
            said.append({"role": "assistant", "content": None, "tool_calls": [call]})
            said.append({"role": "tool", "tool_call_id": f"c{n}-{k}", "content": result})
        said.append({"role": "assistant", "content": f"Answer {n}."})
    return said


NOW = [{"role": "user", "content": "And now?"}]


async def planned(made: Engine, messages: Sequence[Any], policy: Policy = POLICY) -> tuple[Subject, Plan]:
    """Return a request and what would be sent for it."""
    subject = await made.subject(chat(messages), policy)
    return subject, await made.parts.compactor.plan(subject)


def action(messages: Sequence[Any], policy: Policy = POLICY) -> Action:
    """Return what becomes of a request."""

    async def run() -> Action:
        async with engine() as made:
            return (await planned(made, messages, policy))[1].action

    return asyncio.run(run())


def test_threshold_of_messages() -> None:
    """`msgThreshold` 100: with 99 messages nothing is done, with 100 they come down, however small."""
    few = [*turns(24), *turns(1, calls=0), *NOW]
    assert len(few) == 99
    assert action(few) is Action.NONE

    async def run() -> None:
        async with engine() as made:
            _, plan = await planned(made, [{"role": "system", "content": "Be brief."}, *few])
            assert plan.action is Action.COMPACTED
            assert plan.messages <= POLICY.fewer == 60

    asyncio.run(run())


def test_threshold_of_tokens() -> None:
    """`maxToken` 131,072 and `tokenRatio` 0.75: under that share of what answers leave nothing is done."""
    at = int(0.75 * BUDGET)
    for tokens, done in ((at - 1, Action.NONE), (at, Action.COMPACTED)):
        talk = [message("user", 50), message("assistant", tokens - 100), message("user", 50)]
        assert action(talk) is done
        assert action(talk, replace(POLICY, window_max=None)) is Action.NONE
    assert POLICY.window_max == 131_072


@pytest.mark.parametrize(("policy", "kept"), [(POLICY, 100), (later(), 50)], ids=["documented", "later"])
def test_last_kept(policy: Policy, kept: int) -> None:
    """`lastKeep` 100, later 50: so many of the newest messages stay when large ones are put away."""
    said = [*turns(40, LONG), *NOW]
    view = conversation(said, words)
    step = next(step.strategy for step in policy.steps if step.use == "offload")
    after = step.apply(view, Room(0, BUDGET, words, policy.keep))
    gone = [n for n, one in enumerate(after.messages) if one is not view.messages[n]]
    assert gone == [n for n in range(len(said) - kept) if said[n]["role"] == "tool"]


def test_large_payload_and_its_preview() -> None:
    """`largePayloadThreshold` 5,120 and `offloadSinglePreview` 200: characters, counted to the last one."""
    for chars, is_put_away in ((5120, False), (5121, True)):
        text = "ab " * 1707
        view = conversation([*turns(1, text[:chars]), *turns(1), *NOW], words)
        after = POLICY.steps[2].strategy.apply(view, Room(0, BUDGET, words, POLICY.keep))
        (result, *_) = [one.blocks[0].text for one in after.messages if one.role == "tool"]
        assert (marks.stub_id(result) is not None) == is_put_away
        if is_put_away:
            assert result.split("\n", 1)[1] == text[:200].rstrip()


@pytest.mark.parametrize(
    ("policy", "calls", "tokens", "is_folded"),
    [
        (POLICY, 2, 99, False),
        (POLICY, 3, 99, True),
        (later(), 3, 9000, False),
        (later(), 4, 900, False),
        (later(), 4, 1400, True),
    ],
    ids=["4 messages", "6 messages", "later: 6", "later: 8 of under 5,000 tokens", "later: 8 of over 5,000"],
)
def test_consecutive_tool_messages(policy: Policy, calls: int, tokens: int, is_folded: bool) -> None:
    """More than 4 in a row become one round; later more than 6, if they have 5,000 tokens."""
    view = conversation([*turns(1, "w " * tokens, calls), *NOW], words)
    after = policy.steps[0].strategy.apply(view, Room(0, BUDGET, words, policy.keep))
    assert (len(after.messages) < len(view.messages)) == is_folded


def test_original_store_is_complete_and_put_away_content_can_be_had_and_deleted() -> None:
    """Two stores: what is sent is compacted, and all that is gone from it is stored as it was."""

    async def run() -> None:
        said = [*turns(12, "w " * 3000, calls=3), *NOW]
        async with opened(SqliteStore(MEMORY)) as store, engine(store) as made:
            subject, plan = await planned(made, said)
            assert (plan.action, subject.request.body) == (Action.COMPACTED, chat(said))
            assert plan.view is not None
            gone = list(removed(subject, None, plan.view, 0.0))
            for original in gone:
                found = await store.original(PLACE.scope, original.id)
                assert found is not None
                assert found.content == original.content
            stored = {original.content for original in gone}
            kept = {one.origin for one in plan.view.messages}
            assert stored >= {raw for n, raw in enumerate(subject.request.messages) if n not in kept}

            named = marks.named_ids(plan.body)
            assert named
            for id in named:
                assert await store.original(PLACE.scope, id) is not None
                assert await store.delete_original(PLACE.scope, id)
                assert await store.original(PLACE.scope, id) is None

    asyncio.run(run())


def test_every_step_is_told_with_its_sizes() -> None:
    """Events: type, time taken, number of messages, tokens before and after, one behind the other."""

    async def run() -> None:
        async with engine() as made:
            _, plan = await planned(made, [*turns(60, LONG, calls=3), *NOW])
            order = iter([step.use for step in POLICY.steps])
            assert all(report.step in order for report in plan.reports)
            assert len(plan.reports) >= 3
            assert plan.reports[0].tokens_before == plan.tokens_before
            for one, other in zip(plan.reports, plan.reports[1:], strict=False):
                assert one.tokens_after == other.tokens_before
            assert all(report.elapsed_s >= 0 for report in plan.reports)
            assert plan.messages == len(json.loads(plan.body)["messages"]) < 481

    asyncio.run(run())


def test_pipeline_goes_on_until_it_fits_and_then_rests() -> None:
    """One compaction brings it down, over as many steps as that takes; the next requests replay it."""

    async def run() -> None:
        async with engine() as made:
            said = [*turns(60, LONG, calls=3), *NOW]
            _, plan = await planned(made, said)
            assert plan.tokens <= 0.45 * BUDGET
            assert plan.messages <= 60
            assert plan.checkpoint is not None
            await made.parts.checkpoints.commit(PLACE, plan.checkpoint)
            more = [*said, {"role": "assistant", "content": "Well."}, *NOW]
            assert (await planned(made, more))[1].action is Action.FROZEN

    asyncio.run(run())
