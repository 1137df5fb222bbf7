"""`haversack demo`: start an upstream with a small window, a gateway in front of it, and talk.

The gateway is a process of its own, started like anybody's; the upstream lives in this process, so what
reached it can be checked: every list valid, system message and latest user message as the client wrote them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from gateway.demo.upstream import DemoUpstream, Served
from gateway.engine.vocabulary import Vocabulary

START_S = 30.0

_DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""All of it is on this machine, whatever proxy the environment names."""

SMALLEST_WINDOW = 1000
"""Tokens: in less there is no room for one turn of the agent and its answer."""


class Gateway:
    """A gateway process on a free port, with a data directory that goes with it."""

    def __init__(self, upstream_url: str, folder: Path, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self._log = folder / "gateway.log"
        self._command = [sys.executable, "-m", "gateway", "serve", "--host", "127.0.0.1", "--port", str(port)]
        self._command += ["--upstream", upstream_url, "--data-dir", str(folder / "data")]
        # The settings of whoever runs the demonstration are about another gateway.
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("HAVERSACK_")
        }

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=subprocess.STDOUT, env=self._environment
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._end()
                raise GatewayDidNotStart(self.log)
            time.sleep(0.05)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._end()

    @property
    def log(self) -> str:
        """What it has printed."""
        return self._log.read_text(errors="replace")

    def _answers(self) -> bool:
        try:
            with _DIRECTLY.open(f"{self.origin}/healthz", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class GatewayDidNotStart(Exception):
    """Its log says why."""


class Report:
    """The live table, and what it adds up to."""

    ROW = "{:>5}  {:>8}  {:>12}  {:>10}  {:<12}  {:>7}"

    def __init__(self, upstream: DemoUpstream) -> None:
        self._upstream = upstream
        self._requests = self._rescued = self._summed_up = self._saved = self._sent = self._turns = 0
        self.errors: list[str] = []

    def begin(self) -> None:
        """Print the head of the table, and how to read it."""
        print(
            "One row is one turn, of several requests: tokens of its longest request before and after the "
            "gateway,\nthe most that the gateway did, and how long the client waited for all of them.\n"
        )
        print(self.ROW.format("turn", "requests", "client sent", "went out", "action", "ms"))
        print(self.ROW.format("", "", "tokens", "tokens", "", ""))

    def add(self, turn: Any, system: str, user: str) -> None:
        """Print one turn, and check what reached the upstream."""
        print(
            self.ROW.format(
                turn.number, turn.requests, turn.sent, turn.out, turn.action, round(turn.elapsed_ms)
            ),
            flush=True,
        )
        self._turns += 1
        self._requests += turn.requests
        self._rescued += turn.rescued
        self._summed_up += turn.summed_up
        self._saved += turn.saved
        self._sent = max(self._sent, turn.sent)
        self.errors += turn.errors
        arrived = self._upstream.seen.last
        if not turn.errors and (arrived[0]["content"] != system or _latest_user(arrived) != user):
            self.errors.append(f"turn {turn.number}: system or latest user message did not arrive as it was")

    def end(self) -> bool:
        """Print the summary, and return whether everything went well."""
        seen = self._upstream.seen
        self.errors += [f"a malformed list reached the upstream: {what}" for what in seen.malformed]
        if not seen.refused and self._sent > self._upstream.window:
            self.errors.append("longer requests than the window came up, and the upstream refused none")
        print(
            f"\n{_number(self._turns, 'turn')}, {_number(self._requests, 'request')}; "
            f"the longest had {self._sent:,} tokens, the window has {self._upstream.window:,}\n"
            f"  refused by the upstream as too long  {seen.refused:>8,}\n"
            f"  requests rescued from such a refusal {self._rescued:>8,}\n"
            f"  tokens not sent                      {self._saved:>8,}\n"
            f"  calls for summaries, beside them     {seen.summaries:>8,}\n"
            f"  compactions that used a summary      {self._summed_up:>8,}\n"
            f"  malformed lists at the upstream      {len(seen.malformed):>8,}\n"
            f"  errors seen by the client            {len(self.errors):>8,}"
        )
        for error in self.errors:
            print(f"    {error}")
        if not seen.refused and not self.errors:
            print(TOO_SHORT)
        return not self.errors


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration and return the exit code: 0 if no client saw an error."""
    options = _parser().parse_args(argv)
    try:
        # Not at the top: only the extra `demo` brings the client, and `haversack serve` shall not load it.
        conversation = importlib.import_module("gateway.demo.conversation")
    except ImportError as error:
        print(
            f"the demonstration needs the official client ({error}): {sys.executable} -m pip install openai",
            file=sys.stderr,
        )
        return 2
    upstream = DemoUpstream(options.window, Vocabulary().load().count)
    with _tidy(), tempfile.TemporaryDirectory(prefix="haversack-demo-") as folder, Served(upstream) as served:
        try:
            with Gateway(served.url, Path(folder), options.port or _free_port()) as gateway:
                return _talk(gateway, served, upstream, conversation, options)
        except GatewayDidNotStart as failure:
            print(f"the gateway did not start:\n{failure}", file=sys.stderr)
            return 1


def _talk(gateway: Gateway, served: Served, upstream: DemoUpstream, conversation: Any, options: Any) -> int:
    print(
        f"upstream with a window of {options.window:,} tokens at {served.url}\n"
        f"gateway in front of it at {gateway.origin}/v1\n"
    )
    report = Report(upstream)
    report.begin()
    talk = conversation.Conversation(f"{gateway.origin}/v1", options.turns)
    for turn in talk:
        report.add(turn, conversation.SYSTEM, _latest_user(talk.messages))
        if turn.errors:
            break
    well = report.end()
    if not well:
        print(f"\nthe gateway's log:\n{gateway.log[-4000:]}")
    if options.keep:
        _keep(gateway.origin)
    return 0 if well else 1


@contextmanager
def _tidy() -> Iterator[None]:
    """On SIGTERM, end as after an error: the gateway is a process of its own, and would stay."""

    def leave(number: int, frame: object) -> NoReturn:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _number(count: int, one: str) -> str:
    return f"{count:,} {one if count == 1 else one + 's'}"


def _latest_user(messages: Sequence[Any]) -> str:
    said = [message["content"] for message in messages if message["role"] == "user"]
    return str(said[-1]) if said else ""


def _keep(origin: str) -> None:
    print(TRY_NEXT.format(origin=origin))
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print("stopped")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a whole number, at least {least}, not {text[:40]!r}")
        return int(text)

    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="haversack demo", description="Show a long conversation in a small window."
    )
    parser.add_argument("--turns", type=_at_least(1), default=60, help="turns of the conversation (60)")
    parser.add_argument(
        "--window",
        type=_at_least(SMALLEST_WINDOW),
        default=8192,
        help="tokens of the upstream's window (8192)",
    )
    parser.add_argument("--port", type=int, default=0, help="port of the gateway (any free one)")
    parser.add_argument("--keep", action="store_true", help="leave it running and say what to try next")
    return parser


TOO_SHORT = """
The conversation ended before it outgrew the window, so that there was nothing to show: try more turns
(--turns) or a smaller window (--window)."""

TRY_NEXT = """
It is still running; Ctrl-C stops it. Try:

  a request, and what the gateway says about it
    curl -i {origin}/v1/chat/completions -H 'content-type: application/json' \\
      -H 'authorization: Bearer demo' \\
      -d '{{"model": "demo-8k", "messages": [{{"role": "user", "content": "Hello"}}]}}'

  the metrics
    curl -s {origin}/metrics | grep ^haversack_

  a dry run: what would be sent, and why
    curl -s '{origin}/haversack/compact?target_tokens=10' -H 'content-type: application/json' \\
      -d '{{"model": "demo-8k", "messages": [{{"role": "user", "content": "one"}},
           {{"role": "assistant", "content": "two"}}, {{"role": "user", "content": "three"}}]}}'

  your own application
    OPENAI_BASE_URL={origin}/v1 OPENAI_API_KEY=demo your-application
"""
