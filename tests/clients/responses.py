"""OpenAI's Responses, as the scripted model speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import vendor
from answers import Answer, Recorded, json_answer
from clients.dialects import Call, Dialect, Json, answered, compact, count, count_all, named

CALLS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
"""Items that wait for another one, and its type."""
TOO_LONG = "Your input exceeds the context window of this model. Please adjust your input and try again."


def _items(body: Json) -> list[Any]:
    given = body.get("input") or []
    return [{"role": "user", "content": given}] if isinstance(given, str) else list(given)


def _tools(body: Json) -> set[str]:
    found = list(body.get("tools") or [])
    nested = [inner for tool in found for inner in tool.get("tools") or []]
    return {tool["name"] for tool in found + nested if "name" in tool}


def _prompt(body: Json) -> int:
    return count_all(body, body.get("instructions") or "", _items(body))


def _problems(body: Json) -> list[str]:
    if body.get("previous_response_id"):
        return [f"Previous response with id '{body['previous_response_id']}' not found."]
    items = _items(body)
    if not items:
        return ["Missing required parameter: 'input'."]
    shapes = list(_shapes(items))
    return shapes or [*_pairs(items), *_reasoning(items)]


def _shapes(items: list[Any]) -> Iterator[str]:
    for index, item in enumerate(items):
        if not isinstance(item, dict) or not (item.get("type") or item.get("role")):
            yield f"Invalid type for 'input[{index}]': expected an object, got {compact(item)[:80]}"
        elif item.get("type", "message") == "message" and not item.get("content"):
            yield f"Missing required parameter: 'input[{index}].content'."


def _pairs(items: list[Any]) -> Iterator[str]:
    made: dict[str, str] = {}
    for item in items:
        kind, id = item.get("type"), item.get("call_id", "")
        if kind in CALLS:
            if id in made:
                yield f"Duplicate item with call_id {id}."
            made[id] = CALLS[kind]
        elif kind in CALLS.values() and made.pop(id, None) != kind:
            yield f"No tool call found for function call output with call_id {id}."
    yield from (f"No tool output found for function call {id}." for id in made)


def _reasoning(items: list[Any]) -> Iterator[str]:
    follower = {*CALLS, "message", "reasoning", None}
    for index, item in enumerate(items):
        if item.get("type") == "reasoning":
            after = items[index + 1] if index + 1 < len(items) else {"type": "nothing"}
            if after.get("type") not in follower or after.get("role", "assistant") != "assistant":
                yield (
                    f"Item '{item.get('id')}' of type 'reasoning' was provided without its required "
                    "following item."
                )


def _refuse(body: Json, problem: str) -> Answer:
    return json_answer(vendor.error(problem, param="input"), status=400)


def _overflow(body: Json, window: int, prompt: int, output: int) -> Answer:
    """Refuse as the vendor does: an error, and to who streams a stream that fails."""
    if not body.get("stream"):
        error = vendor.error(TOO_LONG, param="input", code="context_length_exceeded")
        return json_answer(error, status=400)
    error = {"code": "context_length_exceeded", "message": TOO_LONG}
    failed = _response(body, [], status="failed", error=error)
    begun = _response(body, [], status="in_progress")
    events = [("response.created", {"response": begun}), ("response.failed", {"response": failed})]
    return named(_numbered(events))


def _response(body: Json, output: list[Json], **fields: Any) -> Json:
    known = {"instructions": body.get("instructions"), "tools": body.get("tools") or []}
    choice = {"tool_choice": "auto", "parallel_tool_calls": True, "metadata": {}, "temperature": 1.0}
    first = {"id": "resp_scripted", "object": "response", "created_at": 1, "model": body.get("model", "")}
    later = {"error": None, "incomplete_details": None, "usage": None, "output": output, "top_p": 1.0}
    return {**first, **known, **choice, **later, "status": "completed", **fields}


def _usage(body: Json, output: list[Json]) -> Json:
    prompt, answer = _prompt(body), count(output)
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": answer,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt + answer,
    }


def _say(request: Recorded, text: str) -> Answer:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    item = {"type": "message", "id": "msg_scripted", "role": "assistant", "status": "completed"}
    return _answer(request.json, [{**item, "content": [part]}])


def _call(request: Recorded, calls: Sequence[Call]) -> Answer:
    frame = {"type": "function_call", "status": "completed"}
    items = [
        {**frame, "id": f"fc_{id}", "call_id": id, "name": name, "arguments": json.dumps(arguments)}
        for id, name, arguments in calls
    ]
    return _answer(request.json, items)


def _answer(body: Json, output: list[Json]) -> Answer:
    whole = _response(body, output, usage=_usage(body, output))
    return answered(body, whole, _numbered(_events(body, whole)))


def _events(body: Json, whole: Json) -> Iterator[tuple[str, Json]]:
    begun = _response(body, [], status="in_progress")
    yield from ((kind, {"response": begun}) for kind in _BEGIN)
    for index, item in enumerate(whole["output"]):
        for kind, data in _item_events(item):
            yield kind, {"output_index": index, **data}
    yield "response.completed", {"response": whole}


_BEGIN = ("response.created", "response.in_progress")


def _item_events(item: Json) -> Iterator[tuple[str, Json]]:
    key = {"item_id": item["id"]}
    if item["type"] == "function_call":
        yield "response.output_item.added", {"item": {**item, "arguments": "", "status": "in_progress"}}
        yield "response.function_call_arguments.delta", {**key, "delta": item["arguments"]}
        yield "response.function_call_arguments.done", {**key, "arguments": item["arguments"]}
    else:
        part, at = item["content"][0], {**key, "content_index": 0}
        yield "response.output_item.added", {"item": {**item, "content": [], "status": "in_progress"}}
        yield "response.content_part.added", {**at, "part": {**part, "text": ""}}
        yield "response.output_text.delta", {**at, "delta": part["text"], "logprobs": []}
        yield "response.output_text.done", {**at, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {**at, "part": part}
    yield "response.output_item.done", {"item": item}


def _numbered(events: Iterable[tuple[str, Json]]) -> Iterator[Json]:
    for number, (kind, data) in enumerate(events):
        yield {"type": kind, "sequence_number": number, **data}


RESPONSES = Dialect(
    path="/responses",
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
