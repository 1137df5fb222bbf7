"""Plain completions by Chat Completions: bodies as most servers of this dialect take them, and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gateway.core import json
from gateway.core.summary.answer import Answer
from gateway.wire.members import object_of
from gateway.wire.plain_call import Call, switched_off, thinks


class PlainChat:
    """The Chat Completions dialect."""

    def bodies(self, call: Call) -> tuple[bytes, ...]:
        """Return the bodies to try.

        Reasoning models know only `max_completion_tokens`, older servers only `max_tokens`; some templates
        (Gemma, Mistral 7B) refuse a system message. What switches thinking off is asked for first.
        """
        old: dict[str, Any] = {"max_tokens": call.max_tokens}
        new: dict[str, Any] = {"max_completion_tokens": call.max_tokens}
        if thinks(call.model):
            members = [{**new, "reasoning_effort": "low"}, new, old]
        else:
            off = switched_off(call.model)
            members = [*([{**old, **off}] if off else []), old, new]
        bodies = [_body(call, _messages(call), fields) for fields in members]
        if call.system:
            whole = [{"role": "user", "content": f"{call.system}\n\n{call.user}"}]
            bodies.append(_body(call, whole, old))
        return tuple(bodies)

    def answer(self, body: bytes) -> Answer:
        """Return what the first choice says. What a model thought is no part of it."""
        choices = object_of(body).get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return Answer("")
        message, finish = choice.get("message"), choice.get("finish_reason")
        message = message if isinstance(message, dict) else {}
        text = "".join(_texts(message.get("content"))) or "".join(_texts(message.get("refusal")))
        has_calls = bool(message.get("tool_calls") or message.get("function_call"))
        return Answer(text, finish if isinstance(finish, str) else "", has_calls)


def _messages(call: Call) -> list[dict[str, str]]:
    head = [{"role": "system", "content": call.system}] if call.system else []
    return [*head, {"role": "user", "content": call.user}]


def _body(call: Call, messages: list[dict[str, str]], fields: dict[str, Any]) -> bytes:
    model = {"model": call.model} if call.model else {}
    return json.encode({**model, "messages": messages, **fields, "stream": False})


def _texts(content: Any) -> Iterator[str]:
    """Yield the texts of a content: one, or those of its parts (Mistral)."""
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            yield part["text"]
