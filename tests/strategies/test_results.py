"""Results are found with the right tool's name, whatever ids the client gives them."""

from __future__ import annotations

import pytest

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, Span
from gateway.strategies.results import answered, is_named, results


def call(*named: tuple[str, str]) -> Message:
    return Message(
        Role.ASSISTANT, tuple(Block(Kind.TOOL_CALL, "{}", 1, None, id, name) for id, name in named), 9
    )


def result(id: str, *texts: str, name: str = "") -> Message:
    blocks = tuple(Block(Kind.TOOL_RESULT, text, 1, ("content",), id, name) for text in texts)
    return Message(Role.TOOL, blocks, 9)


def test_reused_id_belongs_to_its_own_round() -> None:
    """Models restart their ids every turn; a result is named after the call of its round."""
    view = Conversation((call(("c0", "f")), result("c0", "a"), call(("c0", "g")), result("c0", "b")))
    assert [found.name for found in results(view)] == ["f", "g"]


def test_result_in_parts_is_one_result() -> None:
    """Text parts of one result belong together; empty ones and what cannot be edited are passed over."""
    image = Block(Kind.IMAGE, "", 900)
    message = result("c", "a", "", "b")
    message = Message(Role.TOOL, (*message.blocks, image), 9)
    (found,) = results(Conversation((call(("c", "f")), message)))
    assert (found.blocks, found.tokens, found.name) == ((0, 2), 2, "f")


def test_result_without_call_has_no_name() -> None:
    """A stray result is still a result; one that names its tool keeps that name."""
    view = Conversation((result("x", "a"), result("y", "b", name="w")))
    assert [found.name for found in results(view)] == ["", "w"]


def test_calls_without_ids_are_answered_in_order() -> None:
    """Where a proxy has lost the ids, the first result is that of the first call, even if it is empty."""
    view = Conversation(
        (call(("", "f"), ("", "g"), ("c", "h")), result("", ""), result("", "b"), result("x", "?"))
    )
    found = [(block.name, result.index) for block, result in answered(view, Span(0, 4))]
    assert found == [("f", 1), ("g", 2)]


@pytest.mark.parametrize(
    ("name", "allow", "deny", "expected"),
    [
        ("read_file", (), (), True),
        ("read_file", ("read_*",), (), True),
        ("bash", ("read_*",), (), False),
        ("read_key", ("read_*",), ("*key",), False),
        ("", (), ("x",), True),
    ],
)
def test_globs(name: str, allow: tuple[str, ...], deny: tuple[str, ...], expected: bool) -> None:
    """Denied beats allowed; without any allowed all are."""
    assert is_named(name, allow, deny) is expected
