"""Too many messages or turns, whatever their size: whether there are, and to how many they come down."""

from __future__ import annotations

from gateway.core.conversation import Message, Role
from gateway.core.frames import is_frame
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint
from gateway.strategies.place import is_digest

_LEAST_SHARE = 0.25
"""Of what lies between the limit and the number to come down to."""


def is_crowded(subject: Subject, messages: int) -> bool:
    """Return whether so many messages are over the trigger by their number."""
    most = subject.policy.trigger.messages
    return most is not None and messages >= most


def messages_on(subject: Subject, base: Checkpoint | None) -> int:
    """Return how many messages there are once the beginning is replaced by what is frozen."""
    number = len(subject.request.messages)
    return number if base is None else number - base.length + len(base.items)


def turns_on(subject: Subject, base: Checkpoint | None) -> int:
    """Return how many turns there are once the beginning is replaced by what is frozen; a digest is none."""
    if base is None:
        return subject.counted.turns
    facts = subject.counted.facts
    kept = [facts[item] for item in base.items if isinstance(item, int)]
    written = (subject.wire.message(item, subject.count) for item in base.items if isinstance(item, bytes))
    asked = sum(_asks(message) for message in written)
    return asked + sum(
        fact.role == Role.USER and not fact.is_frame for fact in (*kept, *facts[base.length :])
    )


def _asks(message: Message) -> bool:
    return message.role is Role.USER and not is_digest(message) and not is_frame(message.text)


def fewer_soon(subject: Subject, base: Checkpoint | None) -> int:
    """Return the number that messages will have to come down to before long; 0: there are few."""
    early = subject.policy.prepare.messages or subject.policy.trigger.messages
    return subject.policy.fewer if early is not None and messages_on(subject, base) >= early else 0


def has_grown(subject: Subject, base: Checkpoint, messages: int) -> bool:
    """Return whether there are enough messages more than are frozen for another move of the boundary.

    A turn that goes on for long cannot be folded, and then every further message would move it.
    """
    most = subject.policy.trigger.messages or 0
    return messages - len(base.items) >= (most - subject.policy.fewer) * _LEAST_SHARE


def fewer_of(subject: Subject, base: Checkpoint | None) -> int:
    """Return the number of messages to come down to; 0: there are not too many."""
    return subject.policy.fewer if is_crowded(subject, messages_on(subject, base)) else 0
