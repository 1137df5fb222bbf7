"""A body keeps its bytes: values are found as slices, and edits change nothing around them."""

from __future__ import annotations

import json as standard
import math
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core import json

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

TEXT = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(
    [
        '"',
        "\\",
        '\\"',
        "{",
        "}",
        ",",
        ":",
        "a",
        '"a":1',
        '","a":"',
        "\ud83d",
        "\ude00\ud83d",
        "\x00",
        "\u2028",
    ]
)
SCALAR = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**25, 10**30)
    | st.floats(allow_nan=False)
    | TEXT
)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=4) | st.lists(st.tuples(TEXT, inner), max_size=4),
    max_leaves=12,
)


def written(value: Any, odd: random.Random) -> str:
    """Write a value (an object is a list of pairs) with odd whitespace, odd escapes and duplicate keys."""
    if isinstance(value, str):
        text = standard.dumps(value, ensure_ascii=odd.random() < 0.5 or not value.isprintable())
    elif not isinstance(value, list):
        text = standard.dumps(value)
    elif value and all(isinstance(item, tuple) for item in value):
        members = (f"{written(key, odd)}:{written(inner, odd)}" for key, inner in value)
        text = "{" + ",".join(members) + "}"
    else:
        text = "[" + ",".join(written(item, odd) for item in value) + odd.choice(SPACES) + "]"
    return odd.choice(SPACES) + text + odd.choice(SPACES)


SPACES = ("", "", " ", "\n  ", "\t", "\r\n")
RANDOM = st.integers(0, 2**16).map(random.Random)


def texts_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[bytes]:
    """Return texts of these values."""
    return st.builds(written, values, RANDOM).map(str.encode)


TEXTS = texts_of(VALUE)
OBJECTS = texts_of(st.lists(st.tuples(TEXT, VALUE), min_size=1, max_size=5)) | st.just(b" { }")
ARRAYS = texts_of(st.lists(VALUE, max_size=5).map(lambda values: [*values, 0]))


def pairs_of(data: bytes) -> Any:
    """Return a value as the standard library reads it, an object as its members, duplicates included."""
    return standard.loads(data, object_pairs_hook=lambda pairs: pairs)


@untimed
@given(OBJECTS)
def test_members_are_those_that_the_standard_library_reads(data: bytes) -> None:
    """Every key and every value is found where it stands, in order, duplicates and odd escapes included."""
    found = [(member.key, data[member.start : member.stop]) for member in json.members(data)]

    assert [(key, pairs_of(value)) for key, value in found] == pairs_of(data)
    assert all(value == value.strip(b" \t\r\n") for _, value in found)


@untimed
@given(ARRAYS)
def test_elements_are_those_that_the_standard_library_reads(data: bytes) -> None:
    """Every element of an array comes as the bytes that the client wrote for it."""
    slices = json.elements(data)

    assert list(map(standard.loads, slices)) == standard.loads(data)
    assert all(value in data for value in slices)


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b'{"a":1,"a":1}', ["a", "a"]),
        (b'{"a":1,"b":2,"a":1}', ["a", "b", "a"]),
        (b'{"a":12,"a":1}', ["a", "a"]),
        (b'{"a":[1],"b":"a","a":[1]}', ["a", "b", "a"]),
        (b'{"a":"\\"a\\":2","b":"{","c\\\\":"}"}', ["a", "b", "c\\"]),
        (b'{"\\u0061":1}', ["a"]),
        (b'{"\\ud83d":1}', ["\ud83d"]),
        (b'{"\\ud83d\\ude00":"\\ude00"}', ["\U0001f600"]),
        (b'{"\xff":1}', ["\ufffd"]),
        (b" {\n} ", []),
    ],
)
def test_keys_are_read_as_every_reader_reads_them(data: bytes, keys: list[str]) -> None:
    """Duplicates, escapes and texts that look like structure are told apart."""
    assert [member.key for member in json.members(data)] == keys


NO_OBJECTS = (
    *(b"", b"{", b"[]", b"1", b'{"a"}', b'{"a":1,}', b'{"a":1} x', b"{} \x00", b'{"a":"\x01"}', b'{"a":01}'),
    *(b'\xef\xbb\xbf{"a":1}', '{"a":1}'.encode("utf-16"), b'{"a":"\\x"}', b'{"a":NaN,"b":tru}', b"{1:2}"),
)


@pytest.mark.parametrize("data", NO_OBJECTS)
def test_what_is_no_object_is_malformed(data: bytes) -> None:
    """A text that is not a JSON object is refused, never cut at random."""
    with pytest.raises(json.Malformed):
        json.members(data)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[", b"[1,]", b"[1 2]", b"[NaN,01]", b"[1]]", b"\xef\xbb\xbf[]"]
)
def test_what_is_no_array_is_malformed(data: bytes) -> None:
    """A text that is not a JSON array is refused."""
    with pytest.raises(json.Malformed):
        json.elements(data)


@untimed
@given(TEXTS)
def test_decode_reads_what_the_standard_library_reads(data: bytes) -> None:
    """Big integers, lone surrogates and odd floats survive."""
    assert json.decode(data) == standard.loads(data)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b'"\\ud83d"', "\ud83d"),
        (b'"a\xffb"', "a\ufffdb"),
        (b"1e400", math.inf),
        (b"[-Infinity]", [-math.inf]),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'"\\u0000"', "\x00"),
    ],
)
def test_decode_tolerates_what_clients_send(data: bytes, value: Any) -> None:
    """What a strict reader refuses is read as Python's own reader does."""
    assert json.decode(data) == value


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xef\xbb\xbf{}", b'"\x01"', b"\xff", b"[" * 10**5 + b"]" * 10**5]
)
def test_decode_says_what_it_cannot_read(data: bytes) -> None:
    """Broken texts, and texts nested deeper than any reader goes, are one and the same error."""
    with pytest.raises(json.Malformed):
        json.decode(data)


@untimed
@given(VALUE)
def test_encode_is_read_back_equal(value: Any) -> None:
    """Whatever can be decoded can be written, and is the same value when it is read again."""
    value = standard.loads(standard.dumps(value))

    assert json.decode(json.encode(value)) == value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"a": [1, "é"]}, '{"a":[1,"é"]}'.encode()),
        ("x\ud83dé", b'"x\\ud83d\\u00e9"'),
        ({"\ud83d": None}, b'{"\\ud83d":null}'),
        ([math.inf, None, ("é", -math.inf)], '[Infinity,null,["é",-Infinity]]'.encode()),
        ({"a": {"b": math.nan}}, b'{"a":{"b":NaN}}'),
        (10**30, b"1" + b"0" * 30),
        ([None, 1.5], b"[null,1.5]"),
    ],
)
def test_encode_is_compact_and_lossless(value: Any, data: bytes) -> None:
    """Only a lone surrogate needs escapes; a number that is not finite keeps its name."""
    assert json.encode(value) == data


def paths(value: Any, path: json.Path = ()) -> list[json.Path]:
    """Return every path of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    return [path, *(found for step, part in inner for found in paths(part, (*path, step)))]


def changed(value: Any, path: json.Path, new: Any) -> Any:
    """Return the value with the part at *path* exchanged."""
    if not path:
        return new
    step, *rest = path
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[step] = changed(value[step], tuple(rest), new)
    return copy


@untimed
@given(TEXTS, VALUE, st.data())
def test_replace_is_decode_change_decode(data: bytes, new: Any, choice: st.DataObject) -> None:
    """Splicing gives the value that decoding and changing would give, at every path."""
    value = standard.loads(data)
    path = choice.draw(st.sampled_from(paths(value)))

    spliced = json.replace(data, path, standard.dumps(new).encode())

    assert standard.loads(spliced) == changed(value, path, standard.loads(standard.dumps(new)))


@untimed
@given(TEXTS, st.data())
def test_replace_keeps_every_other_byte(data: bytes, choice: st.DataObject) -> None:
    """What stands before and after the exchanged value is the same bytes."""
    path = choice.draw(st.sampled_from(paths(standard.loads(data))))
    mark = b'"\xc2\xa7mark"'

    before, after = json.replace(data, path, mark).split(mark)

    assert data.startswith(before)
    assert data.endswith(after)
    assert json.replace(data, path, data[len(before) : len(data) - len(after)]) == data


@pytest.mark.parametrize("path", [("b",), ("a", 2), ("a", -1), ("a", "b"), (0,), ("a", 0, "x")])
def test_replace_tells_that_nothing_is_there(path: json.Path) -> None:
    """A path that leads nowhere is a KeyError, and a text that is no JSON is never spliced."""
    with pytest.raises(KeyError):
        json.replace(b'{"a": [1, 2]}', path, b"0")
    with pytest.raises(json.Malformed):
        json.replace(b'{"a": [1, 2}', ("a",), b"0")


@untimed
@given(OBJECTS, TEXT, VALUE)
def test_with_member_sets_the_value_that_readers_use(data: bytes, key: str, new: Any) -> None:
    """The member has the new value, all others keep theirs."""
    after = json.with_member(data, key, standard.dumps(new).encode())

    assert standard.loads(after) == standard.loads(data) | {key: standard.loads(standard.dumps(new))}


@untimed
@given(OBJECTS, TEXT)
def test_a_member_added_and_removed_leaves_the_same_bytes(data: bytes, key: str) -> None:
    """Adding a member touches nothing else, and neither does taking it away."""
    bare = json.without_member(data, key)

    added = json.with_member(bare, key, b"1")

    assert json.without_member(added, key) == bare


@untimed
@given(OBJECTS, st.data())
def test_without_member_removes_all_of_that_name(data: bytes, choice: st.DataObject) -> None:
    """First, last, only or duplicate: what remains is valid JSON, with the other members as they were."""
    before = pairs_of(data)
    key = choice.draw(st.sampled_from([name for name, _ in before]) if before else TEXT)

    after = json.without_member(data, key)

    assert pairs_of(after) == [pair for pair in before if pair[0] != key]


@pytest.mark.parametrize(
    ("key", "after"),
    [
        ("a", b'{ "b" : [2.50] , "c":3 }'),
        ("b", b'{ "a": 1 , "c":3 }'),
        ("c", b'{ "a": 1 , "b" : [2.50] }'),
        ("d", b'{ "a": 1 , "b" : [2.50] , "c":3 }'),
    ],
)
def test_without_member_keeps_every_other_byte(key: str, after: bytes) -> None:
    """Only the member goes, with one comma."""
    assert json.without_member(b'{ "a": 1 , "b" : [2.50] , "c":3 }', key) == after
