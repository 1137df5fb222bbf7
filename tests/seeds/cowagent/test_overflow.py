"""The fourth stage of CowAgent's memory, through the whole gateway: the upstream says that it is too long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from answers import Answer, Recorded, json_answer, text_answer
from gateway.core.summary.form import TASK
from refusing import Got, ask
from running import Running
from seeds.cowagent.memory import HEAD, turn
from upstream import ScriptedUpstream

NOW = {"role": "user", "content": "And now, what about the roof?"}
LOG = "line of a log\n" * 1300
PASTED = {"role": "user", "content": "What of this?\n" + "pasted line of it\n" * 900}
COMPLETION = 500
LIMIT = "context_length_exceeded"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """One upstream and one gateway; each test has a model and a key of its own."""
    folder = tmp_path_factory.mktemp("cowagent")
    with (
        ScriptedUpstream() as upstream,
        Running(upstream.url, folder / "data", "--policy", "cowagent") as gateway,
    ):
        yield upstream, gateway


def talk(words: int = 60) -> list[dict[str, Any]]:
    """Return nine turns; in old ones stand a result of under 20,000 characters and a long user text."""
    said = [message for n in range(8) for message in turn(n, words, result="ok")]
    said[4 * 4] = PASTED
    said[5 * 4 + 2] = {**said[5 * 4 + 2], "content": LOG}
    return [HEAD, *said, NOW]


def refuse(upstream: ScriptedUpstream, share: float) -> list[Recorded]:
    """Let a window be a share of what comes first, and return what will have come of the client's."""
    seen: list[Recorded] = []

    def script(request: Recorded) -> Answer:
        if "/chat/completions" in request.target and TASK.encode() not in request.body:
            seen.append(request)
            upstream.window = int(seen[0].tokens.total * share)
        return upstream.vendor(request)

    upstream.script = script
    return seen


def send(gateway: Running, model: str, messages: list[dict[str, Any]]) -> Got:
    """Send a conversation; it gets its answer."""
    body = {"model": model, "max_tokens": COMPLETION, "messages": messages}
    got = ask(gateway.port, body, authorization=f"Bearer {model}")
    assert got.status == 200
    return got


def said_by(role: str, request: Recorded) -> list[str]:
    """Return what one role says in a request."""
    return [message["content"] for message in request.messages if message["role"] == role]


def test_results_and_user_texts_come_down_to_10_000_characters(
    stage: tuple[ScriptedUpstream, Running],
) -> None:
    """Row "stage 4": tool results and user text are cut to 10,000 characters; nothing else is touched."""
    upstream, gateway = stage
    seen = refuse(upstream, 0.8)
    got = send(gateway, "caps", talk())
    assert got.header("x-haversack-steps") == "tool_results,user_text"
    first, second = seen
    assert len(second.messages) == len(first.messages)
    changed = [n for n, message in enumerate(first.messages) if message != second.messages[n]]
    assert changed == [1 + 4 * 4, 1 + 5 * 4 + 2]
    assert all(len(second.messages[n]["content"]) <= 10_000 for n in changed)
    assert "characters left out" in second.messages[changed[0]]["content"]


def test_five_turns_stay_and_the_rest_is_told_of(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Row "stage 4": everything before the newest 5 turns is summed up, in the first user message kept."""
    upstream, gateway = stage
    seen = refuse(upstream, 0.72)
    got = send(gateway, "turns", talk(words=900))
    assert got.header("x-haversack-steps") == "tool_results,user_text,digest"
    users = said_by("user", seen[-1])
    assert len(users) == 5
    assert users[0].startswith("<haversack-digest>\n")
    assert all(f"Well, and part {n}?" in users[0] for n in range(4))
    assert users[-1] == NOW["content"]


def test_all_is_cleared_but_head_and_latest_request(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Row "stage 4": what still does not fit is cleared; what was said is told of as far as there is room."""
    upstream, gateway = stage
    seen = refuse(upstream, 0.2)
    got = send(gateway, "cleared", talk())
    assert got.header("x-haversack-steps").endswith(",clear")
    assert seen[-1].messages[0] == HEAD
    assert seen[-1].messages[-1] == NOW
    assert not said_by("tool", seen[-1])
    assert [text for text in said_by("user", seen[-1]) if "haversack-digest" not in text] == [NOW["content"]]


def test_second_refusal_clears(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Row "stage 4": if it overflows again, only head and latest request are sent; the client is answered."""
    upstream, gateway = stage
    seen: list[Recorded] = []

    def script(request: Recorded) -> Answer:
        if "/chat/completions" not in request.target:
            return upstream.vendor(request)
        seen.append(request)
        error = {"message": "prompt is too long", "type": "invalid_request_error", "code": LIMIT}
        is_long = len(request.messages) > 2
        return json_answer({"error": error}, status=400) if is_long else text_answer(request, "Done.")

    upstream.script = script
    assert send(gateway, "again", talk()).header("x-haversack-action") == "rescued"
    assert len(seen) <= 3
    assert seen[-1].messages == [HEAD, NOW]


def test_strict_template_takes_what_is_sent(stage: tuple[ScriptedUpstream, Running]) -> None:
    """Row "stage 2": with the digest in the message of the user roles alternate, as templates want it."""
    upstream, gateway = stage
    seen = refuse(upstream, 1.5)
    upstream.alternating = True
    send(gateway, "strict", [HEAD, *(message for n in range(20) for message in turn(n)), NOW])
    upstream.alternating = False
    assert "<haversack-digest>" in seen[-1].messages[1]["content"]
    assert len(seen[-1].messages) == 22


@pytest.mark.parametrize("share", [0.9, 0.7, 0.5])
def test_numbers_of_the_error_say_how_far(stage: tuple[ScriptedUpstream, Running], share: float) -> None:
    """Row "stage 4", also support: one rescue, to (limit - completion - head) x 0.9 at most."""
    upstream, gateway = stage
    seen = refuse(upstream, share)
    even = [message for n in range(17) for message in turn(n, 300)]
    send(gateway, f"numbers-{share}", [HEAD, *even, NOW])
    assert len(seen) == 2
    limit = int(seen[0].tokens.total * share)
    allowed = (limit - COMPLETION) * 0.9
    assert 0.5 * allowed <= seen[1].tokens.messages <= allowed * 1.01
