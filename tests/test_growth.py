"""One conversation grown to a thousand turns: what a turn costs is what is new in it, not what came before.

Work is counted, not timed: messages decoded, characters given to the encoder, hashes begun, rows and prefixes
asked of the store. Only the bytes of the request itself may grow with the conversation: they have to be read.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from types import FrameType
from typing import Any

import pytest

from exchanging import answered
from gateway.core.conversation import Count, Message
from gateway.core.frozen import replace
from gateway.policy.live import read_all
from gateway.store.base import Checkpoint, Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.wire.openai_chat import OpenAIChat
from stores import Clock, opened
from wired import Edge, answer, ask, engine, words

TURNS = 1000
ROOMY, NARROW = "below its window", "with checkpoints"
DEFAULT = read_all(None, "default").policies["default"]
POLICIES = {
    ROOMY: replace(DEFAULT, window=10_000_000),
    # Room for some hundred turns.
    NARROW: replace(DEFAULT, window=12_000, reserve_output=1000),
}

pytestmark = pytest.mark.slow

EARLY, LATE = range(100, 200), range(900, 1000)


@dataclass
class Work:
    """What was done for one turn."""

    decoded: int = 0
    """Messages."""
    counted: int = 0
    """Characters given to the encoder."""
    hashes: int = 0
    """Cryptographic ones that were begun on the event loop."""
    rows: int = 0
    """Read from the store or written to it."""
    prefixes: int = 0
    """Looked for in the store."""
    action: str = ""
    body_bytes: int = 0


@dataclass
class Meter:
    """Adds up the work of the turn that is running."""

    turns: list[Work] = field(default_factory=list)

    @property
    def now(self) -> Work:
        """The turn that is running."""
        return self.turns[-1]

    def count(self, text: str) -> int:
        """Count as `words` does."""
        self.now.counted += len(text)
        return words(text)

    def profile(self, _: FrameType, event: str, called: Any) -> None:
        """Take note of a hash: the interpreter tells of every call."""
        if event == "c_call" and called is sha256:
            self.now.hashes += 1


class Watched(OpenAIChat):
    """The wire format, with a meter on what it decodes."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def message(self, raw: bytes, count: Count, origin: int | None = None) -> Message:
        self._meter.now.decoded += 1
        return super().message(raw, count, origin)


class WatchedStore(SqliteStore):
    """The store, with a meter on its rows."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(MEMORY, Clock())
        self._meter = meter

    async def checkpoints(
        self, scope: str, wire_format: str, policy: str, prefixes: Sequence[bytes], limit: int = 8
    ) -> Sequence[Checkpoint]:
        found = await super().checkpoints(scope, wire_format, policy, prefixes, limit)
        self._meter.now.prefixes += len(prefixes)
        self._meter.now.rows += len(found)
        return found

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        self._meter.now.rows += len(originals)
        await super().put_originals(scope, originals)

    async def put_checkpoint(self, scope: str, wire_format: str, policy: str, checkpoint: Checkpoint) -> None:
        self._meter.now.rows += 1
        await super().put_checkpoint(scope, wire_format, policy, checkpoint)


def conversation() -> Iterator[bytes]:
    """Yield the request of every turn; in every fourth one a tool is called, too."""
    call = (
        '{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"file %d\\"}"}}'
    )
    said = '{"role":"system","content":"You read files and never delete any."}'
    for turn in range(TURNS):
        said += f',{{"role":"user","content":"question {turn} {"about a file " * 8}"}}'
        yield f'{{"model":"m","messages":[{said}]}}'.encode()
        if turn % 4 == 0:
            said += f',{{"role":"assistant","content":null,"tool_calls":[{call % (turn, turn)}]}}'
            said += f',{{"role":"tool","tool_call_id":"c{turn}","content":"{f"line of file {turn} " * 60}"}}'
        said += f',{{"role":"assistant","content":"answer {turn} {"as the file says " * 12}"}}'


@contextmanager
def profiled(meter: Meter) -> Iterator[None]:
    """Let the interpreter tell the meter of every call in this thread, which is that of the event loop."""
    sys.setprofile(meter.profile)
    try:
        yield
    finally:
        sys.setprofile(None)


@cache
def grown(name: str) -> list[Work]:
    """Return the work of every turn of the conversation under that policy."""
    policy, meter = POLICIES[name], Meter()
    wire = Watched(meter)

    async def run() -> None:
        async with opened(WatchedStore(meter)) as store, engine(store) as made:
            for turn, body in enumerate(conversation()):
                meter.turns.append(Work(body_bytes=len(body)))
                asked = ask(Edge(answer()), body, policy, count=meter.count, wire=wire)
                looked_at = turn in EARLY or turn in LATE
                with profiled(meter) if looked_at else nullcontext():
                    _, _, meter.now.action, _ = await answered(made, asked)

    asyncio.run(run())
    return meter.turns


def of(policy: str, turns: range, what: str) -> list[Any]:
    """Return one kind of work in some turns."""
    return [getattr(work, what) for work in grown(policy)[turns.start : turns.stop]]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("what", ["decoded", "counted", "rows"])
def test_late_turns_cost_what_early_ones_cost(policy: str, what: str) -> None:
    """Near turn 1000 no more is decoded, counted, read or written than near turn 100, in sum and at most."""
    early, late = of(policy, EARLY, what), of(policy, LATE, what)
    assert sum(late) <= 1.5 * sum(early)
    assert max(late) <= 1.5 * max(early)


def test_a_message_is_read_once_below_the_window() -> None:
    """A turn decodes, counts and hashes the messages that are new in it, and asks the store for nothing."""
    for turn in (*EARLY, *LATE):
        work, new = grown(ROOMY)[turn], 4 if turn % 4 == 1 else 2
        assert (work.decoded, work.hashes) == (new, new)
        assert (work.rows, work.prefixes) == (0, 0)
        assert work.counted <= work.body_bytes - grown(ROOMY)[turn - 1].body_bytes


def test_the_boundary_moves_rarely() -> None:
    """With checkpoints, nearly every turn replays one; those that move it are as far apart late as early."""
    assert set(of(NARROW, EARLY, "action")) == set(of(NARROW, LATE, "action")) == {"frozen", "compacted"}
    moves = [of(NARROW, span, "action").count("compacted") for span in (EARLY, LATE)]
    assert max(moves) <= 10
    assert abs(moves[0] - moves[1]) <= 2


def test_what_a_turn_replays_needs_no_store() -> None:
    """A turn that moves no boundary finds its checkpoint in the process."""
    replayed = [work for work in grown(NARROW)[EARLY.start :] if work.action == "frozen"]
    assert len(replayed) > 800
    assert {(work.rows, work.prefixes) for work in replayed} == {(0, 0)}


def test_a_move_looks_only_for_what_is_newer_than_its_own_checkpoint() -> None:
    """Who moves the boundary asks the store about the messages since the last move, not about all."""
    assert max(of(NARROW, LATE, "prefixes")) <= 1.5 * max(of(NARROW, EARLY, "prefixes")) <= 300


def test_hashing_stays_below_the_bytes_that_are_read() -> None:
    """To find a checkpoint one hash of 64 bytes is added per message: less than the message itself has."""
    for turn in (*EARLY, *LATE):
        work = grown(NARROW)[turn]
        assert 64 * work.hashes < work.body_bytes
