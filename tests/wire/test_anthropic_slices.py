"""Where the items of a Messages list are cut, and how they come together again."""

from __future__ import annotations

import json

from gateway.wire.anthropic_message import read_message
from gateway.wire.anthropic_slices import cut, join

RESULTS = [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in "ab"]


def item(*blocks: object, role: str = "user") -> bytes:
    return json.dumps({"role": role, "content": list(blocks)}).encode()


def test_single_result_stays_the_item_it_is() -> None:
    """There is nothing to cut, so the client's bytes are the slice."""
    raw = item(RESULTS[0])

    assert cut([raw]) == ((raw,), ())


def test_results_come_before_what_the_user_says() -> None:
    """The vendor wants them first, and the view behind their calls."""
    slices, joined = cut([item({"type": "text", "text": "so"}, *RESULTS)])

    assert [json.loads(raw)["content"][0]["type"] for raw in slices] == ["tool_result", "tool_result", "text"]
    assert (joined[0].start, joined[0].stop) == (0, 3)


def test_result_of_a_server_is_not_cut() -> None:
    """It stands in the model's own message, and belongs there."""
    raw = item({"type": "web_search_tool_result"}, {"type": "text", "text": "x"}, role="assistant")

    assert cut([raw]) == ((raw,), ())


def test_what_is_no_message_is_one_slice() -> None:
    """Broken or foreign items are carried along as they are."""
    odd = [b'"tool_result"', b'{"role":"user","content":"tool_result"}', b"[tool_result"]

    assert cut(odd) == (tuple(odd), ())


def test_text_behind_lone_results_joins_them() -> None:
    """What the gateway says behind results stands in their message, a string as a text block."""
    raws = [item(RESULTS[0]), b'{"role":"user","content":"on"}']
    messages = [read_message(raw, len) for raw in raws]

    (joined,) = join(messages, raws, ())

    assert json.loads(joined)["content"] == [RESULTS[0], {"type": "text", "text": "on"}]
