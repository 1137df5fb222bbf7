"""Recorded errors of every provider family, as they came and as proxies mangle them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core import failures
from gateway.core.failures import (
    BodyTooLarge,
    Failure,
    Final,
    ItemTooLong,
    ListTooLong,
    OutputTooLarge,
    Overflow,
    Refused,
)

Record = dict[str, Any]
FOLDER = Path(__file__).parent.parent / "failures"
RECORDS: list[Record] = [
    record
    for path in sorted(FOLDER.glob("*.json"))
    if not path.name.startswith("unseen")
    for record in json.loads(path.read_text("utf-8"))
]
UNSEEN: list[Record] = [
    record for path in sorted(FOLDER.glob("unseen*.json")) for record in json.loads(path.read_text("utf-8"))
]
KINDS: dict[str | None, type[Failure]] = {
    kind.__name__: kind
    for kind in (Overflow, OutputTooLarge, BodyTooLarge, ListTooLong, ItemTooLong, Refused, Final)
}
OVERFLOWS = [record for record in RECORDS if record["means"]["failure"] == "Overflow"]


def named(records: list[Record]) -> list[Any]:
    return [pytest.param(record, id=record["id"]) for record in records]


def is_json(record: Record) -> bool:
    return bool(record["body"].lstrip().startswith(("{", "["))) and record["status"] != 200


def read(record: Record, body: str | None = None, status: int | None = None) -> Failure | None:
    """Read a record as the gateway would: a 200 that is no stream by `read_answer`, the rest by `read`."""
    text = (record["body"] if body is None else body).encode()
    given = record.get("given", {})
    status = record["status"] if status is None else status
    if status == 200 and text.startswith((b"{", b"[")):
        return failures.read_answer(text, **given)
    known = {name: given[name] for name in ("estimate", "window") if name in given}
    return failures.read(status, text, headers=record.get("headers", {}), **known)


def meant(record: Record) -> Failure | None:
    fields = {name: value for name, value in record["means"].items() if name not in ("failure", "clamp")}
    kind = KINDS.get(record["means"]["failure"])
    return None if kind is None else kind(**fields)


@pytest.mark.parametrize("record", named(RECORDS))
def test_recorded_error_means_what_it_says(record: Record) -> None:
    """Each recorded error is recognised, with exactly the numbers it holds and no others."""
    assert read(record) == meant(record)


@pytest.mark.parametrize("record", named(UNSEEN))
def test_unseen_wording_is_understood(record: Record) -> None:
    """A wording that no table lists is read by its structure: its kind, and the numbers that are sure."""
    wanted = {name: value for name, value in record["means"].items() if name != "failure"}

    found = read(record)

    assert type(found).__name__ == record["means"]["failure"]
    assert asdict(found).items() >= wanted.items()  # type: ignore[arg-type]  # never None here


@pytest.mark.parametrize("record", named(OVERFLOWS))
def test_only_an_overflow_that_clamping_cures_is_clamped(record: Record) -> None:
    """The output is clamped where a fifth of the window is left beside the prompt, and nowhere else."""
    found = read(record)
    assert isinstance(found, Overflow)

    cured = failures.cure(found)

    if not record["means"].get("clamp"):
        assert cured == found
        return
    assert isinstance(cured, OutputTooLarge)
    assert found.limit is not None
    assert found.prompt is not None
    assert cured.limit is not None
    assert 0.15 * found.limit < cured.limit < found.limit - found.prompt


@pytest.mark.parametrize("record", named([r for r in RECORDS if is_json(r)]))
def test_error_encoded_twice_means_the_same(record: Record) -> None:
    """A relay that puts the whole body into its own `error` string changes nothing."""
    assert read(record, json.dumps({"error": record["body"]})) == meant(record)


@pytest.mark.parametrize("record", named([r for r in RECORDS if is_json(r)]))
@pytest.mark.parametrize(
    "prose",
    [
        "litellm.BadRequestError: OpenAIException - {}. Received Model Group=m",
        "Error from provider: {}",
        "upstream said b'{}'",
    ],
)
def test_error_behind_prose_means_the_same(record: Record, prose: str) -> None:
    """A relay that quotes the body behind a sentence of its own changes nothing."""
    wrapped = {"error": {"message": prose.replace("{}", record["body"]), "type": None, "code": None}}

    assert read(record, json.dumps(wrapped)) == meant(record)


@pytest.mark.parametrize("record", named([r for r in RECORDS if is_json(r)]))
def test_error_as_python_repr_means_the_same(record: Record) -> None:
    """A relay that prints the decoded body as Python changes nothing."""
    text = f"Error code: {record['status']} - {json.loads(record['body'])!r}"

    assert read(record, json.dumps({"detail": text})) == meant(record)


@pytest.mark.parametrize("record", named([r for r in OVERFLOWS if is_json(r)]))
@pytest.mark.parametrize(
    "frame", ["data: {}\n\ndata: [DONE]\n\n", "event: error\ndata: {}\n\n", "error: {}\n\n"]
)
def test_overflow_as_event_means_the_same(record: Record, frame: str) -> None:
    """The same error inside a 200 stream is the same overflow."""
    stream = ": ping\n\n" + frame.replace("{}", record["body"].replace("\n", " "))

    assert read(record, stream, status=200) == meant(record)


@pytest.mark.parametrize("record", named([r for r in OVERFLOWS if is_json(r)]))
def test_body_cut_off_means_the_same(record: Record) -> None:
    """A body whose last bytes were lost is no JSON any more, and still the same overflow."""
    body = record["body"].rstrip()

    assert read(record, body.rstrip("]}")) == meant(record)


# Their first half is an overflow to any reader: the word that says otherwise comes last.
TELLING_LAST = {"groq-413-tpm", "llamacpp-embedding-batch", "vllm-pure-cap"}
LOOKALIKES = [r for r in RECORDS if r not in OVERFLOWS and r["body"] and r["id"] not in TELLING_LAST]


@pytest.mark.parametrize("record", named(LOOKALIKES))
def test_lookalike_cut_off_anywhere_is_no_overflow(record: Record) -> None:
    """However a proxy truncates an error that only looks like an overflow, it does not become one."""
    for size in range(20, len(record["body"]), 7):
        found = read(record, record["body"][:size])
        assert not isinstance(found, Overflow), record["body"][:size]


@pytest.mark.parametrize("record", named([r for r in OVERFLOWS if is_json(r)]))
def test_overflow_cut_off_anywhere_names_no_wrong_window(record: Record) -> None:
    """A truncated overflow is recognised or refused, and never teaches a window made of half a number."""
    limit = record["means"].get("limit")
    for size in range(20, len(record["body"]), 7):
        found = read(record, record["body"][:size])
        if isinstance(found, Overflow):
            assert found.limit in (None, limit), record["body"][:size]


@pytest.mark.parametrize("status", [400, 413])
def test_error_without_a_word_is_an_overflow_only_when_the_window_is_full(status: int) -> None:
    """An empty 400 is compacted if our own count fills nine tenths of the window; a 413 says what it is."""
    refused = BodyTooLarge() if status == 413 else Refused()

    assert failures.read(status, b"", estimate=7500, window=8192) == Overflow()
    assert failures.read(status, b"", estimate=5000, window=8192) == refused
    assert failures.read(status, b"") == refused


def test_opaque_refusal_is_an_overflow_only_when_the_window_is_full() -> None:
    """Gemini's sentence that may hide anything is taken for an overflow by our own count only."""
    body = b'{"error": {"message": "Request contains an invalid argument.", "code": 400}}'

    assert failures.read(400, body, estimate=8000, window=8192) == Overflow()
    assert failures.read(400, body, estimate=800, window=8192) == Refused()


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"message": "bad status code: 400", "type": "one_api_error", "code": "bad_status_code"}}',
        b'{"error": {"message": "Provider returned error", "code": 400}}',
        b"400 status code (no body)",
        b"Bad Request",
    ],
)
def test_relay_that_swallowed_the_sentence_is_an_overflow_only_when_the_window_is_full(body: bytes) -> None:
    """A relay that only says that there was an error is taken for an overflow by our own count only."""
    assert failures.read(400, body, estimate=8000, window=8192) == Overflow()
    assert failures.read(400, body, estimate=800, window=8192) == Refused()


def test_relay_that_tells_the_sentence_is_believed() -> None:
    """However full the window is, what a relay quotes says what is wrong."""
    body = b'{"error": {"message": "Provider returned error", "metadata": {"raw": "tools.0: required"}}}'

    assert failures.read(400, body, estimate=8000, window=8192) == Refused()


def test_lower_bound_is_clamped_by_our_own_count_only() -> None:
    """vLLM stops counting at the limit, so its count alone never decides that clamping is enough."""
    overflow = Overflow(limit=32768, prompt=257, output=32512, exact=False)

    assert failures.cure(overflow) == overflow
    assert failures.cure(overflow, estimate=26207) == OutputTooLarge(limit=32768 - 26207 - 655)
    assert isinstance(failures.cure(overflow, estimate=8000), OutputTooLarge)
    assert failures.cure(overflow, estimate=30000) == overflow


def test_silent_truncation_is_a_suspicion_only() -> None:
    """A reported count far below ours is suspicious for a long prompt, and nothing for a short one."""
    assert failures.suspect_truncation(9000, 2051)
    assert not failures.suspect_truncation(1900, 300)
    assert not failures.suspect_truncation(9000, 8000)
    assert not failures.suspect_truncation(None, 2051)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text()
            | st.sampled_from(
                ["error", "message", "choices", "usage", "code", "detail", "response", "base_resp", "delta"]
            ),
            inner,
        )
    ),
)


@given(
    st.binary() | json_values.map(lambda value: json.dumps(value).encode()),
    st.sampled_from([200, 400, 413, 500]),
)
def test_no_bytes_make_it_raise(body: bytes, status: int) -> None:
    """Whatever an upstream sends, reading it ends with a value."""
    assert isinstance(failures.read(status, body), tuple(KINDS.values()))
    assert isinstance(failures.read_event(body, "error"), tuple(KINDS.values()))
    failures.read_event(body)
    failures.read_answer(body, window=10, asked_output=1)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 262144,
        b'{"error":' * 29000,
        b"9" * 262144,
        b'{"error":"' + b"\\" * 262144,
        json.dumps({"message": "too many " * 29000 + "tokens"}).encode(),
        json.dumps({"error": {"message": "{'a': " * 40000}}).encode(),
        b"<a " * 87000,
        b"\xff\x00" * 131072,
    ],
    ids=["nesting", "objects", "digits", "backslashes", "words", "braces", "tags", "garbage"],
)
def test_hostile_body_is_read(body: bytes) -> None:
    """A quarter of a megabyte made to exhaust a parser ends with a value like any other."""
    assert isinstance(failures.read(400, body), tuple(KINDS.values()))
    assert isinstance(failures.read_event(body, "error"), tuple(KINDS.values()))


@pytest.mark.parametrize("place", ["messages.3.content", "messages.3.content.0.text", "input[3].output"])
def test_field_is_named_in_front_of_the_sentence(place: str) -> None:
    """Anthropic names the text that is too long before it says so; what it names beside is none to cut."""
    text = f"{place}: String should have at most 1000 characters"
    body = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": text}})
    other = body.replace(place, "tools.0.description")

    assert failures.read(400, body.encode()) == ItemTooLong(place, 1000)
    assert failures.read(400, other.encode()) == Refused()
