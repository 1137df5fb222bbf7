"""What was cut out of arguments can be had again; the rest is in tests/cases/tool_arguments."""

from __future__ import annotations

import json

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies.base import Room
from gateway.strategies.tool_arguments import ToolArguments


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


def round_of(arguments: str) -> tuple[Message, Message]:
    tokens = quarters(arguments)
    call = Block(Kind.TOOL_CALL, arguments, tokens, ("arguments",), "c", "write_file")
    result = Block(Kind.TOOL_RESULT, "ok", 1, ("content",), "c")
    return Message(Role.ASSISTANT, (call,), tokens), Message(Role.TOOL, (result,), 1)


def test_every_notice_has_its_value() -> None:
    """Each value that was cut is put away whole, under the id in its notice; the JSON stays valid."""
    values = {"path": "a.py", "old": "é\n\ud83d " * 900, "new": "x y " * 900, "n": 1}
    view = Conversation(
        (
            made(Role.USER, "go", quarters),
            *round_of(json.dumps(values)),
            *round_of("{}"),
            made(Role.ASSISTANT, "ok", quarters),
        )
    )

    after = ToolArguments(keep_last=1).apply(view, Room(0, 100, quarters))

    assert {offload.text for offload in after.offloads} == {values["old"], values["new"]}
    shortened = json.loads(after.messages[1].blocks[0].text)
    assert (shortened["path"], shortened["n"]) == ("a.py", 1)
    ids = {offload.id for offload in after.offloads}
    assert all(any(id in shortened[key] for id in ids) for key in ("old", "new"))
    assert after.messages[1].tokens < view.messages[1].tokens / 4


def test_problems() -> None:
    """Numbers below zero, a newest round that is not spared and a share above one are told."""
    step = ToolArguments(max_tokens=-1, min_tokens=-1, keep_last=0, head_share=2.0)
    assert len(list(step.problems())) == 4
