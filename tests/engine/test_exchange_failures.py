"""What the client gets when something fails: the upstream, the store, or we ourselves."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from exchanging import BODY, TOO_LONG, answered, exchanged
from gateway.core.conversation import Count
from gateway.core.errors import StoreUnavailable, UpstreamUnreachable
from gateway.core.frozen import replace
from gateway.engine.economics import Account
from gateway.engine.exchange import Exchange
from gateway.engine.subject import Action, Plan
from gateway.policy.rules import StoreRules
from gateway.policy.schema import Policy
from gateway.store.file import MEMORY
from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.base import Usage
from stores import opened
from wired import REACTING, TRIMMING, Edge, Full, answer, ask, away, chat, engine, failed, turns, value


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_other_errors_pass_once(status: int) -> None:
    """Keys, rates and trouble on their side are the client's to see, also for a rewritten request."""
    response = failed(status, "No.")
    edge = Edge(response)

    got = exchanged(edge, policy=TRIMMING)
    assert (got[0], got[1], got[3]) == (status, response.content, 1)


def test_upstream_that_is_away_is_an_error() -> None:
    """No answer is a gateway error, which the client reads in its dialect."""
    with pytest.raises(UpstreamUnreachable):
        exchanged(Edge(httpx.ConnectError("no")))


def counting_badly(text: str) -> int:
    """Fail as a mistake in counting would."""
    raise ValueError(text)


def test_mistake_of_ours_sends_the_request_as_it_came() -> None:
    """Where counting fails, the request goes out untouched, counted; a refusal then is the client's."""

    async def run(count: Count, edge: Edge) -> None:
        async with engine() as made:
            status, _, action, attempts = await answered(made, ask(edge, BODY, TRIMMING, count=count))
            assert (action, attempts) == (Action.FAILED_OPEN, 1)
            assert edge.bodies == [BODY]
            assert made.failed_open("error") == 1
            assert status in (200, 400)

    asyncio.run(run(counting_badly, Edge(answer())))
    asyncio.run(run(counting_badly, Edge(TOO_LONG)))


def once_each() -> Count:
    """Return a count that fails on every text that it has counted before."""
    seen: set[str] = set()

    def count(text: str) -> int:
        if text and text in seen:
            raise ValueError(text)
        seen.add(text)
        return len(text.split())

    return count


def test_mistake_in_compaction_sends_the_request_as_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the request could be counted but not compacted, it goes out untouched with its true size."""

    async def plan(*_: object) -> Plan:
        raise ZeroDivisionError

    async def run() -> None:
        async with engine() as made:
            monkeypatch.setattr(made.parts.compactor, "plan", plan)
            edge = Edge(answer())
            exchange = Exchange(made.parts, ask(edge, BODY, TRIMMING))
            got = await exchange.open()
            await exchange.close()
            assert got.plan is not None
            assert (got.plan.action, got.plan.tokens) == (Action.FAILED_OPEN, 860)
            assert edge.bodies == [BODY]

    asyncio.run(run())


def test_mistake_in_a_rescue_gives_the_refusal() -> None:
    """Where the smaller form cannot be made, the upstream's own answer is given."""

    async def run() -> None:
        async with engine() as made:
            asked = ask(Edge(TOO_LONG), BODY, REACTING, count=once_each())
            status, body, _, attempts = await answered(made, asked)
            assert (status, body, attempts) == (400, TOO_LONG.content, 1)
            assert made.failed_open("error") == 1

    asyncio.run(run())


def test_policy_that_insists_on_the_store_is_obeyed() -> None:
    """Neither a first compaction nor a rescue forgets what could not be stored."""

    async def run(policy: Policy, edge: Edge) -> None:
        async with opened(Full(MEMORY)) as store, engine(store) as made:
            with pytest.raises(StoreUnavailable):
                await answered(made, ask(edge, BODY, replace(policy, store=StoreRules(required=True))))

    asyncio.run(run(TRIMMING, Edge()))
    asyncio.run(run(REACTING, Edge(TOO_LONG)))


def test_store_that_is_away_costs_no_answer() -> None:
    """Without a store requests are compacted, rescued and answered; each thing that failed is counted."""

    async def run() -> None:
        async with engine(away()) as made:
            asked = ask(Edge(TOO_LONG, answer()), BODY, REACTING)
            assert (await answered(made, asked))[2:] == (Action.RESCUED, 2)
            assert made.failed_open("store") == 1

    asyncio.run(run())


def test_mistake_in_the_accounts_costs_no_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was answered stays answered where it cannot be settled; the log names the place, not the text."""

    def settle(*_: object) -> Account:
        raise ZeroDivisionError("a secret of the client's")

    async def run() -> None:
        async with engine() as made:
            monkeypatch.setattr(made.parts.economics, "settle", settle)
            status, body, *_ = await answered(made, ask(Edge(answer()), BODY, TRIMMING))
            assert (status, body) == (200, answer().content)
            assert made.failed_open("error") == 1

    asyncio.run(run())
    (record,) = [record for record in caplog.records if record.message == "settling failed"]
    assert "settle" in str(vars(record)["at"])
    assert "secret" not in caplog.text


def accounted(*answers: httpx.Response, tokens: int, policy: Policy) -> Account:
    """Return the account of an exchange about so many tokens, with an upstream that answers as given."""

    async def run() -> Account:
        async with engine() as made:
            exchange = Exchange(made.parts, ask(Edge(*answers), chat(turns(tokens // 100)), policy))
            async for _ in await exchange.open():
                pass
            await exchange.close()
            return exchange.account

    return asyncio.run(run())


def test_answer_to_a_cut_prompt_is_paid_for() -> None:
    """An answer that is thrown away because the server cut the prompt is billed, and told as overhead."""
    cut, whole = answer(prompt=2051), answer(prompt=1800)
    account = accounted(cut, whole, tokens=9000, policy=REACTING)

    assert account.usages == (Usage(2051, 3), Usage(1800, 3))
    assert (account.overhead, account.unique > 0) == (2054, True)
    assert account.plan is not None
    assert account.plan.action is Action.RESCUED


@pytest.mark.parametrize("status", [429, 500])
def test_nothing_is_saved_by_what_was_not_accepted(status: int) -> None:
    """A compacted request that is answered with a rate limit saved nothing; its repetition will."""
    account = accounted(failed(status, "No."), tokens=900, policy=TRIMMING)

    assert (account.plan, account.unique, account.usages, account.unknown) == (None, 0, (), "")


@pytest.mark.parametrize(("counted", "suspected"), [(5000, 1), (8500, 0)])
def test_prompt_that_the_upstream_seems_to_have_cut_is_counted(counted: int, suspected: int) -> None:
    """An answer that could not be taken back, because nothing is certain, is told to the operator."""

    async def run() -> float:
        async with engine() as made:
            await answered(made, ask(Edge(answer(prompt=counted)), chat(turns(90)), REACTING))
            return value(made.parts.metrics, "suspected_truncations", upstream="openai")

    assert asyncio.run(run()) == suspected


BOUND = failed(
    400,
    "messages.9.content.0: Invalid `signature` in `thinking` block. The block is bound to a different "
    "conversation. Remove the block.",
)
STRICT = failed(400, "messages.9.content.0.type: Expected `thinking`, but found `tool_use`.")
ENDED = httpx.Response(200, json={"content": [{"type": "text", "text": "So."}], "stop_reason": "end_turn"})


def loop(number: int) -> bytes:
    """Return a request of the Messages format, in a long turn that thinks before each of so many calls."""
    talk: list[dict[str, Any]] = turns(8)
    for at in range(number):
        thought = {"type": "thinking", "thinking": f"hm {at}", "signature": "c2ln"}
        call = {"type": "tool_use", "id": f"t{at}", "name": "run", "input": {}}
        found = {"type": "tool_result", "tool_use_id": f"t{at}", "content": "done"}
        talk += [{"role": "assistant", "content": [thought, call]}, {"role": "user", "content": [found]}]
    return chat(talk, max_tokens=100)


def test_thinking_bound_to_what_was_compacted_is_left_out() -> None:
    """Such a request goes out compacted, with no thinking; the next replays that, with what is new."""

    async def run() -> None:
        async with engine() as made:
            edge = Edge(BOUND, ENDED, ENDED)
            got = await answered(made, ask(edge, loop(2), TRIMMING, wire=AnthropicMessages()))
            assert got[0] == 200
            first, second = edge.bodies
            assert (first.count(b"c2ln"), second.count(b"c2ln"), second.count(b"tool_use_id")) == (2, 0, 2)
            assert len(second) < len(first) < len(loop(2))
            got = await answered(made, ask(edge, loop(3), TRIMMING, wire=AnthropicMessages()))
            assert got[0] == 200
            assert edge.bodies[2].count(b"c2ln") == 1
            assert made.failed_open("rejected") == 0

    asyncio.run(run())


def test_upstream_that_wants_thinking_back_gets_the_clients_own() -> None:
    """Where a form without thinking is refused as well, or would be, the request goes out as it came."""
    for answers in ([BOUND, STRICT, ENDED], [BOUND, BOUND, ENDED], [STRICT, ENDED]):
        edge = Edge(*answers)

        async def run(edge: Edge = edge) -> None:
            async with engine() as made:
                got = await answered(made, ask(edge, loop(2), TRIMMING, wire=AnthropicMessages()))
                assert (got[0], got[2], got[3]) == (200, Action.FAILED_OPEN, len(edge.seen))
                assert edge.bodies[-1] == loop(2)

        asyncio.run(run())
        assert not edge.answers
