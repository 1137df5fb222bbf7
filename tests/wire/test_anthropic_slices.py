"""Where the items of a Messages list are cut, and how they come together again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from gateway.wire import anthropic_slices
from gateway.wire.anthropic_words import shapes_of
from gateway.wire.base import Joined

RESULTS = [{"type": "tool_result", "tool_use_id": id, "content": "ok"} for id in "ab"]


def cut(items: list[bytes]) -> tuple[tuple[bytes, ...], tuple[Joined, ...]]:
    return anthropic_slices.cut(items, shapes_of(items))


def join(slices: Sequence[bytes], came: Sequence[bytes], joined: Sequence[Joined]) -> Iterator[bytes]:
    return anthropic_slices.join(slices, shapes_of(slices), came, joined)


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
    odd = [
        b'"\\"tool_result\\""',
        b'{"role":"user","content":"\\"tool_result\\""}',
        b'{"role":"user","content":["tool_result"],"content":[{"type":"tool_result"},1]}',
        b'{"role":"assistant","content":[{"type":"tool_result"},1]}',
        b'{"content":[{"type":"tool_result"},1]}',
        b'["tool_result"',
    ]

    assert cut(odd) == (tuple(odd), ())


SPELLINGS = [
    b'{"role":"user","content":[%s,%s]}',
    b'{"role": "user", "content": [%s, %s]}',
    b'{ "content" :[%s ,%s], "role":"user" }',
    b'{"role":"user","content":[%s,%s],"name":"x"}',
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_item_is_cut_and_joined_however_it_is_spelled(spelling: bytes) -> None:
    """Untouched it comes back byte for byte; edited, it keeps what it says beside its content."""
    raw = spelling % tuple(json.dumps(result).encode() for result in RESULTS)
    slices, joined = cut([raw])

    assert list(join(slices, slices, joined)) == [raw]
    shorter = slices[0].replace(b"ok", b"cut")
    (written,) = join([shorter, slices[1]], slices, joined)
    assert json.loads(written) == json.loads(raw.replace(b"ok", b"cut", 1))


def test_edited_piece_is_written_beside_pieces_that_came_as_they_are() -> None:
    """An edit of one result is never lost to the client's own item."""
    raw = item(*RESULTS, {"type": "text", "text": "so"})
    slices, joined = cut([raw])
    changed = [slices[0], slices[1].replace(b"ok", b"cut"), slices[2]]

    (written,) = join(changed, slices, joined)

    assert json.loads(written) == json.loads(item(RESULTS[0], {**RESULTS[1], "content": "cut"}, TEXT))


TEXT = {"type": "text", "text": "so"}


def test_remaining_pieces_are_items_of_their_own() -> None:
    """What the user said stays a message if the results before it are gone, and so does what is emptied."""
    slices, joined = cut([item(*RESULTS, TEXT)])

    assert [json.loads(one) for one in join(slices[2:], slices, joined)] == [json.loads(item(TEXT))]
    emptied = b' {"role":"user","content":null}'
    assert list(join([emptied], slices, joined)) == [emptied[1:]]


def test_uncut_items_stay_apart() -> None:
    """Two messages that the client sent one behind the other are written as two."""
    came = [item(RESULTS[0]), item(TEXT)]

    assert list(join(came, *cut(came))) == came


def test_equal_beginnings_are_told_apart() -> None:
    """Two items that begin with the same result each come back as they were."""
    came = [item(RESULTS[0], TEXT), item(RESULTS[0], {**TEXT, "text": "then"})]

    assert list(join(cut(came)[0], *cut(came))) == came
