"""Plain completions by Messages: a body with the bound that the vendor demands, and answers."""

from __future__ import annotations

from gateway.core import json
from gateway.core.summary.answer import Answer
from gateway.wire.members import object_of
from gateway.wire.plain_call import Call


class PlainMessages:
    """The Messages dialect. Its models think only where a request says so."""

    def bodies(self, call: Call) -> tuple[bytes, ...]:
        """Return the one body there is."""
        head = {"system": call.system} if call.system else {}
        said = [{"role": "user", "content": call.user}]
        model = {"model": call.model} if call.model else {}
        members = {**model, "max_tokens": call.max_tokens, **head, "messages": said, "stream": False}
        return (json.encode(members),)

    def answer(self, body: bytes) -> Answer:
        """Return what the text blocks say."""
        value = object_of(body)
        content, finish = value.get("content"), value.get("stop_reason")
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        texts = (block.get("text") for block in blocks if block.get("type") == "text")
        text = "".join(text for text in texts if isinstance(text, str))
        has_calls = any(str(block.get("type")).endswith("tool_use") for block in blocks)
        return Answer(text, finish if isinstance(finish, str) else "", has_calls)
