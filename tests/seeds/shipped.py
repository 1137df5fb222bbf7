"""The shipped policies that manage context as other systems do, read from their files as by a gateway."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.summarising import Scripted
from gateway.core.conversation import Conversation, Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger.find import find
from gateway.engine.pipeline import Report, run_steps
from gateway.engine.summary_material import Material
from gateway.policy.live import read_folder, shipped_folder
from gateway.policy.policies import File, read_set
from gateway.policy.schema import Policy
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Room, Summary
from gateway.wire.base import WireFormat
from wired import WIRE, words

LONG = 100
FILES = {file.name: file for file in read_folder(shipped_folder())}


def text_of(name: str) -> str:
    """Return the file of a policy."""
    return FILES[name].data.decode()


def shipped(name: str, changes: str = "", text: str = "") -> Policy:
    """Return a policy, with what a file that extends it says; or what another text in its place says."""
    own = [File("own.yaml", name, (text or f"extends: {name}\n{changes}").encode())]
    return read_set(list(FILES.values()), own, [], "default", STRATEGIES).policies[name]


def later(name: str, *keys: str) -> str:
    """Return the lines of a file that stand in comments as what is done later, for these keys."""
    found = re.findall(rf"(?m)^ *# *((?:{'|'.join(keys)}): .*)$", text_of(name))
    assert len(found) >= len(keys)
    return "\n".join(found)


def with_results() -> Policy:
    """Return `copaw` with the step for results of tools, which stands in comments, switched on."""
    text = re.sub(r"(?m)^  # (- use:|  \w+: )", r"  \1", text_of("copaw"))
    return shipped("copaw", text=text)


def view_of(messages: Sequence[Any], wire: WireFormat = WIRE) -> Conversation:
    """Return a list as the gateway reads it from a client; one word is one token."""
    raws = [json.dumps(message).encode() for message in messages]
    return Conversation(tuple(wire.message(raw, words, at) for at, raw in enumerate(raws)))


def sent(view: Conversation) -> list[Any]:
    """Return what goes upstream."""
    written = WIRE.write(WIRE.read(b'{"model": "m", "messages": []}'), view)
    messages: list[Any] = json.loads(written)["messages"]
    return messages


def stages(policy: Policy, view: Conversation, room: Room) -> list[tuple[Report, Conversation]]:
    """Return what each step of the policy that ran did, with the conversation after it."""
    done: list[tuple[Report, Conversation]] = []
    for number in range(1, len(policy.steps) + 1):
        result = run_steps(view, policy.steps[:number], room)
        if len(result.reports) > len(done):
            done.append((result.reports[-1], result.view))
    return done


def material(policy: Policy, messages: Sequence[Message], previous: str = "") -> Material:
    """Return what a summary by the rules of a policy is made of."""
    return Material.of(messages, previous, "Go on.", policy.summarizer, words, find)


def call(id: str, name: str = "read_file", arguments: str = '{"path": "a.py"}') -> dict[str, Any]:
    """Return an assistant's call."""
    function = {"name": name, "arguments": arguments}
    calls = [{"id": id, "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(id: str, lines: int, mark: str = "r") -> dict[str, Any]:
    """Return a result of so many lines of one word."""
    return {
        "role": "tool",
        "tool_call_id": id,
        "content": "\n".join(f"{mark}{line}" for line in range(lines)),
    }


def said(role: str, text: str) -> dict[str, Any]:
    """Return what somebody said."""
    return {"role": role, "content": text}


def golden(path: Path) -> tuple[dict[str, Any], Conversation]:
    """Return a golden conversation, and its beginning as a view. JSON, so that nothing is read into it."""
    case: dict[str, Any] = json.loads(path.read_text())
    return case, view_of([_whole(message) for message in case["before"]])


def _whole(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message of a golden file with its numbered lines written out."""
    content = message["content"]
    if not isinstance(content, dict):
        return message
    return {**message, "content": "\n".join(f"{content['mark']}{at}" for at in range(content["lines"]))}


def room(policy: Policy, case: dict[str, Any]) -> Room:
    """Return the room of a golden conversation."""
    summary = Summary(**case["summary"]) if "summary" in case else None
    enough, messages = case.get("enough", 0), case.get("messages", 0)
    keep, budget = policy.keep, case["budget"]
    return Room(case["target"], budget, words, keep, enough=enough, messages=messages, summary=summary)


def check_golden(policy: Policy, path: Path) -> None:
    """Assert that the steps of a policy make of a conversation what its file says, stage by stage.

    `stages` holds what each step that runs leaves: a number is that message of `before`, byte for byte; a
    step without `after` changes nothing.
    """
    case, before = golden(path)
    done = stages(policy, before, room(policy, case))
    told, last = [], before
    for report, view in done:
        assert WIRE.problems(view) == []
        assert (report.tokens_before, report.tokens_after) == (last.tokens, view.tokens)
        is_changed = report.outcome == "changed"
        told.append({"step": report.step, **({"after": as_told(before, view)} if is_changed else {})})
        last = view
    assert told == case["stages"]
    assert (last.tokens <= case["target"]) is case.get("fits", True)
    asked = [message.text for message in before.messages if message.role is Role.USER][-1]
    assert any(message.text == asked for message in last.messages)


def as_told(before: Conversation, after: Conversation) -> list[Any]:
    """Return a list as a golden file has it: a number is that message of *before*, byte for byte."""
    known = {json.dumps(message): at for at, message in enumerate(sent(before))}
    return [known.get(json.dumps(message), _brief(message)) for message in sent(after)]


def _brief(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as a golden file has it: of a long result, its ends and where the notice stands."""
    text = message["content"] or ""
    at = max(text.find("[haversack"), LONG) if message["role"] == "tool" and len(text) > 8 * LONG else 0
    parts = [text[:LONG], text[at - LONG : at + LONG], text[-LONG:]]
    return {**message, "content": " … ".join(parts)} if at else message


def windowed(policy: Policy, window: int | None) -> Policy:
    """Return a policy for a model of that window."""
    return replace(policy, window=window)


def asked(model: Scripted) -> str:
    """Return all that a model was told."""
    return "\n".join(text for prompted in model.calls for text in prompted.texts)
