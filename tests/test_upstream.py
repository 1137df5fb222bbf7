"""The scripted upstream itself: what every end-to-end test trusts."""

import asyncio
import http.client
import socket
import time

import openai
import pytest

from answers import Answer, calls_answer, gzipped, json_answer, never, reset, sse, text_answer
from upstream import ScriptedUpstream

CHAT = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def client(upstream: ScriptedUpstream) -> openai.OpenAI:
    """Return the official client, without its own retries."""
    return openai.OpenAI(base_url=upstream.url, api_key="k", max_retries=0)


def exchange(upstream: ScriptedUpstream, sent: bytes) -> bytes:
    """Send bytes, and return all bytes up to the end of the connection."""
    with socket.create_connection(("127.0.0.1", upstream.port)) as connection:
        connection.sendall(sent)
        received = b""
        while data := connection.recv(65536):
            received += data
        return received


def test_request_is_recorded_as_it_stood_on_the_wire() -> None:
    """Every byte of head and body is kept, chunked framing, duplicates and odd paths included."""
    sent = (
        b"POST /v1/%2Fx/..?a=1 HTTP/1.1\r\nHost: h\r\nX-a: 1\r\nX-A:  2\r\nTransfer-Encoding: chunked\r\n"
        b"Connection: close\r\n\r\n3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\n\r\n"
    )
    with ScriptedUpstream() as upstream:
        upstream.queue(Answer(204, framing="none"))
        assert exchange(upstream, sent).startswith(b"HTTP/1.1 204 ")

        [request] = upstream.requests
        assert request.raw == sent
        assert request.body == b"abcde"
        assert request.target == "/v1/%2Fx/..?a=1"
        assert request.headers[1:3] == [(b"X-a", b"1"), (b"X-A", b"2")]


def test_default_behaves_like_the_vendor() -> None:
    """A good request is answered with true usage, streamed or not; one too long or broken is refused."""
    with ScriptedUpstream(window=100) as upstream, client(upstream) as openai_client:
        whole = openai_client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
        assert whole.choices[0].message.content == "All right."
        assert whole.usage is not None
        assert whole.usage.prompt_tokens == upstream.requests[0].tokens.prompt == 8

        pieces = openai_client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == "All right."

        with pytest.raises(openai.BadRequestError) as long:
            openai_client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "word " * 200}]
            )
        assert long.value.code == "context_length_exceeded"

        with pytest.raises(openai.BadRequestError) as orphan:
            openai_client.chat.completions.create(
                model="m",
                messages=[
                    {"role": "user", "content": "Hi"},
                    {"role": "tool", "tool_call_id": "c1", "content": "x"},
                ],
            )
        assert "tool_calls" in str(orphan.value)


def test_requested_output_counts_against_the_window() -> None:
    """A prompt that fits is refused when prompt and requested output together do not, with both numbers."""
    with ScriptedUpstream(window=100) as upstream, client(upstream) as openai_client:
        with pytest.raises(openai.BadRequestError) as error:
            openai_client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hi"}], max_tokens=95
            )
        assert "you requested 103 tokens (8 in the messages, 95 in the completion)" in str(error.value)


def test_queue_comes_before_the_script() -> None:
    """Queued answers are given once each, in order; then the script speaks again."""
    with ScriptedUpstream() as upstream:
        upstream.script = lambda request: json_answer({"n": 0})
        upstream.queue(
            json_answer({"n": 1}, status=429), lambda request: json_answer({"n": len(request.body)})
        )
        seen = []
        for _ in range(3):
            connection = http.client.HTTPConnection("127.0.0.1", upstream.port)
            connection.request("POST", "/v1/x", b"12345")
            response = connection.getresponse()
            seen.append((response.status, response.read()))
            connection.close()
        assert seen == [(429, b'{"n":1}'), (200, b'{"n":5}'), (200, b'{"n":0}')]


def test_tool_calls_are_understood_by_the_official_client() -> None:
    """A scripted call arrives with id, name and arguments, streamed as well."""
    with ScriptedUpstream() as upstream, client(upstream) as openai_client:
        upstream.script = lambda request: calls_answer(request, ("c1", "read", '{"path":"a"}'))
        whole = openai_client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])
        calls = whole.choices[0].message.tool_calls
        assert calls is not None
        assert calls[0].id == "c1"
        pieces = list(
            openai_client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hi"}], stream=True
            )
        )
        assert pieces[-1].choices[0].finish_reason == "tool_calls"


@pytest.mark.parametrize(
    "answer", [reset(), sse(["data: {}\n\n"], end="reset"), sse(["data: {}\n\n"], end="close")]
)
def test_broken_answers_break(answer: Answer) -> None:
    """A reset and a cut stream reach the client as errors of the connection, not as a clean end."""
    with ScriptedUpstream() as upstream:
        upstream.queue(answer)
        connection = http.client.HTTPConnection("127.0.0.1", upstream.port)
        connection.request("POST", "/v1/x", b"{}")
        with pytest.raises((ConnectionError, http.client.IncompleteRead)):
            connection.getresponse().read()
        connection.close()


def test_leaving_is_noticed() -> None:
    """The upstream knows when a client left: while it waits for the first byte, and in mid-stream."""
    with ScriptedUpstream() as upstream:
        upstream.queue(never(), Answer(chunks=iter(lambda: 0.01, 1.0), framing="chunked"))
        for index in range(2):
            connection = socket.create_connection(("127.0.0.1", upstream.port))
            connection.sendall(b"GET /v1/x HTTP/1.1\r\nHost: h\r\n\r\n")
            upstream.wait(lambda index=index: len(upstream.requests) > index)  # type: ignore[misc]
            before = time.monotonic()
            connection.close()
            request = upstream.requests[index]
            assert request.left.wait(10)
            assert request.left_at is not None
            assert request.left_at >= before
        upstream.wait(lambda: upstream.connections == 0)


def test_compressed_stream_is_readable_piece_by_piece() -> None:
    """A gzip answer can be read by the official client while it is still being written."""
    with ScriptedUpstream() as upstream, client(upstream) as openai_client:
        upstream.script = lambda request: gzipped(text_answer(request, "one two three"))
        pieces = openai_client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "Hi"}], stream=True
        )
        assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == "one two three"


def test_it_serves_async_tests_too() -> None:
    """It lives in its own thread, so a test's own loop is free for the client."""

    async def talk(base_url: str) -> str | None:
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k") as openai_client:
            answer = await openai_client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Hi"}]
            )
            return answer.choices[0].message.content

    with ScriptedUpstream() as upstream:
        assert asyncio.run(talk(upstream.url)) == "All right."
