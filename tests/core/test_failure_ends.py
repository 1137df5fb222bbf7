"""Which answers were ended by the window: as few as are certain, for they are thrown away."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core import failures
from gateway.core.failure_answers import Answer, answer
from gateway.core.failure_ends import asks_for_nothing, could_fill, is_cut_by_window, is_ended_by_window
from gateway.core.failures import Overflow


def chat(usage: dict[str, Any] | None, reason: str | None = "length", **message: Any) -> dict[str, Any]:
    """Return an answer of Chat Completions; without a word, if none is given."""
    said = {"role": "assistant", "content": "", **message}
    return {"choices": [{"index": 0, "message": said, "finish_reason": reason}], "usage": usage}


def count(prompt: int, output: int, total: int | None = None, thought: int = 0) -> dict[str, Any]:
    """Return what was spent."""
    whole = prompt + output if total is None else total
    return {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": whole,
        "reasoning_tokens": thought,
    }


def read(value: dict[str, Any]) -> Answer:
    found = answer(value)
    assert found is not None
    return found


TEXT = {"content": "a good answer"}


@pytest.mark.parametrize(
    ("value", "window", "asked"),
    [
        # A cap of the client's own.
        (chat(count(9000, 50), **TEXT), 8192, 50),
        (chat(count(9000, 50)), 8192, 50),
        (chat(count(4000, 96)), None, 96),
        (chat(count(9000, 0)), None, 1),
        # A policy may name less than a model has.
        (chat(count(9000, 500), **TEXT), 8192, None),
        (chat(count(9000, 50), None, **TEXT), 8192, None),
        # Thinking used the cap up, shown or not.
        (chat(count(9000, 0, 9399)), None, 400),
        (chat(count(9000, 0, 9399)), None, None),
        (chat(count(9000, 12, 10_490), **TEXT), 8192, 1500),
        (chat(count(4032, 64, thought=64)), None, None),
        (chat(count(9000, 0), thinking="hm"), None, 500),
        # So little of a prompt fills no window.
        (chat(count(100, 0)), None, 500),
        (chat(count(3000, 0)), 8192, 500),
        # Another reason is another reason.
        (chat(count(9000, 0), "content_filter"), 8192, None),
        (chat(count(9000, 0), "content_filter: SAFETY"), 8192, None),
    ],
)
def test_answer_that_something_else_ended_is_an_answer(
    value: dict[str, Any], window: int | None, asked: int | None
) -> None:
    """A cap, thoughts, a filter: what they end, and what holds something of use, reaches the client."""
    assert not is_cut_by_window(read(value), window, asked, 9500)
    assert failures.read_answer(json.dumps(value).encode(), 9500, window, asked) is None


@pytest.mark.parametrize(
    ("value", "window", "asked"),
    [
        (chat(count(9000, 0)), None, 500),
        (chat(count(9000, 0)), 8192, 500),
        (chat(count(7800, 0)), 8192, None),
        (chat(count(0, 0)), None, 500),
        (chat(count(9000, -8000, 1000)), None, 500),
        (chat(count(9000, 0, 0)), 128_000, 500),
        (chat(count(4000, 96)), None, 500),
        (chat(count(8000, 192)), 8192, 500),
        (chat(count(8190, 2), content="cu"), 8192, 500),
        (chat(count(9000, 12), content="par"), 8192, None),
        (chat(count(9000, 0), None), 8192, None),
        (chat(count(8000, 192, thought=64)), 8192, 500),
    ],
)
def test_answer_that_the_window_ended_is_none(
    value: dict[str, Any], window: int | None, asked: int | None
) -> None:
    """Nothing, or next to nothing, below the cap and at the end of the window: that is asked for again."""
    assert is_cut_by_window(read(value), window, asked, 9500)
    assert isinstance(failures.read_answer(json.dumps(value).encode(), 9500, window, asked), Overflow)


@pytest.mark.parametrize(("estimate", "is_cut"), [(None, True), (9500, True), (500, False)])
def test_where_nothing_is_counted_our_own_count_decides(estimate: int | None, is_cut: bool) -> None:
    """LMDeploy answers what is too long with nothing, and counts nothing; others may do so with little."""
    assert is_cut_by_window(read(chat(None)), None, 500, estimate) is is_cut


@pytest.mark.parametrize("count_of_prompt", [0, 1_000_000])
def test_what_an_answer_says_of_itself_is_believed(count_of_prompt: int) -> None:
    """Who says that the window ended it has no need of numbers, and no cap speaks against it."""
    found = read({"type": "message", "content": [], "stop_reason": "model_context_window_exceeded"})

    assert is_ended_by_window(found, 0)
    assert isinstance(
        failures.read_answer(json.dumps(chat(count(count_of_prompt, 9), _SAYS)).encode()), Overflow
    )


_SAYS = "model_context_window_exceeded"
WARMED = {"type": "message", "content": [], "stop_reason": "max_tokens", "usage": {"input_tokens": 9000}}


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens", "max_output_tokens"])
def test_who_asks_for_nothing_gets_nothing(field: str) -> None:
    """`max_tokens: 0` writes a prompt to the vendor's cache: the empty answer is the whole answer."""
    body, event = (
        json.dumps(WARMED).encode(),
        {"type": "message_delta", "delta": WARMED, "usage": WARMED["usage"]},
    )
    said = json.dumps({"model": "m", field: 0, "messages": []}).encode()

    assert failures.read_answer(body, said=said) is None
    assert failures.read_event(json.dumps(event).encode(), "message_delta", None, said) is None
    assert isinstance(failures.read_answer(body), Overflow)
    assert isinstance(failures.read_event(json.dumps(event).encode(), "message_delta"), Overflow)


@pytest.mark.parametrize(
    "request_body",
    [
        b'{"max_tokens": 10}',
        b'{"max_tokens": null}',
        b'{"messages": [{"input": {"max_tokens": 0}}]}',
        b'{"messages": [{"content": "\\"max_tokens\\": 0,"}]}',
        b'{"max_tokens": 0, oops',
        b"",
    ],
)
def test_words_of_a_cap_elsewhere_ask_for_an_answer(request_body: bytes) -> None:
    """Only the request's own member says that nothing is wanted."""
    assert not asks_for_nothing(request_body)


@pytest.mark.parametrize(
    ("prompt", "window", "could"),
    [(2001, None, True), (2000, None, False), (7373, 8192, True), (7300, 8192, False)],
)
def test_prompt_that_may_have_filled_the_window(prompt: int, window: int | None, could: bool) -> None:
    """Nine tenths of a window that is known, or more than any window in use is short of."""
    assert could_fill(prompt, window) is could
