"""Wire formats: one lens per client dialect, and the table of all of them."""

from __future__ import annotations

from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.base import WireFormat
from gateway.wire.openai_chat import OpenAIChat
from gateway.wire.openai_responses import OpenAIResponses

WIRE_FORMATS: dict[str, WireFormat] = {
    wire_format.name: wire_format for wire_format in (OpenAIChat(), OpenAIResponses(), AnthropicMessages())
}
