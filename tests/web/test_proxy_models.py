"""What a policy says of some models applies to requests for them, and to no others."""

from __future__ import annotations

import asyncio

import pytest

from siting import CHAT, header, site
from wired import LONG, answer, chat, value


@pytest.mark.parametrize(("model", "action"), [("m", b"compacted"), ("roomy-1", b"none")])
def test_settings_are_those_of_the_model_that_is_asked_for(model: str, action: bytes) -> None:
    """The same conversation is compacted for one model, and goes out as it came for another."""

    async def run() -> None:
        async with site(answer()) as here:
            headers = [(b"x-haversack-policy", b"by-model")]
            call = here.call(CHAT, chat(LONG, model=model), headers=headers)
            await call.read()
            assert header(call, b"x-haversack-action") == action
            assert header(call, b"x-haversack-policy") == b"by-model"

    asyncio.run(run())


@pytest.mark.parametrize(("model", "action"), [("m", "compacted"), ("roomy-1", "none")])
def test_what_is_only_observed_is_measured_by_them_too(model: str, action: str) -> None:
    """What would have been done with a request is told as for its model."""

    async def run() -> None:
        async with site(answer(prompt=860)) as here:
            headers = [(b"x-haversack-policy", b"observe-by-model")]
            await here.call(CHAT, chat(LONG, model=model), headers=headers).read()
            while here.engine.background:
                await here.engine.background.pop(0)[1]
            labels = {"tenant": "open", "policy": "observe-by-model", "action": action}
            assert value(here.engine.parts.metrics, "observed_requests", **labels) == 1

    asyncio.run(run())
