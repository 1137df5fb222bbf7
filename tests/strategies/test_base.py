"""What steps may not touch: the newest messages, and the tail that a policy asks for."""

from __future__ import annotations

from dataclasses import dataclass

from gateway.core.conversation import Block, Conversation, Kind, Message, Role, made
from gateway.strategies.base import Keep, Room, Strategy, newest


def words(text: str) -> int:
    return len(text.split())


def said(role: Role, tokens: int) -> Message:
    return made(role, "w " * (tokens - 4), words)


def call(id: str) -> Message:
    return Message(Role.ASSISTANT, (Block(Kind.TOOL_CALL, "{}", 6, None, id, "f"),), 10)


def result(id: str, tokens: int) -> Message:
    return Message(Role.TOOL, (Block(Kind.TOOL_RESULT, "r", tokens - 4, None, id),), tokens)


def tail(view: list[Message], budget: int = 1000, ratio: float = 0.1, turns: int = 2) -> int:
    return Room(0, budget, words, Keep(recent_ratio=ratio, recent_turns=turns)).tail(
        Conversation(tuple(view))
    )


SYSTEM = said(Role.SYSTEM, 10)
USER = said(Role.USER, 10)
ANSWER = said(Role.ASSISTANT, 10)


def test_newest_round_begins_with_its_call() -> None:
    """Results that nobody has seen keep the message that asked for them."""
    view = Conversation((SYSTEM, USER, call("a"), call("b"), result("b", 20), result("c", 20)))
    assert newest(view) == 3


def test_an_empty_conversation_has_no_newest() -> None:
    """A list without messages is no reason to fail."""
    assert newest(Conversation(())) == 0
    assert tail([]) == 0


def test_tail_takes_whole_rounds_within_its_share() -> None:
    """The tail grows backwards by rounds; one that is too large for it stays outside whole."""
    view = [SYSTEM, USER, call("a"), result("a", 60), call("b"), result("b", 60), call("c"), result("c", 20)]
    assert tail(view, budget=1000) == 4
    assert tail(view, budget=500) == 6


def test_tail_holds_the_newest_however_large() -> None:
    """A result larger than the tail's share, and not seen yet, is in the tail all the same."""
    assert tail([SYSTEM, USER, ANSWER, USER, call("a"), result("a", 5000)]) == 4


def test_tail_ends_at_its_number_of_turns() -> None:
    """Two turns are the active one and the one before it, even if more would fit."""
    view = [SYSTEM, *[USER, ANSWER] * 5, USER]
    assert tail(view, budget=100_000) == 9
    assert tail(view, budget=100_000, turns=1) == 11


def test_tail_never_reaches_into_the_head() -> None:
    """Where everything fits the tail begins right after the head."""
    assert tail([SYSTEM, SYSTEM, USER, ANSWER], budget=100_000, turns=9) == 2


def test_tail_has_a_least_and_a_most() -> None:
    """A share of a small window may be too little, and one of a large one too much; tokens are true ones."""
    view = Conversation((SYSTEM, *[USER, ANSWER] * 9, USER))

    def room(least: int = 0, most: int = 0, correction: float = 1.0, budget: int = 1000) -> Room:
        keep = Keep(recent_ratio=0.05, recent_turns=9, recent_tokens_min=least, recent_tokens_max=most)
        return Room(0, budget, words, keep, correction)

    assert room().tail(view) == 15
    assert room(least=100).tail(view) == 10
    assert room(least=100, correction=2.0).tail(view) == 15
    assert room(most=30).tail(view) == 17
    assert room(most=60, correction=2.0).tail(view) == 17
    assert room(least=100, budget=30).tail(view) == 17


def test_tail_holds_no_answer_without_its_question() -> None:
    """Where pairs stay together, a question that has no room any more takes its answer with it."""
    keep = Keep(recent_ratio=0.1, recent_turns=9)
    paired = Keep(recent_ratio=0.1, recent_turns=9, pairs=True)
    large = said(Role.USER, 95)
    view = Conversation((SYSTEM, large, ANSWER, USER, ANSWER, USER))
    assert Room(0, 1000, words, keep).tail(view) == 2
    assert Room(0, 1000, words, paired).tail(view) == 3
    worked = Conversation((SYSTEM, large, call("a"), result("a", 20), ANSWER, USER))
    assert Room(0, 1000, words, keep).tail(worked) == 2
    assert Room(0, 1000, words, paired).tail(worked) == 4


def test_tail_holds_no_more_messages_than_there_may_be() -> None:
    """Where there are too many, small ones do not all stay."""
    view = Conversation((SYSTEM, *[USER, ANSWER] * 9, USER))
    room = Room(500, 1000, words, Keep(recent_ratio=0.5, recent_turns=9), messages=4)
    assert room.tail(view) == 16
    assert (room.crowded(view).target, room.crowded(view).spare) == (50, 450)
    assert room.crowded(Conversation(view.messages[:4])) is room


@dataclass(frozen=True, kw_only=True)
class Telling(Strategy):
    """A strategy that can use a model's text."""

    model: bool = False


def test_step_asks_a_model_only_where_its_setting_says_so() -> None:
    """What is prepared in the background costs money: by default no step has anything prepared."""
    assert [Strategy().asks, Telling().asks, Telling(model=True).asks] == [False, False, True]
