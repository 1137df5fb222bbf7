"""What is no summary is told from one that only speaks of such a thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.core.failure_text import gather
from gateway.core.summary.signs import breaks_off, is_answer, is_call, is_cut, is_echo, is_error


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


# How summaries begin that have no headings: none of these is a call, an error, an answer, or cut.
TELLING = """\
The conversation covers fixing the refund job.
In this conversation, the user and the assistant worked on a report.
This conversation is about deploying the API to staging.
Summary: the user wants charts in the report.
Summary of the conversation so far: the user set up a repository.
**Summary**
- user wants X
User: wants to fix a bug. Assistant: fixed it.
- Fixed the refund job.
We agreed to use sqlite. The next step is the schema.
We decided on Postgres because of JSON support.
You asked for a summary of the sales report; the totals were computed.
Following the user's request, the test was fixed.
First, the user asked for a report. Next, charts were added.
First the report was built, then you were asked for the owner.
To date: refund.py was read and the key was chosen.
To fix the failing test the assistant changed refund.py.
To be done: charts, mail to Li Min.
Currently, two tests fail. The user prefers short answers.
Hi-fi system manual: the user asked for a translation.
No changes were made to production.
No, the user does not want the old format. They want CSV.
Yes/no question on licences was answered with yes.
OK status from all three hosts; the deploy is complete.
Okay from the customer arrived on Friday; contract signed.
Great Expectations was chosen as the validation library.
Let's Encrypt certificates expire on 2026-12-01; renewal is set up.
I/O is the bottleneck; the user wants async writes.
Thanks to caching the page loads in 200 ms.
Sure-fire way was not found; two options remain open.
Sorry state of the test suite: 14 of 20 tests fail.
Unfortunately, it turned out that the API has no paging; workaround chosen.
Apologies were sent to the customer; refund of 20 EUR agreed.
Here is what was decided: sqlite, one file.
Here's the state: tests pass, docs missing.
Error handling was added to the importer; the retry limit is 3.
Error: KeyError in test_refund was reported by the user and fixed by adding attempt.
Failure of the nightly job was traced to a full disk.
Exception handling is still missing in the parser.
Request for charts is open. The report is done.
Timeout of the mailer was raised to 30 s.
Rate limits of the mail API are 100 a minute; worker_count lowered.
Rate limiting was discussed, and the user chose a token bucket.
Connection pooling was enabled; max 20 connections.
None of the tests failed after the fix.
Null values in column price are replaced by 0.
5 tests fail, 118 pass; the user wants them fixed.
500 EUR budget; production must not be touched.
404 errors on /health were fixed by a redirect.
429 too many requests errors since Monday; cause is worker_count.
Quota exceeded errors were solved by raising the plan.
Internal server error on /pay was fixed (null check).
Something went wrong in the deploy on Friday: rollback done, cause unknown.
用户要求修改周报。
我们决定使用 sqlite。
好的方案是使用缓存；用户已同意。
你好世界示例已完成。
对话主题：部署。
本次对话中，用户请求修复错误。
已完成：汇总；待办：图表。
错误处理已加入，重试次数为3。
错误：KeyError 已修复，用户要求补充测试。
接下来要加图表，然后发给李敏。
可以使用 groupby，用户已确认。
目前进展：两个测试失败。
请求超时问题已解决，原因是线程数过多。
明白需求后，助手开始编写脚本。
收到用户的数据文件，已导入。
""".splitlines()
# What assistants say when they go on with a conversation.
SPOKEN = """\
I have fixed the test. Version is now 2.4.1.
The test is fixed! Let me know if you need anything else.
Done! The changelog is written.
Of course. Here's the updated file:
Could you share the contents of refund.py?
What would you like me to do next?
Great, I'll start on the charts.
I've read the file. The function does not use attempt.
Perfect! Running the tests now.
Let me run the tests first.
Please provide the file contents so I can fix it.
The answer is 42.
You should lower worker_count to 4 and restart.
Based on the logs, you need to lower worker_count.
Understood. I will not touch production.
Run `pytest tests/billing` and send me the output.
好的！我来修复这个测试。
已经修复了，请查看。您还需要什么？
没问题，图表马上加上。
请提供更多信息，以便我继续。
根据日志，您需要把 worker_count 调低。
我已经把图表加好了，请您审核。
当然可以！下面是代码：
""".splitlines()

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


@pytest.mark.parametrize("text", TELLING)
def test_summary_may_begin_in_many_ways(text: str) -> None:
    """Free text about what happened is a summary, whatever its first word."""
    assert [sign.__name__ for sign in (is_call, is_error, is_answer, is_echo, is_cut) if sign(text)] == []


@pytest.mark.parametrize("text", SPOKEN)
def test_what_is_said_to_the_user_is_an_answer(text: str) -> None:
    """Going on with the conversation is no summary of it."""
    assert is_answer(text)
