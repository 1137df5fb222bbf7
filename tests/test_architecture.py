"""The rules that keep the gateway simple, checked by a program: imports point down, siblings are strangers,
the core does no IO, files and functions stay small, every module has its tests and every test its promise."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GATEWAY = ROOT / "gateway"
TESTS = ROOT / "tests"

# Lowest first. A module may import its own package and what stands earlier in this list.
LAYERS = [
    ["core"],
    ["addresses", "series", "logs"],
    ["settings"],
    ["metric_table"],
    ["metrics"],
    ["wire", "strategies"],
    ["policy", "store"],
    ["engine"],
    ["web"],
    ["app"],
    ["demo"],
    ["cli_check", "cli_compact"],
    ["cli"],
    ["__main__"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

PURE = "core.", "wire.", "strategies.", "policy.schema", "policy.levels", "policy.rules"
IO = {"asyncio", "anyio", "aiohttp", "httpx", "starlette", "uvicorn"}
IO |= {"aiosqlite", "sqlite3", "socket", "time", "random", "os"}

# The modules that are wire formats; others in wire/ are parts that several formats may share.
FORMATS = {"wire.openai_chat", "wire.openai_responses", "wire.anthropic_messages"}

# Modules without a test file of their own, and why.
UNTESTED = {
    "__main__": "three lines that call cli.main; every end-to-end test goes through them",
    "store.base": "a protocol and records; tests/test_store_contract.py holds every store to it",
    "metric_table": "a table; tests/test_metrics.py holds documentation and dashboard to it",
    "demo.run": "tests/demo/test_demo.py runs the whole demo",
    "demo.upstream": "the same",
    "demo.conversation": "the same",
}

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "handler", "service", "misc"}

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 50
USUAL_FUNCTION_LINES = 25

# Where the code was written, and whose registries served it, is nobody's business. (Written so as not to
# match this very line.)
WORKPLACE = re.compile(
    r"/wor[k]/|shared/[A-Z]|\.librar[y]/|\bfarm-(?:bench|studio)|(?:pypi|pythonhosted|npmjs|debian)\.(?:or[g]|co[m])"
    r"|\bsub-?agent[s]? (?:wrote|did)|\b(?:this|our) workplac[e]\b",
    re.IGNORECASE,
)


def dotted(path: Path) -> str:
    """Return a module's name within the package."""
    return ".".join(path.relative_to(GATEWAY).with_suffix("").parts)


FILES = {dotted(path): path for path in sorted(GATEWAY.rglob("*.py"))}
MODULES = [name for name in FILES if not name.endswith("__init__")]
TEST_FILES = sorted(TESTS.rglob("*.py"))
PYTHON = [*FILES.values(), *TEST_FILES]


def shown(path: Path) -> str:
    """Return a path as test ids show it."""
    return str(path.relative_to(ROOT))


def imports(path: Path) -> list[str]:
    """Return the dotted names that a file imports, wherever in the file it does so."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named = [
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return plain + named


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every function of a file with its length, decorators aside."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_down(name: str) -> None:
    """A module imports only its own package or a lower layer."""
    here = name.split(".")[0]
    assert here in LEVEL, f"gateway/{here} has no layer: give it one in LAYERS"
    for target in imports(FILES[name]):
        if target.startswith("gateway.") and target != "gateway.__version__":
            there = target.split(".")[1]
            assert there == here or LEVEL[there] < LEVEL[here], f"gateway.{name} must not import {target}"


def is_peer(name: str) -> bool:
    """Return whether a module is a strategy or a wire format, not a part that they share."""
    bases = [
        ast.unparse(base)
        for node in ast.walk(ast.parse(FILES[name].read_text()))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    ]
    return name in FORMATS or (name.startswith("strategies.") and "Strategy" in bases)


PEERS = {name for name in MODULES if is_peer(name)}


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(("strategies.", "wire."))])
def test_siblings_are_strangers(name: str) -> None:
    """A strategy or wire format can be deleted without reading the others; the package names them all."""
    used = {".".join(target.split(".")[1:3]) for target in imports(FILES[name])}
    assert not (used & PEERS) - {name}


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith(PURE)])
def test_core_is_pure(name: str) -> None:
    """The core reads no clock, opens no socket and awaits nothing."""
    assert not IO & {target.split(".")[0] for target in imports(FILES[name])}


@pytest.mark.parametrize("path", PYTHON, ids=shown)
def test_imports_stand_at_the_top(path: Path) -> None:
    """No import hides inside a function, so nothing depends on what only a reader of the body can see."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            hidden = [inner for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom)]
            assert not hidden, f"{node.name} imports inside its body"


@pytest.mark.parametrize("name", MODULES)
def test_each_module_has_its_test_file(name: str) -> None:
    """Whoever opens a module finds its tests at the same path; an exception has a written reason."""
    *package, module = name.split(".")
    file = TESTS.joinpath(*package, f"test_{module}.py")
    if name in UNTESTED:
        assert not file.exists(), f"{name} has tests by now: take it from UNTESTED"
    else:
        assert file.exists(), f"{name} has no {file.relative_to(ROOT)}"


def test_exceptions_name_what_exists() -> None:
    """An exception goes when its module goes."""
    assert set(UNTESTED) <= set(MODULES)


@pytest.mark.parametrize("path", PYTHON, ids=shown)
def test_files_are_small_and_introduce_themselves(path: Path) -> None:
    """A file can be read in one sitting, and its first lines say what it holds."""
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_FILE_LINES
    assert ast.get_docstring(ast.parse(text)), "no module docstring"
    assert not BANNED_NAMES & set(path.stem.split("_")), "the name says nothing: use the noun it owns"


@pytest.mark.parametrize("path", PYTHON, ids=shown)
def test_no_function_is_long(path: Path) -> None:
    """A function fits on a screen."""
    for name, lines in functions(path):
        assert lines <= MAX_FUNCTION_LINES, f"{name} has {lines} lines"


def test_functions_are_small_on_the_whole() -> None:
    """Nine of ten functions have at most 25 lines, docstring included, and the usual one far fewer."""
    lengths = [lines for path in FILES.values() for _, lines in functions(path)]
    assert sum(lines <= USUAL_FUNCTION_LINES for lines in lengths) >= 0.9 * len(lengths)
    assert statistics.median(lengths) <= 12


@pytest.mark.parametrize("path", [path for path in TEST_FILES if path.name.startswith("test_")], ids=shown)
def test_each_test_states_a_promise(path: Path) -> None:
    """A failing run reads as a list of broken promises, so every test has a sentence."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            sentence = ast.get_docstring(node) or ""
            assert sentence.endswith((".", "?", "!", ")")), f"{node.name} states nothing"


def test_nothing_tells_where_it_was_written() -> None:
    """The repository stands for itself: no path of a workplace and no registry's host name is in it."""
    kinds = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".sql", ".sh", ""}
    folders = ["gateway", "policies", "tests", "deploy", "grafana", ".ci", ".github"]
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    files += [path for path in ROOT.iterdir() if path.name != ".coverage"]  # a measurement, not a part of it
    for path in files:
        if path.is_file() and path.suffix in kinds and "__pycache__" not in path.parts:
            found = WORKPLACE.search(path.read_text(errors="replace"))
            assert found is None, f"{shown(path)}: {found.group()}"
