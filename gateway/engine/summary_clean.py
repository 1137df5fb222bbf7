"""What is to be summarised without its secrets: for a model of somebody else than whom the client asks.

They are taken out before anything is cut, since half of a key is not known for one, and before the text is
read as a source, since nobody can be asked to repeat what he was not shown. It is work for a thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from gateway.core.conversation import Block, Count, Message
from gateway.core.frozen import replace
from gateway.core.summary.secrets import redact
from gateway.strategies.piece import Piece


def clean(text: str) -> str:
    """Return a text with a mark in place of each secret.

    >>> clean("log in with password=hunter2!")
    'log in with password=[redacted: password]'
    """
    return redact(text).text


def clean_messages(messages: Iterable[Message], count: Count) -> tuple[Message, ...]:
    """Return messages to be read, none to be sent: what the wire format made of them is not touched."""
    return tuple(_message(message, count) for message in messages)


def clean_piece(piece: Piece, count: Count) -> Piece:
    """Return a piece, and the request that it serves."""
    return replace(piece, messages=clean_messages(piece.messages, count), ask=clean(piece.ask))


def _message(message: Message, count: Count) -> Message:
    blocks = tuple(_block(block, count) for block in message.blocks)
    tokens = message.tokens + sum(block.tokens for block in blocks)
    return replace(message, blocks=blocks, tokens=tokens - sum(block.tokens for block in message.blocks))


def _block(block: Block, count: Count) -> Block:
    text = clean(block.text)
    return block if text == block.text else replace(block, text=text, tokens=count(text))
