"""What a message of a Chat Completions list holds, and what it costs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.conversation import FRAME_TOKENS, Block, Kind, Message, Role
from gateway.wire import media
from gateway.wire.openai_message import keeping_calls, read_message


def words(text: str) -> int:
    return len(text.split())


def read(**fields: Any) -> Message:
    return read_message(json.dumps(fields).encode(), words)


def call(id: Any, name: str = "f", arguments: Any = "{}") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("system", Role.SYSTEM),
        ("developer", Role.SYSTEM),
        ("user", Role.USER),
        ("assistant", Role.ASSISTANT),
        ("tool", Role.TOOL),
        ("function", Role.TOOL),
    ],
)
def test_every_role_of_the_vendor_is_known(name: str, role: Role) -> None:
    """Developer messages belong to the head like system messages, and keep their role (role-10)."""
    message = read(role=name, content="one two")

    assert message.role is role
    assert message.blocks[0].text == "one two"
    assert json.loads(message.with_text(0, "three", words).raw) == {"role": name, "content": "three"}


@pytest.mark.parametrize(
    "raw",
    [
        b'{"role":"narrator","content":"one two"}',
        b'{"role":["user"],"content":"one two"}',
        b'{"content":"one two"}',
        b'"one two"',
        b"null",
        b"[1,2]",
        b"{not json",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"role":"user","content":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_what_is_not_understood_is_carried_along_untouched(raw: bytes) -> None:
    """A message of an unknown role, or none at all, is counted, and no step can edit or drop it."""
    message = read_message(raw, words, 3)

    assert (message.role, message.raw, message.origin) == (Role.SYSTEM, raw, 3)
    assert [(block.kind, block.path) for block in message.blocks] == [(Kind.OTHER, None)]
    assert message.tokens >= FRAME_TOKENS


def test_message_costs_its_text_and_its_frame() -> None:
    """Text, the speaker's name and what the template puts around them are counted."""
    assert read(role="user", content="one two three").tokens == 3 + FRAME_TOKENS
    assert read(role="user", name="ann", content="one two three").tokens == 4 + FRAME_TOKENS


@pytest.mark.parametrize(
    "fields", [{}, {"content": None}, {"content": []}, {"content": None, "tool_calls": None}]
)
def test_missing_content_costs_nothing(fields: dict[str, Any]) -> None:
    """Null and missing content are no text, and no error (con-02)."""
    message = read(role="assistant", **fields)

    assert (message.blocks, message.tokens) == ((), FRAME_TOKENS)


def test_parts_are_blocks_each_with_its_place() -> None:
    """In a list of parts each text can be edited; all else is counted and carried along."""
    message = read(
        role="user",
        content=[
            {"type": "text", "text": "one two", "cache_control": {"type": "ephemeral"}},
            "three",
            {"type": "image_url", "image_url": {"url": "https://a/b.png", "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": "A" * 1600, "format": "mp3"}},
            {"type": "file", "file": {"file_id": "file-1"}},
            {"type": "refusal", "refusal": "four five six"},
            {"type": "hologram", "data": "seven"},
            {"type": "text", "text": None},
            7,
        ],
    )

    assert [(block.kind, block.path) for block in message.blocks] == [
        (Kind.TEXT, ("content", 0, "text")),
        (Kind.TEXT, ("content", 1)),
        (Kind.IMAGE, None),
        *[(Kind.OTHER, None)] * 6,
    ]
    tokens = [block.tokens for block in message.blocks]
    assert tokens[:2] == [2, 1]
    assert tokens[3:6] == [4, media.REFERENCE_TOKENS, 3]
    assert all(tokens)


def test_picture_is_not_counted_as_text() -> None:
    """A screenshot as data URL costs about a thousand tokens, not a hundred thousand (con-06)."""
    url = "data:image/png;base64," + "iVBORw0K" * 20_000

    inside = read(role="user", content=[{"type": "image_url", "image_url": {"url": url}}])
    plain = read(role="user", content=[{"type": "image_url", "image_url": url}])
    result = read(role="tool", tool_call_id="a", content=[{"type": "image_url", "image_url": {"url": url}}])

    assert all(message.blocks[0].tokens < 3000 for message in (inside, plain, result))


@pytest.mark.parametrize(
    "part", [{"type": "input_audio"}, {"type": "file"}, {"type": "image_url"}, {"type": 1}, {}]
)
def test_broken_parts_are_no_error(part: dict[str, Any]) -> None:
    """A part without what its type promises is counted somehow and sent on."""
    assert len(read(role="user", content=[part]).blocks) == 1


def test_what_an_assistant_carries_beside_its_content_is_counted() -> None:
    """Refusals, reasoning and audio take room in the window (tok-03); reasoning said twice counts once."""
    assert read(role="assistant", refusal="one two").tokens == 2 + FRAME_TOKENS
    assert read(role="assistant", reasoning="one two", reasoning_content="one two").tokens == 2 + FRAME_TOKENS
    assert read(role="assistant", reasoning_details=[{"data": "x y"}]).tokens > FRAME_TOKENS
    assert read(role="assistant", audio={"id": "au_1"}).tokens == media.REFERENCE_TOKENS + FRAME_TOKENS


def test_pictures_that_a_model_drew_are_counted_as_pictures() -> None:
    """They come back beside the content: each takes what one in a content does, and is left as it is."""
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 90_000}}
    sent = read(role="user", content=[part])
    drawn = read(role="assistant", content="one two", images=[part, part])
    assert drawn.tokens == 2 + 2 * (sent.tokens - FRAME_TOKENS) + FRAME_TOKENS
    assert [block.kind for block in drawn.blocks] == [Kind.TEXT, Kind.IMAGE, Kind.IMAGE]
    assert {block.whole for block in drawn.blocks} == {None}
    assert read(role="assistant", content="one", images="none").tokens == 1 + FRAME_TOKENS


def test_calls_are_counted_and_can_be_edited() -> None:
    """Arguments are text that costs tokens and may be shortened; ids and names are kept (tok-03)."""
    message = read(
        role="assistant",
        content=None,
        tool_calls=[
            call("a", "save", '{"text": "one two"}'),
            {"id": "b", "type": "custom", "custom": {"name": "run", "input": "ls -la"}},
        ],
    )

    assert message.blocks == (
        Block(
            Kind.TOOL_CALL, '{"text": "one two"}', 3, ("tool_calls", 0, "function", "arguments"), "a", "save"
        ),
        Block(Kind.TOOL_CALL, "ls -la", 2, ("tool_calls", 1, "custom", "input"), "b", "run"),
    )
    assert message.tokens >= FRAME_TOKENS + 5 + 4
    assert json.loads(message.with_text(1, "ls", words).raw)["tool_calls"][1]["custom"]["input"] == "ls"


def test_odd_arguments_are_counted_and_left_alone() -> None:
    """Arguments that are null or an object are read as their JSON and never rewritten (con-04)."""
    message = read(
        role="assistant",
        tool_calls=[
            call("o", "f", None),
            call("p", "g", {"k": 1}),
            {"id": 5},
            "odd",
            {"id": "q", "function": {}},
        ],
    )

    assert [(block.text, block.path) for block in message.blocks] == [
        ("null", None),
        ('{"k":1}', None),
        *[("", None)] * 3,
    ]
    assert [block.call_id for block in message.blocks] == ["o", "p", "5", "", "q"]


def test_result_names_its_call_even_if_it_is_empty() -> None:
    """A result without content still answers its call (con-02)."""
    empty: tuple[object, ...] = (None, [], "")
    for content in empty:
        message = read(role="tool", tool_call_id="a", name="f", content=content)
        assert [(b.kind, b.text, b.call_id, b.name) for b in message.blocks] == [
            (Kind.TOOL_RESULT, "", "a", "f")
        ]


def test_result_in_parts_is_a_result_in_each() -> None:
    """Each part of a result belongs to its call, pictures too."""
    parts = [{"type": "text", "text": "one"}, {"type": "image_url", "image_url": {"url": "https://a"}}]
    message = read(role="tool", tool_call_id="a", content=parts)

    assert [(block.kind, block.call_id) for block in message.blocks] == [
        (Kind.TOOL_RESULT, "a"),
        (Kind.IMAGE, "a"),
    ]


def test_legacy_calls_and_results_are_paired_by_name() -> None:
    """`function_call` and the `function` role have no ids; the function's name stands for it (tp-15)."""
    asked = read(role="assistant", content=None, function_call={"name": "w", "arguments": "{}"})
    answered = read(role="function", name="w", content="sun")

    assert asked.blocks[0].call_id == answered.blocks[0].call_id == "function:w"
    assert asked.blocks[0].path == ("function_call", "arguments")
    assert json.loads(answered.with_text(0, "s", words).raw) == {
        "role": "function",
        "name": "w",
        "content": "s",
    }


def test_calls_taken_away_leave_the_other_bytes() -> None:
    """Only the entries of the calls go; what else the message says stays as the client wrote it."""
    raw = b'{"role":"assistant","x":1.0, "tool_calls":[ {"id":"a"} , {"id":"b", "y":1E5} ],"content":"k"}'
    message = read_message(raw, words, 0)

    one = keeping_calls(message, frozenset({1}), words)
    none = keeping_calls(message, frozenset(), words)

    assert one is not None
    assert one.raw == b'{"role":"assistant","x":1.0, "tool_calls":[{"id":"b", "y":1E5}],"content":"k"}'
    assert one.origin is None
    assert none is not None
    assert none.raw == b'{"role":"assistant","x":1.0,"content":"k"}'


@pytest.mark.parametrize(
    ("fields", "stays"),
    [
        ({}, False),
        ({"content": None, "reasoning": "hm"}, False),
        ({"content": " \n"}, False),
        ({"content": []}, False),
        ({"content": "k"}, True),
        ({"content": [{"type": "text", "text": "k"}]}, True),
        ({"refusal": "no"}, True),
        ({"audio": {"id": "au_1"}}, True),
    ],
)
def test_message_without_its_calls_stays_if_it_says_something(fields: dict[str, Any], stays: bool) -> None:
    """Refusal and audio are something; reasoning alone is not a message the vendor accepts (con-13)."""
    for asked in ({"tool_calls": [call("a")]}, {"function_call": {"name": "f", "arguments": "{}"}}):
        left = keeping_calls(read(role="assistant", **fields, **asked), frozenset(), words)
        assert (left is not None) is stays
        assert left is None or json.loads(left.raw) == {"role": "assistant", **fields}


def test_image_can_make_way_for_a_text() -> None:
    """A picture in a result, or beside a text, can be exchanged for a text part that says what it was."""
    part = {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}

    after = read(role="tool", tool_call_id="c", content=[part, {"type": "text", "text": "x"}]).replacing(
        {0: "a cat"}, words
    )

    assert json.loads(after.raw)["content"] == [
        {"type": "text", "text": "a cat"},
        {"type": "text", "text": "x"},
    ]
    assert read_message(after.raw, words).tokens == after.tokens
