"""What is passed through, and what counts as having got all of it."""

from __future__ import annotations

import asyncio

import pytest

from siting import CHAT, Headers, Site, site
from wired import LONG, Feed, chat, delta, event, stream

DONE = event(b"[DONE]")


async def left(here: Site, feed: Feed, headers: Headers) -> None:
    """Read a stream up to what has arrived, and hang up; the upstream's connection stays open."""
    call = here.call(CHAT, chat(LONG, stream=True), headers=headers)
    got = await call.chunks.get()
    while not call.chunks.empty():
        got += call.chunks.get_nowait()
    await asyncio.sleep(0)
    call.hang_up()
    await call.task
    assert feed.is_closed


@pytest.mark.parametrize(
    ("headers", "labels"),
    [
        ([], {"action": "compacted"}),
        ([(b"x-haversack-bypass", b"1")], {"action": "bypass"}),
        ([(b"x-haversack-policy", b"observe")], {"action": "none", "policy": "observe"}),
    ],
)
@pytest.mark.parametrize(("pieces", "status"), [((DONE,), "200"), ((), "499")])
def test_client_that_leaves_behind_the_last_event_is_done(
    headers: Headers, labels: dict[str, str], pieces: tuple[bytes, ...], status: str
) -> None:
    """Libraries close the connection when they have read `[DONE]`; nobody left anything behind then.

    Seen: such requests were counted as broken off (499) whenever the upstream's own end came a little later.
    """

    async def run() -> None:
        feed = Feed(delta(content="All right.") + b"".join(pieces), is_open=True)
        async with site(stream(feed)) as here:
            await left(here, feed, headers)
            assert here.requests(status=status, **labels) == 1

    asyncio.run(run())
