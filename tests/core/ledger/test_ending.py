"""What may end an earlier rule is suspected, in whatever words it is said."""

from __future__ import annotations

import pytest

from gateway.core.ledger.ending import may_end, proposes, suggests


@pytest.mark.parametrize(
    "sentence",
    [
        "touching the billing tables is fine again.",
        "legal gave the green light for the export.",
        "no need to cc anna any more.",
        "the freeze ended on friday.",
        "8443 then.",
        "they insist on 14 days.",
        "我改主意了，日报不用写了。",
        "合规那边批准了，可以发了。",
    ],
)
def test_whatever_may_end_a_rule_is_suspected(sentence: str) -> None:
    """The rule is then no longer presented as in force; its words stay."""
    assert may_end(sentence)


@pytest.mark.parametrize("sentence", ["the port is 8443.", "never push to main.", "每周五发周报。"])
def test_plain_statements_end_nothing(sentence: str) -> None:
    """What only states or orders something leaves earlier rules alone."""
    assert not may_end(sentence)


@pytest.mark.parametrize(
    "question", ["can we make it 900 instead?", "could you switch to irish?", "能换成法语吗？"]
)
def test_question_may_suggest_that_something_is_otherwise(question: str) -> None:
    """Who asks for another value hardly wants the old one to be held up to him."""
    assert suggests(question)


@pytest.mark.parametrize(
    "question", ["why is it 900 now?", "was that changed to 12?", "端口为何改成了8443？"]
)
def test_question_for_what_is_suggests_nothing(question: str) -> None:
    """What is asked for is not said."""
    assert not suggests(question)


@pytest.mark.parametrize(
    "question", ["could the footer be green?", "how about 900?", "能不能放到周四？", "周四可以吗？"]
)
def test_question_may_propose_another_value_without_a_word_of_change(question: str) -> None:
    """What is proposed may be in the place of what was said."""
    assert proposes(question)


@pytest.mark.parametrize("question", ["can you explain how 30 came about?", "is it 900?", "周四几点？"])
def test_question_for_an_answer_proposes_nothing(question: str) -> None:
    """It asks to tell something, not to do it otherwise."""
    assert not proposes(question)
