"""A piece is known by what it says."""

from gateway.core.conversation import Block, Kind, Message, Role
from gateway.core.frozen import replace
from gateway.strategies.piece import Piece, unwritten


def _message(text: str, **fields: str) -> Message:
    return Message(Role.TOOL, (Block(Kind.TOOL_RESULT, text, 3, **fields),), 5)  # type: ignore[arg-type]


PIECE = Piece("calls", (_message("a", call_id="1"), _message("b")), max_tokens=100)


def test_same_content_is_the_same_piece_wherever_it_stands() -> None:
    """A fork or a later request finds what was written."""
    moved = tuple(replace(message, origin=9, raw=b"{}") for message in PIECE.messages)
    assert replace(PIECE, messages=moved).key == PIECE.key


def test_other_content_form_size_or_request_is_another_piece() -> None:
    """Nothing that was written of one is ever used for another; texts do not run into each other."""
    others = [
        replace(PIECE, messages=(_message("ab", call_id="1"), _message(""))),
        replace(PIECE, messages=(_message("a", call_id="2"), _message("b"))),
        replace(PIECE, messages=PIECE.messages[::-1]),
        replace(PIECE, form="work"),
        replace(PIECE, max_tokens=101),
        replace(PIECE, block=0),
        replace(PIECE, ask="Write to Miriam Okafor."),
        replace(PIECE, ask="\0\0tool"),
        replace(PIECE, ask="\ud83d"),
    ]
    assert len({PIECE.key, *(other.key for other in others)}) == len(others) + 1


def test_nothing_is_written_where_nobody_writes() -> None:
    """A step then does without."""
    assert unwritten(PIECE) is None
