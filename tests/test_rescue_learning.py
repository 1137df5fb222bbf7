"""What a rescue teaches: the next request of the conversation, and of others, is not refused again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vendor
from answers import Recorded, json_answer, text_answer
from refusing import GOOD, ask
from rescue_requests import request
from running import Running
from upstream import ScriptedUpstream

WINDOW = 8000
Saying = Callable[[Recorded], str]

WORDINGS: dict[str, Saying] = {
    "exact": lambda seen: (
        f"This model's maximum context length is {WINDOW} tokens. However, your messages resulted in "
        f"{seen.tokens.prompt} tokens."
    ),
    "no numbers": lambda _: "Your input exceeds the context window of this model.",
    "lower bound": lambda _: (
        f"This model's maximum context length is {WINDOW} tokens. However, you requested 100 output tokens "
        f"and your prompt contains at least {WINDOW - 99} input tokens, for a total of at least "
        f"{WINDOW + 1} tokens."
    ),
    "excess": lambda seen: (
        f"prompt too long; exceeded max context length by {seen.tokens.prompt - WINDOW} tokens"
    ),
    "limit only": lambda _: (
        f"Invalid request: Your request exceeded model token limit: {WINDOW}"  # Kimi
    ),
    "counts unlike any tokenizer": lambda seen: (
        f"This model's maximum prompt length is {WINDOW * 20} but the request contains "
        f"{seen.tokens.prompt * 20} tokens."
    ),
}


def small(upstream: ScriptedUpstream, saying: Saying) -> None:
    """Make the upstream refuse what is over the window, in these words."""

    def script(seen: Recorded) -> Any:
        if "/chat/completions" in seen.target and seen.tokens.prompt > WINDOW:
            return json_answer(vendor.error(saying(seen)), status=400)
        return upstream.vendor(seen)

    upstream.script = script


def grown(asked: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the request of the next turn."""
    more = [{"role": "assistant", "content": GOOD}, {"role": "user", "content": text}]
    return {**asked, "messages": [*asked["messages"], *more]}


def statuses(upstream: ScriptedUpstream) -> list[int]:
    """Return what the upstream answered to the chat requests so far."""
    return [chat.status for chat in upstream.chats]


@pytest.mark.parametrize("saying", WORDINGS.values(), ids=WORDINGS)
def test_next_turns_are_not_refused(upstream: ScriptedUpstream, gateway: Running, saying: Saying) -> None:
    """After one rescue the conversation goes on without another, whatever the error told."""
    small(upstream, saying)
    asked = request("m")
    assert (ask(gateway.port, asked)).status == 200
    assert statuses(upstream) in ([400, 200], [400, 400, 200])
    upstream.requests.clear()
    for turn in range(4):
        asked = grown(asked, f"Go on with {turn}.")
        assert ask(gateway.port, asked).status == 200

    assert statuses(upstream) == [200] * 4


@pytest.mark.parametrize("name", ["exact", "lower bound", "limit only"])
def test_window_is_known_to_other_conversations_and_after_a_restart(
    upstream: ScriptedUpstream, gateway: Running, name: str
) -> None:
    """A window that an error named is used for every conversation with that model, and outlives kill -9."""
    small(upstream, WORDINGS[name])
    assert ask(gateway.port, request("m")).status == 200
    upstream.requests.clear()
    assert ask(gateway.port, request("m", seed=1), authorization="Bearer another").status == 200
    gateway.kill()
    gateway.start()
    assert ask(gateway.port, request("m", seed=2), authorization="Bearer third").status == 200

    assert statuses(upstream) == [200, 200]


def test_output_that_does_not_fit_beside_the_prompt_is_asked_for_once(
    upstream: ScriptedUpstream, gateway: Running
) -> None:
    """An upstream that counts the output into its window refuses one request of a long talk, not all."""
    upstream.window = 40_000
    asked = {**request("m"), "max_tokens": 30_000}
    assert ask(gateway.port, asked).status == 200
    assert statuses(upstream) == [400, 200]
    upstream.requests.clear()
    for turn in range(3):
        asked = grown(asked, f"Go on with {turn}.")
        got = ask(gateway.port, asked)
        assert (got.status, got.header("x-haversack-action")) == (200, "clamped")
        sent = upstream.chats[-1]
        assert sent.json == {**asked, "max_tokens": sent.json["max_tokens"]}
        assert 20_000 < sent.json["max_tokens"] <= 40_000 - sent.tokens.prompt

    assert statuses(upstream) == [200] * 3


def test_output_that_was_lowered_by_too_little_is_lowered_again(
    upstream: ScriptedUpstream, gateway: Running
) -> None:
    """Where a prompt has more tokens than was thought, the numbers of the refusal lower the output alone."""
    upstream.window, share = 40_000, 1.0

    def script(seen: Recorded) -> Any:
        if "/chat/completions" not in seen.target:
            return upstream.vendor(seen)
        prompt, output = int(seen.tokens.prompt * share), seen.json["max_tokens"]
        if prompt + output <= 40_000:
            return text_answer(seen, GOOD)
        text = (
            f"This model's maximum context length is 40000 tokens. However, you requested {prompt + output} "
            f"tokens ({prompt} in the messages, {output} in the completion)."
        )
        return json_answer(vendor.error(text), status=400)

    upstream.script = script
    asked = {**request("m"), "max_tokens": 30_000}
    assert ask(gateway.port, asked).status == 200
    upstream.requests.clear()
    share = 1.5
    asked = grown(asked, "Go on.")

    assert ask(gateway.port, asked).status == 200

    assert statuses(upstream) == [400, 200]
    sent = upstream.chats[-1].json
    assert sent == {**asked, "max_tokens": sent["max_tokens"]}


def test_window_of_one_model_says_nothing_of_another(upstream: ScriptedUpstream, gateway: Running) -> None:
    """A request for another model goes out as it came."""
    small(upstream, WORDINGS["exact"])
    assert ask(gateway.port, request("m")).status == 200
    upstream.script = upstream.vendor
    asked = request("n", seed=1)
    assert ask(gateway.port, asked).status == 200

    assert upstream.chats[-1].json == asked


@pytest.mark.parametrize("limit", [4097, 5000])
def test_limit_below_a_prompt_that_succeeded_is_not_learned(
    upstream: ScriptedUpstream, gateway: Running, limit: int
) -> None:
    """A number that an answer has just disproved (a tier's limit, a misread cache) shortens nothing later."""
    assert ask(gateway.port, request("m")).status == 200
    message = (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in 14000."
    )
    upstream.queue(json_answer(vendor.error(message), status=400))
    assert ask(gateway.port, request("m", seed=1)).status == 200
    asked = request("m", seed=2)
    assert ask(gateway.port, asked).status == 200

    assert upstream.chats[-1].json == asked


@pytest.mark.parametrize("limit", [1, 127, 900])
def test_limit_smaller_than_any_window_is_not_learned(
    upstream: ScriptedUpstream, gateway: Running, limit: int
) -> None:
    """A server that was started wrongly and says so does not shorten small conversations afterwards."""
    message = (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in 14000."
    )
    upstream.queue(json_answer(vendor.error(message), status=400))
    assert ask(gateway.port, request("m")).status == 200
    short = {"model": "m", "messages": [{"role": "user", "content": "word " * 2000}]}
    assert ask(gateway.port, short).status == 200

    assert upstream.chats[-1].json == short


def test_output_default_is_not_taken_for_the_window(tmp_path: Path) -> None:
    """What the client asks for as an answer is kept free in what is learned."""
    with ScriptedUpstream(WINDOW) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        asked = request("m", max_tokens=2000)
        for turn in range(3):
            assert ask(gateway.port, asked).status == 200
            asked = grown(asked, f"Go on with {turn}.")

        assert statuses(upstream) == [400, 200, 200, 200]
        assert {chat.json["max_tokens"] for chat in upstream.chats} == {2000}


def test_size_that_no_error_named_is_learned_for_the_key_that_met_it(
    upstream: ScriptedUpstream, gateway: Running
) -> None:
    """Seen: one refused request of one key made everybody's conversations with the model small."""
    small(upstream, WORDINGS["no numbers"])
    assert ask(gateway.port, request("m")).status == 200
    upstream.script = upstream.vendor
    upstream.requests.clear()
    asked = request("m", seed=1)
    assert ask(gateway.port, asked).status == 200
    assert ask(gateway.port, asked, authorization="Bearer another").status == 200

    mine, others = (chat.json for chat in upstream.chats)
    assert len(mine["messages"]) < len(asked["messages"])
    assert others == asked
