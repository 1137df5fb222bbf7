"""The lenient reader takes what the standard library takes, no more and no less, and cuts it rightly."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gateway.core import scan
from gateway.core.json import Malformed, members

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

PIECES = st.sampled_from(
    [
        *(
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b":",
            b" ",
            b"\n",
            b"\t",
            b"\x0b",
            b'"',
            b"\\",
            b"\x00",
            b"\xef\xbb\xbf",
        ),
        *(
            b"1",
            b"0",
            b"-",
            b".",
            b"e",
            b"E+1",
            b"1e400",
            b"-0",
            b"NaN",
            b"Infinity",
            b"-Infinity",
            b"9" * 30,
        ),
        *(b'"a"', b'"a":', b'"a":1', b'"\\ud83d"', b'"\\u12"', b'"\\x"', b'"\xc3\xa9"', b'"\x7f"', b'"\x1f"'),
        *(b"true", b"false", b"null", b"nul", b"[]", b"{}", b"[1,2]", b'{"a":[],"b":{}}'),
    ]
)


def standard(data: bytes) -> Any:
    """Return what the standard library reads, an object as a tuple of pairs; None if it refuses the text."""
    try:
        return json.loads(data.decode("utf-8", "replace"), object_pairs_hook=tuple, parse_constant=str)
    except ValueError:
        return None


def scanned(data: bytes, brackets: bytes) -> list[Any] | None:
    """Return the parts, each decoded, names included."""
    found = scan.parts(data, brackets)
    if found is None:
        return None
    values = [standard(data[part.start : part.stop]) for part in found]
    if brackets == b"[]":
        return values
    return [
        (standard(data[p.name : p.start].rstrip(b": \t\r\n")), v) for p, v in zip(found, values, strict=True)
    ]


@untimed
@given(st.lists(PIECES, max_size=9).map(b"".join).map(lambda inside: b"[" + inside + b"]"))
@example(b"[1,]")
@example(b"[1 2]")
@example(b"[[1,2}]")
@example(b"[]]")
def test_an_array_is_one_exactly_if_the_standard_library_reads_it(data: bytes) -> None:
    """Whatever is put together, both accept it or neither does, and they see the same elements."""
    expected = standard(data)

    assert scanned(data, b"[]") == (expected if isinstance(expected, list) else None)


@untimed
@given(st.lists(PIECES, max_size=9).map(b"".join).map(lambda inside: b'{"k":' + inside + b"}"))
@example(b'{"k":1,}')
@example(b'{"k":1,"k":1,"k":[{"k":1,"a":[]}]}')
@example(b'{"k":[1}]')
@example(b'{"k":{"a":1]}')
def test_an_object_is_one_exactly_if_the_standard_library_reads_it(data: bytes) -> None:
    """The same for objects, with every duplicate of a key in its place."""
    expected = standard(data)

    assert scanned(data, b"{}") == (list(expected) if isinstance(expected, tuple) else None)


@untimed
@given(st.binary(max_size=12))
def test_any_bytes_inside_a_string_are_taken_as_they_are(content: bytes) -> None:
    """Invalid UTF-8 is cut without complaint; only what ends or breaks a string matters."""
    data = b'["' + content + b'"]'

    assert scanned(data, b"[]") == standard(data)


@pytest.mark.parametrize(
    "data", [b"", b" ", b"1", b'"{}"', b"[", b"{", b"{}}", b"{} x", b"\xef\xbb\xbf{}", b"{]"]
)
def test_what_is_no_object_is_none(data: bytes) -> None:
    """Scalars, halves and texts with something behind them are no objects."""
    assert scan.parts(data, b"{}") is None


def test_whitespace_is_no_part_of_a_part() -> None:
    """Around and inside, only the whitespace of JSON is skipped, and no slice holds any at its ends."""
    data = b' {\n "a" : [ 1 ] , "b"\t:2 }\r\n'

    assert [data[part.start : part.stop] for part in scan.parts(data, b"{}") or ()] == [b"[ 1 ]", b"2"]
    assert scan.parts(b" [ ] ", b"[]") == []
    assert scan.parts(b"[1\x0b]", b"[]") is None


@pytest.mark.parametrize(
    ("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}"), (b'[0,{"a":1,"b":', b',"c":2},3]')]
)
def test_depth_is_no_limit(opening: bytes, closing: bytes) -> None:
    """A text a hundred thousand levels deep is cut like any other, and refused if one bracket is missing."""
    deep = opening * 100_000 + b"null" + closing * 100_000

    assert scan.parts(b"[" + deep + b"]", b"[]") == [(1, 1, 1 + len(deep))]
    assert scan.parts(b"[" + deep[:-1] + b"]", b"[]") is None


def test_long_strings_and_lists_are_no_limit() -> None:
    """A megabyte of escapes, or of numbers, is one value."""
    escapes = b'"' + b"\\n" * 500_000 + b'"'
    numbers = b"[" + b"1," * 500_000 + b"1]"

    assert scan.parts(b"[" + escapes + b"," + numbers + b"]", b"[]") == [
        (1, 1, 1 + len(escapes)),
        (2 + len(escapes), 2 + len(escapes), 2 + len(escapes) + len(numbers)),
    ]


@pytest.mark.parametrize("part", [b"[]", b"[" * 10 + b"]" * 10, b"1"])
def test_a_text_made_to_keep_the_gateway_busy_is_given_up(part: bytes) -> None:
    """A body of millions of tiny parts is not read to its end: everybody else would wait for that."""
    few, many = (b"[%s]" % b",".join([part] * number) for number in (1000, scan.STEPS_MAX))

    assert scan.parts(few, b"[]") is not None
    assert scan.parts(many, b"[]") is None


def test_depth_is_given_up_where_it_would_take_seconds() -> None:
    """Brackets within brackets are read as deep as no program writes them, and not for ever."""
    deep = [b"[%s%s]" % (b"[" * depth, b"]" * depth) for depth in (scan.STEPS_MAX // 2, scan.STEPS_MAX)]

    assert [scan.parts(data, b"[]") is not None for data in deep] == [True, False]


def test_object_made_to_keep_the_gateway_busy_is_given_up() -> None:
    """Half a million members are no request; to find each of them would hold up everybody for seconds."""
    data = b"{" + b",".join(b'"%d":1' % number for number in range(scan.STEPS_MAX + 1)) + b"}"

    with pytest.raises(Malformed):
        members(data)


CROWDS = st.lists(st.sampled_from([b'"', b"\\", b",", b",,", b"a", b'\\"', b"\\\\", b'","']), max_size=40)


@given(data=CROWDS.map(b"".join), few=st.integers(0, 9))
def test_commas_in_strings_make_no_crowd_however_they_are_counted(data: bytes, few: int) -> None:
    """Whether quotes are gone through one by one or found all at once, escaped ones end no string."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "STEPS_MAX", 5)
        patch.setattr(scan, "_FEW_ESCAPES", 2)
        patch.setattr(scan, "_FEW_QUOTES", few)
        found = scan.is_crowd(data)
        patch.setattr(scan, "_FEW_QUOTES", 0)
        assert found == scan.is_crowd(data)
