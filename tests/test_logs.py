"""Events as lines: for people and for machines."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator

import pytest

from gateway.logs import JsonLines, TextLines, configure


def record(message: str = "request", **fields: object) -> logging.LogRecord:
    """Return an event with fields."""
    made = logging.makeLogRecord({"name": "gateway.access", "levelname": "INFO", "msg": message, **fields})
    made.created, made.msecs = 1_000_000.5, 500.0
    return made


def test_json_line_is_one_object() -> None:
    """A machine finds time, level, event and every field by its name, on one line."""
    line = JsonLines().format(record(status=200, session="a\nb", policy=None))

    assert "\n" not in line
    assert json.loads(line) == {
        "time": "1970-01-12T13:46:40.500Z",
        "level": "info",
        "event": "request",
        "logger": "gateway.access",
        "status": 200,
        "session": "a\nb",
        "policy": None,
    }


def test_value_that_json_does_not_know_is_written_all_the_same() -> None:
    """A log line never fails for what is in it."""
    assert json.loads(JsonLines().format(record(path=io.StringIO)))["path"].startswith("<class")


def test_text_line_is_for_people() -> None:
    """Fields follow the event as key=value; those that say nothing are left out."""
    line = TextLines().format(record(status=200, failure="", plan=None, attempts=0))

    assert line.endswith(" info    request status=200 attempts=0")


def test_text_line_shows_where_a_value_ends() -> None:
    """Lists have commas; what has a gap, a quote, an end of line or a sign of equality in it is quoted."""
    line = TextLines().format(
        record(
            steps=["offload", "digest"],
            problem='a: no "x"',
            model="a\nb",
            url="/a?b=c",
            text="é",
            at="\x9b1m",
        )
    )

    assert line.endswith(
        r' request steps=offload,digest problem="a: no \"x\"" model="a\nb" url="/a?b=c" text=é at="\u009b1m"'
    )


def test_event_without_fields_has_no_trailing_space() -> None:
    """Lines end where they end."""
    assert TextLines().format(record("ready")).endswith(" info    ready")


def test_arguments_of_a_library_are_filled_in() -> None:
    """Events of libraries, which fill their messages in, read as they should."""
    assert "connected to h:1" in TextLines().format(record("connected to %s:%d", args=("h", 1)))


def test_traceback_of_a_library_is_kept() -> None:
    """Where somebody logs an exception, the lines of its traceback are there in both forms."""
    try:
        raise ValueError("why")
    except ValueError:
        event = record(exc_info=sys.exc_info())

    assert "ValueError: why" in TextLines().format(event)
    assert "ValueError: why" in json.loads(JsonLines().format(event))["trace"]


@pytest.fixture
def unchanged() -> Iterator[None]:
    """Put the loggers back as they were."""
    loggers = [logging.getLogger(name) for name in (None, "gateway")]
    before = [(logger, logger.handlers[:], logger.level) for logger in loggers]
    yield
    for logger, handlers, level in before:
        logger.handlers[:] = handlers
        logger.setLevel(level)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(("form", "begins"), [("json", '{"time"'), ("text", "")])
def test_only_what_is_serious_enough_is_written(
    capsys: pytest.CaptureFixture[str], form: str, begins: str
) -> None:
    """Events go to standard error, from the level on that the settings name."""
    configure("warning", form)
    logging.getLogger("gateway.x").info("too little")
    logging.getLogger("gateway.x").warning("enough", extra={"count": 3})

    out, err = capsys.readouterr()
    assert out == ""
    assert "too little" not in err
    assert err.startswith(begins)
    assert "enough" in err
    assert "3" in err


@pytest.mark.usefixtures("unchanged")
def test_debugging_writes_no_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    """At the level debug the gateway says more; libraries, which would write out what they store, do not."""
    configure("debug", "text")
    logging.getLogger("aiosqlite").debug("INSERT 'a conversation'")
    logging.getLogger("gateway.x").debug("detail")

    err = capsys.readouterr().err
    assert "detail" in err
    assert "conversation" not in err
