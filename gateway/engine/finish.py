"""The last look at every rewritten list: repaired and written for its wire format, and what it left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from gateway.core import prefix
from gateway.core.conversation import Conversation, Message
from gateway.core.frozen import replace
from gateway.engine.lineage import freeze
from gateway.engine.pipeline import Result
from gateway.engine.replay import size_on
from gateway.engine.subject import Action, Plan, Subject
from gateway.store.base import Checkpoint, Original


def finished(subject: Subject, result: Result) -> Result:
    """Return the result repaired and written for the wire format. Raise ValueError if it is still wrong."""
    if not subject.request.messages:  # its list is not ours to touch, or there is none
        return result
    view = subject.wire.repair(result.view, subject.count)
    problems = subject.wire.problems(view)
    if problems:
        raise ValueError(f"{len(problems)} structural problems are left after the repair")
    written = tuple(message if message.raw else _written(subject, message) for message in view.messages)
    return Result(replace(view, messages=written), result.reports)


def _written(subject: Subject, message: Message) -> Message:
    """Return a message that was made here as it is read from its bytes: a rescue may have to edit it."""
    return subject.wire.message(subject.wire.compose(message), subject.count)


def is_untouched(view: Conversation, length: int) -> bool:
    return len(view.messages) == length and all(
        message.origin == index for index, message in enumerate(view.messages)
    )


def removed(subject: Subject, base: Checkpoint | None, view: Conversation, now: float) -> Iterator[Original]:
    """Yield what is to be stored before the view is sent, less what an earlier compaction stored."""
    kept = {message.origin for message in view.messages}
    before = _replaced(base)
    for index, raw in enumerate(subject.request.messages):
        if index not in kept and index not in before:
            yield _original(raw, now)
    for offload in view.offloads:
        content = offload.text.encode("utf-8", "surrogatepass")
        yield Original(offload.id, content, kind="offload", name=offload.name, created_at=now)


def removed_before(subject: Subject, base: Checkpoint | None) -> Iterator[Original]:
    """Yield the messages that an earlier compaction replaced, as it stored them."""
    for index in sorted(_replaced(base)):
        yield _original(subject.request.messages[index])


def _replaced(base: Checkpoint | None) -> set[int]:
    return set(range(base.length)).difference(base.items) if base is not None else set()


def _original(raw: bytes, now: float = 0.0) -> Original:
    return Original(prefix.tagged(sha256(raw).digest()), raw, created_at=now)


def planned(
    subject: Subject,
    chain: Sequence[bytes],
    base: Checkpoint | None,
    result: Result,
    action: Action,
    now: float,
) -> Plan:
    """Return the plan that sends a finished result, with the checkpoint that replays it."""
    view = result.view
    covered_hash, covered, items = freeze(view, len(chain), chain)
    tail = sum(fact.tokens for fact in subject.counted.facts[covered:])
    checkpoint = Checkpoint(
        prefix=covered_hash,
        length=covered,
        items=items,
        tokens=view.tokens - tail,
        window=subject.window.tokens or 0,
        policy=subject.policy.fingerprint,
        created_at=now,
        whole_tokens=view.tokens,
    )
    return Plan(
        subject.wire.write(subject.request, view),
        action,
        subject.counted.tokens,
        view.tokens + subject.counted.extras_tokens,
        size_on(subject, base) + subject.counted.extras_tokens,
        len(view.messages),
        result.reports,
        checkpoint=checkpoint,
        base=base,
        view=view,
    )
