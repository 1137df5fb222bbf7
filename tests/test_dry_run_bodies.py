"""Bodies of a dry run: bounded, decoded as those of real requests are, and left alone as those are."""

from __future__ import annotations

import gzip
import http.client
import json
from pathlib import Path
from typing import Any

from running import Running
from upstream import ScriptedUpstream


def _try(gateway: Running, body: bytes, coding: str = "", query: str = "") -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
    headers = {"content-encoding": coding} if coding else {}
    connection.request("POST", f"/haversack/compact?{query}", body, headers)
    response = connection.getresponse()
    status, answer = response.status, json.loads(response.read())
    connection.close()
    return status, answer


def test_bodies_of_a_dry_run(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """A compressed body is read; one beyond the bound, in an unknown coding or of another kind is refused."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "Hello"}]}).encode()
    with Running(upstream.url, tmp_path / "data", "--max-body-bytes", "2000") as gateway:
        assert _try(gateway, gzip.compress(body), "gzip") == _try(gateway, body)
        for refused, coding, code in (
            (b" " * 2001, "", "request_too_large"),
            (gzip.compress(b" " * 100_000), "gzip", "request_too_large"),
            (body, "br", "invalid_request"),
            (b"[]", "", "invalid_request"),
        ):
            status, answer = _try(gateway, refused, coding)
            assert (status, answer["error"]["code"]) == ({"r": 413, "i": 400}[code[0]], code)


def test_dry_run_tells_what_no_policy_changes(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """A list that is not the whole, or that is to be summarised, goes out as it came; the hint says why.

    With a target it is told what would be sent if the summary were refused.
    """
    talk = [{"role": role, "content": "word " * 9000} for _ in range(9) for role in ("user", "assistant")]
    items = [*talk, {"role": "user", "content": "Summarize the conversation so far."}]
    asks: dict[str, Any] = {"model": "gpt-4o", "input": items}
    goes_on = {**asks, "previous_response_id": "resp_1"}
    target = "target_tokens=30000"
    with Running(upstream.url, tmp_path / "data") as gateway:
        for request, query, action, told in (
            (asks, "", "none", "asks for a summary"),
            (asks, target, "compacted", ""),
            (goes_on, "", "none", "the upstream keeps its history"),
            (goes_on, target, "none", "the upstream keeps its history"),
        ):
            status, answer = _try(gateway, json.dumps(request).encode(), query=query)
            assert (status, answer["report"]["action"]) == (200, action)
            assert told in answer["report"]["hint"]
            assert (answer["request"] == request) == (action == "none")
