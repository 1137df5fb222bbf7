"""`haversack check` and upstreams that are the gateway itself, which would ask itself without end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gateway.cli import main
from gateway.policy.tenants import key_hash

CIRCLE = "http://localhost:9000/v1 is this gateway, which would ask itself again and again; name where"


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without settings, and a home of its own."""
    for name in list(os.environ):
        if name.startswith("HAVERSACK_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


def tenant(path: Path, upstream: str, more: str = "") -> str:
    """Return a folder of policies with a tenant that has this upstream."""
    (path / "tenants").mkdir(exist_ok=True)
    text = f"keys: [{key_hash('hvs_x')}]\nupstream: {upstream}\n{more}"
    (path / "tenants" / "acme.yaml").write_text(text)
    return str(path)


def test_upstream_that_is_the_gateway_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As at the start; seen: a note behind "all right", and then a gateway that did not start."""
    policies = tenant(tmp_path, "http://localhost:9000/v1", "modus: off\n")
    monkeypatch.setenv("HAVERSACK_PORT", "9000")
    assert main(["check", policies]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "acme.yaml:3: modus" in first
    assert second.startswith(f"tenants/acme.yaml: upstream: {CIRCLE}")
    monkeypatch.setenv("HAVERSACK_UPSTREAM", "http://localhost:9000/v1")
    assert main(["check"]) == 2
    assert capsys.readouterr().err.startswith(f"--upstream or HAVERSACK_UPSTREAM: {CIRCLE}")


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ([], 0),
        (["--port", "9000"], 2),
        (["--port", "9000", "--host", "0.0.0.0"], 2),
        (["--port", "9000", "--host", "10.0.0.1"], 0),
        (["--port", "9001"], 0),
    ],
)
def test_where_the_gateway_listens_is_said_as_to_serve(flags: list[str], code: int, tmp_path: Path) -> None:
    """Who starts it with flags gives the same ones here."""
    assert main(["check", tenant(tmp_path, "http://localhost:9000/v1"), *flags]) == code


def test_upstream_that_may_be_the_gateway_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A container's published port is often its own: said, and not refused."""
    policies = tenant(tmp_path, "http://host.docker.internal:8080/v1")
    assert main(["check", policies, "--host", "0.0.0.0"]) == 0
    assert "http://host.docker.internal:8080/v1 may be this gateway" in capsys.readouterr().out
