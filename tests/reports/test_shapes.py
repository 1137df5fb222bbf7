"""Every recorded list, and its siblings in other shapes, at every size: what goes out keeps every rule.

The faults of `pairs.json`, `roles.json` and `content.json` have one cause in common: a list that was cut is
no list of messages any more. So each of them is cut down step by step, to almost nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

import vendor
from forwarded import Messages, faults
from reported import Stage, call, reported, reports, staged


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here, with policies whose steps differ."""
    policies = {
        "turns": "extends: mechanical\nsteps: [{use: trim_turns}]\noverflow: {rungs: [trim_turns, clear]}\n",
        "digest": "extends: mechanical\nsteps: [{use: digest}]\n",
        "stubs": "extends: mechanical\nsteps: [{use: offload, min_tokens: 20, keep_last: 0}]\n",
        "fresh": "extends: mechanical\nsteps: []\noverflow: {rungs: [clear]}\n",
    }
    with staged(tmp_path_factory.mktemp("shapes"), policies=policies) as stage:
        yield stage


POLICIES = ("default", "mechanical", "turns", "digest", "stubs", "fresh")


def lists(value: Any) -> Iterator[Messages]:
    """Yield the lists of messages in the input of a report."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from lists(inner)
    elif isinstance(value, list) and value and all(isinstance(m, dict) and "role" in m for m in value):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from lists(inner)


RECORDED = {
    f"{id}-{number}": messages
    for id in reports()
    if id.startswith(("tp-", "role-", "con-", "tok-", "dyn-20"))
    for number, messages in enumerate(lists(reported(id)))
    if (len(str(messages)) < 100_000 and messages[-1]["role"] != "assistant") or id.startswith("role-09")
}


CUSTOM = {"id": "x", "type": "custom", "custom": {"name": "patch", "input": "*** Begin\n" + "+ line\n" * 200}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}

SIBLINGS: dict[str, Messages] = {
    "custom": [
        {"role": "user", "content": "Patch it."},
        {"role": "assistant", "content": "I patch.", "tool_calls": [CUSTOM, call("y", "run", "")]},
        {"role": "tool", "tool_call_id": "y", "content": ""},
        {"role": "tool", "tool_call_id": "x", "content": "done " * 200},
        {"role": "user", "content": "And?"},
    ],
    "picture": [
        {
            "role": "user",
            "content": [{"type": "text", "text": "See. " * 100}, IMAGE, {"type": "text", "text": ""}],
        },
        {"role": "assistant", "content": None, "tool_calls": [call("shot")]},
        {"role": "tool", "tool_call_id": "shot", "content": [{"type": "text", "text": "a " * 300}, IMAGE]},
        {"role": "user", "content": [IMAGE]},
    ],
    "two users": [
        {"role": "user", "content": "First. " * 100},
        {"role": "user", "name": "bob", "content": "Second. " * 100},
        {"role": "assistant", "content": None, "refusal": "No. " * 50},
        {"role": "user", "content": "Third. " * 100},
        {"role": "user", "content": "Fourth."},
    ],
    "rounds only": [
        {"role": "user", "content": "Work."},
        *(
            message
            for turn in range(9)
            for message in (
                {"role": "assistant", "reasoning_content": "hm " * 40, "tool_calls": [call("0"), call("1")]},
                {"role": "tool", "tool_call_id": "1", "content": f"{turn} " * 50},
                {"role": "tool", "tool_call_id": "0", "content": f"{turn} " * 90},
            )
        ),
    ],
    "functions": [
        {"role": "user", "content": "Ask."},
        *(
            message
            for turn in range(6)
            for message in (
                {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
                {"role": "function", "name": "f", "content": f"{turn} " * 90},
            )
        ),
    ],
}
"""What no report holds, of the same kind."""

RECORDED |= SIBLINGS


def as_sent(messages: Messages) -> Messages:
    """Return the list itself."""
    return messages


def with_head(messages: Messages) -> Messages:
    """Return it behind two messages of the head, one of each kind."""
    body = [message for message in messages if message["role"] not in ("system", "developer")]
    return [{"role": "system", "content": "S."}, {"role": "developer", "content": "Never delete."}, *body]


def in_parts(messages: Messages) -> Messages:
    """Return it with every text as a list of parts."""

    def parts(message: dict[str, Any]) -> dict[str, Any]:
        content = message.get("content")
        if not isinstance(content, str) or not content or message["role"] == "function":
            return message
        return {**message, "content": [{"type": "text", "text": content}]}

    return [parts(message) for message in messages]


def old_talk() -> Messages:
    """Return two turns of which the first worked with tools in parallel, and the second talked."""
    return [
        {"role": "user", "content": "Look at both. " + "Carefully. " * 30},
        {"role": "assistant", "content": None, "tool_calls": [call("p0"), call("p1", "g")]},
        {"role": "tool", "tool_call_id": "p0", "content": "left " * 60},
        {"role": "tool", "tool_call_id": "p1", "content": "right " * 60},
        {"role": "assistant", "content": "Both are fine. " * 10},
        {"role": "user", "content": "Thanks. Remember port 8443."},
        {"role": "assistant", "content": "Noted."},
    ]


def after_old_talk(messages: Messages) -> Messages:
    """Return it at the end of a longer conversation."""
    front = next((i for i, m in enumerate(messages) if m["role"] not in ("system", "developer")), 0)
    return [*messages[:front], *old_talk(), *messages[front:]]


def before_more_talk(messages: Messages) -> Messages:
    """Return it in the middle of a longer conversation."""
    said = [] if messages[-1]["role"] == "assistant" else [{"role": "assistant", "content": "Done."}]
    return [*messages, *said, *old_talk(), {"role": "user", "content": "And now?"}]


SHAPES = (as_sent, with_head, in_parts, after_old_talk, before_more_talk)


def sizes(messages: Messages) -> list[int]:
    """Return sizes to bring a list down to, from almost all of it to almost nothing."""
    whole = vendor.count({"messages": messages}).prompt
    return sorted({max(8, int(whole * share)) for share in (0.9, 0.6, 0.35, 0.15, 0.05)})


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("policy", POLICIES)
def test_every_list_keeps_the_rules(stage: Stage, policy: str, shape: Any) -> None:
    """Cut to any size by any steps, a list begins, ends, pairs and alternates as the client meant it."""
    found, rewritten = [], 0
    for id, messages in RECORDED.items():
        sent = shape(copy.deepcopy(messages))
        for size in sizes(sent):
            forwarded = stage.plan({"model": "m", "messages": sent}, size, policy)
            if forwarded != sent:
                rewritten += 1
                found += [f"{id} at {size}: {fault}" for fault in faults(sent, forwarded)]
    assert not found, "\n".join(found)
    assert rewritten > len(RECORDED)
