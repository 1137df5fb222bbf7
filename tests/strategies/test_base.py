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


@dataclass(frozen=True, kw_only=True)
class Telling(Strategy):
    """A strategy that can use a model's text."""

    model: bool = False


def test_step_asks_a_model_only_where_its_setting_says_so() -> None:
    """What is prepared in the background costs money: by default no step has anything prepared."""
    assert [Strategy().asks, Telling().asks, Telling(model=True).asks] == [False, False, True]
