"""Environments of the clients, each of its own below build/clients: a venv, or a prefix of npm's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from clients.catalogue import HERE, Client

BUILD = Path(__file__).parents[2] / "build" / "clients"
STAMP = ".installed"
COMMANDS = Path("node_modules", ".bin")
NODE = 22
"""What the newest of the clients need."""


class NotInstalled(Exception):
    """It cannot be had here; the text says why."""


def install(client: Client) -> list[Path]:
    """Install a client's packages where they are not yet, and return the folders of its commands."""
    if client.kind == "pip":
        return [_installed(client.needs) / "bin"]
    newer = node()
    return [_installed(client.needs) / COMMANDS, *([newer] if newer else [])]


def node() -> Path | None:
    """Return the folder of a Node.js that is new enough for all clients; None where the system's is."""
    if _major("node") >= NODE:
        return None
    return _installed(HERE / "node" / "package.json") / COMMANDS


def _major(command: str) -> int:
    """Return the major version that a command says it has; 0 if it says none, or there is none."""
    if shutil.which(command) is None:
        return 0
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return int(said.stdout.lstrip("v").partition(".")[0] or 0)


def _installed(needs: Path) -> Path:
    prefix = BUILD / needs.parent.name
    stamp = prefix / STAMP
    pinned = needs.read_text()
    if not stamp.exists() or stamp.read_text() != pinned:
        prefix.mkdir(parents=True, exist_ok=True)
        (_npm if needs.name == "package.json" else _pip)(needs, prefix)
        stamp.write_text(pinned)
    return prefix


def _pip(needs: Path, prefix: Path) -> None:
    _call(sys.executable, "-m", "venv", str(prefix))
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
    _call(str(prefix / "bin" / "python"), "-m", "pip", "install", *quiet, "--requirement", str(needs))


def _npm(needs: Path, prefix: Path) -> None:
    if shutil.which("npm") is None:
        raise NotInstalled("npm is missing: install Node.js 20 or later")
    shutil.copy(needs, prefix)
    _call("npm", "install", "--prefix", str(prefix), "--silent", "--no-fund", "--no-audit")


def _call(*command: str) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        said = [line for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
        raise NotInstalled(said[-1] if said else f"{command[0]} ended with {ended.returncode}")
