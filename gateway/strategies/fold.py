"""Put one message in the place of everything between the head and a point: what digests and summaries share.

System messages stay where they are, before it, and so does the latest user message, behind it: a message
that tells of what was is never the last thing that is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gateway.core.conversation import Conversation, Count, Kind, Message, Role, Span, made
from gateway.strategies import marks, quote
from gateway.strategies.acknowledge import acknowledged
from gateway.strategies.place import is_digest

_REPLY_CHARS = 200
"""A longer message of a user says by itself what it is about."""

_ASKED_CHARS = 300


def fold(
    view: Conversation, start: int, write: Callable[[Sequence[Message]], Message], count: Count
) -> Conversation:
    """Return the conversation with what stands before *start* in one message; *view* if it is not shorter.

    *write* is given what is folded.
    """
    stays = view.last_user if view.last_user is not None and view.last_user < start else None
    folded = [view.messages[index] for index in range(view.head_end, start) if index != stays]
    if not any(map(is_news, folded)):
        return view
    system = [message for message in folded if message.role is Role.SYSTEM]
    latest = [] if stays is None else [view.messages[stays]]
    kept = [*latest, *view.messages[start:]]
    asked = question(view, start, count)
    between = acknowledged(kept, count) if asked is None else [asked]
    new = [*system, write(folded), *between, *latest]
    shorter = view.splicing(view.head_end, start, new)
    return shorter if shorter.tokens < view.tokens else view


def question(view: Conversation, start: int, count: Count) -> Message | None:
    """Return what the assistant asked before the first thing that a user says of what stays, in brief.

    A short reply ("yes", "the second one") means nothing without it. None: nothing was asked, or what is said
    says by itself what it is about. It stands in the place of an acknowledgement.
    """
    latest = view.last_user
    at = latest if latest is not None and latest < start else start
    if not view.head_end < at < len(view.messages) or view.messages[at].role is not Role.USER:
        return None
    asked = next((m for m in reversed(view.messages[view.head_end : at]) if m.role is not Role.SYSTEM), None)
    if asked is None or asked.role is not Role.ASSISTANT or len(view.messages[at].text) > _REPLY_CHARS:
        return None
    if marks.gap_size(asked.text) is not None or any(one.kind is Kind.TOOL_CALL for one in asked.blocks):
        return None
    text = quote.of_question(asked.text, _ASKED_CHARS)
    return made(Role.ASSISTANT, text, count) if text else None


def turns(view: Conversation) -> Sequence[Span]:
    """Return the turns of a conversation; a digest begins none."""
    return [turn for turn in view.turns if not is_digest(view.messages[turn.start])]


def older_half(view: Conversation) -> int:
    """Return the index up to which the older half of the turns that are over reaches; 0: there are too few.

    Of an odd number the one in the middle stays.
    """
    # The last turn is not over.
    starts = [turn.start for turn in turns(view)]
    return starts[(len(starts) - 1) // 2] if len(starts) > 2 else 0


def is_news(message: Message) -> bool:
    """Return whether a message says what no digest says yet."""
    if message.role is Role.SYSTEM or marks.is_acknowledgement(message.text):
        return False
    return not is_digest(message)
