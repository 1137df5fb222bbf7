"""What is no summary is told from one that only speaks of such a thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.core.failure_text import gather
from gateway.core.summary.signs import breaks_off, is_answer, is_call, is_cut, is_error


@pytest.mark.parametrize(
    "text",
    [
        "The user reported an error: 429 from the API.",
        "Errors 429 were caused by eight workers.",
        "Failed tests: test_twice; fixed by adding attempt.",
        "429 errors came up since Monday and are fixed now.",
        "Fixed the timeout of the mailer.",
        "用户遇到错误：服务器返回 429，已修复。",
        "Sorting by region was wrong.",
        "The request was to lower worker_count.",
    ],
)
def test_summary_about_errors_is_none(text: str) -> None:
    """Only what is an error as a whole is one."""
    assert not is_error(text)


RECORDED = [
    case["body"] if isinstance(case["body"], str) else json.dumps(case["body"])
    for file in sorted((Path(__file__).parents[2] / "failures").glob("*.json"))
    for case in json.loads(file.read_text())
    if isinstance(case, dict) and case.get("body") is not None
]


def test_errors_of_upstreams_are_known() -> None:
    """What upstreams really say when a call fails is taken for no summary, whole or its sentence alone."""
    sentences = {text for body in RECORDED for text in gather(body.encode()).texts[:1] if len(text) > 30}
    told = [text for text in sentences if is_error(text)]

    assert len(RECORDED) > 500
    assert sum(map(is_error, RECORDED)) > 0.85 * len(RECORDED)
    assert len(told) > 0.6 * len(sentences)


@pytest.mark.parametrize(
    "text",
    [
        "The user wants to fix the price.",
        "User asked for charts; they are done.",
        "To-do: fix the test, bump the version.",
        "Notes: nothing was decided.",
        "Yesterday's deploy failed; the cause is known.",
        "Identified the cause.",
        "Heading for a release on Friday.",
        "Initial state: two tests fail.",
        "用户想修改价格，已完成。",
        "我们的目标：修改价格。",
        "Here is a summary of what happened: the price was fixed.",
        "I/O errors in the log were fixed.",
        "No decisions were made.",
    ],
)
def test_summary_is_no_answer(text: str) -> None:
    """What tells of the conversation does not speak to the user."""
    assert not is_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "Called read_file({}) and run({}); both failed.",
        '## Calls\n{"name": "run"}',
        "write(path) was used",
        "- run(cmd='make')",
    ],
)
def test_summary_of_calls_is_no_call(text: str) -> None:
    """A call that is quoted was made by somebody else."""
    assert not is_call(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Goal\n- users can log in",
        "## Goal\n- fix `src/a.py`",
        "Done.",
        "- port 5432",
        "已达到预期的目的",
        "完成核对",
        "**Blocked:** nothing",
        "- a.\n- b.\n- c.\n- d.\n- e.\n- none",
        "- what the option is for",
    ],
)
def test_text_with_an_end_is_whole(text: str) -> None:
    """Items of lists end without a full stop, and with many a short word."""
    assert not is_cut(text)
    assert not breaks_off(text)


@pytest.mark.parametrize(
    "text",
    [
        "- the key is order_id and",
        "- fix (src/a.py,",
        "```python\nx = 1",
        "已经汇总，因为",
        "使用 groupby 和",
    ],
)
def test_text_that_breaks_off_is_known_by_its_last_word(text: str) -> None:
    """No sentence ends there, whatever the upstream says of how it ended."""
    assert breaks_off(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Goal\n- x\n## Next Steps",
        "The user wants the refund job to be idempotent and has asked to keep the old beha",
        "- One is done.\n- Two is.\n- Three is.\n- Four is done.\n- The fifth of them was begun when the wo",
    ],
)
def test_end_may_be_lost_where_nobody_says_otherwise(text: str) -> None:
    """A heading without content, long prose without a full stop, the only line without one."""
    assert is_cut(text)
    assert not breaks_off(text)
