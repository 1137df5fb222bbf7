"""What may not be the user's own word for now is told from what is."""

from __future__ import annotations

import pytest

from gateway.core.ledger.doubt import is_doubtful

SURE = [
    "never push to main.",
    "keep exports below 350 rows.",
    "please answer in french from now on.",
    "the budget is 500 eur.",
    "i would like tables rather than prose.",
    "绝对不要写入 /srv/ledger。",
    "以后一律用法语回复。",
]

DOUBTFUL = [
    "their handbook says never push to main.",
    "suppose the limit were 500.",
    "guests must leave the hotel by eleven.",
    "back then every file needed a header.",
    'he shouted "never open this door again" at me.',
    "for example, nobody may use tabs.",
    "the king ordered that nobody may whistle.",
    "translate: never leave bags unattended.",
    "听说那边规定不能超过 500。",
    "以前每次都要写日报。",
    "小说里国王下令不许吹口哨。",
]


@pytest.mark.parametrize("sentence", SURE)
def test_plain_speech_is_not_doubted(sentence: str) -> None:
    """What the user tells the assistant to do is presented as in force."""
    assert not is_doubtful([sentence], 0)


@pytest.mark.parametrize("sentence", DOUBTFUL)
def test_signs_of_another_voice_mood_or_time_are_seen(sentence: str) -> None:
    """Reported, imagined, quoted, played and past rules are not presented as in force."""
    assert is_doubtful([sentence], 0)


@pytest.mark.parametrize(
    "around",
    [
        ["found this in a leaflet at the dentist's, they say:", "never push to main."],
        ["never push to main.", "what do you make of that?"],
        ["never push to main.", "that's not our rule."],
        ["never push to main.", "funny, isn't it?"],
        ["绝对不要写入。", "听着不错。"],
    ],
)
def test_what_stands_around_can_tell_whose_it_is(around: list[str]) -> None:
    """A frame before a rule, or a comment behind it, makes it a quotation."""
    rule = next(n for n, sentence in enumerate(around) if sentence.startswith(("never", "绝对")))
    assert is_doubtful(around, rule)


def test_far_away_signs_do_not_count() -> None:
    """In a long message only the sentences next to a rule can tell whose it is."""
    talk = ["they said it was raining.", *["we went out."] * 3, "never push to main.", *["we came back."] * 3]
    assert not is_doubtful([*talk, "he is a friend."], 4)
