"""What the policy's steps make of a request, as it is sent and as it is tried out."""

from __future__ import annotations

import asyncio
import sys

from gateway.engine.compaction import compaction
from gateway.engine.sizes import fits_of
from gateway.strategies.base import Room
from wired import LONG, REACTING, TRIMMING, chat, engine, message, words


def test_steps_go_down_to_their_target() -> None:
    """What is newest stays, and the ledger's room is kept free."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat(LONG))
            result = compaction(subject, None, TRIMMING.steps, Room(360, fits_of(subject), words))
            assert result.view.tokens <= 360
            assert result.view.messages[-1].text.startswith("now")

    asyncio.run(run())


def test_what_would_be_refused_for_sure_climbs_the_ladder() -> None:
    """Steps that leave too much are not the last word where the window is certain."""

    async def run() -> None:
        async with engine() as made:
            subject = await made.subject(chat([message("user", 2000)]))
            result = compaction(subject, None, TRIMMING.steps, Room(360, fits_of(subject), words))
            assert result.view.tokens <= fits_of(subject)

    asyncio.run(run())


def test_unknown_window_fits_everything() -> None:
    """Nobody knows what would not fit."""

    async def run() -> None:
        async with engine() as made:
            assert fits_of(await made.subject(chat(LONG), REACTING)) == sys.maxsize

    asyncio.run(run())
