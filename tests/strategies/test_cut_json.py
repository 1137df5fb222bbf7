"""JSON that is cut is still JSON, says how much of it is gone, and can be cut again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.strategies import marks
from gateway.strategies.cut_json import JsonCut
from gateway.strategies.shorten import Cap, Counted, shorten

TEXT = st.sampled_from(["", "é", '"', "word " * 80, "决定。" * 90, "\n", marks.notice(3, 900), "[1, 2]" * 90])
LEAVES = st.none() | st.integers() | st.floats() | TEXT


def _many(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    arrays = st.builds(lambda some, times: some * times, st.lists(inner, max_size=3), st.integers(1, 15))
    objects = st.builds(
        lambda some, times: {f"{key}{n}": value for n in range(times) for key, value in some.items()},
        st.dictionaries(TEXT, inner, max_size=3),
        st.integers(1, 15),
    )
    return arrays | objects


CONTAINERS = _many(_many(LEAVES) | _many(_many(LEAVES)) | LEAVES)
USERS = [{"id": n, "name": f"user{n}"} for n in range(500)]


def cut(text: str, size: int, head_share: float = 0.6) -> Any:
    as_json = JsonCut(text, head_share)
    assert as_json.is_json()
    return json.loads(as_json.at(size))


@pytest.mark.parametrize("number", [1, 2, 5, 9, 12])
@pytest.mark.parametrize("size", [120, 400, 700, 1500])
def test_few_long_elements_stay_json_however_little_is_left(number: int, size: int) -> None:
    """Where all of them cannot say anything any more, some go, and it is said how many."""
    rows = [{"id": n, "text": f"row {n}: " + "so it went on and on " * 40} for n in range(number)]
    for value in (rows, {f"key{n}": row for n, row in enumerate(rows)}):
        text = json.dumps(value)
        after = shorten(Counted(text, len(text)), Cap(size), len).text
        assert len(after) <= size
        assert size < 400 or isinstance(json.loads(after), type(value))


def test_long_array_keeps_both_ends_and_its_length() -> None:
    """Of five hundred users the first and the last are there, and how many are not."""
    after = cut(json.dumps(USERS), 400)

    (notice,) = (entry for entry in after if isinstance(entry, str))
    match = marks.NOTICE.fullmatch(notice)
    assert after[0] == USERS[0]
    assert after[-1] == USERS[-1]
    assert match
    assert (int(match["parts"]), int(match["all_parts"])) == (501 - len(after), 500)
    assert int(match["whole"]) == len(json.dumps(USERS))


def test_layout_stays() -> None:
    """Indented JSON stays indented, with the notice in a line of its own."""
    after = JsonCut(json.dumps({"users": USERS, "next": None}, indent=2), 0.6).at(400)

    assert '\n    },\n    "[haversack: ' in after
    assert after.endswith('\n  ],\n  "next": null\n}')


def test_second_cut_takes_the_first_over() -> None:
    """Cut again, there is one notice, and its numbers are those of the whole."""
    once = json.dumps(cut(json.dumps(USERS), 900))
    twice = cut(once, 300)

    (notice,) = (entry for entry in twice if isinstance(entry, str))
    match = marks.NOTICE.fullmatch(notice)
    assert match
    assert (match["whole"], int(match["parts"]), match["all_parts"]) == (
        str(len(json.dumps(USERS))),
        501 - len(twice),
        "500",
    )


def test_element_that_failed_is_quoted() -> None:
    """Of five hundred results the one that failed is told, with its place, and still after a second cut."""
    results = [{"test": f"t{n}", "outcome": "failed: 1 != 2" if n == 250 else "ok"} for n in range(500)]

    once = cut(json.dumps(results), 900)
    twice = cut(json.dumps(once), 500)

    for after in (once, twice):
        (notice,) = (entry for entry in after if isinstance(entry, str))
        assert '; of note in them:\n  251| {"test": "t250", "outcome": "failed: 1 != 2"}\n]' in notice
        assert after[-1] == results[-1]


def test_object_of_many_members_keeps_both_ends() -> None:
    """A map of a thousand keys loses those in the middle, and a member says so."""
    after = cut(json.dumps({f"k{n}": n for n in range(1000)}), 400)

    assert ("k0" in after, "k500" in after, "k999" in after) == (True, False, True)
    assert f"{1001 - len(after)} of 1000 members left out" in after["haversack"]


def test_long_output_is_cut_like_any_text() -> None:
    """What a program printed loses its middle but for the failure in it; its exit code stays."""
    output = "\n".join("ERROR: disk full" if n == 60 else f"line {n}" for n in range(120))

    after = cut(json.dumps({"stdout": output, "exit_code": 1}), 400)

    assert after["exit_code"] == 1
    assert after["stdout"].startswith("line 0\n")
    assert "\n  61| ERROR: disk full\n]" in after["stdout"]


def test_json_in_a_text_in_json_stays_json() -> None:
    """Tools answer with documents in strings; both stay readable."""
    after = cut(json.dumps({"content": [{"type": "text", "text": json.dumps(USERS)}]}), 500)

    assert json.loads(after["content"][0]["text"])[0] == USERS[0]


def test_original_is_named_once() -> None:
    """The id under which all of it can be had stands in one of the notices."""
    text = json.dumps({"a": "x " * 2000, "b": "y " * 3000, "c": USERS})
    assert JsonCut(text, 0.6, marks.content_id(text)).at(800).count(marks.content_id(text)) == 1


def test_numbers_stay_as_they_are_written() -> None:
    """What stays are slices of the text: no digit of a long number is lost."""
    text = "[" + ", ".join(f"12345678901234567890{n}.10" for n in range(200)) + "]"
    assert JsonCut(text, 0.6).at(300).startswith("[123456789012345678900.10, 123456789012345678901.10, ")


@settings(deadline=None)
@given(CONTAINERS, st.integers(0, 2000), st.integers(0, 500), st.sampled_from([0.0, 0.6, 1.0]), st.booleans())
def test_any_json_stays_json_and_never_grows(
    value: Any, first: int, second: int, share: float, indented: bool
) -> None:
    """Whatever is in it, and however often it is cut."""
    text = json.dumps(value, indent=2 if indented else None)
    for size in (first, second):
        as_json = JsonCut(text, share)
        if as_json.is_json():
            after = as_json.at(size)
            assert len(after.encode()) <= len(text.encode())
            assert type(json.loads(after)) is type(value)
            text = after


def test_what_is_no_json_is_not_taken_for_it() -> None:
    """Half a document, a notice, and brackets without end are cut as texts, and that quickly."""
    for text in (
        '[{"a": 1}, {"a"',
        "[haversack: 1 of 2 characters left out]",
        "[" * 500_000 + "]" * 500_000,
        "[]",
    ):
        assert not JsonCut(text, 0.6).is_json()
