"""A request whose beginning is replaced by what is frozen: its size, its bytes, and the view of it."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.core.conversation import Conversation, Message
from gateway.engine.subject import Action, Plan, Subject
from gateway.store.base import Checkpoint
from gateway.strategies.place import told_apart


def size_on(subject: Subject, base: Checkpoint | None) -> int:
    """Return the tokens of the messages, in our count, once the beginning is replaced by what is frozen."""
    if base is None:
        return subject.counted.message_tokens
    return base.tokens + sum(fact.tokens for fact in subject.counted.facts[base.length :])


def frozen_items(subject: Subject, base: Checkpoint) -> Iterator[bytes]:
    """Return what is frozen as it goes out; what the client sent comes from its list."""
    slices = subject.request.messages
    return (slices[item] if isinstance(item, int) else item for item in base.items)


def replayed(subject: Subject, checkpoint: Checkpoint) -> Plan:
    counted, slices = subject.counted, subject.request.messages
    tail = slices[checkpoint.length :]
    tokens = size_on(subject, checkpoint) + counted.extras_tokens
    return Plan(
        subject.request.with_messages((*frozen_items(subject, checkpoint), *tail)),
        Action.FROZEN,
        counted.tokens,
        tokens,
        tokens,
        len(checkpoint.items) + len(tail),
        base=checkpoint,
    )


def view_of(subject: Subject, base: Checkpoint | None) -> Conversation:
    """Return the view of the request, its frozen prefix replaced. This is what decodes messages."""
    slices, wire, count, read = subject.request.messages, subject.wire, subject.count, subject.counted.read
    items = base.items if base is not None else ()
    start = base.length if base is not None else 0

    def message(index: int) -> Message:
        return read.get(index) or wire.message(slices[index], count, index)

    frozen = [message(item) if isinstance(item, int) else wire.message(item, count) for item in items]
    return told_apart(Conversation((*frozen, *map(message, range(start, len(slices))))))
