"""How events are written: one line each, as text for people or as JSON for machines; never any content."""

from __future__ import annotations

import json
import logging
import time

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


MODEL_CHARS = 80
"""So much of a model's name is shown: clients choose it."""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, event, and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z"
        head = {
            "time": at,
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "logger": record.name,
        }
        return json.dumps(head | _fields(record) | _trace(self, record), default=str)


class TextLines(logging.Formatter):
    """Time, level, event, then the fields of the event as key=value; quoted where a value has a gap in it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = time.strftime("%H:%M:%S", time.localtime(record.created))
        fields = " ".join(
            f"{key}={_value(value)}" for key, value in _fields(record).items() if value not in ("", None)
        )
        trace = _trace(self, record).get("trace", "")
        line = f"{at} {record.levelname.lower():7} {record.getMessage()} {fields}".rstrip()
        return f"{line}\n{trace}" if trace else line


def shown(model: str) -> str:
    """Return the name of a model as the log shows it.

    >>> shown("gpt-4o\\n")
    'gpt-4o'
    """
    return "".join(filter(str.isprintable, model[:MODEL_CHARS]))


def _value(value: object) -> str:
    """Return a value so that everybody sees where it ends.

    >>> _value(7), _value("a.yaml:1: no"), _value(["a", "b"])
    ('7', '"a.yaml:1: no"', 'a,b')
    """
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    if not text.isprintable():
        return json.dumps(text)  # a terminal does what control characters say
    return json.dumps(text, ensure_ascii=False) if set(text) & {" ", '"', "="} else text


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _PLAIN}


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> dict[str, str]:
    return {"trace": formatter.formatException(record.exc_info)} if record.exc_info else {}


def configure(level: str, form: str) -> None:
    """Write events of that level and above to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    least = logging.getLevelName(level.upper())
    # Libraries speak from `info` on: at `debug`, aiosqlite writes out every statement with its values.
    logging.basicConfig(level=max(least, logging.INFO), handlers=[handler], force=True)
    logging.getLogger("gateway").setLevel(least)
