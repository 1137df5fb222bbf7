"""Conversations compacted step by step with their ledger, as the gateway carries it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gateway.core.conversation import Conversation
from gateway.engine.pipeline import Result, less, run_steps, with_ledger
from gateway.policy.schema import Step
from gateway.strategies import marks, notes
from gateway.strategies.base import Keep, Room, Strategy
from gateway.strategies.carry import Kept
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()
TALK = "and so we went on talking about the weather and the hills and the sea " * 6


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


ROOM = Room(target=500, budget=1200, count=words, keep=Keep(recent_turns=1))


def conversation(*messages: dict[str, Any]) -> Conversation:
    """Return messages as a client sends them."""
    raws = [json.dumps(message).encode() for message in messages]
    return Conversation(tuple(WIRE.message(raw, words, index) for index, raw in enumerate(raws)))


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def talk(turns: int) -> list[dict[str, Any]]:
    """Return turns in which nothing is said that must survive."""
    return answered(f"Well, and part {n}?" for n in range(turns))


def answered(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Return turns in which a user says these texts."""
    return [entry for text in texts for entry in (user(text), assistant(TALK))]


def compacted(view: Conversation, strategy: Strategy, room: Room = ROOM) -> Conversation:
    """Return the conversation after one step, with its ledger, as the client's next list would hold it."""

    def work(bare: Conversation, kept: Kept) -> Result:
        return run_steps(bare, [Step("step", strategy)], less(room, kept))

    after = with_ledger(view, room, room.budget, work).view
    return Conversation(
        tuple(WIRE.message(m.raw or WIRE.compose(m), words, index) for index, m in enumerate(after.messages))
    )


def ledger(view: Conversation) -> str:
    """Return what is carried, one entry a line."""
    digests = [m.text for m in view.messages if marks.is_digest(m.text)]
    assert len(digests) <= 1
    entries = notes.read(digests[0]).ledger if digests else ()
    return "\n".join(f"{entry.kind}: {notes.labelled(entry)}" for entry in entries)


def grown(view: Conversation, *messages: dict[str, Any]) -> Conversation:
    """Return the conversation with what was said next."""
    return Conversation((*view.messages, *conversation(*messages).messages))


RULES = (
    user("Help me with the service. Never push to the main branch. Please always answer in French."),
    assistant("D'accord."),
)
