"""The lens laws of every wire format, and the laws of repair, over generated and recorded bodies.

write(request, view(request)) == body       nothing changes unless a step changed it
an edit changes the string it edits         and no byte outside of it
a digest before the user's words comes off  and the words are as they were
repair only takes away, to a fixed point    and what is left has no problems
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core.conversation import Conversation, Kind, Message, Role, made
from gateway.strategies import marks
from gateway.strategies.notes import Notes
from gateway.strategies.place import apart, together
from gateway.wire import WIRE_FORMATS
from gateway.wire.base import Request, WireFormat
from pens import MessagesPen, Pen

CHAT, MESSAGES = WIRE_FORMATS["openai_chat"], WIRE_FORMATS["anthropic_messages"]
RECORDED = sorted((Path(__file__).parent / "wire").glob("*/*.json"))

many = settings(max_examples=2000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
some = settings(many, max_examples=300)


def words(text: str) -> int:
    return len(text.split())


def view_of(wire_format: WireFormat, request: Request) -> Conversation:
    return Conversation(
        tuple(wire_format.message(raw, words, origin) for origin, raw in enumerate(request.messages))
    )


def written_by(pen: type[Pen]) -> st.SearchStrategy[bytes]:
    return st.integers(0, 2**64).map(lambda seed: pen(seed).body())


BODIES = st.one_of(
    st.tuples(st.just(CHAT), written_by(Pen)), st.tuples(st.just(MESSAGES), written_by(MessagesPen))
)


@given(BODIES)
@many
def test_unchanged_body_is_the_same_bytes(given: tuple[WireFormat, bytes]) -> None:
    """Whatever a client writes, what no step has changed leaves byte for byte as it came."""
    wire_format, body = given
    request = wire_format.read(body)

    assert wire_format.write(request, view_of(wire_format, request)) == body
    assert request.body[: request.start] + body[request.start : request.stop] + body[request.stop :] == body


@given(BODIES)
@some
def test_edit_changes_one_string_only(given: tuple[WireFormat, bytes]) -> None:
    """Every block that says it can be edited can be, and nothing around its string moves."""
    wire_format, body = given
    request = wire_format.read(body)
    for message in view_of(wire_format, request).messages:
        assert_edits_are_local(message)


@given(written_by(MessagesPen))
@some
def test_cut_items_come_together_again(body: bytes) -> None:
    """A list that is written anew, though nothing in it has changed, is the client's own."""
    request = MESSAGES.read(body)
    came = request.with_messages(request.messages)

    assert came.count(b"cache_control") <= body.count(b"cache_control")
    if b"cache_control" not in body:
        assert json.loads(came) == json.loads(body)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_bodies_keep_the_laws(path: Path) -> None:
    """The bodies of real clients keep both laws too."""
    wire_format = WIRE_FORMATS[path.parent.name]
    body = path.read_bytes()
    request = wire_format.read(body)
    view = view_of(wire_format, request)

    assert wire_format.write(request, view) == body
    for message in view.messages:
        assert_edits_are_local(message)


@given(BODIES)
@settings(some, max_examples=100)
def test_digest_before_the_users_words_can_be_taken_off_again(given: tuple[WireFormat, bytes]) -> None:
    """Wherever it stands in what a client wrote, the list is valid, and the words come back as they were."""
    wire_format, body = given
    assert_digest_comes_off(wire_format, view_of(wire_format, wire_format.read(body)))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_digest_before_recorded_words_can_be_taken_off_again(path: Path) -> None:
    """So it is in the bodies of real clients, in all three formats."""
    wire_format = WIRE_FORMATS[path.parent.name]
    assert_digest_comes_off(wire_format, view_of(wire_format, wire_format.read(path.read_bytes())))


def assert_digest_comes_off(wire_format: WireFormat, view: Conversation) -> None:
    users = [turn.start for turn in view.turns]
    ours = [made(Role.USER, Notes().text(), words), made(Role.ASSISTANT, marks.ACKNOWLEDGEMENT, words)]
    for at in users[:-1]:
        after = together(view.splicing(at, at, ours), words, most=sys.maxsize)
        if len(after.messages) > len(view.messages):
            # What the user sent holds no text, or none that can be edited.
            assert not any(block.path for block in view.messages[at].blocks if block.kind is Kind.TEXT)
            continue
        assert [i for i, one in enumerate(after.messages) if one is not view.messages[i]] == [at]
        assert wire_format.problems(wire_format.repair(after, words)) == []
        bare = apart(after, words).messages[at + 2]
        assert json.loads(bare.raw) == json.loads(view.messages[at].raw)


def assert_edits_are_local(message: Message) -> None:
    mark = '\ud83d "mark" \x00'
    spelled = rb'"\ud83d \"mark\" \u0000"'
    for index, block in enumerate(message.blocks):
        if block.path is None:
            continue
        edited = message.with_text(index, mark, words)
        before, found, after = edited.raw.partition(spelled)
        assert found
        assert message.raw.startswith(before)
        assert message.raw.endswith(after)
        replaced = message.raw[len(before) : len(message.raw) - len(after)]
        assert json.loads(replaced) == block.text


# --- Repair

IDS = st.sampled_from(["a", "b", "c", ""])
SPOKEN = st.sampled_from(["", "one two", None])


def asks(ids: list[str], content: str | None) -> dict[str, object]:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


ITEM = st.one_of(
    st.just({"role": "system", "content": "S"}),
    st.builds(lambda text: {"role": "user", "content": text}, st.sampled_from(["", "q"])),
    st.builds(lambda text: {"role": "assistant", "content": text}, SPOKEN),
    st.builds(asks, st.lists(IDS, min_size=1, max_size=3), SPOKEN),
    st.builds(lambda id: {"role": "tool", "tool_call_id": id, "content": "r"}, IDS),
    st.builds(lambda id: {"role": "tool", "tool_call_id": id, "content": "r"}, IDS),
    st.just({"role": "assistant", "content": None, "function_call": {"name": "w", "arguments": "{}"}}),
    st.just({"role": "function", "name": "w", "content": "sun"}),
    st.just({"role": "narrator", "content": "x"}),
)


def thinks(ids: list[str], thoughts: int, content: str | None) -> dict[str, object]:
    blocks: list[object] = [{"type": "thinking", "thinking": "hm", "signature": "s"}] * thoughts
    blocks += [{"type": "text", "text": content}] if content is not None else []
    calls = [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in ids]
    return {"role": "assistant", "content": [*blocks, *calls]}


def answers(ids: list[str], content: str | None) -> dict[str, object]:
    results = [{"type": "tool_result", "tool_use_id": id, "content": "r"} for id in ids]
    text = [{"type": "text", "text": content}] if content is not None else []
    return {"role": "user", "content": [*results, *text]}


MESSAGES_ITEM = st.one_of(
    st.just({"role": "system", "content": "S"}),
    st.builds(lambda text: {"role": "user", "content": text}, st.sampled_from(["", "q"])),
    st.builds(thinks, st.lists(IDS, max_size=3), st.integers(0, 2), SPOKEN),
    st.builds(thinks, st.lists(IDS, max_size=3), st.integers(0, 2), SPOKEN),
    st.builds(answers, st.lists(IDS, min_size=1, max_size=3), SPOKEN),
    st.builds(answers, st.lists(IDS, min_size=1, max_size=3), SPOKEN),
    st.just({"role": "narrator", "content": "x"}),
)


@st.composite
def mutilated(draw: st.DrawFn, wire_format: WireFormat, one: st.SearchStrategy[Any]) -> Conversation:
    """Return a list with pieces cut out of it, texts edited, and a user message that stayed."""
    items = draw(st.lists(one, max_size=10))
    items.insert(draw(st.integers(0, len(items))), {"role": "user", "content": "stay"})
    view = view_of(wire_format, wire_format.read(json.dumps({"messages": items}).encode()))
    places = st.integers(0, len(view.messages) - 1)
    texts = draw(st.dictionaries(places, st.sampled_from(["", "new", "new "]), max_size=3))
    view = view.replacing({index: edited(view.messages[index], text) for index, text in texts.items()})
    gone = draw(st.sets(places, max_size=5))
    return view.without(index for index in gone if view.messages[index].text != "stay")


MUTILATED = st.one_of(
    st.tuples(st.just(CHAT), mutilated(CHAT, ITEM)),
    st.tuples(st.just(MESSAGES), mutilated(MESSAGES, MESSAGES_ITEM)),
)


def edited(message: Message, text: str) -> Message:
    for index, block in enumerate(message.blocks):
        if block.path and block.text != "stay":
            return message.with_text(index, text, words)
    return message


@given(MUTILATED)
@many
def test_repair_takes_away_until_nothing_is_wrong(given: tuple[WireFormat, Conversation]) -> None:
    """However a list was cut, repair makes it valid by leaving things out, once and for all."""
    wire_format, view = given
    after = wire_format.repair(view, words)

    assert wire_format.problems(after) == []
    assert wire_format.repair(after, words) is after
    assert after.tokens <= view.tokens
    assert len(after.messages) <= len(view.messages)
    assert any(message.role is Role.USER for message in after.messages)
    heads = [message.raw for message in view.messages if message.role is Role.SYSTEM]
    assert [message.raw for message in after.messages if message.role is Role.SYSTEM] == [
        raw for raw in heads if raw in {message.raw for message in after.messages}
    ]
