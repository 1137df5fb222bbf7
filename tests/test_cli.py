"""The command: what it prints, and how it ends."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway import __version__
from gateway.cli import _greeting, main
from gateway.policy.tenants import KEY_PREFIX, key_hash
from gateway.settings import Settings
from running import free_port

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


def folder(path: Path, **files: str) -> Path:
    """Return a folder with these policy files."""
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}.yaml").write_text(text)
    return path


def test_check_of_good_policies_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`haversack check` says how much it found, and ends with 0."""
    policies = folder(tmp_path / "p", mine="extends: default\ntrigger: {ratio: 0.7}\n")
    folder(policies / "tenants", acme=TENANT)

    assert main(["check", str(policies)]) == 0
    assert " policies and 1 tenant: all right." in capsys.readouterr().out


def test_check_without_a_folder_reads_what_is_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    """The policies that come with the gateway are right."""
    assert main(["check"]) == 0
    assert "0 tenants: all right." in capsys.readouterr().out


def test_check_tells_of_a_policy_that_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A policy without steps is valid, and seldom what was meant."""
    policies = folder(tmp_path / "p", mine="mode: compact\n", other="extends: default\n", none="mode: off\n")

    assert main(["check", str(policies)]) == 0
    said = capsys.readouterr().out
    assert "Note: mine has no steps" in said
    assert said.count("Note:") == 1


def test_check_tells_for_which_models_settings_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who wonders what applies to a model sees the globs, in the order in which they are looked at."""
    text = "extends: default\nmodels: {gpt-*: {window: 5000}, '*-mini': {window: 4000}}\n"
    assert main(["check", str(folder(tmp_path / "p", mine=text))]) == 0
    said = capsys.readouterr().out
    assert "Note: mine has other settings for gpt-*, *-mini; the first that fits a model counts." in said


def test_check_refuses_a_key_in_the_place_of_its_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not printed; a variable that is not set here is only noted: it may be where the gateway runs."""
    key = "sk-proj-0123456789abcdefghij0123"
    policies = folder(tmp_path / "p", mine=f"extends: default\nsummarizer: {{key_variable: {key}}}\n")
    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert "mine.yaml:2: summarizer.key_variable: must be the name of an environment variable" in err
    assert key not in out + err

    named = "steps: [{use: summarize}]\nsummarizer: {key_variable: NOT_SET_ANYWHERE}\n"
    assert main(["check", str(folder(tmp_path / "q", mine=named))]) == 0
    assert "Note: NOT_SET_ANYWHERE is not set" in capsys.readouterr().out


def test_check_names_every_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All that is wrong with all files stands on a line each, on standard error; it ends with 2."""
    policies = folder(tmp_path / "p", one="trigger: {ratio: 7}\n", two="modus: off\nwindow: 0\n")

    assert main(["check", str(policies)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 3
    assert "one.yaml" in lines[0]
    assert all("two.yaml" in line for line in lines[1:])


@pytest.mark.parametrize(("text", "code"), [("mode: off\n", 0), ("modus: off\n", 2)])
@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_reader_that_has_read_enough_is_no_error(
    text: str, code: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`haversack check DIR | head -1` ends as it would without `head`, and without a traceback."""
    end, start = os.pipe()
    os.close(end)
    with open(start, "w") as pipe:
        monkeypatch.setattr(sys, name, pipe)
        assert main(["check", str(folder(tmp_path / "p", mine=text))]) == code


def test_mistake_of_the_default_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever stands on a broken default is not blamed for what it takes over."""
    lines = ["target: {ratio: 0.9}", "summarizer: {retries: 99}", "models: {a: {steps: [{use: nix}]}}"]
    said = "trigger: {ratio: 0.7}\nsummarizer: {model: small}\n"
    mine = f"extends: default\n{said}models: {{a: {{margin: 2}}}}\n"
    policies = folder(tmp_path / "p", default="\n".join(lines), mine=mine)
    folder(policies / "tenants", acme=f"{TENANT}{said}")

    assert main(["check", str(policies)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(lines)
    assert all(line.startswith(f"{policies / 'default.yaml'}:") for line in told)


def test_default_that_cannot_be_read_is_told_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What extends it is looked at as if the shipped one were there."""
    mine = "extends: default\nprepare: {ratio: 0.7}\nsteps: []\n"
    assert main(["check", str(folder(tmp_path / "p", default="trigger: [", mine=mine))]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "default.yaml:1: is not YAML" in told


def test_check_of_no_folder_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not there is not one without problems."""
    assert main(["check", str(tmp_path / "none")]) == 2
    assert str(tmp_path / "none") in capsys.readouterr().err


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


def test_server_says_where_it_listens() -> None:
    """The address that is printed can be copied, and who may use it is told as it is."""
    assert "OPENAI_BASE_URL=http://[::1]:4711/v1" in _greeting(Settings(host="::1", port=0), 4711, True)
    assert "open to programs on this machine" in _greeting(Settings(), 8080, True)
    assert "open to everybody" in _greeting(Settings(host="0.0.0.0"), 8080, True)
    assert "for tenants with keys" in _greeting(Settings(host="0.0.0.0"), 8080, False)


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
        (["serve", "--upstream", "http://localhost:8080/v1"], "--upstream: http://localhost:8080/v1 is this"),
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
    """Percent signs and all, the help of `serve` is the text of the settings."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--help"])

    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "--hold-s" in out
    assert "Base URL of the OpenAI-compatible upstream." in out
