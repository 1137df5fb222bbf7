"""Every setting: its flag, its variable, and what is wrong with them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from gateway.addresses import is_loopback
from gateway.core.errors import ConfigError
from gateway.settings import Settings, flag, variable

HOME = {"HOME": "/home/ann", "PATH": "/bin"}


def problems(flags: dict[str, str | None], environ: dict[str, str]) -> list[str]:
    """Return what is wrong with these flags and variables."""
    with pytest.raises(ConfigError) as caught:
        Settings.read(flags, environ)
    return caught.value.problems


def test_nothing_given_means_the_defaults() -> None:
    """Without flags and variables, the gateway serves this machine and keeps its data at home."""
    settings = Settings.read({"host": None}, HOME)
    assert settings == Settings(data_dir=Path("/home/ann/.local/share/haversack"))
    assert settings.is_local
    assert (settings.host, settings.port, settings.upstream) == (
        "127.0.0.1",
        8080,
        "https://api.openai.com/v1",
    )


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"XDG_DATA_HOME": "/data", **HOME}, "/data/haversack"),
        ({"XDG_DATA_HOME": "", **HOME}, "/home/ann/.local/share/haversack"),
        ({"LOCALAPPDATA": "/local"}, "/local/haversack"),
        ({"HAVERSACK_DATA_DIR": "~/store", **HOME}, "/home/ann/store"),
        ({"HAVERSACK_DATA_DIR": "here", **HOME}, "here"),
    ],
)
def test_data_goes_where_the_platform_wants_it(environ: dict[str, str], folder: str) -> None:
    """The data directory follows the platform's variable, and one that is given follows its text."""
    assert Settings.read({}, environ).data_dir == Path(folder)


def test_every_path_may_begin_at_home() -> None:
    """No shell expands `~` in a file of variables."""
    given = {
        "HAVERSACK_POLICIES": "~/p",
        "HAVERSACK_CA_FILE": "~/ca.pem",
        "HAVERSACK_PRICES": "/etc/~",
        **HOME,
    }
    read = Settings.read({}, given)
    assert read.policies == Path("/home/ann/p")
    assert (read.ca_file, read.prices) == (Path("/home/ann/ca.pem"), Path("/etc/~"))


def test_metrics_have_no_port_that_is_taken() -> None:
    """Two listeners of one gateway on one port: the other one would be looked for in vain."""
    given = {"port": "9100", "metrics_port": "9100"}
    with pytest.raises(ConfigError, match="--metrics-port: is the gateway's own port; name another"):
        Settings.read(given, HOME)
    assert Settings.read({**given, "metrics_host": "10.0.0.1"}, HOME).metrics_port == 9100


# One row per type of setting: the field, a text, and what it means.
READ: list[tuple[str, str, object]] = [
    ("host", "::1", "::1"),
    ("port", "0", 0),
    ("upstream", "http://10.0.0.1:8000/v1", "http://10.0.0.1:8000/v1"),
    ("policies", "/etc/policies", Path("/etc/policies")),
    ("policies", "", None),
    ("allow_open", "yes", True),
    ("allow_open", "0", False),
    ("allow_open", "", False),
    ("allowed_hosts", "a.example, b.example,", ("a.example", "b.example")),
    ("session_headers", "", ()),
    ("hold_s", "2.5", 2.5),
    ("metrics_port", "9100", 9100),
    ("log_format", "json", "json"),
]


@pytest.mark.parametrize(("name", "text", "value"), READ)
def test_flag_and_variable_mean_the_same(name: str, text: str, value: object) -> None:
    """A setting is read alike from the command line and from the environment."""
    assert getattr(Settings.read({name: text}, HOME), name) == value
    assert getattr(Settings.read({}, {variable(name): text, **HOME}), name) == value


def test_flag_wins() -> None:
    """What is said on the command line goes before what the environment says."""
    assert Settings.read({"port": "1"}, {"HAVERSACK_PORT": "2", **HOME}).port == 1


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("port", "http", "must be a whole number, not 'http'"),
        ("port", "70000", "must be between 0 and 65535, got 70000"),
        ("metrics_port", "-1", "must be between 0 and 65535, got -1"),
        ("hold_s", "nan", "must be a number, not 'nan'"),
        ("hold_s", "-1", "must be at least 0, got -1.0"),
        ("host", "", "must not be empty"),
        ("workers", "2", "must be 1, got 2: more come with a later version"),
        ("allow_open", "maybe", "must be true or false, not 'maybe'"),
        ("log_level", "loud", "must be one of debug, info, warning, error, not 'loud'"),
        ("upstream", "localhost:11434", "must be a URL like https://host/v1, not 'localhost:11434'"),
        ("max_body_bytes", "5", "must be at least 1024, got 5"),
    ],
)
def test_wrong_value_is_named_as_it_was_given(name: str, text: str, problem: str) -> None:
    """Whoever made the mistake reads the name they used, flag or variable."""
    assert problems({name: text}, HOME) == [f"{flag(name)}: {problem}"]
    assert problems({}, {variable(name): text, **HOME}) == [f"{variable(name)}: {problem}"]


def test_unknown_variable_is_an_error_with_a_suggestion() -> None:
    """A misspelled variable is not silently without effect; variables of others are not our business."""
    assert problems({}, {"HAVERSACK_UPSTRAEM": "x", "HAVERSACK_QQQQQQQQ": "1", **HOME}) == [
        "HAVERSACK_UPSTRAEM: there is no such setting; did you mean HAVERSACK_UPSTREAM?",
        "HAVERSACK_QQQQQQQQ: there is no such setting",
    ]


def test_all_problems_come_at_once() -> None:
    """A start that fails says everything that has to be put right."""
    found = problems({"port": "x", "workers": "3"}, {"HAVERSACK_HOLD_S": "y", "HAVERSACK_PROT": "1"})
    assert [text.split(":")[0] for text in found] == [
        "HAVERSACK_PROT",
        "--port",
        "HAVERSACK_HOLD_S",
        "--workers",
    ]


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost", True), ("127.0.0.2", True), ("::1", True), ("0.0.0.0", False), ("10.0.0.1", False)],
)
def test_reachable_addresses_are_told_apart(host: str, local: bool) -> None:
    """Only an address that nobody else can reach counts as local."""
    assert is_loopback(host) is local
    assert Settings(host=host).is_local is local


def test_secrets_stay_out_of_logs() -> None:
    """Printing the settings does not show a proxy with its password."""
    shown = repr(Settings(proxy="http://me:pw-456@proxy"))
    assert "pw-456" not in shown


def test_every_setting_can_be_given() -> None:
    """No setting is of a type that neither flag nor variable can express."""
    for field in fields(Settings):
        assert problems({}, {variable(field.name): "\x00", "HAVERSACK_PORT": "x"})
