"""Where system messages inside a Messages list go when what stood around them has changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.wire.anthropic_system import placed


def said(role: str, content: Any = "x", **more: Any) -> bytes:
    return json.dumps({"role": role, "content": content, **more}).encode()


U, A, S = said("user"), said("assistant"), said("system", "S")
SERVED = said("assistant", [{"type": "server_tool_use"}])
ANSWERED = said("assistant", [{"type": "server_tool_use"}, {"type": "text", "text": "so"}])


@pytest.mark.parametrize(
    ("items", "wanted"),
    [
        ([U, A, U], [U, A, U]),
        ([U, S, A, U, S], [U, S, A, U, S]),
        ([S, U, A], [U, S, A]),
        ([U, S, U, A], [U, U, S, A]),
        ([U, A, S, A], [U, S, A, A]),
        ([U, A, S], [U, S, A]),
        ([S], [S]),
        ([S, A, U, A], [A, U, S, A]),
        ([U, SERVED, S, A], [U, SERVED, S, A]),
        ([U, ANSWERED, S, U], [U, ANSWERED, U, S]),
        ([U, b"1", S, b'{"role": 1}', b"{", A], [U, S, b"1", b'{"role": 1}', b"{", A]),
    ],
)
def test_system_message_stands_behind_a_user_and_before_an_answer(
    items: list[bytes], wanted: list[bytes]
) -> None:
    """It is moved no further than it must be, and where it may stand it stays."""
    assert placed(items, [U, S, A]) == wanted


def test_two_that_come_together_become_one() -> None:
    """Nothing that either says is lost, and the later one has the last word on effort."""
    second = said("system", [{"type": "text", "text": "T"}], output_config={"effort": "low"})

    (_, one, _) = placed([U, S, second, A], [])

    texts = [{"type": "text", "text": "S"}, {"type": "text", "text": "T"}]
    assert json.loads(one) == {"role": "system", "content": texts, "output_config": {"effort": "low"}}


def test_one_that_comes_to_where_another_is_stands_behind_it_in_one() -> None:
    """Seen: what stood between them was gone, and the later one went out before the earlier."""
    (_, one, *answers) = placed([U, S, A, said("system", "T"), A], [])

    assert answers == [A, A]
    assert [block["text"] for block in json.loads(one)["content"]] == ["S", "T"]


def test_what_cannot_be_put_together_stays_apart() -> None:
    """A message without content cannot be joined, and is not lost."""
    bare = b'{"role":"system"}'

    assert placed([U, bare, S, A], []) == [U, bare, S, A]


def test_upstream_that_takes_it_elsewhere_gets_it_there() -> None:
    """A client whose own list begins with it talks to somebody who wants it so."""
    assert placed([S, U, S, U], [S, U]) == [S, U, S, U]
