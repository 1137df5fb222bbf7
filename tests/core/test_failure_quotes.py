"""A refusal may quote the user, and a user may quote a refusal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core import failures
from gateway.core.failure_quotes import RUN, without_quotes
from gateway.core.failures import Final, Overflow, Refused

ASKED = "why does it say: this model's maximum context length is 2048 tokens, your prompt has 2600 tokens"


def request(text: str = ASKED, **more: Any) -> bytes:
    """Return a request whose last message says this."""
    talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}]
    return json.dumps({"model": "m", "messages": [*talk, {"role": "user", "content": text}], **more}).encode()


def error(message: str, **more: Any) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", **more}}).encode()


@pytest.mark.parametrize(
    "prose",
    [
        "Conversation roles must alternate user/assistant; got user: {}",
        "messages[0].content: unexpected token in {}",
        "Could not parse the JSON body near `{}`",
        "Rejected by guard: the input contains {}",
        'Prompt injection detected in: "{}"',
        "Blocked by policy. Offending text: {}",
        "PII detected in message: {}",
        "Unable to translate request: {}",
        "Failed to render '{}': no such filter",
        "输入被安全策略拒绝：{}",
    ],
)
def test_quote_of_the_user_is_no_evidence(prose: str) -> None:
    """A user who asks about context windows teaches nobody a window."""
    body = error(prose.replace("{}", ASKED))

    assert failures.read(400, body, said=request()) == Refused()
    assert failures.read(500, body, said=request()) in (Final(), Refused())
    assert failures.read_event(body, "error", None, request()) in (Final(), Refused())
    assert failures.read_answer(body, said=request()) in (Final(), Refused())


@pytest.mark.parametrize(
    "quote", [ASKED[17:], ASKED[:-20], ASKED.replace(" ", "\n"), ASKED.replace("'", "\\'"), ASKED + "\ufffd"]
)
def test_quote_that_was_changed_on_the_way_is_one(quote: str) -> None:
    """Cut off at either end, with other spaces or escaped once more: it is the user's all the same."""
    body = error(f"Rejected by guard: the input contains {quote}")

    assert failures.read(400, body, said=request()) == Refused()


def test_quote_in_a_field_of_its_own_is_one() -> None:
    """What introduces it may stand in another field."""
    assert failures.read(400, error("Input flagged by guard", detail=ASKED), said=request()) == Refused()


@pytest.mark.parametrize(
    "said",
    [
        request("日本語の質問です。" * 9 + ASKED),
        json.dumps({"messages": [{"role": "user", "content": [{"type": "text", "text": ASKED}]}]}).encode(),
        json.dumps({"input": ASKED}).encode(),
        json.dumps(
            {"messages": [{"tool_calls": [{"function": {"arguments": json.dumps({"q": ASKED})}}]}]}
        ).encode(),
        request().replace(b"why", b"\\u0077hy"),
        request()[:-1],
    ],
)
def test_quote_is_found_wherever_it_was_said(said: bytes) -> None:
    """In a part, in the arguments of a call, escaped in any way, in a body that is no JSON."""
    assert failures.read(400, error(f"Rejected by guard: the input contains {ASKED}"), said=said) == Refused()


OVERFLOWS = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9123 tokens. "
    "Please reduce the length of the messages.",
    "prompt is too long: 208310 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or "
    "`max_tokens` and try again",
    "request (9123 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "输入长度超过模型最大上下文长度 8192，当前为 9123，请缩短输入内容后再重试，谢谢您的理解与配合。",
]


@pytest.mark.parametrize("sentence", OVERFLOWS)
@pytest.mark.parametrize(
    "prose", ["{}", "litellm.BadRequestError: OpenAIException - {}", "Error from provider: {}"]
)
def test_error_that_a_user_has_pasted_before_is_an_error_still(sentence: str, prose: str) -> None:
    """Who talks with a model about its errors has them in the conversation, with these numbers or others."""
    body = error(prose.replace("{}", sentence))
    pasted = "What does this mean? " + sentence
    other = pasted.replace("91", "97").replace("208310", "209999")

    assert failures.read(400, body, said=request(pasted)) == failures.read(400, body)
    assert failures.read(400, body, said=request(other)) == failures.read(400, body)
    assert isinstance(failures.read(400, body), Overflow)


def test_identifier_decides_whatever_is_quoted() -> None:
    """A code that says overflow is the upstream's own."""
    body = error(f"Your messages are too many: {ASKED}", code="context_length_exceeded")

    assert isinstance(failures.read(400, body, said=request()), Overflow)


def test_few_letters_are_a_coincidence() -> None:
    """What is shorter than a run is nobody's quote."""
    text = "Rejected by guard: maximum context of the model"

    assert without_quotes([text], request("maximum context of the model"[: RUN - 2])) == [text]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a" * 4000, "a" * 3_000_000),
        ("ab" * 2000, "ab" * 14 + "c" + "ba" * 500_000),
        ("maximum context " * 250, "maximum context! " * 50_000),
        ("x", ""),
    ],
)
def test_hostile_words_end(text: str, said: str) -> None:
    """What repeats itself without end is looked at as often as anything else."""
    assert isinstance(without_quotes([f"Rejected by the guard: {text}"], request(said)), list)


def test_request_of_numbers_without_end_is_left() -> None:
    """Only so many values of a request are looked at: what comes before them is taken as never said."""
    said = json.dumps({"messages": [{"content": ASKED}], "logit_bias": [0] * 100_000}).encode()
    texts = [f"Rejected by guard: the input contains {ASKED}"]

    assert without_quotes(texts, said) == texts
    assert without_quotes(texts, request(n=1, stream=False)) == ["Rejected by guard: the input contains"]
