"""Regular expressions taken apart, as far as they tell what letters a match must have."""

from __future__ import annotations

import pytest

from gateway.core.ledger.grammar import (
    Beyond,
    Either,
    Gap,
    Repeat,
    Row,
    Text,
    Unknown,
    Unreadable,
    alternatives,
    begins_with_gap,
    ends_with_gap,
    parsed,
    spread,
)


@pytest.mark.parametrize(
    ("pattern", "node"),
    [
        ("two words", Row((Text("two"), Gap(), Text("words")))),
        (r"\bend\b", Row((Gap(), Text("end"), Gap()))),
        ("retr(?:y|ies)", Row((Text("retr"), Either((Text("y"), Text("ies")))))),
        ("colou?r", Row((Text("colo"), Repeat(Text("u"), 0, False), Text("r")))),
        (r"max\w*", Row((Text("max"), Repeat(Unknown(), 0, True)))),
        (r"a{2,3}", Repeat(Text("a"), 1, True)),
        (r"a{0,1}+", Repeat(Text("a"), 0, False)),
        (r"(?<!not )sure(?= of)", Text("sure")),
        (r"[\s,]", Either((Gap(), Gap(",")))),
        (r"[a-f]", Unknown()),
        (r"[^a]", Unknown()),
        (r"[\u4e00-\u9fff]", Beyond()),
        ("[是为，]", Beyond()),
        ("[-–—]", Either((Gap("-"), Gap("–"), Gap("—")))),
        (r"\$5", Row((Gap("$"), Text("5")))),
        (r"\u6700多", Text("最多")),
    ],
)
def test_part_tells_its_letters(pattern: str, node: object) -> None:
    """Letters are told as they stand, what is beside words is a gap, what may be anything is unknown."""
    found = parsed(pattern)

    if isinstance(node, Either):
        assert isinstance(found, Either)
        assert set(found.parts) == set(node.parts)
    else:
        assert found == node


@pytest.mark.parametrize("pattern", ["(?i:a)", "(?P<a>b)(?P=a)", "(a)(?(1)b|c)"])
def test_what_is_not_known_is_unreadable(pattern: str) -> None:
    """No answer is better than a wrong one."""
    with pytest.raises(Unreadable):
        parsed(pattern)


def test_case_is_folded_where_it_does_not_count() -> None:
    """A pattern that matches in any case is told in small letters; its classes stay what they are."""
    assert parsed(r"Now\W", folds=True) == Row((Text("now"), Gap()))


def test_alternatives_within_a_group_or_a_set_are_none_of_the_pattern() -> None:
    """A pattern is parted where it really branches."""
    assert alternatives(r"a\|b|[|)]|(?:c|d)") == [r"a\|b", "[|)]", "(?:c|d)"]


@pytest.mark.parametrize(
    ("alternative", "parts"),
    [
        (r"\b(?:a|b|c)d(?:e|f)", (r"\b", ["a", "b", "c"], "d(?:e|f)")),
        ("(?:a|b)?c", ("", ["(?:a|b)?c"], "")),
        (r"(?:a|b){2}[(](?:c(?:d|e|f)|g)", ("(?:a|b){2}[(]", ["c(?:d|e|f)", "g"], "")),
    ],
)
def test_widest_group_is_what_an_alternative_is_spread_by(
    alternative: str, parts: tuple[str, list[str], str]
) -> None:
    """A group that may be left out, or repeated, is none of them."""
    assert spread(alternative) == parts


def test_both_ends_of_a_part_are_told() -> None:
    """Whether a word begins or ends at a part depends on all ways through it."""
    part = parsed(r"(?: |\b)\w+(?:, |; )")

    assert begins_with_gap(part)
    assert ends_with_gap(part)
    assert not ends_with_gap(parsed("a |b"))
    assert not begins_with_gap(parsed(r"(?: a)?b"))
