"""An application before a gateway that knows its models' windows: send a list, look at what went out.

A policy names the windows, so that it is known when a list is over the trigger. In open mode a key is a
scope, so tests that have keys of their own share a gateway and nothing else.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from agents import Message, Said, lines, post, slices, task
from running import Running
from upstream import ScriptedUpstream

POLICY = "extends: mechanical\nwindows: {gpt-test: 4000, modest: 4000, tiny: 1100, huge: 100000}\n"

SPARING = f"{POLICY}target: {{ratio: 0.2}}\n"
"""Another policy, asked for by its name, that takes out more."""


@dataclass
class Known:
    """An application, its gateway and its upstream."""

    gateway: Running
    upstream: ScriptedUpstream
    key: str = "k"

    def send(
        self, messages: list[Message], *, model: str = "gpt-test", key: str = "", **headers: Any
    ) -> Said:
        """Send a list, and return what was said. An error is raised."""
        body = json.dumps({"model": model, "messages": messages}).encode()
        with httpx.Client(base_url=self.gateway.url, timeout=60) as client:
            return post(client, body, key=key or self.key, **headers)

    @property
    def last(self) -> list[bytes]:
        """The items of the list that the upstream received last."""
        return slices(self.upstream.chats[-1].body)

    def grow(self, messages: list[Message], **options: Any) -> None:
        """Send the list one turn longer, and assert that what went out before is repeated."""
        before = self.last
        said = self.send([*messages, *again("Yes.", "Go on.")], **options)
        assert said.action == "frozen"
        assert self.last[: len(before)] == before


@contextlib.contextmanager
def knowing(folder: Path, upstream: ScriptedUpstream) -> Iterator[Running]:
    """Run a gateway with that policy."""
    (folder / "policies").mkdir()
    (folder / "policies" / "known.yaml").write_text(POLICY)
    (folder / "policies" / "sparing.yaml").write_text(SPARING)
    flags = ("--policies", str(folder / "policies"), "--policy", "known")
    with Running(upstream.url, folder / "data", *flags) as running:
        yield running
        assert "failed" not in running.log


def talk(turns: int, name: str = "a", start: int = 0) -> list[Message]:
    """Return the turns of a conversation without a system message, the last of them not yet answered."""
    messages: list[Message] = []
    for turn in range(start, turns):
        messages.append({"role": "user", "content": f"{name}: {task(turn)} {lines(f'{name}{turn}', 160)}"})
        messages.append({"role": "assistant", "content": f"{name}{turn} is done."})
    return messages[:-1]


def again(answer: str, question: str) -> list[Message]:
    """Return an answer and the next question."""
    return [{"role": "assistant", "content": answer}, {"role": "user", "content": question}]
