"""What `policies/openclaw.yaml` does where no summary comes, or no good one; and where none is needed."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from engine.summarising import TALK, Reply, Scripted, bench, chatted, job
from engine.summing import Scripted as Writer
from engine.summing import drained, run
from engine.summing import sent as exchanged_by
from gateway.core import prefix
from seeds.openclaw.test_openclaw import GOOD, POLICY, WHOLE
from seeds.shipped import said, shipped, windowed
from wired import PLACE, Engine, chat, failed, message, turns


def test_model_is_asked_again_and_then_the_next_one() -> None:
    """Row "summary failure": three retries of what may pass, then the fallback model."""
    policy = windowed(shipped("openclaw", "summarizer: {fallback_models: [other], min_parts: 1}"), 20_000)
    model = Scripted(*[failed(503, "overloaded")] * 4, GOOD)
    with bench() as made:
        assert made.write(job(model, policy)) == GOOD
    assert model.models == ["m"] * 4 + ["other"]
    assert made.ended == ("written", "fallback")


def test_without_any_summary_the_newest_stays_and_the_rest_goes() -> None:
    """Row "summary failure": when all models fail, truncation does it; what was removed can still be had."""
    writer = Writer(None, None)
    policy = windowed(POLICY, 1000)
    talk = [message("system", 10, "rules"), *turns(9)]

    async def check(made: Engine) -> None:
        await exchanged_by(made, chat(talk[:13]), policy)
        await drained(made)
        body = await exchanged_by(made, chat(talk), policy)
        assert b"haversack-digest" in body
        assert len(body) < len(chat(talk)) * 0.7
        assert body.rindex(b"now") > body.rindex(b"haversack-digest")
        raw = (await made.subject(chat(talk), policy)).request.messages[2]
        gone = await made.parts.store.original(PLACE.scope, prefix.tagged(sha256(raw).digest()))
        assert gone is not None
        assert gone.content == raw

    run(check, writer)


@pytest.mark.parametrize("text", ["Error: 429 Too Many Requests. Please try again later.", ""])
def test_error_text_is_no_summary(text: str) -> None:
    """Row "summary failure", also: what a model says instead of a summary is never kept."""
    model = Scripted(Reply(text))
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) is None
    assert made.ended[0] == "failed"


def reading(rounds: int, tokens: int) -> list[dict[str, Any]]:
    """Return turns in each of which a long file was read."""
    talk = [message("system", 10, "rules")]
    for n in range(rounds):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        talk += [
            said("user", f"Read file {n}, please."),
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{n}", "content": "\n".join(["w"] * tokens)},
            said("assistant", f"It says {n}."),
        ]
    return [*talk, said("user", "And now?")]


@pytest.mark.parametrize(("tokens", "is_asked"), [(2500, False), (1050, True)])
def test_no_model_is_asked_where_shortened_results_free_enough(tokens: int, is_asked: bool) -> None:
    """Row "pre-send routing": 1.5 times the excess freed by results alone, else a summary is written."""
    policy = windowed(shipped("openclaw", "margin: 1\nreserve_output: 1000\nhistory: []"), 20_000)
    writer = Writer(GOOD)

    async def check(made: Engine) -> None:
        await exchanged_by(made, chat(reading(13_500 // (tokens + 30), tokens)), policy)
        await drained(made)
        body = await exchanged_by(made, chat(reading(16_000 // (tokens + 30) + 1, tokens)), policy)
        assert b"characters left out" in body
        assert (b"net_price" in body) is is_asked

    run(check, writer)
    assert bool(writer.jobs) is is_asked


def test_guard_repairs_once_and_falls_back() -> None:
    """Row "quality guard": headings and identifiers; one repair with the reasons, then the next model."""
    policy = windowed(shipped("openclaw", "summarizer: {fallback_models: [other], min_parts: 1}"), 20_000)
    bare = GOOD.replace("## Constraints\n", "").replace("## Goal\n", "").replace("## Key Decisions\n", "")
    model = Scripted(bare, bare, GOOD)
    with bench() as made:
        assert made.write(job(model, policy)) == GOOD
    assert model.models == ["m", "m", "other"]
    assert "your answer could not be used" in model.calls[1].user
    assert "Constraints" in model.calls[1].user


def test_latest_ask_stands_in_the_summary_where_it_stands_nowhere_else() -> None:
    """Row "quality guard": a summary that says nothing of what was asked last is not used."""
    request = "Write the release notes for customers in Norway, with the discount that schools are given."
    model = Scripted(GOOD)
    with bench() as made:
        talk = [*TALK, chatted("user", request)]
        assert made.write(job(model, windowed(WHOLE, 20_000), talk, ask="")) is None
    assert made.ended == ("failed", "missing_ask")
    assert "schools" in model.calls[1].user.partition("your answer could not be used")[2]
