"""The structure of a rewritten list: what repair takes away, what it leaves, what is a problem."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import Conversation, Role, made
from gateway.wire.openai_message import read_message
from gateway.wire.openai_repair import problems, repair

Json = dict[str, Any]


def words(text: str) -> int:
    return len(text.split())


def sent(*messages: Json) -> Conversation:
    """Return the list as a client sent it."""
    return Conversation(
        tuple(
            read_message(json.dumps(message).encode(), words, index) for index, message in enumerate(messages)
        )
    )


def repaired(view: Conversation) -> list[Json]:
    after = repair(view, words)
    assert problems(after) == []
    assert repair(after, words) is after
    return [json.loads(message.raw or b'"made"') for message in after.messages]


def user(text: str) -> Json:
    return {"role": "user", "content": text}


def says(text: str) -> Json:
    return {"role": "assistant", "content": text}


def asks(*ids: Any, **fields: Any) -> Json:
    entries = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, **fields, "tool_calls": entries}


def gives(id: Any, text: str = "1") -> Json:
    return {"role": "tool", "tool_call_id": id, "content": text}


SYSTEM: Json = {"role": "system", "content": "S"}


def test_valid_list_is_left_as_it_is() -> None:
    """A list in order is handed back itself, so nothing is sent again that need not be."""
    view = sent(SYSTEM, user("a"), asks("A", "B"), gives("B"), gives("A"), says("k"), user("b"))

    assert repair(view, words) is view
    assert problems(view) == []


def test_orphan_behind_the_system_message_is_found() -> None:
    """The whole list is looked at, not only its first message (tp-02)."""
    view = sent(SYSTEM, user("x"), asks("k9"), gives("k9"), says("seven")).without([1, 2])

    assert problems(view)
    assert repaired(view) == [SYSTEM, says("seven")]


def test_a_cut_anywhere_leaves_a_valid_list() -> None:
    """Wherever the list is cut, no part of a parallel round stays behind alone (tp-05)."""
    messages = [user("do both"), asks("A", "B", "C"), gives("A"), gives("B"), gives("C"), user("ok?")]
    for cut in range(len(messages)):
        after = repaired(sent(*messages).without(range(cut)))
        assert after == (messages if cut == 0 else [user("ok?")])


def test_taking_away_goes_on_until_nothing_is_left_to_take() -> None:
    """A stray result goes, and so does the unanswered half of a round (tp-08)."""
    view = sent(user("a"), gives("z0"), asks("z1", "z2"), gives("z2"), user("hi"))

    assert repaired(view) == [user("a"), asks("z2"), gives("z2"), user("hi")]
    assert repaired(view.without([0])) == [user("hi")]


def test_open_round_at_the_end_stays() -> None:
    """Fresh results, for which the request was made, are where they were (tp-10)."""
    view = sent(user("old"), says("noted"), user("scan it"), asks("o1"), gives("o1")).without([0, 1])

    assert repaired(view) == [user("scan it"), asks("o1"), gives("o1")]


def test_list_that_ends_in_its_calls_stays() -> None:
    """Calls that nothing follows are the client's to continue, even with an id given twice."""
    assert repaired(sent(user("q"), asks("a", "b"))) == [user("q"), asks("a", "b")]
    assert repaired(sent(user("q"), asks("a", "a"))) == [user("q"), asks("a")]
    assert repaired(sent(user("q"), asks("a"), gives("zz"))) == [user("q"), asks("a")]


def test_interrupted_call_is_taken_away() -> None:
    """A call that the user interrupted has no result; the answered one beside it stays (tp-11)."""
    view = sent(user("run"), asks("d1", "d2"), gives("d1", "done"), user("stop, do X instead"))

    assert repaired(view) == [user("run"), asks("d1"), gives("d1", "done"), user("stop, do X instead")]


def test_message_left_without_calls_stays_only_if_it_says_something() -> None:
    """Of an unanswered call the text before it remains, and an empty shell does not."""
    assert repaired(sent(user("q"), asks("a", content="let me see"), user("stop"))) == [
        user("q"),
        says("let me see"),
        user("stop"),
    ]
    assert repaired(sent(user("q"), asks("a"), user("stop"))) == [user("q"), user("stop")]


def test_one_call_and_one_result_for_each_id() -> None:
    """An aborted run left two entries with one id; the first of each is kept (tp-12)."""
    view = sent(
        user("todo"), asks("same", "same"), gives("same", "ok"), gives("same", "aborted"), user("go on")
    )

    assert len(problems(view)) == 3
    assert repaired(view) == [user("todo"), asks("same"), gives("same", "ok"), user("go on")]


def test_ids_may_be_used_again_in_later_rounds() -> None:
    """Some models begin with call_0 in every turn: pairs are made within a round only (tp-13)."""
    view = sent(
        *(user("1"), asks("call_0"), gives("call_0", "first")),
        *(user("2"), asks("call_0"), gives("call_0", "second"), user("compare")),
    )

    assert repair(view, words) is view
    assert repaired(view.without([2]))[2:] == [asks("call_0"), gives("call_0", "second"), user("compare")]


@pytest.mark.parametrize("id", ["", None])
def test_lost_ids_are_paired_in_order(id: Any) -> None:
    """Where a proxy lost the ids, as many results as calls are kept, and no more (tp-14)."""
    view = sent(user("x"), asks(id, id), gives(id, "A"), gives(id, "B"), user("y"))

    assert repair(view, words) is view
    assert problems(view) == []
    assert repaired(view.without([3])) == [user("x"), asks(id), gives(id, "A"), user("y")]


def test_legacy_call_and_result_are_a_round() -> None:
    """`function_call` and the message of role `function` behind it stay or go together (tp-15)."""
    asked: Json = {"role": "assistant", "content": None, "function_call": {"name": "w", "arguments": "{}"}}
    given: Json = {"role": "function", "name": "w", "content": "sun"}
    view = sent(user("weather"), asked, given, user("thanks"))

    assert repair(view, words) is view
    assert repaired(view.without([1])) == [user("weather"), user("thanks")]
    assert repaired(view.without([2])) == [user("weather"), user("thanks")]


def test_message_between_calls_and_results_parts_them() -> None:
    """Results count only directly behind their calls, as for the vendor."""
    view = sent(user("q"), asks("a"), SYSTEM, gives("a"), user("r"))

    assert len(problems(view)) == 2
    assert repaired(view) == [user("q"), SYSTEM, user("r")]


def test_cut_list_begins_with_a_user_message() -> None:
    """After a cut, no strict template is handed an assistant or tool message first (tp-18)."""
    view = sent(
        SYSTEM, user("start"), asks("g1"), gives("g1"), says("done?"), user("next"), says("k"), user("q")
    )

    assert repaired(view.without([1])) == [SYSTEM, user("next"), says("k"), user("q")]
    assert repaired(view.without([1, 2])) == [SYSTEM, user("next"), says("k"), user("q")]


def test_greeting_of_the_client_stays_first() -> None:
    """A list that the client itself began with an assistant message keeps it, edited or not."""
    view = sent(SYSTEM, says("Welcome!"), user("a"), says("b"), user("c"))
    edited = view.replacing({1: view.messages[1].with_text(0, "Hi", words)})

    assert repaired(view.without([2, 3])) == [SYSTEM, says("Welcome!"), user("c")]
    assert repaired(edited)[1] == says("Hi")


def test_list_without_a_user_message_keeps_its_beginning() -> None:
    """Where no user message is left there is nothing to begin with instead; and nothing is invented."""
    view = sent(SYSTEM, user("start"), says("one"), says("two"))

    assert repaired(view.without([1])) == [SYSTEM, says("one"), says("two")]


def test_list_of_edited_messages_begins_with_a_user_message() -> None:
    """Where nothing is as the client sent it, the beginning cannot be the client's and is put right."""
    view = sent(SYSTEM, says("one"), user("two"))
    edited = {index: view.messages[index].with_text(0, "new", words) for index in (1, 2)}

    assert repaired(view.replacing(edited)) == [SYSTEM, user("new")]


def test_instructions_between_dropped_messages_stay() -> None:
    """Only what was said goes from the beginning of a cut list, never instructions."""
    view = sent(SYSTEM, user("a"), says("b"), SYSTEM, says("c"), user("d"))

    assert repaired(view.without([1])) == [SYSTEM, SYSTEM, user("d")]


def test_prefill_at_the_end_stays() -> None:
    """The beginning of an answer that the client wants continued is not touched (role-09)."""
    view = sent(user("old"), says("ok"), user("Write JSON"), says('{"a":'))

    assert repaired(view.without([0, 1])) == [user("Write JSON"), says('{"a":')]


def test_message_emptied_by_an_edit_goes() -> None:
    """The gateway sends no empty text of its own making; what the client sent empty stays (con-01)."""
    view = sent(
        user(""), says("one"), user("two"), {"role": "assistant", "content": [{"type": "text", "text": ""}]}
    )
    emptied = view.replacing({1: view.messages[1].with_text(0, " \n", words)})

    assert repaired(emptied) == [
        user(""),
        user("two"),
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
    ]
    assert repaired(sent(user("q")).splicing(0, 0, [made(Role.USER, " ", words)])) == [user("q")]


def test_result_emptied_by_an_edit_stays() -> None:
    """An empty result still answers its call."""
    view = sent(user("q"), asks("a"), gives("a", "long"))
    edited = view.replacing({2: view.messages[2].with_text(0, "", words)})

    assert repair(edited, words) is edited


def test_empty_list_is_a_problem() -> None:
    """The vendor wants at least one message; repair cannot make one up."""
    assert problems(Conversation(())) == ["[] is too short - 'messages'"]
    assert repair(Conversation(()), words).messages == ()


def test_problems_say_what_and_where() -> None:
    """Each broken rule is named in the vendor's words, with the place and the ids."""
    view = sent(gives("z"), asks("a", "b"), gives("b"), user("q"))

    assert problems(view) == [
        "messages[0]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
        "messages[1]: an assistant message with 'tool_calls' must be followed by tool messages "
        "responding to each 'tool_call_id': no response to a",
    ]
