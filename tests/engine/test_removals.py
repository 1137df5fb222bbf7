"""Who reads in a dry run what would be removed is told which messages of the own list they are."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from typing import Any

import pytest

from gateway.engine import dry_run, removals
from gateway.policy.schema import Policy, Step
from gateway.strategies.images import Images
from gateway.strategies.offload import OffloadContent
from gateway.strategies.tool_arguments import ToolArguments
from gateway.strategies.tool_chains import ToolChains
from gateway.strategies.trim_turns import TrimTurns
from gateway.wire import WIRE_FORMATS
from wired import LONG, WIRE, chat, engine

Entry = dict[str, Any]


def policy(*strategies: Any, window: int = 4000) -> Policy:
    """Return a policy with these steps."""
    steps = tuple(Step(f"step{n}", strategy) for n, strategy in enumerate(strategies))
    return Policy(name="p", window=window, reserve_output=200, steps=steps)


def removed(request: Any, applied: Policy, wire: str = "openai_chat") -> list[Entry]:
    """Return what a dry run says would be removed."""
    body = json.dumps(request).encode()
    made, _ = asyncio.run(dry_run.offline(WIRE_FORMATS[wire], body, applied, None))
    found: list[Entry] = json.loads(made)["report"]["removed"]
    assert found
    return found


def rounds(*results: str, name: str = "read", arguments: str = "{}") -> list[Entry]:
    """Return a question, a round of a call for each result, an answer, and another question."""
    messages: list[Entry] = [{"role": "user", "content": "Read."}]
    for n, result in enumerate(results):
        call = {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": result})
    return [*messages, {"role": "assistant", "content": "Done."}, {"role": "user", "content": "Go on."}]


def text(word: str, words: int = 1500) -> str:
    """Return a text of so many words, in lines."""
    return "\n".join(f"{word} {n}" for n in range(words // 2))


def test_removed_messages_are_those_of_the_list() -> None:
    """Role and position, counted from 0, lead to the message; its bytes have the id that is told."""
    found = removed({"model": "m", "messages": LONG}, policy(TrimTurns(), window=1000))
    for one in found:
        message = LONG[one["position"]]
        assert one["role"] == message["role"]
        assert one["id"] == f"sha256-{sha256(json.dumps(message).encode()).hexdigest()}"
    assert [one["position"] for one in found] == list(range(2, len(found) + 2))


def test_equal_messages_have_places_of_their_own() -> None:
    """What was said again in the same words has the same id, and a place of its own each time."""
    turns = [{"role": role, "content": "ok " * 100} for _ in range(30) for role in ("user", "assistant")]
    found = removed({"model": "m", "messages": turns}, policy(TrimTurns(), window=3000))
    assert len({one["id"] for one in found}) == 2
    assert [one["position"] for one in found] == list(range(1, len(found) + 1))


def test_content_behind_a_stub_has_the_place_of_its_message() -> None:
    """Also where several results say the same, and share an id: each is told once, in order."""
    results = [text("a"), text("b"), text("a"), text("c"), text("d")]
    found = removed({"model": "m", "messages": rounds(*results)}, policy(OffloadContent(keep_last=0)))
    contents = [one for one in found if one["kind"] == "offload"]
    assert [one["position"] for one in contents] == [2, 4, 6, 8, 10]
    assert contents[0]["id"] == contents[2]["id"] != contents[1]["id"]
    assert {one["role"] for one in contents} == {"tool"}


def test_string_of_a_call_has_the_place_of_the_call() -> None:
    """A long value that was cut out of arguments is the assistant's."""
    arguments = json.dumps({"path": "a", "texts": [text("é", 3000)]})
    messages = rounds("ok", "ok", arguments=arguments)
    found = removed({"model": "m", "messages": messages}, policy(ToolArguments(keep_last=1), window=26_000))
    contents = [one for one in found if one["kind"] == "offload"]
    assert [(one["role"], one["position"]) for one in contents] == [("assistant", 1)]


def test_arguments_that_are_no_json_are_no_obstacle() -> None:
    """A model that wrote half an object is told of like any other."""
    messages = rounds(text("a", 3000), text("b", 3000), arguments='{"path": ')
    found = removed({"model": "m", "messages": messages}, policy(ToolChains(min_messages=2, min_tokens=1)))
    assert {one["position"] for one in found} >= {1, 2}


def test_image_has_the_place_of_its_message() -> None:
    """A picture that made way for a marker leads to the message that showed it."""
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 40}}
    shown = {"role": "user", "content": [{"type": "text", "text": "Look."}, part]}
    said = {"role": "assistant", "content": "A cat."}
    messages = [shown, said] * 6 + [{"role": "user", "content": "And?"}]
    found = removed({"model": "m", "messages": messages}, policy(Images(keep_last=1), window=1500))
    contents = [one for one in found if one["kind"] == "offload"]
    assert contents
    assert [(one["role"], one["position"]) for one in contents] == [
        ("user", 2 * n) for n in range(1, len(contents) + 1)
    ]


def test_what_several_messages_said_has_no_place() -> None:
    """The whole of a run of calls, put away as one text, is no message's."""
    messages = rounds(*(text(str(n)) for n in range(6)))
    found = removed({"model": "m", "messages": messages}, policy(ToolChains()))
    contents = [(one["role"], one["position"]) for one in found if one["kind"] == "offload"]
    assert contents == [(None, None)]


def test_results_of_one_message_share_its_place() -> None:
    """Anthropic's results of a round stand in one message, which is where each of them is from."""
    uses = [{"type": "tool_use", "id": f"t{n}", "name": "read", "input": {}} for n in range(3)]
    results = [
        {"type": "tool_result", "tool_use_id": f"t{n}", "content": text("abc"[n], 3000)} for n in range(3)
    ]
    messages = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": uses},
        {"role": "user", "content": results},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "Go on."},
    ]
    request = {"model": "m", "max_tokens": 10, "messages": messages}
    found = removed(request, policy(OffloadContent(keep_last=0)), "anthropic_messages")
    assert {one["kind"] for one in found} == {"message", "offload"}
    assert {(one["role"], one["position"]) for one in found} == {("tool", 2)}
    read = WIRE_FORMATS["anthropic_messages"].read(json.dumps(request).encode())
    assert removals.places(read) == [0, 1, 2, 2, 2, 3, 4]


def test_what_was_removed_before_has_its_place() -> None:
    """What an earlier compaction replaced is told with role and position, too."""

    async def run() -> list[Entry]:
        async with engine() as made:
            subject = await made.subject(chat(LONG))
            plan = await made.parts.compactor.plan(subject)
            assert plan.checkpoint is not None
            made.parts.checkpoints.keep(subject.place, plan.checkpoint)
            again = await dry_run.preview(made.parts.compactor, subject, None)
            found: list[Entry] = json.loads(dry_run.report(subject, again))["report"]["removed_before"]
            return found

    found = asyncio.run(run())
    assert [one["position"] for one in found] == list(range(2, len(found) + 2))
    assert [one["role"] for one in found] == [LONG[one["position"]]["role"] for one in found]
    assert WIRE.name == "openai_chat"


@pytest.mark.parametrize("strategy", [TrimTurns(), OffloadContent(keep_last=0)])
def test_entries_say_what_they_said(strategy: Any) -> None:
    """Whoever reads the report by a program finds id, kind, name and size as before."""
    messages = [{"role": "user", "content": "Go."}, *rounds(*(text(str(n)) for n in range(6)))]
    for one in removed({"model": "m", "messages": messages}, policy(strategy)):
        assert list(one) == ["id", "kind", "name", "size", "role", "position"]
        assert one["size"] > 0
