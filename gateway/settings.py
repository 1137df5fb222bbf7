"""Every setting of the gateway: its default, its unit and what it does.

A setting is a flag (`--data-dir`) and a variable (`HAVERSACK_DATA_DIR`); the flag wins. Reading is pure:
flags and environment are passed in, and all problems are reported at once.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gateway.addresses import is_loopback, proxy_problem, url_problem
from gateway.core.errors import ConfigError

PREFIX = "HAVERSACK_"

DEFAULT_DATA_DIR = Path("~/.local/share/haversack")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the person who starts the gateway decides."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = 8080
    """Port to listen on; 0: any free one."""
    upstream: str = "https://api.openai.com/v1"
    """Base URL of the OpenAI-compatible upstream."""
    anthropic_upstream: str = "https://api.anthropic.com"
    """Base URL of the Anthropic-compatible upstream."""
    policies: Path | None = None
    """Directory with policies of your own, and tenants in `tenants/` below it."""
    policy: str = "default"
    """Name of the policy for requests without a tenant, and of tenants whose file names no other."""
    prices: Path | None = None
    """File with prices of your own, read at the start; its rows come before the shipped ones."""
    data_dir: Path = DEFAULT_DATA_DIR
    """Directory of the store, made for its owner alone; below `XDG_DATA_HOME`, where that is set."""
    max_store_bytes: int = 10 * 1024**3
    """Bytes the store may take; above, what was not used for longest is deleted. 0: no bound."""
    workers: int = 1
    """Number of processes; more than one comes with a later version."""
    proxy: str | None = field(default=None, repr=False)
    """URL of an HTTP proxy on the way to the upstreams; `none`: none; without it, as HTTPS_PROXY says."""
    ca_file: Path | None = None
    """File with the certificates of authorities to trust beside the system's."""
    allow_open: bool = False
    """Listen where others can connect although there are no tenants: anybody may use the gateway."""
    allowed_hosts: tuple[str, ...] = ()
    """Names, beside those of this machine, that a `Host` header may hold while there are no tenants."""
    session_headers: tuple[str, ...] = ("x-session-id",)
    """Request headers that name a session, in order."""
    max_body_bytes: int = 64 * 1024**2
    """Bytes a body may have on an endpoint that is compacted; other bodies are not bounded."""
    connect_timeout_s: float = 10.0
    """Seconds to wait for a connection to an upstream."""
    read_timeout_s: float = 7200.0
    """Seconds to wait for the next byte of an upstream: long enough for an hour of reasoning."""
    hold_s: float = 10.0
    """Seconds that the head of an answer may be held back until the upstream's first event."""
    shutdown_s: float = 30.0
    """Seconds that answers under way may take after SIGTERM."""
    metrics_host: str = "127.0.0.1"
    """Address of the listener of its own that metrics and health may have."""
    metrics_port: int | None = None
    """Port of that listener; then `/metrics` is served there only. Without it, with everything else."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The least serious events that are logged."""
    log_format: Literal["json", "text"] = "text"
    """`json`: one object per line, for machines; `text`: for people."""

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can reach the address."""
        return is_loopback(self.host)

    @classmethod
    def read(cls, flags: Mapping[str, str | None], environ: Mapping[str, str]) -> Settings:
        """Return the settings that flags (by field name; None: not given) and variables make.

        Raise ConfigError with all problems.
        """
        kinds = get_type_hints(cls)
        problems = [_unknown(name, kinds) for name in misspelt(environ)]
        values: dict[str, Any] = {}
        for label, name, text in _given(kinds, flags, environ):
            try:
                values[name] = _convert(kinds[name], text)
            except ValueError as error:
                problems.append(f"{label}: {error}")
        paths = {name: value for name, value in values.items() if isinstance(value, Path)}
        paths.setdefault("data_dir", _data_dir(environ))
        values |= {name: _at_home(path, environ) for name, path in paths.items()}
        settings = cls(**values)
        labels = {name: label for label, name, _ in _given(kinds, flags, environ)}
        problems += [f"{labels.get(name, name)}: {text}" for name, text in settings.problems()]
        if problems:
            raise ConfigError(problems)
        return settings

    def problems(self) -> list[tuple[str, str]]:
        """Return what is wrong with the values, by field."""
        found = [(name, text) for name, rule in _RULES.items() if (text := rule(getattr(self, name)))]
        if self.metrics_port and (self.metrics_host, self.metrics_port) == (self.host, self.port):
            found.append(("metrics_port", "is the gateway's own port; name another, or leave it out"))
        return found


def flag(name: str) -> str:
    """Return the flag of a field.

    >>> flag("data_dir")
    '--data-dir'
    """
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    """Return the environment variable of a field.

    >>> variable("data_dir")
    'HAVERSACK_DATA_DIR'
    """
    return PREFIX + name.upper()


def choices(name: str) -> tuple[str, ...]:
    """Return the words that a field may hold; none: it is not one of few.

    >>> choices("log_format")
    ('json', 'text')
    """
    kind = get_type_hints(Settings)[name]
    return get_args(kind) if get_origin(kind) is Literal else ()


def usual(name: str) -> str:
    """Return the default of a field as it would be written; empty: there is none.

    >>> usual("port"), usual("allow_open"), usual("proxy")
    ('8080', 'false', '')
    """
    value = getattr(Settings, name)
    if isinstance(value, tuple):
        return ",".join(value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def misspelt(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that look like a setting and are none.

    >>> misspelt({"HAVERSACK_POLICYS": "x", "HAVERSACK_POLICY": "y", "HOME": "z"})
    {'HAVERSACK_POLICYS': 'x'}
    """
    kinds = get_type_hints(Settings)
    return {name: text for name, text in environ.items() if _is_unknown(name, kinds)}


def _at_least(least: float) -> Callable[[float], str | None]:
    return lambda value: None if value >= least else f"must be at least {least}, got {value}"


def _port(value: int | None) -> str | None:
    return None if value is None or 0 <= value <= 65535 else f"must be between 0 and 65535, got {value}"


# One row per setting that not every value of its type fits.
_RULES: dict[str, Callable[[Any], str | None]] = {
    "port": _port,
    "metrics_port": _port,
    "upstream": url_problem,
    "anthropic_upstream": url_problem,
    "proxy": proxy_problem,
    "workers": lambda n: None if n == 1 else f"must be 1, got {n}: more come with a later version",
    "max_store_bytes": _at_least(0),
    "max_body_bytes": _at_least(1024),
    "connect_timeout_s": _at_least(0.1),
    "read_timeout_s": _at_least(1),
    "hold_s": _at_least(0),
    "shutdown_s": _at_least(0),
}


def _given(
    kinds: Mapping[str, Any], flags: Mapping[str, str | None], environ: Mapping[str, str]
) -> list[tuple[str, str, str]]:
    """Return, for each setting that was given, how it was called, its field and its text."""
    found = []
    for name in kinds:
        if (text := flags.get(name)) is not None:
            found.append((flag(name), name, text))
        elif variable(name) in environ:
            found.append((variable(name), name, environ[variable(name)]))
    return found


def _is_unknown(name: str, kinds: Mapping[str, Any]) -> bool:
    return name.startswith(PREFIX) and name not in map(variable, kinds)


def _unknown(name: str, kinds: Mapping[str, Any]) -> str:
    # Without the prefix, which makes any two names look alike.
    close = get_close_matches(name.removeprefix(PREFIX).lower(), list(kinds), 1)
    return f"{name}: there is no such setting" + (f"; did you mean {variable(close[0])}?" if close else "")


def _convert(kind: Any, text: str) -> Any:
    """Return the text as that type. Raise ValueError with what is expected."""
    if get_origin(kind) is types.UnionType:
        (kind,) = (arg for arg in get_args(kind) if arg is not types.NoneType)
        if not text:
            return None
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise ValueError(f"must be one of {', '.join(get_args(kind))}, not {text!r}")
        return text
    if get_origin(kind) is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return _PLAIN[kind](text)


def _bool(text: str) -> bool:
    if text.lower() in ("1", "true", "yes", "on"):
        return True
    if text.lower() in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(f"must be true or false, not {text!r}")


def _int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"must be a whole number, not {text[:60]!r}") from None


def _float(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"must be a number, not {text[:60]!r}")
    return value


def _str(text: str) -> str:
    if not text:
        raise ValueError("must not be empty")
    return text


def _path(text: str) -> Path:
    return Path(_str(text))


_PLAIN: dict[Any, Callable[[str], Any]] = {bool: _bool, int: _int, float: _float, str: _str, Path: _path}


def _data_dir(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_DATA_HOME") or environ.get("LOCALAPPDATA")
    return Path(base) / "haversack" if base else DEFAULT_DATA_DIR


def _at_home(path: Path, environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME")
    return Path(home, *path.parts[1:]) if home and path.parts[:1] == ("~",) else path
