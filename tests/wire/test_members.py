"""What is read alike in every wire format."""

from __future__ import annotations

from gateway.core.conversation import Role, made
from gateway.core.frozen import replace
from gateway.wire.members import is_emptied, object_of, opaque, positive_of, string_of, value_of


def test_what_cannot_be_read_says_nothing() -> None:
    """A body with a broken or a missing member is answered by the upstream, not by a mistake of ours."""
    for raw in (None, b"", b"{", b"4,"):
        assert value_of(raw) is None
        assert string_of(raw) == ""
        assert positive_of(raw) == 0
    assert object_of(b"[1]") == object_of(b"{") == {}


def test_only_numbers_above_none_bound_an_answer() -> None:
    """A negative number means no bound (llama.cpp), and true is no number."""
    assert [positive_of(raw) for raw in (b"7", b"0", b"-1", b"true", b"1.5", b'"7"')] == [7, 0, 0, 0, 0, 0]


def test_opaque_item_is_kept_and_not_edited() -> None:
    """What nobody can read goes upstream as it came."""
    message = opaque(b"?", 3, 1)
    assert (message.role, message.raw, message.origin) == (Role.SYSTEM, b"?", 1)
    assert all(block.path is None and block.whole is None for block in message.blocks)


def test_what_the_client_sent_empty_was_not_emptied() -> None:
    """Some upstreams want an empty message where it stands."""
    empty = made(Role.USER, " ", len)
    assert is_emptied(empty)
    assert not is_emptied(replace(empty, origin=0))
    assert not is_emptied(made(Role.USER, "hi", len))
