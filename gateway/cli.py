"""The command `haversack`: serve, check, show, compact, key, demo.

Ends with 0 if all is well, 1 if the demonstration failed, 2 if settings, policies or flags are wrong (then
every problem stands on a line of its own), 3 if the address cannot be listened on.
"""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn

from gateway import __version__
from gateway.addresses import EVERYWHERE
from gateway.app import build
from gateway.cli_check import BESIDE, UPSTREAMS, WRONG, check, chosen, show
from gateway.cli_compact import compact
from gateway.core.errors import ConfigError
from gateway.core.fields import documented
from gateway.demo.run import main as demo
from gateway.logs import configure
from gateway.policy.policies import tenant_problem
from gateway.policy.tenants import new_key
from gateway.settings import Settings, choices, flag, usual, variable
from gateway.store.sharing import Presence
from gateway.web.server import config, tune

log = logging.getLogger(__name__)

FAILED = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; whoever reads no more of what it says (`| head -1`) may."""
    code = 0
    try:
        code = _run(argv)
        _flush()
    except BrokenPipeError:
        _say_no_more()
    except ConfigError as error:
        with suppress(BrokenPipeError):
            for problem in error.problems:
                print(problem, file=sys.stderr, flush=True)
            return WRONG
        _say_no_more()
        return WRONG
    return code


def _say(text: str) -> None:
    """Print, and go on where nobody reads it."""
    with suppress(BrokenPipeError):
        print(text, flush=True)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _say_no_more() -> None:
    """Lead what is still to be written nowhere: Python flushes once more at its end."""
    with open(os.devnull, "w") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BrokenPipeError:
                os.dup2(nowhere.fileno(), stream.fileno())


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    known, rest = parser.parse_known_args(argv)
    if rest and known.command != "demo":
        parser.error(f"not understood: {' '.join(rest)}; see haversack {known.command} --help")
    match known.command:
        case "serve":
            return serve(_flags(known), os.environ)
        case "check":
            folder, at = known.folder or known.policies, {"host": known.host, "port": known.port}
            return check(chosen(folder, None, os.environ, BESIDE, **at))
        case "show":
            return show(known.policy, chosen(known.policies, None, os.environ, UPSTREAMS))
        case "compact":
            settings = chosen(known.policies, known.policy, os.environ)
            return compact(known.file, settings, known.target_tokens)
        case "key":
            return key(known.tenant)
        case _:
            return demo(rest)


def serve(flags: Mapping[str, str | None], environ: Mapping[str, str]) -> int:
    """Serve until the process is told to stop. Raise ConfigError."""
    settings = Settings.read(flags, environ)
    configure(settings.log_level, settings.log_format)
    gateway = build(settings)
    if gateway.is_open and not settings.is_local and not settings.allow_open:
        raise ConfigError([_everybody(settings.host)])
    options = {"timeout_graceful_shutdown": int(settings.shutdown_s), "log_config": None, "lifespan": "on"}
    server = _Server(config(gateway, host=settings.host, port=settings.port, **options))
    presence = Presence(settings.data_dir)

    def greet(port: int) -> None:
        _say(_greeting(settings, port, gateway.is_open))
        if presence.begin():
            log.warning("the data directory is shared", extra=_shared(settings))

    server.greet = greet
    try:
        server.run()
    except SystemExit:  # from a listener, this one or that of the metrics; the log has the reason
        if gateway.refusal is not None:
            raise gateway.refusal from None
        print(_taken(settings, "port" if server.is_refused else "metrics-port"), file=sys.stderr)
        raise
    finally:
        presence.end()
    return 0 if server.started else FAILED


class _Server(uvicorn.Server):
    """Says where it listens once it does: a port that is in use or any free one is known only then."""

    greet: Callable[[int], None]
    is_refused = False
    """The address is taken, or is not ours."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except SystemExit:
            self.is_refused = True
            raise
        if self.started:
            tune()
            self.greet(self.servers[0].sockets[0].getsockname()[1])


def key(tenant: str) -> int:
    """Print a new key for a tenant, once, and what goes into the tenant's file. Raise ConfigError."""
    if problem := tenant_problem(tenant):
        raise ConfigError([f"{tenant}: {problem}"])
    made, hashed = new_key(secrets.token_bytes(32))
    print(f"Key for {tenant}, shown only this once:\n\n    {made}\n")
    print(
        f"Add its hash to tenants/{tenant}.yaml, in your folder of policies:\n\n    keys:\n      - {hashed}"
    )
    return 0


def _greeting(settings: Settings, port: int, is_open: bool) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    base = f"http://{host}:{port}"
    at = base if settings.host not in EVERYWHERE else f"http://<this host>:{port}"
    anybody = "programs on this machine" if settings.is_local else "everybody who can reach it"
    who = f"open to {anybody}" if is_open else "for tenants with keys"
    return (
        f"Haversack {__version__} listens on {base}, {who}.\n"
        f"Policy: {settings.policy}; your own policies: {settings.policies or 'none'}; "
        f"data: {settings.data_dir}\n"
        f"Point your application at it:  OPENAI_BASE_URL={at}/v1  to reach {settings.upstream}\n"
        f"                            ANTHROPIC_BASE_URL={at}  to reach {settings.anthropic_upstream}"
    )


def _taken(settings: Settings, name: str) -> str:
    host, port = settings.host, settings.port
    if name == "metrics-port":
        host, port = settings.metrics_host, settings.metrics_port or 0
    return (
        f"--{name} {port}: cannot be listened on at {host}. If a program has it already, perhaps another "
        f"gateway, end that or name another port: --{name} {port + 1 if port < 65535 else 8080}. "
        "If this host has no such address, name one that it has."
    )


def _shared(settings: Settings) -> dict[str, str]:
    return {
        "data_dir": str(settings.data_dir),
        "reason": "another gateway uses it: each deletes for both what is old or too much by its settings",
        "hint": "unless that is meant, end the other one, or name another --data-dir",
    }


def _everybody(host: str) -> str:
    return (
        f"--host {host}: everybody who can reach this address could use the gateway, because there are no "
        "tenants. Make one (`haversack key new TENANT`, policies/README.md), listen on 127.0.0.1, or say "
        "--allow-open true."
    )


def _flags(known: argparse.Namespace) -> dict[str, str | None]:
    return {name: getattr(known, name) for name in documented(Settings)}


def _about(name: str, about: str) -> str:
    default = f" Default: {usual(name)}." if usual(name) else ""
    return f"{about}{default} Variable: {variable(name)}.".replace("%", "%%")


def _tokens(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of tokens, at least 1, not {text[:40]!r}")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("haversack", description=__doc__.partition("\n")[0])
    parser.add_argument("--version", action="version", version=f"haversack {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serving = commands.add_parser("serve", help="run the gateway")
    for name, about in documented(Settings).items():
        words = f"{{{','.join(choices(name))}}}" if choices(name) else "VALUE"
        serving.add_argument(flag(name), dest=name, metavar=words, help=_about(name, about))
    checking = commands.add_parser("check", help="validate a folder of policies")
    folder = checking.add_mutually_exclusive_group()
    about = "your policies; without it, HAVERSACK_POLICIES, or the shipped ones"
    folder.add_argument("folder", nargs="?", type=Path, metavar="DIR", help=about)
    folder.add_argument("--policies", type=Path, metavar="DIR", help="the same, as `serve` takes it")
    for name in ("host", "port"):
        checking.add_argument(flag(name), metavar="VALUE", help=f"as `serve` gets it; or {variable(name)}")
    showing = commands.add_parser("show", help="print a policy, or what applies to a tenant")
    about = "a policy, as `default`, to be copied from; or tenants/NAME, without its keys"
    showing.add_argument("policy", metavar="POLICY", help=about)
    showing.add_argument("--policies", type=Path, metavar="DIR", help="your policies; or HAVERSACK_POLICIES")
    compacting = commands.add_parser("compact", help="show what a policy makes of a request")
    compacting.add_argument("file", type=Path, metavar="FILE", help="a request of any format; - for stdin")
    compacting.add_argument("--policy", metavar="NAME", help="which policy; HAVERSACK_POLICY, or default")
    compacting.add_argument(
        "--target-tokens", type=_tokens, metavar="N", help="as if a request of more tokens were refused"
    )
    compacting.add_argument(
        "--policies", type=Path, metavar="DIR", help="your policies; or HAVERSACK_POLICIES"
    )
    keys = commands.add_parser("key", help="make a key for a tenant")
    keys.add_argument("verb", choices=["new"], help="the one thing to do with keys here")
    keys.add_argument("tenant", metavar="TENANT", help="whose key: the name of a file in tenants/")
    commands.add_parser("demo", help="show the gateway at work, without a key", add_help=False)
    return parser
