"""More forms of values are known where a doubt is enough."""

from __future__ import annotations

import pytest

from gateway.core.ledger.reading import is_setting, read, without_choices


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("in May at the latest", ("date", "may")),
        ("Departure is the 6th.", ("date", "6th")),
        ("节日里全部P1起", ("id", "p1")),
        ("那天不行，15日。", ("date", "15日")),
        ("An hour should do.", ("n", "an hour")),
        ("大夫说减半。", ("n", "减半")),
        ("Put the standup at 10.", ("time", "10")),
        ("She is in fifth now.", ("n th", "5")),
        ("医生只许我练五天。", ("n", "五天")),
        ("一个钟头就够。", ("n", "一个钟头")),
        ("Reviewer 2 wants 80/20.", ("ratio", "80/20")),
        ("retain_days: 7", ("n day", "7")),
        ("max_spend_usd=410", ("money", "410")),
        ("American spelling throughout.", ("choice dialect", "american")),
        ("以后讲普通话。", ("tongue", "普通话")),
        ("We went with Memcached.", ("choice cache", "memcached")),
        ("寄顺丰。", ("choice courier", "顺丰")),
        ("让王建国审。", ("han", "王建国")),
        ("喊我老周就好。", ("han", "老周")),
        ("We moved to 7 Mill Hill Road.", ("address", "7 mill hill road")),
        ("寄到滨江区江南大道588号。", ("address", "滨江区江南大道588号")),
    ],
)
def test_values_are_known_by_more_forms(text: str, value: tuple[str, str]) -> None:
    """Days without a month, measures in words, people and names of which one is chosen are values."""
    assert value in read(text).values


def test_name_behind_a_title_or_another_word_of_choice_is_one() -> None:
    """A name is one, too, where a sentence could begin."""
    assert "osei" in read("We parted ways; Mr. Osei does it.").names
    assert "sati" in read("Rather Satie.").names
    assert "opento" in read("OpenTofu it is").names


@pytest.mark.parametrize("text", ["Make it short.", "go for a walk", "It fits the space."])
def test_ordinary_words_are_no_names(text: str) -> None:
    """What is also the name of a product is a word where it is written small."""
    assert not [form for form, _ in read(text).values if form in ("choice builder", "choice code")]


def test_choices_are_taken_out_of_chinese() -> None:
    """What is chosen names nothing of which it is."""
    assert without_choices("寄顺丰吧") == "寄 吧"


def test_what_is_quoted_is_a_value() -> None:
    """Of words that are to be said or written one stands in the place of another."""
    assert ("quote", "good day") in read('"Good day" sounds more like us.').values
    assert ("quote", "自由") in read("写“自由”好一些。").values


def test_setting_is_known_by_its_key() -> None:
    """The key of a setting is no value beside its number; a sentence with a colon is no setting."""
    assert is_setting("retain_days: 7")
    assert is_setting("timeout: 90s  # uploads broke off")
    assert not is_setting("note: meet at 7 in the hall")
    assert read("retain_days: 7").values == {("n day", "7")}


def test_what_is_written_like_an_identifier_may_be_none() -> None:
    """A word with a digit is a word, some of a kind are of the kind, and a form of dates is chosen."""
    assert not read("run the e2e suite").values - {("choice bed", "suite")}
    assert ("id", "p1") in read("P1s get an answer").values
    assert ("choice date", "mm/dd/yyyy") in read("Dates as MM/DD/YYYY").values
    assert not read("The file is report_final.docx").values - {("id", "report_final.docx")}


def test_setting_may_have_any_value() -> None:
    """Behind a key of several parts a word is a value."""
    assert is_setting("default_model: qwen-plus （turbo 太笨了）")
    assert not is_setting("note: hello")
