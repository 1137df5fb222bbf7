"""Whatever the model does, the text of a piece can be trusted and is short enough, or there is none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.summarising import (
    Prompted,
    Reply,
    Scripted,
    Step,
    bench,
    calling,
    chatted,
    job,
    limited,
    returned,
    ruled,
)
from gateway.core.frozen import replace
from gateway.core.summary.answer import Answer
from gateway.engine.summary_pieces import PieceMaterial
from gateway.policy.rules import SummarizerRules
from gateway.strategies.piece import Piece
from gateway.wire import WIRE_FORMATS
from wired import failed, words

LOG = "\n".join(f"line {n} of the build went well" for n in range(150))
CALLS = (
    calling("c1", "read_file", '{"path": "src/price.py"}'),
    returned("c1", f"def net_price(order): ...\n{LOG}\nKeyError: 'vat'"),
    calling("c2", "write_file", '{"path": "src/vat.py", "content": "%s"}' % ("rate = 19 " * 80)),
    returned("c2", "ok"),
)
TURN = (
    chatted("user", "What is wrong with src/price.py?"),
    *CALLS,
    chatted("assistant", "The key 'vat' is missing. I wrote src/vat.py, see ticket OPS-4471."),
)
TEXT = (returned("c9", f"Report on src/price.py, ticket OPS-4471\n{LOG}\nFATAL: no vat"),)

TOLD = """\
- read_file(path=src/price.py): defines net_price; KeyError: 'vat'
- write_file(path=src/vat.py, content=a long text): ok"""
ANSWERED = "The key 'vat' is missing in src/price.py. I wrote src/vat.py for it; see OPS-4471."
SHORT = "A report of a build for src/price.py, ticket OPS-4471: all lines went well, then FATAL: no vat."

PIECES = {
    "calls": (Piece("calls", CALLS, 60, ask="Fix src/price.py."), TOLD),
    "turn": (Piece("turn", TURN, 60), ANSWERED),
    "content": (Piece("content", TEXT, 60, 0, "What about OPS-4471?"), SHORT),
    "work": (Piece("work", CALLS, 60, ask="Fix src/price.py."), f"{TOLD}\nThe test is still to be run."),
}


def work(model: Scripted, form: str = "calls", wire: str = "openai_chat", **changes: Any) -> Any:
    """Return the job for a piece."""
    piece = replace(PIECES[form][0], **changes)
    return job(model, messages=piece.messages, wire=wire, ask=piece.ask, piece=piece)


@pytest.mark.parametrize("wire", WIRE_FORMATS)
@pytest.mark.parametrize("form", PIECES)
def test_good_text_is_used_as_it_is(form: str, wire: str) -> None:
    """One call, whatever the form and the wire format."""
    model = Scripted(PIECES[form][1])
    with bench() as made:
        assert made.write(work(model, form, wire)) == PIECES[form][1]

    assert made.ended == ("written", "")
    assert len(model.calls) == 1
    assert "src/price.py" in model.calls[0].user


ERROR = "Error: 429 Too Many Requests. Please try again later."
BEHAVIOURS: dict[str, tuple[list[Step], str, int]] = {
    "empty": ([Reply("")], "empty", 2),
    "nothing to record": (["NOTHING_TO_RECORD"], "empty", 2),
    "truncated": ([Reply(TOLD[:80], "length")], "truncated", 2),
    "a tool call": ([Reply("", "tool_calls", has_calls=True)], "tool_call", 2),
    "error text in a 200": ([ERROR], "error_text", 2),
    "answers the conversation": (["Sure! I will now run the tests. Shall I go on?"], "answers", 2),
    "repeats what it was shown": (["[1] assistant\ncall c1\n[2] tool\nresult of c1: ok"], "echo", 2),
    "invents an identifier": ([TOLD + "\n- See src/discount.py."], "invented_identifiers", 2),
    "leaves out what was changed": ([TOLD.splitlines()[0]], "missing_identifiers", 2),
    "leaves out where": (["- read_file and write_file were called, both ok"], "missing_identifiers", 2),
    "larger than it may be": ([TOLD + "\n- read_file(path=src/price.py): again" * 60], "not_smaller", 2),
    "leaks a secret": ([TOLD + " sk-proj-abcdefghij0123456789"], "secret", 2),
    "broken": ([failed(503, "overloaded")], "unreachable", 3),
    "busy": ([failed(429, "rate limit")], "busy", 1),
}


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_text_passes_the_gate_or_there_is_none(behaviour: str) -> None:
    """A weak, broken or talkative model never gets its text into a conversation."""
    steps, reason, calls = BEHAVIOURS[behaviour]
    model = Scripted(*steps)
    with bench() as made:
        assert made.write(work(model)) is None

    assert made.ended == ("failed", reason)
    assert len(model.calls) == calls


def test_repair_names_what_was_missing() -> None:
    """The second call is told which tool it left out."""
    model = Scripted(TOLD.splitlines()[0], TOLD)
    with bench() as made:
        assert made.write(work(model)) == TOLD

    assert made.ended == ("written", "repaired")
    assert "write_file" in model.calls[1].user.partition("could not be used")[2]


def test_next_model_is_asked_when_one_fails() -> None:
    """The chain of the policy is that of summaries."""
    model = Scripted(failed(404, "no such model"), TOLD)
    with bench() as made:
        policy = ruled(model="small", fallback_models=("large",))
        assert made.write(replace(work(model), policy=policy)) == TOLD

    assert model.models == ["small", "large"]
    assert made.ended == ("written", "fallback")


def test_answer_to_a_turn_may_speak_to_the_user() -> None:
    """It takes the place of what the assistant said; as notes on calls it would be none."""
    said = "Sure: you can find the missing key 'vat' in src/vat.py, which I wrote; ticket OPS-4471."
    with bench() as made:
        assert made.write(work(Scripted(said), "turn")) == said
        assert made.write(work(Scripted(said), "content")) is None


def test_what_is_a_little_too_long_is_cut_at_the_end_of_a_sentence() -> None:
    """A model counts words badly; the last sentence goes rather than the text."""
    with bench() as made:
        text = made.write(
            work(Scripted(SHORT + " It was built twice. It is an old report."), "content", max_tokens=22)
        )

    assert text is not None
    assert words(text) <= 22
    assert text.startswith(SHORT)


def test_text_that_was_asked_for_too_long_is_never_longer_than_allowed() -> None:
    """Whatever the bound is, what is kept is within it."""
    for most in (5, 12, 18, 25, 40):
        with bench() as made:
            text = made.write(work(Scripted(SHORT), "content", max_tokens=most))
        assert text is None or words(text) <= most


def test_secrets_are_taken_out() -> None:
    """What is stored holds none where the policy says so, as with summaries."""
    key = "sk-proj-abcdefghij0123456789"
    piece = Piece("content", (returned("c", f"The key is {key}. {LOG}"),), 60, 0)
    for redact in (True, False):
        model = Scripted(f"A log of a build that went well, with the key {key} before it.")
        with bench() as made:
            text = made.write(job(model, ruled(redact=redact), piece.messages, ask="", piece=piece))
        assert text is not None
        assert (key in text) is not redact


def test_piece_that_is_too_large_for_a_call_is_shortened() -> None:
    """It takes one call all the same; the ends of a long text are in it, with what is of note between."""
    megabyte = "\n".join(f"row {n} was imported" for n in range(45_000)) + "\nFATAL: row 44998 has no vat"
    piece = Piece("content", (returned("c", megabyte),), 60, 0)
    model = Scripted(limited(9000, "An import of rows that ended with FATAL: row 44998 has no vat."))
    with bench() as made:
        assert made.write(job(model, messages=piece.messages, ask="", piece=piece)) is not None

    assert len(model.calls) == 1
    assert "FATAL: row 44998" in model.calls[0].user
    assert "row 0 was imported" in model.calls[0].user


def test_call_that_was_too_long_is_asked_for_smaller() -> None:
    """The same is never sent again."""
    model = Scripted(limited(700, TOLD))
    with bench() as made:
        assert made.write(work(model)) == TOLD

    assert [call.tokens <= 700 for call in model.calls] == [False, True]


def test_window_that_is_too_small_asks_nobody() -> None:
    """Where not even the instructions fit there is no text."""
    with bench() as made:
        model = Scripted(TOLD)
        assert made.write(replace(work(model), policy=replace(ruled(), window=300))) is None
        assert made.ended == ("failed", "overflow")
        assert model.calls == []


def test_length_is_told_and_bounded() -> None:
    """The model is asked for less than it may write, for what is too long is cut."""
    seen: list[Prompted] = []

    def answer(call: Prompted) -> str:
        seen.append(call)
        return TOLD

    with bench() as made:
        made.write(work(Scripted(answer), max_tokens=80))
    assert "At most about 37 words." in seen[0].user
    assert 80 <= seen[0].body["max_tokens"] <= 160


def test_images_and_what_is_no_text_are_marked() -> None:
    """A piece whose one block is a call says which."""
    material = PieceMaterial.of(Piece("work", CALLS[2:], 60), "", SummarizerRules(), words)
    assert material.names == ("write_file",)
    space = material.space("m", 20_000, 1.0, True)
    assert material.merging(["a"], space) == ("a",)
    assert material.judge_part(Answer("- write_file(path=src/vat.py): ok"), 9, space).is_usable


def test_cancelled_text_costs_no_second_call() -> None:
    """Who moves on waits for nothing and asks nobody else."""
    model = Scripted(None)

    async def check() -> None:
        with bench() as made:
            async with asyncio.TaskGroup() as group:
                task = group.create_task(made.summarizer.write(work(model)))
                await model.reached.wait()
                task.cancel()
            assert made.ended == ("cancelled", "")
        assert len(model.calls) == 1

    asyncio.run(check())
