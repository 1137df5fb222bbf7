"""What an error body says about itself, dug out of every wrapping."""

from __future__ import annotations

import json

import pytest

from gateway.core.failure_text import CUT, decode, gather, gather_value, snake


@pytest.mark.parametrize(
    "body",
    [
        '{"error": {"message": "too long"}}',
        '{"error": "too long"}',
        '{"message": "too long"}',
        '{"detail": "too long"}',
        '{"detail": [{"loc": ["body"], "msg": "too long", "type": "t"}]}',
        '{"errors": [{"message": "too long"}]}',
        '{"error_msg": "too long"}',
        '{"base_resp": {"status_msg": "too long"}}',
        '{"response": {"error": {"message": "too long"}}}',
        '{"error": {"metadata": {"raw": "{\\"message\\": \\"too long\\"}"}}}',
        '{"error": {"value": {"error_message": "too long"}}}',
        '{"OriginalMessage": "too long"}',
        '[{"error": {"message": "too long"}}]',
        '{"error": "{\\"error\\": {\\"message\\": \\"too long\\"}}"}',
        "{'error': {'message': 'too long'}}",
        '"too long"',
        "too long",
        "\ufeff too long ",
        "<html><style>p {}</style><p>too long</p></html>",
        '{"fault": {"faultstring": "too long"}}',
    ],
)
def test_sentence_is_found_in_every_envelope(body: str) -> None:
    """Wherever a vendor puts its sentence, it is found, and nothing beside it."""
    assert [text.strip('" ') for text in gather(body.encode()).texts] == ["too long"]


@pytest.mark.parametrize("key", ["input", "prompt", "messages", "content", "ctx", "choices", "tools"])
@pytest.mark.parametrize("value", ['"too long"', '{"message": "too long"}', '[{"message": "too long"}]'])
def test_what_repeats_the_request_is_not_read(key: str, value: str) -> None:
    """The user's own words come back in validation errors, and are no evidence; in a broken body neither."""
    body = f'{{"{key}": {value}, "error": {{"message": "bad field"'

    assert gather((body + "}}").encode()).texts == ["bad field"]
    assert gather(body.encode()).texts == ["bad field"]


def test_validation_entry_is_read_by_its_message_only() -> None:
    """A pydantic entry gives its message and where, not what was sent."""
    entry = {
        "type": "t",
        "loc": ["body", "messages", 3, "content"],
        "msg": "bad",
        "value": {"message": "too long"},
    }

    found = gather(json.dumps({"detail": [entry]}).encode())

    assert (found.texts, found.params) == (["bad"], ["messages[3].content"])


def test_prose_around_json_is_kept() -> None:
    """The words before and after a quoted body may hold the veto, so they count."""
    found = gather(
        b'{"message": "RateLimitError: {\\"error\\": {\\"message\\": \\"too long\\"}}. Retry later"}'
    )

    assert found.texts == ["RateLimitError", "too long", "Retry later"]


def test_identifiers_params_and_counts_are_kept_apart() -> None:
    """Codes of any type, the named field and numeric fields are found beside the sentence."""
    body = (
        b'{"error": {"code": 400, "type": "E", "param": "messages", "n_ctx": 4096, "n_prompt_tokens": 5000}}'
    )

    found = gather(body)

    assert (found.marks, found.params) == (["400", "E"], ["messages"])
    assert found.counts == {"nctx": 4096, "nprompttokens": 5000}


def test_number_that_was_cut_off_is_marked() -> None:
    """A sentence cut off by the end of the body is marked, so that half a number is not taken for one."""
    assert gather(b'{"error": {"message": "limit is 13').texts == ["limit is 13" + CUT]
    assert gather(b'{"error": {"n_ctx": 40').counts == {}


def test_long_text_keeps_its_two_ends() -> None:
    """An endless sentence is bounded: its beginning and end stay."""
    (text,) = gather(b"a" * 5000 + b"b" * 5000).texts

    assert len(text) < 5000
    assert text.startswith("a")
    assert text.endswith("b")


def test_nesting_is_bounded() -> None:
    """What is wrapped more often than any relay does is not dug out, and does no harm."""
    value: object = "too long"
    for _ in range(200):
        value = {"error": value}

    assert gather_value(value).texts == []


def test_body_escaped_once_too_often_is_read() -> None:
    """JSON whose quotes a relay escaped, or that was cut off after an escape, still gives its sentence."""
    assert gather(rb"error: {\"error\": {\"message\": \"too long\"}}").texts == ["error", "too long"]
    assert gather(rb'{"error": {"message": "too\u0020long\n').texts == ["too long\n" + CUT]


def test_fields_without_end_are_bounded() -> None:
    """A body of numbers only is read as far as an error can be long."""
    assert len(gather(json.dumps({f"n{index}": index for index in range(90)}).encode()).counts) == 50


def test_text_after_a_value_is_no_json() -> None:
    """A value with something behind it is not one value."""
    with pytest.raises(ValueError, match=r"^$"):
        decode("{} {}")


@pytest.mark.parametrize(
    ("mark", "folded"),
    [
        ("ContextLengthExceeded", "context_length_exceeded"),
        ("context-length-exceeded", "context_length_exceeded"),
        ("CONTEXT_LENGTH_EXCEEDED", "context_length_exceeded"),
    ],
)
def test_identifiers_are_compared_in_one_spelling(mark: str, folded: str) -> None:
    """Vendors spell the same identifier in camel case, with dashes, or in capitals."""
    assert snake(mark) == folded


def test_sentence_in_place_of_a_parameter_is_read() -> None:
    """MiMo says in `param` what is wrong with one; a parameter's name is no sentence."""
    found = gather(b'{"error": {"message": "Param Incorrect", "param": "max_tokens is too large"}}')

    assert found.texts == ["Param Incorrect", "max_tokens is too large"]
    assert gather(b'{"error": {"message": "no", "param": "max_tokens"}}').texts == ["no"]


@pytest.mark.parametrize(
    "body",
    [
        b'{"err": "too long"}',
        b'{"message": "no", "hint": "too long"}',
        b'{"header": {"code": 10907, "message": "too long"}, "payload": {}}',
        b'{"error": {"json": {"message": "too long"}}}',
        b'{"status": "error"}\n{"error": {"message": "too long"}}',
    ],
)
def test_sentence_is_found_wherever_a_server_puts_it(body: bytes) -> None:
    """What is wrong may be called a hint, stand in a header's object, or in a second line."""
    assert gather(body).texts[-1] == "too long"


def test_request_quoted_behind_an_error_is_not_read() -> None:
    """What a relay appends of the request is the user's, whatever it says."""
    body = b'{"error": {"message": "no"}}\nRequest: {"note": "a", "error": "prompt is too long"}'

    assert gather(body).texts == ["no"]
