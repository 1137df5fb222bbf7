"""The store in one SQLite file: the default, for one gateway process.

Written ahead (WAL) with `synchronous=NORMAL`. What is committed is in the operating system's hands, so
`kill -9` loses nothing; a power cut may lose the last transactions, never the file. `FULL` would pay a disk
flush per commit to protect what is only the second copy: the client still has the first.

A file that is damaged, gone, read-only or on a full disk raises StoreError and nothing is moved or repaired
behind the owner's back: the gateway goes on without a store, and counts it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from asyncio import TaskGroup
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import aiosqlite

from gateway.store import pack, statements
from gateway.store.base import Checkpoint, Learned, Original, Prepared, StoreError
from gateway.store.driver import border
from gateway.store.file import DatabaseFile
from gateway.store.migrate import migrate
from gateway.store.writer import Statement, Writer
from gateway.strategies.marks import named_ids

_BUSY_MS = 1000
"""How long to wait for another process that writes, e.g. a backup. A client may be waiting as long."""
_MOST_PREFIXES = 8192
"""Parameters per query; the driver allows 32766."""

_PAGES_AT_ONCE = 4096

_PRAGMAS = (
    # Before the first table is made, or it has no effect.
    "PRAGMA auto_vacuum=INCREMENTAL",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA temp_store=MEMORY",
    # After a checkpoint the log keeps at most this much of the disk.
    "PRAGMA journal_size_limit=16777216",
)


class SqliteStore:
    """A `store.base.Store` over one file."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.time,
        max_pages: int | None = None,
    ) -> None:
        self._file = DatabaseFile(path)
        self._clock = clock
        self._max_pages = max_pages
        self._writer: Writer | None = None
        self._connections: list[aiosqlite.Connection] = []

    async def open(self, group: TaskGroup) -> None:
        """Open or create the file and bring its schema up to date."""
        try:
            with border():
                await self._file.prepare()
                main = await self._connect(_PRAGMAS)
                await migrate(main, self._clock())
                if not self._file.in_memory:
                    await self._connect(("PRAGMA query_only=ON",))
        except BaseException:
            await self._disconnect()
            raise
        self._writer = Writer(main, self._border)
        self._writer.start(group)

    async def close(self) -> None:
        """Commit what is queued, then close: the driver's threads would keep the process alive."""
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                await writer.stop()
        finally:
            await self._disconnect()

    async def put_originals(self, scope: str, originals: Sequence[Original]) -> None:
        """Store all or none."""
        if not originals:
            return
        contents = await pack.packed(original.content for original in originals)
        now = self._clock()
        rows = [
            (pack.key(scope), pack.key(o.id), o.kind, o.created_at, now, pack.name(o.name), content)
            for o, content in zip(originals, contents, strict=True)
        ]
        await self._require_open().write((statements.PUT_ORIGINAL, rows))

    async def original(self, scope: str, id: str) -> Original | None:
        """Return the original, or None if there is none in this scope."""
        rows = await self._read(statements.GET_ORIGINAL, (pack.key(scope), pack.key(id)))
        if not rows:
            return None
        kind, created_at, used_at, name, stored = rows[0]
        if self._is_stale(used_at):
            self._require_open().write_behind(
                (statements.TOUCH_ORIGINAL, [(self._clock(), pack.key(scope), pack.key(id))])
            )
        with border():
            (content,) = await pack.unpacked([stored])
            return Original(id, content, kind, pack.text(name), created_at)

    async def delete_original(self, scope: str, id: str) -> bool:
        """Return whether it was there."""
        return (
            await self._require_open().write((statements.DELETE_ORIGINAL, [(pack.key(scope), pack.key(id))]))
            > 0
        )

    async def put_checkpoint(self, scope: str, wire_format: str, policy: str, checkpoint: Checkpoint) -> None:
        """Store it, in place of an earlier one of the same policy, prefix and window."""
        c = checkpoint
        keys = (pack.key(scope), wire_format, pack.name(policy), c.prefix, c.window)
        values = (c.length, c.tokens, c.created_at, self._clock(), pack.name(c.policy))
        writer = self._require_open()
        await writer.write((statements.PUT_CHECKPOINT, [(*keys, *values, pack.pack_items(c.items))]))
        # Behind: the client waits for the checkpoint only.
        writer.write_behind(self._named(scope, [c]))

    async def checkpoints(
        self, scope: str, wire_format: str, policy: str, prefixes: Sequence[bytes], limit: int = 8
    ) -> Sequence[Checkpoint]:
        """Return at most *limit* of those stored for any of these prefixes, longest first."""
        rows = await self._by_prefix(
            statements.GET_CHECKPOINTS, (pack.key(scope), wire_format, pack.name(policy)), prefixes, limit
        )
        rows.sort(key=lambda row: (row[3], row[6]), reverse=True)
        del rows[limit:]
        with border():
            found = [_checkpoint(row) for row in rows]
        if stale := [at for at, row in enumerate(rows) if self._is_stale(row[6])]:
            used = [(self._clock(), rows[at][0], rows[at][1]) for at in stale]
            named = self._named(scope, [found[at] for at in stale])
            self._require_open().write_behind((statements.TOUCH_CHECKPOINT, used), named)
        return found

    def _named(self, scope: str, checkpoints: Iterable[Checkpoint]) -> Statement:
        """Return what records the use of the originals behind the stubs of checkpoints in use."""
        literal = b"\n".join(item for c in checkpoints for item in c.items if isinstance(item, bytes))
        owner, now = pack.key(scope), self._clock()
        return statements.TOUCH_ORIGINAL, [(now, owner, pack.key(id)) for id in sorted(named_ids(literal))]

    async def delete_checkpoint(self, scope: str, wire_format: str, policy: str, prefix: bytes) -> None:
        """Forget what replaces this prefix, for every window."""
        key = (pack.key(scope), wire_format, pack.name(policy), prefix)
        await self._require_open().write((statements.DELETE_CHECKPOINT, [key]))

    async def put_summary(self, scope: str, wire_format: str, policy: str, summary: Prepared) -> None:
        """Store it, in place of an earlier one of the same policy, rules and prefix."""
        keys = (pack.key(scope), wire_format, pack.name(policy), summary.prefix, pack.name(summary.rules))
        content = pack.pack(summary.text.encode("utf-8", "surrogatepass"))
        values = (summary.length, summary.created_at, self._clock(), content)
        await self._require_open().write((statements.PUT_SUMMARY, [(*keys, *values)]))

    async def summaries(
        self,
        scope: str,
        wire_format: str,
        policy: str,
        rules: str,
        prefixes: Sequence[bytes],
        limit: int = 1,
    ) -> Sequence[Prepared]:
        """Return at most *limit* of those stored for any of these prefixes, longest first."""
        keys = pack.key(scope), wire_format, pack.name(policy), pack.name(rules)
        rows = await self._by_prefix(statements.GET_SUMMARIES, keys, prefixes, limit)
        rows.sort(key=lambda row: row[3], reverse=True)
        del rows[limit:]
        used = [(self._clock(), row[0], row[1]) for row in rows if self._is_stale(row[5])]
        if used:
            self._require_open().write_behind((statements.TOUCH_SUMMARY, used))
        with border():
            return [_prepared(row) for row in rows]

    async def learned(self) -> Sequence[Learned]:
        """Return everything learned."""
        rows = await self._read(statements.GET_LEARNED, ())
        with border():
            return [pack.unpack_learned(*row) for row in rows]

    async def put_learned(self, learned: Learned) -> None:
        """Store it, in place of what was known of the same model of the same upstream."""
        with border():
            facts = pack.pack_learned(learned)
        row = (pack.key(learned.upstream), pack.key(learned.model), self._clock(), facts)
        await self._require_open().write((statements.PUT_LEARNED, [row]))

    async def expire(self, before: float, limit: int = 500, scope: str | None = None) -> int:
        """Delete at most *limit* records last used before that time, and give their room back to the disk."""
        whose = None if scope is None else pack.key(scope)
        gone = 0
        for table in statements.EXPIRING:
            row = (before, whose, whose, limit - gone)
            gone += await self._require_open().write((statements.EXPIRE.format(table=table), [row]))
        if gone:
            await self._shrink()
        return gone

    async def _shrink(self) -> None:
        """Give free pages back to the disk, some at a time, so that others can write in between."""
        for _ in range(0, await self._number(statements.FREE_PAGES), _PAGES_AT_ONCE):
            await self._require_open().maintain(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
        # Until then the log holds every page that moved, and counts as much as the file.
        await self._require_open().maintain("PRAGMA wal_checkpoint(TRUNCATE)")

    async def size_bytes(self) -> int:
        """Return the size of the file with its log and index."""
        self._require_open()
        if self._file.in_memory:
            return await self._number(statements.SIZE_IN_MEMORY)
        with border():
            return await self._file.size_bytes()

    def _require_open(self) -> Writer:
        if self._writer is None:
            raise StoreError("the store is not open")
        return self._writer

    def _is_stale(self, used_at: float) -> bool:
        return used_at < self._clock() - statements.TOUCH_AFTER_S

    async def _by_prefix(
        self, sql: str, keys: Sequence[Any], prefixes: Sequence[bytes], limit: int
    ) -> list[Any]:
        """Return the rows of any of these prefixes, at most *limit* of each query that it takes."""
        rows: list[Any] = []
        for start in range(0, len(prefixes), _MOST_PREFIXES):
            wanted = _padded(prefixes[start : start + _MOST_PREFIXES])
            query = sql.format(marks=",".join("?" * len(wanted)))
            rows += await self._read(query, (*keys, *wanted, limit))
        return rows

    async def _read(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        self._require_open()
        with border():
            # The last connection: the one for reading, or in memory the only one.
            return list(await self._connections[-1].execute_fetchall(sql, parameters))

    async def _number(self, sql: str) -> int:
        return int((await self._read(sql, ()))[0][0])

    async def _connect(self, pragmas: Sequence[str]) -> aiosqlite.Connection:
        # isolation_level=None: the driver begins no transactions of its own.
        connection = aiosqlite.connect(self._file.path, timeout=_BUSY_MS / 1000, isolation_level=None)
        self._connections.append(await connection)
        for pragma in pragmas:
            await connection.execute_fetchall(pragma)
        if self._max_pages is not None:
            await connection.execute_fetchall(f"PRAGMA max_page_count={self._max_pages}")
        return connection

    async def _disconnect(self) -> None:
        connections, self._connections = self._connections, []
        for connection in reversed(connections):
            # Whatever is wrong with it, there is nothing left to do but to let the others go as well.
            with contextlib.suppress(sqlite3.Error, ValueError):
                await connection.close()

    @contextlib.contextmanager
    def _border(self) -> Iterator[None]:
        with border():
            self._file.check()
            yield


def _padded(prefixes: Sequence[bytes]) -> list[bytes]:
    """Return the prefixes, the last repeated up to a power of two, so that few statements are ever prepared.

    >>> _padded([b"a", b"b", b"c"])
    [b'a', b'b', b'c', b'c']
    """
    missing = (1 << (len(prefixes) - 1).bit_length()) - len(prefixes)
    return [*prefixes, *[prefixes[-1]] * missing]


def _checkpoint(row: Sequence[Any]) -> Checkpoint:
    _, prefix, window, length, tokens, created_at, _, fingerprint, stored = row
    return Checkpoint(
        prefix, length, pack.unpack_items(stored), tokens, window, pack.text(fingerprint), created_at
    )


def _prepared(row: Sequence[Any]) -> Prepared:
    _, prefix, rules, length, created_at, _, stored = row
    text = pack.unpack(stored).decode("utf-8", "surrogatepass")
    return Prepared(prefix, length, text, pack.text(rules), created_at)
