"""The README's examples run, in its order, and print what it says they print.

A `sh` block is run; a `text` block right after it holds lines of its output, in order, others left out. The
gateway stands before a scripted upstream with a window of 8,192 tokens, and on a free port in place of 8080.
Whoever changes what an example prints copies the new lines into the README.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.demo.run import TRY_NEXT
from gateway.policy.live import read_all
from gateway.policy.notes import notes
from gateway.policy.tenants import new_key
from gateway.settings import Settings, flag, variable
from running import Running
from upstream import ScriptedUpstream

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS: list[tuple[str, str, str]] = re.findall(r"```(\w+)\n(.*?)```(\s*)", README, re.DOTALL)
EXAMPLES = [text for language, text, _ in BLOCKS if language == "sh"]
PIECES = re.compile(r"(?:<<'EOF'|```yaml)\n(.*?)(?:EOF|```)\n", re.DOTALL)
"""Policies, tenants and parts of them: written to a file by an example, or in a block of their own."""

YAML = PIECES.findall(README)
KEY = "demo"
"""What the examples' reader has as OPENAI_API_KEY."""

NOT_RUN = (
    "make ",  # long, and what runs this; that the targets exist is a test below
    "python3 -m venv",  # needs the network; .ci/base-install does it from the wheel
    "~/haversack/bin/",
    "haversack serve",  # does not end; read by a test below, and run by everything here
    "export OPENAI_BASE_URL",
)

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def examples() -> Iterator[tuple[str, list[str]]]:
    """Yield each script, and the lines that the README shows of its output."""
    following = [*BLOCKS[1:], ("", "", "")]
    for at, (language, text, after) in enumerate(BLOCKS):
        if language != "sh":
            continue
        is_followed = f"{text}```{after}```text" in README
        shown = following[at][1].splitlines() if is_followed else []
        yield text, [line.rstrip() for line in shown if line.strip()]


def run(script: str, folder: Path, gateway: Running) -> str:
    """Return what a script prints, less the commands that are not run here."""
    lines = [line for line in script.splitlines() if not line.startswith(NOT_RUN)]
    text = "\n".join(lines).replace("127.0.0.1:8080", f"127.0.0.1:{gateway.port}")
    done = subprocess.run(
        ["bash", "-euc", 'haversack() { "$PYTHON" -m gateway "$@"; }\n' + text],
        cwd=folder,
        env={**os.environ, "PYTHON": sys.executable, "OPENAI_API_KEY": KEY},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{script}\n{done.stderr}"
    return done.stdout


def missing(shown: list[str], output: str) -> list[str]:
    """Return the lines that the README shows and the output does not have, in this order; `…`: whatever."""
    lines = iter([line.rstrip() for line in output.splitlines()])
    return [line for line in shown if not any(is_shown(line, printed) for printed in lines)]


def is_shown(line: str, printed: str) -> bool:
    """Return whether a line of the README is this one of the output, or its beginning before `…`."""
    return printed.startswith(line[:-1]) if line.endswith("…") else printed == line


def test_key_is_shown_as_it_is_printed() -> None:
    """No line of what `haversack key new` prints is left out in the README."""
    (block,) = [text for language, text, _ in BLOCKS if language == "text" and "shown only" in text]
    made = [sys.executable, "-m", "gateway", "key", "new", "acme"]
    printed = subprocess.run(made, capture_output=True, text=True, check=True).stdout.splitlines()
    for line, text in zip(block.splitlines(), printed, strict=True):
        assert is_shown(line, text), line


def served(line: str) -> dict[str, str | None]:
    """Return the flags that a command line gives to `haversack serve`."""
    words = shlex.split(line, comments=True)
    words = words[words.index("serve") + 1 :]
    return {words[at].removeprefix("--").replace("-", "_"): words[at + 1] for at in range(0, len(words), 2)}


@needs_curl
def test_examples_print_what_the_readme_shows(tmp_path: Path) -> None:
    """Whoever copies an example from the README gets the lines that stand below it."""
    folder = tmp_path / "reader"
    folder.mkdir()
    with ScriptedUpstream(window=8192) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        for script, shown in examples():
            output = run(script, folder, gateway)
            assert not missing(shown, output), f"{script}\nprints\n{output}"
        log = gateway.log
    assert loggable(re.findall(r"^.* request tenant=.*$", README, re.MULTILINE)[0]) in loggable(log)


def test_python_examples_print_what_the_readme_shows(tmp_path: Path) -> None:
    """So does whoever copies what is written for the official library."""
    pairs = pairwise(BLOCKS)
    scripts = [(text, shown) for (language, text, _), (_, shown, _) in pairs if language == "python"]
    assert scripts
    with ScriptedUpstream(window=8192) as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        environment = {**os.environ, "OPENAI_BASE_URL": gateway.url, "OPENAI_API_KEY": KEY}
        for script, shown in scripts:
            command = [sys.executable, "-c", script]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            assert not missing(shown.splitlines(), done.stdout)


def loggable(text: str) -> str:
    """Return log lines without what differs from run to run."""
    return re.sub(r"(?m)^\d\d:\d\d:\d\d|duration_s=[\d.]+", "", text)


def test_demo_ends_as_the_readme_shows() -> None:
    """The closing lines of the demonstration have the names that the README shows."""
    (block,) = [text for _, text, _ in BLOCKS if "malformed lists" in text]
    source = (ROOT / "gateway" / "demo" / "run.py").read_text()
    for line in block.splitlines():
        assert re.sub(r"\s+[\d,]+$", "", line) in source, line


@needs_curl
def test_what_the_demo_proposes_works(tmp_path: Path) -> None:
    """Each command that `haversack demo --keep` proposes is answered, and its dry run removes something."""
    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        text = TRY_NEXT.format(origin=gateway.origin)
        commands = re.findall(r"^    (curl .*?)\n\n", text, re.MULTILINE | re.DOTALL)
        chat, metrics, dry_run = (run(command, tmp_path, gateway) for command in commands)
    assert "x-haversack-action: none" in chat
    assert "haversack_info" in metrics
    assert json.loads(dry_run)["report"]["removed"]


def test_serve_commands_are_understood() -> None:
    """Each `haversack serve …` that is printed has flags that exist and values that fit them."""
    documents = [README, *(path.read_text() for path in ROOT.glob("*/README.md"))]
    lines = re.findall(r"^.*haversack serve --.*$", "\n".join(documents), re.MULTILINE)
    commands = [found for line in lines if (found := re.search(r"haversack serve (--[^`]*)", line))]
    assert len(commands) >= 4
    for command in commands:
        text = re.sub(r"\bDIR\b", "policies", command[0]).partition("` ")[0]
        Settings.read(served(text), {})
        assert {flag(name) for name in served(text)} <= {flag(name) for name in Settings.__dataclass_fields__}


def test_flags_and_variables_exist() -> None:
    """No document names a setting of the gateway that there is not."""
    known = {variable(name) for name in Settings.__dataclass_fields__}
    for path in [ROOT / "README.md", *ROOT.glob("*/README.md"), ROOT / "deploy" / "Dockerfile"]:
        unknown = set(re.findall(r"HAVERSACK_[A-Z_]*[A-Z]", path.read_text())) - known
        assert not unknown, f"{path.relative_to(ROOT)}: {unknown}"


def test_image_is_built_with_all_the_package_needs() -> None:
    """`docker build` finds every folder that the package is made of, and its context leaves none out."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    needed = {"pyproject.toml", "README.md", "LICENSE"}
    needed |= {folder.partition("/")[0] for folder in tool["package-dir"].values()}
    build = (ROOT / "deploy" / "Dockerfile").read_text().split("\nFROM ")[1]
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", build, re.MULTILINE) for name in line.split()}
    context = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    assert needed <= copied
    assert {f"!{name}" for name in copied} <= set(context)


def test_wheel_is_made_of_nothing_that_was_left_behind(tmp_path: Path) -> None:
    """What an earlier build put together is not in the next wheel, and nothing stays but the wheel."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "build" / "lib").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / ".venv" / "pip").touch()
    python.write_text("#!/bin/sh\nset -e\nmkdir -p build/lib build/bdist.any dist\ntouch dist/one.whl\n")
    python.chmod(0o755)

    subprocess.run(["make", "wheel"], cwd=tmp_path, check=True, capture_output=True)

    assert sorted(path.name for path in tmp_path.iterdir()) == [".venv", "Makefile", "dist"]


def test_targets_exist() -> None:
    """Each `make …` that a document names is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in (ROOT / "README.md", ROOT / ".github" / "CONTRIBUTING.md"):
        named = set(re.findall(r"(?:^|`)make ([a-z]+)", path.read_text(), re.MULTILINE))
        assert named, path
        assert named <= targets, path


@pytest.mark.parametrize(
    "command", ["gateway serve", "gateway compact", "gateway demo", "bench", "quality.run"]
)
def test_help_says_something_of_every_option(command: str) -> None:
    """`--help` of a command or a bench explains each option that it lists."""
    done = subprocess.run(
        [sys.executable, "-m", *command.split(), "--help"],
        env={**os.environ, "COLUMNS": "300", "PYTHONPATH": str(ROOT / "tests")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    listed = done.stdout.partition("options:\n")[2].splitlines()
    silent = [line for line in listed if line.startswith("  -") and not re.search(r"\S {2,}\S", line)]
    assert len(listed) >= 3
    assert not [
        line for line, text in zip(silent, after(silent, listed), strict=True) if text.startswith("  -")
    ]


def after(lines: list[str], listed: list[str]) -> list[str]:
    """Return the line that follows each of some: a long option has its text there."""
    return [[*listed, "  -"][listed.index(line) + 1] for line in lines]


def test_example_files_are_valid(tmp_path: Path) -> None:
    """The policy and the tenant of the README can be copied as they are, but for the hash of a key."""
    policy, tenant = YAML
    (tmp_path / "tenants").mkdir()
    (tmp_path / "mine.yaml").write_text(policy)
    (tmp_path / "tenants" / "acme.yaml").write_text(tenant)
    with pytest.raises(ConfigError, match="holds the place of a hash"):
        read_all(tmp_path, "mine")
    (tmp_path / "tenants" / "acme.yaml").write_text(tenant.replace("0" * 64, new_key(bytes(32))[1][7:]))
    found = read_all(tmp_path, "mine")
    assert [step.use for step in found.policies["mine"].steps] == ["offload", "summarize", "digest"]
    assert found.policies["mine"].windows == {"local-*": 32768}
    assert not list(notes(found, {}))
    assert found.tenants["acme"].policy.trigger.ratio == 0.7


@pytest.mark.parametrize("document", ["gateway/strategies/README.md", "README.md"])
def test_examples_of_strategies_are_valid(tmp_path: Path, document: str) -> None:
    """Each piece of a policy that a document shows can be pasted into one."""
    for at, text in enumerate(PIECES.findall((ROOT / document).read_text())):
        if not text.startswith("keys:"):
            (tmp_path / f"p{at}.yaml").write_text(f"steps:\n{text}" if text.startswith("- use") else text)
    assert set(read_all(tmp_path, "default").policies) > {"default", "mechanical", "off"}


@needs_curl
def test_tenant_walk_through_works(tmp_path: Path) -> None:
    """Who follows it ends with a key that is let in, and nobody else is."""
    made = subprocess.run(
        [sys.executable, "-m", "gateway", "key", "new", "acme"], capture_output=True, text=True, check=True
    ).stdout
    key, hashed = re.findall(r"hvs_\S+|sha256-\S+", made)
    (tmp_path / "mine" / "tenants").mkdir(parents=True)
    with ScriptedUpstream() as upstream:
        file = re.sub("sha256-0+", hashed, YAML[1]).replace("http://127.0.0.1:8000/v1", upstream.url)
        (tmp_path / "mine" / "tenants" / "acme.yaml").write_text(file)
        with Running(
            "http://127.0.0.1:9/v1", tmp_path / "data", "--policies", str(tmp_path / "mine")
        ) as gateway:
            statuses = [status(gateway, *headers) for headers in as_documented(key)]
        assert statuses == [200, 200, 401]
        assert [request.header("authorization") for request in upstream.requests] == [None, "Bearer vendor"]
    assert key not in str([request.raw for request in upstream.requests])


def as_documented(key: str) -> list[list[str]]:
    """Return the headers of three callers: the two ways to send a key, and a stranger's."""
    return [
        [f"authorization: Bearer {key}"],
        [f"x-haversack-key: {key}", "authorization: Bearer vendor"],
        ["authorization: Bearer vendor"],
    ]


def status(gateway: Running, *headers: str) -> int:
    """Return the status of the model list for a client with these headers."""
    sent = [word for header in headers for word in ("-H", header)]
    command = ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", *sent, f"{gateway.url}/models"]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
