"""The demonstration, run as a newcomer runs it."""

import subprocess
import sys
import urllib.request
from typing import Any

import openai
import pytest

from gateway.demo.conversation import SYSTEM, Conversation, Turn
from gateway.demo.run import Report, main
from gateway.demo.upstream import DemoUpstream, Served, problems


def words(text: str) -> int:
    """Count words, which is near enough to tokens here."""
    return len(text.split())


def test_demo_shows_a_long_conversation_without_an_error() -> None:
    """`haversack demo` ends with 0, having shown a refusal, its rescue, and no error."""
    done = subprocess.run(
        [sys.executable, "-m", "gateway", "demo", "--turns", "20"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    summary = {
        line.rsplit(maxsplit=1)[0].strip(): line.split()[-1] for line in done.stdout.splitlines() if line
    }
    assert int(summary["refused by the upstream as too long"]) > 0
    assert int(summary["requests rescued from such a refusal"]) > 0
    assert int(summary["calls for summaries, beside them"]) > 0
    assert int(summary["compactions that used a summary"]) > 0
    assert summary["errors seen by the client"] == "0"


def test_demo_that_is_too_short_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation that never outgrew the window shows nothing, which is no error: it ends with 0.

    So it does behind a company's proxy, through which this machine cannot be reached.
    """
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "")
    assert main(["--turns", "1"]) == 0
    out = capsys.readouterr().out
    assert "\n1 turn, 3 requests; " in out
    assert "errors seen by the client                   0" in out
    assert "there was nothing to show" in out


def test_demo_that_is_told_to_end_leaves_nothing_running() -> None:
    """SIGTERM ends the gateway that the demonstration started, too, and its folder goes."""
    command = [sys.executable, "-u", "-m", "gateway", "demo", "--turns", "1", "--keep"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        lines = iter(demo.stdout)
        origin = next(line.split()[-1] for line in lines if line.startswith("gateway in front of it"))
        assert any("It is still running" in line for line in lines)
        demo.terminate()
    assert demo.returncode == 143
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(origin, timeout=5)


def test_refusal_that_never_came_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Where requests outgrew the window and the upstream took them all, the window was none: that is told."""
    upstream = DemoUpstream(1000, words)
    upstream.seen.last = [{"role": "system", "content": "s"}, USER]
    report = Report(upstream)
    report.add(Turn(1, requests=1, sent=1001), "s", USER["content"])
    assert not report.end()
    assert "and the upstream refused none" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--turns", "0"], ["--turns", "many"], ["--window", "999"]])
def test_demo_refuses_sizes_that_show_nothing(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No turns, or no room for one, is said at once, with the least that works."""
    with pytest.raises(SystemExit, match="2"):
        main(option)
    assert "a whole number, at least" in capsys.readouterr().err


def test_window_is_real() -> None:
    """Without a gateway the same conversation ends with the vendor's own refusal."""
    upstream = DemoUpstream(1000, words)
    with Served(upstream) as served:
        errors = [error for turn in Conversation(served.url, turns=40) for error in turn.errors]

    assert upstream.seen.refused > 0
    assert "maximum context length is 1000 tokens" in errors[0]


def test_agent_works_through_its_tools() -> None:
    """In a large window each turn reads a file, runs the tests and answers, streamed or not."""
    upstream = DemoUpstream(1_000_000, words)
    with Served(upstream) as served:
        conversation = Conversation(served.url, turns=4)
        turns = list(conversation)

    assert [turn.requests for turn in turns] == [3, 3, 3, 3]
    assert not [error for turn in turns for error in turn.errors]
    roles = [message["role"] for message in conversation.messages]
    assert roles == ["system"] + ["user", "assistant", "tool", "assistant", "tool", "assistant"] * 4


CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1_1"}]}
USER = {"role": "user", "content": "Go on."}


@pytest.mark.parametrize(
    "messages",
    [
        [USER, {"role": "tool", "tool_call_id": "call_1_1", "content": "x"}],
        [USER, CALL],
        [USER, CALL, USER],
        [{"role": "user", "content": None}],
    ],
    ids=["result without call", "call without result", "call left behind", "nothing said"],
)
def test_broken_lists_are_refused(messages: list[Any]) -> None:
    """A list that the vendor would refuse is refused here, so the demonstration cannot hide one."""
    upstream = DemoUpstream(1_000_000, words)
    with Served(upstream) as served:
        client = openai.OpenAI(base_url=served.url, api_key="k", max_retries=0)
        with client, pytest.raises(openai.BadRequestError):
            client.chat.completions.create(model="m", messages=messages)

    assert upstream.seen.malformed


def test_good_list_has_no_problems() -> None:
    """A call with its result, and a user message, are what the vendor accepts."""
    result = {"role": "tool", "tool_call_id": "call_1_1", "content": "x"}
    assert not list(problems([{"role": "system", "content": SYSTEM}, USER, CALL, result, USER]))
