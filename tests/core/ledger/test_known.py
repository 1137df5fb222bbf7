"""Each message is read once, and memory stays bounded."""

from __future__ import annotations

from gateway.core.conversation import Block, Kind, Message, Role
from gateway.core.ledger.find import find
from gateway.core.ledger.known import Known


def said(text: str) -> Message:
    """Return a message of the user, as it came."""
    return Message(Role.USER, (Block(Kind.TEXT, text, 1),), 5, raw=text.encode())


def test_what_is_remembered_is_what_would_be_found() -> None:
    """Asked once or again, a message says the same."""
    known = Known()
    message = said("Never push to the main branch.")
    assert known.find(message) == known.find(message) == find(message)
    assert known.find(message) is known.find(message)


def test_what_the_gateway_wrote_is_read_anew() -> None:
    """A message that has no bytes yet cannot be taken for another."""
    known = Known()
    one = Message(Role.USER, (Block(Kind.TEXT, "Never push to main.", 1),), 5)
    other = Message(Role.USER, (Block(Kind.TEXT, "Always answer in French.", 1),), 5)
    assert known.find(one) == find(one)
    assert known.find(other) == find(other)


def test_memory_is_bounded_and_what_is_used_stays() -> None:
    """However many conversations pass, little is kept; what is asked for again and again is."""
    known = Known(max_bytes=20_000)
    first = known.find(said("Never push to the main branch."))
    for number in range(1000):
        known.find(said(f"Never push to branch {number}."))
        assert known.find(said("Never push to the main branch.")) is first
    assert len(known._young) + len(known._old) < 120


def test_same_bytes_of_another_dialect_are_another_message() -> None:
    """What is a picture to one wire format may be what a user says to another."""
    known = Known()
    message = said("Never push to the main branch.")
    other = Message(Role.USER, (Block(Kind.OTHER, "", 9),), 5, raw=message.raw)
    assert known.find(other) == ()
    assert known.find(message) == find(message) != ()
