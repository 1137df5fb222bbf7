"""What is valid and surely not meant is told, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gateway.policy.live import read_folder, shipped_folder
from gateway.policy.notes import notes
from gateway.policy.policies import File, read_set
from gateway.policy.tenants import new_key
from gateway.strategies import STRATEGIES

SHIPPED = read_folder(shipped_folder())
KEYS = f"keys: [{new_key(bytes(32))[1]}]\n"


def noted(text: str = "", tenant: str = "", environment: Mapping[str, str] | None = None) -> list[str]:
    """Return what is noted of a policy `mine` and a tenant `acme` over the shipped policies."""
    own = [File("mine.yaml", "mine", text.encode())] if text else []
    tenants = [File("acme.yaml", "acme", (KEYS + tenant).encode())] if tenant else []
    return list(notes(read_set(SHIPPED, own, tenants, "default", STRATEGIES), environment or {}))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("mode: compact", "mine has no steps, so nothing is done before an upstream refuses a request."),
        (
            "extends: default\nmodels: {a: {steps: []}}",
            "mine, for a, has no steps, so nothing is done before an upstream refuses a request.",
        ),
        (
            "extends: default\nmodels: {gpt-*: {margin: 1.1}, b: {margin: 1.2}}",
            "mine has other settings for gpt-*, b; the first that fits a model counts.",
        ),
        (
            "extends: mechanical\nsummarizer: {model: small}",
            "mine has a `summarizer` without effect: none of its steps asks a model.",
        ),
        (
            "extends: default\nsteps: [{use: dedupe}, {use: digest}]",
            "mine asks no model for summaries: default's step `summarize` is not among its steps.",
        ),
        (
            "extends: default\nsteps: [{use: digest}]\nsummarizer: {model: small}",
            "mine asks no model for summaries: default's step `summarize` is not among its steps, "
            "and its `summarizer` has no effect.",
        ),
        (
            "extends: default\nsummarizer: {heartbeat_s: 5}",
            "mine sends no heartbeats: summarizer.heartbeat_s is for `mode: inline`, where a client waits.",
        ),
        (
            "extends: default\nmodels: {a: {summarizer: {mode: inline, heartbeat_s: 90}}}",
            "mine, for a, sends no heartbeats: summarizer.heartbeat_s (90) is not below timeout_s (60).",
        ),
        (
            "extends: default\nsteps: [{use: digest}, {use: summarize}]",
            "mine has `summarize` behind `digest`, which leaves it nothing old to replace; put it before.",
        ),
        (
            'extends: default\nmodels: {"*": {margin: 1.1}, gpt-*: {margin: 1.2}}',
            'mine never comes to "gpt-*" in models: "*" before it fits the same models.',
        ),
        (
            "extends: default\nwindows: {gpt-4*: 9000, gpt-4o: 8000}",
            'mine never comes to "gpt-4o" in windows: "gpt-4*" before it fits the same models.',
        ),
        (
            "extends: default\nsteps: [{use: offload}, {use: summarize}]",
            "mine has nothing behind `summarize` for when no summary is ready; put `digest` there.",
        ),
        (
            "steps: [{use: summarize}, {use: tool_results}]",
            "mine has nothing behind `summarize` for when no summary is ready; put `digest` there.",
        ),
        (
            "extends: default\nsummarizer: {model: none}",
            "mine asks a model called 'none' for summaries; to ask no model: `extends: mechanical`.",
        ),
        (
            "extends: default\nwindows: {local: 128}",
            "mine names 128 tokens at windows.local; if thousands are meant, write 128000.",
        ),
        (
            "extends: default\nprepare: {ratio: 0.8}",
            "mine prepares summaries at the trigger (0.8), too late for it; put `prepare` below.",
        ),
        (
            "extends: default\nsummarizer: {key_variable: NOT_SET}",
            "NOT_SET is not set, and summarizer.key_variable names it in mine: without it no summary is "
            "written there.",
        ),
    ],
)
def test_what_is_hardly_meant_is_told(text: str, note: str) -> None:
    """A line says what the author gets, and where it can be guessed what to write."""
    assert note in noted(text)
    assert len(noted(text)) == 1 + ("models:" in text and "other settings" not in note)


@pytest.mark.parametrize(
    "text",
    [
        "mode: off\nsummarizer: {model: small}",
        "extends: default\nsummarizer: {model: small, timeout_s: 5}",
        "extends: default\nsteps: [{use: summarize}, {use: trim_turns}]",
        "extends: default\nsummarizer: {mode: inline, heartbeat_s: 5}",
        "extends: mechanical\nsteps: [{use: tool_chains, model: true}]\nsummarizer: {model: small}",
        "extends: default\nwindows: {gpt-4o: 8000, gpt-4*: 9000, 'm-?': 512, 'm-*': 600}",
        "extends: cowagent\ntrigger: {tokens: 90000}",
        "extends: mechanical\nsteps: [{use: digest}]",
        "extends: default\ntrigger: {ratio: 0.6}",
    ],
)
def test_what_may_be_meant_is_not_told(text: str) -> None:
    """A note that is not worth reading hides those that are."""
    assert noted(text) == []


@pytest.mark.parametrize("name", [file.name for file in SHIPPED])
def test_copy_of_a_shipped_policy_needs_no_note(name: str) -> None:
    """What comes with the gateway is meant as it is."""
    assert noted(next(file.data for file in SHIPPED if file.name == name).decode()) == []


def test_tenant_is_told_of_its_own_changes_only() -> None:
    """What a policy says is not told again of every tenant that uses it."""
    assert noted("mode: compact", "policy: mine\nmodels: ['*', gpt-*]") == noted("mode: compact")
    other = "extends: default\nmodels: {a: {margin: 1.1}}"
    assert noted(other, "extends: mine\nwindow: 6000") == noted(other)
    assert noted("", "extends: default\nwindow: 64") == [
        "tenants/acme names 64 tokens at window; if thousands are meant, write 64000."
    ]
    assert noted("", "extends: mechanical\nsummarizer: {model: small}\nmodels: [a]") == [
        "tenants/acme has a `summarizer` without effect: none of its steps asks a model."
    ]
