"""Who a request belongs to (scope), and what its conversation is called (session).

Correctness never rests on a session: only the prefix hash within the scope decides what state is used.
A session names things for people, for metrics and for the inspector (DESIGN 5.2).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec

HEADERS = (
    "x-session-id",
    "x-claude-code-session-id",
    "thread-id",
    "session_id",
    "x-session-affinity",
)
"""Headers by which clients name a conversation, most specific first (measured on real clients)."""

ID_LENGTH = 24
"""Hex characters of an id: 96 bits, far beyond what collides."""


@dataclass(frozen=True, slots=True)
class Session:
    """A name for a conversation."""

    id: str
    """Bounded and hashed; never what the client sent."""
    strong: bool
    """The client named it itself; a weak one is only where the conversation began."""


def open_scope(credential: str) -> str:
    """Return the scope of a key that belongs to no tenant, so that two keys never share state.

    A short-lived token counts as whom it was issued to, by whom: its refreshed successor is the same scope.
    """
    stable = _token_subject(credential) or credential
    return f"open-{_hash(stable)}" if stable else "open"


def _token_subject(credential: str) -> str:
    """Return issuer and subject of a JSON Web Token; empty if the credential is none."""
    parts = credential.split(".")
    if len(parts) != 3:
        return ""
    try:
        payload = msgspec.json.decode(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (msgspec.DecodeError, binascii.Error, ValueError):
        return ""
    if not isinstance(payload, dict) or not payload.get("iss") or not payload.get("sub"):
        return ""
    return f"jwt\n{payload['iss']}\n{payload['sub']}"


def session(
    scope: str,
    headers: Mapping[str, str],
    path_session: str = "",
    root: Sequence[bytes] = (),
    names: Iterable[str] = HEADERS,
) -> Session:
    """Return the session of a request.

    *path_session* is the part of the base URL that names it; *root* the hashes of the first messages, for
    clients that name nothing. A sub-agent that shares its parent's id is told apart by its own id.
    """
    if path_session:
        return Session(_hash(f"{scope}\npath\n{path_session}"), strong=True)
    for name in names:
        value = headers.get(name)
        if value:
            agent = headers.get("x-claude-code-agent-id", "")
            return Session(_hash(f"{scope}\n{name}\n{value}\n{agent}"), strong=True)
    return Session(_hash(f"{scope}\nroot\n{b''.join(root).hex()}"), strong=False)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
