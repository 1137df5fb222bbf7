"""The list that an agent keeps with a tool is told as it was written last, whatever the tool is called."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from carrying import WIRE, words
from gateway.core.conversation import Message
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.plans import TITLE, is_plan, plan_of


def called(name: str, arguments: Any, id: str = "c1") -> Message:
    """Return a message of an agent that calls one tool."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
    return read({"role": "assistant", "content": None, "tool_calls": [call]})


def answered(text: str, id: str = "c1") -> Message:
    return read({"role": "tool", "tool_call_id": id, "content": text})


def read(message: dict[str, Any]) -> Message:
    return WIRE.message(json.dumps(message).encode(), words)


def told(messages: Iterable[Message], carried: str = "") -> list[str]:
    """Return the lines of the list; none: there is nothing left to do."""
    before = [Entry(Kind.TASK, f"{TITLE}\n{carried}", "assistant")] if carried else []
    plan = plan_of(before, messages)
    assert plan is None or is_plan(plan.entry)
    return plan.entry.text.split("\n")[1:] if plan is not None else []


FORMS = {
    "TodoWrite": {"todos": [{"content": "Read", "status": "completed"}, {"content": "Write"}]},
    "todowrite": {"todos": [{"content": "Read", "status": "cancelled"}, {"content": "Write", "id": "2"}]},
    "write_todos": {"todos": [{"description": "Read", "status": "completed"}, {"description": "Write"}]},
    "functions.update_plan": {"plan": [{"step": "Read", "status": "completed"}, {"step": "Write"}]},
    "manage_todo_list": {"todoList": [{"title": "Read", "status": "completed"}, {"title": "Write"}]},
    "task_tracker": {
        "command": "plan",
        "task_list": [{"title": "Read", "status": "done"}, {"title": "Write"}],
    },
    "update_todo_list": {"todos": "[x] Read\n[ ] Write"},
    "todo__todo_write": {"content": "# Plan\n- [x] Read\n- [ ] Write"},
    "read_file": {"path": "a.py", "task_progress": "- [x] Read\n- [ ] Write"},
}


@pytest.mark.parametrize("name", FORMS)
def test_list_is_read_in_the_forms_of_agents(name: str) -> None:
    """What is done and what is not is told alike, whoever wrote the list."""
    assert told([called(name, FORMS[name])]) == ["[x] Read", "[ ] Write"]


def test_latest_list_takes_the_place_of_all_before_it() -> None:
    """Nothing of an earlier list is left, not of one that only a digest says either."""
    first = called("TodoWrite", {"todos": [{"content": "Old", "status": "pending"}]})
    last = called("TodoWrite", {"todos": [{"content": "New", "status": "in_progress"}]})
    assert told([first, answered("ok"), last], carried="[ ] Older") == ["[in progress] New"]
    assert told([answered("ok")], carried="[x] Done\n[ ] Older") == ["[x] Done", "[ ] Older"]


def test_list_of_which_all_is_done_is_over() -> None:
    """Where nothing is left to do there is nothing to tell, and what was left before is done, too."""
    done = called("TodoWrite", {"todos": [{"content": "Old", "status": "completed"}]})
    assert told([done], carried="[ ] Old") == []
    assert told([called("TodoWrite", {"todos": []})], carried="[ ] Old") == []


def test_part_of_a_list_is_merged_into_it() -> None:
    """Tools that are told only what has changed know their items by an id, also behind a digest."""
    items = [{"id": "a", "content": "Read", "status": "pending"}, {"id": "b", "content": "Write"}]
    whole = called("todo_write", {"todos": items})
    part = called("todo_write", {"merge": True, "todos": [{"id": "a", "status": "completed"}]})
    assert told([whole, part]) == ["[x] #a Read", "[ ] #b Write"]
    assert told([part], carried="[ ] #a Read\n[ ] #b Write") == ["[x] #a Read", "[ ] #b Write"]


def test_items_that_are_written_one_by_one() -> None:
    """A call for each thing to do is answered with its number, by which later calls name it."""
    made = [
        message
        for number, text in enumerate(("Read", "Write"), 1)
        for message in (
            called("TaskCreate", {"subject": text, "description": "…"}, f"c{number}"),
            answered(f"Task #{number} created successfully: {text}", f"c{number}"),
        )
    ]
    assert told(made) == ["[ ] #1 Read", "[ ] #2 Write"]
    changed = called("TaskUpdate", {"taskId": "1", "status": "completed"}, "c3")
    assert told([*made, changed]) == ["[x] #1 Read", "[ ] #2 Write"]
    assert told([changed], carried="[ ] #1 Read\n[ ] #2 Write") == ["[x] #1 Read", "[ ] #2 Write"]


@pytest.mark.parametrize(
    "arguments",
    [
        "no json",
        "[1]",
        {"todos": [1, None, {}]},
        {"todos": None},
        {"todos": [{"content": "[haversack: cut]"}]},
    ],
)
def test_what_cannot_be_read_changes_nothing(arguments: Any) -> None:
    """A call that is broken, or of which a step left only a part, leaves the list as it was."""
    assert told([called("TodoWrite", arguments)], carried="[ ] Read") == ["[ ] Read"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("todoist_create_task", {"content": "Buy milk", "labels": []}),
        ("update_plan", {"plan": "pro"}),
        ("set_plan", {"plan": [{"name": "Pro", "price": 9}]}),
        ("read_todos", {}),
        ("list_items", {"todos": [{"content": "Other", "status": "pending"}]}),
    ],
)
def test_what_is_no_list_of_the_agents_own(name: str, arguments: Any) -> None:
    """Tools that are only called alike neither write the list nor empty it."""
    assert told([called(name, arguments)], carried="[ ] Read") == ["[ ] Read"]


def test_long_list_is_bounded() -> None:
    """Of a list that is too long what is done goes first, and its end is only counted."""
    todos = [
        {"content": f"Step {n} " + "x" * 300, "status": "completed" if n < 20 else ""} for n in range(60)
    ]
    lines = told([called("TodoWrite", {"todos": todos})])
    assert lines[0].startswith("[ ] Step 20")
    assert lines[-1].endswith("more")
    assert sum(map(len, lines)) < 2500


def test_who_says_all_of_it_is_known() -> None:
    """As long as the message that wrote the list stays, the list need not be told beside it."""
    message = called("TodoWrite", FORMS["TodoWrite"])
    plan = plan_of((), [message])
    assert plan is not None
    assert plan.by is message
