"""Who a request belongs to (scope), and what its conversation is called (session).

Correctness never rests on a session: only the prefix hash within the scope decides what state is used.
A session names things for people: it stands in the log and in a response header.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec

HEADERS = (
    b"x-session-id",  # opencode; its sub-agents have their own
    b"x-claude-code-session-id",
    b"thread-id",  # codex; its session-id is shared with sub-agents
    b"session_id",  # pi
    b"x-session-affinity",
)
"""Headers by which clients name a conversation, most specific first (measured on real clients)."""

AGENT = b"x-claude-code-agent-id"
"""Tells the sub-agents of one session apart."""

PARENT_AGENT = b"x-claude-code-parent-agent-id"
"""Whose sub-agent it is; without it, the session's own."""

PARENTS = {b"x-session-id": b"x-parent-session-id", b"thread-id": b"x-codex-parent-thread-id"}
"""Where a header has it, the one by which a sub-agent names the conversation that it works for."""

ID_LENGTH = 24
"""Hex characters of an id: 96 bits, far beyond what collides."""


class Session(msgspec.Struct, frozen=True):
    """A name for a conversation."""

    id: str
    """Bounded and hashed; never what the client sent."""
    strong: bool
    """The client named it itself; a weak one is only where the conversation began."""
    parent: str = ""
    """The id of the session that this one's agent works for, where its client says so."""


def open_scope(credential: str) -> str:
    """Return the scope of a key that belongs to no tenant, so that two keys never share state.

    A short-lived token counts as whom it was issued to, by whom: its refreshed successor is the same scope.
    """
    stable = _token_subject(credential) or credential
    return f"open-{_hash(stable)}" if stable else "open"


def _token_subject(credential: str) -> str:
    """Return issuer and subject of a JSON Web Token; empty if the credential is none."""
    if credential.count(".") != 2:
        return ""
    parts = credential.split(".")
    try:
        payload = msgspec.json.decode(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (msgspec.DecodeError, binascii.Error, ValueError):
        return ""
    if not isinstance(payload, dict) or not payload.get("iss") or not payload.get("sub"):
        return ""
    return f"jwt\n{payload['iss']}\n{payload['sub']}"


def session(
    scope: str,
    headers: Iterable[tuple[bytes, bytes]],
    path_session: str | None,
    root: Sequence[bytes] = (),
    names: Sequence[bytes] = HEADERS,
) -> Session:
    """Return the session of a request: as its client names it, else as its beginning does."""
    return named(scope, headers, path_session, names) or rooted(scope, root)


def named(
    scope: str,
    headers: Iterable[tuple[bytes, bytes]],
    path_session: str | None,
    names: Sequence[bytes] = HEADERS,
) -> Session | None:
    """Return the session that a client names; None: it names none.

    *path_session* is the part of the base URL that does. A sub-agent that shares its parent's id is told
    apart by its own id.
    """
    if path_session:
        return Session(_hash(f"{scope}\npath\n{path_session}"), strong=True)
    found = dict(headers)
    for name in names:
        if found.get(name):
            agent = found.get(AGENT, b"")
            id = _named(scope, name, found[name], agent)
            return Session(id, strong=True, parent=_parent(scope, name, agent, found))
    return None


def rooted(scope: str, root: Sequence[bytes]) -> Session:
    """Return the session of a client that names none, by the hashes of its first messages."""
    return Session(_hash(f"{scope}\nroot\n{b''.join(root).hex()}"), strong=False)


def _named(scope: str, name: bytes, value: bytes, agent: bytes) -> str:
    return _hash(f"{scope}\n{name!r}\n{value!r}\n{agent!r}")


def _parent(scope: str, name: bytes, agent: bytes, found: Mapping[bytes, bytes]) -> str:
    if agent:
        return _named(scope, name, found[name], found.get(PARENT_AGENT, b""))
    parent = found.get(PARENTS.get(name, b""), b"")
    return _named(scope, name, parent, b"") if parent else ""


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]
