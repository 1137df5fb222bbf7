"""What is wrong with the syntax of a file is told in plain words, with a way out."""

from __future__ import annotations

import pytest

from gateway.policy.document import Source, parse


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("trigger:\n\tratio: 0.7", "2: is not YAML: a tab stands where only spaces may; put spaces"),
        ("window:\t1000", "1: is not YAML: a tab stands where only spaces may; put spaces in its place"),
        ("model: @cf/x", "1: is not YAML: no text begins with @; put it in quotes"),
        ("focus: %x", "1: is not YAML: no text begins with %; put it in quotes"),
        ("model: `x`", "1: is not YAML: no text begins with `; put it in quotes"),
        ("a: *", '1: is not YAML: what begins with * must be put in quotes, as in "*-mini"'),
        ("a: & x", "1: is not YAML: what begins with & must be put in quotes"),
        (
            "focus: keep this: all of it",
            "1: is not YAML: a colon stands where none may; put a text that holds",
        ),
        (
            "extends default\nwindow: 1",
            "2: is not YAML: a colon stands where none may; put a text that holds",
        ),
        ("a: - b", "1: is not YAML: a list begins behind a colon; write each `- ` in a line of its own"),
        ("a: 1\nwindow:1\nb: 2", "2: is not YAML: a line has no colon with a space behind it; write it as"),
        ("a: [1\nb: 2", "2: is not YAML: the bracket of line 1 is not closed, or a comma is missing"),
        ("a: {b: 1\nb: 2", "2: is not YAML: the bracket of line 1 is not closed, or a comma is missing"),
        ("a: [", "1: is not YAML: the bracket of line 1 is not closed, or a comma is missing"),
        ("a: 1\nb: 'x\nc: 1\n", "2: is not YAML: the quotation mark of line 2 has no other one; put that"),
        ('a: "\\d"', "1: is not YAML: a backslash in double quotes has a meaning of its own; write single"),
        (
            "a: 'it's'",
            "1: is not YAML: something stands behind a closing quotation mark; put all of the text",
        ),
        (
            "a: [1]]",
            "1: is not YAML: a bracket or comma stands alone; take it out, or put the text in quotes",
        ),
        ("a: ,", "1: is not YAML: a bracket or comma stands alone; take it out, or put the text in quotes"),
        (
            "a:\n  b: 1\n c: 2",
            "3: is not YAML: this line begins further left or right than those from line 1 on that it",
        ),
        ("a:\n  - b: 1\n - c: 2", "3: is not YAML: this line begins further left or right than those from"),
        ("a: 1\n---\nb: 2", "2: is not YAML: a second document begins (---), and a file holds one; make it"),
        ("{a: 1}\nb: 2", "2: is not YAML: something stands behind the end of what the file holds; take it"),
        ("a: |x\n  b", "1: is not YAML: a text behind | or > begins in the next line"),
        ("a: &x 1\nb: &x 2", "2: is not YAML: a name behind & is given twice; take one out"),
        ("a: 1\nb: x\x07", "2: is not YAML: holds the control character U+0007; take it out"),
        ("a: !x!y 1", "1: is not YAML: found undefined tag handle '!x!'"),
    ],
)
def test_slip_is_told_with_its_line_and_a_way_out(text: str, problem: str) -> None:
    """The parser's tokens and blocks say nothing to whoever wrote the file; what is rare is passed on."""
    source = Source("f")
    assert parse(text.encode(), source) == {}
    (found,) = map(str, source.problems)
    assert found.startswith(f"f:{problem}")
