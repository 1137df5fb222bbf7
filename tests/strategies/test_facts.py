"""What a digest notes about a conversation."""

from __future__ import annotations

import json

import pytest

from gateway.core.conversation import Block, Kind, Message, Role
from gateway.strategies import chains, marks
from gateway.strategies.chains import Chain
from gateway.strategies.facts import facts, is_change, outcome, signature
from gateway.strategies.notes import Section
from gateway.strategies.shorten import Cap, Counted, shorten
from gateway.wire.anthropic_messages import AnthropicMessages
from gateway.wire.openai_chat import OpenAIChat


def said(role: Role, text: str) -> Message:
    return Message(role, (Block(Kind.TEXT, text, 1),), 5)


def call(*named: tuple[str, str, str]) -> Message:
    blocks = tuple(Block(Kind.TOOL_CALL, arguments, 1, None, id, name) for id, name, arguments in named)
    return Message(Role.ASSISTANT, blocks, 5)


def result(id: str, *texts: str) -> Message:
    return Message(Role.TOOL, tuple(Block(Kind.TOOL_RESULT, text, 1, None, id) for text in texts), 5)


def noted(section: Section, *messages: Message) -> list[str]:
    return list(facts(messages).entries[section])


def test_results_under_one_id_go_to_their_calls_in_order() -> None:
    """Where a client sends empty ids, the first result belongs to the first call."""
    lines = noted(
        Section.CALLS,
        call(("", "f", "{}"), ("", "g", "{}")),
        result("", "one"),
        result("", "two"),
        result("", "x"),
    )
    assert lines == ["f() → one", "g() → two"]


def test_picture_in_a_result_is_not_taken_for_its_text() -> None:
    """A result that came with a screenshot is noted by what it says."""
    picture = Block(Kind.IMAGE, "", 765, None, "a")
    shown = Message(Role.TOOL, (picture, Block(Kind.TOOL_RESULT, "saved", 1, None, "a")), 770)

    assert noted(Section.CALLS, call(("a", "screenshot", "{}")), shown) == ["screenshot() → saved"]


def test_call_without_result() -> None:
    """A call that was interrupted is noted as that, never as success."""
    assert noted(Section.CALLS, call(("a", "f", "{}")), said(Role.USER, "stop")) == ["f() → no result"]


def test_attachments_are_mentioned() -> None:
    """A picture cannot be carried along; that there was one is said."""
    message = Message(Role.USER, (Block(Kind.TEXT, "Look:", 1), Block(Kind.IMAGE, "", 900)), 905)
    assert noted(Section.USER, message) == ["Look:\n[1 attachments, not carried along]"]


def test_only_the_last_answer_of_a_turn() -> None:
    """What was said on the way is not an answer; what the gateway made the assistant say is nothing."""
    view = [
        said(Role.USER, "a"),
        said(Role.ASSISTANT, "on the way"),
        said(Role.ASSISTANT, "done"),
        said(Role.USER, "b"),
        said(Role.ASSISTANT, marks.ACKNOWLEDGEMENT),
        said(Role.ASSISTANT, marks.gap(3)),
    ]
    assert noted(Section.ANSWERS, *view) == ["done"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "empty"),
        ("42", "42"),
        ("a\nb\n" * 50, "ok, 100 lines, 200 characters"),
        ("x" * 500, "ok, 500 characters"),
        ("Error: no such file\nat x", "error: no such file"),
        ("KeyError: 'a'", "error: KeyError: 'a'"),
        ("a\n" * 30 + "4 passed in 0.12s\n", "ok, 31 lines, 78 characters: 4 passed in 0.12s"),
        ("a\n" * 30 + "Total: 1,284 rows", "ok, 31 lines, 77 characters: Total: 1,284 rows"),
        ('{"error": "denied"}\n', 'error: {"error": "denied"}'),
        ("some output\nexit code: 2", "error: exit code: 2, some output"),
        ("errors: none found in any\nof the files", "errors: none found in any; of the files"),
        (marks.stub("x", 9, "f", 0), f"put away as {marks.content_id('x')}"),
    ],
)
def test_outcomes(text: str, expected: str) -> None:
    """In a few words: a short result itself, a failure by its first line, else the size and what tells."""
    assert outcome(text) == expected


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("write_file", "{}", True),
        ("createIssue", "{}", True),
        ("read_file", '{"path": "rm"}', False),
        ("bash", '{"command": "cd a && git commit -m x"}', True),
        ("bash", '{"command": "ls | grep a > out.txt"}', True),
        ("bash", '{"command": "pytest -q"}', False),
        ("settings", "no json", False),
    ],
)
def test_side_effects(name: str, arguments: str, expected: bool) -> None:
    """A call that changes something is told from one that looks."""
    assert is_change(name, arguments) is expected


def test_line_that_a_step_quoted_is_told() -> None:
    """What was of note in the middle of a result, which is cut since, still tells what came of the call."""
    hits = [f"src/part{chr(97 + n % 26)}.py:{n}:    items = take_{n}()" for n in range(80)]
    hits[40] = "Cheapest plan: 41.80 per seat, ref 9932"
    whole = "\n".join(hits)
    cut = shorten(Counted(whole, len(whole)), Cap(1500), len).text
    assert cut != whole
    assert outcome(cut) == f"ok, {len(whole)} characters: Cheapest plan: 41.80 per seat, ref 9932"


def test_signature_keeps_paths_whole() -> None:
    """The path says what a call was about; a long text beside it is cut."""
    path = "src/" + "deep/" * 30 + "a.py"
    line = signature("edit", json.dumps({"path": path, "new": "y" * 300, "count": 3}))
    assert f"path={path}" in line
    assert line.endswith("count=3)")
    assert len(line) < 300


def test_signature_of_odd_arguments() -> None:
    """Arguments that are no object, or none, are no reason to fail."""
    assert signature("f", "") == "f()"
    assert signature("f", "[1, 2]") == "f([1, 2])"
    assert signature("patch", "*** Begin\n+ a") == "patch(*** Begin + a)"


def test_note_on_a_chain_is_taken_over() -> None:
    """Calls that were folded into one note are told with their counts, and its own round not once more."""
    look = chains.call("read_file(path=a.py)", "ok, 30 lines", changes=False)
    write = chains.call("write_file(path=b.py)", "written", changes=True)
    note = Chain((look, look, chains.said("Now the other one."), write), 2).text()
    view = [said(Role.USER, "Go."), call(("a", "write_file", '{"path": "b.py"}')), result("a", note)]

    noted_all = facts(view)

    assert noted_all.entries[Section.CALLS] == ["2× read_file(path=a.py) → ok, 30 lines"]
    assert noted_all.entries[Section.CHANGES] == ["write_file(path=b.py) → written"]
    assert noted_all.entries[Section.ANSWERS] == ["Now the other one."]
    assert noted_all.left_out == 2


def test_result_that_is_marked_as_a_failure_is_told_as_one() -> None:
    """What only its mark says to have failed, as Anthropic's format has it, is no success."""
    wire = AnthropicMessages()
    text = "\n".join(f"line {n} of what the hook had to say about it" for n in range(9))

    def answered(**more: bool) -> str:
        block = {"type": "tool_result", "tool_use_id": "a", "content": text, **more}
        return json.dumps({"role": "user", "content": [block]}, separators=(",", ":"))

    def told(raw: str) -> str:
        return noted(Section.CALLS, call(("a", "f", "{}")), wire.message(raw.encode(), len, 1))[0]

    assert told(answered(is_error=True)).startswith("f() → error: line 0 of")
    assert told(answered(is_error=False)).startswith("f() → ok, 9 lines")
    assert told(answered()).startswith("f() → ok, 9 lines")
    quoting = answered().replace(json.dumps(text), json.dumps('Set "is_error":true there.'))
    assert told(quoting) == 'f() → Set "is_error":true there.'


def test_several_users_are_told_apart() -> None:
    """Who said what stands before it, where messages bear names."""
    wire = OpenAIChat()
    messages = [
        wire.message(json.dumps({"role": "user", "name": name, "content": text}).encode(), len, at)
        for at, (name, text) in enumerate([("alice", "I prefer tabs."), ("bob", "Bob: I prefer spaces.")])
    ]
    assert noted(Section.USER, *messages) == ["alice: I prefer tabs.", "Bob: I prefer spaces."]


def test_time_that_a_client_writes_before_each_message_is_not_noted() -> None:
    """What was asked is noted, and not when: it would take the place of the question."""
    text = "<current_datetime>2026-11-28T23:24:53Z</current_datetime>\n\nWhat do the modules do?"
    assert noted(Section.USER, said(Role.USER, text)) == ["What do the modules do?"]
