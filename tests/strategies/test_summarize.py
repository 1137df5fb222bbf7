"""A summary takes the place of what it is about, and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from drawn import ROOMS, conversations, words
from gateway.core.conversation import Conversation, Message
from gateway.core.frozen import replace
from gateway.strategies.base import Keep, Room, Summary
from gateway.strategies.digest import Digest
from gateway.strategies.notes import Section, read
from gateway.strategies.outdated import MARK
from gateway.strategies.summarize import Summarize
from gateway.strategies.tool_chains import ToolChains
from gateway.strategies.tool_results import ToolResults
from test_cases import alternates, conversation, latest_user, reread, rounds, sent

TEXT = "## Goal\n- Build the parser. Keep it small."
ROOM = Room(300, 1000, words, Keep(recent_ratio=0.05, recent_turns=1), summary=Summary(9, TEXT))


def turn(number: int, length: int = 40) -> list[dict[str, Any]]:
    """Return a question, a call with its result, and an answer: four messages."""
    call = {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    return [
        {"role": "user", "content": f"Question {number}?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": f"r{number} " * length},
        {"role": "assistant", "content": f"Answer {number}."},
    ]


def turns(count: int) -> Conversation:
    """Return a system message, that many turns, and a question."""
    said = [message for number in range(count) for message in turn(number)]
    return conversation(
        [{"role": "system", "content": "Be brief."}, *said, {"role": "user", "content": "And now?"}], words
    )


def origins(view: Conversation) -> list[int | None]:
    """Return where the messages stood in the client's list."""
    return [message.origin for message in view.messages]


def summary_of(view: Conversation) -> Sequence[str]:
    """Return the summary that a conversation carries."""
    digest = next(message for message in view.messages if message.text.startswith("<haversack-digest>"))
    return read(digest.text).entries.get(Section.SUMMARY, ())


def test_nothing_is_done_as_long_as_none_is_ready() -> None:
    """A step that waits for a model changes nothing, so that the steps behind it act."""
    view = turns(4)
    assert Summarize().apply(view, replace(ROOM, summary=None)) is view


def test_summary_takes_the_place_of_what_it_is_about() -> None:
    """Two turns go, what the user said in them stays beside the summary, and the rest is as it came."""
    after = Summarize().apply(turns(4), ROOM)
    assert origins(after) == [0, None, None, *range(9, 18)]
    assert summary_of(after) == [TEXT]
    assert read(after.messages[1].text).entries[Section.USER] == ["Question 0?", "Question 1?"]
    assert alternates(after)


def test_same_words_about_more_take_the_place_of_more() -> None:
    """A model says of a longer list what it said before: the rest goes too, and what users said stays."""
    once = Summarize().apply(turns(4), ROOM)
    more = Summarize().apply(once, replace(ROOM, summary=Summary(13, TEXT)))
    assert origins(more) == [0, None, None, *range(13, 18)]
    assert summary_of(more) == [TEXT]
    assert read(more.messages[1].text).entries[Section.USER] == [f"Question {n}?" for n in range(3)]
    assert Summarize().apply(more, replace(ROOM, summary=Summary(13, TEXT))) is more
    assert Summarize().apply(more, ROOM) is more


def test_run_of_calls_is_told_up_to_the_border_of_a_summary_only() -> None:
    """One request, many rounds: a note over all of them would leave no place for the summary of the older."""
    request, *rest = turn(0)
    calls = [part for number in range(12) for part in turn(number)[1:3]]
    work = [{"role": "system", "content": "Be brief."}, request, *calls, rest[-1]]
    view = conversation([*work, {"role": "user", "content": "And now?"}], words)
    room = replace(ROOM, summary=Summary(14, TEXT), target=1)
    folded = ToolChains(min_tokens=1).apply(view, room)
    after = Summarize().apply(folded, room)
    assert len(folded.messages) < len(view.messages)
    assert summary_of(after) == [TEXT]
    assert min(origin for origin in origins(after) if origin) >= 14


def test_result_that_was_shortened_at_the_border_is_told_apart() -> None:
    """Messages that a lighter step has changed are counted: none goes that the summary does not know of."""
    view = turns(4)
    lighter = ToolResults(max_tokens=10, keep_last=0, current_turn_max_tokens=10).apply(
        view, replace(ROOM, target=0)
    )
    after = Summarize().apply(lighter, ROOM)
    assert origins(after) == [0, None, None, 9, 10, None, 12, 13, 14, None, 16, 17]


def test_border_is_found_before_what_was_taken_out_around_it() -> None:
    """Where messages around the border are gone, only what is surely known to the summary goes."""
    view = turns(4)
    holed = view.splicing(8, 11, [replace(view.messages[8], origin=None)])
    after = Summarize().apply(holed, ROOM)
    assert origins(after) == [0, None, *origins(holed)[8:]]
    assert 8 not in origins(after)


def test_late_summary_does_not_take_the_place_of_a_digest_that_tells_more() -> None:
    """A digest was made meanwhile, of more than the summary knows: it stays."""
    view = turns(6)
    digested = Digest().apply(view, replace(ROOM, target=60))
    assert min(origin for origin in origins(digested) if origin) > 9
    assert Summarize().apply(digested, ROOM) is digested


def test_nothing_that_users_said_is_lost_for_what_a_summary_does_not_reach() -> None:
    """It was written a while ago: what came since makes way, by the steps behind, before users' words do."""
    said = [f"Never restart host-{number} without asking me on extension 55{number}." for number in range(8)]
    old = [part for text in said for part in ({**turn(0)[0], "content": text}, *turn(0)[1:])]
    view = conversation([*old, *(part for n in range(5) for part in turn(n)), turn(9)[0]], words)
    room = replace(ROOM, target=360, summary=Summary(32, TEXT))
    after = Summarize().apply(view, room)
    assert summary_of(after) == [TEXT]
    digested = Digest().apply(after, room)
    assert digested.tokens <= room.target
    assert summary_of(digested) == [TEXT]
    for found in (after, digested):
        assert [text for text in said if text not in found.messages[0].text] == []


def test_later_summary_takes_the_place_of_digest_and_summary() -> None:
    """Of an earlier digest the users' words stay, and its summary makes way for the one written from it."""
    once = Summarize().apply(turns(6), ROOM)
    later = Summarize().apply(once, replace(ROOM, summary=Summary(17, TEXT + " It is slow.")))
    assert summary_of(later) == [TEXT + " It is slow."]
    assert read(later.messages[1].text).entries[Section.USER][:3] == [f"Question {n}?" for n in range(3)]
    assert origins(later)[3:] == list(range(17, 26))


def test_request_in_what_is_summed_up_stays_behind_it() -> None:
    """An agent that works long on one request keeps it, word for word, after the summary."""
    rounds_of_one = [turn(0)[0], *(message for number in range(5) for message in turn(number)[1:3])]
    view = conversation(rounds_of_one, words)
    after = Summarize().apply(view, replace(ROOM, summary=Summary(7, TEXT)))
    assert origins(after) == [None, None, 0, 7, 8, 9, 10]


def test_covered_reaches_to_the_tail_or_over_half_of_the_turns() -> None:
    """What is asked for next: all before the tail, or the older half of the turns that are over."""
    view = turns(6)
    assert Summarize().covered(view, ROOM) == 24 - 4 + 1 + 4
    assert Summarize(fold="half").covered(view, ROOM) == 1 + 3 * 4
    assert Summarize(fold="half").covered(turns(1), ROOM) == 0


def test_nothing_is_asked_for_where_little_is_new() -> None:
    """A call costs money: where all but the tail is summed up already, none is made."""
    after = Summarize().apply(turns(4), replace(ROOM, summary=Summary(17, TEXT)))
    assert Summarize().covered(after, ROOM) == 0


def test_long_summary_is_cut_where_the_policy_says_so() -> None:
    """Its end goes, at the end of a sentence, and a second run finds the very same one there."""
    step = Summarize(max_tokens=9)
    after = step.apply(turns(4), ROOM)
    assert summary_of(after) == ["## Goal\n- Build the parser. …"]
    assert step.apply(after, ROOM) is after
    assert list(Summarize(max_tokens=-1).problems())


def test_latest_request_speaks_against_a_summary_that_reaches_behind_it() -> None:
    """It stands before what was summed up last, and behind the digest all the same: it is the last word."""
    said = {"role": "user", "content": "Sorry, wrong number, the order is #195510."}
    view = conversation([*turn(0), *turn(1), said, *turn(2)[1:], *turn(3)[1:3]], words)
    text = "- My order number is ORD-44956."
    after = Summarize().apply(view, replace(ROOM, summary=Summary(12, text)))
    assert origins(after)[:2] == [None, None]
    assert latest_user(after) == latest_user(view)
    assert summary_of(after) == [text + MARK]


@settings(max_examples=200, deadline=None)
@given(conversations(), ROOMS, st.integers(0, 30), st.sampled_from(["", "Go.", TEXT, TEXT * 20]))
def test_laws_hold_for_any_summary(messages: list[Any], room: Room, length: int, text: str) -> None:
    """Never longer, never a call without its result, head and request as they came, and twice is once."""
    view = conversation(messages, room.count)
    room, step = replace(room, summary=Summary(length, text)), Summarize()
    after = step.apply(view, room)
    assert after.tokens < view.tokens or after is view
    assert rounds(after) <= rounds(view)
    assert latest_user(after) == latest_user(view)
    assert not alternates(view) or alternates(after)
    assert set(range(view.unseen, len(view.messages))) <= set(origins(after))
    assert sent(step.apply(reread(after, room.count), room)) == sent(after)
    covered = step.covered(view, room)
    assert covered <= view.unseen
    kept: list[Message] = [message for message in after.messages if message.origin is not None]
    assert {message.origin for message in view.messages if message.origin is not None} - {
        message.origin for message in kept
    } <= set(range(length))
