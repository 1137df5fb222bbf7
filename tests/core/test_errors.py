"""The exceptions that callers see."""

from __future__ import annotations

import pytest

from gateway.core import errors
from gateway.core.errors import ConfigError, GatewayError, WindowExceeded, where


def kinds() -> list[type[GatewayError]]:
    """Return every error that can reach a client."""
    return [GatewayError, *GatewayError.__subclasses__()]


def test_every_error_has_a_code_of_its_own() -> None:
    """A program can tell the errors apart by their codes alone."""
    codes = [kind.code for kind in kinds()]

    assert len(set(codes)) == len(codes)


def test_table_at_the_top_says_what_clients_get() -> None:
    """Status and code stand in the table of the module, which is where people look them up."""
    table = [line.split() for line in (errors.__doc__ or "").splitlines()]

    for kind in kinds():
        assert any(row[:3] == [kind.__name__, str(kind.status), kind.code] for row in table), kind


def test_overflow_is_called_what_the_vendor_calls_it() -> None:
    """Clients that compact on the vendor's code do so on ours."""
    assert (WindowExceeded.status, WindowExceeded.code) == (400, "context_length_exceeded")


def test_message_is_what_the_client_reads() -> None:
    """The text of an error is both what is logged and what is sent."""
    error = GatewayError("say less")

    assert (error.message, str(error)) == ("say less", "say less")


def test_every_problem_of_a_configuration_is_kept() -> None:
    """All that is wrong is told at once, one line each."""
    error = ConfigError(["a: no", "b: no"])

    assert error.problems == ["a: no", "b: no"]
    assert str(error) == "a: no\nb: no"


@pytest.mark.parametrize("key", ["hvs_" + "Ab1_" * 10 + "xyz", "sk-proj-" + "Ab1c" * 10])
def test_key_in_a_wrong_place_is_not_repeated(key: str) -> None:
    """Problems are logged, and shown to whoever asks whether the gateway is ready; a hash may be shown."""
    hashed = "sha256-" + "0a" * 32
    (problem,) = ConfigError([f"a.yaml:1: mode: cannot be {key!r}; keys hold {hashed}"]).problems

    assert key not in problem
    assert hashed in problem
    assert problem.startswith("a.yaml:1: mode: cannot be ")


def deep(depth: int) -> None:
    """Fail after so many calls."""
    if depth == 0:
        raise ValueError("the secret of a conversation")
    deep(depth - 1)


def test_place_of_an_error_tells_no_content() -> None:
    """A log line names the kind of a mistake and where it happened, and nothing that a client wrote."""
    try:
        deep(1)
    except ValueError as error:
        told = where(error)

    assert told.startswith("ValueError at test_errors.py:")
    assert told.endswith(" deep")
    assert "secret" not in told


def test_place_of_a_deep_error_stays_one_line() -> None:
    """Runaway recursion does not fill the log: the innermost places are named."""
    try:
        deep(50)
    except ValueError as error:
        told = where(error)

    assert told.count(" > ") == 5
    assert told.endswith(" deep")


def test_error_that_was_never_raised_has_no_place() -> None:
    """An exception without a traceback is named all the same."""
    assert where(ValueError("x")) == "ValueError at "
