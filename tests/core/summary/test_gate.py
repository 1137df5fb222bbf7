"""Good summaries pass, in whatever dress; each kind of bad one is refused for its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from core.summary.reading import assistant, call, quarters, result, user
from gateway.core.conversation import Message
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.summary.answer import Answer
from gateway.core.summary.form import Form
from gateway.core.summary.gate import Gate
from gateway.core.summary.source import Source
from gateway.core.summary.verdict import Reason, Verdict

FOLDER = Path(__file__).parent
CONVERSATIONS: dict[str, Any] = yaml.safe_load((FOLDER / "conversations.yaml").read_text())
SUMMARIES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "summaries.yaml").read_text())
LEAST = Form(sections=())


def messages(name: str) -> list[Message]:
    """Return a conversation of the table."""
    made: list[Message] = []
    pad = "".join(f"case {n} ok\n" for n in range(CONVERSATIONS[name]["pad"]))
    for entry in CONVERSATIONS[name]["messages"]:
        ((who, what),) = entry.items()
        if who == "call":
            made.append(call((f"c{len(made)}", *what)))
        elif who == "result":
            made.append(result(f"c{len(made) - 1}", what))
        else:
            made.append(user(what) if who == "user" else assistant(what))
    return [*made, call(("last", "run", "{}")), result("last", pad)]


def source(name: str) -> Source:
    """Return what a summary of a conversation of the table is held against."""
    given = CONVERSATIONS[name]
    return Source.of(
        messages(name),
        current=[Entry(Kind.RULE, text) for text in given.get("rules", ())],
        gone=[Entry(Kind.RULE, text) for text in given.get("gone", ())],
        ask=given.get("ask", ""),
    )


def judge(case: dict[str, Any]) -> Verdict:
    """Return what the gate says of a summary of the table."""
    answer = Answer(case["text"] * case.get("repeat", 1), case.get("finish", ""), case.get("calls", False))
    form = Form(sections=()) if case.get("form") == "free" else Form()
    return Gate(redacts=case.get("redacts", False)).judge(answer, source(case["of"]), form, quarters)


@pytest.mark.parametrize("case", SUMMARIES, ids=lambda case: f"{case['of']}: {case['about']}")
def test_summary_is_judged(case: dict[str, Any]) -> None:
    """A good summary passes, a bad one is refused for exactly its reasons."""
    verdict = judge(case)

    assert [str(reason) for reason in verdict.reasons] == case.get("is", []), verdict
    assert [str(finding.reason) for finding in verdict.advice] == case.get("advice", []), verdict
    assert verdict.is_nothing == case.get("nothing", False)
    assert verdict.is_usable == (not case.get("is") and not case.get("nothing"))


def test_table_has_every_reason() -> None:
    """No reason for which a summary is refused goes without an example."""
    shown = {reason for case in SUMMARIES for key in ("is", "advice") for reason in case.get(key, ())}

    assert shown == set(Reason)
    assert len(SUMMARIES) >= 60


def test_summary_comes_without_what_stood_around_it() -> None:
    """What may be used is the summary, not the words that lead to it."""
    case = next(case for case in SUMMARIES if case["about"] == "bold headings, a preamble and a farewell")

    text = judge(case).text

    assert "Here is" not in text
    assert "Let me know" not in text
    assert text.endswith("db.staging.internal:5432")


def test_details_say_what_to_put_right() -> None:
    """A repair is told what exactly is missing or made up."""
    case = next(case for case in SUMMARIES if case["about"] == "a ticket")
    (invented,) = judge(case).faults

    assert invented.details == ("OPS-9917",)

    vague = next(case for case in SUMMARIES if case["about"] == "vague")
    missing = judge(vague).faults[0]
    assert {"OPS-4471", "db.staging.internal:5432", "500 EUR"} <= set(missing.details)


def test_policy_may_refuse_what_is_only_advice() -> None:
    """Where the ledger does not stand beside the summary, a rule that is missing in it counts."""
    case = next(case for case in SUMMARIES if case["about"].startswith("a rule is missing"))

    verdict = Gate(advisory=frozenset()).judge(Answer(case["text"]), source("shop"), Form(), quarters)

    assert verdict.reasons == (Reason.MISSING_LEDGER,)
    assert "Never touch the production database." in verdict.faults[0].details


def test_earlier_summary_is_a_source() -> None:
    """What an update keeps of the earlier summary is not made up, and has to be kept."""
    earlier = "Repo /srv/old, ticket OPS-1000, host db.old.internal:5432, version 1.0.7"
    given = Source.of([user("Go on. " * 200)], previous=earlier, previous_tokens=20)

    kept = Gate().judge(Answer(earlier + "."), given, LEAST, quarters)
    lost = Gate().judge(Answer("The user said to go on with it."), given, LEAST, quarters)

    assert kept.is_usable
    assert lost.reasons == (Reason.MISSING_IDENTIFIERS,)


def test_long_conversation_does_not_ask_for_everything() -> None:
    """Of hundreds of identifiers a summary has to hold a share of the most important only."""
    said = [user(f"Order {n}-AX for customer CUST-{n}, see /srv/data/{n}.csv") for n in range(1000, 1300)]
    given = Source.of(
        [*said, user("The ticket is OPS-4471.")], current=[Entry(Kind.DECISION, "Host is db-7:5432")]
    )

    some = Answer("Orders up to 1299-AX, data in 1299.csv, CUST-1299; OPS-4471 on db-7:5432.")
    one = Answer("Orders were named one by one. The ticket for all of them is OPS-4471.")
    assert given.wanted[0].text == "db-7:5432"
    assert Gate(identifiers=5).judge(some, given, LEAST, quarters).is_usable
    assert Gate().judge(one, given, LEAST, quarters).reasons == (Reason.MISSING_IDENTIFIERS,)


@pytest.mark.parametrize(
    "unit", ["a", "\n", "- ", "# ", "```", "- Goal ", "a/b.py ", "9 s ", "- \n", "的", "{", " "]
)
def test_megabyte_is_judged(unit: str) -> None:
    """However long and odd an answer is, judging it ends (a test run would stand still)."""
    text = unit * (1_000_000 // len(unit)) + "x"

    assert not Gate().judge(Answer(text), source("shop"), Form(), quarters).is_usable


def test_answer_of_the_assistant_may_be_what_is_wanted() -> None:
    """Where the text takes the place of an answer it may speak to the user, and all else counts."""
    answer = Answer("Sure! You can find it in src/price.py.", "stop")
    given = Source.of([user("Fix src/price.py. " * 40)])

    assert Gate().judge(answer, given, LEAST, quarters).reasons == (Reason.ANSWERS,)
    assert Gate(may_answer=True).judge(answer, given, LEAST, quarters).is_usable
    invented = Answer("Sure! You can find it in src/discount.py.", "stop")
    assert (
        Reason.INVENTED_IDENTIFIERS in Gate(may_answer=True).judge(invented, given, LEAST, quarters).reasons
    )
