"""Settings of `turn_text`; what it does is in tests/cases/turn_text."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.core.frozen import replace
from gateway.strategies import chains, marks
from gateway.strategies.base import Keep, Room
from gateway.strategies.chains import Chain
from gateway.strategies.piece import Piece
from gateway.strategies.turn_text import TurnText


def words(text: str) -> int:
    return len(text.split())


def test_files_of_an_old_turn_become_markers() -> None:
    """A file that the user once sent is named in its place between their words."""
    blocks = Block(Kind.TEXT, "Read this:", 2), Block(Kind.OTHER, "", 3000), Block(Kind.TEXT, "Agreed?", 1)
    view = Conversation(
        (Message(Role.USER, blocks, 3007), *(made(role, "x", words) for role in (Role.ASSISTANT, Role.USER)))
    )

    after = TurnText(keep_turns=1).apply(view, Room(0, 1000, words, Keep(first_user=False)))

    assert after.messages[0].text == "Read this:\n[haversack: attachment left out]\nAgreed?"


TOLD = "The log has forty lines; the last says KeyError in src/a.py."
STUB = marks.stub("s " * 90, 90, "read", 20)
NOTE = Chain((chains.call("ls()", "ok", False),), 0, ("sha256-" + "1" * 24,)).text()
CUT = "a\n" + marks.notice(900, 1000, "sha256-" + "2" * 24) + "\nb"


def turn(question: str, *results: str) -> list[Message]:
    """Return a turn: a question, a round for each result, and an answer."""
    messages = [made(Role.USER, question, words)]
    for n, text in enumerate(results):
        call = Block(Kind.TOOL_CALL, '{"path": "a"}', 2, None, str(n), "read")
        result = Block(Kind.TOOL_RESULT, text, words(text), ("content",), str(n))
        messages += [Message(Role.ASSISTANT, (call,), 6), Message(Role.TOOL, (result,), words(text) + 4)]
    return [*messages, made(Role.ASSISTANT, "Forty.", words)]


def asking(asked: list[Piece], text: str | None = TOLD, archive: bool = True) -> Room:
    """Return a room in which a model writes that of everything; *asked* keeps of what."""

    def written(piece: Piece) -> str | None:
        asked.append(piece)
        return text

    return Room(0, 1000, words, archive=archive, written=written)


STEP = TurnText(keep_turns=1, model=True)


def test_a_turn_becomes_question_and_answer_in_a_models_words() -> None:
    """The user message stays; the rest is one answer, and what was put away before is named in it."""
    old = turn("How many lines?", "x " * 200, STUB, NOTE, CUT)
    view = Conversation((*old, made(Role.USER, "And now?", words)))
    asked: list[Piece] = []

    after = STEP.apply(view, asking(asked))

    assert after.messages[0] is old[0]
    assert [message.role for message in after.messages] == [Role.USER, Role.ASSISTANT, Role.USER]
    (offload,) = after.offloads
    answer, put_away, whole = after.messages[1].text.splitlines()
    assert (answer, offload.name) == (TOLD, "turn_text")
    assert marks.named_ids(whole.encode()) == {offload.id}
    others = {marks.stub_id(STUB), "sha256-" + "1" * 24, "sha256-" + "2" * 24}
    assert marks.named_ids(put_away.encode()) == others
    assert "x x x" in offload.text
    assert asked == [Piece("turn", view.messages[:10], 1000, ask="How many lines?")]


def test_answer_of_a_model_is_not_asked_of_again() -> None:
    """It is short and has no calls, so the next compaction leaves the turn as it is."""
    once = STEP.apply(Conversation((*turn("a?", "x " * 99), made(Role.USER, "b", words))), asking([]))
    asked: list[Piece] = []
    assert STEP.apply(once, asking(asked)) is once
    assert asked == []


def test_without_a_text_a_turn_is_reduced_as_ever() -> None:
    """So it is where the text is no shorter than the turn, and the step that asks nobody asks nothing."""
    view = Conversation((*turn("a?", "x " * 30), made(Role.USER, "b", words)))
    asked: list[Piece] = []
    plain = TurnText(keep_turns=1).apply(view, asking(asked))
    assert asked == []
    assert [message.text for message in plain.messages] == ["a?", "Forty.", "b"]
    assert STEP.apply(view, asking(asked, None)) == plain
    assert STEP.apply(view, asking(asked, "Long. " * 99)) == plain


def test_turn_that_nobody_answered_stays() -> None:
    """Of a user message alone there is nothing to tell, and nobody is asked."""
    asked: list[Piece] = []
    view = Conversation((made(Role.USER, "File one.", words), *turn("a?"), made(Role.USER, "b", words)))
    assert STEP.apply(view, asking(asked)) is view
    assert asked == []


def test_nothing_is_promised_where_nothing_is_stored() -> None:
    """Without an archive the answer names only what was put away before."""
    view = Conversation((*turn("a?", "x " * 99), made(Role.USER, "b", words)))
    after = STEP.apply(view, asking([], archive=False))
    assert (after.messages[1].text, after.offloads) == (TOLD, ())


def test_a_long_answer_without_calls_is_told_in_brief() -> None:
    """A turn of talk is worth a call as soon as it takes more than what the model may write."""
    talk = [made(Role.USER, "a?", words), made(Role.ASSISTANT, "w " * 500, words)]
    view = Conversation((*talk, made(Role.USER, "b", words)))
    asked: list[Piece] = []
    assert STEP.apply(view, asking(asked)) is view
    assert asked == []
    after = TurnText(keep_turns=1, model=True, max_tokens=400).apply(view, asking(asked))
    assert after.messages[1].text.startswith(TOLD)


def test_many_messages_are_reduced_though_the_tokens_fit() -> None:
    """Where the number of messages is the trouble, turns are reduced until there are no more than that."""
    view = Conversation((*turn("a?", "x", "y"), *turn("b?", "x", "y"), made(Role.USER, "c", words)))
    room = Room(9999, 9999, words)
    assert TurnText(keep_turns=1).apply(view, room) is view
    after = TurnText(keep_turns=1).apply(view, replace(room, messages=9))
    assert len(after.messages) == 9


def test_problems() -> None:
    """The active turn cannot be reduced, and sizes are not negative."""
    found = list(TurnText(keep_turns=0, min_tokens=-1, max_tokens=9).problems())
    names = ["keep_turns", "min_tokens", "max_tokens"]
    assert [line.split()[0] for line in found] == names
