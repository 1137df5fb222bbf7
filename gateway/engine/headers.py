"""Which headers cross the gateway, in each direction: the written list.

Everything that is not named here passes: as often as it came, in the order it came, with the bytes it came
with. Rows are added for headers that speak about one connection rather than about the message (RFC 9110
7.6.1), or that are addressed to the gateway itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

RawHeaders = list[tuple[bytes, bytes]]
"""Name and value as on the wire. ASGI writes names in lower case; an upstream's names keep their case."""

CONNECTION_HEADERS = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",  # each hop frames the body anew; its bytes stay
        b"upgrade",
        b"http2-settings",  # belongs to `Upgrade: h2c`
    }
)
"""Dropped in both directions, as is every header that `Connection` names."""

REQUEST_ONLY = frozenset(
    {
        b"expect",  # the gateway has answered 100-continue itself
        b"host",  # the upstream's own is sent
    }
)
"""Dropped from requests besides."""

OF_THE_BYTES = frozenset({b"content-md5", b"content-digest", b"digest"})
"""True of the very bytes that came; they do not go with others (RFC 9530)."""

OWN_PREFIX = b"x-haversack-"
"""Headers addressed to the gateway; a request's are not forwarded."""

_REQUEST_DROPPED = CONNECTION_HEADERS | REQUEST_ONLY


def request_headers(headers: Iterable[tuple[bytes, bytes]]) -> RawHeaders:
    """Return the headers of a request that go on to the upstream.

    >>> request_headers([(b"host", b"me"), (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"te", b"trailers")])
    [(b'cookie', b'a=1'), (b'cookie', b'b=2')]
    """
    pairs = list(headers)
    names = [name.lower() for name, _ in pairs]
    dropped = _dropped(_REQUEST_DROPPED, names, pairs)
    return [
        pair
        for name, pair in zip(names, pairs, strict=True)
        if name not in dropped and not name.startswith(OWN_PREFIX)
    ]


def response_headers(
    headers: Iterable[tuple[bytes, bytes]], status: int = 200, less_own: bool = False
) -> RawHeaders:
    """Return the headers of an upstream's response that go on to the client.

    *less_own*: without those of another gateway of this kind, where this one tells what it did itself.

    >>> response_headers([(b"Connection", b"close, X-Hop"), (b"X-Hop", b"1"), (b"Retry-After", b"3")])
    [(b'Retry-After', b'3')]
    """
    pairs = list(headers)
    names = [name.lower() for name, _ in pairs]
    dropped = _dropped(CONNECTION_HEADERS, names, pairs)
    if status == 304:
        # It tells the length of a body that is not sent, and uvicorn takes it for a promise to send one.
        dropped |= {b"content-length"}
    kept = [pair for name, pair in zip(names, pairs, strict=True) if name not in dropped]
    if less_own:
        kept = [pair for pair in kept if pair[0][: len(OWN_PREFIX)].lower() != OWN_PREFIX]
    if _CONTROL.search(b"\t".join([value for _, value in kept])):
        # No server can send these on, and the answer is worth more than one of its headers.
        kept = [pair for pair in kept if not _CONTROL.search(pair[1])]
    return kept


def narrow_accept_encoding(headers: RawHeaders, known: frozenset[bytes]) -> RawHeaders:
    """Return the headers with `accept-encoding` offering only codings in *known*; absent stays absent.

    >>> narrow_accept_encoding([(b"accept-encoding", b"gzip;q=0.9, br, zstd")], frozenset({b"gzip"}))
    [(b'accept-encoding', b'gzip;q=0.9')]
    """
    found = [at for at, (name, _) in enumerate(headers) if name.lower() == b"accept-encoding"]
    if found:
        headers = headers.copy()
    for at in found:
        name, value = headers[at]
        headers[at] = name, (_known_offer if len(value) < _REMEMBERED_BYTES else _offered)(value, known)
    return headers


def header(headers: RawHeaders, name: bytes) -> str:
    """Return a header's value, empty if there is none; *name* is in lower case.

    >>> header([(b"Content-Type", b"text/plain")], b"content-type")
    'text/plain'
    """
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), "")


def lowered(headers: RawHeaders) -> dict[str, str]:
    """Return the last value of each header by its name in lower case.

    >>> lowered([(b"Retry-After", b"3")])
    {'retry-after': '3'}
    """
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


def without_length(headers: RawHeaders) -> RawHeaders:
    """Return the headers of an answer whose body may become another."""
    return [pair for pair in headers if pair[0].lower() != b"content-length"]


def with_key_of_its_own(headers: RawHeaders, attempt: int) -> RawHeaders:
    """Return the headers for another body than the first attempt's: an idempotency key stands for one body.

    Whoever keeps to it answers another body as the first one, or refuses it.

    >>> with_key_of_its_own([(b"Idempotency-Key", b"k")], 2)
    [(b'Idempotency-Key', b'k-2')]
    """
    ending = b"-%d" % attempt
    return [(name, value + ending if name.lower() == _KEY else value) for name, value in headers]


_KEY = b"idempotency-key"

# RFC 9110 5.5: a value holds no control characters but the tab.
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def _offered(value: bytes, known: frozenset[bytes]) -> bytes:
    codings = [coding.strip() for coding in value.split(b",")]
    kept = [coding for coding in codings if coding.partition(b";")[0].strip().lower() in known]
    return value if kept == codings else b", ".join(kept) or b"identity"


_known_offer = lru_cache(maxsize=256)(_offered)
_REMEMBERED_BYTES = 128
"""Clients offer few different codings; longer ones are not worth the memory."""


def _dropped(always: frozenset[bytes], names: list[bytes], pairs: RawHeaders) -> frozenset[bytes]:
    """Return the names to drop: *always*, and those that `Connection` names."""
    if b"connection" not in names:
        return always
    values = [value.lower() for name, (_, value) in zip(names, pairs, strict=True) if name == b"connection"]
    return always | {token.strip() for value in values for token in value.split(b",")}
