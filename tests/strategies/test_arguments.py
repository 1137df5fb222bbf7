"""Arguments of a call stay valid JSON however short they get."""

from __future__ import annotations

import json

from gateway.strategies import marks
from gateway.strategies.arguments import shorten_arguments, shorten_values
from gateway.strategies.shorten import Cap, Counted


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


def shortened(text: str, tokens: int) -> str:
    return shorten_arguments(Counted(text, quarters(text)), Cap(tokens), quarters).text


def test_long_strings_lose_their_middle_and_numbers_their_nothing() -> None:
    """Only long strings are touched: big integers, spacing and short values stay as the client wrote them."""
    text = '{ "path": "a.py", "size": 123456789012345678901234567890, "edits": [{"new": "%s"}]}' % (
        "x y " * 500
    )

    after = shortened(text, 200)

    assert quarters(after) <= 200
    assert after.startswith(
        '{ "path": "a.py", "size": 123456789012345678901234567890, "edits": [{"new": "x y'
    )
    assert "characters left out]" in json.loads(after)["edits"][0]["new"]


def test_long_string_within_what_is_allowed_stays_whole() -> None:
    """The largest string loses first: one that is a long path is not cut while a file's content can be."""
    path = "src/" + "deep/" * 20 + "a.py"

    after = json.loads(shortened(json.dumps({"path": path, "text": "x y " * 500}), 200))

    assert after["path"] == path
    assert "characters left out]" in after["text"]


def test_no_room_leaves_a_notice_in_an_object() -> None:
    """Many short values that no cut can help are replaced by an object with the notice, once."""
    text = json.dumps({"rows": list(range(2000))})

    after = shortened(text, 0)

    assert json.loads(after) == {"haversack": marks.notice(len(text), len(text))}
    assert shortened(after, 0) == after


def test_an_argument_of_our_name_is_no_notice() -> None:
    """A client's own argument called haversack is data like any other."""
    text = json.dumps({"haversack": "x" * 900})
    assert json.loads(shortened(text, 0)) == {"haversack": marks.notice(len(text), len(text))}


def test_free_text_is_cut_as_text() -> None:
    """The input of a custom tool is no JSON and is cut like any text."""
    assert "characters left out]" in shortened("*** Begin Patch\n" + "+ line\n" * 300, 60)


def test_nothing_to_gain_nothing_done() -> None:
    """Short arguments, and long ones without a long string, stay as they are."""
    numbers = json.dumps({"n": list(range(500))})
    assert shortened("{}", 100) == "{}"
    assert shortened(numbers, 100) == numbers
    assert shortened('{"a": [1, 2]}', 1) == '{"a": [1, 2]}'


def test_depth_is_no_trap() -> None:
    """Arguments a thousand levels deep are looked at only near the top."""
    text = '{"a":' * 500 + '"' + "x" * 900 + '"' + "}" * 500
    assert shortened(text, 10) == text


def test_values_are_cut_each_by_itself() -> None:
    """Every long value is cut to the cap, wherever it stands, but for those of names that are kept."""
    text = json.dumps({"meta": {"path": "p " * 200}, "edits": [{"new": "x " * 200}, "y " * 200], "n": 1.50})

    after, cut = shorten_values(Counted(text, quarters(text)), Cap(40), ("*path",), quarters, lambda text: "")

    values = json.loads(after.text)
    assert cut == ["x " * 200, "y " * 200]
    assert values["meta"]["path"] == "p " * 200
    assert quarters(values["edits"][0]["new"]) <= 40
    assert quarters(values["edits"][1]) <= 40
    assert after.tokens == quarters(after.text)
