"""The to-do list that an agent keeps with a tool: what is left of it must survive every compaction.

Such a tool has no memory of its own: each call writes the list anew, and what the model knows of it is its
latest call. It is told as one entry, with what is done, so that the model can write it on. Agents have it
under many names and forms: a list of objects with a text and a status, lines with boxes to tick, or a call
for each thing to do, which later ones name by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.core import json
from gateway.core.conversation import Block, Kind, Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger import entry as entries
from gateway.core.ledger.entry import Entry

TITLE = "To-do list, as last written:"
"""How the entry begins."""

_MOST_ITEMS = 100
_ITEM_CHARS = 200
_MOST_CHARS = 2000
"""Of a longer list what is done goes first, then its end."""

_NAME = re.compile(
    r"todo|task_?(?:tracker|list)|(?:update|set|write)_?plan|plan_?(?:update|write)", re.IGNORECASE
)
_ONE = re.compile(r"(?:^|[_.])task_?(?:create|update)$", re.IGNORECASE)
"""Names of calls that write one item (Claude Code)."""
_NUMBER = re.compile(r"#(\d{1,6})\b")
_BESIDE = "task_progress"
"""A member in which the list stands in calls of all tools (Cline)."""

_TEXTS = ("content", "step", "title", "subject", "text", "task", "name", "description")
_STATES = ("status", "state", "completed", "done")
_LIST = re.compile(r"todo|task|plan|item|list", re.IGNORECASE)
_DONE = re.compile(r"complete|done|finished|cancel|skipped|deleted|^x$|^true$", re.IGNORECASE)
_DOING = re.compile(r"progress|doing|active|current|started|^[-~]$", re.IGNORECASE)
_BOX = re.compile(
    r"\s{0,20}(?:[-*+]|\d{1,3}[.)])? ?\[(?P<state>[^\]\n]{0,20})\] (?:#(?P<id>[\w-]{1,40}) )?(?P<text>.+)"
)
_OPEN, _DOING_STATE, _DONE_STATE = " ", "in progress", "x"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to do."""

    text: str
    state: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A list as it stands, and the message that says all of it; None: several do, or an earlier digest."""

    entry: Entry
    by: Message | None = None


def is_plan(entry: Entry) -> bool:
    """Return whether an entry of a ledger is such a list."""
    return entry.kind is entries.Kind.TASK and entry.text.startswith(TITLE)


def plan_of(carried: Iterable[Entry], messages: Iterable[Message]) -> Plan | None:
    """Return the list after all that was written of it; None: there is none, or nothing is left to do.

    *carried*: what a digest says of it, which is older than all of the messages.
    """
    items = [item for one in carried for item in _ticked(one.text)]
    by: Message | None = None
    numberless: dict[str, Item] = {}
    for message in messages:
        if message.role is Role.TOOL:
            items = _numbered(items, numberless, message)
        for call in _calls(message):
            found, is_part = _written(call)
            if found is None:
                continue
            items, by = (_merged(items, found), None) if is_part else (list(found), message)
            if is_part and not found[0].id:
                numberless[call.call_id] = found[0]
    if all(item.state == _DONE_STATE for item in items):
        return None
    return Plan(Entry(entries.Kind.TASK, _text(items, by is None), "assistant"), by)


def _calls(message: Message) -> Iterator[Block]:
    if message.role is Role.ASSISTANT:
        for block in message.blocks:
            if block.kind is Kind.TOOL_CALL and (
                _NAME.search(block.name) or _ONE.search(block.name) or _BESIDE in block.text
            ):
                yield block


def _numbered(items: list[Item], numberless: dict[str, Item], message: Message) -> list[Item]:
    """Return the items, those with the number that their tool answers with."""
    for block in message.blocks:
        item = numberless.pop(block.call_id, None)
        number = _NUMBER.search(block.text[:_ITEM_CHARS]) if item is not None else None
        if number:
            items = [replace(one, id=number[1]) if one is item else one for one in items]
    return items


def _written(call: Block) -> tuple[Sequence[Item] | None, bool]:
    """Return what a call writes, and whether it is only a part of the list; None if that cannot be read."""
    values = _object(call.text)
    if _ONE.search(call.name):
        id = values.get("taskId", values.get("id", ""))
        return (Item(_text_of(values), _state(values.get("status")), str(id)),) if values else None, True
    named = values if _NAME.search(call.name) else {_BESIDE: values.get(_BESIDE)}
    found = (tuple(_items(value)) for value in named.values())
    is_emptied = any(value == [] and _LIST.search(key) for key, value in named.items())
    nothing = () if is_emptied else None
    return next(filter(None, found), nothing), values.get("merge") is True


def _object(text: str) -> Mapping[str, Any]:
    if "[haversack" in text:
        return {}
    try:
        value = json.decode(text.encode("utf-8", "surrogatepass"))
    except (json.Malformed, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> Iterator[Item]:
    if isinstance(value, str):
        yield from _ticked(value)
    found = [one for one in value[:_MOST_ITEMS] if isinstance(one, dict)] if isinstance(value, list) else []
    if not any(key in one for one in found for key in _STATES):
        # A list of something else.
        return
    for one in found:
        if _text_of(one) or one.get("id") is not None:
            state = next((one[key] for key in _STATES if key in one), None)
            yield Item(_text_of(one), _state(state), str(one.get("id", "")))


def _ticked(text: str) -> Iterator[Item]:
    """Yield what stands behind boxes, one on a line."""
    for line in text.split("\n")[: 2 * _MOST_ITEMS]:
        if match := _BOX.match(line[: 2 * _ITEM_CHARS]):
            yield Item(_plain(match["text"]), _state(match["state"]), match["id"] or "")


def _text_of(one: Mapping[str, Any]) -> str:
    texts = (one.get(key) for key in _TEXTS)
    return next((_plain(text) for text in texts if isinstance(text, str) and text.strip()), "")


def _plain(text: str) -> str:
    text = " ".join(text[: 2 * _ITEM_CHARS].split())
    return text if len(text) <= _ITEM_CHARS else text[:_ITEM_CHARS].rstrip() + "…"


def _state(status: Any) -> str:
    said = str(status).strip()
    if _DONE.search(said) and not said.lower().startswith(("not", "un", "in")):
        return _DONE_STATE
    return _DOING_STATE if _DOING.search(said) else _OPEN


def _merged(items: Sequence[Item], part: Sequence[Item]) -> list[Item]:
    """Return the list with a part of it written anew; what is known by its id need not say its text again."""
    found = list(items)
    for item in part:
        known = next((n for n, old in enumerate(found) if _is_same(old, item)), None)
        if known is not None:
            found[known] = replace(item, text=item.text or found[known].text, id=item.id or found[known].id)
        elif item.text:
            found.append(item)
    return found


def _is_same(old: Item, item: Item) -> bool:
    return bool(item.id and old.id == item.id) or bool(item.text and old.text == item.text)


def _text(items: Sequence[Item], has_ids: bool) -> str:
    """Return the list; later calls that write a part of it know the items by their ids."""
    lines = [
        f"[{item.state}] {f'#{item.id} ' if has_ids and item.id else ''}{item.text}"
        for item in items
        if item.text
    ]
    if sum(map(len, lines)) > _MOST_CHARS:
        lines = [line for line in lines if not line.startswith(f"[{_DONE_STATE}]")]
    kept, size = list[str](), 0
    for line in lines:
        size += len(line)
        if size > _MOST_CHARS:
            kept.append(f"… and {len(lines) - len(kept)} more")
            break
        kept.append(line)
    return "\n".join([TITLE, *kept])
