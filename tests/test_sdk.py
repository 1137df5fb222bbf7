"""Applications with the official SDK keep working on conversations that are longer than the window.

Nothing in the client is changed but its base URL. The upstream counts with its own means and refuses what is
too long or malformed, as the vendor documents it; the client must never see an error.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from agents import (
    Message,
    Said,
    agent,
    broken_promises,
    chat,
    forwarded,
    lines,
    run,
    run_async,
    run_plainly,
    slices,
    task,
    tool_loop,
)
from answers import Answer, Recorded, json_answer, text_answer
from running import Running
from upstream import ScriptedUpstream

WINDOW = 8_000

IMAGE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAgAAAAIACAIAAAB7GkOt"
    "AAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)


@contextlib.contextmanager
def gateway_for(upstream: ScriptedUpstream, folder: Path, window: int | None = None) -> Iterator[str]:
    """Run the gateway, with a policy that names the window if one is given, and yield its base URL."""
    flags = []
    if window is not None:
        policies = folder / "policies"
        policies.mkdir(parents=True)
        (policies / "known.yaml").write_text(f"extends: default\nwindow: {window}\n")
        flags = ["--policies", str(policies), "--policy", "known"]
    with Running(upstream.url, folder / "data", *flags) as gateway:
        yield gateway.url
        assert '"error"' not in gateway.log


@pytest.fixture
def small() -> Iterator[ScriptedUpstream]:
    """An agent's upstream with a small window."""
    with ScriptedUpstream(WINDOW) as upstream:
        upstream.script = agent(upstream, every=3)
        yield upstream


def kept_promises(upstream: ScriptedUpstream, said: list[Said]) -> None:
    """Assert that the conversation outgrew the window, and that all that went out is as promised."""
    assert list(broken_promises(upstream, said)) == []
    assert len(said[-1].sent) > WINDOW * 4


def refused(upstream: ScriptedUpstream) -> int:
    """Return how often the upstream refused something."""
    return sum(1 for request in upstream.chats if request.status != 200)


def usage_is_the_upstreams(upstream: ScriptedUpstream, said: list[Said]) -> None:
    """Assert that every answer carries what the last call for it cost."""
    for number, one in enumerate(said):
        assert one.usage is not None
        assert one.usage["prompt_tokens"] == forwarded(upstream, number)[-1].tokens.prompt


def test_sixty_turns_with_tools(small: ScriptedUpstream, tmp_path: Path) -> None:
    """A tools loop of 60 turns: no error, one request refused in all, usage as the upstream reports it."""
    with gateway_for(small, tmp_path) as url:
        said = run(tool_loop(60), url)

    kept_promises(small, said)
    usage_is_the_upstreams(small, said)
    assert refused(small) == 1


def test_sixty_turns_with_tools_streamed(small: ScriptedUpstream, tmp_path: Path) -> None:
    """The same streamed; nobody asked for usage, and none is in any stream."""
    with gateway_for(small, tmp_path) as url:
        said = run(tool_loop(60), url, stream=True)

    kept_promises(small, said)
    assert refused(small) == 1
    assert all(one.usage is None and all(chunk.choices for chunk in one.chunks) for one in said)
    # Although, where a list was rewritten, the upstream was asked for it.
    assert any((request.json.get("stream_options") or {}).get("include_usage") for request in small.chats)


def test_sixty_turns_with_tools_async(small: ScriptedUpstream, tmp_path: Path) -> None:
    """The async client, in a window that the policy names: nothing is ever refused."""
    with gateway_for(small, tmp_path, WINDOW) as url:
        said = asyncio.run(run_async(tool_loop(60), url))

    kept_promises(small, said)
    usage_is_the_upstreams(small, said)
    assert refused(small) == 0


def test_sixty_turns_with_tools_async_streamed(small: ScriptedUpstream, tmp_path: Path) -> None:
    """The async client, streamed, asks for usage itself and gets it once, as the upstream sent it."""
    talk = tool_loop(60, stream_options={"include_usage": True})
    with gateway_for(small, tmp_path, WINDOW) as url:
        said = asyncio.run(run_async(talk, url, stream=True))

    kept_promises(small, said)
    usage_is_the_upstreams(small, said)
    assert refused(small) == 0
    assert all([not chunk.choices for chunk in one.chunks].count(True) == 1 for one in said)


def test_one_turn_of_three_hundred_rounds(tmp_path: Path) -> None:
    """An agent that works for 300 rounds on one user message never loses it, nor a result it has not seen."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        working = agent(upstream, calls=1, rounds=1000)
        upstream.script = lambda request: (
            working(request) if len(upstream.chats) < 302 else text_answer(request, "Done.")
        )
        said = run_plainly(tool_loop(1, result=100), url)

        kept_promises(upstream, said)
        assert len(said) > 300
        assert refused(upstream) == 1


def test_strict_templates_accept_every_request(tmp_path: Path) -> None:
    """An upstream that wants user and assistant strictly in turns gets them so after every compaction."""
    with ScriptedUpstream(WINDOW, alternating=True) as upstream, gateway_for(upstream, tmp_path) as url:
        said = run_plainly(chat(60, words=250), url)

        kept_promises(upstream, said)
        assert refused(upstream) == 1


@pytest.mark.parametrize("role", ["developer", "none"])
def test_other_heads(role: str, tmp_path: Path) -> None:
    """A developer message is kept like a system message; a list may also begin with the user."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        said = run_plainly(_headed(role, chat(40, words=250)), url)

        kept_promises(upstream, said)
        firsts = {slices(request.body)[0] for request in upstream.chats}
        assert role == "none" or firsts == {slices(said[0].sent)[0]}


def _headed(role: str, talk: Any) -> Any:
    """Yield the requests of a talk with another head."""
    request = next(talk)
    with contextlib.suppress(StopIteration):
        while True:
            head, *rest = request["messages"]
            messages = [{**head, "role": role}, *rest] if role != "none" else rest
            request = talk.send((yield {**request, "messages": messages}))


def test_content_parts_and_images(tmp_path: Path) -> None:
    """User messages made of parts, with images, are compacted like any others."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        said = run_plainly(_pictures(40), url)

        kept_promises(upstream, said)


def _pictures(turns: int) -> Any:
    messages: list[Message] = [{"role": "system", "content": [{"type": "text", "text": "You see."}]}]
    for turn in range(turns):
        text = {"type": "text", "text": f"{task(turn)} {lines(f'p{turn}', 160)}"}
        image = {"type": "image_url", "image_url": {"url": IMAGE, "detail": "high"}}
        messages.append({"role": "user", "content": [text, image]})
        messages.append((yield {"messages": list(messages)}))


def test_legacy_functions(tmp_path: Path) -> None:
    """The old `functions` work: no function message ever stands without the call before it."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        upstream.script = lambda request: upstream.refusal(request) or _function_or_text(request)
        said = run_plainly(_functions(60), url)

        kept_promises(upstream, said)
        for request in upstream.chats:
            for before, message in zip(request.messages, request.messages[1:], strict=False):
                if message["role"] == "function":
                    assert before["function_call"]["name"] == message["name"]
                if before.get("function_call"):
                    assert message["role"] == "function"


def _function_or_text(request: Recorded) -> Answer:
    if request.messages[-1]["role"] == "function":
        return text_answer(request, "It is fixed.")
    call = {"name": "read_file", "arguments": '{"path": "src/a.py"}'}
    message = {"role": "assistant", "content": None, "function_call": call}
    return json_answer({"choices": [{"index": 0, "message": message, "finish_reason": "function_call"}]})


def _functions(turns: int) -> Any:
    messages: list[Message] = []
    for turn in range(turns):
        messages.append({"role": "user", "content": task(turn)})
        for result in (lines(f"f{turn}", 300), None):
            functions = [{"name": "read_file", "parameters": {"type": "object", "properties": {}}}]
            messages.append((yield {"messages": list(messages), "functions": functions}))
            if result is not None:
                messages.append({"role": "function", "name": "read_file", "content": result})


def test_several_choices_are_kept_in_full(tmp_path: Path) -> None:
    """With `n=2` both answers to a rescued request reach the client, as the upstream gave them."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        messages = [{"role": "assistant", "content": f"Answer {index}"} for index in (0, 1)]
        choices = [{"index": i, "message": m, "finish_reason": "stop"} for i, m in enumerate(messages)]
        upstream.script = lambda request: upstream.refusal(request) or json_answer({"choices": choices})
        with openai.OpenAI(base_url=url, api_key="k", max_retries=0) as client:
            answer = client.chat.completions.create(model="gpt-test", messages=long_list(60), n=2)

        assert [choice.to_dict() for choice in answer.choices] == choices
        assert upstream.chats[-1].json["n"] == 2


def test_a_prefill_stays_last(tmp_path: Path) -> None:
    """An assistant message at the end, which the model is to continue, is still the last one, untouched."""
    with ScriptedUpstream(WINDOW) as upstream, gateway_for(upstream, tmp_path) as url:
        messages = [*long_list(60), {"role": "assistant", "content": "The answer is – in full –"}]
        with openai.OpenAI(base_url=url, api_key="k", max_retries=0) as client:
            client.chat.completions.create(model="gpt-test", messages=messages)

        last = slices(upstream.chats[-1].body)[-2:]
        assert [json.loads(item) for item in last] == messages[-2:]


def long_list(turns: int) -> list[Any]:
    """Return a conversation that begins somewhere and ends with a user message."""
    messages: list[Message] = [{"role": "system", "content": "Be brief."}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"{task(turn)} {lines(f'l{turn}', 200)}"})
        messages.append({"role": "assistant", "content": f"Done with {turn}."})
    return messages[:-1]
