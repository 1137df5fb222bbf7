"""Every shipped policy loads and does what its comments say, and the README names every key there is."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.engine.pipeline import Result, run_steps
from gateway.policy.document import Source, parse
from gateway.policy.levels import Level, Limit, When
from gateway.policy.live import read_all, shipped_folder
from gateway.policy.policies import File, read_set
from gateway.policy.rules import OverflowRules, RecallRules, StoreRules, SummarizerRules, UsageRules
from gateway.policy.schema import Mode, Policy
from gateway.policy.tenants import TenantFile, new_key
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep, Room
from gateway.wire.openai_chat import OpenAIChat

ROOT = Path(__file__).parent.parent
README = (ROOT / "policies" / "README.md").read_text()
SHIPPED = read_all(None, "default")
WIRE = OpenAIChat()


def words(text: str) -> int:
    """One word is one token."""
    return len(text.split())


def conversation(turns: int, result_words: int) -> Conversation:
    """Return an agent's conversation: in each turn a question, a call, its result and an answer."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Answer briefly."}]
    for n in range(turns):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "look", "arguments": f'{{"n": {n}}}'}}
        result = " ".join(f"w{n}-{word}" for word in range(result_words))
        messages += [
            {"role": "user", "content": f"Question {n}?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{n}", "content": result},
            {"role": "assistant", "content": f"Answer {n}."},
        ]
    messages.append({"role": "user", "content": "And now?"})
    raws = [json.dumps(message).encode() for message in messages]
    return Conversation(tuple(WIRE.message(raw, words, n) for n, raw in enumerate(raws)))


def compacted(policy: Policy, view: Conversation, budget: int) -> Result:
    """Return what the steps of a policy make of a conversation."""
    assert policy.target.ratio is not None
    room = Room(int(policy.target.ratio * budget), budget, words, policy.keep)
    return run_steps(view, policy.steps, room)


def applied(result: Result) -> tuple[str, ...]:
    """Return the names of the steps that changed something."""
    return tuple(report.step for report in result.reports if report.outcome == "changed")


def test_policies_are_shipped() -> None:
    """The files in `policies/` are what a gateway without files of its own knows."""
    assert {"default", "mechanical", "observe", "off"} < set(SHIPPED.policies)
    assert {path.stem for path in (ROOT / "policies").glob("*.yaml")} == set(SHIPPED.policies)


def test_off_does_nothing() -> None:
    """`off` has no step that could touch a request."""
    assert SHIPPED.policies["off"].mode is Mode.OFF
    assert SHIPPED.policies["off"].steps == ()


def test_observe_does_what_default_would() -> None:
    """`observe` is `default` in all but that it changes nothing."""
    watching, doing = SHIPPED.policies["observe"], SHIPPED.policies["default"]
    assert watching.mode is Mode.OBSERVE
    assert replace(watching, name="default", mode=Mode.COMPACT, fingerprint=doing.fingerprint) == doing


def test_default_is_mechanical_with_summaries() -> None:
    """As its comment says, `mechanical` is the same as `default` less the step for which a model is asked."""
    default, mechanical = SHIPPED.policies["default"], SHIPPED.policies["mechanical"]
    names = [step.use for step in default.steps]
    assert names.index("tool_chains") < names.index("summarize") < names.index("digest")
    steps = tuple(step for step in default.steps if step.use != "summarize")
    assert replace(default, name="mechanical", steps=steps, fingerprint=mechanical.fingerprint) == mechanical


def test_default_says_what_a_policy_says_by_itself() -> None:
    """The values written out in `default.yaml` are the documented defaults, beside its steps."""
    default = SHIPPED.policies["default"]
    for field in fields(Policy):
        if field.name not in ("name", "fingerprint", "steps"):
            assert getattr(default, field.name) == getattr(Policy(name="x"), field.name), field.name


USELESS = {"window_max", "reserve_ratio", "margin"}
"""Keys whose default is to have no effect."""


def test_default_shows_every_key_that_has_an_effect() -> None:
    """Whoever copies the file finds each key to change in it, with its default."""
    given = parse((ROOT / "policies" / "default.yaml").read_bytes(), Source("default.yaml"))
    silent = {"name", "fingerprint", "mode", "windows", "recall", "commands", "models", "glob", "history"}
    silent |= USELESS
    assert set(given) == {field.name for field in fields(Policy)} - silent
    unused = {"recent_tokens_min", "recent_tokens_max", "pairs"}
    assert set(given["keep"]) | unused == {field.name for field in fields(Keep)}


@pytest.mark.parametrize("name", ["default", "mechanical"])
def test_bulk_goes_first(name: str) -> None:
    """Where stubs for large results are enough, nothing else is touched and no message is lost."""
    view = conversation(20, 2000)
    result = compacted(SHIPPED.policies[name], view, budget=40_000)
    assert applied(result) == ("offload",)
    assert result.view.tokens <= 18_000
    assert len(result.view.messages) == len(view.messages)
    assert result.view.offloads


@pytest.mark.parametrize("name", ["default", "mechanical"])
def test_middle_sized_results_keep_their_ends(name: str) -> None:
    """Results too small for a stub are shortened before anything is folded."""
    view = conversation(20, 1000)
    result = compacted(SHIPPED.policies[name], view, budget=30_000)
    assert applied(result) == ("tool_results",)
    assert len(result.view.messages) == len(view.messages)


@pytest.mark.parametrize("name", ["default", "mechanical"])
def test_words_stay_where_results_can_give_way(name: str) -> None:
    """Results get as short as they must before anything that somebody said is folded."""
    view = conversation(40, 400)
    result = compacted(SHIPPED.policies[name], view, budget=20_000)
    assert applied(result) == ("tool_results",)
    assert result.view.tokens <= 9000
    assert [m.text for m in result.view.messages] == [m.text for m in view.messages]


@pytest.mark.parametrize("name", ["default", "mechanical"])
def test_what_is_old_becomes_one_message(name: str) -> None:
    """Where shortening is not enough, the old part is folded: its questions are still there, word by word."""
    result = compacted(SHIPPED.policies[name], conversation(60, 300), budget=8000)
    assert "digest" in applied(result)
    assert result.view.tokens <= 3600
    text = " ".join(message.text for message in result.view.messages)
    assert all(f"Question {n}?" in text for n in range(60))
    assert result.view.messages[0].text == "Answer briefly."
    assert result.view.messages[-1].text == "And now?"


@pytest.mark.parametrize("name", ["default", "mechanical"])
@pytest.mark.parametrize("budget", [600, 2000, 8000, 32_000])
def test_target_is_met(name: str, budget: int) -> None:
    """Whatever the window, a long conversation comes down to the target by the policy's own steps."""
    policy = SHIPPED.policies[name]
    assert policy.target.ratio is not None
    assert compacted(policy, conversation(200, 200), budget).view.tokens <= policy.target.ratio * budget


def test_sample_of_a_tenant_is_one() -> None:
    """The sample, renamed, is a valid tenant as soon as it has a hash of a key."""
    sample = (ROOT / "policies" / "tenants" / "example.yaml.sample").read_text()
    # The commented keys are part of what it shows.
    shown = re.sub(r"(?m)^# (?=\w+: )", "", sample)
    for text in (sample, shown):
        file = File("example.yaml", "example", text.replace("0" * 64, new_key(bytes(32))[1][7:]).encode())
        shipped = [File(path.name, path.stem, path.read_bytes()) for path in shipped_folder().glob("*.yaml")]
        found = read_set(shipped, [], [file], "default", STRATEGIES)
        assert found.tenants["example"].policy.trigger == Level(ratio=0.70)


def heading(title: str) -> str:
    """Return the part of the README under a heading."""
    parts = re.split(r"(?m)^#{2,3} (.+)\n", README)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[title]


DOCUMENTED: dict[str, type] = {
    "A policy": Policy,
    "`trigger`, `prepare`, `target`": Level,
    "`history`": Limit,
    "`keep`": Keep,
    "`steps`": When,
    "`overflow`": OverflowRules,
    "`store`": StoreRules,
    "`usage`": UsageRules,
    "`summarizer`": SummarizerRules,
    "`recall`": RecallRules,
    "Tenants": TenantFile,
    **{f"`{name}`": strategy for name, strategy in STRATEGIES.items()},
}


def texts(cls: type) -> dict[str, str]:
    """Return the text under each field of a class, its bases included."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        assert isinstance(node, ast.ClassDef)
        for field, text in zip(node.body, node.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                found[ast.unparse(field.target)] = " ".join(str(ast.literal_eval(text.value)).split())
    return found


@pytest.mark.parametrize("title", DOCUMENTED)
def test_readme_names_every_key(title: str) -> None:
    """Each key of a policy, a tenant and a strategy is in the README, with the text of its field."""
    cls = DOCUMENTED[title]
    keys = [field.name for field in fields(cls) if (cls, field.name) not in NO_KEYS]
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| [^|]+ \| ([^|\n]+) \|$", heading(title)))
    assert rows == {key: texts(cls)[key] for key in keys}


NO_KEYS = {(Policy, "name"), (Policy, "fingerprint"), (Policy, "glob")}


def plain(value: object) -> str:
    """Return a default as a policy file would have it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return "auto" if value is None else str(value)


@pytest.mark.parametrize("title", [title for title in DOCUMENTED if title.strip("`") in STRATEGIES])
def test_readme_gives_the_defaults(title: str) -> None:
    """The default that the README gives for a strategy's setting is the one it has."""
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| `([^`]+)` \|", heading(title)))
    assert rows == {
        field.name: plain(getattr(DOCUMENTED[title](), field.name)) for field in fields(DOCUMENTED[title])
    }


def test_every_package_is_in_the_wheel() -> None:
    """A new folder of modules or data is not forgotten in the list of packages."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    files = [path for path in (ROOT / "gateway").rglob("*") if path.is_file()]
    folders = {path.parent for path in files if "__pycache__" not in path.parts}
    names = {".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert set(config["tool"]["setuptools"]["packages"]) == names | {
        "gateway.shipped",
        "gateway.shipped.tenants",
    }


def test_installed_gateway_finds_its_policies_and_schema(tmp_path: Path) -> None:
    """Built into a wheel and unpacked elsewhere, the gateway has its policies and its migrations with it."""
    source = tmp_path / "source"
    for name in ("gateway", "policies"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")

    look = (
        "from gateway.policy.live import read_all, shipped_folder; from gateway.store.migrate import scripts;"
        "from gateway.policy.prices import load_prices;"
        "print(shipped_folder(), sorted(read_all(None, 'default').policies), list(scripts()),"
        " load_prices().of('gpt-4o').output)"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", look],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    folder = tmp_path / "site" / "gateway" / "shipped"
    assert found.stdout == f"{folder} {sorted(SHIPPED.policies)} [1, 2, 3] 10.0\n"
