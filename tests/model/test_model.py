"""A conversation with a real model server, whose window and whose chat template are real."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from model.serving import IS_INSTALLED, MISSING, Server, served
from running import Running

WINDOW = 2048
TURNS = 84
SENTENCE = (
    "the order service validates its input before it writes anything to the ledger and all of its tests pass "
    "again while the nightly run reports amounts in cents per customer and region"
)
WORDS = SENTENCE.split()

pytestmark = [pytest.mark.model, pytest.mark.skipif(not IS_INSTALLED, reason=MISSING)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The model server, with a window of 2,048 tokens and a template that wants roles to alternate."""
    with served(WINDOW) as running:
        yield running


def user(turn: int, words: int) -> dict[str, str]:
    """Return what the user says in one turn."""
    chance = random.Random(turn)
    return {"role": "user", "content": f"Turn {turn}: {' '.join(chance.choice(WORDS) for _ in range(words))}"}


def ask(client: openai.OpenAI, messages: list[Any], *, stream: bool) -> str:
    """Return the model's answer."""
    if not stream:
        whole = client.chat.completions.create(model="gemma", messages=messages, max_tokens=12)
        return whole.choices[0].message.content or ""
    pieces = client.chat.completions.create(model="gemma", messages=messages, max_tokens=12, stream=True)
    return "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)


@pytest.mark.parametrize("stream", [False, True])
def test_server_refuses_what_is_too_long(server: Server, stream: bool) -> None:
    """The window is real: without the gateway the server answers 400 with its numbers, streaming or not."""
    body = {"model": "gemma", "max_tokens": 8, "stream": stream, "messages": [user(0, 3 * WINDOW)]}

    status, answer = server.post("/v1/chat/completions", body)

    assert (status, answer["error"]["type"]) == (400, "exceed_context_size_error")
    assert answer["error"]["n_prompt_tokens"] > answer["error"]["n_ctx"] == WINDOW


def test_server_wants_roles_to_alternate(server: Server) -> None:
    """The template is strict: two user messages in a row are refused."""
    status, answer = server.post(
        "/v1/chat/completions", {"max_tokens": 8, "messages": [user(0, 3), user(1, 3)]}
    )

    assert status == 400
    assert "alternate" in answer["error"]["message"]


def test_conversation_of_ten_windows(server: Server, tmp_path: Path) -> None:
    """A conversation that grows to ten times the window is answered in every turn, half of them streamed.

    Without summaries: the server has one slot, and `test_summaries` asks for them.
    """
    messages: list[Any] = [{"role": "system", "content": "You are terse."}]
    answered = {False: 0, True: 0}
    with (
        Running(server.url, tmp_path / "data", "--policy", "mechanical") as gateway,
        openai.OpenAI(base_url=gateway.url, api_key="k", max_retries=0, timeout=120) as client,
    ):
        for turn in range(TURNS):
            messages.append(user(turn, 240))
            stream = turn % 2 == 1
            messages.append({"role": "assistant", "content": ask(client, messages, stream=stream)})
            answered[stream] += 1

    assert server.count(messages) >= 10 * WINDOW
    assert answered == {False: TURNS // 2, True: TURNS // 2}


def test_late_attach(server: Server, tmp_path: Path) -> None:
    """A conversation of ten windows that arrives all at once is answered."""
    messages: list[Any] = []
    for turn in range(TURNS):
        messages += [user(turn, 240), {"role": "assistant", "content": "Understood."}]
    messages.append({"role": "user", "content": "Which turn was the last?"})
    assert server.count(messages) >= 10 * WINDOW

    with (
        Running(server.url, tmp_path / "data") as gateway,
        openai.OpenAI(base_url=gateway.url, api_key="k", max_retries=0, timeout=120) as client,
    ):
        for stream in (False, True):
            ask(client, messages, stream=stream)
