"""What would be sent for a request, and why: nothing is sent, nothing is stored.

The dry run over HTTP asks a running gateway, with all that it has learned; `offline` needs none. All tokens
it tells are true tokens of the whole request, as the upstream counts them, so far as that is learned.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from gateway.core import json
from gateway.core.ledger.find import find
from gateway.core.memo import Memo
from gateway.engine import removals
from gateway.engine.compactor import Compactor
from gateway.engine.counting import Counting
from gateway.engine.lineage import Checkpoints, Place
from gateway.engine.pieces import Reading
from gateway.engine.pieces_wanted import missed_by
from gateway.engine.prepared import Summaries
from gateway.engine.sizes import due, is_past
from gateway.engine.subject import Action, Asked, Plan, Subject, as_it_came
from gateway.engine.summary_state import State, Texts, state
from gateway.engine.vocabulary import Vocabulary
from gateway.engine.windows import Windows
from gateway.policy.levels import Level
from gateway.policy.schema import Mode, Policy
from gateway.store.base import Store
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.wire.base import WireFormat


async def preview(
    compactor: Compactor, subject: Subject, target_tokens: int | None, whole_first: bool = False
) -> Plan:
    """Return what would be sent.

    With a target (true tokens of the whole request), what would be sent if no more than that were accepted:
    a target that the policy's own plan meets changes nothing. *whole_first*: nothing is done before that.
    """
    if subject.policy.mode is Mode.OFF:
        return as_it_came(subject)
    plan = as_it_came(subject) if whole_first else await compactor.plan(subject, dry=True)
    if target_tokens is None or plan.tokens * subject.correction <= target_tokens:
        return plan
    fits = max(int(target_tokens / subject.correction) - subject.counted.extras_tokens, 1)
    return await compactor.squeezed(subject, fits) or plan


def report(
    subject: Subject,
    plan: Plan,
    note: str = "",
    summary: State | None = None,
    texts: Texts | None = None,
) -> bytes:
    """Return the answer of a dry run; the request in it is the very bytes that would be sent.

    *note*: why no policy changes the request; *summary*: how far its summary is, *texts*: those of pieces.
    """
    steps = list(_steps(subject, plan))
    after = round(plan.tokens * subject.correction)
    said = {
        "action": plan.action.value,
        "hint": hint(subject, plan, note, summary),
        "tokens_before": round(plan.tokens_before * subject.correction),
        "tokens_after": after,
        **_sizes(subject),
        "summary": summary,
        "texts": msgspec.to_builtins(texts),
        "steps": steps,
        "ledger_tokens": after - steps[-1]["tokens_after"] if steps else 0,
        "removed": removals.told(subject, plan),
        "removed_before": removals.told_before(subject, plan),
    }
    return b"".join((b'{"request":', plan.body, b',"report":', json.encode(said), b"}"))


def laid_out(made: bytes) -> bytes:
    """Return the answer of a dry run in lines, for people to read; as it is where that cannot be done."""
    try:
        return msgspec.json.format(made)
    except msgspec.DecodeError:  # half a character, a number that is none: the lenient reader took it
        return made


def hint(subject: Subject, plan: Plan, note: str = "", summary: State | None = None) -> str:
    """Return what somebody who wonders about a plan should know; empty: it speaks for itself."""
    policy, model = subject.policy, subject.asked.model or "this model"
    if policy.mode is Mode.OFF:
        return f"policy {policy.name} says `mode: off`: everything goes out as it came"
    if note and plan.action is Action.NONE:
        return note
    told = [f"for {model} the settings below `models: {policy.glob}` apply"] if policy.glob else []
    if policy.mode is Mode.OBSERVE:
        told.append(
            f"policy {policy.name} says `mode: observe`: it goes out as it came, and this is only told"
        )
    if plan.action is Action.FROZEN:
        told.append(
            "an earlier compaction of its beginning is replayed, whatever the policy says since; "
            "`haversack compact` shows what one makes of all of it"
        )
    if subject.budget is None:
        told.append(_without_window(subject, model))
    if plan.action is Action.NONE and (subject.budget is not None or _numbers(subject)):
        told.append(_why_nothing(subject, plan))
    if summary in _SUMMARY:
        told.append(_SUMMARY[summary])
    elif summary is State.WANTED:
        told.append(_WANTED[policy.summarizer.mode].format(timeout_s=policy.summarizer.timeout_s))
    return "; ".join(told)


def _without_window(subject: Subject, model: str) -> str:
    """Return what follows from a window that nobody knows; a trigger may have numbers that need none."""
    numbers = _numbers(subject)
    only = f"nothing but {numbers} triggers a compaction" if numbers else "nothing is compacted"
    return (
        f"no window is known for {model}: {only} before the upstream refuses a request; "
        "`windows` in the policy can name one"
    )


def _why_nothing(subject: Subject, plan: Plan) -> str:
    policy, is_any_due = subject.policy, bool(due(subject, plan))
    if not policy.steps:
        return f"policy {policy.name} has no steps: nothing is done before the upstream refuses a request"
    tokens = plan.tokens - subject.counted.extras_tokens
    if not is_past(policy.trigger, subject, tokens, plan.messages, plan.base):
        found = ", and the steps that run before that find nothing to take out" if is_any_due else ""
        return f"it is below the trigger ({_numbers(subject)}){found}"
    if not is_any_due:
        return "it is over the trigger, but no step is due: each has a `when` of its own"
    fixed = subject.counted.untouchable
    if is_past(policy.trigger, subject, fixed - subject.counted.extras_tokens, 0, plan.base):
        size = round(fixed * subject.correction)
        return (
            f"its system messages and tools alone, {size} tokens, are past the trigger: no step shortens them"
        )
    return "too little could be taken out: lower `keep` in the policy, or add steps to it"


def _numbers(subject: Subject) -> str:
    """Return in words at what size the policy acts; empty: at none, as long as no window is known."""
    trigger, tokens = subject.policy.trigger, _level(subject, subject.policy.trigger)
    found = ((tokens, "tokens of messages"), (trigger.messages, "messages"), (trigger.turns, "turns"))
    return " or ".join(f"{number} {unit}" for number, unit in found if number is not None)


_SUMMARY = {
    State.READY: "a summary is written, and takes its place when the trigger is reached",
    State.WRITING: "a summary is being written",
    State.PAUSED: (
        "a summary would be asked for, but who could write it is left alone for a while: the log and "
        "`haversack_summaries_total` say why"
    ),
    State.MISSING: "no summary is ready for the step `summarize`: the steps behind it do its work",
}

_WANTED = {
    "background": "once this is answered, a summary would be asked for",
    "next": (
        "it goes out as shown, without a summary; once this is answered, one would be asked for, which the "
        "next request has (`summarizer.mode: next`); to have one before, say `background` and lower `prepare`"
    ),
    "inline": (
        "it would wait up to {timeout_s:g} s for a summary and go out with that (`summarizer.mode: inline`); "
        "what is shown is without, as it goes out if none comes in time; to wait for none, say `background`"
    ),
}
"""By when the policy has one asked for: what would happen, and what to change."""


def _sizes(subject: Subject) -> dict[str, int | str | None]:
    """Return what the plan was measured by; what follows from a window is None as long as that is."""
    budget, policy, correction = subject.budget, subject.policy, subject.correction
    return {
        "window": subject.window.tokens,
        "window_source": subject.window.source.value,
        "reserve": budget.reserve if budget is not None else None,
        "fixed_tokens": round(subject.counted.extras_tokens * correction),
        "budget": round(budget.tokens * correction) if budget is not None else None,
        "trigger": _level(subject, policy.trigger),
        "target": _level(subject, policy.target),
        "messages_limit": policy.trigger.messages,
    }


def _level(subject: Subject, of: Level) -> int | None:
    tokens = subject.budget.at(of.ratio, of.tokens) if subject.budget is not None else None
    return round(tokens * subject.correction) if tokens is not None else of.tokens


def _steps(subject: Subject, plan: Plan) -> Iterator[dict[str, Any]]:
    """Yield what each step did; it knows of the messages alone, and this tells of the whole request."""
    fixed = subject.counted.extras_tokens
    for step in plan.reports:
        yield {
            "step": step.step,
            "outcome": step.outcome,
            "tokens_before": round((step.tokens_before + fixed) * subject.correction),
            "tokens_after": round((step.tokens_after + fixed) * subject.correction),
        }


async def offline(
    wire: WireFormat, body: bytes, policy: Policy, target_tokens: int | None, note: str = ""
) -> tuple[bytes, str]:
    """Return the answer of a dry run made by this process alone, and its hint. Raise json.Malformed.

    What only an upstream can say, a window that it lists, is not known, and no summary is ready. *note*: why
    no policy changes it.
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
                place, applies = Place("", wire.name, policy.name), policy.of(request.model)
                subject = await compactor.examine(asked, place, applies)
                plan = await preview(compactor, subject, target_tokens, whole_first=bool(note))
                if note:
                    return report(subject, plan, note), hint(subject, plan, note)
                summary, texts = state(subject, plan), _texts(subject, plan, store)
                return report(subject, plan, "", summary, texts), hint(subject, plan, "", summary)
            finally:
                await store.close()


def _texts(subject: Subject, plan: Plan, store: Store) -> Texts | None:
    """Return how many texts of pieces would be asked for, where there are none; None: no step uses any."""
    reading = Reading.of(subject, Summaries(store)) if subject.policy.mode is not Mode.OFF else None
    return Texts(wanted=len(missed_by(subject, plan, reading, None, find))) if reading is not None else None


def _ignored(reason: str) -> None:
    """Let a failure of the store go: there is nothing in it."""
