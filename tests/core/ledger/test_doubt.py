"""What may not be the user's own word for now is told from what is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.conversation import Role, made
from gateway.core.ledger.doubt import is_doubtful
from gateway.core.ledger.find import find

PHRASINGS = Path(__file__).parent / "phrasings"


def rows(name: str) -> list[str]:
    """Return all wordings of a file."""
    return [row for part in yaml.safe_load((PHRASINGS / f"{name}.yaml").read_text()).values() for row in part]


def is_sure(text: str) -> bool:
    """Return whether anything that a user says in *text* is presented as in force."""
    return any(entry.is_sure for entry in find(made(Role.USER, text, len)))


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
    "yeah right, because we always ship on fridays.",
    "oh sure, let's never test anything.",
    "he acts as if we always had to ask.",
    'never apologise."',
    "对对对，反正我们永远周五发布。",
    "你就当自己是不许下载的管理员。",
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


@pytest.mark.parametrize(
    "sentence",
    [
        "passengers may take 23 kg.",
        "members must sign in.",
        "no dogs in the hall.",
        "contestants only get three minutes.",
        "会员每月限借 5 本。",
        "选手每人只有三分钟。",
    ],
)
def test_rule_without_a_sign_that_it_is_the_users_own_is_doubted(sentence: str) -> None:
    """A rule that names no speaker, addresses nobody and is about nobody's work here binds others."""
    assert is_doubtful([sentence], 0)


@pytest.mark.parametrize(
    "sentence",
    [
        "responses must be in json.",
        "the rent is 900 eur.",
        "use british spelling.",
        'say "guest", not "customer".',
    ],
)
def test_the_users_work_facts_and_wordings_are_not_doubted(sentence: str) -> None:
    """Rules about what users work on, plain facts and orders of wording need no more signs."""
    assert not is_doubtful([sentence], 0)


def test_hardly_any_rule_of_others_is_presented_as_in_force() -> None:
    """Of hundreds of rules that bind others or no one, few are sure."""
    others = rows("doubted")

    sure = [row for row in others if is_sure(row)]

    assert len(sure) < 0.03 * len(others), sure


def test_most_plain_rules_and_facts_are_sure() -> None:
    """Of hundreds of plain statements of users, most are presented as in force."""
    stated = rows("sure")

    assert sum(map(is_sure, stated)) > 0.75 * len(stated)


def test_what_looks_as_if_is_no_irony() -> None:
    """A remark beside a ban that says how something looks leaves the ban in force."""
    text = "It looks as if the cache grows at night. Never touch src/cache.py. It seems as if nobody cares."
    assert [entry.is_sure for entry in find(made(Role.USER, text, len)) if "cache.py" in entry.text] == [True]
