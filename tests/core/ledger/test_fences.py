"""What of a block between fences is read."""

from __future__ import annotations

import pytest

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.fences import is_read, mode


@pytest.mark.parametrize(
    ("label", "kind", "expected"),
    [
        ("Python title=a.py", None, "code"),
        (" TOML", Kind.RULE, "data"),
        ("text", None, "skip"),
        ("text", Kind.RULE, "words"),
        ("", None, "code"),
        ("", Kind.TASK, "words"),
    ],
)
def test_block_is_read_by_its_label_and_the_heading_above(
    label: str, kind: Kind | None, expected: str
) -> None:
    """What was pasted is left out, unless a heading says that it is the user's own."""
    assert mode(label, kind) == expected


@pytest.mark.parametrize(
    ("line", "how", "expected"),
    [
        ("push()  # never to main", "code", True),
        ("push()", "code", False),
        ('"port": 8443,', "data", True),
        ("port = 8443", "code", False),
        ("# never to main", "skip", False),
    ],
)
def test_comments_are_read_and_settings_of_data(line: str, how: str, expected: bool) -> None:
    """Code itself says nothing of what its author wants."""
    assert is_read(line, how) is expected
