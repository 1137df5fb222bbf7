"""Run an exchange against an upstream within the process, to its end."""

from __future__ import annotations

import asyncio

from gateway.core.errors import GatewayError
from gateway.engine.attempt import Ask
from gateway.engine.exchange import Exchange
from gateway.engine.subject import Action
from gateway.policy.schema import Policy
from wired import LONG, REACTING, Edge, Engine, ask, chat, engine, failed, refusal

BODY = chat(LONG)
INVALID = failed(400, "Invalid value: 'messages[1].role'.")
TOO_LONG = refusal(1200, 1030)


async def answered(made: Engine, asked: Ask) -> tuple[int, bytes, Action, int]:
    """Return status, body, what was done and how often the upstream was asked."""
    exchange = Exchange(made.parts, asked)
    try:
        got = await exchange.open()
        body = b"".join([chunk async for chunk in got.chunks])
        assert got.plan is not None
        return got.status, body, got.plan.action, exchange.attempts
    finally:
        await exchange.close()


def exchanged(edge: Edge, body: bytes = BODY, policy: Policy = REACTING) -> tuple[int, bytes, Action, int]:
    """Return what a client gets from an upstream that answers as given. Raise GatewayError."""

    async def run() -> tuple[int, bytes, Action, int] | GatewayError:
        async with engine() as made:
            try:
                return await answered(made, ask(edge, body, policy))
            except GatewayError as error:
                return error  # past the task group, which would wrap it

    found = asyncio.run(run())
    if isinstance(found, GatewayError):
        raise found
    return found
