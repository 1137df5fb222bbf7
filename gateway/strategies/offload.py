"""Put large content away and leave a stub that says how to get it back.

A stub names the content by its hash, so the same content put away twice is stored once and reused call
ids cannot mix up two results. Without an archive nothing is done: a stub must never promise what is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gateway.core.conversation import Conversation, Kind, Message, Offload, Role
from gateway.strategies import marks
from gateway.strategies.base import Room, Strategy
from gateway.strategies.held import held
from gateway.strategies.results import Result, is_named, results, with_texts
from gateway.strategies.shorten import Counted

_ROLES = ("tool", "assistant", "user")


@dataclass(frozen=True, kw_only=True)
class OffloadContent(Strategy):
    """Large results become stubs with an id, a size and a preview."""

    light = True

    min_tokens: int = 1500
    """Results larger than this are put away; 0: not measured in tokens."""
    min_chars: int = 0
    """The same in characters; with both, either is enough. 0: not measured in characters."""
    keep_last: int = 5
    """So many of the newest candidates, large or not, stay whole."""
    keep_messages: int = 0
    """So many of the newest messages, of whatever kind, stay whole."""
    before_reply: bool = False
    """Whether only what stands before the last reply is put away, nothing of a turn that goes on."""
    preview_chars: int = 200
    """How much of the beginning stands in the stub; what must survive of a result stands there besides \
(400 characters at most)."""
    roles: tuple[str, ...] = ("tool",)
    """Whose content is put away: `tool`, and also large texts of `assistant` and `user`."""
    allow: tuple[str, ...] = ()
    """Globs of tool names; if any are given, only results of these tools are put away."""
    deny: tuple[str, ...] = ()
    """Globs of tool names whose results are never put away."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the settings."""
        yield from self.negative("min_tokens", "min_chars", "keep_last", "keep_messages", "preview_chars")
        if not self.min_tokens and not self.min_chars:
            yield "without min_tokens or min_chars nothing is ever put away"
        for role in self.roles:
            if role not in _ROLES:
                yield f"roles knows {', '.join(_ROLES)}, got {role}"

    def apply(self, view: Conversation, room: Room) -> Conversation:
        """Return the conversation with its oldest large content behind stubs, until the target is met."""
        if not room.archive:
            return view
        excess = view.tokens - room.target
        changes: dict[int, Message] = {}
        offloads: list[Offload] = []
        for found in self._old(view, room):
            if excess <= 0:
                break
            message = changes.get(found.index, view.messages[found.index])
            stubs = dict(self._stubs(message, found, room))
            if stubs:
                offloads += [Offload(marks.content_id(t), t, found.name) for t in _texts(message, stubs)]
                changes[found.index] = with_texts(message, stubs)
                excess -= message.tokens - changes[found.index].tokens
        return view.replacing(changes, offloads)

    def _old(self, view: Conversation, room: Room) -> list[Result]:
        found = sorted(self._candidates(view, room), key=lambda candidate: candidate.index)
        older = found[: max(0, len(found) - self.keep_last)]
        stop = min(view.unseen, len(view.messages) - self.keep_messages)
        if self.before_reply:
            stop = min(stop, _last_reply(view))
        return [r for r in older if r.index < stop and self._is_large(view.messages[r.index], r)]

    def _candidates(self, view: Conversation, room: Room) -> Iterator[Result]:
        if "tool" in self.roles:
            yield from (r for r in results(view) if is_named(r.name, self.allow, self.deny))
        kept = {view.last_user, view.turns[0].start if view.turns and room.keep.first_user else None}
        for index, message in enumerate(view.messages):
            if (
                message.role in (Role.ASSISTANT, Role.USER)
                and message.role in self.roles
                and index not in kept
            ):
                yield _spoken(index, message)

    def _is_large(self, message: Message, found: Result) -> bool:
        chars = sum(len(message.blocks[position].text) for position in found.blocks)
        return bool(
            (self.min_tokens and found.tokens > self.min_tokens)
            or (self.min_chars and chars > self.min_chars)
        )

    def _stubs(self, message: Message, found: Result, room: Room) -> Iterator[tuple[int, Counted]]:
        for position in found.blocks:
            block = message.blocks[position]
            if marks.stub_id(block.text) or marks.is_digest(block.text) or marks.is_chain(block.text):
                continue
            told = held(message, block.text, room)
            text = marks.stub(block.text, block.tokens, found.name, self.preview_chars, told)
            stub = Counted(text, room.count(text))
            if stub.tokens < block.tokens:
                yield position, stub


def _last_reply(view: Conversation) -> int:
    """Return the index of the last answer without calls; 0 if there is none. What the end is is no answer."""
    calling = {span.start for span in view.rounds}
    replies = (
        index
        for index in range(len(view.messages) - 2, -1, -1)
        if view.messages[index].role is Role.ASSISTANT and index not in calling
    )
    return next(replies, 0)


def _spoken(index: int, message: Message) -> Result:
    """Return the texts of a message that is no result, in the shape of one."""
    blocks = tuple(
        position
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.TEXT and block.path is not None and block.text
    )
    return Result(index, blocks, "", sum(message.blocks[position].tokens for position in blocks))


def _texts(message: Message, positions: Iterable[int]) -> list[str]:
    return [message.blocks[position].text for position in positions]
