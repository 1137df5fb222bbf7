"""What stands behind stubs can be had again; the rest is in tests/cases/offload."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.offload import OffloadContent


def words(text: str) -> int:
    return len(text.split())


def test_every_stub_has_its_content() -> None:
    """The offloads of the conversation hold, under the id in the stub, the text and the tool it came from."""
    text = "half an emoji \ud83d \x00 " * 50
    call = Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 1, None, "a", "read"),), 5)
    result = Message(Role.TOOL, (Block(Kind.TOOL_RESULT, text, words(text), ("content",), "a"),), words(text))
    view = Conversation((made(Role.USER, "go", words), call, result, made(Role.ASSISTANT, "ok", words)))

    after = OffloadContent(min_tokens=20, keep_last=0).apply(
        Conversation((*view.messages, made(Role.USER, "on", words))), Room(0, 100, words)
    )

    (offload,) = after.offloads
    assert (offload.id, offload.text, offload.name) == (marks.content_id(text), text, "read")
    assert marks.stub_id(after.messages[2].blocks[0].text) == offload.id


LONG = "w " * 300


def working(*results: str) -> Conversation:
    """Return a turn that was answered, with the first result, and one that goes on with the others."""
    messages = [made(Role.USER, "go", words)]
    for n, text in enumerate(results):
        call = Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 1, None, str(n), "read"),), 5)
        result = Block(Kind.TOOL_RESULT, text, words(text), ("content",), str(n))
        messages += [call, Message(Role.TOOL, (result,), words(text))]
        if n == 0:
            reply = Message(Role.ASSISTANT, (Block(Kind.TEXT, LONG, 300, ("content",)),), 304)
            messages += [reply, made(Role.USER, "on", words)]
    return Conversation(tuple(messages))


def put_away(step: OffloadContent, view: Conversation) -> list[int]:
    """Return the indices of the messages that have become stubs."""
    after = step.apply(view, Room(0, 100, words))
    return [n for n, message in enumerate(after.messages) if message is not view.messages[n]]


def test_the_newest_messages_stay_whole() -> None:
    """However few of them are large: messages are counted, not candidates."""
    view = working(LONG, LONG, "ok", "ok")
    for keep, gone in ((0, [2, 6]), (4, [2, 6]), (5, [2]), (9, []), (99, [])):
        assert put_away(OffloadContent(min_tokens=20, keep_last=0, keep_messages=keep), view) == gone


def test_what_a_turn_works_with_stays_whole() -> None:
    """Only what stands before the last reply is put away, whose own text stays; a prefill is no reply."""
    view = working(LONG, LONG, "ok", "ok")
    step = OffloadContent(min_tokens=20, keep_last=0, before_reply=True, roles=("tool", "assistant"))
    assert put_away(step, view) == [2]
    assert put_away(step, Conversation((*view.messages, made(Role.ASSISTANT, "So", words)))) == [2]
    assert put_away(step, Conversation(view.messages[:1] + view.messages[5:])) == []


def test_problems() -> None:
    """An unknown role, a number below zero and a step that could never do anything are told."""
    assert len(list(OffloadContent(min_tokens=0, keep_last=-1, roles=("robot",)).problems())) == 3
