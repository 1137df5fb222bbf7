"""What would be sent for a request, and why: nothing is sent, nothing is stored.

The dry run over HTTP asks a running gateway, with all that it has learned; `offline` needs none.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec

from gateway.core.memo import Memo
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.finish import removed
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.subject import Asked, Plan, Subject, as_it_came
from gateway.engine.vocabulary import Vocabulary
from gateway.engine.windows import Windows
from gateway.policy.schema import Mode, Policy
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.wire.base import WireFormat


async def preview(compactor: Compactor, subject: Subject, target_tokens: int | None) -> Plan:
    """Return what would be sent.

    With a target (true tokens of the whole request), as if that were all that fits.
    """
    if subject.policy.mode is Mode.OFF:
        return as_it_came(subject)
    if target_tokens is None:
        return await compactor.plan(subject, dry=True)
    fits = max(int(target_tokens / subject.correction) - subject.counted.extras_tokens, 1)
    if subject.counted.message_tokens <= fits:
        return as_it_came(subject)
    return await compactor.squeezed(subject, fits) or as_it_came(subject)


def report(subject: Subject, plan: Plan) -> bytes:
    """Return the answer of a dry run; the request in it is the very bytes that would be sent."""
    gone = removed(subject, plan.base, plan.view, 0.0) if plan.view is not None else ()
    correction = subject.correction
    said = {
        "action": plan.action.value,
        "tokens_before": round(plan.tokens_before * correction),
        "tokens_after": round(plan.tokens * correction),
        "steps": [
            {
                "step": step.step,
                "outcome": step.outcome,
                "tokens_before": round(step.tokens_before * correction),
                "tokens_after": round(step.tokens_after * correction),
            }
            for step in plan.reports
        ],
        "removed": [
            {"id": original.id, "kind": original.kind, "name": original.name, "size": len(original.content)}
            for original in gone
        ],
    }
    return b"".join((b'{"request":', plan.body, b',"report":', msgspec.json.encode(said), b"}"))


async def offline(wire: WireFormat, body: bytes, policy: Policy, target_tokens: int | None) -> bytes:
    """Return the answer of a dry run made by this process alone. Raise json.Malformed if *body* is none.

    What only an upstream can say, a window that it lists, is not known.
    """
    request = wire.read(body)
    store = SqliteStore(MEMORY)
    with ThreadPoolExecutor(1) as executor:
        async with asyncio.TaskGroup() as group:
            await store.open(group)
            try:
                counting, windows = Counting(Memo(), executor), Windows(time.time)
                compactor = Compactor(counting, Checkpoints(store), store, windows, _ignored, time.time)
                count = Vocabulary().load(request.model).count
                asked = Asked(wire, request, "", request.model, count)
                subject = await compactor.examine(asked, Place("", wire.name), policy)
                return report(subject, await preview(compactor, subject, target_tokens))
            finally:
                await store.close()


def _ignored(reason: str) -> None:
    """Let a failure of the store go: there is nothing in it."""
