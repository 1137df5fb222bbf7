"""The command: what it prints, and how it ends."""

from __future__ import annotations

import logging
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gateway import __version__
from gateway.cli import _greeting, main
from gateway.policy.tenants import KEY_PREFIX, key_hash
from gateway.settings import Settings
from running import Running, free_port

TENANT = "keys: [%s]\n" % key_hash("hvs_x")  # noqa: UP031 (braces are YAML's)


@pytest.fixture(autouse=True)
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An environment without settings, a home of its own, and the log as it was afterwards."""
    for name in ("PORT", "POLICIES", "HOST", "DATA_DIR", "UPSTREAM"):
        monkeypatch.delenv(f"HAVERSACK_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    loggers = [logging.getLogger(name) for name in (None, "gateway", "uvicorn", "uvicorn.error")]
    before = [(logger, logger.handlers[:], logger.level) for logger in loggers]
    yield tmp_path
    for logger, handlers, level in before:
        logger.handlers[:] = handlers
        logger.setLevel(level)


def test_key_is_new_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    """A key is shown with the hash that belongs into the tenant's file."""
    keys = []
    for _ in range(2):
        assert main(["key", "new", "acme"]) == 0
        out = capsys.readouterr().out
        [key] = [word for word in out.split() if word.startswith(KEY_PREFIX)]
        assert key_hash(key) in out
        assert "tenants/acme.yaml, in your folder" in out
        keys.append(key)

    assert keys[0] != keys[1]


def test_no_key_is_made_for_a_name_that_no_tenant_can_have(capsys: pytest.CaptureFixture[str]) -> None:
    """A tenant is a file; a name that its folder would be refused for is refused at once."""
    for name in ("A B", "../acme", ""):
        assert main(["key", "new", name]) == 2
        out, err = capsys.readouterr()
        assert KEY_PREFIX not in out
        assert "small letters" in err


def test_no_key_is_made_for_the_name_of_requests_without_a_tenant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever would call a tenant `open` is told at once why not, and to take another name."""
    assert main(["key", "new", "open"]) == 2
    out, err = capsys.readouterr()
    assert KEY_PREFIX not in out
    assert err.startswith("open: ")
    assert "take another name" in err


def test_server_says_where_it_listens() -> None:
    """The address that is printed can be copied, and who may use it is told as it is."""
    assert "OPENAI_BASE_URL=http://[::1]:4711/v1" in _greeting(Settings(host="::1", port=0), 4711, True)
    assert "open to programs on this machine" in _greeting(Settings(), 8080, True)
    assert "open to everybody" in (everywhere := _greeting(Settings(host="0.0.0.0"), 8080, True))
    assert "OPENAI_BASE_URL=http://<this host>:8080/v1" in everywhere
    assert "for tenants with keys" in _greeting(Settings(host="0.0.0.0"), 8080, False)


def test_server_says_what_is_in_force() -> None:
    """The policy, the folder of policies and that of the store are told at the start, as the README shows."""
    own, data = Path("my-policies"), Path("/home/me/.local/share/haversack")
    greeting = _greeting(Settings(policy="mine", policies=own, data_dir=data), 8080, True)
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    assert f"```\n{greeting}\n```" in readme
    assert "Policy: default; your own policies: none; data: " in _greeting(Settings(), 8080, True)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5"])
def test_open_gateway_is_not_served_to_everybody(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without tenants the gateway does not listen where others can connect, and says the three ways out."""
    assert main(["serve", "--host", host]) == 2
    err = capsys.readouterr().err
    for way in ("haversack key new", "127.0.0.1", "--allow-open true"):
        assert way in err


def test_port_in_use_is_told_with_what_to_do(tmp_path: Path) -> None:
    """Whoever starts a second gateway reads which flag names the port, and the command ends with 3."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port, free = str(listener.getsockname()[1]), str(free_port())
        for flags, name in (
            (["--port", port], "port"),
            (["--port", free, "--metrics-port", port], "metrics-port"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "gateway", "serve", "--data-dir", str(tmp_path / name), *flags],
                capture_output=True,
                text=True,
            )
            assert done.returncode == 3
            assert "address already in use" in done.stderr
            assert f"\n--{name} {port}: cannot be listened on at 127.0.0.1. " in done.stderr
            assert f"name another port: --{name} " in done.stderr


def test_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    """Seen: the gateway served without its store, and said nothing of what it could not read."""
    with Running("http://127.0.0.1:9/v1", tmp_path / "data"):
        pass
    with closing(sqlite3.connect(tmp_path / "data" / "haversack.db")) as store:
        store.execute("INSERT INTO schema_version VALUES (999, 0)")
        store.commit()
    command = ["serve", "--port", str(free_port()), "--data-dir", str(tmp_path / "data")]
    done = subprocess.run([sys.executable, "-m", "gateway", *command], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "the store has schema 999" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serve", "--port", "many"], "--port"),
        (["serve", "--upstream", "nowhere"], "--upstream"),
        (["serve", "--policy", "defualt"], "default"),
        (["serve", "--policies", "/nonexistent"], "/nonexistent"),
        (["serve", "--ca-file", "/nonexistent"], "--ca-file: /nonexistent cannot be read"),
        (["serve", "--ca-file", __file__], "no certificates in PEM form"),
        (["serve", "--proxy", "squid:3128"], "--proxy: must be a URL"),
        (
            ["serve", "--upstream", "http://localhost:8080/v1"],
            "--upstream or HAVERSACK_UPSTREAM: http://localhost:8080/v1 is this",
        ),
    ],
)
def test_wrong_settings_end_before_anything_starts(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A setting that is wrong is named, and the command ends with 2."""
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_every_wrong_setting_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flags and variables are checked together, and unknown variables are told."""
    monkeypatch.setenv("HAVERSACK_PORTT", "1")
    assert main(["serve", "--port", "99999", "--hold-s", "x"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in sorted(lines)] == ["--hold-s", "--port", "HAVERSACK_PORTT"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serve", "--prot", "8080"], "--prot"),
        (["check", "a", "b"], "b"),
        (["key", "new"], "TENANT"),
        (["key", "old", "acme"], "new"),
        ([], "COMMAND"),
        (["sevre"], "serve"),
        (["demo", "--nonsense"], "--nonsense"),
    ],
)
def test_what_is_not_understood_ends_with_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip in the command line is named."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)

    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` says which one runs."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"haversack {__version__}\n"


def test_help_explains_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of `serve` is the text of the settings, with default, variable and the words there are."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--help"])

    assert ended.value.code == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "--log-level {debug,info,warning,error} The least serious" in out
    assert "any free one. Default: 8080. Variable: HAVERSACK_PORT." in out
    assert "as HTTPS_PROXY says. Variable: HAVERSACK_PROXY." in out
