"""`haversack show tenants/NAME`: what applies to a tenant, for whoever runs the gateway."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from gateway.cli import main
from gateway.policy.tenants import key_hash

README = (Path(__file__).parent.parent / "README.md").read_text()
TENANT = f"keys: [{key_hash('hvs_x')}]\nextends: mine\ntarget: {{ratio: 0.3}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a policy and a tenant, and an environment without settings."""
    for name in list(os.environ):
        if name.startswith("HAVERSACK_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    policies = tmp_path / "p"
    (policies / "tenants").mkdir(parents=True)
    (policies / "mine.yaml").write_text("extends: default\ntrigger: {ratio: 0.7}\n")
    (policies / "tenants" / "acme.yaml").write_text(TENANT)
    return policies


def test_show_of_a_tenant_tells_all_that_applies(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What its file says, what that extends, what the gateway adds; of its keys the number."""
    monkeypatch.setenv("HAVERSACK_UPSTREAM", "http://127.0.0.1:8000/v1")
    assert main(["show", "tenants/acme", "--policies", str(folder)]) == 0
    out, err = capsys.readouterr()
    tenant, policy = yaml.safe_load_all(out)
    assert (tenant["keys"], tenant["policy"]) == (1, "tenants/acme")
    assert tenant["upstream"] == "http://127.0.0.1:8000/v1"
    assert (policy["trigger"], policy["target"]) == ({"ratio": 0.7}, {"ratio": 0.3})
    assert "mine with changes: target" in out
    assert (key_hash("hvs_x")[7:] in out, err) == (False, "")


def test_policy_of_a_tenant_can_be_copied(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed behind the line of dashes is a policy's file, which says the same."""
    assert main(["show", "tenants/acme", "--policies", str(folder)]) == 0
    printed = capsys.readouterr().out.partition("---\n")[2]
    (folder / "copy.yaml").write_text(printed)
    (folder / "tenants" / "beta.yaml").write_text(f"keys: [{key_hash('hvs_b')}]\npolicy: copy\n")
    assert main(["check", str(folder)]) == 0
    capsys.readouterr()
    assert main(["show", "tenants/beta", "--policies", str(folder)]) == 0
    assert capsys.readouterr().out.partition("---\n")[2] == printed


def test_show_of_no_tenant_names_those_there_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip in the name ends with 2 and the names to choose from; a policy's leads to tenants, too."""
    assert main(["show", "tenants/amce", "--policies", str(folder)]) == 2
    assert capsys.readouterr().err == "tenants/amce: no tenant is called so; there are tenants/acme\n"
    assert main(["show", "tenants/acme"]) == 2
    assert capsys.readouterr().err == "tenants/acme: no tenant is called so; there are none\n"
    assert main(["show", "acme", "--policies", str(folder)]) == 2
    assert "a tenant is shown as tenants/NAME" in capsys.readouterr().err


def test_show_of_a_tenant_whose_file_is_wrong_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is shown as in force that no gateway would take."""
    (folder / "tenants" / "acme.yaml").write_text(TENANT + "modus: 'off'\n")
    assert main(["show", "tenants/acme", "--policies", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert (out, "acme.yaml:4: modus" in err) == ("", True)


def test_readme_shows_what_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tenant that the README makes is printed as the README shows it."""
    (written,) = re.findall(r"```yaml\n(keys:\n.*?)```", README, re.DOTALL)
    (shown,) = re.findall(r"```\n(# What applies to the tenant.*?)…\n```", README, re.DOTALL)
    told = re.sub(r"sha256-0+", key_hash("hvs_readme"), written)
    (folder / "tenants" / "acme.yaml").write_text(told)

    assert main(["show", "tenants/acme", "--policies", str(folder)]) == 0
    assert capsys.readouterr().out.startswith(shown)
