"""Drive one client through the gateway against the scripted model, and say what came of it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from clients.catalogue import GATEWAY, HERE, Client
from clients.model import Model, answer
from clients.stability import stability
from running import Running
from upstream import ScriptedUpstream


@dataclass(frozen=True, slots=True)
class Row:
    """What came of it."""

    client: Client
    requests: int = 0
    """Of the conversation, answered by the model."""
    errors: int = 0
    """Questions without their answer, and one if the client ended badly."""
    refused: int = 0
    """Times the upstream said that it is too long."""
    rescued: int = 0
    """Requests for which that was cured, by the gateway's count."""
    summaries: int = 0
    """Written by the model beside it, and good enough, by the gateway's count."""
    faults: list[str] = field(default_factory=list)
    """What the upstream found wrong with lists."""
    stability: float | None = None
    turned_away: int = 0
    """Requests that the gateway refused with the status that the client takes for "do it in another way"."""
    missing: str = ""
    """Why it was not installed."""
    log: str = ""
    """What the client and the gateway said."""

    @property
    def wrong(self) -> list[str]:
        """What fails the row; empty if it is good."""
        rules = {
            "client errors": self.errors > 0,
            "structure": bool(self.faults),
            "nothing was too long": not self.refused,
            "not rescued": bool(self.refused) and not self.rescued,
            "too few requests": self.requests < 30,
            "prefix": (self.stability or 0) < self.client.stability,
            "turned away": self._is_asked_too_often(),
        }
        return [] if self.missing else [name for name, is_broken in rules.items() if is_broken]

    def _is_asked_too_often(self) -> bool:
        """Return whether what is turned away was not tried at all, or again after it was."""
        is_expected = self.client.turned_away is not None
        return is_expected and not 1 <= self.turned_away <= self.client.questions


def drive(client: Client, commands: list[Path]) -> Row:
    """Run the whole conversation, and judge it."""
    model = Model(client.plan, client.window)
    with tempfile.TemporaryDirectory(prefix="haversack-client-") as folder, ScriptedUpstream() as upstream:
        upstream.script = model
        place = Path(folder)
        flags = ("--anthropic-upstream", upstream.origin, "--log-level", "debug")
        with Running(upstream.url, place / "data", *flags) as gateway:
            code, said = _talk(client, commands, place, gateway.origin)
            metrics = gateway.get("/metrics")[1].decode()
            log = gateway.log
    answers = sum(answer(number + 1) in said for number in range(client.questions))
    return Row(
        client,
        requests=len(model.accepted),
        errors=client.questions - answers + (code != 0),
        refused=model.refused,
        rescued=counted(metrics, "haversack_overflows_total", "outcome", "rescued", "clamped"),
        summaries=counted(metrics, "haversack_summaries_total", "outcome", "written"),
        faults=model.faults + model.errors,
        stability=stability(model.accepted),
        turned_away=counted(metrics, "haversack_requests_total", "status", str(client.turned_away)),
        log=f"{said}\n--- exit code {code}; the gateway:\n{log}",
    )


def _talk(client: Client, commands: list[Path], place: Path, origin: str) -> tuple[int, str]:
    """Return the exit code of the client's script, and all it said."""
    home = place / "home"
    work = home / "project"
    work.mkdir(parents=True)
    for name, text in client.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text.replace(GATEWAY, origin))
    # Node finds the packages of a module by the folder that the module lies in.
    if client.kind == "npm":
        (work / "node_modules").symlink_to(commands[0].parent)
    for path in (*client.folder.glob("talk.*"), *HERE.glob("project.*")):
        shutil.copy(path, work)
    environment = {key: value.replace(GATEWAY, origin) for key, value in client.environment.items()}
    ours = {
        "PATH": os.pathsep.join([*map(str, commands), os.environ["PATH"]]),
        "HOME": str(home),
        "QUESTIONS": str(client.questions),
        "LANG": "C.UTF-8",
    }
    return _ended(client, work, {**ours, "PYTHONDONTWRITEBYTECODE": "1", **environment})


def _ended(client: Client, work: Path, environment: dict[str, str]) -> tuple[int, str]:
    program = shutil.which(client.run[0], path=environment["PATH"]) or client.run[0]
    log = work.parent / "said.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [program, *client.run[1:]],
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=client.timeout_s)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        finally:
            _end(process)
    return code, log.read_text(errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the client and whatever it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def counted(metrics: str, name: str, label: str, *values: str) -> int:
    """Return what a counter has for some values of one of its labels.

    >>> counted('made_total{by="a",how="x"} 2.0', "made_total", "how", "x", "y")
    2
    """
    found = re.findall(rf'^{name}\{{[^}}]*\b{label}="([^"]*)"[^}}]*\}} ([\d.]+)$', metrics, re.MULTILINE)
    return sum(int(float(count)) for value, count in found if value in values)
