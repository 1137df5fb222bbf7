"""The view of a conversation: rounds, turns, head; and edits that leave what they do not touch."""

from __future__ import annotations

import pytest

from gateway.core.conversation import (
    FRAME_TOKENS,
    Block,
    Conversation,
    Kind,
    Message,
    Offload,
    Role,
    Span,
    Whole,
    made,
)


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


def said(role: Role, text: str = "word") -> Message:
    """Return a message of plain text."""
    return made(role, text, words)


def call(*ids: str, name: str = "search") -> Message:
    """Return an assistant message that calls a tool."""
    blocks = tuple(Block(Kind.TOOL_CALL, "{}", 1, call_id=id, name=name) for id in ids)
    return Message(Role.ASSISTANT, blocks, 1)


def result(id: str) -> Message:
    """Return the result of a call."""
    return Message(Role.TOOL, (Block(Kind.TOOL_RESULT, "found", 1, call_id=id),), 1)


S, U, A = said(Role.SYSTEM), said(Role.USER), said(Role.ASSISTANT)


def test_tokens_are_those_of_all_messages() -> None:
    """A conversation is as large as its messages together."""
    assert Conversation((U, A)).tokens == 2 * (1 + FRAME_TOKENS)


@pytest.mark.parametrize(
    ("messages", "head_end"), [((), 0), ((U,), 0), ((S, S, U, S), 2), ((S,), 1), ((A, S), 0)]
)
def test_head_is_the_system_messages_at_the_front(messages: tuple[Message, ...], head_end: int) -> None:
    """A system message in the middle of a conversation is no part of its head's front."""
    assert Conversation(messages).head_end == head_end


def test_turn_goes_from_one_user_message_to_the_next() -> None:
    """What an assistant says before any user message belongs to no turn."""
    view = Conversation((S, A, U, A, U))

    assert view.turns == (Span(2, 4), Span(4, 5))
    assert [len(turn) for turn in view.turns] == [2, 1]
    assert view.last_user == 4


def test_message_of_the_moment_begins_no_turn() -> None:
    """goose puts one before the last answer, further on each time: what is asked is what stands before it."""
    moment = made(Role.USER, "<info-msg>\nIt is currently 23:24.\n</info-msg>", len)

    assert Conversation((S, U, A, moment, A)).turns == (Span(1, 5),)
    assert Conversation((S, moment, A)).last_user == 1


def test_conversation_without_a_user_has_no_turn() -> None:
    """A list of nothing but assistant messages has no question to answer."""
    view = Conversation((S, A))

    assert view.turns == ()
    assert view.last_user is None


def test_round_holds_calls_and_all_their_results() -> None:
    """However many results follow a message with calls, they belong to it; a text ends the round."""
    view = Conversation((U, call("1", "2"), result("1"), result("2"), A, call("3"), result("3")))

    assert view.rounds == (Span(1, 4), Span(5, 7))


def test_calls_in_a_row_are_rounds_of_their_own() -> None:
    """Calls without results, as an interrupted agent leaves them, are rounds too."""
    view = Conversation((call("1"), call("2"), result("2"), U))

    assert view.rounds == (Span(0, 1), Span(1, 3))


def test_results_without_a_call_are_no_round() -> None:
    """Orphaned results are for the repair to judge."""
    assert Conversation((U, result("1"), A)).rounds == ()


@pytest.mark.parametrize(
    ("messages", "unseen"),
    [
        ((), 0),
        ((S, U), 0),
        ((S, U, A, U), 3),
        ((S, U, call("1"), result("1")), 3),
        ((S, U, A), 0),
        ((S, U, A, U, A), 3),
    ],
)
def test_unseen_is_what_came_after_the_last_answer(messages: tuple[Message, ...], unseen: int) -> None:
    """What no call has seen begins behind the latest answer; a prefill at the end is none."""
    assert Conversation(messages).unseen == unseen


def test_message_says_the_text_of_all_its_blocks() -> None:
    """Texts of a message are read one after the other; calls and images say nothing."""
    blocks = (Block(Kind.TEXT, "one", 1), Block(Kind.IMAGE, "", 9), Block(Kind.TEXT, "two", 1))

    assert Message(Role.USER, blocks, 11).text == "one\ntwo"


def test_edit_keeps_every_byte_outside_it() -> None:
    """Unknown fields, odd numbers and spaces of a message survive an edit of its text."""
    raw = b'{"role":"user", "x": 1.50, "content" : "one two three"}'
    message = Message(Role.USER, (Block(Kind.TEXT, "one two three", 3, ("content",)),), 7, raw, 0)

    edited = message.with_text(0, "one", words)

    assert edited.raw == b'{"role":"user", "x": 1.50, "content" : "one"}'
    assert (edited.text, edited.tokens, edited.origin) == ("one", 5, None)


def test_edit_that_changes_nothing_is_none() -> None:
    """A message that says so already is the client's own message still."""
    message = Message(Role.USER, (Block(Kind.TEXT, "one", 1, ("content",)),), 5, b'{"content":"one"}', 0)

    assert message.with_text(0, "one", words) is message


def test_message_without_bytes_gets_none_by_an_edit() -> None:
    """A message that the gateway made is written by its wire format later, edited or not."""
    message = Message(Role.USER, (Block(Kind.TEXT, "one", 1, ("content",)),), 5)

    assert message.with_text(0, "two words", words).raw == b""


def test_block_without_a_place_cannot_be_edited() -> None:
    """What stands nowhere in the bytes cannot be changed in them."""
    message = Message(Role.USER, (Block(Kind.OTHER, "thought", 1),), 5, b"{}")

    with pytest.raises(ValueError, match="other"):
        message.with_text(0, "x", words)


RAW = b'{"content": [{"type":"t"}, {"type":"i"}, {"text": "one"}, {"type":"i"}], "thought": 1, "x": 1.50}'
PIECES = (
    Block(Kind.REASONING, "", 5, whole=Whole((("content", 0), ("thought",)))),
    Block(Kind.IMAGE, "", 9, whole=Whole((("content", 1),), "text")),
    Block(Kind.TEXT, "one", 1, ("content", 2, "text")),
    Block(Kind.IMAGE, "", 9, whole=Whole((("content", 3),), "text")),
)


def test_pieces_leave_or_make_way_and_the_rest_stays() -> None:
    """Reasoning leaves whole, an image becomes a text, and what is left can be edited where it stands now."""
    message = Message(Role.ASSISTANT, PIECES, 28, RAW, 0)

    after = message.replacing({0: None, 3: "a cat"}, words)

    assert after.raw == (
        b'{"content": [{"type":"i"}, {"text": "one"}, {"type":"text","text":"a cat"}], "x": 1.50}'
    )
    assert (after.text, after.tokens, after.origin) == ("one\na cat", 16, None)
    again = after.replacing({0: "a dog"}, words).with_text(1, "two", words).with_text(2, "a cow", words)
    assert again.text == "a dog\ntwo\na cow"
    assert b'[{"type":"text","text":"a dog"}, {"text": "two"}, {"type":"text","text":"a cow"}]' in again.raw


def test_image_in_a_result_becomes_part_of_the_result() -> None:
    """What stands in its place belongs to the same call."""
    image = Block(Kind.IMAGE, "", 9, None, "c", whole=Whole((("content", 0),), "text"))
    message = Message(Role.TOOL, (image,), 13, b'{"content":[{"type":"i"}]}')

    (block,) = message.replacing({0: "a cat"}, words).blocks

    assert (block.kind, block.text, block.call_id, block.tokens) == (Kind.TOOL_RESULT, "a cat", "c", 2)


def test_what_cannot_leave_stays() -> None:
    """Text is edited, not taken out, and no text can stand in the place of reasoning."""
    message = Message(Role.ASSISTANT, PIECES, 28, RAW)

    with pytest.raises(ValueError, match="text"):
        message.replacing({2: None}, words)
    with pytest.raises(ValueError, match="reasoning"):
        message.replacing({0: "hm"}, words)


def test_exchanging_messages_keeps_the_rest_and_what_was_put_away() -> None:
    """Stubs of earlier steps still stand for their content after later ones."""
    first = Conversation((S, U, A)).replacing({1: A}, [Offload("1", "long")])
    second = first.replacing({2: U}, [Offload("2", "longer")])

    assert second.messages == (S, A, U)
    assert [offload.id for offload in second.offloads] == ["1", "2"]
    assert second.replacing({}) is second


def test_splicing_puts_messages_in_place_of_others() -> None:
    """A span is exchanged for a summary, or for nothing."""
    view = Conversation((S, U, A, U), offloads=(Offload("1", "long"),))

    assert view.splicing(1, 3, [A]).messages == (S, A, U)
    assert view.splicing(1, 3).messages == (S, U)
    assert view.splicing(1, 3).offloads == view.offloads


def test_leaving_out_messages_keeps_the_rest() -> None:
    """Messages go by their place; leaving out none changes nothing."""
    view = Conversation((S, U, A, U), offloads=(Offload("1", "long"),))

    assert view.without([1, 2]).messages == (S, U)
    assert view.without([1, 2]).offloads == view.offloads
    assert view.without([]) is view
