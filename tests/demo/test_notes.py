"""The demonstration's model sums up what it is shown, under the headings that it is asked for."""

from __future__ import annotations

from gateway.core.conversation import Role, made
from gateway.core.summary import prompt
from gateway.core.summary.answer import Answer
from gateway.core.summary.form import Form
from gateway.core.summary.gate import Gate
from gateway.core.summary.language import Language
from gateway.core.summary.source import Source
from gateway.core.summary.verdict import Finding, Reason
from gateway.demo.notes import is_asked_for, notes
from wired import words

FORM = Form(language=Language.USERS)
SAID = """\
Task 7: Write down in src/module_07.py what happens.
## Notes of its own
tests/test_order.py::test_93873 PASSED [100%] 0.8841s
1 passed in 8.53s
Decision 7: errors carry the order number."""
ASKED = prompt.first(FORM, SAID, (1, 1))


def test_notes_have_the_headings_and_what_was_decided() -> None:
    """What is decided and which files are named stands in them."""
    said = notes(ASKED.user)
    assert [line[3:] for line in said.splitlines() if line.startswith("## ")] == list(FORM.headings)
    assert "Decision 7: errors carry the order number." in said
    assert "Files: src/module_07.py.\n- Test runs: 1 passed in 8.53s." in said


def test_notes_without_headings_say_the_same() -> None:
    """A policy may ask for none."""
    asked = prompt.first(Form(language=Language.USERS, sections=()), SAID, (1, 1))
    assert notes(asked.user).startswith(
        "- Task 7: Write down in src/module_07.py what happens.\n- Decision 7"
    )


def test_notes_pass_the_gate_the_second_time_too() -> None:
    """What they go on from is in them: a demonstration of summaries that fail would show the wrong thing."""
    previous, said = notes(ASKED.user), SAID.replace("7", "8")
    messages = [made(Role.USER, said, words), made(Role.ASSISTANT, "word " * 90, words)]
    asked = prompt.update(FORM, previous, said)
    source = Source.of(messages, previous=previous, previous_tokens=words(previous))
    verdict = Gate().judge(Answer(notes(asked.user)), source, FORM, words)
    assert verdict.faults == ()


def test_notes_say_what_they_were_told_to_say() -> None:
    """Asked once more, they name what was missing."""
    again = prompt.repair(ASKED, "## Goal", [Finding(Reason.MISSING_IDENTIFIERS, ("order-0815",))])
    assert "order-0815" in notes(again.user)


def test_next_step_of_an_agent_is_not_taken_for_notes() -> None:
    """Only the gateway asks for them."""
    assert is_asked_for(ASKED.system)
    assert not is_asked_for("You are a coding agent.")
