"""Drive an ASGI app message by message: streaming and disconnects without sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from gateway.web.asgi import App, Message


class Call:
    """One request in flight. `chunks` is a queue that the test reads; `hang_up()` is the client leaving."""

    def __init__(
        self,
        app: App,
        path: str = "/",
        *,
        method: str = "POST",
        body: Sequence[bytes] = (b"",),
        headers: Iterable[tuple[bytes, bytes]] = (),
        query: bytes = b"",
    ) -> None:
        self.status: int | None = None
        self.headers: list[tuple[bytes, bytes]] = []
        self.chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self.started = asyncio.Event()
        self._gone = asyncio.Event()
        self._body = list(body)
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "headers": list(headers),
            "scheme": "http",
            "server": ("test", 80),
            "client": ("test", 1),
            "root_path": "",
        }
        self.task = asyncio.get_running_loop().create_task(_run(app, scope, self))

    async def receive(self) -> Message:
        """Return the next piece of the body; after the last wait for the client to leave."""
        if self._body:
            chunk = self._body.pop(0)
            return {"type": "http.request", "body": chunk, "more_body": bool(self._body)}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take what the app answers."""
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
            self.started.set()
        elif message.get("body"):
            self.chunks.put_nowait(message["body"])

    def hang_up(self) -> None:
        """Leave, as a client that closes its connection."""
        self._gone.set()

    async def read(self) -> bytes:
        """Return the whole body, once the app is done."""
        await self.task
        return b"".join(self.chunks.get_nowait() for _ in range(self.chunks.qsize()))


async def _run(app: App, scope: dict[str, Any], call: Call) -> None:
    await app(scope, call.receive, call.send)
