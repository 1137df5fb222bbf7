"""An outgoing proxy on a real socket, as a company has one: it forwards, tunnels, and may want credentials.

    with OutgoingProxy({"models.test": upstream.port}) as proxy:
        Running("http://models.test/v1", folder, environment={"http_proxy": proxy.url})

It knows only the hosts that it was given, each by a port of this machine, and answers 403 for others. What
listens there speaks no TLS; at the end of a tunnel the proxy does so for it, as `models.test`.
"""

from __future__ import annotations

import base64
import re
import socket
import socketserver
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

CERTIFICATE = Path(__file__).with_name("engine") / "localhost.pem"
"""For `localhost` and `models.test`, with its key."""


class OutgoingProxy:
    """The proxy; see the module. *key* is `user:password`."""

    def __init__(self, hosts: Mapping[str, int], key: str = "") -> None:
        self.hosts = hosts
        self.key = base64.b64encode(key.encode()).decode() if key else ""
        self.asked: list[str] = []
        """The first line of every request."""
        self._server = _Server(("127.0.0.1", 0), _Connection)
        self._server.proxy = self

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """Its URL, without credentials."""
        return f"http://{self.address}"


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    proxy: OutgoingProxy


class _Connection(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        with suppress(OSError):
            head = b"".join(iter(self.rfile.readline, b"\r\n")).decode("latin-1")
            if head:
                self._answer(head)

    def _answer(self, head: str) -> None:
        proxy = self.server.proxy
        first, _, headers = head.partition("\r\n")
        proxy.asked.append(first)
        method, target, _ = first.split(" ")
        place = re.fullmatch(r"(?:http://)?([^:/]+)(?::\d+)?(/.*)?", target)
        if proxy.key and f"Proxy-Authorization: Basic {proxy.key}\r\n" not in headers:
            self._refuse("407 Proxy Authentication Required")
        elif place is None or place[1] not in proxy.hosts:
            self._refuse("403 Forbidden")
        elif method == "CONNECT":
            self._tunnel(proxy.hosts[place[1]])
        else:
            own = re.sub(r"(?i)proxy-authorization:[^\n]*\n", "", headers)
            head = f"{method} {place[2]} HTTP/1.1\r\nConnection: close\r\n{own}"
            self._forward(proxy.hosts[place[1]], head)

    def _refuse(self, status: str) -> None:
        self.wfile.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())

    def _forward(self, port: int, head: str) -> None:
        length = re.search(r"(?i)content-length: *(\d+)", head)
        with socket.create_connection(("127.0.0.1", port)) as there:
            there.sendall(head.encode("latin-1") + b"\r\n" + self.rfile.read(int(length[1]) if length else 0))
            _pump(there, self.connection)

    def _tunnel(self, port: int) -> None:
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(CERTIFICATE)
        with (
            socket.create_connection(("127.0.0.1", port)) as there,
            context.wrap_socket(self.connection, server_side=True) as here,
        ):
            back = threading.Thread(target=_pump, args=(there, here), daemon=True)
            back.start()
            _pump(here, there)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
