"""Keep the last of equal contents, and of a file its last version; what was there before points to it.

An agent reads a file, edits it, and reads it again: the earlier reading is not only twice there, it is wrong.
Only what comes earlier is touched, so that the newest copy is whole and where the model looks first; and what
a pointer points to is never itself exchanged. A reading is superseded only by one of the same part of the
same file, or by a tool that wrote the whole file, and only if that went well and is of a comparable size:
clients answer a second reading with "unchanged", and then the first is all there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gateway.core.conversation import Block, Conversation, Kind, Message, Offload, Role
from gateway.strategies import facts, files, marks
from gateway.strategies.base import Room, Strategy, requests
from gateway.strategies.brief import brief
from gateway.strategies.results import Result, answered, with_texts
from gateway.strategies.shorten import Counted

_ROLES = ("tool", "assistant", "user")
_CALL_CHARS = 160

_COMPARABLE = 4
"""A version that is smaller than the earlier one by more than this factor is taken for an excerpt of it."""


@dataclass(frozen=True, kw_only=True)
class Dedupe(Strategy):
    """Of equal contents the last one stays, and of a file its last version; earlier ones point to it."""

    light = True

    min_tokens: int = 200
    """Smaller contents stay."""
    roles: tuple[str, ...] = ("tool", "assistant", "user")
    """Whose contents are looked at: results, and texts of `assistant` and `user`, each with their own."""
    reads: tuple[str, ...] = files.READS
    """Globs of tools that read a file or a part of it, in lower case; none: only equal results count."""
    writes: tuple[str, ...] = files.WRITES
    """Globs of tools whose call holds a path and the whole new content."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("min_tokens")
        for role in self.roles:
            if role not in _ROLES:
                yield f"roles knows {', '.join(_ROLES)}, got {role}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest repeated contents exchanged, until the target is met."""
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        if excess <= 0:
            return view
        search = _Search(view, room, self, requests(view, room.keep))
        for (index, position), stub in sorted(search.run().items()):
            if excess <= 0:
                break
            message = changes.get(index, view.messages[index])
            block = message.blocks[position]
            changes[index] = with_texts(message, {position: stub})
            excess -= block.tokens - stub.tokens
            if room.archive:
                offloads.append(Offload(marks.stub_id(stub.text) or "", block.text, block.name))
        return view.replacing(changes, offloads)


@dataclass(frozen=True, slots=True)
class _Version:
    """What a file was at some time."""

    text: str
    said: str
    """How a pointer names it."""


@dataclass(slots=True)
class _Search:
    """Goes backwards through a conversation and finds what a later message makes needless."""

    view: Conversation
    room: Room
    step: Dedupe
    spared: frozenset[int]
    stubs: dict[tuple[int, int], Counted] = field(default_factory=dict)
    """What is to stand in the place of which block, by index and position."""
    copies: dict[tuple[Role, str], Block | None] = field(default_factory=dict)
    """Contents that stay, with the call that a result belongs to."""
    versions: dict[files.Part, _Version] = field(default_factory=dict)
    """The newest ones that stay."""
    written: dict[str, _Version] = field(default_factory=dict)
    """Whole files, by path."""

    def run(self) -> Mapping[tuple[int, int], Counted]:
        """Return what was found."""
        found: dict[int, list[tuple[Block, Result]]] = {}
        writes: dict[int, list[files.Written]] = {}
        for span in self.view.rounds if "tool" in self.step.roles else ():
            for call, result in answered(self.view, span):
                found.setdefault(result.index, []).append((call, result))
                if (file := self._write(call, result)) is not None:
                    writes.setdefault(span.start, []).append(file)
        for index in range(len(self.view.messages) - 1, -1, -1):
            for call, result in reversed(found.get(index, ())):
                self._result(call, result)
            if self.view.messages[index].role in (Role.USER, Role.ASSISTANT):
                self._said(index)
            for file in writes.get(index, ()):
                said = f"what was written to {brief(file.path, _CALL_CHARS)}"
                self.written.setdefault(file.path, _Version(file.content, said))
        return self.stubs

    def _said(self, index: int) -> None:
        message = self.view.messages[index]
        if message.role not in self.step.roles:
            return
        for position, block in enumerate(message.blocks):
            if block.kind is Kind.TEXT:
                self._look(index, position, None, None)

    def _result(self, call: Block, result: Result) -> None:
        part = files.read_part(call.name, call.text, self.step.reads)
        text = self._text(result)
        newer = self._newer(part, text) if part is not None else None
        for position in result.blocks:
            self._look(result.index, position, call, newer)
        is_exchanged = any((result.index, position) in self.stubs for position in result.blocks)
        if part is not None and not is_exchanged and self._is_version(text, result):
            said = f"the result of {call.name}({brief(part.path, _CALL_CHARS)})"
            self.versions.setdefault(part, _Version(text, said))

    def _newer(self, part: files.Part, text: str) -> _Version | None:
        """Return the later version that makes this one needless; None if it says the same."""
        found = self.versions.get(part) or self.written.get(part.path)
        if found is None or found.text == text or len(found.text) * _COMPARABLE < len(text):
            return None
        return found

    def _look(self, index: int, position: int, call: Block | None, newer: _Version | None) -> None:
        """Find out whether a block can make way; one that stays can be pointed to."""
        message = self.view.messages[index]
        block = message.blocks[position]
        if block.tokens < self.step.min_tokens or block.path is None or marks.is_marked(block.text):
            return
        key = message.role, block.text
        what = f"superseded by {newer.said}" if newer else self._same(key)
        if what and index < self.view.unseen and index not in self.spared:
            original = marks.content_id(block.text) if self.room.archive else ""
            text = marks.stand_in(f"{what} further below", original)
            stub = Counted(text, self.room.count(text))
            if stub.tokens < block.tokens:
                self.stubs[index, position] = stub
                return
        self.copies.setdefault(key, call)

    def _same(self, key: tuple[Role, str]) -> str:
        if key not in self.copies:
            return ""
        call = self.copies[key]
        if call is None:
            return f"same as what the {key[0]} says"
        return f"same as the result of {brief(facts.signature(call.name, call.text), _CALL_CHARS)}"

    def _write(self, call: Block, result: Result) -> files.Written | None:
        """Return the file that a call has written, unless that failed."""
        file = files.written(call.name, call.text, self.step.writes)
        if file is None or marks.is_marked(file.content) or _is_failure(self._text(result)):
            return None
        return file

    def _is_version(self, text: str, result: Result) -> bool:
        """Return whether a result is a file as it was, whole in all its parts."""
        blocks = self.view.messages[result.index].blocks
        is_whole = not any(marks.is_marked(blocks[position].text) for position in result.blocks)
        return result.tokens >= self.step.min_tokens and is_whole and not _is_failure(text)

    def _text(self, result: Result) -> str:
        blocks = self.view.messages[result.index].blocks
        return "\n".join(blocks[position].text for position in result.blocks)


def _is_failure(text: str) -> bool:
    return facts.outcome(text).startswith("error")
