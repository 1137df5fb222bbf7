"""CowAgent's policy, as it is shipped and as somebody changes it, and conversations for it.

One word is one token, and a message takes four more for its frame.
"""

from __future__ import annotations

import json
import re
from typing import Any

from gateway.policy.live import read_all, read_folder, shipped_folder
from gateway.policy.policies import File, read_set
from gateway.policy.schema import Policy
from gateway.strategies import STRATEGIES
from gateway.strategies.notes import Notes, Section, read

NAME = "cowagent"
SHIPPED = read_all(None, "default")
POLICY = SHIPPED.policies[NAME]
FILES = {file.name: file for file in read_folder(shipped_folder())}
TEXT = FILES[NAME].data.decode()
HEAD = {"role": "system", "content": "You keep the house."}


def reading(text: str) -> Policy:
    """Return the policy that stands in a file of that text."""
    own = [File("own.yaml", NAME, text.encode())]
    return read_set(list(FILES.values()), own, [], "default", STRATEGIES).policies[NAME]


def changed(*lines: str) -> Policy:
    """Return the policy with what a file that extends it says."""
    return reading("\n".join([f"extends: {NAME}", *lines]))


def later() -> Policy:
    """Return the policy with the later values that its comments name."""
    text = (
        TEXT.replace("tokens: 50000", "tokens: 64000")
        .replace("turns: 21", "turns: 31")
        .replace("turns: 20", "turns: 30")
    )
    return reading(re.sub(r"(?m)^  # (- use: tool_results|  \w+: )", r"  \1", text))


def turn(number: int, words: int = 6, result: str = "") -> list[dict[str, Any]]:
    """Return a question, a call with its result if there is one, and an answer of so many words."""
    call = {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    round: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": result},
    ]
    answer = {"role": "assistant", "content": f"Answer {number}: " + "so " * (words - 2)}
    return [{"role": "user", "content": f"Well, and part {number}?"}, *(round if result else []), answer]


def talk(number: int, words: int = 6) -> list[dict[str, Any]]:
    """Return a conversation of so many turns, the last of them not yet answered."""
    said = [message for n in range(number - 1) for message in turn(n, words)]
    return [HEAD, *said, {"role": "user", "content": f"Well, and part {number - 1}?"}]


def contents(body: bytes) -> list[str]:
    """Return what the messages of a request say."""
    return [str(message["content"]) for message in json.loads(body)["messages"]]


def digest(body: bytes) -> Notes:
    """Return what the digest in a request tells: it stands before the first user message."""
    text = contents(body)[1]
    assert text.startswith("<haversack-digest>\n")
    return read(text)


def summary(body: bytes) -> str:
    """Return the summary in a request; nothing if it has none."""
    return "\n".join(read(contents(body)[1]).entries.get(Section.SUMMARY, ()))
