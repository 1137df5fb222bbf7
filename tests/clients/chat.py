"""Chat Completions, as the scripted model speaks it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import vendor
from answers import Answer, Recorded, calls_answer, json_answer, text_answer
from clients.dialects import Call, Dialect, Json


def _items(body: Json) -> list[Any]:
    return list(body.get("messages") or [])


def _tools(body: Json) -> set[str]:
    return {tool["function"]["name"] for tool in body.get("tools") or [] if "function" in tool}


def _prompt(body: Json) -> int:
    return vendor.count(body).prompt


def _output(body: Json) -> int:
    return vendor.count(body).completion


def _refuse(body: Json, problem: str) -> Answer:
    return json_answer(vendor.error(problem, param="messages"), status=400)


def _overflow(body: Json, window: int, prompt: int, output: int) -> Answer:
    return json_answer(vendor.overflow(window, vendor.count(body)), status=400)


def _say(request: Recorded, text: str) -> Answer:
    return text_answer(request, text)


def _call(request: Recorded, calls: Sequence[Call]) -> Answer:
    return calls_answer(request, *((id, name, json.dumps(arguments)) for id, name, arguments in calls))


CHAT = Dialect(
    path="/chat/completions",
    items=_items,
    tools=_tools,
    problems=vendor.problems,
    prompt=_prompt,
    output=_output,
    refuse=_refuse,
    overflow=_overflow,
    say=_say,
    call=_call,
)
