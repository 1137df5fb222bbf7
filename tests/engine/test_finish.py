"""Every rewritten list is repaired, written and compared with what the client sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256

import pytest

from gateway.core.conversation import Conversation, Offload, Role, made
from gateway.core.frozen import replace
from gateway.engine.finish import finished, is_untouched, removed
from gateway.engine.pipeline import Report, Result
from gateway.engine.replay import view_of
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint
from gateway.wire.openai_chat import OpenAIChat
from wired import WIRE, chat, engine, turns, words

CALLS = [
    {"role": "user", "content": "Find it."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": "found"},
    {"role": "user", "content": "Thanks."},
]


def subject(body: bytes) -> Subject:
    """Return a request as the compactor sees it."""

    async def run() -> Subject:
        async with engine() as made_:
            return await made_.subject(body)

    return asyncio.run(run())


def test_list_is_repaired() -> None:
    """A call that lost its result does not go out."""
    asked = subject(chat(CALLS))
    broken = view_of(asked, None).without([2])

    view = finished(asked, Result(broken, (Report("x", "changed", 9, 5),))).view
    assert WIRE.problems(broken)
    assert not WIRE.problems(view)


def test_every_message_is_written() -> None:
    """What the gateway says gets its bytes; what the client said keeps its own, and the reports stay."""
    asked = subject(chat(turns(1)))
    view = view_of(asked, None).splicing(0, 0, [made(Role.USER, "Before.", words)])
    reports = (Report("digest", "changed", 9, 5),)

    result = finished(asked, Result(view, reports))
    assert result.view.messages[0].raw == b'{"role":"user","content":"Before."}'
    assert tuple(message.raw for message in result.view.messages[1:]) == asked.request.messages
    assert result.reports == reports


def test_what_was_written_can_be_edited_again() -> None:
    """A rescue goes on from what was sent: it puts the ledger into the digest that was made for it."""
    asked = subject(chat(turns(1)))
    view = view_of(asked, None).splicing(0, 0, [made(Role.USER, "Before.", words)])

    sent = finished(asked, Result(view)).view.messages[0]
    assert sent.tokens == view.messages[0].tokens
    assert sent.with_text(0, "After.", words).raw == b'{"role":"user","content":"After."}'


def test_list_that_is_not_to_be_touched_has_no_problems() -> None:
    """Where the vendor compacts, a request is read as one without messages: its refusal is no mistake."""
    asked = subject(chat([]))
    empty = Result(view_of(asked, None))

    assert finished(asked, empty) is empty
    assert is_untouched(empty.view, 0)


class Strict(OpenAIChat):
    """A format that nothing satisfies."""

    def problems(self, view: Conversation) -> Sequence[str]:
        """Always have one."""
        return ["no"]


def test_list_that_cannot_be_repaired_is_not_sent() -> None:
    """A rewritten list that an upstream would surely refuse is an error of ours, not a request."""
    made = subject(chat(turns(1)))
    asked = replace(made, asked=replace(made.asked, wire=Strict()))

    with pytest.raises(ValueError, match="1 structural"):
        finished(asked, Result(view_of(asked, None)))


def test_untouched_is_the_clients_list_and_nothing_else() -> None:
    """Only the very same messages in the same order are an untouched list."""
    view = view_of(subject(chat(turns(1))), None)
    rearranged = Conversation((view.messages[1], view.messages[0], view.messages[2]))
    edited = view.replacing({1: view.messages[1].with_text(0, "other", words)})

    assert is_untouched(view, 3)
    assert not any(is_untouched(v, 3) for v in (view.without([0]), rearranged, edited))


def test_what_is_left_out_or_changed_is_kept() -> None:
    """Messages that are gone, or no longer what the client wrote, are to be stored; content by its hash."""
    asked = subject(chat(turns(1)))
    view = view_of(asked, None)
    view = view.replacing({1: view.messages[1].with_text(0, "stub", words)}, [Offload("off-1", "long", "f")])
    view = view.without([0])

    gone = list(removed(asked, None, view, now=7.0))
    assert [original.content for original in gone] == [*asked.request.messages[:2], b"long"]
    assert [(original.kind, original.name) for original in gone] == [
        ("message", ""),
        ("message", ""),
        ("offload", "f"),
    ]
    assert gone[0].id.endswith(sha256(asked.request.messages[0]).hexdigest())
    assert gone[2].id == "off-1"
    assert {original.created_at for original in gone} == {7.0}


def test_what_was_stored_before_is_not_stored_again() -> None:
    """A second compaction stores what it removes itself, and not what the first one did."""
    asked = subject(chat(turns(2)))
    base = Checkpoint(b"p", 2, (b'{"role":"user","content":"digest"}',), 5, 1000, "p")
    view = view_of(asked, base).without([1])

    gone = list(removed(asked, base, view, now=0.0))
    assert [original.content for original in gone] == [asked.request.messages[2]]


def test_half_of_an_emoji_is_stored() -> None:
    """Content that JavaScript tools cut in the middle of a character is kept as it is."""
    asked = subject(chat(turns(1)))
    view = Conversation(view_of(asked, None).messages, offloads=(Offload("1", "a\ud83d"),))

    [original] = removed(asked, None, view, now=0.0)
    assert original.content.decode("utf-8", "surrogatepass") == "a\ud83d"
