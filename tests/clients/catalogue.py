"""The clients: a folder each, with what to install, its script, and `client.toml`:

about = "…"                       what it is
format = "openai_chat"            which wire format it speaks
run = ["python", "talk.py"]       run in a folder of its own; paths are those of the client's folder
packages = "openai"               the client whose packages it uses, if not its own
questions, timeout_s, window      how many are asked; for how long at most; tokens (else: see `Model`)
stability                         the share of consecutive requests that must begin alike
turned_away                       the status by which the gateway turns a question's first request away
point = "…"                       how to point it at the gateway, where `environment` does not say it
[environment]                     beside PATH and HOME; {gateway} is the gateway's origin
[plan]                            what the scripted model does: see `model.Plan`
[files]                           files below its HOME
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from clients.model import Plan

HERE = Path(__file__).parent
GATEWAY = "{gateway}"
SHOWN = "http://127.0.0.1:8080"


@dataclass(frozen=True, slots=True)
class Client:
    """One row of the table."""

    name: str
    about: str
    format: str
    run: list[str]
    plan: Plan
    packages: str
    questions: int = 32
    timeout_s: int = 240
    window: int | None = None
    stability: float = 0.8
    turned_away: int | None = None
    point: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """Where its script lies."""
        return HERE / self.name

    @property
    def needs(self) -> Path:
        """The file with its pinned packages."""
        folder = HERE / self.packages
        npm = folder / "package.json"
        return npm if npm.exists() else folder / "requirements.txt"

    @property
    def kind(self) -> Literal["pip", "npm"]:
        """What installs it."""
        return "npm" if self.needs.name == "package.json" else "pip"

    @property
    def pointing(self) -> str:
        """How a user points it at a gateway, in one line."""
        pairs = [f"{key}={value}" for key, value in self.environment.items() if GATEWAY in value]
        return (self.point or " ".join(pairs)).replace(GATEWAY, SHOWN)


def clients() -> list[Client]:
    """Return all of them, by name."""
    return [_read(path) for path in sorted(HERE.glob("*/client.toml"))]


def _read(path: Path) -> Client:
    fields: dict[str, Any] = tomllib.loads(path.read_text())
    name = path.parent.name
    return Client(**{"name": name, "packages": name, **fields, "plan": Plan(**fields["plan"])})
