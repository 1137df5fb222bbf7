"""`haversack compact`: what a policy makes of a request in a file, without a gateway."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from gateway.core import json
from gateway.core.errors import ConfigError
from gateway.engine.dry_run import laid_out, offline
from gateway.policy.live import read_all
from gateway.policy.schema import Policy
from gateway.policy.tenants import own_name
from gateway.settings import Settings
from gateway.web.asides import NOTES, Aside, aside
from gateway.web.shape import FORMATS, endpoint_of, kind, problem
from gateway.wire import WIRE_FORMATS


def compact(file: Path, settings: Settings, target_tokens: int | None) -> int:
    """Print what a policy makes of a request in a file, and a report. Raise ConfigError."""
    policy = _policy(settings)
    body = _read(file)
    name = FORMATS[endpoint_of(body)]
    wire = WIRE_FORMATS[name]
    try:
        why = aside(name, (), wire.read(body))
    except json.Malformed as error:
        raise ConfigError([f"{file}: is not a {kind(name, body)}: {problem(body, error)}"]) from error
    target = target_tokens if why in (None, Aside.SUMMARY) else None
    made, hint = asyncio.run(offline(wire, body, policy, target, NOTES[why] if why else ""))
    # For people to read; a program gets one line, with the request's bytes as they would be sent.
    sys.stdout.buffer.write((laid_out(made) if sys.stdout.isatty() else made) + b"\n")
    if hint:
        print(hint, file=sys.stderr)
    return 0


def _policy(settings: Settings) -> Policy:
    """Return the policy that is asked for; `tenants/NAME` is that of a tenant. Raise ConfigError."""
    found, wanted = read_all(settings.policies, "default"), settings.policy
    tenants = {own_name(name): tenant.policy for name, tenant in found.tenants.items()}
    policies = {**found.policies, **tenants}
    if wanted not in policies:
        told = f"no policy is called {wanted!r}; there are {', '.join(sorted(policies))}"
        raise ConfigError([f"--policy or HAVERSACK_POLICY: {told}"])
    return policies[wanted]


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise ConfigError([f"{file}: cannot be read: {error.strerror}"]) from error
