"""What was prepared is found again by whom it was prepared for, also after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine.asking import Tell
from gateway.core.frozen import replace
from gateway.engine.lineage import Place
from gateway.engine.prepared import Summaries, piece_rules, rules_of, size_bytes
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy, Step
from gateway.store.base import Prepared, StoreError
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.strategies.summarize import Summarize
from stores import opened

PLACE = Place("acme", "openai_chat", "default")
CHAIN = [b"p%d" % n for n in range(1, 10)]


def summary(length: int, rules: str = "r") -> Prepared:
    """Return a summary of so many messages."""
    return Prepared(CHAIN[length - 1], length, f"about {length}", rules)


def test_longest_one_is_found_after_a_restart(tmp_path: Path) -> None:
    """Of several beginnings the longest counts, and another process finds what this one stored."""

    async def run() -> None:
        async with opened(SqliteStore(tmp_path / "store.db")) as store:
            summaries = Summaries(store)
            assert await summaries.find(PLACE, "r", CHAIN) is None
            for length in (3, 7, 5):
                await summaries.commit(PLACE, summary(length))
            assert summaries.held(PLACE, "r", CHAIN) == summary(7)
            assert summaries.held(PLACE, "r", CHAIN[:6]) == summary(5)
        async with opened(SqliteStore(tmp_path / "store.db")) as store:
            summaries = Summaries(store)
            assert summaries.held(PLACE, "r", CHAIN) is None
            assert await summaries.find(PLACE, "r", CHAIN) == summary(7)
            assert summaries.held(PLACE, "r", CHAIN) == summary(7)

    asyncio.run(run())


def test_other_rules_and_places_find_nothing() -> None:
    """What was written for somebody else, or under other rules, is never used."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            summaries = Summaries(store)
            await summaries.commit(PLACE, summary(3))
            assert await summaries.find(PLACE, "s", CHAIN) is None
            assert await summaries.find(Place("other", "openai_chat", "default"), "r", CHAIN) is None

    asyncio.run(run())


def test_memory_is_bounded_by_what_was_used_last() -> None:
    """Of more than fits, the one that was not used for longest is asked of the store again."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            summaries = Summaries(store, max_bytes=2 * size_bytes(summary(1)))
            await summaries.commit(PLACE, summary(1))
            await summaries.commit(PLACE, summary(2))
            assert summaries.held(PLACE, "r", CHAIN[:1])
            await summaries.commit(PLACE, summary(3))
            assert summaries.held(PLACE, "r", CHAIN[:2]) == summary(1)
            assert await summaries.find(PLACE, "r", CHAIN[1:2]) == summary(2)

    asyncio.run(run())


def test_store_that_is_away_costs_no_summary() -> None:
    """Whoever cannot store one has it all the same, as long as the process lives."""

    async def run() -> None:
        summaries = Summaries(SqliteStore(MEMORY))
        with pytest.raises(StoreError):
            await summaries.commit(PLACE, summary(3))
        assert await summaries.find(PLACE, "r", CHAIN) == summary(3)

    asyncio.run(run())


def test_rules_are_all_that_a_policy_says_of_summaries() -> None:
    """To change how summaries look is to want others; what else a policy says leaves them as they are."""
    policy, step = Policy(name="a"), Summarize()
    rules = rules_of(policy, step)
    assert rules == rules_of(replace(policy, name="b", light_margin=2.0), Summarize())
    assert rules != rules_of(replace(policy, summarizer=SummarizerRules(focus="prices")), step)
    assert rules != rules_of(policy, Summarize(fold="half"))


def test_texts_of_pieces_are_loaded_once_and_asked_for_again_when_they_had_to_go() -> None:
    """What the store has is held; what it has not is not asked for again; what memory let go of is."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            await Summaries(store).commit(PLACE, Prepared(b"a", 0, "in brief", "r"))
            summaries = Summaries(store, max_bytes=size_bytes(Prepared(b"a", 0, "in brief", "r")))
            assert summaries.text(PLACE, "r", b"a") is None
            assert await summaries.load(PLACE, "r", [b"a", b"b"])
            assert summaries.text(PLACE, "r", b"a") == "in brief"
            assert not await summaries.load(PLACE, "r", [b"a", b"b"])
            await summaries.commit(PLACE, Prepared(b"c", 0, "in brief", "r"))
            assert summaries.text(PLACE, "r", b"a") is None
            assert await summaries.load(PLACE, "r", [b"a", b"b"])

    asyncio.run(run())


def test_text_that_is_used_stays_longest() -> None:
    """Of more than fits, what no compaction used goes first."""

    async def run() -> None:
        async with opened(SqliteStore(MEMORY)) as store:
            one = Prepared(b"a", 0, "in brief", "r")
            summaries = Summaries(store, max_bytes=2 * size_bytes(one))
            for key in (b"a", b"b"):
                await summaries.commit(PLACE, replace(one, prefix=key))
            summaries.used(PLACE, "r", [b"a", b"x"])
            await summaries.commit(PLACE, replace(one, prefix=b"c"))
            assert [summaries.text(PLACE, "r", key) for key in (b"a", b"b")] == ["in brief", None]

    asyncio.run(run())


def test_policy_asks_a_model_by_its_steps() -> None:
    """A summary, or a step with `model`; where none does, nothing is looked for or prepared."""
    steps = (Summarize(), True), (Tell(), True), (Tell(model=False), False)
    for strategy, is_asking in steps:
        assert Policy(name="a", steps=(Step("tell", strategy),)).uses_model is is_asking
    assert piece_rules(Policy(name="a")) == piece_rules(Policy(name="b"))
