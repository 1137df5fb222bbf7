"""What is printed of a policy says the same when read again, and of a tenant nothing that opens a door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.policy.document import Source, parse
from gateway.policy.live import read_all
from gateway.policy.read import read_policy
from gateway.policy.schema import Policy
from gateway.policy.shown import policy_values, tenant_text
from gateway.policy.tenants import key_hash
from gateway.strategies import STRATEGIES

OWN = {"upstream": "https://api.openai.com/v1", "anthropic_upstream": "https://api.anthropic.com"}
SHIPPED = read_all(None, "default").policies

EVERYTHING = """
mode: observe
window_max: 9000
trigger: {ratio: 0.7, turns: 30}
keep: {recent_turns: 0, pairs: true}
history: [{below: 16000, messages: 20}, {messages: 90}]
windows: {local-*: 32768, "*": 8192}
steps:
  - {use: offload, when: always, deny: [secret_*]}
  - {use: digest, when: {ratio: 0.5, max_turns: 9}}
models: {gpt-*: {reserve_ratio: 0.2, steps: [{use: trim_turns}]}}
summarizer: {model: other, max_tokens: 900, fallback_models: [a, b], focus: "ports: all – é"}
"""


def read(values: Any, name: str) -> Policy:
    """Return the policy that a file with these values describes."""
    source = Source("p.yaml")
    given = parse(yaml.safe_dump(values).encode(), source)
    assert given is not None
    found = read_policy(given, name, None, STRATEGIES, source)
    assert source.problems == []
    return found


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_policy_says_the_same_when_it_is_read_again(name: str) -> None:
    """All that applies is printed, defaults included, in the words of a policy file."""
    policy = SHIPPED[name]
    assert read(policy_values(policy), name).fingerprint == policy.fingerprint


def test_every_kind_of_value_says_the_same_when_it_is_read_again() -> None:
    """Sizes, limits, steps with settings, models with settings of their own: whatever a file can say."""
    policy = read(yaml.safe_load(EVERYTHING), "p")
    values = policy_values(policy)
    assert read(values, "p") == policy
    assert values["steps"][0]["when"] == {"always": True}
    assert values["trigger"] == {"ratio": 0.7, "turns": 30}
    assert values["window"] == "auto"
    assert "recall" not in values


def shown(folder: Path, **files: str) -> str:
    """Return what is printed of the tenant whose file is `acme`."""
    (folder / "tenants").mkdir()
    for name, text in files.items():
        (folder / "tenants" / f"{name}.yaml").write_text(text)
    found = read_all(folder, "default")
    return tenant_text(found.tenants["acme"], found, OWN)


def test_tenant_is_told_without_its_keys(tmp_path: Path) -> None:
    """Which policy, which upstreams, what it may use, how many keys: and not one of them, or its hash."""
    hashes = [key_hash("hvs_one"), key_hash("hvs_two")]
    text = shown(
        tmp_path,
        acme=f"keys: [{', '.join(hashes)}]\nupstream: http://127.0.0.1:8000/v1\ntrigger: {{ratio: 0.7}}\n"
        "policies: [mechanical]\nmodels: [gpt-*]\n",
        beta=f"keys: [{key_hash('hvs_beta')}]\n",
    )
    tenant, policy = yaml.safe_load_all(text)
    assert tenant == {
        "keys": 2,
        "upstream": "http://127.0.0.1:8000/v1",
        "anthropic_upstream": "https://api.anthropic.com",
        "models": ["gpt-*"],
        "policies": ["mechanical"],
        "policy": "tenants/acme",
    }
    assert policy["trigger"] == {"ratio": 0.7}
    assert policy["steps"][0]["use"] == "dedupe"
    assert "policy: tenants/acme  # default with changes: trigger\n" in text
    assert "anthropic_upstream: https://api.anthropic.com  # the gateway's own\n" in text
    assert "sha256-" not in text
    assert "beta" not in text


def test_tenant_that_says_nothing_has_what_everybody_has(tmp_path: Path) -> None:
    """A file with keys alone means the policy of everybody, all models and the gateway's upstreams."""
    text = shown(tmp_path, acme=f"keys: [{key_hash('hvs_one')}]\n")
    tenant, policy = yaml.safe_load_all(text)
    assert tenant == {"keys": 1, **OWN, "models": "all", "policies": [], "policy": "default"}
    assert read(policy, "default").fingerprint == SHIPPED["default"].fingerprint


def test_what_has_the_form_of_a_key_is_not_shown(tmp_path: Path) -> None:
    """Some relays take a key in the path of their address, and people write passwords anywhere."""
    key = "sk-proj-" + "Ab1" * 14
    text = shown(
        tmp_path,
        acme=f"keys: [{key_hash('hvs_one')}]\nupstream: https://relay.test/{key}/v1\n"
        f"summarizer: {{upstream: https://relay.test/{key}/v1, focus: 'the password: hunter22 is'}}\n"
        f"models: [gpt-*]\n",
    )
    assert key not in text
    assert "hunter22" not in text
    tenant, policy = yaml.safe_load_all(text)
    assert tenant["upstream"] == policy["summarizer"]["upstream"]
    assert tenant["upstream"].startswith("https://relay.test/")
