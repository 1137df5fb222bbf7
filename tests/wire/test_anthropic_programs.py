"""What goes on with a program whose beginning was left out does not go out."""

from __future__ import annotations

import json
from typing import Any

from gateway.wire.anthropic_programs import complete, severed

CODE = {"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {"code": "q()"}}
RAN = {"type": "code_execution_tool_result", "tool_use_id": "s1", "content": {}}
TEXT = {"type": "text", "text": "so"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}


def call(id: str, caller: str = "s1") -> dict[str, Any]:
    made_by = {"type": "code_execution_20260120", "tool_id": caller} if caller else {"type": "direct"}
    return {"type": "tool_use", "id": id, "name": "q", "input": {}, "caller": made_by}


def answer(*blocks: Any) -> bytes:
    return json.dumps({"role": "assistant", "content": list(blocks)}).encode()


def result(id: str, *more: Any) -> bytes:
    block = {"type": "tool_result", "tool_use_id": id, "content": "4"}
    return json.dumps({"role": "user", "content": [block, *more]}).encode()


ASKED = b'{"role":"user","content":"how many?"}'
PROGRAM = [answer(TEXT, CODE, call("a")), result("a"), answer(call("b")), result("b")]


def test_program_that_is_all_there_goes_out_as_it_came() -> None:
    """So does a list without any."""
    came = [ASKED, *PROGRAM, answer(RAN, TEXT)]

    assert complete(came, came) == came
    assert complete([ASKED], [ASKED, answer(TEXT)]) == [ASKED]


def test_calls_and_result_of_a_lost_program_go() -> None:
    """Seen: its first call was left out, the later ones and its result went out, and were refused."""
    came = [ASKED, *PROGRAM, answer(RAN, TEXT)]

    assert complete([ASKED, *came[3:]], came) == [ASKED, answer(TEXT)]


def test_server_s_result_that_comes_behind_the_client_s_goes_with_its_call() -> None:
    """A model may ask a server and the client at once."""
    own = {"type": "tool_use", "id": "a", "name": "q", "input": {}}
    search = {**CODE, "name": "web_search"}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    came = [ASKED, answer(search, own), result("a"), answer(found, TEXT), ASKED]

    assert complete([ASKED, *came[3:]], came) == [ASKED, answer(TEXT), ASKED]


MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}


def test_mark_of_what_goes_moves_to_what_stood_before_it() -> None:
    """Seen: the only mark of a list went with the result of a lost program, and nothing was cached."""
    came = [ASKED, *PROGRAM, answer(TEXT, {**RAN, **MARK}, TEXT)]
    sent = [json.loads(item) for item in complete([ASKED, *came[3:]], came)]
    assert sent[1]["content"] == [{**TEXT, **MARK}, TEXT]

    came = [ASKED, *PROGRAM, answer({**RAN, **MARK}, TEXT)]
    asked, said = map(json.loads, complete([ASKED, *came[3:]], came))
    assert asked["content"] == [{"type": "text", "text": "how many?", **MARK}]
    assert said["content"] == [TEXT]


def test_mark_of_what_goes_is_not_put_beside_another() -> None:
    """Another before it has the cache read from; nothing before it, and the whole list is marked."""
    came = [answer({**TEXT, **MARK}), *PROGRAM[:3], answer({**RAN, **MARK}, TEXT)]
    assert complete([came[0], *came[3:]], came) == [came[0], answer(TEXT)]

    came = [*PROGRAM[:2], answer({**RAN, **MARK}, TEXT)]
    (sent,) = complete(came[2:], came)
    assert json.loads(sent)["content"] == [{**TEXT, **MARK}]


def ask(id: str) -> dict[str, Any]:
    return {
        "type": "server_tool_use",
        "id": id,
        "name": "web_search",
        "input": {"query": '"type":"x_tool_result"'},
    }


def told(id: str) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": []}


def own(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "q", "input": {}}


def test_of_calls_in_a_chain_none_loses_its_beginning() -> None:
    """Each answer has what the one before asked of a server, and asks anew."""
    came = [ASKED, answer(ask("s1"), own("a")), result("a")]
    for number, id in ((1, "b"), (2, "c"), (3, "d")):
        came += [answer(told(f"s{number}"), TEXT, ask(f"s{number + 1}"), own(id)), result(id)]
    came += [answer(told("s4"), TEXT), ASKED]

    found = [json.loads(item) for item in complete([ASKED, *came[5:]], came)]
    assert found[1] == json.loads(answer(TEXT, ask("s3"), own("c")))
    assert found[2:] == list(map(json.loads, came[6:]))


def test_what_goes_with_its_message_takes_its_results_along() -> None:
    """A message whose thoughts would have moved goes whole, and so does what it asked of servers."""
    thinking = answer(told("s1"), THOUGHT, ask("s2"), own("b"))
    came = [ASKED, answer(ask("s1"), own("a")), result("a"), thinking, result("b"), answer(told("s2"), TEXT)]

    assert complete([ASKED, *came[3:]], came) == [ASKED, answer(TEXT)]


def test_program_that_still_runs_is_given_up() -> None:
    """Nothing is left but the question, which can be answered anew."""
    came = [ASKED, *PROGRAM]

    assert complete([ASKED, *came[3:]], came) == [ASKED]


def test_what_stands_beside_it_stays() -> None:
    """The model's own calls with their results, and what the user says behind a result."""
    came = [ASKED, *PROGRAM[:2], answer(THOUGHT, call("b"), call("c", "")), result("b", TEXT), result("c")]
    left = [
        answer(THOUGHT, call("c", "")),
        json.dumps({"role": "user", "content": [TEXT]}).encode(),
        result("c"),
    ]

    sent = complete([ASKED, *came[3:]], came)

    assert [json.loads(item) for item in sent] == [json.loads(item) for item in (ASKED, *left)]


def test_what_goes_on_with_nothing_is_told_from_where_the_list_changed() -> None:
    """What stands before that is as the client sent it, and the vendor's to judge."""
    list_ = [ASKED, *PROGRAM[2:], answer(RAN, TEXT), ASKED]

    assert severed(list_, 1) == {1: None, 3: answer(TEXT)}
    assert severed(list_, 3) == {3: answer(TEXT)}
    assert severed(list_, 4) == severed([ASKED, *PROGRAM, answer(RAN)], 0) == severed([ASKED], 0) == {}


def test_what_a_severed_message_began_is_severed_too() -> None:
    """Its thoughts would have moved, so it goes whole, and with it what it asked of a server."""
    thinking = answer(told("s1"), THOUGHT, ask("s2"), own("b"))

    assert severed([ASKED, thinking, result("b"), answer(told("s2"), TEXT)], 1) == {1: None, 3: answer(TEXT)}


def test_list_does_not_come_to_end_with_an_answer() -> None:
    """The model would go on from it as if it had begun it, white space and all; its mark moves, too."""
    first = answer({**TEXT, "text": "First: ", **MARK})
    came = [ASKED, *PROGRAM[:2], first, *PROGRAM[2:]]
    (asked,) = complete([ASKED, *came[3:]], came)
    assert json.loads(asked)["content"] == [{"type": "text", "text": "how many?", **MARK}]

    broken = [b"{", *PROGRAM[2:3]]
    assert complete(broken, [*PROGRAM[:2], *broken]) == [b"{"]
    assert complete([b"7", *PROGRAM[2:3]], [*PROGRAM[:2], *broken]) == [b"7"]


def test_thinking_that_led_to_a_lost_call_goes_with_it() -> None:
    """It would stand alone, or nearer to other thinking than it did."""
    came = [ASKED, *PROGRAM[:2], answer(THOUGHT, call("b")), answer(call("c"), THOUGHT, TEXT)]

    assert complete([ASKED, *came[3:]], came) == [ASKED]


def test_what_the_client_sends_without_its_beginning_stays() -> None:
    """That is the vendor's to judge; so is what cannot be read, and a list of nothing else."""
    came = [ASKED, answer(call("a")), result("a"), b'{"type":"server_tool_use"', b"7", b'{"content":[1]}']

    assert complete(came, came) == came
    assert complete([PROGRAM[2]], PROGRAM) == [PROGRAM[2]]
