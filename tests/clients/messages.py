"""Anthropic's Messages, as the scripted model speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answers import Answer, Recorded, json_answer
from clients.dialects import Call, Dialect, Json, answered, compact, count, count_all

MAX_CACHE_MARKS = 4


def _items(body: Json) -> list[Any]:
    return list(body.get("messages") or [])


def _tools(body: Json) -> set[str]:
    return {tool["name"] for tool in body.get("tools") or [] if "name" in tool}


def _prompt(body: Json) -> int:
    return count_all(body, body.get("system") or "", _items(body))


def _problems(body: Json) -> list[str]:
    if body.get("thread"):
        return ["thread: a request that relies on history kept elsewhere"]
    items = _items(body)
    if not items or not all(isinstance(item, dict) for item in items):
        return ["messages: at least one message is required, and each is an object"]
    marks = compact({key: body.get(key) for key in ("system", "tools", "messages")}).count(
        '"cache_control":{'
    )
    found = [*_shapes(items), *_pairs(_joined(items))]
    if marks > MAX_CACHE_MARKS:
        found.append(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")
    return found


def _blocks(item: Json) -> list[Json]:
    content = item.get("content")
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _shapes(items: list[Json]) -> Iterator[str]:
    for index, item in enumerate(items):
        if item.get("role") not in ("user", "assistant", "system"):
            yield f'messages.{index}.role: Input should be "user" or "assistant"'
        blocks = _blocks(item)
        if not blocks and index + 1 < len(items):
            yield f"messages.{index}: all messages must have non-empty content"
        if any(block.get("type") == "text" and not block.get("text") for block in blocks):
            yield "messages: text content blocks must be non-empty"
    if items[0].get("role") == "assistant":
        yield "messages: first message must use the user role"


def _joined(items: list[Json]) -> list[tuple[str, list[Json]]]:
    """Return the turns: the vendor joins neighbours of one role; a system message between them is no turn."""
    turns: list[tuple[str, list[Json]]] = []
    for item in items:
        if item.get("role") == "system":
            continue
        if turns and turns[-1][0] == item["role"]:
            turns[-1][1].extend(_blocks(item))
        else:
            turns.append((item["role"], _blocks(item)))
    return turns


def _pairs(turns: list[tuple[str, list[Json]]]) -> Iterator[str]:
    waiting: list[str] = []
    for index, (_, blocks) in enumerate([*turns, ("user", [])]):
        results = [block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"]
        if missing := [id for id in waiting if id not in results]:
            yield (
                f"messages.{index - 1}: `tool_use` ids were found without `tool_result` blocks immediately "
                f"after: {', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` "
                "block in the next message."
            )
        for id in results:
            if id not in waiting:
                yield (
                    f"messages.{index}.content: unexpected `tool_use_id` in `tool_result` blocks: {id}. "
                    "Each `tool_result` block must have a corresponding `tool_use` block in the previous "
                    "message."
                )
        kinds = [block.get("type") == "tool_result" for block in blocks]
        if kinds != sorted(kinds, reverse=True):
            yield f"messages.{index}.content: `tool_result` blocks must come first"
        waiting = [block["id"] for block in blocks if block.get("type") == "tool_use"]


def _refuse(body: Json, problem: str) -> Answer:
    error = {"type": "invalid_request_error", "message": problem}
    return json_answer({"type": "error", "error": error, "request_id": "req_scripted"}, status=400)


def _overflow(body: Json, window: int, prompt: int, output: int) -> Answer:
    return _refuse(body, f"prompt is too long: {prompt} tokens > {window} maximum")


def _say(request: Recorded, text: str) -> Answer:
    return _answer(request.json, [{"type": "text", "text": text}], "end_turn")


def _call(request: Recorded, calls: Sequence[Call]) -> Answer:
    uses = [
        {"type": "tool_use", "id": f"toolu_{id}", "name": name, "input": given} for id, name, given in calls
    ]
    return _answer(request.json, uses, "tool_use")


def _answer(body: Json, blocks: list[Json], reason: str) -> Answer:
    usage = {
        "input_tokens": _prompt(body),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": count(blocks),
    }
    message = {"id": "msg_scripted", "type": "message", "role": "assistant", "model": body.get("model", "")}
    whole = {**message, "content": blocks, "stop_reason": reason, "stop_sequence": None, "usage": usage}
    return answered(body, whole, _events(whole, blocks))


def _events(whole: Json, blocks: list[Json]) -> Iterator[Json]:
    usage = whole["usage"]
    start = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(blocks):
        yield from _block_events(index, block)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _block_events(index: int, block: Json) -> Iterator[Json]:
    at = {"index": index}
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": compact(block["input"])}
    yield {"type": "content_block_start", **at, "content_block": empty}
    yield {"type": "content_block_delta", **at, "delta": delta}
    yield {"type": "content_block_stop", **at}


MESSAGES = Dialect(
    path="/messages",
    items=_items,
    tools=_tools,
    problems=_problems,
    prompt=_prompt,
    output=lambda body: 0,
    refuse=_refuse,
    overflow=_overflow,
    say=_say,
    call=_call,
)
