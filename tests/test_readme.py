"""The README is complete: whatever a user can set, name, call or read off an answer is written there.

A test fails with the list of what is missing, so that writing it is a matter of minutes. What the README says
beyond this is its author's business.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Container
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from gateway.core import errors
from gateway.metrics import TABLE
from gateway.policy.schema import OverflowRules, Policy, StoreRules, UsageRules
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
    "haversack key new",
    "haversack demo",
    "make demo",
    "make test",
]
NOT_SET = {"name", "fingerprint"}
"""Fields of a policy that its file does not set: the file's own name, and a hash."""

CODES = sorted(
    {
        kind.code
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, errors.GatewayError)
    }
)


def require(wanted: list[str], found: Container[str] = CODE) -> None:
    """Raise AssertionError with what the README does not have as code."""
    lost = [word for word in wanted if word not in found]
    assert not lost, f"the README says nothing about: {', '.join(lost)}"


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
    require(CODES)


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


def test_links_lead_somewhere() -> None:
    """A relative link in a document points to what exists."""
    for document in [ROOT / "README.md", *ROOT.glob("*/README.md"), ROOT / ".github" / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.relative_to(ROOT)}: {target}"
