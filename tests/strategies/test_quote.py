"""What is quoted of results and of answers."""

from __future__ import annotations

import pytest

from gateway.strategies.quote import of_answer, of_question, of_result

_LOG = "".join(f"2025-03-0{n % 9 + 1} 10:1{n % 9}:00 INFO took lease {n}\n" for n in range(40))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{_LOG}Deployed as build 4711 to eu-west\n{_LOG}", "Deployed as build 4711 to eu-west"),
        (f"{_LOG}web_ip = 10.4.17.8", "web_ip = 10.4.17.8"),
        ("仪器自检通过\n通道稳定\n读数 86.35 ℃", "读数 86.35 ℃"),
        ('{"status": "queued", "pipeline": {"id": 88213}}', '"status": "queued", "id": 88213'),
        (_LOG, ""),
        ("Much was written. Little of 2019 is known. We do not know more of it.\n" * 9, ""),
        (f"[haversack: 5027 of 6319 characters left out]\n{_LOG}", ""),
    ],
)
def test_result_is_quoted_by_what_came_of_it(text: str, told: str) -> None:
    """The line that tells is found wherever it stands; data and prose give nothing."""
    assert of_result(text, "", 120) == told


def test_quote_stays_within_its_room() -> None:
    """Of many telling lines those that tell most stay, in their order."""
    text = "Ant is ready as ant-2018\nNot much else was said.\nThen bee: created, bee-2118\n7 cats (cat-2218)"
    assert of_result(text, "", 60) == "Ant is ready as ant-2018; Then bee: created, bee-2118"


def test_answer_keeps_its_results() -> None:
    """What was found stays, wherever in the answer it stands; preambles and offers go."""
    text = (
        "Let me walk you through it. First I loaded the three exports and removed what was there twice. "
        "After that I grouped them, as you asked. The churn works out at 4.27 %, lower than before. "
        "I can also chart it if you like. Shall I go on?"
    )
    kept = of_answer(text, 120)
    assert "4.27 %" in kept
    assert "Let me" not in kept
    assert len(kept) <= 120


def test_short_answer_stays_as_it_is() -> None:
    """There is nothing to choose where all of it fits."""
    assert of_answer("Sure.\nIt is 4.", 40) == "Sure. It is 4."


def test_answer_of_data_keeps_its_beginning() -> None:
    """Where no sentence says anything, the first words are as good as any."""
    assert of_answer(" ".join(f"r{n}" for n in range(400)), 20).startswith("r0 r1")


def test_question_that_an_answer_ends_in_is_quoted() -> None:
    """Who reads "yes" behind it has to know to what; what is exact before it is quoted as ever."""
    found = "I read src/a.py and found 1,284 rows in it. " + "Then there was more to say of it. " * 40
    plan = "I propose plan A: drop table OLD_T. Make a backup first. Shall I run it now?"
    kept = of_question(found + plan, 300)
    assert kept.endswith(plan)
    assert "1,284 rows" in kept
    assert len(kept) <= 300


@pytest.mark.parametrize(
    "text", ["word " * 400 + "do it?", "长" * 900 + "现在执行吗？", "a\n" * 900 + "run?"]
)
def test_question_without_sentences_before_it(text: str) -> None:
    """Its end is quoted, whatever it is made of."""
    kept = of_question(text, 200)
    assert kept.endswith(text[-5:])
    assert len(kept) <= 200


def test_answer_that_asks_nothing() -> None:
    """Only who was asked replies."""
    assert of_question("Done. " + "It was long. " * 60 + "The total is 7.", 80) == ""
    assert of_question("Is it 7? It is. ", 80) == ""
    assert of_question("**Shall I?**", 80) == "**Shall I?**"
