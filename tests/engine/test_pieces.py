"""Steps find what a model wrote, in the process and after a restart, and do without what nobody wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from engine.asking import BRIEF, TELLING, Tell
from engine.summing import OVER, Scripted, sent, summing
from gateway.core.frozen import replace
from gateway.engine.pieces import MAX_RUNS, Reading, last_of
from gateway.engine.prepared import Summaries, piece_rules
from gateway.engine.replay import view_of
from gateway.policy.schema import Step
from gateway.store.base import Prepared, StoreError
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.base import Room
from gateway.strategies.piece import Piece
from stores import opened
from wired import PLACE, Engine, words

RULES = piece_rules(TELLING)


class Counting(SqliteStore):
    """A store that counts how often it is asked for texts."""

    asked: list[int]

    def __init__(self) -> None:
        super().__init__(MEMORY)
        self.asked = []

    async def summaries(
        self, scope: str, wire: str, policy: str, rules: str, prefixes: Sequence[bytes], limit: int = 1
    ) -> Sequence[Prepared]:
        """Return what is stored."""
        self.asked.append(len(prefixes))
        return await super().summaries(scope, wire, policy, rules, prefixes, limit)


async def pieces(made: Engine, body: bytes = OVER) -> list[Piece]:
    """Return what the step asks for."""
    subject = await made.subject(body, TELLING)
    reading = Reading(Summaries(made.parts.store), PLACE, RULES, words)
    Tell().apply(view_of(subject, None), Room(360, 800, words, written=reading))
    return list(reading.missed.values())


async def written(made: Engine, text: str = BRIEF) -> None:
    """Store a text of every piece."""
    for piece in await pieces(made):
        await Summaries(made.parts.store).commit(PLACE, Prepared(piece.key, 0, text, RULES))


def run(check: Any, store: Any = None) -> None:
    """Run a check on an engine."""

    async def main() -> None:
        async with (
            opened(store or SqliteStore(MEMORY)) as opened_store,
            summing(Scripted(), opened_store) as made,
        ):
            await check(made)

    asyncio.run(main())


def test_step_uses_what_an_earlier_process_had_written() -> None:
    """The first run asks in vain; what the store has of it is found in one query, and the steps run again."""
    store = Counting()

    async def check(made: Engine) -> None:
        await written(made)
        before = len(store.asked)
        body = await sent(made, OVER, TELLING)
        texts = [one["content"] for one in json.loads(body)["messages"]]
        assert texts.count(BRIEF) > 3
        assert "haversack-digest" not in body.decode()
        assert len(store.asked) == before + 1

    run(check, store)


def test_store_is_asked_once_for_what_it_does_not_have() -> None:
    """Nothing was written: the step does without, the next one acts; from then on the store is left alone."""
    store = Counting()

    async def check(made: Engine) -> None:
        assert b"haversack-digest" in await sent(made, OVER, TELLING)
        assert len(store.asked) == 1
        await sent(made, OVER, replace(TELLING, fingerprint="other"))
        assert len(store.asked) == 1

    run(check, store)


def test_store_that_is_away_costs_no_answer() -> None:
    """The step does without, and that is counted."""

    class Away(SqliteStore):
        async def summaries(self, *asked: Any, **more: Any) -> Any:
            raise StoreError("away")

    async def check(made: Engine) -> None:
        assert b"haversack-digest" in await sent(made, OVER, TELLING)
        assert made.failed_open("store_read") == 1

    run(check, Away(MEMORY))


def test_policy_that_asks_no_model_asks_no_store() -> None:
    """What cannot be used is not looked for."""
    store = Counting()

    async def check(made: Engine) -> None:
        silent = replace(TELLING, steps=(Step("tell", Tell(model=False)), *TELLING.steps[1:]))
        await sent(made, OVER, silent)
        assert store.asked == []

    run(check, store)


def test_text_is_never_longer_than_its_piece_may_be() -> None:
    """Counted for another model it may have been shorter: it is cut at the end of a sentence."""

    async def check(made: Engine) -> None:
        first, *_ = await pieces(made)
        summaries = Summaries(made.parts.store)
        await summaries.commit(PLACE, Prepared(first.key, 0, "One sentence is here. " * 9, RULES))
        text = Reading(summaries, PLACE, RULES, words)(first)
        assert text is not None
        assert words(text) <= first.max_tokens
        assert text.startswith("One sentence is here.")

    run(check)


def test_what_was_written_under_other_rules_or_for_others_is_none() -> None:
    """A policy that wants another language, or another tenant, gets nothing of it."""

    async def check(made: Engine) -> None:
        first, *_ = await pieces(made)
        summaries = Summaries(made.parts.store)
        await summaries.commit(PLACE, Prepared(first.key, 0, BRIEF, RULES))
        assert Reading(summaries, PLACE, RULES, words)(first) == BRIEF
        assert Reading(summaries, PLACE, "other", words)(first) is None
        assert Reading(summaries, type(PLACE)("other", "openai_chat", "default"), RULES, words)(first) is None

    run(check)


@pytest.mark.parametrize(("turning_up", "runs"), [([], 1), ([True], 2), ([True] * 9, MAX_RUNS)])
def test_steps_are_run_again_for_what_turns_up_and_not_for_ever(turning_up: list[bool], runs: int) -> None:
    """With a text they ask for another one; whatever the store goes on finding, a request is answered."""
    made: list[int] = []

    async def run() -> int:
        made.append(len(made) + 1)
        return made[-1]

    async def turns_up() -> bool:
        return turning_up.pop() if turning_up else False

    assert asyncio.run(last_of(run, turns_up)) == runs
    assert len(made) == runs
