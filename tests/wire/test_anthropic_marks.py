"""Cache marks on a rewritten list."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.anthropic_marks import marked
from gateway.wire.anthropic_messages import AnthropicMessages

MARK: dict[str, Any] = {"cache_control": {"type": "ephemeral"}}
LONG: dict[str, Any] = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
BEFORE = [b'{"content":[{"cache_control":{"type":"ephemeral"}}]}']


def item(*blocks: Any) -> bytes:
    return json.dumps({"role": "user", "content": list(blocks)}).encode()


def test_without_marks_none_is_made() -> None:
    """A client that does not ask for a cache gets no marks."""
    assert marked([item({"type": "text", "text": "a"})], [item()], []) == [
        item({"type": "text", "text": "a"})
    ]


@pytest.mark.parametrize("block", [{"type": "thinking"}, {"type": "text", "text": " "}, 1])
def test_block_that_cannot_bear_a_mark_gets_none(block: Any) -> None:
    """The vendor refuses marks on thinking and on empty texts."""
    assert marked([item(block)], BEFORE, []) == [item(block)]


def test_newest_block_bears_the_mark() -> None:
    """A result bears one as well as a text."""
    (written,) = marked([item({"type": "tool_result"})], BEFORE, [])

    assert json.loads(written)["content"] == [{"type": "tool_result", **MARK}]


def test_call_that_code_made_and_its_result_bear_no_mark() -> None:
    """The vendor refuses marks on both: the model never sees them."""
    code = {"type": "server_tool_use", "id": "s", "name": "code_execution", "input": {}}
    call = {"type": "tool_use", "id": "a", "caller": {"type": "code_execution_20260120", "tool_id": "s"}}
    own = {"type": "tool_use", "id": "b", "caller": {"type": "direct"}}
    results = [item({"type": "tool_result", "tool_use_id": id}) for id in ("b", "a")]
    came = [item(code, call), results[1]]

    first, second = marked(came, [*BEFORE, came[0]], [])
    assert json.loads(first)["content"] == [{**code, **MARK}, call]
    assert second == came[1]

    written = marked([item(code, call, own), *results], [came[0], *BEFORE], [])
    assert json.loads(written[1])["content"] == [{"type": "tool_result", "tool_use_id": "b", **MARK}]


def test_what_is_called_so_in_a_call_s_input_is_no_mark() -> None:
    """Seen: an agent that wrote a request of its own had no mark put back."""
    call = {"type": "tool_use", "id": "a", "input": {"cache_control": {"type": "ephemeral"}}}

    (written,) = marked([item(call)], BEFORE, [])

    assert json.loads(written)["content"] == [{**call, **MARK}]


def test_hour_that_the_client_asks_for_no_more_is_not_sent() -> None:
    """What was frozen with it stood before marks of five minutes beside the list, and was refused."""
    frozen, came = item(text("1h")), [item(text()), item(text("5m"))]

    assert marked([frozen, came[1]], came, BEFORE) == came
    (written,) = marked([frozen], [item({"type": "text", "text": "z", **MARK})], [])
    assert json.loads(written)["content"] == [{**text(), **MARK}]


def test_marks_inside_results_count() -> None:
    """The oldest of five goes, also where it stands inside a result."""
    inner = {"type": "tool_result", "content": [{"type": "text", "text": "a", **MARK}]}
    block = {"type": "text", "text": "a", **MARK}

    written = marked([item(inner), *[item(block)] * 4], BEFORE, [])

    assert b"cache_control" not in written[0]
    assert written[1:] == [item(block)] * 4


def test_beside_that_cannot_be_read_bears_no_mark() -> None:
    """Then only those of the list count."""
    came = [item({"type": "text", "text": "a", **MARK})] * 4

    assert marked(came, came, [b'"cache_control"']) == came


def text(ttl: str = "") -> dict[str, Any]:
    mark = {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}
    return {"type": "text", "text": "a", **({"cache_control": mark} if ttl else {})}


def test_old_mark_whose_place_is_gone_does_not_come_behind_a_newer_one() -> None:
    """Seen: the hour's mark of an early message came behind that of the question, on the prefill."""
    came = [item(text("1h")), item(text()), item(text()), item(text("5m")), item(text())]
    left = came[-2:]

    assert marked(left, came, []) == left


def test_mark_that_an_hour_s_stands_behind_goes() -> None:
    """What is frozen may bear a mark of five minutes from when it was new; behind it stands an hour's now."""
    came = [item(text()), item(text("1h")), item(text("5m"))]

    written = marked([item(text("5m")), *came[1:]], came, [])

    assert written == came


def test_order_of_marks_that_the_client_chose_stays() -> None:
    """What the client's own list does is its upstream's to judge."""
    came = [item(text("5m")), item(text("1h"))]

    assert marked(came, came, []) == came


def test_empty_list_stays_empty() -> None:
    """There is nothing to mark."""
    assert marked([], BEFORE, []) == []


def block(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def test_mark_of_what_made_way_for_a_text_comes_back() -> None:
    """The message that bore a mark bears it again, with its own lifetime, and no other does."""
    mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    came = [item(block("a", **mark)), item({"type": "image", **mark}), item(block("c", **mark))]

    written = marked([came[0], item(block("a picture")), came[2]], came, [])

    assert (written[0], written[2]) == (came[0], came[2])
    assert json.loads(written[1])["content"] == [block("a picture", **mark)]


def test_string_becomes_a_block_to_bear_a_mark() -> None:
    """The newest message is marked even if it was written as a string, or cannot be marked itself."""
    said = json.dumps({"role": "assistant", "content": "ok"}).encode()
    thought = json.dumps({"role": "assistant", "content": [{"type": "thinking"}]}).encode()

    written = marked([said, thought], [*BEFORE, *BEFORE], [])

    assert json.loads(written[0])["content"] == [block("ok", **MARK)]
    assert written[1] == thought


def test_mark_on_an_old_message_is_not_put_twice() -> None:
    """A mark that is where it was needs no other, however many messages behind it are gone."""
    first = item(block("a", **MARK))

    assert marked([first, item(block("z"))], [first, *[item(block("b"))] * 9], []) == [
        first,
        item(block("z")),
    ]


@pytest.mark.parametrize(
    ("beside", "left"),
    [
        ([b'{"cache_control":{},"messages":', b',"tools":[{"cache_control":{}}],"system":"s"}'], 2),
        ([b'{"messages":', b',"tools":[{"input_schema":{"cache_control":{},"x":{"cache_control":1}}}]}'], 4),
        ([b'{"cache_control":{},"messages":', b"}"], 3),
    ],
)
def test_marks_beside_the_list_take_their_places(beside: list[bytes], left: int) -> None:
    """What only looks like a mark, in a schema, does not count."""
    came = [item(block("a", **MARK))] * 5

    assert sum(b"cache_control" in raw for raw in marked(came, came, beside)) == left


def test_what_cannot_be_read_bears_no_mark() -> None:
    """Broken items go out as they came."""
    broken = b'{"cache_control"'

    assert marked([broken], BEFORE, []) == [broken]
    assert marked([b'{"x'], BEFORE, []) == [b'{"x']


def test_mark_that_moves_behind_a_shorter_one_does_not_stay_before_it() -> None:
    """A system message that finds another place takes its hour's mark along; five minutes before it go."""
    system = {"role": "system", "content": [{"type": "text", "text": "S", **LONG}]}
    came = [{"role": "user", "content": "q"}, system, {"role": "assistant", "content": "a"}]
    came += [{"role": "user", "content": [{"type": "text", "text": "r", **MARK}]}]
    request = AnthropicMessages().read(json.dumps({"model": "m", "messages": came}).encode())
    sent = json.loads(request.with_messages([request.messages[1], request.messages[3]]))["messages"]

    assert sent == [{"role": "user", "content": [{"type": "text", "text": "r"}]}, system]
    assert json.loads(request.with_messages(request.messages)) == json.loads(request.body)
