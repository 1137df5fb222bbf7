"""Settings of `current_turn`, and what a model writes of it; what it does by rules is in tests/cases."""

from __future__ import annotations

from collections.abc import Callable

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.core.frozen import replace
from gateway.strategies import chains, marks
from gateway.strategies.base import Room
from gateway.strategies.current_turn import CurrentTurn
from gateway.strategies.piece import Piece


def words(text: str) -> int:
    return len(text.split())


def round_of(n: int, result: str, text: str = "") -> list[Message]:
    call = Block(Kind.TOOL_CALL, f'{{"path": "f{n}.py"}}', 2, None, f"c{n}", "read")
    said = (Block(Kind.TEXT, text, words(text), ("content",)),) if text else ()
    answer = Block(Kind.TOOL_RESULT, result, words(result), ("content",), f"c{n}")
    return [
        Message(Role.ASSISTANT, (*said, call), 6 + words(text)),
        Message(Role.TOOL, (answer,), words(result) + 4),
    ]


LONG = "line of text\n" * 40
USER = made(Role.USER, "Why does it fail?", words)
ROOM = Room(0, 1000, words)
EACH = CurrentTurn(min_tokens=100, max_tokens=60, model=True)
WHOLE = CurrentTurn(whole=True, model=True)


def writing(asked: list[Piece], text: str | None) -> Callable[[Piece], str | None]:
    """Return a model that writes the same of everything; *asked* keeps of what."""

    def written(piece: Piece) -> str | None:
        asked.append(piece)
        return text

    return written


def turn(count: int, text: str = "") -> Conversation:
    """Return a turn with so many rounds."""
    return Conversation((USER, *(m for n in range(count) for m in round_of(n, LONG, text))))


def contents(view: Conversation) -> list[str]:
    """Return the results of a conversation."""
    return [b.text for message in view.messages for b in message.blocks if b.kind is Kind.TOOL_RESULT]


def test_a_models_text_takes_the_place_of_a_content() -> None:
    """It says what it stands for and how to get that; the call and its id are as they were."""
    asked: list[Piece] = []
    view = turn(3)
    after = EACH.apply(view, replace(ROOM, written=writing(asked, "Forty lines, all alike.")))

    id = marks.content_id(LONG)
    brief = f"[haversack offload {id}: read, 120 tokens, 520 characters, in brief by a model; "
    brief += f"all of it: GET {marks.ORIGINALS}/{id}]\nForty lines, all alike."
    assert contents(after) == [brief, brief, LONG]  # the last one was seen by no call
    assert [message.blocks[0].call_id for message in after.messages[2::2]] == ["c0", "c1", "c2"]
    assert {offload.id for offload in after.offloads} == {id}
    assert (asked[0], len(asked)) == (Piece("content", view.messages[2:3], 60, 0, USER.text), 2)


def test_a_content_in_brief_is_not_told_again() -> None:
    """Neither where it names the whole, nor where there is nowhere to store that."""
    for archive in (True, False):
        room = replace(ROOM, archive=archive, written=writing([], "w " * 50))
        once = replace(EACH, min_tokens=30).apply(turn(3), room)
        assert len(contents(once)[0].splitlines()) == 2
        assert EACH.apply(once, room) is once
        assert replace(EACH, min_tokens=30).apply(once, room) is once


def test_without_a_text_beginning_and_end_stay() -> None:
    """So they do where what the model wrote is no shorter; texts of the assistant are contents, too."""
    view = turn(3, text=LONG)
    asked: list[Piece] = []
    plain = replace(EACH, model=False).apply(view, ROOM)
    assert EACH.apply(view, replace(ROOM, written=writing(asked, None))) == plain
    assert [piece.messages[0].role for piece in asked] == [Role.ASSISTANT, Role.TOOL] * 2 + [Role.ASSISTANT]
    assert all("characters left out; all of it" in message.blocks[0].text for message in plain.messages[1:6])
    far = replace(EACH, max_tokens=119).apply(view, replace(ROOM, written=writing([], "w " * 119)))
    assert "in brief" not in contents(far)[0]


def test_characters_count_as_well() -> None:
    """A policy may measure contents in characters."""
    view = turn(3)
    assert CurrentTurn(min_tokens=0, min_chars=521).apply(view, ROOM) is view
    after = CurrentTurn(min_tokens=0, min_chars=500, max_tokens=60).apply(view, ROOM)
    assert after is not view


def test_the_whole_turn_takes_its_share() -> None:
    """Finished rounds become one of three tenths of their size; every call is in it by name and arguments."""
    asked: list[Piece] = []
    view = turn(21)
    size = sum(message.tokens for message in view.messages[1:41])
    text = "\n".join(f"- read(path=f{n}.py) → alike" for n in range(18))
    after = WHOLE.apply(view, replace(ROOM, written=writing(asked, text)))

    assert asked == [Piece("work", view.messages[1:41], int(size * 0.3), ask=USER.text)]
    assert after.messages[0] is USER
    assert after.messages[-2:] == view.messages[-2:]
    assert sum(message.tokens for message in after.messages[1:-2]) <= size * 0.3
    entries = chains.read(contents(after)[0]).entries
    assert "\n".join(f"- {entry.text}" for entry in entries if entry.is_told) == text
    assert [entry.text for entry in entries if not entry.is_told] == [
        "read(path=f18.py)",
        "read(path=f19.py)",
    ]


def test_by_rules_the_share_is_kept_as_well() -> None:
    """Without a model the note has a line for every call, and no more of it than the share."""
    for ratio in (0.1, 0.3, 0.6):
        view = turn(30)
        size = sum(message.tokens for message in view.messages[1:59])
        after = replace(WHOLE, model=False, target_ratio=ratio).apply(view, ROOM)
        assert 0 < sum(message.tokens for message in after.messages[1:-2]) <= size * ratio


def test_turn_that_goes_on_for_long_stays_within_its_share() -> None:
    """Each time it has grown, earlier notes are taken over, and what only looked gives way first."""
    step = replace(WHOLE, model=False)
    view = turn(1)
    change = replace(round_of(99, "written")[0].blocks[0], name="write_file", text='{"path": "a.py"}')
    written = [
        replace(message, blocks=(change,)) if not n else message
        for n, message in enumerate(round_of(99, "written"))
    ]
    view = Conversation((*view.messages, *written))
    for start in range(100, 300, 20):
        more = [message for n in range(start, start + 20) for message in round_of(n, LONG)]
        grown = Conversation((*view.messages, *more))
        view = step.apply(grown, ROOM)
        size = sum(message.tokens for message in grown.messages[1:-2])
        assert sum(message.tokens for message in view.messages[1:-2]) <= 0.3 * size
    (note,) = [text for text in contents(view) if marks.is_chain(text)]
    assert chains.read(note).entries[0].text == "write_file(path=a.py)"
    assert chains.read(note).left_out


def test_what_is_asked_does_not_depend_on_what_is_to_be_freed() -> None:
    """What is prepared is what is asked for; what may still grow is told by rules."""
    keys = set()
    for view, target in ((turn(45), 0), (turn(45), 5000), (turn(55), 100)):
        asked: list[Piece] = []
        WHOLE.apply(view, replace(ROOM, target=target, written=writing(asked, "Alike.")))
        keys.add(tuple(piece.key for piece in asked))
    assert [len(some) for some in keys] == [2]


def test_many_messages_are_compacted_though_the_tokens_fit() -> None:
    """Where the number of messages is the trouble, they become one round."""
    room = replace(ROOM, target=99_999)
    view = turn(10)
    assert WHOLE.apply(view, replace(room, messages=21)) is view
    assert len(WHOLE.apply(view, replace(room, messages=20)).messages) == 5


def test_problems() -> None:
    """Numbers below zero, shares that are none, and a step that could never do anything are told."""
    step = CurrentTurn(min_tokens=0, min_chars=-1, max_tokens=9, head_share=2, target_ratio=1)
    assert "without" in next(CurrentTurn(min_tokens=0).problems())
    names = ["min_chars", "max_tokens", "head_share", "target_ratio"]
    assert [line.split()[0] for line in step.problems()] == names
    assert WHOLE.asks
