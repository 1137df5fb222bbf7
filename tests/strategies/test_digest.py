"""A digest carries what matters through any number of compactions."""

from __future__ import annotations

import json
from typing import Any

from gateway.core.conversation import Conversation, Message, Role, made
from gateway.core.ledger.entry import Entry, Kind
from gateway.strategies import marks
from gateway.strategies.base import Keep, Room
from gateway.strategies.digest import Digest
from gateway.strategies.notes import Notes
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()
ROOM = Room(target=600, budget=1500, count=lambda text: len(text.split()), keep=Keep(recent_turns=1))


def message(value: dict[str, Any]) -> Message:
    return WIRE.message(json.dumps(value).encode(), ROOM.count, 0)


def user(text: str) -> Message:
    return made(Role.USER, text, ROOM.count)


def assistant(text: str) -> Message:
    return made(Role.ASSISTANT, text, ROOM.count)


def call(id: str, name: str, arguments: dict[str, Any]) -> Message:
    called = {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return message({"role": "assistant", "content": None, "tool_calls": [called]})


def result(id: str, text: str) -> Message:
    return message({"role": "tool", "tool_call_id": id, "content": text})


def turn(number: int) -> list[Message]:
    return [
        user(f"Step {number}: please go on with part {number}."),
        call(f"c{number}", "write_file", {"path": f"src/part{number}.py"}),
        result(f"c{number}", "written"),
        call(f"d{number}", "read_file", {"path": f"src/part{number}.py"}),
        result(f"d{number}", "line " * 200),
        assistant(f"We decided on plan {number}. " + "talk " * 30),
    ]


def digests(view: Conversation) -> list[str]:
    return [m.text for m in view.messages if m.role is Role.USER and marks.is_digest(m.text)]


def test_twenty_digests_stay_one_and_stay_small() -> None:
    """Twenty compactions leave one digest within its cap, with the task in it."""
    view = Conversation((message({"role": "system", "content": "S"}), user("Build it. Never touch main.")))
    for number in range(1, 21):
        for part in range(2):
            view = Conversation((*view.messages, *turn(2 * number + part)))
        view = Digest().apply(Conversation((*view.messages, user("And now?"))), ROOM)
        assert view.tokens <= ROOM.target
        (text,) = digests(view)
        assert ROOM.count(text) <= ROOM.target * 0.9
        assert "- Build it. Never touch main." in text
        assert text.count(marks.DIGEST_START) == 1
        view = Conversation(view.messages[:-1])


def test_earlier_ledger_is_carried_on() -> None:
    """What an earlier digest carries verbatim stands in the next one, whoever puts it there."""
    rule = Entry(Kind.RULE, "Always answer in French.")
    port = Entry(Kind.VALUE, "listening on :8081", "tool bash")
    view = Conversation((user(Notes(ledger=(rule, port)).text()), *turn(0), *turn(1), user("And now?")))

    (text,) = digests(Digest().apply(view, ROOM))

    assert "## Rules\n- Always answer in French." in text
    assert "## Values\n- [tool bash] listening on :8081" in text


def test_hundreds_of_rounds_on_one_request() -> None:
    """An agent that works on one request for hundreds of rounds keeps it verbatim, again and again."""
    request = message({"role": "user", "content": "Refactor everything.", "name": "anna"})
    view = Conversation((request,))
    for number in range(120):
        view = Conversation(
            (*view.messages, call(f"c{number}", "f", {"n": number}), result(f"c{number}", "r " * 30))
        )
        if view.tokens > 1200:
            view = Digest().apply(view, ROOM)
            assert view.tokens <= ROOM.target
    roles = [m.role.value for m in view.messages[:4]]
    assert roles == ["user", "assistant", "user", "assistant"]
    assert view.messages[2].raw == request.raw
    assert len(digests(view)) == 1


def test_equal_requests_are_not_confused() -> None:
    """Where the user says the same twice, only the latest one stays outside of the digest."""
    view = Conversation((user("Go on."), assistant("talk " * 200), user("Go on."), *turn(1)[1:5]))
    after = Digest().apply(view, ROOM)
    assert [m.text for m in after.messages if m.role is Role.USER][1:] == ["Go on."]
    assert "- Go on." in digests(after)[0]


def test_problems() -> None:
    """A cap below zero or a share of nothing is told to the author of the policy."""
    assert len(list(Digest(max_tokens=-1, fill_ratio=0).problems())) == 2
    assert len(list(Digest(max_turns=-1, keep_turns=-1).problems())) == 3
