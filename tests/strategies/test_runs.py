"""Runs end where something stands between rounds, and are over where nothing can join them."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies import chains, marks
from gateway.strategies.base import Room
from gateway.strategies.runs import Run, fold, read, runs, transcript


def words(text: str) -> int:
    return len(text.split())


USER, ANSWER = made(Role.USER, "Go.", words), made(Role.ASSISTANT, "Done.", words)


def round_of(id: str, text: str = "ok", name: str = "read") -> list[Message]:
    call = Block(Kind.TOOL_CALL, '{"path": "a"}', 2, None, id, name)
    result = Block(Kind.TOOL_RESULT, text, words(text), ("content",), id)
    return [
        Message(Role.ASSISTANT, (Block(Kind.TEXT, f"I look at {id}.", 4), call), 8),
        Message(Role.TOOL, (result,), words(text) + 4),
    ]


def found(*messages: Message, start: int = 0, stop: int = 99) -> list[tuple[int, int, bool]]:
    view = Conversation(messages)
    some = runs(view, start, stop, ("bash",))
    return [(run.spans[0].start, run.spans[-1].stop, run.is_over) for run in some]


A, B, C = round_of("a"), round_of("b"), round_of("c")


def test_a_run_is_over_where_something_else_follows() -> None:
    """An answer, a user or a call that is never folded closes a run; the end of the list does not."""
    assert found(USER, *A, *B) == [(1, 5, False)]
    assert found(USER, *A, *B, ANSWER) == [(1, 5, True)]
    assert found(USER, *A, USER, *B) == [(1, 3, True), (4, 6, False)]
    assert found(USER, *A, *round_of("d", name="bash"), *C) == [(1, 3, True), (5, 7, False)]


def test_a_run_that_goes_on_behind_the_border_is_not_over() -> None:
    """What is in the tail will join it; what a call is still waited for will, too."""
    assert found(USER, *A, *B, *C, stop=5) == [(1, 5, False)]
    assert found(USER, *A, *B, *C, start=3) == [(3, 7, False)]
    assert found(USER, *A, *B[:1]) == [(1, 3, False)]
    assert found(USER, *A, *round_of("d", name="bash"), stop=3) == [(1, 3, True)]


def test_a_run_ends_where_a_note_can_stand() -> None:
    """A result without a text, an image for one, has no place for it: the run ends before."""
    assert found(USER, *A, *round_of("d", "")) == [(1, 3, False)]
    assert found(USER, *round_of("d", "")) == []


def test_rounds_become_one_and_can_be_had() -> None:
    """The last round stays, its result is the note, and all that was there is put away under the id in it."""
    view = Conversation((USER, *round_of("a", "x " * 90), *B))
    run = Run(tuple(view.rounds), False)
    made_of = fold(
        view, run.spans, [read(view, span, 20) for span in run.spans], 500, "step", Room(0, 9, words)
    )

    (index,) = made_of.changes
    note = chains.read(made_of.changes[index].blocks[0].text)
    assert (index, made_of.gone) == (4, range(1, 3))
    assert [entry.text for entry in note.entries] == ["I look at a.", "I look at b.", "read(path=a)"]
    (offload,) = made_of.offloads
    assert (offload.name, note.originals) == ("step", (offload.id,))
    assert offload.text == transcript(view.messages[1:5])
    assert marks.content_id(offload.text) == offload.id
    assert made_of.saved == view.tokens - USER.tokens - 8 - made_of.changes[4].tokens
