"""What a request, an answer and an event look like in each wire format."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MODEL = "gpt-4.1"
"""Its window of a million tokens holds the large conversation, so that nothing but the policy compacts it."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One wire format."""

    name: str
    path: str
    head: bytes
    """A request up to its list."""
    call: Callable[[str, str, str], Json]
    """The item that says a text and asks for a log: id of the call, path of the log, text."""
    result: Callable[[str, str], Json]
    """The item that answers a call."""
    answer: Json
    chunk: str
    """An event that says `%s`."""
    end: tuple[str, ...]
    """The events behind the last of them."""

    def item(self, item: Json) -> bytes:
        """Return an item as it stands in the list; one that is several becomes several."""
        parts = item.get("items", [item])
        return b", ".join(json.dumps(part).encode() for part in parts)


def _chat_call(id: str, path: str, text: str) -> Json:
    function = {"name": "read_log", "arguments": json.dumps({"path": path})}
    return {
        "role": "assistant",
        "content": text,
        "tool_calls": [{"id": id, "type": "function", "function": function}],
    }


def _responses_call(id: str, path: str, text: str) -> Json:
    call = {"type": "function_call", "call_id": id, "name": "read_log"}
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return {"items": [said, {**call, "arguments": json.dumps({"path": path})}]}


def _messages_call(id: str, path: str, text: str) -> Json:
    use = {"type": "tool_use", "id": id, "name": "read_log", "input": {"path": path}}
    return {"role": "assistant", "content": [{"type": "text", "text": text}, use]}


CHAT = Dialect(
    name="openai_chat",
    path="/v1/chat/completions",
    head=b'{"model":"%s","messages":' % MODEL.encode(),
    call=_chat_call,
    result=lambda id, text: {"role": "tool", "tool_call_id": id, "content": text},
    answer={
        "id": "chatcmpl-quick",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "All right."}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 200, "completion_tokens": 3, "total_tokens": 203},
    },
    chunk=(
        '{"id":"chatcmpl-quick","object":"chat.completion.chunk","created":1,"model":"gpt-4.1",'
        '"choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":null}]}'
    ),
    end=(
        '{"id":"chatcmpl-quick","object":"chat.completion.chunk","created":1,"model":"gpt-4.1",'
        '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        "[DONE]",
    ),
)

_RESPONSE = {
    "id": "resp_quick",
    "object": "response",
    "status": "completed",
    "model": MODEL,
    "output": [
        {
            "type": "message",
            "id": "msg_quick",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "All right.", "annotations": []}],
        }
    ],
    "usage": {"input_tokens": 200, "output_tokens": 3, "total_tokens": 203},
}

RESPONSES = Dialect(
    name="openai_responses",
    path="/v1/responses",
    head=b'{"model":"%s","input":' % MODEL.encode(),
    call=_responses_call,
    result=lambda id, text: {"type": "function_call_output", "call_id": id, "output": text},
    answer=_RESPONSE,
    chunk=(
        '{"type":"response.output_text.delta","item_id":"msg_quick","output_index":0,"content_index":0,'
        '"sequence_number":1,"delta":"%s"}'
    ),
    end=(json.dumps({"type": "response.completed", "sequence_number": 2, "response": _RESPONSE}),),
)

MESSAGES = Dialect(
    name="anthropic_messages",
    path="/v1/messages",
    head=b'{"model":"%s","max_tokens":4096,"messages":' % MODEL.encode(),
    call=_messages_call,
    result=lambda id, text: {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": id, "content": text}],
    },
    answer={
        "id": "msg_quick",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [{"type": "text", "text": "All right."}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 200, "output_tokens": 3},
    },
    chunk='{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}',
    end=(
        '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}',
        '{"type":"message_stop"}',
    ),
)

DIALECTS = {dialect.name: dialect for dialect in (CHAT, RESPONSES, MESSAGES)}
