"""A store that leaves no trace."""

from __future__ import annotations

import asyncio

from gateway.store.base import Learned, Original, Prepared
from gateway.store.forgetful import Forgetful


def test_it_takes_everything_and_keeps_nothing() -> None:
    """What is put there is taken without an error, and is not there afterwards."""

    async def run() -> None:
        store = Forgetful()
        await store.put_originals("s", [Original("sha256-a", b"secret")])
        await store.put_learned(Learned("u", "m"))
        await store.put_summary("s", "w", "p", Prepared(b"p", 1, "secret"))
        assert await store.original("s", "sha256-a") is None
        assert await store.summaries("s", "w", "p", "", [b"p"]) == ()
        assert await store.delete_original("s", "sha256-a") is False
        assert (await store.learned(), await store.checkpoints("s", "w", "p", [b"p"])) == ((), ())
        assert (await store.size_bytes(), await store.expire(1.0)) == (0, 0)

    asyncio.run(run())
