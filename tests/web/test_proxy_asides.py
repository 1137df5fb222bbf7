"""What is not for the gateway to change, on its way to an upstream and back: without a socket."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from siting import CHAT, Headers, header, site
from wired import LONG, answer, chat, message, refusal, said, turns

RESPONSES = "/v1/responses"

SUMMARY = (
    "Your task is to create a detailed summary of the conversation so far, paying close attention to all."
)
ASKING = [*LONG, {"role": "user", "content": SUMMARY}]
GROWN = [*LONG, message("assistant", 50, "a9"), message("user", 50, "more")]


def responses(items: list[Any] | str, **members: Any) -> bytes:
    """Return a Responses request."""
    return json.dumps({"model": "m", "input": items, **members}).encode()


def replied() -> httpx.Response:
    """Return a whole answer in the Responses dialect."""
    return httpx.Response(200, json={"object": "response", "status": "completed", "output": []})


@pytest.mark.parametrize("stream", [False, True])
def test_summary_is_asked_of_the_whole_conversation(stream: bool) -> None:
    """A client that compacts by itself gets a summary of all of it, whatever the window is said to be."""

    async def run() -> None:
        async with site(answer()) as here:
            body = chat(ASKING, stream=stream)
            call = here.call(CHAT, body)
            assert await call.read() == answer().content
            assert (call.status, header(call, b"x-haversack-action")) == (200, b"none")
            assert here.edge.bodies == [body]

    asyncio.run(run())


def test_summary_may_be_asked_for_behind_results() -> None:
    """Claude Code compacts within a turn, too: its request shares a message with what tools said."""

    async def run() -> None:
        call_block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "t", "content": "w " * 900}
        talk = [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": [call_block]},
            {"role": "user", "content": [result, {"type": "text", "text": SUMMARY}]},
        ]
        body = messages(talk, stream=True)
        async with site(httpx.Response(200, json={"type": "message"})) as here:
            await here.call(MESSAGES, body).read()
            assert here.edge.bodies == [body]

    asyncio.run(run())


def test_summary_that_is_refused_is_asked_of_less() -> None:
    """Some clients give up, or ask again for ever: what does not fit is made to, the request itself whole."""

    async def run() -> None:
        async with site(refusal(880, 800), answer()) as here:
            call = here.call(CHAT, chat(ASKING))
            await call.read()
            assert (call.status, header(call, b"x-haversack-action")) == (200, b"rescued")
            assert here.edge.bodies[0] == chat(ASKING)
            sent = json.loads(here.edge.bodies[1])["messages"]
            assert (sent[0], sent[-1]) == (ASKING[0], ASKING[-1])
            assert len(sent) < len(ASKING)

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/messages"])
def test_summary_that_is_refused_is_asked_of_less_in_every_format(path: str) -> None:
    """As in Chat Completions: all of it first, and of what is refused a smaller form."""

    async def run() -> None:
        key = "input" if path == RESPONSES else "messages"
        body = responses(ASKING) if path == RESPONSES else messages(ASKING[1:], system="rules")
        told = {"type": "invalid_request_error", "message": "prompt is too long: 880 tokens > 800 maximum"}
        refused = httpx.Response(400, json={"type": "error", "error": told})
        async with site(refused, replied()) as here:
            call = here.call(path, body)
            await call.read()
            assert (call.status, header(call, b"x-haversack-action")) == (200, b"rescued")
            sent = json.loads(here.edge.bodies[1])[key]
            assert here.edge.bodies[0] == body
            assert sent[-1] == ASKING[-1]
            assert len(sent) < len(ASKING) - 1

    asyncio.run(run())


def test_conversation_in_one_message_is_cut_when_it_is_refused() -> None:
    """Where the whole history is one text, its middle goes, and what is asked for at its end stays."""

    async def run() -> None:
        end = "\n</conversation>\n\nThe messages above are a conversation to summarize."
        body = chat([message("system", 10, "rules"), _user("<conversation>\n" + "w " * 1500 + end)])
        async with site(refusal(1520, 800), answer()) as here:
            await here.call(CHAT, body).read()
            assert here.edge.bodies[0] == body
            assert said(here.edge.bodies[1])[0] == "rules"
            assert json.loads(here.edge.bodies[1])["messages"][-1]["content"].endswith(end)
            assert len(here.edge.bodies[1]) < len(body) * 0.6

    asyncio.run(run())


def test_refused_summary_is_not_remembered() -> None:
    """How much of it was given up for a summary decides nothing about the conversation."""

    async def run() -> None:
        async with site(refusal(880, 800), answer(), answer()) as here:
            await here.call(CHAT, chat(ASKING)).read()
            call = here.call(CHAT, chat(GROWN))
            await call.read()
            assert header(call, b"x-haversack-action") == b"compacted"

    asyncio.run(run())


TITLE = [message("system", 20, "titles"), message("user", 20, "now")]
FORKED = [*LONG[:4], message("user", 30, "aside")]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param((CHAT, chat(TITLE), []), id="title"),
        pytest.param((CHAT, chat([message("user", 5, "quota")], max_tokens=1), []), id="quota"),
        pytest.param((CHAT, chat(ASKING), []), id="summary"),
        pytest.param((CHAT, chat([*TITLE, *LONG]), []), id="long title"),
        pytest.param((CHAT, chat(FORKED), []), id="fork"),
        pytest.param((CHAT, chat(LONG), [(b"x-haversack-bypass", b"1")]), id="bypass"),
        pytest.param(("/v1/messages/count_tokens", chat(LONG), []), id="count_tokens"),
        pytest.param((CHAT, chat(LONG), [(b"x-claude-code-agent-id", b"a")]), id="agent"),
    ],
)
def test_side_request_leaves_the_conversation_as_it_was_decided(
    between: tuple[str, bytes, Headers],
) -> None:
    """A title, a probe or a summary under the same session key: the next turn is replayed byte by byte."""

    async def run() -> None:
        path, body, headers = between
        key = [(b"x-session-id", b"s"), (b"authorization", b"Bearer k")]
        async with site(answer(), answer(), answer()) as here:
            await here.call(CHAT, chat(LONG), headers=key).read()
            await here.call(path, body, headers=[*key, *headers]).read()
            call = here.call(CHAT, chat(GROWN), headers=key)
            await call.read()
            first, _, then = here.edge.bodies
            assert header(call, b"x-haversack-action") == b"frozen"
            assert then.startswith(first[:-2] + b",")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (responses(LONG, previous_response_id="resp_1"), []),
        (responses(LONG, conversation={"id": "conv_1"}), []),
        (responses([*LONG, {"type": "compaction_trigger"}]), []),
        (responses(LONG), [(b"x-codex-turn-metadata", b'{"request_kind":"compaction"}')]),
    ],
)
@pytest.mark.parametrize("status", [200, 400])
def test_what_a_client_does_by_itself_is_never_changed(body: bytes, headers: Headers, status: int) -> None:
    """Histories kept by the upstream and compactions told by the protocol: bytes and answer as they are."""

    async def run() -> None:
        told = replied() if status == 200 else refusal(860, 800)
        async with site(told) as here:
            call = here.call(RESPONSES, body, headers=headers)
            assert await call.read() == told.content
            assert (call.status, header(call, b"x-haversack-action")) == (status, b"none")
            assert here.edge.bodies == [body]
            assert here.requests(endpoint="openai_responses", status=str(status)) == 1

    asyncio.run(run())


MESSAGES = "/v1/messages"
CREATE = {"thread": {"type": "create"}, "system": "rules", "tools": []}
CONTINUE = {"thread": {"type": "continue", "previous_message_id": "msg_1"}}


def messages(talk: list[Any], **members: Any) -> bytes:
    """Return a Messages request."""
    return json.dumps({"model": "m", "max_tokens": 99, "messages": talk, **members}).encode()


@pytest.mark.parametrize("thread", [CREATE, CONTINUE])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", [MESSAGES, "/v1/v1/messages?beta=true", "/messages"])
def test_thread_is_refused_so_that_its_client_sends_everything(
    thread: dict[str, Any], stream: bool, path: str
) -> None:
    """The vendor's libraries go on with the whole history when they read this code, and only then."""

    async def run() -> None:
        async with site() as here:
            call = here.call(path, messages(turns(1), stream=stream, **thread))
            told = json.loads(await call.read())
            assert call.status == 400
            assert told["type"] == "error"
            assert told["error"]["type"] == "invalid_request_error"
            assert told["error"]["details"] == {"error_code": "thread_unsupported_request"}
            assert "thread" in told["error"]["message"]
            assert here.edge.seen == []
            assert here.requests(endpoint="anthropic_messages", status="400") == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    "headers",
    [
        [(b"x-haversack-bypass", b"1")],
        [(b"x-haversack-policy", b"off")],
        [(b"x-haversack-policy", b"observe")],
    ],
)
def test_thread_passes_where_nothing_is_compacted(headers: Headers) -> None:
    """Who wants nothing changed keeps what the vendor offers."""

    async def run() -> None:
        body = messages(turns(1), **CONTINUE)
        async with site(httpx.Response(200, json={"type": "message"})) as here:
            call = here.call(MESSAGES, body, headers=headers)
            await call.read()
            assert (call.status, here.edge.bodies) == (200, [body])

    asyncio.run(run())


@pytest.mark.parametrize("about", [{"metadata": {"thread": "x"}}, {"thread": None}])
def test_what_is_only_called_a_thread_is_none(about: dict[str, Any]) -> None:
    """A conversation that is sent whole is compacted, whatever else it speaks of."""

    async def run() -> None:
        async with site(httpx.Response(200, json={"type": "message"})) as here:
            call = here.call(MESSAGES, messages(LONG[1:], **about))
            await call.read()
            assert (call.status, header(call, b"x-haversack-action")) == (200, b"compacted")

    asyncio.run(run())


def test_client_that_compacted_begins_anew() -> None:
    """With its summary in place of the history, the list is another one: it goes as it came."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            await here.call(CHAT, chat(LONG)).read()
            compacted = chat([LONG[0], _user("This is what happened: ..."), *turns(2)])
            call = here.call(CHAT, compacted)
            await call.read()
            assert header(call, b"x-haversack-action") == b"none"
            assert here.edge.bodies[1] == compacted

    asyncio.run(run())


def test_answer_names_the_session_of_what_is_never_changed() -> None:
    """A client that names its conversation finds it under one name, whatever it asks in between."""

    async def run() -> None:
        key = [(b"x-session-id", b"s")]
        async with site(replied(), replied()) as here:
            names = []
            for members in ({}, {"previous_response_id": "resp_1"}):
                call = here.call(RESPONSES, responses(turns(1), **members), headers=key)
                await call.read()
                names.append(header(call, b"x-haversack-session"))
            assert names[0] == names[1] is not None

    asyncio.run(run())


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}
