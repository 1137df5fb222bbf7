"""Parts, merges and repairs: what is asked, how often, and never the same thing twice after an overflow."""

from __future__ import annotations

import pytest

from engine.summarising import (
    GOOD,
    TALK,
    Reply,
    Scripted,
    bench,
    calling,
    chatted,
    job,
    limited,
    returned,
    ruled,
)
from gateway.core.conversation import Message
from gateway.wire import WIRE_FORMATS
from wired import failed

ERROR = "Error: 429 Too Many Requests. Please try again later."


def test_repair_names_what_was_wrong() -> None:
    """The second call has the first answer in it, and its faults."""
    model = Scripted(GOOD + "\n- See ORDER-7777.", GOOD)
    with bench() as made:
        assert made.write(job(model)) == GOOD

    assert "rejected-summary" in model.calls[1].user
    assert "ORDER-7777" in model.calls[1].user
    assert made.records[0].findings["invented_identifiers"] == 1


def test_broken_off_answer_gets_more_room() -> None:
    """Who ran out of room is asked again with twice as much."""
    model = Scripted(Reply(GOOD[:200], "length"), GOOD)
    with bench() as made:
        made.write(job(model))

    first, second = (call.body["max_tokens"] for call in model.calls)
    assert second > first


def test_earlier_summary_is_brought_up_to_date() -> None:
    """One call sees the earlier summary and what came since."""
    model = Scripted(GOOD)
    with bench() as made:
        made.write(job(model, messages=TALK[1:], previous=GOOD))

    (call,) = model.calls
    assert "previous-summary" in call.user
    assert "read_file" in call.user


@pytest.mark.parametrize("previous", ["The user said hello.", ""])
def test_nothing_worth_recording_keeps_what_there_was(previous: str) -> None:
    """A model that finds nothing new leaves the earlier summary in place, and without one there is none."""
    small = (chatted("user", "Hello."), chatted("assistant", "Hello, how are you? " * 40))
    with bench() as made:
        text = made.write(job(Scripted("NOTHING_TO_RECORD"), messages=small, previous=previous))

    assert text == (previous or None)
    assert made.ended == ("nothing", "")


@pytest.mark.parametrize("talk", [TALK, TALK * 8], ids=["one part", "two parts"])
def test_model_that_finds_nothing_where_there_is_something_is_not_believed(talk: tuple[Message, ...]) -> None:
    """Paths and rules were named, so a summary without a word is none."""
    with bench() as made:
        assert made.write(job(Scripted("NOTHING_TO_RECORD"), ruled(min_parts=2), talk)) is None

    assert made.ended == ("failed", "empty")


def test_dropped_rule_is_counted_and_let_pass() -> None:
    """The ledger stands beside the summary in any case, so no call is spent on a rule that it drops."""
    model = Scripted(GOOD.replace("- Never touch legacy/old.py.", "- none"))
    with bench() as made:
        assert made.write(job(model)) is not None

    assert made.records[0].findings == {"missing_ledger": 1}
    assert len(model.calls) == 1


def test_parts_are_asked_at_the_same_time_and_merged() -> None:
    """A policy may want several parts; each knows its place, and the merge sees all of them."""
    model = Scripted(GOOD)
    talk = [message for _ in range(8) for message in TALK]
    with bench() as made:
        text = made.write(job(model, ruled(min_parts=4, concurrency=2), talk))

    assert text == GOOD
    assert [("part 1 of 4" in call.user, "part 4 of 4" in call.user) for call in model.calls[:4]] == [
        (True, False),
        (False, False),
        (False, False),
        (False, True),
    ]
    assert model.most == 2
    assert len(model.calls) == 5
    assert model.calls[4].user.count("</partial-summary") == 4


def test_earlier_summary_is_merged_with_parts() -> None:
    """Where the conversation takes several calls, none of them rewrites the earlier summary alone."""
    model = Scripted(GOOD)
    talk = [message for _ in range(8) for message in TALK]
    with bench() as made:
        made.write(job(model, ruled(min_parts=2), talk, previous=GOOD))

    assert [call.user.count("</partial-summary") for call in model.calls] == [0, 0, 3]
    assert "all that came before" in model.calls[2].user


def test_part_that_is_no_summary_fails_all() -> None:
    """A merge is not fed with an error's words."""
    model = Scripted(lambda call: ERROR if "part 2 of 2" in call.user else GOOD)
    talk = [message for _ in range(8) for message in TALK]
    with bench() as made:
        assert made.write(job(model, ruled(min_parts=2), talk)) is None

    assert made.ended == ("failed", "error_text")
    assert len(model.calls) == 3


@pytest.mark.parametrize("wire", WIRE_FORMATS)
def test_overflow_teaches_the_window_and_is_parted_anew(wire: str) -> None:
    """A call that was too long is never sent again: smaller ones are, and the next job knows."""
    model = Scripted(limited(1200))
    talk = [message for _ in range(4) for message in TALK]
    with bench() as made:
        assert made.write(job(model, messages=talk, wire=wire)) == GOOD
        bodies = [call.seen.body for call in model.calls]
        assert len(set(bodies)) == len(bodies)
        assert made.records[0].calls["overflow"] == 1

        made.write(job(model, messages=talk, wire=wire))
        assert made.records[1].calls["overflow"] == 0


def test_overflow_without_numbers_makes_parts_smaller_than_what_was_sent() -> None:
    """A small conversation for a model with a far smaller window than it was said to have."""
    model = Scripted(limited(1100, says=False))
    with bench() as made:
        made.write(job(model, messages=TALK * 2))

    sizes = [call.tokens for call in model.calls]
    assert made.records[0].calls["overflow"] >= 1
    assert len(model.calls) <= 12
    assert sizes.count(sizes[0]) == 1


def test_window_that_is_too_small_ends_it() -> None:
    """A model that takes nothing is asked a few times, and no more."""
    model = Scripted(failed(400, "prompt is too long", "context_length_exceeded"))
    with bench() as made:
        assert made.write(job(model)) is None

    assert made.ended == ("failed", "overflow")
    bodies = [call.seen.body for call in model.calls]
    assert len(set(bodies)) == len(bodies) <= 12


def test_prompt_that_the_server_cut_is_no_source() -> None:
    """Half of a window and two tokens: the server cut the prompt and answers what is left."""
    talk = [message for _ in range(4) for message in TALK]
    model = Scripted(lambda call: Reply(GOOD, spent=(2051 if call.tokens > 3000 else call.tokens, 90)))
    with bench() as made:
        assert made.write(job(model, messages=talk)) == GOOD

    assert made.records[0].calls["overflow"] == 1
    assert all(call.tokens < 3000 for call in model.calls[1:])


def test_five_hundred_messages_with_one_megabyte_take_bounded_calls() -> None:
    """The result is shortened, nothing is left out in silence, and no call is made twice."""
    megabyte = "\n".join(f"row {n} was imported" for n in range(45_000)) + "\nFATAL: row 44998 has no vat"
    talk = [*TALK, calling("big", "import_rows", "{}"), returned("big", megabyte)]
    talk += [
        chatted(role, f"{role} says thing {n} about the price. " * 12)
        for n in range(247)
        for role in ("user", "assistant")
    ]
    model = Scripted(limited(9000))
    with bench() as made:
        assert made.write(job(model, messages=talk)) == GOOD

    assert len(model.calls) <= 2 * 16 + 4
    assert any("FATAL: row 44998" in call.user for call in model.calls)
    assert sum(call.user.count("user says thing 7 ") > 0 for call in model.calls) >= 1
