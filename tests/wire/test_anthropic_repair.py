"""What repair takes from a Messages list, and what it leaves as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.wire.anthropic_message import read_message
from gateway.wire.anthropic_repair import problems, repair

THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "c2ln"}
USE = {"type": "tool_use", "id": "a", "name": "run", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "done"}


def words(text: str) -> int:
    return len(text.split())


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def message(role: str, content: Any, origin: int | None = None) -> Message:
    return read_message(json.dumps({"role": role, "content": content}).encode(), words, origin)


def view_of(*items: tuple[str, Any]) -> Conversation:
    return Conversation(tuple(message(role, content, i) for i, (role, content) in enumerate(items)))


def contents(view: Conversation) -> list[Any]:
    return [json.loads(one.raw)["content"] for one in view.messages]


FINISHED = [
    ("user", "one"),
    ("assistant", [THOUGHT, USE]),
    ("user", [RESULT]),
    ("assistant", [HIDDEN, THOUGHT, text("so")]),
]
OPEN = [("user", "two"), ("assistant", [THOUGHT, HIDDEN, text("I look"), USE]), ("user", [RESULT])]


def test_list_as_it_came_is_left_alone() -> None:
    """Thinking, blanks and all: what nobody has changed has nothing wrong with it."""
    view = view_of(*FINISHED, ("user", [text("")]), *OPEN, ("assistant", "and "))

    assert repair(view, words) is view
    assert problems(view) == []


def test_thinking_behind_a_change_goes_except_that_of_the_open_turn() -> None:
    """The vendor binds thinking to what stood before it; between a call and its result it wants it back."""
    view = view_of(*FINISHED, *OPEN)
    changed = view.replacing({0: view.messages[0].with_text(0, "first", words)})

    after = repair(changed, words)

    assert len(problems(changed)) == 2
    assert contents(after)[1:4] == [[USE], [RESULT], [text("so")]]
    assert [one.raw for one in after.messages[4:]] == [one.raw for one in view.messages[4:]]
    assert repair(after, words) is after
    assert problems(after) == []


def test_thinking_before_a_change_stays() -> None:
    """It stands where it stood, and nothing before it is new."""
    view = view_of(*FINISHED, *OPEN)
    last = len(view.messages) - 1
    changed = view.replacing({last: view.messages[last].with_text(0, "cut", words)})

    assert repair(changed, words) is changed


def test_what_a_user_says_behind_results_does_not_end_the_turn() -> None:
    """It stands in the message with the results, so the model still waits with its thoughts for them."""
    view = view_of(*OPEN, ("user", [text("hurry")]))
    changed = view.replacing({0: view.messages[0].with_text(0, "first", words)})

    assert repair(changed, words) is changed


def test_message_that_only_thinks_goes_with_its_thinking() -> None:
    """Nothing is left of it."""
    view = view_of(("user", "one"), ("assistant", [THOUGHT, text(" ")]), ("user", "two"))
    changed = view.replacing({0: view.messages[0].with_text(0, "first", words)})

    assert [one.role for one in repair(changed, words).messages] == [Role.USER, Role.USER]


@pytest.mark.parametrize(
    ("role", "content", "left"),
    [
        ("assistant", [text(""), USE], [USE]),
        ("user", [text(" "), text("x")], [text("x")]),
        ("assistant", [THOUGHT, text("")], None),
        ("user", [{**RESULT, "content": [text(""), text("x")]}], [{**RESULT, "content": [text("x")]}]),
        ("user", [{**RESULT, "content": [text("")]}], [{**RESULT, "content": ""}]),
    ],
)
def test_texts_that_an_edit_has_emptied_go(role: str, content: Any, left: Any) -> None:
    """The vendor refuses a text block that says nothing, in results too."""
    start = [message("user", "go", 0), message("assistant", [USE], 1), message("user", [RESULT], 2)]
    edited = message(role, content)
    place = {Role.ASSISTANT: 1, Role.TOOL: 2, Role.USER: 0}[edited.role]
    view = Conversation((*start[:place], edited, *start[place + 1 :]))

    after = repair(view, words)

    assert any("non-empty" in problem for problem in problems(view))
    assert problems(after) == []
    assert (left in contents(after)) is (left is not None)


@pytest.mark.parametrize("last", [message("assistant", [text("So: ")]), made(Role.ASSISTANT, "So: ", words)])
def test_answer_at_the_end_does_not_end_in_space(last: Message) -> None:
    """The model would go on from there, and the vendor refuses it."""
    view = Conversation((message("user", "go", 0), last))

    after = repair(view, words)

    assert problems(view) == ["final assistant content cannot end with trailing whitespace"]
    assert after.messages[-1].text == "So:"
    assert problems(after) == []


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ({0, 1, 2, 3, 4, 5, 6}, "at least one message"),
        ({0}, "first message must use the user role"),
        ({1}, "unexpected `tool_use_id`"),
        ({2}, "`tool_use` ids were found without `tool_result` blocks immediately after: a"),
    ],
)
def test_what_is_wrong_is_said_in_the_vendors_words(gone: set[int], said: str) -> None:
    """Nothing at all, a model that opens, a result without its call, a call without its result."""
    view = view_of(*FINISHED, *OPEN).without(gone)

    assert said in problems(view)[0]
    assert problems(repair(view, words)) == [] or not view.messages


def test_calls_of_one_name_are_refused() -> None:
    """Within a message an id stands for one call."""
    view = view_of(("user", "go"), ("assistant", [USE, USE]), ("user", [RESULT]))

    assert "must be unique" in problems(view)[0]
    assert contents(repair(view, words))[1] == [USE]


@pytest.mark.parametrize(
    ("before", "stays"),
    [
        (made(Role.ASSISTANT, "Noted.", words), False),
        (message("assistant", "changed"), False),
        (message("assistant", [USE]), False),
        (message("assistant", "as it came", 1), True),
    ],
)
def test_nothing_of_ours_stands_before_an_answer_that_thinks(before: Message, stays: bool) -> None:
    """The vendor would join the two, and miss the thinking at the beginning."""
    view = Conversation((message("user", "go", 0), before, *view_of(*OPEN).messages[1:]))

    after = repair(view, words)

    assert (before in after.messages) is stays
    assert problems(after) == []


def test_acknowledgement_stands_before_no_answer() -> None:
    """Where the model has the word anyway, nobody need say that he listens."""
    noted, answer = made(Role.ASSISTANT, "Noted.", words), message("assistant", "so", 1)
    view = Conversation((message("user", "go", 0), noted, message("system", "S", 2), answer))

    assert noted not in repair(view, words).messages


def test_conversation_without_a_user_is_all_one_turn() -> None:
    """There is nothing that would have finished one before."""
    thinking = message("assistant", [THOUGHT, text("so")], 4)

    assert thinking in repair(Conversation((thinking,)), words).messages


CODE = {"type": "server_tool_use", "id": "s", "name": "code_execution", "input": {}}
RAN = {"type": "code_execution_tool_result", "tool_use_id": "s", "content": {}}


def asked_by_code(id: str) -> dict[str, Any]:
    return {**USE, "id": id, "caller": {"type": "code_execution_20260120", "tool_id": "s"}}


def test_what_goes_on_with_a_lost_program_goes_in_time_to_be_stored() -> None:
    """Seen: it was left out only when the list was written, and so neither stored nor counted as removed."""
    program = [
        ("user", "go"),
        ("assistant", [CODE, asked_by_code("a")]),
        ("user", [RESULT]),
        ("assistant", [asked_by_code("b")]),
        ("user", [{**RESULT, "tool_use_id": "b"}]),
    ]
    view = view_of(*program, ("assistant", [RAN, text("so")]), ("user", "and?"))
    assert repair(view, words) is view

    cut = view.without({1, 2})
    assert [problem for problem in problems(cut) if "caller" in problem]
    after = repair(cut, words)
    assert contents(after) == ["go", [text("so")], "and?"]
    assert {one.origin for one in after.messages} == {0, None, 6}
    assert problems(after) == []


def test_list_ends_with_no_answer_that_others_stood_behind() -> None:
    """The model would go on from it; the question before it can be answered anew."""
    program = [("user", "go"), ("assistant", [text("First: ")]), ("assistant", [CODE, asked_by_code("a")])]
    view = view_of(*program, ("user", [RESULT]), ("assistant", [asked_by_code("b")]), ("user", [RESULT]))

    after = repair(view.without({2, 3}), words)

    assert contents(after) == ["go"]
    assert repair(Conversation(()), words).messages == ()
