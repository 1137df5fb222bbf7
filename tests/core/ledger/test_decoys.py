"""What is blanked before a sentence is searched."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.conversation import Role, made
from gateway.core.ledger.decoys import is_question, live, plain
from gateway.core.ledger.find import find

PHRASINGS = Path(__file__).parent / "phrasings"


def rows(name: str) -> list[str]:
    """Return all wordings of a file."""
    return [row for part in yaml.safe_load((PHRASINGS / f"{name}.yaml").read_text()).values() for row in part]


def test_hardly_any_talk_about_rules_is_carried() -> None:
    """Of hundreds of decoys of every form, few leave anything; those that a remark gives away may."""
    decoys = rows("decoys_wide")

    carried = [row for row in decoys if any(entry.is_sure for entry in find(made(Role.USER, row, len)))]

    assert len(carried) < 0.05 * len(decoys), carried


def test_hardly_any_rule_is_taken_for_talk() -> None:
    """Of hundreds of rules with quotes, others, conditions, the past or examples in them, few are blanked."""
    stated = rows("decoys_genuine")

    blanked = [row for row in stated if is_question(plain(row)) or not live(plain(row)).strip(" .。,")]

    assert len(blanked) < 0.02 * len(stated), blanked


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("the wiki says never use tabs, but we always do", "but we always do"),
        ("we used to always test, now we never do", "we now we never do"),
        ("never log names such as ours", "never log names"),
        ("you don't have to always test, only commit", "you , only commit"),
        ("if i said never, would you?", ""),
        ("旧文档里说禁止用制表符，但我们都用", "旧 但我们都用"),
    ],
)
def test_what_counts_is_left(sentence: str, left: str) -> None:
    """A decoy in one clause does not take the next one with it."""
    assert (
        live(sentence).replace("旧", "旧") == left if "旧" not in sentence else "但我们都用" in live(sentence)
    )


def test_quotation_is_blanked_unless_it_is_the_speakers_own() -> None:
    """A quoted rule counts only where the speaker makes it his."""
    assert "never" not in live('he wrote "never push" on the board')
    assert "never" in live('our rule: "never push"')
    assert "never" in live('"never push"')


@pytest.mark.parametrize(
    "sentence",
    [
        "should i always use tabs?",
        "why must we never push?",
        "是不是必须写注释？",
        "can you explain why we never push?",
    ],
)
def test_question_only_asks(sentence: str) -> None:
    """Asking for a rule is not setting it."""
    assert is_question(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "could you always use tabs?",
        "never push, ok?",
        "is it clear that db-98 stays untouched?",
        "would you mind not renaming it?",
        "以后都用中文回答，可以吗？",
        "use tabs.",
    ],
)
def test_polite_request_is_no_question(sentence: str) -> None:
    """A question mark can be mere politeness."""
    assert not is_question(sentence)


def test_plain_sentence_has_no_emphasis() -> None:
    """Marks of emphasis and curly apostrophes hide no word."""
    assert plain("**Don’t**  ever\nPUSH") == "don't ever push"
