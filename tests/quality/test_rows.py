"""The phrasings are enough, balanced and honest: what is looked for stands in what was said."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from quality.probing import all_stand
from quality.rows import DECOYS, FOLDER, TYPES, Row, rows
from quality.slots import Slots

ROWS = rows()

SECOND = rows("blind")

BOTH = (*ROWS, *SECOND)


def test_there_are_enough_in_both_languages() -> None:
    """At least four hundred phrasings and eighty decoys, two of five in Chinese."""
    planted = [row for row in ROWS if not row.is_decoy]
    assert len(planted) >= 400
    assert len(ROWS) - len(planted) >= 80
    for some in (planted, [row for row in ROWS if row.is_decoy]):
        assert 0.35 <= sum(row.language == "zh" for row in some) / len(some) <= 0.45


@pytest.mark.parametrize("type", [*TYPES, *DECOYS])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_third_may_be_looked_at(type: str, language: str) -> None:
    """Of every type in every language about a third is for development; the rest only judges."""
    sets = Counter(row.set for row in ROWS if (row.type, row.language) == (type, language))
    assert set(sets) == {"dev", "held_out"}
    assert 0.25 <= sets["dev"] / sets.total() <= 0.45


def test_blind_rows_are_read_only_if_asked_for() -> None:
    """What is kept for the last measurement is in none of the sets that are played before it."""
    assert {row.set for row in SECOND} == {"blind"}
    for which in ("dev", "held_out", "all"):
        assert not set(rows(which)) & set(SECOND)


def test_blind_rows_are_enough_in_both_languages() -> None:
    """They have enough of every type in both languages, and two of five or more in Chinese."""
    counts = Counter((row.type, row.language) for row in SECOND)
    asked = set(TYPES) - {"update", "outcome"}
    assert all(counts[type, language] >= 22 for type in asked for language in ("en", "zh"))
    both = {type: counts[type, "en"] + counts[type, "zh"] for type in (*TYPES, *DECOYS)}
    assert both["update"] >= 30
    assert both["outcome"] >= 20
    assert both["revoked"] >= 14
    assert both["decoy"] >= 80
    assert 0.4 <= sum(row.language == "zh" for row in SECOND) / len(SECOND) <= 0.5


def test_ids_and_texts_are_unique() -> None:
    """No phrasing is counted twice."""
    assert len({row.id for row in BOTH}) == len(BOTH)
    assert len({(row.text, row.before, row.by) for row in BOTH}) == len(BOTH)


@pytest.mark.parametrize("row", BOTH, ids=lambda row: row.id)
def test_probes_stand_in_the_text(row: Row) -> None:
    """What is looked for was said, in one line of it, and holds an exact value."""
    said = row.before if row.type == "revoked" else row.text
    assert any(all(probe in line for probe in row.probe) for line in said.split("\n"))
    assert all(probe in row.before for probe in row.stale)
    assert not row.stale or not all(probe in row.text for probe in row.stale)
    assert re.search(r"\{\w+\}", " ".join(row.probe))


@pytest.mark.parametrize("row", BOTH, ids=lambda row: row.id)
def test_probes_are_found_with_their_values_filled_in(row: Row) -> None:
    """Letters and digits next to a value do not hide it from who looks for it."""
    for seed in range(5):
        fill = Slots(Random(seed), row.language).filling()
        said = fill(row.before if row.type == "revoked" else row.text)
        assert any(all_stand(map(fill, row.probe), line) for line in said.split("\n"))
        assert all_stand(map(fill, row.stale), fill(row.before))


def test_no_phrasing_is_worded_like_many_others() -> None:
    """Real people do not all begin in the same way: at most five rows share their first three words."""
    for some in (ROWS, SECOND):
        begins = Counter(" ".join(row.text.split()[:3]) for row in some if row.language == "en")
        assert max(begins.values()) <= 5


def test_values_differ_within_a_session_and_between_seeds() -> None:
    """A value that is found was planted here: none stands for two slots, and each seed has its own."""
    fill = [Slots(Random(seed), "en").filling() for seed in (1, 2)]
    text = "{path} {path2} {url} {uuid} {n} {n2} {money} {host}"
    first, second = (one(text).split() for one in fill)
    assert len(set(first)) == len(first)
    assert not set(first) & set(second)
    assert fill[0](text).split() == first


def test_every_file_says_what_it_holds() -> None:
    """A reader of a file of phrasings sees what kind they are."""
    for path in FOLDER.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("about: ")
        assert len(text.splitlines()) <= 300
