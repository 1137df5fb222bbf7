"""Messages for the tests of summaries, written as literals."""

from __future__ import annotations

from gateway.core.conversation import Block, Kind, Message, Role, Whole, made


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


def quarters(text: str) -> int:
    """Four characters are one token."""
    return (len(text) + 3) // 4


def user(text: str) -> Message:
    """Return what a user says."""
    return made(Role.USER, text, quarters)


def assistant(text: str) -> Message:
    """Return what the assistant says."""
    return made(Role.ASSISTANT, text, quarters)


def call(*calls: tuple[str, str, str], text: str = "") -> Message:
    """Return calls: id, name and arguments of each."""
    said = (Block(Kind.TEXT, text, quarters(text)),) if text else ()
    blocks = tuple(
        Block(Kind.TOOL_CALL, args, quarters(args), call_id=id, name=name) for id, name, args in calls
    )
    return _message(Role.ASSISTANT, (*said, *blocks))


def result(call_id: str, text: str) -> Message:
    """Return the result of a call."""
    return _message(Role.TOOL, (Block(Kind.TOOL_RESULT, text, quarters(text), call_id=call_id),))


def image(about: str) -> Message:
    """Return a user's picture."""
    return _message(Role.USER, (Block(Kind.IMAGE, "", 765, whole=Whole((("content", 0),), about=about)),))


def other(kind: Kind, text: str = "") -> Message:
    """Return an assistant's message with one block of a kind."""
    return _message(Role.ASSISTANT, (Block(kind, text, 100),))


def _message(role: Role, blocks: tuple[Block, ...]) -> Message:
    return Message(role, blocks, 4 + sum(block.tokens for block in blocks))
