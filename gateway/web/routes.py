"""Where a request belongs, read off its path and headers: wire format, upstream, session, target.

Pure. A path is recognised with its slashes collapsed and its `/v1`s taken off; what goes to the upstream is
the client's own path, byte for byte, unless it is an endpoint that the gateway knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from posixpath import normpath
from urllib.parse import unquote_to_bytes

import msgspec

from gateway.addresses import has_version

OPENAI = "openai"
ANTHROPIC = "anthropic"

# By the path without session, versions and Azure's deployment. Rows: endpoints that compaction understands.
_WIRE_FORMATS = {
    b"/chat/completions": "openai_chat",
    b"/responses": "openai_responses",
    b"/messages": "anthropic_messages",
}

ENDPOINTS = tuple(f"/v1{path.decode()}" for path in _WIRE_FORMATS)
"""Paths of the endpoints that are compacted, as their vendors write them."""

_SESSION = re.compile(rb"/+s/+([^/]+)(?=/|$)")
_VERSIONS = re.compile(rb"(?:/+v1(?=/|$))+")
_AZURE = re.compile(rb"/+openai(?:/+deployments/+([^/]+)(?=/)|/+v1(?=/|$)|(?=/))")
_SLASHES = re.compile(rb"/{2,}")

# Azure's key is `api-key`; no OpenAI client sends these two.
_ANTHROPIC_HEADERS = frozenset({b"anthropic-version", b"x-api-key"})

_REMEMBERED_BYTES = 256
"""Applications ask for few different targets; longer ones are not worth the memory."""

# What runs a model, as an upstream reads the path; threads have messages too, and no model.
_RUNS_MODEL = re.compile(rb"/(?:completions|responses)$|^(?:/v1)*/messages$")
_PARAMETERS = re.compile(rb"[;\s][^/]*")
_NAMES_MODEL = re.compile(r"/(?:deployments|engines|models?)/([^/:]+)", re.IGNORECASE)


class Route(msgspec.Struct, frozen=True):
    """What the path and the headers of one request say."""

    wire_format: str | None
    """Name of the format if the body may be compacted; None: passed through."""
    upstream: str
    """`openai` or `anthropic`: whose endpoint it is, and so the dialect of error bodies."""
    path: bytes
    """The client's path without session and version, beginning with a slash."""
    query: bytes
    """As it came, without the question mark."""
    versioned: bool = False
    """Whether the client's path began with `/v1`."""
    azure: bool = False
    """An Azure path: belongs to the upstream's host, not under its base path."""
    session: str | None = None
    """From the prefix `/s/<session>`."""
    deployment: str | None = None
    """Azure's name for the model, which its bodies leave out."""

    @property
    def dialect(self) -> str:
        """Name of the wire format in which its client reads errors."""
        other = "anthropic_messages" if self.upstream == ANTHROPIC else "openai_chat"
        return self.wire_format or other


def route(raw_path: bytes, query: bytes, headers: Iterable[tuple[bytes, bytes]]) -> Route:
    """Return where a request belongs. Names of *headers* are in lower case.

    >>> found = route(b"/s/42/v1/chat/completions", b"", [])
    >>> found.wire_format, found.upstream, found.session, found.path
    ('openai_chat', 'openai', '42', b'/chat/completions')
    """
    is_anthropic = not _ANTHROPIC_HEADERS.isdisjoint(dict(headers))
    short = len(raw_path) + len(query) <= _REMEMBERED_BYTES
    return (_route if short else _route.__wrapped__)(raw_path, query, is_anthropic)


@lru_cache(maxsize=1024)
def _route(raw_path: bytes, query: bytes, is_anthropic: bool) -> Route:
    path, session = _without_session(raw_path)
    version = _VERSIONS.match(path)
    rest = path[version.end() :] if version else path
    if azure := _AZURE.match(rest):
        return _azure(rest, query, azure, session)
    rest = b"/" + rest.lstrip(b"/")
    known = _SLASHES.sub(b"/", rest).rstrip(b"/")
    wire_format = _WIRE_FORMATS.get(known)
    return Route(
        wire_format=wire_format,
        upstream=ANTHROPIC if is_anthropic or _is_anthropics(known) else OPENAI,
        path=known if wire_format else rest,
        query=query,
        versioned=version is not None,
        session=session,
    )


def target(route: Route, base_path: bytes) -> bytes:
    """Return the request target at an upstream whose base URL has this path, without a slash at its end.

    >>> target(route(b"/v1/models", b"limit=2", []), b"/v1")
    b'/v1/models?limit=2'
    >>> target(route(b"/chat/completions", b"", []), b"/openai/v1")
    b'/openai/v1/chat/completions'
    """
    if route.azure:
        path = route.path
    else:
        path = base_path + (b"/v1" if _needs_version(route, base_path) else b"") + route.path
    return path + b"?" + route.query if route.query else path


def may_run_model(route: Route) -> bool:
    """Return whether an upstream may take the path for an endpoint that runs a model, however it is written.

    >>> may_run_model(route(b"/v1/%63hat/./completions", b"", []))
    True
    """
    return route.wire_format is not None or _RUNS_MODEL.search(_plainest(route.path).lower()) is not None


def models_in_path(route: Route) -> set[str]:
    """Return the models that an upstream may read out of the path, however it is written.

    >>> models_in_path(route(b"/openai/./Deployments/gpt%2d4/chat/completions", b"", []))
    {'gpt-4'}
    """
    return set(_NAMES_MODEL.findall(_plainest(route.path).decode("utf-8", "replace")))


def climbs(raw_path: bytes) -> bool:
    """Return whether a path may lead out of the folder that it is joined to, as servers read paths.

    >>> climbs(b"/v1/%2e%2e/admin"), climbs(b"/v1/files/a..b")
    (True, False)
    """
    return (b".." in raw_path or b"%" in raw_path) and b".." in _parts(raw_path)


def is_websocket(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether the request asks to become a WebSocket."""
    return any(name == b"upgrade" and value.strip().lower() == b"websocket" for name, value in headers)


def _parts(path: bytes) -> list[bytes]:
    """Return what stands between the slashes of a path, decoded as often as two servers would."""
    plain = unquote_to_bytes(unquote_to_bytes(path)).replace(b"\\", b"/")
    return _PARAMETERS.sub(b"", plain).split(b"/")


def _plainest(path: bytes) -> bytes:
    return normpath(_SLASHES.sub(b"/", b"/".join(_parts(path))))


def _without_session(raw_path: bytes) -> tuple[bytes, str | None]:
    prefix = _SESSION.match(raw_path)
    if prefix is None:
        return raw_path, None
    return raw_path[prefix.end() :], unquote_to_bytes(prefix[1]).decode("utf-8", "replace")


def _azure(path: bytes, query: bytes, azure: re.Match[bytes], session: str | None) -> Route:
    known = _SLASHES.sub(b"/", path[azure.end() :]).rstrip(b"/")
    wire_format = _WIRE_FORMATS.get(known)
    deployment = unquote_to_bytes(azure[1]).decode("utf-8", "replace") if azure[1] else None
    return Route(
        wire_format=wire_format,
        upstream=OPENAI,
        path=_SLASHES.sub(b"/", path).rstrip(b"/") if wire_format else path,
        query=query,
        azure=True,
        session=session,
        deployment=deployment,
    )


def _is_anthropics(known: bytes) -> bool:
    return known == b"/messages" or known.startswith(b"/messages/")


def _needs_version(route: Route, base_path: bytes) -> bool:
    if has_version(base_path):
        return False
    # Anthropic's base URLs have no version, and some of its clients leave it to the base URL.
    return route.versioned or (route.upstream == ANTHROPIC and route.path.startswith(b"/messages"))
