"""Plain completions by the name of a wire format: the table of all of them."""

from __future__ import annotations

from gateway.wire.plain_call import Plain
from gateway.wire.plain_chat import PlainChat
from gateway.wire.plain_messages import PlainMessages
from gateway.wire.plain_responses import PlainResponses

PLAIN: dict[str, Plain] = {
    "openai_chat": PlainChat(),
    "openai_responses": PlainResponses(),
    "anthropic_messages": PlainMessages(),
}
