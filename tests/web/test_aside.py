"""Metrics on a listener of their own."""

from __future__ import annotations

import urllib.request
from pathlib import Path

from running import Running, free_port
from upstream import ScriptedUpstream


def _get(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        body: bytes = answer.read()
    return body


def test_metrics_can_have_a_port_that_clients_do_not_reach(
    upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    """With a port of their own, metrics are there and not beside the endpoints; health is at both."""
    port = free_port()
    with Running(upstream.url, tmp_path / "data", "--metrics-port", str(port)) as gateway:
        assert b"haversack_info" in _get(port, "/metrics")
        assert b"ready" in _get(port, "/readyz")
        assert gateway.get("/metrics")[0] == 404
        assert gateway.get("/readyz")[0] == 200
