"""Where a digest stands: in a message of its own, or before what the user says in the first message kept.

Steps know the first form only, and so does whoever reads a digest. A conversation that comes with the other
one is taken apart before anything looks at it, and put together again when all are done. So a digest that
stood before the user's words is found, carried on and replaced like any other, and the words are bare again.
Never before the latest request, which stays as it came, nor where a round stands between the two, nor where
the user sent no text: there it is a message of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from gateway.core.conversation import Conversation, Count, Kind, Message, Role, made
from gateway.core.frozen import replace
from gateway.strategies import marks


def told_apart(view: Conversation) -> Conversation:
    """Return the conversation in which what only looks like its digest is known as a user's own words.

    Clients that store what they get back send our digest as any other message, so its place must tell: behind
    the head, or behind a first user message and the note on what is gone. There is one at most, and it is
    never the latest request. What stands anywhere else was pasted: it has no more of a say than other words.
    """
    alike = [at for at, message in enumerate(view.messages) if looks_like_digest(message)]
    if not alike:
        return view
    own = _place(view)
    found = {at: view.messages[at] for at in alike if at != own}
    pasted = {at: replace(one, is_pasted=True) for at, one in found.items() if not one.is_pasted}
    return view.replacing(pasted) if pasted else view


def _place(view: Conversation) -> int | None:
    """Return where the digest of a conversation stands, in a message of its own or before a user's words."""
    first = view.head_end
    between = view.messages[first + 1 : first + 2]
    is_behind = bool(between) and is_note(between[0]) and marks.gap_size(between[0].text) is not None
    for at in (first + 2, first) if is_behind else (first,):
        if at < len(view.messages) and at != view.last_user and looks_like_digest(view.messages[at]):
            return at
    return None


def has_digest(view: Conversation) -> bool:
    """Return whether a conversation holds what looks like a digest anywhere, also before a user's words."""
    return any(_text(message)[1].startswith(marks.DIGEST_START) for message in view.messages)


def looks_like_digest(message: Message) -> bool:
    """Return whether a message is, or begins with, what the gateway writes as a digest, whoever wrote it."""
    text = _text(message)[1]
    return text.startswith(marks.DIGEST_START) and (marks.is_digest(text) or marks.apart(text) is not None)


def apart(view: Conversation, count: Count) -> Conversation:
    """Return the conversation with its digest in a message of its own; *view* if it is so already."""
    if not has_digest(view):
        return view
    messages = tuple(one for message in view.messages for one in _parted(message, count))
    return replace(view, messages=messages) if len(messages) > len(view.messages) else view


def together(view: Conversation, count: Count, most: int = 0) -> Conversation:
    """Return the conversation with its digest before what the user says in the message behind it.

    *view* itself where there is none, or it cannot stand there; or where that is longer, and than *most*.
    """
    index = next((at for at, message in enumerate(view.messages) if is_digest(message)), None)
    if index is None:
        return view
    between = view.messages[index + 1 : index + 2]
    gap = between[0].text if between and is_note(between[0]) else ""
    place = index + 1 + bool(gap)
    if place >= len(view.messages) or place == view.last_user or not _can_hold(view.messages[place]):
        return view
    message = view.messages[place]
    position, own = _text(message)
    said = marks.before_own(view.messages[index].text, "" if gap == marks.ACKNOWLEDGEMENT else gap, own)
    found = view.splicing(index, place + 1, [_saying(message, position, said, count)])
    return found if found.tokens <= max(view.tokens, most) else view


def is_digest(message: Message) -> bool:
    """Return whether a message is the gateway's digest, and nothing but that."""
    if message.role is not Role.USER or message.is_pasted or len(message.blocks) != 1:
        return False
    position, text = _text(message)
    return position == 0 and marks.is_digest(text)


def is_note(message: Message) -> bool:
    """Return whether the gateway made the assistant say it; behind a call stands what it came to."""
    is_said = message.role is Role.ASSISTANT and len(message.blocks) == 1
    return is_said and marks.is_acknowledgement(message.text)


def rewritten(message: Message, text: str, count: Count) -> Message:
    """Return a digest with another text, in the message that it had."""
    return _saying(message, 0, text, count)


def _parted(message: Message, count: Count) -> Iterator[Message]:
    """Yield a message, or the digest in it, the answer to that, and the message as the user wrote it."""
    position, text = _text(message)
    found = None if message.is_pasted else marks.apart(text)
    if found is None:
        yield message
        return
    digest, gap, own = found
    yield made(Role.USER, digest, count)
    yield made(Role.ASSISTANT, gap or marks.ACKNOWLEDGEMENT, count)
    yield _saying(message, position, own, count)


def _text(message: Message) -> tuple[int, str]:
    """Return what a user's message says first and where, if it can be edited; a position of -1 if not."""
    if message.role is Role.USER:
        for position, block in enumerate(message.blocks):
            if block.kind is Kind.TEXT and (block.path is not None or not message.raw):
                return position, block.text
    return -1, ""


def _can_hold(message: Message) -> bool:
    return _text(message)[0] >= 0 and not is_digest(message)


def _saying(message: Message, position: int, text: str, count: Count) -> Message:
    """Return a message with another text in one of its blocks."""
    return message.with_text(position, text, count) if message.raw else made(message.role, text, count)
