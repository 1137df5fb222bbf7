"""Steps and rungs in order; one that fails is left out, and nobody's request with it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.core.frozen import replace
from gateway.engine.pipeline import Report, Result, climb, less, run_steps
from gateway.policy.levels import When
from gateway.policy.rules import OverflowRules, Rung
from gateway.policy.schema import Policy, Step
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy
from gateway.strategies.carry import Kept
from wired import words

ROOM = Room(target=20, budget=100, count=words)


def conversation(number: int) -> Conversation:
    """Return so many user messages of five tokens each."""
    return Conversation(tuple(made(Role.USER, f"m{index}", words) for index in range(number)))


@dataclass(frozen=True, kw_only=True)
class Drop(Strategy):
    """The oldest message goes."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation less its first message."""
        return view.without([0])


@dataclass(frozen=True, kw_only=True)
class DropTo(Strategy):
    """The oldest messages go until the target is met."""

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation at its target."""
        while len(view.messages) > 1 and view.tokens > room.target:
            view = view.without([0])
        return view


@dataclass(frozen=True, kw_only=True)
class Broken(Strategy):
    """A step that does what its function does."""

    do: Callable[[Conversation], Conversation]

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return whatever that is."""
        return self.do(view)


def failing(view: Conversation) -> Conversation:
    """Fail as a mistake does, quoting what it saw."""
    raise KeyError(view.messages[0].text)


def longer(view: Conversation) -> Conversation:
    """Break the first law."""
    return Conversation((*view.messages, *view.messages))


def emptied(view: Conversation) -> Conversation:
    """Leave nothing."""
    return Conversation(())


def same(view: Conversation) -> Conversation:
    """Return an equal conversation that is another object."""
    return Conversation(view.messages)


DROP = Step("drop", Drop())


@pytest.mark.parametrize("mistake", [failing, longer, emptied])
def test_step_that_fails_is_left_out(
    mistake: Callable[[Conversation], Conversation], caplog: pytest.LogCaptureFixture
) -> None:
    """The next step gets what the failing one got; the failure is reported, and logged without content."""
    result = run_steps(conversation(6), [Step("broken", Broken(do=mistake)), DROP], ROOM)

    assert [message.text for message in result.view.messages] == ["m1", "m2", "m3", "m4", "m5"]
    assert result.reports == (Report("broken", "error", 30, 30), Report("drop", "changed", 30, 25))
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert "m0" not in str(vars(record))


def test_step_with_nothing_to_do_is_unchanged() -> None:
    """A step that returns what it got, or the like of it, has not changed anything."""
    result = run_steps(conversation(6), [Step("same", Broken(do=same))], ROOM)

    assert result.reports == (Report("same", "unchanged", 30, 30),)


def test_steps_run_until_the_target_is_met() -> None:
    """Cheap steps that are enough spare the expensive ones after them."""
    result = run_steps(conversation(6), [DROP] * 6, ROOM)

    assert result.view.tokens == 20
    assert len(result.reports) == 2


def test_step_with_a_size_of_its_own_waits_for_it() -> None:
    """`when` takes the place of the target: it runs where its size is reached, and not before."""
    step = replace(DROP, when=When(messages=4))

    assert len(run_steps(conversation(3), [step], ROOM).view.messages) == 3
    assert len(run_steps(conversation(4), [step], ROOM).view.messages) == 3


def test_ratio_of_a_step_is_of_the_budget() -> None:
    """`when: {ratio: 0.25}` means a quarter of what the messages may take."""
    step = replace(DROP, when=When(ratio=0.25))

    assert run_steps(conversation(4), [step], ROOM).reports == ()
    assert len(run_steps(conversation(5), [step], ROOM).view.messages) == 4


def test_turns_of_a_step_are_those_left_by_the_steps_before() -> None:
    """A later step sees the conversation as it is by then."""
    step = replace(DROP, when=When(min_turns=5))

    assert len(run_steps(conversation(6), [DROP, step, step], ROOM).view.messages) == 4


def test_digest_is_no_turn() -> None:
    """What tells of earlier turns does not count for one."""
    step = replace(DROP, when=When(turns=4))
    told = made(Role.USER, f"{marks.DIGEST_START}\nx\n{marks.DIGEST_END}", words)

    assert run_steps(Conversation((told, *conversation(3).messages)), [step], ROOM).reports == ()
    assert run_steps(Conversation((told, *conversation(4).messages)), [step], ROOM).reports


def test_always_does_all_it_can() -> None:
    """`when: always` has no size to stop at."""
    always = Step("drop_to", DropTo(), When(always=True))

    assert len(run_steps(conversation(3), [always], ROOM).view.messages) == 1
    assert len(run_steps(conversation(9), [replace(always, when=When(messages=2))], ROOM).view.messages) == 4


def policy(*rungs: Rung) -> Policy:
    """Return a policy with one step and these rungs."""
    return Policy(name="p", steps=(Step("drop_to", DropTo()),), overflow=OverflowRules(rungs=rungs))


def test_rungs_stop_when_it_is_enough() -> None:
    """The ladder is climbed no higher than it must be."""
    view = conversation(6)
    enough = climb(Result(view), policy("target", "clear"), ROOM, ROOM, lambda now: now.tokens <= 20)

    assert [report.step for report in enough.reports] == ["drop_to"]
    assert climb(Result(view), policy("target"), ROOM, ROOM, lambda _: True) == Result(view)


def test_first_rung_goes_as_far_as_the_policy_would() -> None:
    """`target` aims at the policy's own target; what must fit is only the bound of the later rungs."""
    must = replace(ROOM, target=25)
    result = climb(Result(conversation(6)), policy("target"), ROOM, must, lambda now: now.tokens <= 25)

    assert result.view.tokens == 20


def test_last_rung_leaves_the_latest_question() -> None:
    """Where nothing is small enough, what is left is what the model is asked now; what ran is reported."""
    result = climb(
        Result(conversation(6), (Report("earlier", "changed", 40, 30),)),
        policy("clear"),
        ROOM,
        replace(ROOM, target=5),
        lambda now: now.tokens <= 5,
    )

    assert [message.text for message in result.view.messages] == ["m5"]
    assert [report.step for report in result.reports] == ["earlier", "clear"]


class Light(DropTo):
    """Goes down to the target, and is said to be light."""

    light = True


class LightDrop(Drop):
    """Takes one message, and is said to be light."""

    light = True


def test_heavier_steps_stay_out_where_light_ones_were_enough() -> None:
    """What frees enough without touching words is left at that; else the target is what counts."""
    steps = [Step("light", Light()), Step("heavy", DropTo())]
    room = replace(ROOM, enough=30)
    assert run_steps(conversation(10), steps, room).view.tokens == 20
    some = [Step("light", LightDrop()), Step("heavy", DropTo())]
    left = run_steps(conversation(7), some, room)
    assert (left.view.tokens, [report.step for report in left.reports]) == (30, ["light"])
    done = run_steps(conversation(8), some, room)
    assert (done.view.tokens, [report.step for report in done.reports]) == (20, ["light", "heavy"])


def test_room_for_the_ledger_is_taken_from_all_sizes() -> None:
    """Steps are not told that it is enough where the ledger that comes back makes it too much."""
    room = less(replace(ROOM, enough=30), Kept(12))
    assert (room.target, room.enough) == (8, 18)
    assert less(ROOM, Kept(12)).enough == 0


def open_round(words_of_result: int) -> Conversation:
    """Return a question and a round that nobody has gone on from, behind a turn that is over."""
    call = Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 1, None, "a", "f"),), 5)
    text = "word " * words_of_result
    block = Block(Kind.TOOL_RESULT, text, words_of_result, ("content",), "a")
    raw = b'{"role":"tool","tool_call_id":"a","content":"%s"}' % text.encode()
    result = Message(Role.TOOL, (block,), words_of_result, raw)
    old = made(Role.USER, "old " * 40, words), made(Role.ASSISTANT, "old " * 40, words)
    return Conversation((*old, made(Role.USER, "scan it", words), call, result))


def test_open_round_is_cut_rather_than_cleared() -> None:
    """Where newest content may be cut after all else is cleared, an agent goes on from what it has read."""
    must, rungs = replace(ROOM, target=90), policy("clear", "newest_content")
    result = climb(Result(open_round(900)), rungs, must, must, lambda now: now.tokens <= 90)
    assert [message.role for message in result.view.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert result.view.tokens <= 90

    result = climb(Result(open_round(900)), policy("clear"), must, must, lambda now: now.tokens <= 90)
    assert [message.text for message in result.view.messages] == ["scan it"]


def test_round_that_cannot_be_cut_enough_is_cleared_at_last() -> None:
    """What does not fit even then goes: better a question than no request."""
    must, rungs = replace(ROOM, target=8), policy("clear", "newest_content")
    result = climb(Result(open_round(900)), rungs, must, must, lambda now: now.tokens <= 8)
    assert [message.text for message in result.view.messages] == ["scan it"]
