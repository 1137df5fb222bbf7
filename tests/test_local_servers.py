"""Ollama and LM Studio as their users meet them: a window that nobody told, and prompts cut without a word.

On real sockets, before an upstream that answers in the shapes of these servers: their own sources and
documentation have them, and reports of what happens when a prompt is too long.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agents import Message
from answers import Answer, Recorded, json_answer, sse
from known import again, talk
from running import Running
from upstream import ScriptedUpstream

WINDOW = 4096
SHORT, LONG = talk(8), talk(40)

OLLAMAS_MODELS = {
    "object": "list",
    "data": [{"id": "llama3.2:latest", "object": "model", "created": 1, "owned_by": "library"}],
}
OLLAMAS_LOADED = {
    "models": [
        {
            "name": "llama3.2:latest",
            "model": "llama3.2:latest",
            "size": 3461200896,
            "digest": "a80c4f17acd5",
            "details": {"format": "gguf", "family": "llama", "parameter_size": "3.2B"},
            "expires_at": "2026-11-28T14:38:31.83753-07:00",
            "size_vram": 3461200896,
            "context_length": WINDOW,
        }
    ]
}
LM_STUDIOS_MODELS = {
    "object": "list",
    "data": [{"id": "meta-llama-3.1-8b-instruct", "object": "model", "owned_by": "organization_owner"}],
}
LM_STUDIOS_STATES = {
    "object": "list",
    "data": [
        {
            "id": "meta-llama-3.1-8b-instruct",
            "object": "model",
            "type": "llm",
            "arch": "llama",
            "compatibility_type": "gguf",
            "state": "loaded",
            "max_context_length": 131072,
            "loaded_context_length": WINDOW,
        }
    ],
}
NO_SUCH_PAGE = json_answer("404 page not found", status=404)


def cut_to(request: Recorded) -> int:
    """Return what Ollama counts of a prompt: of one that does not fit, the half that it keeps, and 3 more."""
    whole = request.tokens.prompt
    return whole if whole <= WINDOW else WINDOW // 2 + 3


def answered(request: Recorded, prompt: int) -> Answer:
    """Return an answer in Ollama's shape, which counted so many tokens."""
    body = request.json
    usage = {"prompt_tokens": prompt, "completion_tokens": 3, "total_tokens": prompt + 3}
    base = {"id": "chatcmpl-548", "created": 1, "model": body["model"], "system_fingerprint": "fp_ollama"}
    if not body.get("stream"):
        choice = {"index": 0, "message": {"role": "assistant", "content": "Done."}, "finish_reason": "stop"}
        return json_answer({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
    base["object"] = "chat.completion.chunk"
    events: list[dict[str, Any]] = [
        {
            **base,
            "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": why}],
        }
        for text, why in (("Done", None), (".", None), ("", "stop"))
    ]
    asked = (body.get("stream_options") or {}).get("include_usage")
    events += [{**base, "choices": [], "usage": usage}] if asked else []
    return sse([*(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n"])


def server(pages: dict[str, Any], chat: Callable[[Recorded], Answer]) -> Callable[[Recorded], Answer]:
    """Return what a server answers that has these pages."""

    def script(request: Recorded) -> Answer:
        if request.method == "POST":
            return chat(request)
        return json_answer(pages[request.target]) if request.target in pages else NO_SUCH_PAGE

    return script


OLD_OLLAMA = server({"/v1/models": OLLAMAS_MODELS}, lambda request: answered(request, cut_to(request)))
OLLAMA = server(
    {"/v1/models": OLLAMAS_MODELS, "/api/ps": OLLAMAS_LOADED},
    lambda request: answered(request, cut_to(request)),
)


def lm_studio(request: Recorded) -> Answer:
    """Answer as LM Studio does: a prompt that is too long is refused, in a stream by an event."""
    counted = request.tokens.prompt
    if counted <= WINDOW:
        return answered(request, counted)
    text = (
        f"Trying to keep the first {counted} tokens when context the overflows. However, the model is loaded "
        f"with context length of only {WINDOW} tokens, which is not enough. Try to load the model with a "
        "larger context length, or provide a shorter input"
    )
    if not request.json.get("stream"):
        return json_answer({"error": text}, status=400)
    return sse([f"event: error\ndata: {json.dumps({'error': {'message': text}, 'message': text})}\n\n"])


LM_STUDIO = server({"/v1/models": LM_STUDIOS_MODELS, "/api/v0/models": LM_STUDIOS_STATES}, lm_studio)


class Stage:
    """A gateway before such a server."""

    def __init__(self, gateway: Running, upstream: ScriptedUpstream) -> None:
        self.gateway = gateway
        self.upstream = upstream

    def send(self, messages: list[Message], **members: Any) -> httpx.Response:
        """Send a list, and return what comes back, which is no error."""
        body = json.dumps({"model": "llama3.2", "messages": messages, **members}).encode()
        headers = {"content-type": "application/json"}
        answer = httpx.post(f"{self.gateway.url}/chat/completions", content=body, headers=headers, timeout=60)
        assert answer.status_code == 200
        return answer

    def asked(self, target: str) -> None:
        """Wait until the gateway has looked at a page."""
        self.upstream.wait(
            lambda: any(seen.target == target and seen.status for seen in self.upstream.requests)
        )


def action(answer: httpx.Response) -> str:
    """Return what the gateway says it did."""
    return answer.headers["x-haversack-action"]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A fresh gateway: it knows nothing of any window."""
    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        yield Stage(gateway, upstream)
        assert '"error"' not in gateway.log


def test_prompt_that_was_cut_is_asked_again_shorter(stage: Stage) -> None:
    """The half that is left of it would be answered without rules and question: nobody gets that answer."""
    stage.upstream.script = OLD_OLLAMA

    said = stage.send(LONG)

    cut, whole = stage.upstream.chats
    assert action(said) == "rescued"
    assert cut.messages == LONG
    assert cut.tokens.prompt > WINDOW >= whole.tokens.prompt
    assert said.json()["usage"]["prompt_tokens"] == whole.tokens.prompt
    assert whole.messages[-1] == LONG[-1]

    assert action(stage.send([*LONG, *again("Done.", "Go on.")])) in ("frozen", "compacted")
    assert len(stage.upstream.chats) == 3
    assert stage.upstream.chats[-1].tokens.prompt <= WINDOW


def test_stream_over_a_prompt_that_was_cut_teaches_the_window(stage: Stage) -> None:
    """What has gone out cannot be taken back; its count tells, and the next request fits."""
    stage.upstream.script = OLD_OLLAMA
    streaming = {"stream": True, "stream_options": {"include_usage": True}}

    assert action(stage.send(LONG, **streaming)) == "none"
    said = stage.send([*LONG, *again("Done.", "Go on.")], **streaming)

    assert action(said) == "compacted"
    assert stage.upstream.chats[-1].tokens.prompt <= WINDOW


@pytest.mark.parametrize(
    ("script", "page", "model"),
    [(OLLAMA, "/api/ps", "llama3.2"), (LM_STUDIO, "/api/v0/models", "meta-llama-3.1-8b-instruct")],
    ids=["Ollama", "LM Studio"],
)
@pytest.mark.parametrize("stream", [False, True])
def test_window_is_asked_for_where_the_server_says_it(
    script: Callable[[Recorded], Answer], page: str, model: str, stream: bool, stage: Stage
) -> None:
    """After the first answer the window is known, so that no prompt is ever cut or refused.

    What the model's vendor documents, as for the second one, is not what it was loaded with.
    """
    stage.upstream.script = script

    assert action(stage.send(SHORT, stream=stream, model=model)) == "none"
    stage.asked(page)
    said = stage.send(LONG, stream=stream, model=model)

    assert action(said) == "compacted"
    assert [seen.tokens.prompt <= WINDOW for seen in stage.upstream.chats] == [True, True]


@pytest.mark.parametrize("stream", [False, True])
def test_refusal_of_lm_studio_is_rescued(stream: bool, stage: Stage) -> None:
    """It has words of its own, no code, and in a stream an event; the client sees an answer."""
    stage.upstream.script = server({"/v1/models": LM_STUDIOS_MODELS}, lm_studio)

    said = stage.send(LONG, stream=stream)

    refused, taken = stage.upstream.chats
    assert action(said) == "rescued"
    assert refused.tokens.prompt > WINDOW >= taken.tokens.prompt
    assert action(stage.send([*LONG, *again("Done.", "Go on.")], stream=stream)) in ("frozen", "compacted")
    assert len(stage.upstream.chats) == 3
