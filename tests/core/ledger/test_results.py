"""What assistants and tools report, and what of it is a value."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.ledger.results import MAX_OF_TOOL, reports_value, tool_lines

REPORTED = Path(__file__).parent / "phrasings" / "reported.yaml"


def rows(who: str) -> list[str]:
    """Return what an assistant or a tool reports."""
    found: list[str] = yaml.safe_load(REPORTED.read_text())[who]
    return found


def test_report_needs_a_word_that_tells() -> None:
    """Numbers in passing are no results."""
    assert reports_value("Saved to out/report.csv.")
    assert not reports_value("Looking at a.py, then b.py, 3 more")
    assert not reports_value("The rest is fine.")


def test_telling_lines_of_a_long_result_are_found_wherever_they_stand() -> None:
    """Beginning and end are read, and of the middle what announces itself."""
    noise = "lorem ipsum dolor\n" * 1000

    found = list(tool_lines(f"version: 4.2.1\n{noise}total: 1,284 rows\n{noise}status: 200\n"))

    assert found == ["version: 4.2.1", "status: 200", "total: 1,284 rows"]


def test_one_result_gives_a_few_values() -> None:
    """A listing does not fill the ledger."""
    assert len(list(tool_lines("\n".join(f"id{n} port: {n}" for n in range(1000, 1030))))) <= MAX_OF_TOOL


def test_code_tells_nothing() -> None:
    """A file that was read is not a result."""
    assert list(tool_lines("def f(x):\n    return x[3] + 1\n\nclass A:\n    n = 5\n")) == []


@pytest.mark.parametrize("row", rows("tool"))
def test_outcome_of_a_tool_is_told(row: str) -> None:
    """Short results are outcomes, in whatever words."""
    assert list(tool_lines(row))


@pytest.mark.parametrize("row", rows("assistant"))
def test_outcome_told_by_an_assistant_is_a_value(row: str) -> None:
    """What was done, and where it is now."""
    assert reports_value(row)


@pytest.mark.parametrize(
    "row",
    [
        "There are 312 unique senders in the mailbox.",
        "The churn works out at 4.27 %, lower than before.",
        "You can find it as pull request #5521.",
        "We've been given Suite 4B for the whole week.",
        "The person who signed off the budget was Ms Okafor.",
        "Looking at the header, the container is encrypted with AES-256-GCM.",
        "After merging duplicates your list went from 96 contacts to 71.",
        "You'll get the passport back by 9 May.",
        "合并请求是 !2208，麻烦有空看一下。",
        "我最后订了云栖客栈的两间房，每间 268 元。",
    ],
)
def test_what_came_out_is_an_outcome_in_whatever_words(row: str) -> None:
    """A number that nobody says in passing, a name with digits, or whom something was settled with."""
    assert reports_value(row)


@pytest.mark.parametrize(
    "row",
    [
        "I'll look at src/a.py next.",
        "Here are 5 ideas.",
        "I ran 3 tests.",
        "Let me open a.py first.",
        "If you have 1000 users, this would take about 20 minutes.",
        "For example, 127.0.0.1 is the loopback address.",
        "Looking at lines 120-180 of a.py",
        "通常默认端口是 8080。",
        "如果有 1000 个用户，大概需要 20 分钟。",
    ],
)
def test_plans_and_counts_are_no_outcome(row: str) -> None:
    """Numbers in passing, and what is only going to be done."""
    assert not reports_value(row)


def test_many_objects_of_one_sort_give_the_first() -> None:
    """A list of rows in JSON is data; its first is enough to know it by."""
    found = list(tool_lines("[" + ",\n".join(f'{{"id": "A-{n}", "state": "open"}}' for n in range(50)) + "]"))

    assert len(found) <= 2
    assert "A-0" in found[0]


def test_identifier_by_itself_is_told_where_it_is_the_result() -> None:
    """Tools answer with nothing but the name of what they made."""
    assert list(tool_lines("Unable to find image\nPulling...\nf3a9c17be402")) == ["f3a9c17be402"]


def test_prose_of_a_page_tells_nothing() -> None:
    """A page is about many numbers, and none of them came of the call."""
    page = "The count is 48. It was 37 in 2019. Some saved 12 of it.\n\n" * 30
    assert list(tool_lines(page)) == []


def test_short_page_in_chinese_is_prose_too() -> None:
    """A paragraph takes less than half of the characters that it takes in English."""
    page = (
        "有几个课题组报告说，模板会跟随数据流。早先的版本把队列当成安静的。"
        "图3画的是涡轮与传感器，一共有12条线。"
    )
    assert not list(tool_lines(page))
    assert list(tool_lines("运单号：SN-6c93a0f1\n承运商：顺达")) == ["运单号：SN-6c93a0f1", "承运商：顺达"]


def test_object_in_the_middle_of_a_long_result_is_told() -> None:
    """It is no data: there is one of it."""
    page = "\n".join(f"{'never mind the weather ' * 3}{chr(97 + n % 26)}" for n in range(90))
    row = '{"build": "53a580595b", "status": "green"}'
    assert list(tool_lines(f"{page}\n{row}\n{page}")) == ['"build": "53a580595b", "status": "green"']


def test_who_is_in_charge_is_told_without_a_digit() -> None:
    """Whose case it is, or what the cause was, has no number in it."""
    assert list(tool_lines("Account owner: Beate Lund\nStage: negotiation")) == ["Account owner: Beate Lund"]


LISTED = "".join(f"row {number} holds {number * 37 % 101}\n" for number in range(40))


@pytest.mark.parametrize(
    "row",
    [
        "<shellId: 6 completed with exit code 0>",
        "Process exited with code 0",
        "Command completed with exit code 0.",
        "Exit code: 0",
        "[exit code: 0]",
        "(exit status 0)",
        "returncode: 0",
        "Wall time: 0.0512 seconds",
        "Chunk ID: 8dk2ks",
    ],
)
def test_end_of_a_command_that_went_well_is_no_value(row: str) -> None:
    """What an agent's shell writes under every result is not carried along; what failed is."""
    assert list(tool_lines(LISTED + row)) == []
    assert list(tool_lines(f"{row}\nOutput:\ncreated ticket OPS-4471")) == ["created ticket OPS-4471"]
    assert list(tool_lines(f"{LISTED}Exit code: 10")) == ["Exit code: 10"]
