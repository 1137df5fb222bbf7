"""Several values of a body exchanged or left out at once, with nothing around them changed."""

from __future__ import annotations

import json as standard
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.core import json

PARTS = st.lists(st.sampled_from(["a", 1, 2.5, None, {"x": [1]}]), min_size=1, max_size=6)
NEW: st.SearchStrategy[dict[int, Any]] = st.dictionaries(st.integers(0, 5), st.none() | st.just("new"))


@settings(deadline=None)
@given(PARTS, NEW)
def test_edit_is_decode_change_decode(parts: list[Any], new: dict[int, Any]) -> None:
    """Exchanging and leaving out elements gives what changing the list would give; an empty one is null."""
    data = standard.dumps({"role": "user", "content": parts}, indent=1).encode()
    values: dict[json.Path, bytes | None] = {
        ("content", index): None if value is None else b'"new"' for index, value in new.items()
    }

    after = standard.loads(json.edit(data, values))

    exchanged = [(index in new, new.get(index), part) for index, part in enumerate(parts)]
    kept = [value if touched else part for touched, value, part in exchanged if value or not touched]
    assert after == {"role": "user", "content": kept or None}


def test_edit_keeps_every_other_byte() -> None:
    """Spaces, number formats and unknown members stay; a comma goes with what it belonged to."""
    data = b'{ "a" : [ 1.0 , {"b": 2.50} ,3 ], "c": 1e2 , "d" : [0] }'

    after = json.edit(data, {("a", 0): None, ("a", 1, "b"): b"9", ("c",): None, ("d", 0): None})

    assert after == b'{ "a" : [ {"b": 9} ,3 ] , "d" : null }'


def test_edit_without_an_effect_is_none() -> None:
    """A member that is not there needs no leaving out, and no values need no edit."""
    data = b' {"a": 1}'
    assert json.edit(data, {}) == data
    assert json.edit(data, {("b",): None}) == data


def test_of_duplicate_keys_the_last_is_exchanged_and_all_are_left_out() -> None:
    """Readers take the last one; one that is left over would be taken in its place."""
    assert json.edit(b'{"a": 1, "a": 2}', {("a",): b"3"}) == b'{"a": 1, "a": 3}'
    assert json.edit(b'{"a": 1, "b": 0, "a": 2}', {("a",): None}) == b'{"b": 0}'


def test_edit_of_what_is_not_there_is_told() -> None:
    """A list that the message does not have cannot lose an element."""
    with pytest.raises(KeyError):
        json.edit(b'{"a": 1}', {("b", 0): None})


def test_at_gives_the_slice() -> None:
    """A value is found as the bytes that the client wrote."""
    assert json.at(b' { "a": [ 1, { "b": 2.50 } ] } ', ("a", 1)) == b'{ "b": 2.50 }'
    assert json.at(b" [1] ", ()) == b"[1]"
    with pytest.raises(KeyError):
        json.at(b'{"a": []}', ("a", 0))
