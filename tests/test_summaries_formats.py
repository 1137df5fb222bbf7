"""Summaries of conversations in Responses' and Anthropic's formats, through the whole gateway."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from answers import Answer, Recorded, json_answer
from gateway.core.summary.form import TASK
from refusing import ask
from rescue_requests import in_format
from river import POLICY, SUMMARY
from running import Running
from upstream import ScriptedUpstream

RULE = "Never call it a canal."

PATHS = {"openai_responses": "/v1/responses", "anthropic_messages": "/v1/messages"}


def answer(target: str, text: str) -> Answer:
    """Return a text in the format of a path."""
    if "responses" in target:
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
        return json_answer({"object": "response", "status": "completed", "output": [item]})
    content = [{"type": "text", "text": text}]
    return json_answer(
        {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    )


@dataclass
class Stage:
    """A gateway, and its upstream, whose summariser answers as a test says."""

    upstream: ScriptedUpstream
    gateway: Running
    written: str = SUMMARY

    def script(self, request: Recorded) -> Answer:
        """Answer clients and the summariser."""
        is_summary = TASK.encode() in request.body
        return answer(request.target, self.written if is_summary else "All right.")

    def send(self, wire: str, turns: int, key: str) -> dict[str, Any]:
        """Send a conversation of so many turns, and return what went out for it."""
        told = {"role": "user", "content": f"{RULE} Tell me of the river once more, {key}. " + "and so " * 25}
        said = {"role": "assistant", "content": "It flows between its banks, " + "and on " * 20}
        messages = [{"role": "system", "content": "Be brief."}, *[told, said] * turns][:-1]
        body = in_format(wire, {"model": "m", "messages": messages, "tools": []})
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01", "authorization": f"Bearer {key}"}
        got = ask(self.gateway.port, json.dumps(body).encode(), PATHS[wire], **headers)
        assert got.status == 200
        sent = [one for one in self.upstream.requests if TASK.encode() not in one.body]
        found: dict[str, Any] = json.loads(sent[-1].body)
        return found

    def asked(self) -> int:
        """Return how many calls the summariser had."""
        return sum(TASK.encode() in request.body for request in self.upstream.requests)

    def ended(self) -> int:
        """Return how many summaries came to an end, whatever it was."""
        page = self.gateway.get("/metrics")[1].decode()
        lines = [line for line in page.splitlines() if line.startswith("haversack_summaries_total{")]
        return int(sum(float(line.rpartition(" ")[2]) for line in lines))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    folder = tmp_path_factory.mktemp("summaries")
    (folder / "policies").mkdir()
    (folder / "policies" / "summing.yaml").write_text(POLICY)
    flags = ("--policies", str(folder / "policies"), "--policy", "summing")
    with ScriptedUpstream() as upstream:
        origin = ("--anthropic-upstream", upstream.origin)
        with Running(upstream.url, folder / "data", *flags, *origin) as gateway:
            made = Stage(upstream, gateway)
            upstream.script = made.script
            yield made


@pytest.mark.parametrize("wire", PATHS)
@pytest.mark.parametrize(("written", "is_used"), [(SUMMARY, True), ("Error: rate limit reached.", False)])
def test_summary_is_prepared_and_applied_or_does_no_harm(
    wire: str, written: str, is_used: bool, stage: Stage
) -> None:
    """In each format it is asked for in that format, and stands in the next compaction, if it is one."""
    stage.written = written
    calls, ended, key = stage.asked(), stage.ended(), f"{wire}-{is_used}"
    assert "haversack-digest" not in json.dumps(stage.send(wire, 10, key))
    stage.upstream.wait(lambda: stage.asked() > calls and stage.ended() > ended)

    sent = json.dumps(stage.send(wire, 13, key))

    assert "haversack-digest" in sent
    assert RULE in sent
    assert (written in sent) is is_used
