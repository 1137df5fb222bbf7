"""People say in passing that something is otherwise."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_contests import DENIES, FAILS, decides, denies_last, hints


@pytest.mark.parametrize(
    "sentence",
    [
        "8443 then",
        "→ friday",
        "no, blue",
        "we'll need 45 minutes.",
        "they insist on 14 days.",
        "bump it by 2 days to 14.",
        "that makes 12.",
        "the £80 one",
        "friday since yesterday",
        "+2 days",
        "since the move logs land in /srv/2",
        "mind writing in dutch?",
        "got a mail from the owner: ivo signs off",
        "we are relaxing the width to 450",
        "the lower bound moves to 16.",
        "invoices are handled by kwame",
        "three's plenty",
        "inter's close enough.",
        "yeah four",
        "eight of us are joining",
        "our machinist only reads inches",
        "so have everything in those",
        "whole numbers only, please",
        "did the upgrade, it's on 24.04.",
        "一群解散了，二群",
        "我看蓝橙就挺好",
        "改周五",
        "那就 8443 吧",
    ],
)
def test_passing_words_hint_at_a_change(sentence: str) -> None:
    """None of them has a word of change, all of them may change something."""
    assert hints(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "the port is 8443.",
        "never push to main.",
        "端口是8443。",
        "thanks a lot.",
        "that's enough",
        "i only asked why",
    ],
)
def test_plain_statements_hint_at_nothing(sentence: str) -> None:
    """What only states or orders something leaves what was said alone."""
    assert not hints(sentence)


def test_choices_are_told_from_hints() -> None:
    """What was chosen in the end is in the place of something."""
    assert decides("the client talked me into lisbon")
    assert decides("最后还是选了竹地板。")
    assert not decides("we'll need 45 minutes.")


def test_what_fails_is_not_kept() -> None:
    """Bad news of a thing may end what was said of it; of a value any denial may."""
    assert FAILS.search("lab b is closed")
    assert FAILS.search("pg-01 挂了")
    assert DENIES.search("it is not 9:12")
    assert not FAILS.search("lab b has windows")


@pytest.mark.parametrize(
    "sentence",
    [
        "no, b14",
        "no no, the second one",
        "that endpoint is gone, use b",
        "here is the right one: re-7",
        "ab-12 is the one i mean",
        "看错了，我问的是 b-12",
        "正确的在这：b",
        "oh, nope: 8443",
        "不，26f",
        "不对不对，是周五",
    ],
)
def test_no_with_something_else_denies_what_was_said_last(sentence: str) -> None:
    """It is no rule, and what was said last is otherwise."""
    assert denies_last(sentence)


@pytest.mark.parametrize(
    "sentence", ["no pets in b14", "no, i have not seen that yet, sorry", "不要动生产库"]
)
def test_ban_or_answer_denies_nothing_said(sentence: str) -> None:
    """ "No" before a noun forbids, and before a sentence it answers."""
    assert not denies_last(sentence)
