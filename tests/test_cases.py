"""Golden cases of the strategies, and the laws that hold for every one of them.

Every file in tests/cases/STRATEGY/ is one case: `step`, `room`, `before`, and `after`, where a number means
that message of `before`, byte for byte. One word is one token, so a reviewer can check a case by eye.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn import ROOMS, STEPS, conversations, words
from gateway.core.conversation import Conversation, Count, Kind, Role
from gateway.core.frozen import replace
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep, Room, Strategy, Summary
from gateway.wire.openai_chat import OpenAIChat

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.yaml"))
WIRE = OpenAIChat()


def conversation(messages: list[Any], count: Count) -> Conversation:
    """Return a list as the gateway reads it from a client."""
    request = WIRE.read(json.dumps({"model": "m", "messages": messages}).encode())
    return Conversation(tuple(WIRE.message(raw, count, i) for i, raw in enumerate(request.messages)))


def sent(view: Conversation) -> list[Any]:
    """Return what goes upstream."""
    request = WIRE.read(b'{"model": "m", "messages": []}')
    messages: list[Any] = json.loads(WIRE.write(request, view))["messages"]
    return messages


def step_of(case: dict[str, Any]) -> Strategy:
    """Return the step of a case; lists in a policy are tuples in a strategy."""
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in case["step"].items() if k != "use"}
    return STRATEGIES[case["step"]["use"]](**fields)


def room_of(case: dict[str, Any]) -> Room:
    """Return the room of a case: nothing fits, unless it says so."""
    given = {"target": 0, "budget": 1000, **case.get("room", {})}
    given["keep"] = Keep(**given.get("keep", {}))
    if "summary" in given:
        given["summary"] = Summary(**given["summary"])
    return Room(**given, count=words)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    """The step changes exactly what the case names, and nothing else."""
    case = yaml.safe_load(path.read_text())
    view = conversation(case["before"], words)

    after = step_of(case).apply(view, room_of(case))

    expected = [case["before"][item] if isinstance(item, int) else item for item in case["after"]]
    assert sent(after) == expected
    same = [item for item in case["after"] if isinstance(item, int)]
    assert [message.origin for message in after.messages if message.origin is not None] == same
    assert [offload.text for offload in after.offloads] == case.get("offloads", [])


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_laws_hold_for_every_case(path: Path) -> None:
    """What holds for every conversation holds for the golden ones."""
    case = yaml.safe_load(path.read_text())
    check_laws(step_of(case), conversation(case["before"], words), room_of(case))


def check_laws(step: Strategy, view: Conversation, room: Room) -> None:
    """Assert what every strategy promises of every conversation."""
    after = step.apply(view, room)
    name = next(name for name, kind in STRATEGIES.items() if isinstance(step, kind))

    assert after.tokens <= view.tokens
    assert after.tokens < view.tokens or after is view
    assert rounds(after) <= rounds(view)
    assert by_role(after, Role.SYSTEM) == by_role(view, Role.SYSTEM)
    assert len(WIRE.problems(after)) <= len(WIRE.problems(view))
    assert not alternates(view) or alternates(after)
    assert all(block.text.strip() for block in edited(after))
    if name != "newest_content":
        assert latest_user(after) == latest_user(view)
    if name not in ("newest_content", "clear"):
        assert set(range(view.unseen, len(view.messages))) <= {message.origin for message in after.messages}
    again = step.apply(reread(after, room.count), room)
    assert sent(again) == sent(after)


def rounds(view: Conversation) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return what is paired with what: the calls and the answers of every round, by their ids."""
    found = set()
    for span in view.rounds:
        messages = [view.messages[index] for index in span]
        calls = tuple(block.call_id for block in messages[0].blocks if block.kind is Kind.TOOL_CALL)
        answers = tuple(message.blocks[0].call_id for message in messages[1:])
        found.add((calls, answers))
    return found


def by_role(view: Conversation, role: Role) -> list[bytes]:
    """Return the bytes of the messages of one role."""
    return [message.raw for message in view.messages if message.role is role]


def latest_user(view: Conversation) -> bytes | None:
    """Return the bytes of what the model is asked to do now."""
    return None if view.last_user is None else view.messages[view.last_user].raw


def alternates(view: Conversation) -> bool:
    """Return whether user and assistant take turns, calls and results left aside, as templates have it."""
    calling = {span.start for span in view.rounds}
    roles = [message.role for index, message in enumerate(view.messages) if index not in calling]
    speaking = [role for role in roles if role in (Role.USER, Role.ASSISTANT)]
    return all(role is (Role.ASSISTANT if index % 2 else Role.USER) for index, role in enumerate(speaking))


def edited(view: Conversation) -> list[Any]:
    """Return the text blocks of messages that are not as the client sent them."""
    return [block for m in view.messages if not m.raw for block in m.blocks if block.kind is Kind.TEXT]


def reread(view: Conversation, count: Count) -> Conversation:
    """Return a conversation as it comes back from a checkpoint."""
    raws = [message.raw or WIRE.compose(message) for message in view.messages]
    return Conversation(tuple(WIRE.message(raw, count, index) for index, raw in enumerate(raws)))


def test_every_strategy_is_tried() -> None:
    """A new strategy cannot be forgotten here: it has golden cases and a place in the generated ones."""
    assert set(STEPS) == set(STRATEGIES) == {path.parent.name for path in CASES}


@pytest.mark.parametrize("name", STEPS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_laws_hold_for_any_conversation(name: str, data: st.DataObject) -> None:
    """Never longer, never a call without its result, head and request as they came, and twice is once."""
    room = data.draw(ROOMS)
    view = conversation(data.draw(conversations()), room.count)

    # How far a summary reaches is told by numbers of the client's list, which another list does not have.
    check_laws(data.draw(STEPS[name]), view, room if name == "summarize" else replace(room, summary=None))


@settings(max_examples=100, deadline=None)
@given(messages=conversations(), room=ROOMS)
def test_newest_content_reaches_the_target_if_texts_can(messages: list[Any], room: Room) -> None:
    """Where head, framing and notices fit, the conversation does, whatever is large in it."""
    view = conversation(messages, room.count)
    least = STRATEGIES["newest_content"]().apply(view, replace(room, target=0))

    after = STRATEGIES["newest_content"]().apply(view, replace(room, target=max(room.target, least.tokens)))

    assert after.tokens <= max(room.target, least.tokens)
