"""Cut the one text of a request that an upstream says is too long for it."""

from __future__ import annotations

import re

from gateway.core.conversation import Conversation, Count
from gateway.core.rescue import TrimItem
from gateway.strategies.shorten import Cap, Counted, shorten

_PARAM = re.compile(r"(?:messages|input)\.?\[(?P<index>\d{1,6})\]")


def trimmed(view: Conversation, move: TrimItem, count: Count) -> Conversation:
    """Return the view with the middle of one text left out, so that it is no longer than the move allows.

    The same view if the parameter is no text of a message, or that text is short enough: then the error is
    not about anything we could mend.
    """
    place = _PARAM.match(move.param)
    index = int(place["index"]) if place else len(view.messages)
    if index >= len(view.messages):
        return view
    message = view.messages[index]
    cap = Cap(chars=move.limit_chars)
    for at, block in enumerate(message.blocks):
        if block.path is not None and len(block.text) > move.limit_chars:
            shorter = shorten(Counted(block.text, block.tokens), cap, count)
            message = message.with_text(at, shorter.text, count)
    return view.replacing({index: message})
