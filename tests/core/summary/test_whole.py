"""All of it together, with a scripted model: what an engine does around the calls it makes."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.summary.reading import assistant, call, quarters, result, user
from gateway.core.conversation import Message
from gateway.core.ledger.find import find
from gateway.core.ledger.settle import settle
from gateway.core.summary import prompt
from gateway.core.summary.answer import Answer
from gateway.core.summary.form import Form
from gateway.core.summary.gate import Gate
from gateway.core.summary.language import detect
from gateway.core.summary.parts import Space, merge, plan
from gateway.core.summary.prompt import Prompt
from gateway.core.summary.source import Source
from gateway.core.summary.transcript import read, written
from gateway.core.summary.verdict import Verdict

Model = Callable[[Prompt], str]
WINDOW = 6_000


def summarise(messages: list[Message], previous: str, model: Model) -> Verdict:
    """Return the summary of some messages and of what came before, after one repair at most."""
    form = Form(language=detect(message.text for message in messages if message.role == "user"))
    space = Space(window=WINDOW, answer=1_000, fixed=prompt.fixed_tokens(form, quarters, previous))
    parts = plan(read(messages, quarters), space, quarters).parts
    if len(parts) == 1:
        body = written(parts[0])
        asked = prompt.update(form, previous, body) if previous else prompt.first(form, body)
        text = model(asked)
    else:
        partial = [
            model(prompt.first(form, written(part), (number, len(parts))))
            for number, part in enumerate(parts, 1)
        ]
        texts = [previous, *partial] if previous else partial
        while len(texts) > 1:
            groups = merge(texts, space, quarters)
            asked = prompt.merge(form, groups[0])
            texts = [model(prompt.merge(form, group)) if len(group) > 1 else group[0] for group in groups]
        text = texts[0]
    settled = settle(entry for message in messages for entry in find(message))
    source = Source.of(
        messages,
        previous=previous,
        previous_tokens=quarters(previous),
        current=settled.current,
        gone=settled.gone,
    )
    verdict = Gate().judge(Answer(text, "stop"), source, form, quarters)
    if verdict.faults:
        again = model(prompt.repair(asked, text, verdict.faults))
        verdict = Gate().judge(Answer(again, "stop"), source, form, quarters)
    return verdict


def good(asked: Prompt) -> str:
    """A model that keeps one line for each thing that users said, and what earlier notes say."""
    assert quarters(asked.system + asked.user) < WINDOW - 1_000
    said = re.findall(r"^\[\d+\] user\n(.+)$", asked.user, re.MULTILINE)
    noted = re.findall(r"^- (\w.+)$", asked.user.partition("Write ")[0], re.MULTILINE)
    lines = "\n".join(f"- {line}" for line in dict.fromkeys([*noted, *said]))
    return f"## Goal\nThe shop\n## Constraints\n{lines}\n## Progress\nGoes on.\n## Next Steps\nGo on."


def round_of(number: int) -> list[Message]:
    """Return what is said between two summaries."""
    turns = [
        [
            user(f"Change src/mod_{number}_{n}.py for OPS-{number}{n}7, at most {number + 20} retries."),
            call(("c", "read", f'{{"path": "src/mod_{number}_{n}.py"}}')),
            result("c", f"line of src/mod_{number}_{n}.py\n" * 100),
            assistant("Changed it."),
        ]
        for n in range(3)
    ]
    return [message for turn in turns for message in turn]


def test_ten_rounds_keep_what_the_first_one_said() -> None:
    """A summary that is brought up to date ten times still holds every value, and is usable each time."""
    summary = ""
    for number in range(1, 11):
        verdict = summarise(round_of(number), summary, good)
        assert verdict.is_usable, verdict.faults
        summary = verdict.text

    for number in range(1, 11):
        assert f"src/mod_{number}_2.py for OPS-{number}27, at most {number + 20} retries" in summary


def test_long_conversation_is_summarised_in_parts() -> None:
    """What does not fit into one call is parted, merged, and loses nothing that a user said."""
    messages = [message for number in range(1, 9) for message in round_of(number)]
    calls: list[Prompt] = []

    def model(asked: Prompt) -> str:
        calls.append(asked)
        return good(asked)

    verdict = summarise(messages, "", model)

    assert verdict.is_usable, verdict.faults
    assert len(calls) > 3
    assert verdict.text.count("OPS-") == 24


def test_repair_is_told_what_is_missing() -> None:
    """A model that at first says little is asked once more, with the values that it left out."""
    calls: list[Prompt] = []

    def lazy(asked: Prompt) -> str:
        calls.append(asked)
        return good(asked) if len(calls) > 1 else good(Prompt("", ""))

    verdict = summarise(round_of(1), "", lazy)

    assert verdict.is_usable, verdict.faults
    assert "src/mod_1_2.py" in calls[1].user.partition("could not be used")[2]


def test_model_that_never_summarises_is_refused() -> None:
    """After one repair there is no summary, and it is for the caller to fall back on a digest."""
    verdict = summarise(round_of(1), "", lambda asked: "Sure! I'll change the file now.")

    assert not verdict.is_usable
