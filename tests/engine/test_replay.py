"""What a frozen prefix looks like when it is replayed."""

from __future__ import annotations

from engine.subjects import subject
from gateway.core.conversation import Role
from gateway.engine.replay import replayed, view_of
from gateway.engine.subject import Action
from gateway.store.base import Checkpoint
from wired import said


def test_frozen_prefix_is_replayed_with_the_clients_bytes() -> None:
    """Messages that a compaction kept are the client's own; what came since follows untouched."""
    asked = subject()
    made = b'{"role": "user",  "content": "digest"}'
    base = Checkpoint(b"p", 4, (0, made), 60, 1000, "p")

    plan = replayed(asked, base)
    slices = asked.request.messages
    assert plan.body == asked.request.with_messages((slices[0], made, *slices[4:]))
    assert said(plan.body) == ["u0", "digest", "u2", "a2", "now"]
    assert (plan.tokens, plan.tokens_frozen, plan.tokens_before) == (210, 210, 350)
    assert (plan.action, plan.messages, plan.is_rewritten) == (Action.FROZEN, 5, True)


def test_view_has_the_prefix_replaced() -> None:
    """Steps see what is sent, and which of it is the client's own."""
    view = view_of(subject(), Checkpoint(b"p", 4, (0, b'{"role":"user","content":"digest"}'), 60, 1000, "p"))

    assert [message.origin for message in view.messages] == [0, None, 4, 5, 6]
    assert view.messages[1].role is Role.USER
    assert view.messages[1].text == "digest"
