"""Count a request: what is known from the memo, what is new off the event loop if there is much of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from itertools import takewhile
from typing import TypeVar

import msgspec

from gateway.core import prefix
from gateway.core.chains import Chains
from gateway.core.conversation import Count, Kind, Message, Role
from gateway.core.frames import is_frame
from gateway.core.memo import Facts, Found, Memo
from gateway.core.tokens import INLINE_BYTES
from gateway.wire.base import Request, WireFormat

T = TypeVar("T")

_VOCABULARIES = 1000
"""More than there will ever be; keeps the numbers of kinds of slices and vocabularies apart."""


class Counted(msgspec.Struct, frozen=True):
    """A request with the facts of each of its messages."""

    request: Request
    facts: tuple[Facts, ...]
    message_tokens: int
    """The messages alone, uncorrected."""
    extras_tokens: int
    """Tools, schemas: what every attempt spends beside the messages."""
    has_images: bool
    """Whether vendors differ on what it costs."""
    chains: Chains
    read: dict[int, Message] = msgspec.field(default_factory=dict)
    """Messages that had to be read to be counted; kept until the first decision, which need not read them."""

    @property
    def tokens(self) -> int:
        """All of it, uncorrected."""
        return self.message_tokens + self.extras_tokens

    @property
    def turns(self) -> int:
        """How many user messages there are that ask something, as `Conversation.turns` has it."""
        users = [fact for fact in self.facts if fact.role == Role.USER]
        return sum(not fact.is_frame for fact in users) or len(users)

    @property
    def untouchable(self) -> int:
        """What no compaction takes away, uncorrected: tools, schemas, the head."""
        head = takewhile(lambda fact: fact.role == Role.SYSTEM, self.facts)
        return self.extras_tokens + sum(fact.tokens for fact in head)

    def fixed(self, size: int) -> int:
        """Return what compaction leaves of a request of *size* tokens, uncorrected as they are.

        The first and the latest request, too. They may be cut when all else failed, so they count for no
        more than half of what the rest leaves.
        """
        rest = self.untouchable
        requests = {self._first_user, self.last_user}
        asked = sum(self.facts[at].tokens for at in requests if at is not None)
        return rest + min(asked, max(size - rest, 0) // 2)

    @property
    def _first_user(self) -> int | None:
        return next((at for at, fact in enumerate(self.facts) if fact.role == Role.USER), None)

    @property
    def last_user(self) -> int | None:
        """Index of the latest user message that asks something, as `Conversation.last_user`; None: none."""
        latest = None
        for at in range(len(self.facts) - 1, -1, -1):
            if self.facts[at].role == Role.USER:
                if not self.facts[at].is_frame:
                    return at
                latest = at if latest is None else latest
        return latest

    def root(self) -> list[bytes]:
        """Return the hashes of the first messages, up to the first of a user."""
        first = self._first_user if self._first_user is not None else len(self.facts)
        return [fact.digest for fact in self.facts[: first + 1]]

    def chain(self) -> list[bytes]:
        """Return the hash of every prefix of the list, shortest first."""
        return self.chains.of([fact.digest for fact in self.facts])


class Counting:
    """Counts requests of every wire format, remembering each message by its content."""

    def __init__(self, memo: Memo[Facts], executor: Executor) -> None:
        self._memo = memo
        self._chains = Chains()
        self._kinds: dict[str, int] = {}
        self._executor = executor

    async def count(self, wire: WireFormat, request: Request, count: Count, salt: int = 0) -> Counted:
        """Return the request with its facts. *salt*: one number per vocabulary, below `_VOCABULARIES`."""
        slices = (*request.messages, *request.extras)
        found = self._look_up(wire, request, salt)
        read: dict[int, Message] = {}
        if found.unknown:
            edge = len(request.messages)

            def learn() -> dict[bytes, Facts]:
                learned: dict[bytes, Facts] = {}
                for index in found.unknown:
                    key = found.keys[index]
                    if key in learned:  # equal messages are learned once
                        continue
                    if index < edge:
                        read[index] = wire.message(slices[index], count, index)
                        learned[key] = facts(read[index])
                    else:
                        learned[key] = plain_facts(slices[index], count)
                return learned

            size_bytes = sum([len(slices[index]) for index in found.unknown])
            learned = await self.off_loop(learn, size_bytes)
            for index in found.unknown:
                fact = found.facts[index] = learned[found.keys[index]]
                self._memo.add(found.keys[index], fact)
        return _counted(request, found, self._chains, read)

    def _look_up(self, wire: WireFormat, request: Request, salt: int) -> Found[Facts]:
        """Return what is known of the messages, and behind them of what stands beside the list.

        The same bytes are not the same message in every format, nor a message where they are none: what one
        client sends as a schema must not be taken for what another one says.
        """
        found = self._memo.lookup(request.messages, self._salt(wire.name, salt))
        if not request.extras:
            return found
        beside = self._memo.lookup(request.extras, self._salt(f"{wire.name} beside", salt))
        edge = len(request.messages)
        unknown = [*found.unknown, *(edge + index for index in beside.unknown)]
        return Found([*found.keys, *beside.keys], [*found.facts, *beside.facts], unknown)

    def _salt(self, kind: str, salt: int) -> int:
        return salt + self._kinds.setdefault(kind, len(self._kinds)) * _VOCABULARIES

    async def off_loop(self, work: Callable[[], T], size_bytes: int) -> T:
        """Return what *work* returns, run in a thread if it has much to read."""
        if size_bytes <= INLINE_BYTES:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)


def _counted(request: Request, found: Found[Facts], chains: Chains, read: dict[int, Message]) -> Counted:
    known = [fact for fact in found.facts if fact is not None]
    edge = len(request.messages)
    facts, tokens = tuple(known[:edge]), [fact.tokens for fact in known]
    has_images = True in [fact.has_images for fact in facts]
    return Counted(request, facts, sum(tokens[:edge]), sum(tokens[edge:]), has_images, chains, read)


def facts(message: Message) -> Facts:
    """Return what the hot path needs to know of a message."""
    has_images = Kind.IMAGE in [block.kind for block in message.blocks]
    asks_nothing = message.role is Role.USER and is_frame(message.text)
    return Facts(message.tokens, message.role.value, prefix.digest(message.raw), has_images, asks_nothing)


def plain_facts(raw: bytes, count: Count) -> Facts:
    """Return the facts of a slice that is no message: a tool list, a schema."""
    return Facts(count(raw.decode("utf-8", "replace")), "", b"")
