"""What is carried of a user's prose where no table knows the wording, and what is left behind."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.conversation import Role, made
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.find import find
from gateway.core.ledger.standing import kind_of

PHRASINGS = Path(__file__).parent / "phrasings"


def rows(name: str) -> list[str]:
    """Return the rows of a file, whatever they are grouped by."""
    read = yaml.safe_load((PHRASINGS / f"{name}.yaml").read_text())
    return read if isinstance(read, list) else [row for group in read.values() for row in group]


def found(texts: list[str], *, in_force: bool = False) -> list[str]:
    """Return those of some sentences of a user of which something is carried, in force or not."""
    return [
        text
        for text in texts
        if any(entry.is_sure or not in_force for entry in find(made(Role.USER, text, len)))
    ]


def test_almost_whatever_users_state_is_carried() -> None:
    """Of hundreds of statements in words that no table was made for, few are lost."""
    stated = rows("broad")

    missed = sorted(set(stated) - set(found(stated)))

    assert len(missed) < 0.02 * len(stated), missed


def test_small_talk_and_errands_are_rarely_carried() -> None:
    """Thanks, questions, errands and what just happened leave the room to what lasts."""
    said = rows("idle")

    taken = found(said, in_force=True)

    assert len(taken) < 0.06 * len(said), taken


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Quote prices net of VAT for customers in Oslo.", Kind.RULE),
        ("Yellow charts suit me badly.", Kind.PREFERENCE),
        ("By autumn we should be off Oracle.", Kind.GOAL),
        ("It came down to Vue in the end, given the team.", Kind.GOAL),
        ("We ended up renting the flat in Ghent.", Kind.DECISION),
        ("The van seats 8 people at most.", Kind.LIMIT),
        ("The consent of Dr. Watanabe is still missing.", Kind.TASK),
        ("The grave is in section 14, row C.", Kind.VALUE),
        ("我看表格比看文字舒服。", Kind.PREFERENCE),
        ("备用钥匙在 3 号柜。", Kind.VALUE),
        ("引用判例时写全案号。", Kind.RULE),
    ],
)
def test_likeliest_kind_is_told_by_weak_signs(sentence: str, kind: Kind) -> None:
    """A heading that is about right is good enough."""
    assert kind_of(sentence, sentence.lower()) is kind


@pytest.mark.parametrize(
    "sentence", ["Run the tests.", "Rename foo to bar.", "I see.", "They were all on holiday.", "打开看看。"]
)
def test_idle_sentence_has_no_kind(sentence: str) -> None:
    """What is for the moment is not carried."""
    assert kind_of(sentence, sentence.lower()) is None
