"""Readings and writings of files are told from everything else that agents do."""

from __future__ import annotations

import pytest

from gateway.strategies.files import READS, WRITES, Part, read_part, written


@pytest.mark.parametrize(
    ("name", "arguments", "part"),
    [
        ("read_file", '{"path": "a.py"}', Part("a.py", b"{}")),
        ("mcp__files__read_file", '{"path": "a.py"}', Part("a.py", b"{}")),
        ("Read", '{"limit": 5, "file_path": "a.py", "offset": 2}', Part("a.py", b'{"limit":5,"offset":2}')),
        ("read", '{"filePath": "a.py", "offset": null}', Part("a.py", b"{}")),
        ("read_file", '{"target_file": "a.py", "explanation": "To see."}', Part("a.py", b"{}")),
        ("read_file", '{"path": "a.py", "file": "b.py"}', None),
        ("read_file", '{"paths": ["a.py"]}', None),
        ("read_file", '{"path": 5}', None),
        ("read_file", "[]", None),
        ("read_file", "{broken", None),
        ("read_file", '{"path": "\\ud83d"}', Part("\ud83d", b"{}")),
        ("bash", '{"path": "a.py"}', None),
        ("read_memory", '{"path": "a.py"}', None),
    ],
)
def test_reading_is_known_by_its_tool_and_its_path(name: str, arguments: str, part: Part | None) -> None:
    """Agents name tools and arguments differently; which part of the file is read decides, not why."""
    assert read_part(name, arguments, READS) == part


@pytest.mark.parametrize(
    ("name", "arguments", "content"),
    [
        ("Write", '{"file_path": "a.py", "content": "x"}', "x"),
        ("write_to_file", '{"path": "a.py", "content": "x", "description": "new"}', "x"),
        ("write_file", '{"path": "a.py", "content": "x", "append": true}', None),
        ("write_file", '{"path": "a.py", "text": "x", "content": "y"}', None),
        ("write_file", '{"path": "a.py"}', None),
        ("write_file", '{"path": "a.py", "content": {"x": 1}}', None),
        ("edit_file", '{"path": "a.py", "content": "x"}', None),
    ],
)
def test_only_a_whole_new_content_is_a_writing(name: str, arguments: str, content: str | None) -> None:
    """What appends, edits, or says more than path and content does not tell what the file is now."""
    found = written(name, arguments, WRITES)
    assert (found.content if found else None) == content
