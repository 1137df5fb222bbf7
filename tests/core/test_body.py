"""A body is taken apart as two passes would, whatever stands beside its list or looks like it."""

from __future__ import annotations

import json as standard
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core import body, json, scan
from gateway.core.body import taken_apart
from gateway.core.json import Malformed, Member

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True, scope="module")
def short() -> Iterator[None]:
    """Take short bodies for long ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body, "_SHORT_BYTES", 0)
        yield


LIST = '[{"role": "user", "content": "messages"}, 1.0, "\\"messages\\": []"]'

BODIES = (
    '{"model":"m","messages":%s,"n":1}',
    '{ "messages" : %s }',
    '{"messages":%s,"messages":[2]}',
    '{"messages":[2],"messages":%s}',
    '{"messages":%s,"messages":%s}',
    '{"metadata":{"messages":%s},"messages":%s,"n":0}',
    '{"note":"\\"messages\\":%s","messages":%s}'.replace("%s", "[]", 1),
    '{"tools":[{"messages":{"type":"array"}},{"messages":[1]}],"messages":%s}',
    '{"tools":[' + '{"messages":[0]},' * 20 + '0],"messages":%s}',
    '{"mess\\u0061ges":%s,"n":1}',
    '{"messages":%s,"x":NaN}',
    '{"messages":%s,"x":"\\ud83d"}',
    '{"messages":[ ],"n":%s}',
    '{"n":[%s],"messages":null}',
    '{"messages":{"messages":%s}}',
    '{"n":%s}',
    '{"messages":%s',
    '{"messages":%s}}',
    '{"messages":%s,}',
    "[%s]",
    "%s",
)


def in_two_passes(data: bytes) -> tuple[list[Member], list[bytes]]:
    """Return what is to come out, read by `core.json` alone."""
    found = json.members(data)
    last = [member for member in found if member.key == "messages"][-1:]
    if not last:
        raise Malformed
    return found, json.elements(data[last[0].start : last[0].stop])


def is_the_same(data: bytes) -> bool:
    """Return whether a body is taken apart as two passes take it, or refused as they refuse it."""
    try:
        wanted = in_two_passes(data)
    except Malformed:
        with pytest.raises(Malformed):
            taken_apart(data, "messages")
        return True
    return taken_apart(data, "messages") == wanted


@pytest.mark.parametrize("items", [LIST, LIST.replace(", ", ","), "[]", "[1]", "[1 ,2]", "[ 1, 2]", "[1,2 ]"])
@pytest.mark.parametrize("text", BODIES)
def test_body_is_taken_apart_as_by_two_passes(text: str, items: str) -> None:
    """Duplicate and nested lists, text that looks like one, spaces and broken bodies change nothing."""
    assert is_the_same(text.replace("%s", items).encode())


VALUE = st.recursive(
    st.none() | st.integers() | st.text(max_size=6) | st.sampled_from(['"messages":[', "messages"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["messages", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@untimed
@given(
    st.lists(st.tuples(st.sampled_from(["messages", "model", "é"]), VALUE), max_size=5),
    st.sampled_from([(", ", ": "), (",", ":"), (" ,", " : ")]),
    st.booleans(),
)
def test_any_body_is_taken_apart_as_by_two_passes(
    members: list[tuple[str, Any]], separators: tuple[str, str], ascii_only: bool
) -> None:
    """What clients write in whatever order, with any member twice."""

    def written(value: Any) -> str:
        return standard.dumps(value, separators=separators, ensure_ascii=ascii_only)

    text = separators[0].join(written(key) + separators[1] + written(value) for key, value in members)
    assert is_the_same(b"{%s}" % text.encode())


@pytest.mark.parametrize("item", ["1", "{}"])
def test_list_of_too_many_elements_is_not_taken_apart(item: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes the gateway hold millions of small things: such a body goes out as it came."""
    monkeypatch.setattr(body, "ITEMS_MAX", 3)
    few, many = ('{{"messages":[{}]}}'.format(",".join([item] * count)).encode() for count in (3, 4))

    assert len(taken_apart(few, "messages")[1]) == 3
    with pytest.raises(Malformed, match="more than 3"):
        taken_apart(many, "messages")


def test_text_of_too_many_parts_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only the list may be a crowd: keys, and values beside it, are refused before they are found."""
    monkeypatch.setattr(scan, "STEPS_MAX", 4)

    for text in (
        b'{"a":1,"b":2,"c":3,"d":4,"e":5,"messages":[]}',
        b'{"tools":[1,2,3,4,5,6],"messages":[]}',
        b'{"tools":["","","","","",""],"messages":[]}',
    ):
        with pytest.raises(Malformed):
            taken_apart(text, "messages")
    assert taken_apart(b'{"a":",,,,,,","b":"\\",,,,,","messages":[]}', "messages")[1] == []
