"""A conversation as a summariser reads it: every message in plain text, with its number and who speaks.

Calls stand with their name and exact arguments, results without their middle, images as a marker; reasoning
is left out. Nothing else goes without a word: a cut says how much is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gateway.core.conversation import Block, Conversation, Count, Kind, Message, Role
from gateway.core.speaker import speaker
from gateway.core.summary.cut import Shorten, shorten
from gateway.core.summary.fence import Name, fenced, harmless

RESULT_TOKENS = 2000
"""A longer result says with its ends, and with what is of note between them, what it has to say."""

# What would be read as the label of a message.
_LABEL = re.compile(r"^\[(?=\d{1,7}(?:-\d{1,7})?\] )", re.MULTILINE)
_NAME_CHARS = 80


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message that can be cut by itself."""

    lead: str
    """What stands before it, such as `call c1 read_file `."""
    text: str
    tokens: int
    """Of the text alone."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One message as a summariser reads it, or a line that stands for several that had no room."""

    number: int
    """Place of the message in the list that was read, from 1."""
    label: str
    pieces: tuple[Piece, ...]
    frame: int
    """Tokens of what is not in a piece: label and leads."""
    follows: bool = False
    """Whether it belongs to the round of the passage before it, from which it is never parted."""
    is_user: bool = False
    through: int = 0
    """The last message that it stands for, where it stands for several; else 0."""
    missing: int = 0
    """Tokens of the messages that it stands for."""

    @property
    def tokens(self) -> int:
        """Tokens of all of it, in the count that it was read with."""
        return self.frame + sum(piece.tokens for piece in self.pieces)

    @property
    def text(self) -> str:
        """Label and pieces, each on lines of its own."""
        return "\n".join([self.label, *(piece.lead + piece.text for piece in self.pieces)])


def read(
    messages: Sequence[Message], count: Count, *, result_tokens: int = RESULT_TOKENS, cut: Shorten = shorten
) -> tuple[Passage, ...]:
    """Return messages as a summariser reads them, results cut to *result_tokens* (0: not at all).

    The messages are those to be summarised, without the head, earlier summaries and acknowledgements. *cut*
    may know more of a text's form than `cut.shorten` does.
    """
    reader = _Reader(count, result_tokens, cut)
    rounds = Conversation(tuple(messages)).rounds
    follows = {index for span in rounds for index in range(span.start + 1, span.stop)}
    return tuple(
        reader.passage(message, index + 1, index in follows) for index, message in enumerate(messages)
    )


def size(passages: Iterable[Passage]) -> int:
    """Return how many tokens passages take together."""
    return sum(passage.tokens for passage in passages)


def written(passages: Iterable[Passage]) -> str:
    """Return passages as one text in its fence."""
    return fenced(Name.CONVERSATION, "\n".join(passage.text for passage in passages))


@dataclass(slots=True)
class _Reader:
    """Numbers calls in their order, so that a result says of which call it is."""

    count: Count
    result_tokens: int
    cut: Shorten
    calls: dict[str, str] = field(default_factory=dict)
    """What each call is named here, by its id."""

    def passage(self, message: Message, number: int, follows: bool) -> Passage:
        """Return one message."""
        pieces = tuple(piece for block in message.blocks if (piece := self._piece(block)))
        name = speaker(message)
        label = f"[{number}] {message.role}" + (f" {name}" if name else "")
        if not pieces:
            label += " (empty)"
        frame = self.count(label + "\n") + sum(self.count(piece.lead) for piece in pieces if piece.lead)
        return Passage(number, label, pieces, frame, follows, is_user=message.role is Role.USER)

    def _piece(self, block: Block) -> Piece | None:
        """Return a block in text; None: it says nothing to a summariser."""
        match block.kind:
            case Kind.TEXT:
                return self._text("", block) if block.text else None
            case Kind.TOOL_CALL:
                name = f"c{len(self.calls) + 1} {_named(block)}"
                self.calls[block.call_id or name] = name
                return self._text(f"call {name} ", block)
            case Kind.TOOL_RESULT:
                name = self.calls.get(block.call_id) or f"an earlier call {_named(block)}".rstrip()
                return self._text(f"result of {name}:\n", block, self.result_tokens)
            case Kind.IMAGE:
                return self._marker((block.whole.about if block.whole else "") or "image", block.tokens)
            case Kind.OTHER:
                return self._marker("attachment", block.tokens)
        return None

    def _text(self, lead: str, block: Block, max_tokens: int = 0) -> Piece:
        text, tokens = block.text, block.tokens
        if 0 < max_tokens < tokens:
            text = self.cut(text, max_tokens, self.count)
        text = _LABEL.sub("(", harmless(text))
        return Piece(lead, text, tokens if text is block.text else self.count(text))

    def _marker(self, what: str, tokens: int) -> Piece:
        text = harmless(f"({what}, {tokens} tokens, not shown)")
        return Piece("", text, self.count(text))


def _named(block: Block) -> str:
    """Return the name of a block's tool as it can stand in a line."""
    return harmless(" ".join(block.name[:_NAME_CHARS].split()))
