"""Decisions, open tasks and rules are found in English and in Chinese."""

from __future__ import annotations

from gateway.strategies import sentences


def test_decisions() -> None:
    """What was settled is found; what was merely looked at is not."""
    text = (
        "I looked at a.py v1.2. The root cause is a race! We will use a lock. 我们决定采用方案二。看了文件。"
    )
    assert list(sentences.decisions(text)) == [
        "The root cause is a race!",
        "We will use a lock.",
        "我们决定采用方案二。",
    ]


def test_open_items() -> None:
    """What is still to be done is found, list items included."""
    text = "Done.\n- [ ] add tests\nNext steps: release\n下一步：修复导入。"
    assert list(sentences.open_items(text)) == [
        "- [ ] add tests",
        "Next steps: release",
        "下一步：修复导入。",
    ]


def test_rules() -> None:
    """What the user wants from now on is found."""
    text = "Fix it. Always run the tests first.\nDon't touch config.yaml. 务必用中文回答。"
    assert list(sentences.rules(text)) == [
        "Always run the tests first.",
        "Don't touch config.yaml.",
        "务必用中文回答。",
    ]


def test_a_sentence_has_bounds() -> None:
    """A sentence without end is cut, and text without any such word costs nothing."""
    (found,) = sentences.decisions("we decided " + "x " * 5000)
    assert len(found) <= 301
    assert found.endswith("…")
    assert list(sentences.decisions("nothing here. " * 1000)) == []


def test_brief_is_one_line() -> None:
    """A short text is whole, in one line; a long one ends in an ellipsis, and only once."""
    assert sentences.brief("a\n  b", 20) == "a b"
    long = sentences.brief("word " * 50, 20)
    assert long == "word word word word…"
    assert sentences.brief(long, 20) == long
