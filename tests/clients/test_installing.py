"""Installing clients: once, and with the reason where it cannot be done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clients import installing
from clients.catalogue import Client, clients
from clients.installing import NotInstalled, install, node

NPM = next(client for client in clients() if client.kind == "npm")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for environments, and in its `bin` the only commands that there are."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr(installing, "BUILD", tmp_path / "build")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def command(place: Path, name: str, script: str) -> None:
    """Make a command that does nothing but this."""
    path = place / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def prefix(client: Client) -> Path:
    """Return where its packages go."""
    return installing.BUILD / client.packages


def test_without_npm_the_reason_is_told(place: Path) -> None:
    """A client of Node's on a machine without npm is listed, not an error."""
    with pytest.raises(NotInstalled, match="npm is missing"):
        install(NPM)


def test_the_installers_last_word_is_the_reason(place: Path) -> None:
    """Of what npm or pip prints, the last line says what was wrong."""
    command(place, "node", "echo v22.1.0")
    command(place, "npm", "echo fetching; echo 'npm error: no such version' >&2; echo; exit 1")

    with pytest.raises(NotInstalled, match="npm error: no such version"):
        install(NPM)
    assert not (prefix(NPM) / installing.STAMP).exists()


def test_silence_is_told_by_its_exit_code(place: Path) -> None:
    """An installer that says nothing still has a reason."""
    command(place, "node", "echo v22.1.0")
    command(place, "npm", "exit 7")

    with pytest.raises(NotInstalled, match="npm ended with 7"):
        install(NPM)


def test_what_is_installed_is_not_installed_again(place: Path) -> None:
    """The second run is quick; another version is installed over it."""
    command(place, "node", "echo v22.1.0")
    command(place, "npm", f"echo once >> {place}/calls")

    assert install(NPM) == install(NPM) == [prefix(NPM) / installing.COMMANDS]
    assert (place / "calls").read_text() == "once\n"

    (prefix(NPM) / installing.STAMP).write_text("another version")
    install(NPM)
    assert (place / "calls").read_text() == "once\nonce\n"


@pytest.mark.parametrize("said", ["echo v18.19.1", "exit 127", None])
def test_an_old_node_gets_a_newer_one_beside_it(place: Path, said: str | None) -> None:
    """Where Node.js is too old, or missing, one is installed that is new enough."""
    if said is not None:
        command(place, "node", said)
    command(place, "npm", "exit 0")

    assert node() == installing.BUILD / "node" / installing.COMMANDS


def test_packages_of_python_get_an_environment_of_their_own(place: Path) -> None:
    """A client of Python's never sees the packages of this project."""
    client = next(client for client in clients() if client.kind == "pip")
    (prefix(client)).mkdir(parents=True)
    (prefix(client) / installing.STAMP).write_text(client.needs.read_text())

    assert install(client) == [prefix(client) / "bin"]
    assert os.fspath(prefix(client)).startswith(os.fspath(place))
