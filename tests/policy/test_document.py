"""A YAML file as plain values, and what is wrong with it as problems with their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.policy.document import MAX_BYTES, Source, parse


def read(data: bytes) -> tuple[dict[str, object], list[str]]:
    """Return what a file holds and what is wrong with it."""
    source = Source("a.yaml")
    return parse(data, source), [str(problem) for problem in source.problems]


def test_values_come_with_their_lines() -> None:
    """A problem found later can name the line of the value it is about, or of what stands around it."""
    source = Source("a.yaml")
    parse(b"keep: {x: 1}\nsteps:\n  - use: clear\n    keep: 2\n", source)
    source.report("steps[0].keep", "is wrong")
    source.report("steps[0].missing.deep", "is wrong")
    source.report("nowhere", "is wrong")
    assert [str(problem) for problem in source.problems] == [
        "a.yaml:4: steps[0].keep: is wrong",
        "a.yaml:3: steps[0].missing.deep: is wrong",
        "a.yaml: nowhere: is wrong",
    ]


def test_key_that_stands_twice_is_a_problem() -> None:
    """A key written a second time is reported, with both lines, and the first one counts."""
    assert read(b"a: 1\nb: 2\na: 3\n") == (
        {"a": 1, "b": 2},
        ["a.yaml:3: a: stands twice: the first is in line 1; take one out"],
    )


def test_keys_and_switches_are_words() -> None:
    """`off` is the word a person wrote, as a key and as a value; true and false are no words."""
    assert read(b"off: off\n1: yes\nx: [on, true, False]\n")[0] == {
        "off": "off",
        "1": "yes",
        "x": ["on", True, False],
    }


BOMB = b"a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "a.yaml: is empty; write keys and values, or take it away"),
        (b"null\n", "a.yaml:1: is empty; write"),
        (rb'a: "\UFFFFFFFF"', "a.yaml: is not YAML: holds a character or number that there cannot be"),
        (b"# nothing\n", "a.yaml: holds nothing but comments; write keys and values, or take it away"),
        (b"\n[1, 2]", "a.yaml:2: holds a list in place of keys and values; write `key: value`, one a line"),
        (b"word", "a.yaml:1: holds 'word' in place of keys and values; write `key: value`, one a line"),
        (b"a:1", "a.yaml:1: holds 'a:1' in place of keys and values; behind a colon stands a space"),
        (b"a:\n  *x", "a.yaml:2: is not YAML: what begins with * must be put in quotes"),
        (b"x: 1\na: &a [*a]", "a.yaml:2: a: has more than 20 levels in each other; write it flatter"),
        (
            b"a: " + b"[" * 30 + b"]" * 30,
            "a.yaml:1: a: has more than 20 levels in each other; write it flatter",
        ),
        (b"a: " + b"[" * 5000, "a.yaml: is not YAML: too many brackets in each other"),
        (b"#" * (MAX_BYTES + 1), f"a.yaml: is larger than {MAX_BYTES} bytes, and no more is read; take out"),
        (b"a: 1\nb: \xff", "a.yaml:2: is not UTF-8: byte 0xff at offset 8; save it as UTF-8"),
        (
            BOMB,
            "is where the file exceeds 20000 values (each * counts as all that it stands for); write fewer",
        ),
    ],
)
def test_unreadable_file_is_one_problem(data: bytes, problem: str) -> None:
    """Whatever somebody saves as a policy, the answer is a sentence about that file and no traceback."""
    value, problems = read(data)
    assert value == {}
    (text,) = problems
    assert text.startswith("a.yaml")
    assert problem in text


@pytest.mark.parametrize(
    ("text", "value", "problem"),
    [
        ("x: !env X", None, "x: is marked as !env, which is not read here; write the value alone"),
        (
            "x: !!python/object/apply:os.getcwd []",
            None,
            "x: is marked as !!python/object/apply:os.getcwd, which",
        ),
        ("x: !!set {a}", None, "x: is marked as !!set, which is not read here; write the value alone"),
        ("x: !!int many", None, "x: is marked as !!int, which is not read here; write the value alone"),
        ("x: !!binary gICA", None, "x: is marked as !!binary, which is not read here; write the value alone"),
        ("x: {{ y }}", {}, "x: a key begins with [ or {; put it in quotes, and fill in a template first"),
        ("x: {'': 1}", {}, "x: a key is empty; write a name before the colon"),
        ("x: {\ufeffa: 1}", {}, r"x: a key holds what cannot be seen, '\ufeffa'; write it anew"),
        ('x: {"\\e[2J": 1}', {}, r"x: a key holds what cannot be seen, '\x1b[2J'; write it anew"),
    ],
)
def test_value_that_cannot_be_read_keeps_no_other_from_being_read(
    text: str, value: object, problem: str
) -> None:
    """One slip is one line, at its place, and the mistakes behind it are found in the same run."""
    source = Source("a.yaml")
    assert parse(f"a: 1\n{text}\nb: 2\n".encode(), source) == {"a": 1, "x": value, "b": 2}
    source.report("x", "expects a number, not what was read in its place")
    source.report("x.y", "is not known here")
    source.report("xy", "is wrong")
    first, second = map(str, source.problems)
    assert first.startswith(f"a.yaml:2: {problem}")
    assert second == "a.yaml: xy: is wrong"


@given(st.binary(max_size=200) | st.text(alphabet="a:-[]{}&*!? \n\"'|#%1", max_size=60).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    """Any bytes at all are read or reported."""
    value, problems = read(data)
    assert value or problems or data.strip()


@pytest.mark.parametrize(
    "text", [r'a: "x\ud83d"', r'a: ["\ude00\ud83d"]', r'"\ud83d": 1', r'a: {"\ud83d": 1}']
)
def test_half_of_a_character_is_a_problem(text: str) -> None:
    """Seen: it passed, and then nothing that held it could be encoded, and no file was read any more."""
    value, (problem,) = read(text.encode())

    assert "holds half of a character" in problem
    str(value).encode()


def test_character_that_is_written_as_two_is_one() -> None:
    """JSON is YAML, and writes what is beyond its first 65,536 characters so."""
    assert read(rb'{"a": "\ud83d\ude00"}') == ({"a": "\N{GRINNING FACE}"}, [])


def test_byte_order_mark_is_ignored() -> None:
    """A file saved by an editor that marks UTF-8 is read like any other."""
    assert read(b"\xef\xbb\xbfa: 1") == ({"a": 1}, [])


@pytest.mark.parametrize("text", ["models:\n  *: {window: 5}\n", "windows:\n  *-mini: 5\n", "models: [*]\n"])
def test_bare_star_is_told_to_be_quoted(text: str) -> None:
    """To YAML a star begins the name of an alias, which says nothing to whoever wrote a glob."""
    source = Source("f")
    parse(text.encode(), source)
    (problem,) = map(str, source.problems)
    assert problem.endswith('is not YAML: what begins with * must be put in quotes, as in "*-mini"')


@pytest.mark.parametrize(
    "url",
    [
        "https://ann:hunter2@host/v1",
        "https://hunter2@host/v1",
        "ftp://ann:hunter2@host",
        "http://ann:h@hunter2@host",
        "HTTP://ann:x/hunter2@host",
        "postgres://:hunter2@host",
    ],
)
@pytest.mark.parametrize("text", ["a: {b: '%s'}", "a: ['see %s, please']", "'%s': 1", "a: &x '%s'\nb: *x"])
def test_credentials_in_a_url_are_refused_and_not_repeated(text: str, url: str) -> None:
    """A file is shown and shared, and so is what is said about it."""
    source = Source("f")
    found = parse((text % url).encode(), source)
    (problem,) = map(str, source.problems)
    assert "must hold no user or password in a URL" in problem
    assert "hunter2" not in f"{problem} {found} {source.lines}"


def test_url_without_credentials_is_left_alone() -> None:
    """An at sign behind a port or a path is no end of a password."""
    urls = ["http://host:8080/@me", "http://[::1]:80/x", "https://host/a@b", "see http://host, or a@b.c:d"]
    source = Source("f")
    assert parse(repr({"a": urls}).encode(), source) == {"a": urls}
    assert source.problems == []
