"""Real clients' conversations, request by request, through the whole gateway at a third of what they need.

Whatever their clients change from one request to the next, each conversation is recognised: what was sent
before is sent again, and the boundary of what was compacted moves only where it must. The upstream takes
everything; a word is a token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from asgi import Call
from captured import ABSENT, FILES, Captured, Items, default_policy, meaning, parent, proxied, requests_of
from gateway.core.budget import reserve
from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.policy.schema import Policy
from siting import header
from wired import Edge, words

TRIGGER, LEAST_MOVE = 0.8, 0.05
"""Shares of the budget: of the default policy, and of the growth for which a boundary moves."""
LEAST_BUDGET = 100
"""Words: shorter conversations have nothing to give."""


@dataclass(frozen=True)
class Step:
    """A request and what went out for it."""

    came: Captured
    sent: dict[str, Any]
    status: int
    action: str
    window: int
    budget: int
    """Tokens that its messages may take."""
    parent: Step | None
    """The request that it goes on with."""
    settled: int = 0
    """Tokens of the messages when the boundary last moved."""

    @property
    def items(self) -> Items:
        """The list that went out."""
        return self.came.dialect.items(self.sent)

    @property
    def is_the_clients(self) -> bool:
        """Whether it is no turn of a conversation, but the client's own compaction of one."""
        return not self.came.wire.read(self.came.raw).messages

    @property
    def replay(self) -> Items:
        """What goes out if nothing is decided anew: what went out before, and what is new."""
        if self.parent is None:
            return self.came.items
        return [*self.parent.items, *self.came.items[len(self.parent.came.items) :]]

    @property
    def is_replayed(self) -> bool:
        """Whether that is what went out."""
        return bool(meaning(self.items) == meaning(self.replay))

    @property
    def must_be_replayed(self) -> bool:
        """Whether that fits, and there is no reason to give up the provider's cache."""
        tokens = size(self.came, self.came.with_items(self.replay))
        grown = tokens - (self.parent.settled if self.parent is not None else 0)
        return tokens < TRIGGER * self.budget or (tokens <= self.budget and grown < LEAST_MOVE * self.budget)


def size(came: Captured, body: dict[str, Any]) -> int:
    """Return the tokens of a body's messages."""
    read = came.wire.read(json.dumps(body).encode())
    return sum(came.wire.message(raw, words).tokens for raw in read.messages)


def fixed(came: Captured) -> int:
    """Return the tokens beside them."""
    return sum(words(raw.decode()) for raw in came.wire.read(came.raw).extras)


def policy_of(requests: Sequence[Captured], share: int) -> Policy:
    """Return the default policy at a window that leaves so many tokens for the largest list of messages."""
    outputs = [came.wire.read(came.raw).output for came in requests]
    asked = max((output.tokens for output in outputs if output is not None), default=None)
    window = wanted = max(share, LEAST_BUDGET) + max(map(fixed, requests))
    while window - reserve(window, None, asked) < wanted:
        window += wanted - (window - reserve(window, None, asked))
    return replace(default_policy(), window=window)


async def replayed(requests: Sequence[Captured], policy: Policy) -> list[Step]:
    """Return what becomes of these requests, one after the other."""
    edge = Edge(*(httpx.Response(200, json={"id": "x"}) for _ in requests))
    steps: list[Step] = []
    async with proxied(policy, edge) as proxy:
        for came in requests:
            call = Call(proxy, came.path, body=[came.raw], headers=came.headers)
            await call.read()
            sent = json.loads(edge.seen[-1].body)
            output = came.wire.read(came.raw).output
            window = policy.window or 0
            budget = window - reserve(window, None, output.tokens if output else None) - fixed(came)
            before = parent(came.items, [step.came.items for step in steps])
            action = (header(call, b"x-haversack-action") or b"").decode()
            last = steps[before] if before is not None else None
            step = Step(came, sent, call.status or 0, action, window, budget, last)
            goes_on = last is not None and step.is_replayed
            settled = last.settled if last is not None and goes_on else size(came, sent)
            steps.append(replace(step, settled=settled))
    return steps


def windows(requests: Sequence[Captured]) -> dict[str, int]:
    """Return the tokens left for messages.

    A third of the largest list, which may not hold what cannot be left out of it; and what the first long one
    takes, with a third of what comes after it.
    """
    sizes = [size(came, came.body) for came in requests]
    most = max(sizes)
    first = next(tokens for tokens in sizes if tokens * 4 >= most)
    return {"third": most // 3, "third beside the first request": first + (most - first) // 3}


NAMES = {path.name.removesuffix(".jsonl.gz"): path for path in FILES}


@pytest.fixture(scope="module", params=[*NAMES] or ["none"])
def runs(request: pytest.FixtureRequest) -> dict[str, list[Step]]:
    """One client's requests with what went out for each, by window."""
    if request.param not in NAMES:
        pytest.skip(ABSENT)
    requests = requests_of(NAMES[request.param])
    assert requests
    return {
        name: asyncio.run(replayed(requests, policy_of(requests, share)))
        for name, share in windows(requests).items()
    }


def all_steps(runs: dict[str, list[Step]]) -> list[Step]:
    """Return the steps at all windows."""
    return [step for steps in runs.values() for step in steps]


def test_no_request_is_at_fault(runs: dict[str, list[Step]]) -> None:
    """What goes out breaks no rule of its vendor that the client's own list does not break."""
    for step in all_steps(runs):
        own = step.came.dialect.problems(step.came.body)
        wire, read = step.came.wire, step.came.wire.read(json.dumps(step.sent).encode())
        view = Conversation(tuple(wire.message(raw, words, at) for at, raw in enumerate(read.messages)))

        assert step.status == 200
        assert [one for one in step.came.dialect.problems(step.sent) if one not in own] == []
        assert own or not read.messages or wire.problems(view) == []


def test_only_the_list_is_changed(runs: dict[str, list[Step]]) -> None:
    """All that stands beside the list leaves as the client sent it, but for the usage that it asks for."""
    for step in all_steps(runs):
        beside = [key for key in step.sent if key not in ("messages", "input")]
        added = [key for key in beside if key not in step.came.body]

        assert {key: step.sent[key] for key in beside if key not in added} == step.came.beside
        assert added in ([], ["stream_options"])
        assert not added or step.action != "none"


def test_what_was_sent_is_sent_again(runs: dict[str, list[Step]]) -> None:
    """Every follow-up request begins with all that went out before, unless that must be made smaller.

    Once something was left out, the conversation is recognised by it.
    """
    for step in all_steps(runs):
        if step.must_be_replayed and not step.is_the_clients:
            assert step.is_replayed
            assert step.action == ("frozen" if step.items != step.came.items else "none")


def test_what_is_the_clients_business_is_not_touched(runs: dict[str, list[Step]]) -> None:
    """A list that fits, of a new conversation, and a client's own compaction go out as they came."""
    for step in all_steps(runs):
        is_small = size(step.came, step.came.body) < TRIGGER * step.budget
        if step.is_the_clients or (step.parent is None and is_small):
            assert (step.sent, step.action) == (step.came.body, "none")


def test_boundary_stays_for_a_while(runs: dict[str, list[Step]]) -> None:
    """Where a conversation has room to grow, what it begins with is not another at every turn.

    Twice in a row is right: a result that is all the window is worth is cut at once, and put away when it has
    been read.
    """
    steps = [step for step in runs["third beside the first request"] if step.parent is not None]
    moved = "".join("-" if step.is_replayed else "x" for step in steps)

    assert "xxx" not in moved


def test_lists_are_made_to_fit(runs: dict[str, list[Step]]) -> None:
    """Where the first request fits, so does every other."""
    for step in runs["third beside the first request"]:
        assert size(step.came, step.sent) + fixed(step.came) <= step.window


def marks(items: Items) -> list[int]:
    """Return how many messages stand behind each that bears a cache mark, system messages aside."""
    said = [one for one in items if one.get("role") != "system"]
    return [at for at, one in enumerate(reversed(said)) if '"cache_control": {' in json.dumps(one)]


def test_cache_marks_stay_where_the_client_wants_them(runs: dict[str, list[Step]]) -> None:
    """Where a client marks what to cache, its newest mark stands as far from the end as it put it."""
    for step in all_steps(runs):
        assert marks(step.items)[:1] == marks(step.came.items)[:1]
