"""What the README promises to whoever runs the gateway, seen from outside the process."""

from __future__ import annotations

import http.client
import json
import re
from pathlib import Path
from typing import Any

from answers import Answer, Recorded, json_answer
from gateway.metric_table import TABLE
from running import Running
from upstream import ScriptedUpstream

SECRET = "plum-4711"
KEY = "sk-vendor-0815"


def chat(gateway: Running, words: int, host: str | None = None, **fields: Any) -> tuple[int, str]:
    """Return status and action of a request whose old messages hold so many words, and a secret."""
    messages = [
        {"role": "user", "content": f"My password is {SECRET}. " + "word " * words},
        {"role": "assistant", "content": "Noted. " + "word " * words},
        {"role": "user", "content": f"Was it {SECRET}?"},
    ]
    body = json.dumps({"model": "nobody-knows-it", "messages": messages, **fields})
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    if host is not None:
        headers["host"] = host
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
    try:
        connection.request("POST", "/v1/chat/completions", body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers.get("x-haversack-action", "")
    finally:
        connection.close()


def test_log_never_holds_content_or_keys(tmp_path: Path) -> None:
    """Even at the level `debug`, with compactions, rescues and the store at work, the log quotes nobody."""
    with ScriptedUpstream(window=4000) as upstream:
        with Running(upstream.url, tmp_path / "data", "--log-level", "debug") as gateway:
            assert chat(gateway, 4000) == (200, "rescued")
            assert chat(gateway, 5000) == (200, "compacted")
            assert chat(gateway, 10, temperature="no number")[0] == 200
        log = gateway.log
    assert "action=rescued" in log
    assert SECRET not in log
    assert "password" not in log
    assert KEY not in log


def test_listed_window_is_used_before_any_refusal(tmp_path: Path) -> None:
    """Where the upstream's model list names a window, the first long request is compacted, not refused."""
    with ScriptedUpstream(window=8192) as upstream:

        def script(request: Recorded) -> Answer:
            if request.target.endswith("/models"):
                return json_answer({"data": [{"id": "nobody-knows-it", "context_length": 8192}]})
            return upstream.vendor(request)

        upstream.script = script
        with Running(upstream.url, tmp_path / "data") as gateway:
            assert chat(gateway, 700) == (200, "none")
            upstream.wait(lambda: any(request.done.is_set() for request in upstream.requests[1:]))
            assert chat(gateway, 6000) == (200, "compacted")
        assert [request.status for request in upstream.chats] == [200, 200]


# These take a failure of ours, an upstream that cuts prompts, observe mode, summaries, a cache, a price or a
# second turn.
NOT_HAPPENED = {
    "haversack_failed_open_total",
    "haversack_observed_requests_total",
    "haversack_observed_compactions_total",
    "haversack_observed_tokens_total",
    "haversack_cache_tokens_total",
    "haversack_overhead_tokens_total",
    "haversack_rounds_per_turn",
    "haversack_billed_usd_total",
    "haversack_saved_usd_total",
    "haversack_lost_usd_total",
    "haversack_suspected_truncations_total",
    "haversack_cut_answers_total",
    "haversack_summaries_total",
    "haversack_summarizer_calls_total",
    "haversack_summarizer_findings_total",
    "haversack_summarizer_seconds",
    "haversack_summarizer_tokens_total",
    "haversack_summarizer_usd_total",
}


def test_each_metric_gets_a_value(tmp_path: Path) -> None:
    """After a rescue and a compaction, /metrics has numbers for all that is documented and has happened."""
    names = {spec.full_name for spec in TABLE.values()} - NOT_HAPPENED

    with ScriptedUpstream(window=4000) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        assert chat(gateway, 4000) == (200, "rescued")
        assert chat(gateway, 5000) == (200, "compacted")
        # Gauges are read every few seconds.
        upstream.wait(lambda: not names - told(gateway), within_s=30)


def told(gateway: Running) -> set[str]:
    """Return the metrics that have at least one sample; a histogram by the name of the whole."""
    samples = re.findall(r"^(haversack_[a-z_]+)[{ ]", gateway.get("/metrics")[1].decode(), re.MULTILINE)
    return {name.removesuffix("_count") for name in samples}


HOSTS = {
    "localhost:8080": 200,
    "127.0.0.1": 200,
    "127.8.8.8:80": 200,
    "[::1]:8080": 200,
    "inside.example": 200,
    "evil.example": 403,
    "127.evil.example": 403,
    "localhost.evil.example": 403,
}


def test_without_tenants_only_local_host_names_are_answered(tmp_path: Path) -> None:
    """A web page that leads a name of its own to this machine gets nothing, whatever the name begins with."""
    with ScriptedUpstream() as upstream:
        with Running(upstream.url, tmp_path / "data", "--allowed-hosts", "inside.example") as gateway:
            assert {host: chat(gateway, 10, host=host)[0] for host in HOSTS} == HOSTS
        assert len(upstream.requests) == list(HOSTS.values()).count(200)


def test_store_is_its_owners_alone(tmp_path: Path) -> None:
    """The data directory and the file in it can be read by nobody else."""
    with ScriptedUpstream(window=4000) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        chat(gateway, 4000)
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
        files = list((tmp_path / "data").iterdir())
        assert files
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
