"""A summary asked for behind the conversation: read from the provider's cache, or asked for as ever."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from engine.summarising import GOOD, TALK, TARGETS, Bench, Reply, Scripted, Step, bench, chatted, job, ruled
from engine.summing import NEAR, drained, run
from engine.summing import POLICY as SUMMING
from engine.summing import Scripted as Writer
from engine.summing import sent as sent_through
from gateway.core.conversation import Message
from gateway.core.frozen import replace
from gateway.core.summary.form import TASK
from gateway.engine.subject import Asked
from gateway.engine.summary_reuse import Whole
from gateway.policy.rules import SummarizerRules
from gateway.store.base import Checkpoint
from gateway.wire import WIRE_FORMATS
from wired import PLACE, URL, Engine, engine, failed, words

TOOLS = b'[{"type":"function","function":{"name":"read_file","parameters":{}}}]'
TAIL = (chatted("assistant", "It passes; tests/test_vat.py is new."), chatted("user", "Go on."))
ASKED = ruled(reuse_prefix=True)


def whole(*more: Message, tokens: int = 1300, has_images: bool = False) -> Whole:
    """Return a conversation as it goes out, with more than the messages that are summed up."""
    items = b", ".join(message.raw for message in (*TALK, *TAIL, *more))
    body = b'{"model": "m", "stream": true, "messages": [%s], "tools": %s}' % (items, TOOLS)
    return Whole(body, tokens, has_images)


def written(made: Bench, *steps: Step, **changes: Any) -> tuple[str | None, Scripted]:
    """Return what a model that answers so writes, and that model."""
    model = Scripted(*steps)
    return made.write(job(model, ASKED, **{"whole": whole(), **changes})), model


def plain(model: Scripted) -> list[bool]:
    """Return of each call whether it stood alone."""
    return [TASK in call.texts[1] for call in model.calls]


def test_conversation_goes_out_again_with_one_instruction() -> None:
    """The same bytes of messages and tools, no call, no stream; the instruction is the last message."""
    with bench() as made:
        text, model = written(made, GOOD)

    (call,) = model.calls
    messages = whole().body[whole().body.index(b"[") : whole().body.index(b'], "tools"')]
    assert text == GOOD
    assert made.ended == ("written", "reused")
    assert messages in call.seen.body
    assert TOOLS in call.seen.body
    assert (call.body["tool_choice"], call.body["stream"]) == ("none", False)
    assert "write working notes on all of it" in call.user
    assert "It passes" not in call.user


def test_what_the_model_is_shown_besides_is_not_made_up() -> None:
    """It may tell of all that it was sent; what stands nowhere is still refused."""
    with bench() as made:
        text, _ = written(made, f"{GOOD}\n- tests/test_vat.py is new.")
        assert text is not None
        text, model = written(made, f"{GOOD}\n- See src/discount.py and ORDER-7777.")

    assert text is None
    assert plain(model) == [False, False, True, True]


CALLS = Reply("", has_calls=True)
FORMED = b'"response_format": {"type": "json_object"}'
REFUSALS: dict[str, tuple[list[Step], list[bool]]] = {
    "unknown choice": ([failed(400, "Unknown value 'none' for tool_choice."), GOOD], [False, True]),
    "calls all the same": (
        [Reply("", has_calls=True), Reply("", has_calls=True), GOOD],
        [False, False, True],
    ),
    "goes on": (["Sure! Shall I go on?", "Sure! Shall I go on?", GOOD], [False, False, True]),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_model_that_cannot_do_it_is_asked_plainly_from_then_on(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Once is enough to learn that an upstream or a model does not do it; it is tried again after an hour.

    The log says so once.
    """
    steps, calls = REFUSALS[name]
    with bench() as made:
        text, model = written(made, *steps)
        assert (text, plain(model)) == (GOOD, calls)
        assert made.ended == ("written", "")
        assert plain(written(made, GOOD)[1]) == [True]
        (line,) = [vars(record) for record in caplog.records if record.levelname == "WARNING"]
        assert (line["message"], line["model"], line["seconds"]) == ("reuse_prefix paused", "m", 3600)
        assert line["reason"] in ("refused", "tool_call", "answers")
        made.clock.now += 3601
        assert plain(written(made, GOOD)[1]) == [False]


def test_other_key_tries_for_itself() -> None:
    """What one key's account does not do is not held against another's."""
    with bench() as made:
        written(made, failed(400, "Unknown value 'none' for tool_choice."), GOOD, scope="one")
        assert plain(written(made, GOOD, scope="one")[1]) == [True]
        assert plain(written(made, GOOD, scope="two")[1]) == [False]


@pytest.mark.parametrize(
    "changes",
    [
        {"whole": whole(tokens=17_000)},
        {"whole": None},
        {
            "whole": replace(
                whole(),
                body=whole().body.replace(b'"stream": true', b'"response_format": {"type": "json_object"}'),
            )
        },
    ],
)
def test_what_does_not_fit_is_asked_plainly_at_once(changes: dict[str, Any]) -> None:
    """Too long with instruction and answer, or in a form of its own: nothing is tried, nothing is learned."""
    with bench() as made:
        text, model = written(made, GOOD, **changes)
        assert (text, plain(model)) == (GOOD, [True])
        assert plain(written(made, GOOD)[1]) == [False]


def test_too_long_after_all_is_asked_plainly() -> None:
    """The window that the upstream names is learned, and the call is not repeated."""
    tight = failed(400, "This model's maximum context length is 1500 tokens.", "context_length_exceeded")
    with bench() as made:
        text, model = written(made, tight, GOOD)

    assert text == GOOD
    assert plain(model) == [False, True]


def test_upstream_that_is_busy_is_not_asked_twice() -> None:
    """What is no fault of the form ends the job as ever."""
    with bench() as made:
        text, model = written(made, failed(429, "slow down"))

    assert (text, len(model.calls)) == (None, 1)
    assert made.ended == ("failed", "busy")


def test_other_models_read_plain_text() -> None:
    """What a model to fall back on would read has no place in its cache."""
    with bench() as made:
        model = Scripted(failed(404, "no such model"), GOOD)
        policy = ruled(reuse_prefix=True, fallback_models=("other",))
        assert made.write(job(model, policy, whole=whole())) == GOOD

    assert (model.models, plain(model)) == (["m", "other"], [False, True])


def test_pictures_teach_no_count() -> None:
    """Their tokens are not ours to count, and no prompt was cut because they cost less."""
    with bench() as made:
        text, _ = written(made, Reply(GOOD, spent=(90_000, 100)), whole=whole(has_images=True))
        assert text == GOOD
        assert not made.windows.correction(job(Scripted(GOOD)).upstream.base_url, "m").calibrated


@pytest.mark.parametrize("wire", ["openai_responses", "anthropic_messages"])
def test_other_dialects_ask_behind_their_own_lists(wire: str) -> None:
    """Each in its own form of a message."""
    name = b"input" if wire == "openai_responses" else b"messages"
    body = b'{"model": "m", "%s": [{"role": "user", "content": "src/price.py"}]}' % name
    with bench() as made:
        text, model = written(made, GOOD, whole=Whole(body, 9), wire=wire)

    assert text == GOOD
    assert model.calls[0].seen.target == TARGETS[wire]
    assert len(model.calls[0].body[name.decode()]) == 2


@pytest.mark.parametrize("reuse", [True, False])
def test_job_has_what_it_is_filed_under(reuse: bool) -> None:
    """The beginning of what went out byte for byte, if the policy says so; else nothing is kept of it."""
    writer = Writer()
    policy = replace(SUMMING, summarizer=SummarizerRules(reuse_prefix=reuse))

    async def check(made: Engine) -> None:
        body = await sent_through(made, NEAR, policy)
        await drained(made)
        (work,) = writer.jobs
        assert (work.whole is not None) == reuse
        if work.whole is not None:
            items = told(work.whole)
            assert items == json.loads(body)["messages"][: len(items)]
            assert work.whole.body.endswith(work.messages[-1].raw + b"]}")
            assert b"now now" not in work.whole.body

    run(check, writer)


CALLING: list[dict[str, Any]] = [
    {"role": "system", "content": "You help."},
    {"role": "user", "content": "Read both."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": "read", "arguments": "{}"}} for i in "ab"
        ],
    },
    {"role": "tool", "tool_call_id": "a", "content": "one"},
    {"role": "tool", "tool_call_id": "b", "content": "two"},
    {"role": "user", "content": "Delete all."},
]
BLOCKS: list[dict[str, Any]] = [
    {"role": "user", "content": "Read it."},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "one"}]},
    {"role": "assistant", "content": "It says one."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Delete all.", "cache_control": {"type": "ephemeral"}}],
    },
]
ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "Read it."},
    {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "e"},
    {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "a", "output": "one"},
    {"role": "user", "content": "Delete all."},
]
# Where a beginning may end, in slices: of Responses what is reasoned goes with its call.
LISTS: dict[str, tuple[str, list[dict[str, Any]], list[int]]] = {
    "openai_chat": ("messages", CALLING, [1, 2, 5, 6]),
    "anthropic_messages": ("messages", BLOCKS, [1, 3, 4, 5]),
    "openai_responses": ("input", ITEMS, [1, 3, 4]),
}


def beginning(wire: str, length: int, base: Checkpoint | None = None) -> Whole | None:
    """Return so many messages of a conversation with calls, as they go out."""
    name, items, _ = LISTS[wire]
    body = json.dumps({"model": "m", "stream": True, name: items}).encode()

    async def made_of() -> Whole | None:
        async with engine() as made:
            lens = WIRE_FORMATS[wire]
            asked = Asked(lens, lens.read(body), URL, "m", words)
            return Whole.of(await made.parts.compactor.examine(asked, PLACE, SUMMING), base, length)

    return asyncio.run(made_of())


def told(whole: Whole | None, name: str = "messages") -> list[dict[str, Any]]:
    """Return the list of a request."""
    assert whole is not None
    items: list[dict[str, Any]] = json.loads(whole.body)[name]
    return items


@pytest.mark.parametrize("wire", LISTS)
def test_beginning_ends_before_a_round(wire: str) -> None:
    """Calls go with their results: a list that a vendor would refuse is not sent."""
    name, items, ends = LISTS[wire]
    found = {length: beginning(wire, length) for length in range(1, ends[-1] + 1)}
    assert [length for length, whole in found.items() if whole is not None] == ends
    assert "Delete all" not in str(told(found[ends[-2]], name))
    assert told(found[ends[-1]], name) == items
    tokens = [whole.tokens for whole in found.values() if whole is not None]
    assert tokens == sorted(set(tokens))


def test_cache_mark_stands_at_the_end_of_the_beginning() -> None:
    """The vendor reads from its cache only back from a mark, and the client's stood on what is not sent."""
    last = told(beginning("anthropic_messages", 4))[-1]
    assert last["content"] == [
        {"type": "text", "text": "It says one.", "cache_control": {"type": "ephemeral"}}
    ]


def test_beginning_goes_on_from_what_is_frozen() -> None:
    """What was compacted goes out as it is frozen; what a part of that was made of cannot be told."""
    note = b'{"role":"user","content":"noted"}'
    base = Checkpoint(b"p", 2, (0, note), 6, 0, "")
    assert [item["content"] for item in told(beginning("openai_chat", 5, base))] == [
        "You help.",
        "noted",
        None,
        "one",
        "two",
    ]
    assert told(beginning("openai_chat", 2, base))[-1]["content"] == "noted"
    assert beginning("openai_chat", 1, base) is None
