"""A Responses input that steps have cut is made valid by taking away, and only where something is wrong."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core.conversation import Conversation, Role, made
from gateway.strategies.base import Room
from gateway.strategies.reasoning import Reasoning
from gateway.wire.openai_responses import OpenAIResponses
from gateway.wire.responses_repair import problems, repair
from gateway.wire.responses_slices import flat

WIRE = OpenAIResponses()

USER = {"role": "user", "content": "hi"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
UNKNOWN = {"type": "hologram", "id": "h"}


def words(text: str) -> int:
    return len(text.split())


def call(id: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{id}",
        "call_id": id,
        "name": "f",
        "arguments": "{}",
        **fields,
    }


def result(id: str, output: Any = "r") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": output}


def answer(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def view(*items: Any) -> Conversation:
    request = WIRE.read(json.dumps({"model": "m", "input": list(items)}).encode())
    return Conversation(tuple(WIRE.message(raw, words, i) for i, raw in enumerate(request.messages)))


def sent(view: Conversation) -> list[Any]:
    """Return what goes upstream."""
    items: list[Any] = json.loads(b"[%s]" % b",".join(flat(message.raw for message in view.messages)))
    return items


def mended(before: Conversation) -> list[Any]:
    after = repair(before, words)
    assert problems(after) == []
    assert repair(after, words) is after
    return sent(after)


def test_valid_list_is_left_alone() -> None:
    """Results of parallel calls in any order, late ones, hosted tools and an open end are all in order."""
    for items in (
        [USER, THOUGHT, call("a"), call("b"), result("b"), result("a"), answer("x")],
        [USER, call("a"), USER, call("b"), result("b"), result("a"), USER],
        [USER, THOUGHT, call("a")],
        [USER, THOUGHT],
        [USER, THOUGHT, UNKNOWN, USER],
        [call("a"), result("a"), call("a"), result("a"), USER],
    ):
        whole = view(*items)
        assert problems(whole) == []
        assert repair(whole, words) is whole


def test_call_without_result_goes() -> None:
    """A call that lost its result goes, with the thought that led to it; the others stay."""
    before = view(USER, THOUGHT, call("a"), THOUGHT, call("b"), result("a"), result("b"), USER)
    assert len(problems(before.without([3]))) == 1
    assert mended(before.without([3])) == [USER, THOUGHT, call("a"), result("a"), USER]
    assert mended(before.without([2, 3])) == [USER, USER]


def test_result_without_call_goes() -> None:
    """A result that lost its call, or comes a second time, goes."""
    before = view(USER, call("a"), result("a"), result("a", "again"), USER)
    assert len(problems(before)) == 1
    assert mended(before) == [USER, call("a"), result("a"), USER]
    assert mended(before.without([1])) == [USER, USER]


def test_reasoning_alone_goes() -> None:
    """Reasoning whose item never came goes, unless the list ends with it."""
    before = view(USER, answer("x"), THOUGHT, USER, THOUGHT, USER)
    assert len(problems(before)) == 2
    assert mended(before) == [USER, answer("x"), USER, USER]


def test_emptied_message_goes() -> None:
    """What an edit has left nothing of goes; what the client sent empty stays."""
    before = view(USER, answer("x"), answer(""), USER, answer(""), USER)
    edited = before.replacing({0: before.messages[0].with_text(0, " ", words)})
    assert mended(edited) == sent(before)[1:]


def test_call_that_lost_what_was_before_it_loses_its_name() -> None:
    """Its reasoning may have been there, and by its id the vendor would ask for it."""
    before = view(USER, THOUGHT, call("a"), result("a"), call("b"), result("b"), USER)
    nameless = {key: value for key, value in call("b").items() if key != "id"}

    assert mended(before.without([1, 2])) == [USER, nameless, result("b"), USER]
    digest = before.splicing(1, 3, [made(Role.USER, "so far", words)])
    assert json.loads(repair(digest, words).messages[2].raw) == [nameless]


def test_item_of_the_client_between_calls_does_not_keep_their_names() -> None:
    """Codex puts tools there; the call behind them came with the reasoning that is gone, all the same."""
    tools = {"type": "additional_tools", "role": "developer", "tools": []}
    before = view(USER, THOUGHT, call("a"), tools, call("b"), result("a"), result("b"), answer("x"), USER)
    assert mended(before) == sent(before)

    after = Reasoning().apply(before, Room(0, 100, words))
    assert after.tokens < before.tokens
    assert not any("id" in item for item in mended(after) if item.get("type") == "function_call")


def test_gap_before_a_user_message_takes_no_names() -> None:
    """A turn that is whole keeps every byte, whatever was taken away before it."""
    before = view(USER, call("a"), result("a"), USER, call("b"), result("b"))
    assert mended(before.without([0, 1, 2])) == [USER, call("b"), result("b")]


def test_call_that_is_only_referred_to_is_answered() -> None:
    """Its id is not known, so results behind it may be its own; without it they go like any other."""
    shell = {"type": "item_reference", "id": "sh_1"}
    before = view(USER, shell, result("x"), USER, call("a"), result("a"), result("y"), USER)
    assert len(problems(before)) == 1
    assert mended(before) == [USER, shell, result("x"), USER, call("a"), result("a"), USER]
    assert mended(before.without([1])) == [USER, USER, call("a"), result("a"), USER]


def test_thought_that_is_only_referred_to_leads_somewhere() -> None:
    """A reference to reasoning needs its item as much as the reasoning itself."""
    thought = {"type": "item_reference", "id": "rs_1"}
    before = view(USER, thought, call("a"), call("b"), result("a"), result("b"), USER)
    assert mended(before.without([2, 3])) == [USER, USER]
    assert mended(before.without([2])) == [USER, thought, call("b"), result("b"), USER]


def test_nothing_at_all_is_a_problem() -> None:
    """An empty input is refused by the vendor."""
    assert problems(Conversation(())) != []


IDS = st.sampled_from(["a", "b", "c"])
ITEM = st.one_of(
    st.just(USER),
    st.just({"role": "developer", "content": "D"}),
    st.just(THOUGHT),
    st.builds(answer, st.sampled_from(["", "one two"])),
    st.builds(call, IDS),
    st.builds(call, IDS),
    st.builds(result, IDS),
    st.builds(result, IDS),
    st.just(UNKNOWN),
    st.just({"type": "web_search_call", "id": "ws", "status": "completed"}),
    st.just({"type": "compaction", "id": "cmp", "encrypted_content": "e"}),
)


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(ITEM, max_size=12), st.sets(st.integers(0, 11)), st.sampled_from(["", "new"]))
def test_any_cut_is_mended_once_and_for_all(items: list[Any], gone: set[int], text: str) -> None:
    """However a list was cut and edited, what goes out is part of it, valid, and mended only once."""
    before = view(*items, USER)
    changes = {
        index: message.with_text(place, text, words)
        for index, message in enumerate(before.messages[:-1])
        for place, block in enumerate(message.blocks)
        if block.path is not None and index % 2 and message.role is not Role.SYSTEM
    }
    cut = before.replacing(changes).without(gone - {len(before.messages) - 1})

    after = repair(cut, words)

    assert problems(after) == []
    assert repair(after, words) is after
    assert after.tokens <= cut.tokens
    assert sent(after)[-1] == USER
    opaque = [message.raw for message in cut.messages if message.role is Role.SYSTEM]
    assert [message.raw for message in after.messages if message.role is Role.SYSTEM] == opaque
