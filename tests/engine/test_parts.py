"""What every exchange works with."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from gateway.engine.parts import Parts
from gateway.settings import Settings
from wired import engine


def test_hold_is_as_long_as_the_settings_say() -> None:
    """An answer is held for the time that the README names, also where nobody has set it."""
    held = {field.name: field.default for field in dataclasses.fields(Parts)}["hold_s"]

    assert held == Settings().hold_s


def test_parts_are_the_same_for_every_exchange() -> None:
    """No exchange can exchange what the others work with."""

    async def run() -> None:
        async with engine() as made:
            with pytest.raises(dataclasses.FrozenInstanceError):
                made.parts.hold_s = 1.0  # type: ignore[misc]  # it must not work

    asyncio.run(run())
