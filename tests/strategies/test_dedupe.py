"""Nothing is lost by exchanging what is there twice; the rest is in tests/cases/dedupe."""

from __future__ import annotations

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.dedupe import Dedupe


def words(text: str) -> int:
    return len(text.split())


def read(content: str) -> tuple[Message, Message]:
    call = Block(Kind.TOOL_CALL, '{"path": "a.py"}', 2, None, "c", "read_file")
    result = Block(Kind.TOOL_RESULT, content, words(content), ("content",), "c")
    return Message(Role.ASSISTANT, (call,), 2), Message(Role.TOOL, (result,), words(content))


def conversation(*contents: str) -> Conversation:
    rounds = (message for content in contents for message in read(content))
    return Conversation((made(Role.USER, "go", words), *rounds, made(Role.ASSISTANT, "ok", words)))


def deduped(*contents: str) -> Conversation:
    view = conversation(*contents, "last " * 300)
    return Dedupe().apply(view, Room(0, 100, words))


def test_every_pointer_has_its_content() -> None:
    """What a pointer names can be had, word for word, half emoji included."""
    first, second = "\ud83d one " * 200, "two " * 300

    after = deduped(first, second)

    assert [offload.text for offload in after.offloads] == [first, second]
    for index, offload in zip((2, 4), after.offloads, strict=True):
        assert (
            marks.stub_id(after.messages[index].blocks[0].text)
            == offload.id
            == marks.content_id(offload.text)
        )


def test_excerpt_does_not_supersede() -> None:
    """A later result that is far smaller is taken for an excerpt, and the larger one stays."""
    assert deduped("all " * 5000).offloads == ()


def test_superseded_version_is_pointed_to_by_nobody() -> None:
    """A content that is itself exchanged is no place to look for an equal one."""
    text = "same " * 250
    call = Block(Kind.TOOL_CALL, '{"command": "cat a.py"}', 2, None, "c", "bash")
    shell = Message(Role.ASSISTANT, (call,), 2), read(text)[1]
    task, *rest = conversation(text, "new " * 250).messages
    view = Conversation((task, *shell, *rest, made(Role.USER, "on", words)))

    after = Dedupe().apply(view, Room(0, 100, words))

    assert after.messages[2] is view.messages[2]
    assert marks.stub_id(after.messages[4].blocks[0].text)


def test_within_the_target_nothing_is_looked_for() -> None:
    """A conversation that fits is returned as it is."""
    view = conversation("same " * 300, "same " * 300)
    assert Dedupe().apply(view, Room(view.tokens, 2000, words)) is view


def test_problems() -> None:
    """An unknown role and a number below zero are told."""
    assert len(list(Dedupe(min_tokens=-1, roles=("robot",)).problems())) == 2
