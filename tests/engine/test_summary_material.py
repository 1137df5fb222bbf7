"""What is said in each call, how long an answer is asked for, and what a summary is held against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.summarising import GOOD, TALK, chatted, ruled
from gateway.core.conversation import Message
from gateway.core.ledger.find import find
from gateway.core.summary.answer import Answer
from gateway.core.summary.language import Language
from gateway.core.summary.verdict import Reason
from gateway.engine.summary_call import Asked
from gateway.engine.summary_material import Material
from wired import words


def material(
    messages: Sequence[Message] = TALK, previous: str = "", ask: str = "Go on.", **rules: Any
) -> Material:
    """Return what a summary is made of."""
    return Material.of(messages, previous, ask, ruled(**rules).summarizer, words, find)


def test_latest_request_is_told_where_nothing_else_tells_it() -> None:
    """A request that stays beside the summary need not be in it; one that does not must be."""
    assert material().source.ask == ""
    assert material(ask="").source.ask == "Good. Then run tests/test_price.py."


def test_rules_of_the_conversation_are_in_the_source() -> None:
    """What the ledger holds is what a summary is held against."""
    assert any("legacy/old.py" in rule for rule in material().source.rules)


def test_summary_is_in_the_language_of_the_conversation() -> None:
    """A Chinese conversation gets Chinese headings."""
    chinese = material([chatted("user", "请把价格改成四十二欧元, 然后运行所有的测试。"), *TALK[1:]])

    assert chinese.language is Language.CHINESE
    assert "目标" in chinese.first(chinese.space("m", 20_000, 1.0, True))[0].prompt.user


def test_sections_and_focus_are_the_policy_s() -> None:
    """What the policy names is asked for, and the operator's words stand in their fence."""
    made = material(sections=("goal", "Risks"), focus="prices")
    user = made.first(made.space("m", 20_000, 1.0, True))[0].prompt.user

    assert "## Goal" in user
    assert "## Risks" in user
    assert "## Next Steps" not in user
    assert "<focus-" in user


@pytest.mark.parametrize(
    ("model", "window", "max_tokens", "answer"),
    [
        ("m", 20_000, None, 4000),
        ("m", 200_000, None, 4096),
        ("gpt-5", 200_000, None, 4096 + 2048),
        ("m", 20_000, 1000, 1000),
        ("m", 2000, 4000, 500),
    ],
)
def test_answer_has_room_by_policy_window_and_thoughts(
    model: str, window: int, max_tokens: int | None, answer: int
) -> None:
    """A model that thinks gets room for it, and no answer takes more than a third of the window."""
    made = material(max_tokens=max_tokens)
    space = made.space(model, window, 1.0, True)

    assert space.answer == answer
    assert made.form(space).max_tokens <= answer


def test_summary_is_asked_to_be_shorter_than_its_source() -> None:
    """A short conversation is not asked for in thousands of words."""
    made = material()

    assert made.form(made.space("m", 200_000, 1.0, True)).max_tokens <= made.source.tokens / 3


def test_size_of_a_call_is_known_without_counting_it_again() -> None:
    """The estimate is close to what is really said."""
    made = material()
    (asked,) = made.first(made.space("m", 20_000, 1.0, True))

    said = words(asked.prompt.system) + words(asked.prompt.user)
    assert abs(asked.tokens - said) < 0.1 * said


def test_window_without_room_takes_no_call() -> None:
    """Instructions alone fill a tiny window."""
    made = material()

    assert made.first(made.space("m", 512, 1.0, True)) == ()


def test_text_that_stands_alone_in_a_group_is_merged_with_nothing() -> None:
    """It waits for the next round."""
    made = material()
    groups = made.merging(["word " * 450] * 3, made.space("m", 1850, 1.0, True))

    assert [isinstance(group, Asked) for group in groups] == [True, False]


def test_part_is_judged_for_being_a_summary_at_all() -> None:
    """What a part leaves out is looked for in the whole; an error's text is refused at once."""
    made = material()
    space = made.space("m", 20_000, 1.0, True)

    assert made.judge_part(Answer("The price was read.", "stop"), 900, space).is_usable
    assert made.judge_part(Answer("Error: 500 Internal Server Error", "stop"), 900, space).reasons == (
        Reason.ERROR_TEXT,
    )
    assert not made.judge(Answer("The price was read.", "stop"), space).is_usable
    assert made.judge(Answer(GOOD, "stop"), space).is_usable
