"""What is worth noting about a stretch of conversation, found by rules: no model reads it.

What the user said, what was answered, and every call in one line with what came of it. Rules, values,
decisions and open tasks are the ledger's (`core.ledger`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from gateway.core import json
from gateway.core.conversation import Block, Kind, Message, Role
from gateway.core.frames import unframed
from gateway.core.ledger.shapes import data_lines
from gateway.core.speaker import attributed, speaker
from gateway.strategies import chains, marks, notes, quote
from gateway.strategies.brief import brief
from gateway.strategies.chains import Chain
from gateway.strategies.notes import Notes, Section
from gateway.strategies.place import is_digest

_VALUE_CHARS = 80
_PATH_CHARS = 240
_SIGNATURE_CHARS = 400
_OUTCOME_CHARS = 120
_FEW_LINES = 4
"""A result of no more lines is told whole, if it is short."""
_ANSWER_CHARS = 240
_REMEMBERED_CHARS = 4_000

# Keys whose values say what a call was about; they are given in full.
_PATHS = re.compile(r"path|file|dir|url|uri|key|id|name|branch|table|target|dest|source", re.IGNORECASE)

# Words in the name of a tool that changes something outside of the conversation.
_CHANGING = re.compile(
    r"write|edit|create|delete|remove|update|patch|move|rename|copy|insert|append|replace|apply|install|upload"
    r"|send|post|put|commit|push|merge|deploy|publish|save|set|add|drop|mkdir|rm|mv|cp",
    re.IGNORECASE,
)
# The same in a command line.
_CHANGING_COMMAND = re.compile(
    r"(?:^|[;&|(\s])(?:rm|mv|cp|mkdir|touch|chmod|tee|sed -i|make install"
    r"|git (?:commit|push|merge|checkout|reset|rebase|apply|mv|rm)"
    r"|(?:pip|npm|apt|apt-get|cargo|brew|yarn|pnpm|uv) (?:install|add|remove)"
    r"|kubectl (?:apply|delete)|docker (?:rm|run|push))\b"
    r"|[^-=<>]>{1,2}\s*[\w./~]"
)
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# How a result begins that tells of a failure, and what a shell adds to one.
_ERROR = re.compile(
    r"[\s\[{(\"']*(?:[\w.]*(?:error|exception|traceback|failed|failure|fatal|panic|denied)\b|错误|失败|异常)",
    re.IGNORECASE,
)
# How Anthropic's format marks one, whatever it says; within a text its quotation marks are escaped.
_MARKED = re.compile(rb'"is_error"\s{0,20}:\s{0,20}true')
_EXIT = re.compile(r"\b(?:exit|return)(?:ed with)?(?: code| status)?:? [1-9]\d{0,2}\b", re.IGNORECASE)


def facts(messages: Iterable[Message]) -> Notes:
    """Return the notes on a stretch of conversation; a digest in it is carried over, not noted again."""
    reader = _Reader()
    for message in messages:
        reader.read(message)
    reader.end_turn()
    return notes.merged([*reader.earlier, Notes(reader.found)])


class _Reader:
    """Goes through the messages and remembers which calls wait for their results."""

    def __init__(self) -> None:
        self.earlier: list[Notes] = []
        self.found: dict[Section, list[str]] = {section: [] for section in Section}
        self._answer = ""
        self._calls: list[tuple[Block, list[str]]] = []

    def read(self, message: Message) -> None:
        """Note what one message says."""
        if message.role is Role.TOOL:
            self._result(message)
        elif message.role is Role.USER:
            self.end_turn()
            self._user(message)
        elif message.role is Role.ASSISTANT and not marks.is_acknowledgement(message.text):
            self._end_round()
            self._assistant(message)

    def end_turn(self) -> None:
        """Note the calls and the answer of the turn that ends here."""
        self._end_round()
        self._add(Section.ANSWERS, quote.of_answer(self._answer, _ANSWER_CHARS))
        self._answer = ""

    def _user(self, message: Message) -> None:
        if is_digest(message):
            self.earlier.append(notes.read(message.text))
            return
        others = sum(block.kind is not Kind.TEXT for block in message.blocks)
        attached = f"[{others} attachments, not carried along]" if others else ""
        text = "\n".join(part for part in (unframed(message.text), attached) if part)
        self._add(Section.USER, attributed(text, speaker(message)))

    def _assistant(self, message: Message) -> None:
        self._answer = message.text or self._answer
        self._calls = [(block, []) for block in message.blocks if block.kind is Kind.TOOL_CALL]

    def _result(self, message: Message) -> None:
        texts: dict[str, list[str]] = {}
        for block in message.blocks:
            if block.kind is Kind.TOOL_RESULT:
                texts.setdefault(block.call_id, []).append(block.text)
        for call_id, parts in texts.items():
            if marks.is_chain(parts[-1]):
                self._chain(chains.read(parts[-1]))
                continue
            waiting = ((call, told) for call, told in self._calls if call.call_id == call_id and not told)
            for call, told in itertools.islice(waiting, 1):
                told.append(outcome("\n".join(parts), call.text, is_failed(message)))

    def _chain(self, chain: Chain) -> None:
        """Take over what the note on a chain says: the calls of its own round are in it."""
        for entry in chain.entries:
            if entry.is_said:
                self._answer = entry.text
            else:
                self._add(Section.CHANGES if entry.changes else Section.CALLS, entry.line()[2:])
        self.earlier.append(Notes(left_out=chain.left_out))
        self._calls = []

    def _end_round(self) -> None:
        for block, outcomes in self._calls:
            section = Section.CHANGES if is_change(block.name, block.text) else Section.CALLS
            self._add(
                section,
                notes.call(signature(block.name, block.text), outcomes[0] if outcomes else "no result"),
            )
        self._calls = []

    def _add(self, section: Section, text: str) -> None:
        text = notes.entry(text)
        if text:
            self.found[section].append(text)


def is_change(name: str, arguments: str) -> bool:
    """Return whether a call changes something outside of the conversation.

    >>> is_change("str_replace", "{}"), is_change("readFile", "{}")
    (True, False)
    """
    if any(_CHANGING.fullmatch(word) for word in _NAME_WORD.findall(name)):
        return True
    values = _object(arguments)
    commands = (value for key, value in values.items() if key.lower() in ("command", "cmd", "script", "code"))
    return any(isinstance(command, str) and _CHANGING_COMMAND.search(command) for command in commands)


def signature(name: str, arguments: str) -> str:
    """Return a call in one line, its long values shortened.

    >>> signature("write_file", '{"path": "src/a.py", "text": "%s"}' % ("x" * 500))[:40]
    'write_file(path=src/a.py, text=xxxxxxxxx'
    """
    values = _object(arguments)
    if not values:
        return f"{name}({brief(arguments, _VALUE_CHARS) if arguments.strip() not in ('', '{}') else ''})"
    inside = ", ".join(f"{key}={_value(key, value)}" for key, value in values.items())
    return brief(f"{name}({inside})", _SIGNATURE_CHARS)


def _value(key: str, value: Any) -> str:
    text = value if isinstance(value, str) else json.encode(value).decode()
    return brief(text, _PATH_CHARS if _PATHS.search(key) else _VALUE_CHARS)


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = json.decode(text.encode("utf-8", "surrogatepass"))
    except json.Malformed:
        return {}
    return value if isinstance(value, dict) else {}


def is_failed(message: Message) -> bool:
    """Return whether a result is marked as that of a call that failed."""
    return _MARKED.search(message.raw) is not None


def outcome(text: str, arguments: str = "", is_marked: bool = False) -> str:
    """Return in a few words what a call with these *arguments* came to; a short result itself.

    *is_marked*: it is told to have failed, whatever its text says.

    >>> outcome("Traceback (most recent call last):\\n  ...\\nKeyError: 'a'")
    "error: KeyError: 'a'"
    """
    find = _remembered_outcome if len(text) <= _REMEMBERED_CHARS else _outcome
    return find(text, arguments, is_marked)


def _outcome(text: str, arguments: str, is_marked: bool) -> str:
    id = marks.stub_id(text)
    if id:
        return f"put away as {id}"
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return "empty"
    if _ERROR.match(lines[0][:200]):
        told = brief(lines[-1] if "Traceback" in lines[0] else lines[0], _OUTCOME_CHARS)
        return "error: " + (told[6:].lstrip() if told[:6].lower() == "error:" else told)
    failed = _EXIT.search(lines[0][:200]) or _EXIT.search(lines[-1][-200:])
    if failed or is_marked:
        told = f"{failed[0]}, " if failed else ""
        return f"error: {told}{brief(lines[0], _OUTCOME_CHARS)}"
    if len(lines) <= _FEW_LINES:
        whole = "; ".join(line.strip() for line in lines)
        if len(whole) <= _OUTCOME_CHARS and not data_lines(lines):
            return whole
    shortened = marks.first_notice(text)
    # What was of note in the part that is left out was looked for in the whole.
    noted = "\n".join(line for _, line in marks.quotes(shortened)) if shortened else ""
    told = (noted and _told(noted, arguments)) or _told(text, arguments)
    # What is said is the size of the whole, not of what a step has left of it.
    count = shortened["whole"] if shortened else len(text)
    size = f"{len(lines)} lines, " if len(lines) > 1 and not shortened else ""
    return f"ok, {size}{count} characters" + (f": {told}" if told else "")


# Where a digest has to be written once more, most outcomes are those of the first time.
_remembered_outcome = lru_cache(512)(_outcome)


def _told(text: str, arguments: str) -> str:
    return quote.of_result(text, arguments, _OUTCOME_CHARS)
