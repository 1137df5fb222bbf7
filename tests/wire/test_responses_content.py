"""What the parts of an item say, which of them can be edited, and what all others cost."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.core.conversation import Block, Kind
from gateway.wire import media
from gateway.wire.responses_content import content_blocks, result_blocks


def words(text: str) -> int:
    return len(text.split())


def blocks(content: Any, kind: Kind = Kind.TEXT) -> list[Block]:
    return list(content_blocks(content, ("content",), kind, words))


@pytest.mark.parametrize("kind", ["input_text", "output_text", "text"])
def test_texts_can_be_edited_where_they_stand(kind: str) -> None:
    """A text is the same however its part is called, or if it is all of the content."""
    (part,) = blocks([{"type": kind, "text": "a b"}])
    (whole,) = blocks("a b")
    assert (part.text, part.tokens, part.path) == ("a b", 2, ("content", 0, "text"))
    assert (whole.text, whole.tokens, whole.path) == ("a b", 2, ("content",))


def test_cited_text_stays_as_it_is() -> None:
    """Annotations point at places in the text, which an edit would move."""
    (block,) = blocks([{"type": "output_text", "text": "a", "annotations": [{"start_index": 0}]}])
    assert block.path is None


def test_image_can_make_way_for_a_text() -> None:
    """A picture leaves as one part, and a text part of this dialect may stand in its place."""
    (block,) = blocks([{"type": "input_image", "image_url": "https://example.org/a.png", "detail": "low"}])
    assert (block.kind, block.tokens) == (Kind.IMAGE, 85)
    assert block.whole is not None
    assert (block.whole.places, block.whole.text_type) == ((("content", 0),), "input_text")


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        ({"type": "input_file", "file_id": "f"}, media.REFERENCE_TOKENS),
        ({"type": "input_file", "file_data": "A" * 128_000}, 3001),
        ({"type": "input_audio", "input_audio": {"data": "A" * 160_000, "format": "mp3"}}, 301),
        ({"type": "refusal", "refusal": "I will not"}, 3),
        ({"type": "made_up"}, 1),
        ("loose text", 2),
        (7, 1),
    ],
)
def test_other_parts_are_counted_only(part: Any, tokens: int) -> None:
    """Files, audio, refusals and what nobody knows are carried along."""
    (block,) = blocks([part])
    assert (block.kind, block.tokens, block.path) == (Kind.OTHER, tokens, None)


def test_odd_content_is_counted() -> None:
    """A content that is neither text nor list is no obstacle, and none is nothing."""
    assert [block.kind for block in blocks({"x": 1})] == [Kind.OTHER]
    assert blocks(None) == []


def result(output: Any, **fields: Any) -> list[Block]:
    return list(result_blocks({"output": output, **fields}, "c1", words))


def test_result_bears_its_call() -> None:
    """Every block of a result names the call, and an empty result has one."""
    assert [(b.text, b.path, b.call_id) for b in result("a b")] == [("a b", ("output",), "c1")]
    assert [(b.text, b.path) for b in result([{"type": "input_text", "text": "x"}])] == [
        ("x", ("output", 0, "text"))
    ]
    empties: list[Any] = [[], {"x": 1}, None]
    for empty in empties:
        (block,) = result(empty, name="f")
        assert (block.kind, block.text, block.call_id, block.name) == (Kind.TOOL_RESULT, "", "c1", "f")


def test_output_of_a_shell_can_be_shortened() -> None:
    """Both streams of a command are texts of the result."""
    said = result([{"stdout": "out", "stderr": "err", "outcome": {"type": "exit", "exit_code": 0}}])
    assert [(b.text, b.path) for b in said] == [
        ("out", ("output", 0, "stdout")),
        ("err", ("output", 0, "stderr")),
    ]
    (only,) = result([{"stdout": "out", "stderr": None}])
    assert only.text == "out"


def test_screenshot_stays() -> None:
    """A call for a picture must be answered by one, so no text takes its place."""
    (block,) = result({"type": "computer_screenshot", "image_url": "data:image/png;base64,x"})
    assert (block.kind, block.whole, block.call_id) == (Kind.IMAGE, None, "c1")
