"""What others have, what was once, and what only keeps the talk going changes nothing the user said."""

from __future__ import annotations

import pytest

from gateway.core.conversation import Role, made
from gateway.core.ledger.find import find
from gateway.core.ledger.others import is_of_others
from gateway.core.ledger.settle import settle


@pytest.mark.parametrize(
    "sentence",
    [
        "a competitor's blog says they spent $60k on theirs.",
        "in the paper they take 4096.",
        "my wife sees dr. heller at 4:30",
        "last year, before the rewrite, it was 500 calls.",
        "i thought about 10 pages and decided against it.",
        "translate this line to italian: see you at eight",
        "show me the result so far.",
        "i had lunch with a friend, and i'm full.",
        "隔壁那家店是每月28号搞活动",
        "顺便把这句翻成日语",
        "要是拖到下周一，会扣分吗？",
        "嗯，明白了，继续吧。",
    ],
)
def test_what_is_of_others_is_known(sentence: str) -> None:
    """Whatever value it gives, it is none of ours."""
    assert is_of_others(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "the client wants 80/20.",
        "the other team moved, so we take room 9 from now on",
        "our wife of a sponsor says 900",
        "it used to be 30, these days 45",
        "show me 20 rows",
        "客户要改到周五",
        "好的，周五",
        "that was at my old job",
        "go ahead with the deploys",
        "continue to push to main as you like",
        "可以，行",
        "we are ignoring that",
        "in the paper that rule is different",
        "那条先别管了",
        "那是上家公司的规定",
        "the translation is due on friday",
    ],
)
def test_what_others_say_of_ours_is_not_of_others(sentence: str) -> None:
    """A client's word, and what follows from what others did, may be news."""
    assert not is_of_others(sentence)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Our budget for the redesign is $22k.", "A competitor's blog says they spent $60k on theirs."),
        ("We settled on Rust for the log shipper.", "Show me the result so far."),
        ("API quota is 100 calls per hour.", "Last year, before the rewrite, it was 500 calls."),
    ],
)
def test_what_is_of_others_puts_nothing_aside(first: str, then: str) -> None:
    """What was said stays in force."""
    said = [entry for text in (first, then) for entry in find(made(Role.USER, text, len))]

    assert first in [entry.text for entry in settle(said).current]
