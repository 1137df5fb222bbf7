"""A first event larger than what is read of an answer, after the hold is over."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from answers import EVENTS, Answer
from running import Running
from upstream import ScriptedUpstream


def test_large_first_event_after_the_hold_arrives_whole(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """Three megabytes in one event, after comments and a pause: every byte of them reaches the client."""
    first = b"data: " + json.dumps({"choices": [{"delta": {"content": "x" * 3_000_000}}]}).encode() + b"\n\n"
    upstream.queue(Answer(200, (EVENTS,), (b": wait\n\n", 0.6, first, b"data: [DONE]\n\n"), "chunked"))
    with Running(upstream.url, tmp_path / "data", "--hold-s", "0.2") as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
        body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": "Draw."}]})
        connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
        answer = connection.getresponse().read()
        connection.close()

    assert answer == b": wait\n\n" + first + b"data: [DONE]\n\n"
