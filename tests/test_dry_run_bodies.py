"""Bodies of a dry run: bounded, and decoded as those of real requests are."""

from __future__ import annotations

import gzip
import http.client
import json
from pathlib import Path

from running import Running
from upstream import ScriptedUpstream


def _try(gateway: Running, body: bytes, coding: str = "") -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=10)
    headers = {"content-encoding": coding} if coding else {}
    connection.request("POST", "/haversack/compact", body, headers)
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
            assert (status, answer["error"]["code"]) == ({"r": 413, "i": 400}[code[0]], code)  # type: ignore[index]
