"""The README is complete: whatever a user can set, name, call or read off an answer is written there.

A test fails with the list of what is missing, so that writing it is a matter of minutes. Rows of tables that
repeat the code are compared with it word by word, so that they cannot drift apart. That the examples work is
the business of `test_examples.py`; what the README says beyond this is its author's.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import Container, Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from gateway.core import errors
from gateway.core.fields import documented
from gateway.core.prices import Price
from gateway.engine.dry_run import offline
from gateway.engine.subject import Action
from gateway.metric_table import TABLE
from gateway.policy.levels import Level, When
from gateway.policy.rules import OverflowRules, RecallRules, StoreRules, SummarizerRules, UsageRules
from gateway.policy.schema import Policy
from gateway.policy.tenants import TenantFile
from gateway.settings import Settings, flag, variable
from gateway.strategies import STRATEGIES
from gateway.strategies.base import Keep
from gateway.wire import WIRE_FORMATS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CODE = set(re.findall(r"`([^`\n]+)`", README))
"""Everything the README sets in code within a line."""

HEADERS = sorted(
    set(re.findall(r"x-haversack-[a-z]+", "".join(p.read_text() for p in (ROOT / "gateway").rglob("*.py"))))
)
ROUTES = ["/haversack/compact", "/haversack/originals/{id}", "/metrics", "/healthz", "/readyz"]
COMMANDS = [
    "haversack serve",
    "haversack check",
    "haversack show",
    "haversack compact",
    "haversack key new",
    "haversack demo",
    "make demo",
    "make test",
]
NOT_SET = {"name", "fingerprint", "glob"}
"""Fields of a policy that its file does not set: the file's own name, and a hash."""

ERRORS = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.GatewayError)
]


def require(wanted: list[str], found: Container[str] = CODE) -> None:
    """Raise AssertionError with what the README does not have as code."""
    lost = [word for word in wanted if word not in found]
    assert not lost, f"the README says nothing about: {', '.join(lost)}"


def require_rows(rows: list[str], document: str = README) -> None:
    """Raise AssertionError with the rows that no table of the document has."""
    lost = [row for row in rows if f"| {row} |" not in document.splitlines()]
    assert not lost, "these rows are missing:\n" + "\n".join(f"| {row} |" for row in lost)


def shown(default: object) -> str:
    """Return a default as the tables show it."""
    if isinstance(default, tuple):
        default = ",".join(default)
    if isinstance(default, bool):
        default = str(default).lower()
    return "none" if default in (None, "") else f"`{default}`"


def first_line(kind: type) -> str:
    """Return the first line of a class's text."""
    return (kind.__doc__ or "").partition("\n")[0]


def named(words: Iterable[str]) -> str:
    """Return the words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


def test_every_setting_is_documented() -> None:
    """A flag or variable that exists can be found in the README."""
    names = [field.name for field in fields(Settings)]
    require([flag(name) for name in names])
    require([variable(name) for name in names])


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_strategy_is_documented(name: str) -> None:
    """A strategy has its row, and each of its settings its name there."""
    strategy = STRATEGIES[name]
    assert is_dataclass(strategy)
    require([name, *(field.name for field in fields(strategy))])


@pytest.mark.parametrize("section", [Policy, Keep, OverflowRules, StoreRules, UsageRules])
def test_every_key_of_a_policy_is_documented(section: type) -> None:
    """Whatever a policy file may say can be found in the README."""
    require([field.name for field in fields(section) if field.name not in NOT_SET])


def test_every_policy_is_documented() -> None:
    """A shipped policy is named, so that a tenant's file can name it."""
    require([path.stem for path in sorted((ROOT / "policies").glob("*.yaml"))])


def test_every_error_is_documented() -> None:
    """A client that meets a code can look it up."""
    require([kind.code for kind in ERRORS])


def test_every_header_is_documented() -> None:
    """Each header that the gateway reads or writes is explained."""
    assert HEADERS
    require(HEADERS)


def test_every_route_and_command_is_documented() -> None:
    """Whatever can be called is listed."""
    require(ROUTES)
    require(COMMANDS, README)


def test_every_wire_format_is_documented() -> None:
    """A client's dialect is named as metrics and policies name it."""
    require(sorted(WIRE_FORMATS))


def test_metrics_are_documented_where_the_readme_says() -> None:
    """The README leads to the table of metrics, which has them all."""
    assert "grafana/README.md" in README
    require([f"`{spec.full_name}`" for spec in TABLE.values()], (ROOT / "grafana" / "README.md").read_text())


def test_settings_are_told_as_the_code_has_them() -> None:
    """A setting's row has its flag, variable, default and meaning, as `haversack serve --help` says it."""
    texts = documented(Settings)
    require_rows(
        [
            f"`{flag(field.name)}` | `{variable(field.name)}` | {shown(field.default)} | {texts[field.name]}"
            for field in fields(Settings)
        ]
    )


def test_strategies_are_told_as_the_code_has_them() -> None:
    """A strategy's row has its name, what it does, and all of its settings."""
    require_rows(
        [
            f"`{name}` | {first_line(strategy)} | {named(field.name for field in fields(strategy))}"  # type: ignore[arg-type]  # a dataclass
            for name, strategy in STRATEGIES.items()
        ]
    )


def test_keys_of_a_price_are_told_as_the_code_has_them() -> None:
    """Each key of a row of the price file has its row."""
    texts = documented(Price)
    require_rows([f"`{field.name}` | {texts[field.name]}" for field in fields(Price)])


def test_keys_of_a_tenant_are_told_as_the_code_has_them() -> None:
    """Each key of a tenant's file has its row."""
    texts = documented(TenantFile)
    require_rows([f"`{field.name}` | {texts[field.name]}" for field in fields(TenantFile)])


def test_errors_are_told_as_the_code_has_them() -> None:
    """An error's row has its status, its code and what it means; what to do about it is never empty."""
    for kind in ERRORS:
        row = f"| {kind.status} | `{kind.code}` | {first_line(kind)} | "
        assert re.search(re.escape(row) + r"\S", README), row


@pytest.mark.parametrize("document", ["README.md", "grafana/README.md"])
def test_metrics_are_told_as_the_code_has_them(document: str) -> None:
    """A metric's row has its name, kind, labels and meaning, in both tables."""
    require_rows(
        [
            f"`{spec.full_name}` | {spec.kind} | {named(spec.labels) or '-'} | {spec.about}"
            for spec in TABLE.values()
        ],
        (ROOT / document).read_text(),
    )


def test_report_of_a_dry_run_is_documented() -> None:
    """Whatever the report says about a request can be looked up."""
    made, _ = asyncio.run(offline(WIRE_FORMATS["openai_chat"], b'{"messages": []}', Policy(name="p"), None))
    require(list(json.loads(made)["report"]))


def test_actions_are_told() -> None:
    """Whatever `x-haversack-action` can hold has its row."""
    for action in Action:
        assert f"| `{action.value}` | " in README, action


@pytest.mark.parametrize(
    "section",
    [
        Policy,
        Level,
        Keep,
        When,
        OverflowRules,
        StoreRules,
        UsageRules,
        SummarizerRules,
        RecallRules,
        TenantFile,
    ],
)
def test_keys_of_a_policy_are_told_as_the_code_has_them(section: type) -> None:
    """In `policies/README.md`, the row of each key ends with the meaning that the code gives it."""
    document = (ROOT / "policies" / "README.md").read_text()
    for key, text in documented(section).items():
        if key not in NOT_SET:
            assert re.search(rf"(?m)^\| `{key}` \| [^|]+ \| {re.escape(text)} \|$", document), key


def test_keys_of_later_versions_are_said_to_be_reserved() -> None:
    """Nobody is led to believe that a key works which has no effect yet."""
    row = next(line for line in README.splitlines() if "`recall`" in line)
    assert "Reserved" in row
    assert all(f"`{key}`" in row for key in ("recall", "commands"))


def test_contents_lead_to_headings() -> None:
    """Each link within the README leads to one of its headings."""
    headings = re.findall(r"^#+ (.*)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(#([^)]+)\)", README)
    assert targets
    assert set(targets) <= anchors


def test_links_lead_somewhere() -> None:
    """A relative link in a document points to what exists."""
    for document in [ROOT / "README.md", *ROOT.glob("*/README.md"), ROOT / ".github" / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.relative_to(ROOT)}: {target}"
