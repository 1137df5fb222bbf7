"""Observe mode tells where a model would be asked for a summary; it asks none."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from engine.summing import NEAR, OVER
from siting import CHAT, site
from wired import LONG, answer, chat, message


def test_summary_that_would_be_asked_for_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """Before the trigger, where nothing else is done, and at it, where a digest stands in for the summary."""
    grown = chat([*json.loads(NEAR)["messages"], message("user", 5)])

    async def run() -> None:
        async with site(*(answer() for _ in range(4))) as here:
            for body in (chat(LONG[:3]), NEAR, grown, OVER):
                await here.call(CHAT, body, headers=[(b"x-haversack-policy", b"observe-summing")]).read()
                await here.engine.background.pop()[1]
            assert here.edge.bodies == [chat(LONG[:3]), NEAR, grown, OVER]

    with caplog.at_level(logging.INFO):
        asyncio.run(run())
    told = [vars(record) for record in caplog.records if record.message == "observed"]
    assert [(one["action"], one["summary"], one["steps"]) for one in told] == [
        ("none", "wanted", ""),
        ("compacted", "wanted", "digest"),
    ]
