"""Secrets in a text: keys of known vendors, tokens, private keys, passwords. Found by how they are written.

What stands in a table is looked for by a literal it begins with, which takes microseconds, and only there by
an expression, so a megabyte in one line takes no longer than one in many. What has no form of its own (a
password) is known by what stands before it, and only if it does not look like a word or a placeholder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from gateway.core.summary.named_secrets import PLACEHOLDER, Named, named


class Kind(StrEnum):
    """What a secret is; the values are metric labels."""

    API_KEY = "api_key"
    TOKEN = "token"
    """Bearer and session tokens, JWT."""
    PRIVATE_KEY = "private_key"
    PASSWORD = "password"


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: characters *start* up to *stop* of the text it was found in."""

    kind: Kind
    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets."""

    text: str
    counts: Mapping[Kind, int]
    """How many of each kind were taken out; kinds of which there are none are not in it."""


# Literal, expression at the place where the literal begins, kind. A row is added for a key whose vendor gave
# it a prefix to be recognised by. Lengths are lower bounds a little under the real ones.
_B = "[A-Za-z0-9_-]"
_WRITTEN: tuple[tuple[str, str, Kind], ...] = (
    ("sk-", r"sk-(?:ant-|or-v1-|proj-|svcacct-|admin-)?(?=[\w-]{0,40}\d)[A-Za-z0-9_-]{20,250}", Kind.API_KEY),
    ("sk_", r"sk_(?:live|test)_[A-Za-z0-9]{16,200}", Kind.API_KEY),
    ("rk_", r"rk_(?:live|test)_[A-Za-z0-9]{16,200}", Kind.API_KEY),
    ("hvs_", r"hvs_[A-Za-z0-9_-]{20,200}", Kind.API_KEY),  # the gateway's own
    ("whsec_", r"whsec_[A-Za-z0-9+/=]{24,100}", Kind.API_KEY),
    ("gsk_", r"gsk_[A-Za-z0-9]{20,200}", Kind.API_KEY),
    ("xai-", r"xai-[A-Za-z0-9]{40,200}", Kind.API_KEY),
    ("pplx-", r"pplx-[A-Za-z0-9]{32,200}", Kind.API_KEY),
    ("hf_", r"hf_[A-Za-z0-9]{30,60}", Kind.API_KEY),
    ("r8_", r"r8_[A-Za-z0-9]{30,60}", Kind.API_KEY),
    ("AIza", r"AIza[A-Za-z0-9_-]{35}", Kind.API_KEY),
    ("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,40}", Kind.API_KEY),
    ("ya29.", r"ya29\.[A-Za-z0-9_-]{20,400}", Kind.TOKEN),
    ("AKIA", r"AKIA[A-Z0-9]{16}", Kind.API_KEY),
    ("ASIA", r"ASIA[A-Z0-9]{16}", Kind.API_KEY),
    ("LTAI", r"LTAI[A-Za-z0-9]{12,24}", Kind.API_KEY),
    ("AKID", r"AKID[A-Za-z0-9]{13,40}", Kind.API_KEY),
    ("AccountKey=", r"AccountKey=[A-Za-z0-9+/=]{40,100}", Kind.API_KEY),
    ("ghp_", r"ghp_[A-Za-z0-9]{30,255}", Kind.API_KEY),
    ("gho_", r"gho_[A-Za-z0-9]{30,255}", Kind.API_KEY),
    ("ghu_", r"ghu_[A-Za-z0-9]{30,255}", Kind.API_KEY),
    ("ghs_", r"ghs_[A-Za-z0-9]{30,255}", Kind.API_KEY),
    ("ghr_", r"ghr_[A-Za-z0-9]{30,255}", Kind.API_KEY),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}", Kind.API_KEY),
    ("glpat-", r"glpat-[A-Za-z0-9_-]{20,100}", Kind.API_KEY),
    ("npm_", r"npm_[A-Za-z0-9]{36}", Kind.API_KEY),
    ("pypi-", r"pypi-AgE[A-Za-z0-9_-]{40,400}", Kind.API_KEY),
    ("dop_v1_", r"dop_v1_[a-f0-9]{64}", Kind.API_KEY),
    ("dapi", r"dapi[a-f0-9]{32}", Kind.API_KEY),
    ("SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", Kind.API_KEY),
    ("shpat_", r"shpat_[a-fA-F0-9]{32}", Kind.API_KEY),
    ("ATATT3", r"ATATT3[A-Za-z0-9_=-]{40,300}", Kind.API_KEY),
    ("lin_api_", r"lin_api_[A-Za-z0-9]{30,60}", Kind.API_KEY),
    ("ntn_", r"ntn_[A-Za-z0-9]{40,60}", Kind.API_KEY),
    ("hvs.", r"hvs\.[A-Za-z0-9_-]{20,200}", Kind.TOKEN),
    ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}", Kind.TOKEN),
    ("xapp-", r"xapp-[A-Za-z0-9-]{20,250}", Kind.TOKEN),
    (":AA", r":AA[A-Za-z0-9_-]{33}", Kind.TOKEN),  # a bot's token, behind its number
    ("hooks.slack.com/", r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,100}", Kind.TOKEN),
    ("eyJ", rf"(?<![A-Za-z0-9_.-])eyJ{_B}{{8,4000}}\.eyJ{_B}{{8,8000}}\.{_B}{{8,2000}}", Kind.TOKEN),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{50,60}", Kind.PRIVATE_KEY),
)
_TABLE = tuple((literal, re.compile(pattern), kind) for literal, pattern, kind in _WRITTEN)

_BLOCK_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
# What a block that is cut off goes on with: base64, its headers, line breaks as they are or escaped.
_BLOCK_BODY = re.compile(r"[A-Za-z0-9+/=\s\\,:-]*")
_BLOCK_CHARS = 20_000

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,15}\Z")
_LOGIN = re.compile(r"[^\s/:@\"'<>]{0,80}:([^\s/@\"'<>]{1,200})@")

_BEARER = re.compile(
    r"\b(?:bearer|basic)\s{1,4}([A-Za-z0-9._~+/-]{16,4000}={0,2})"
    r"|\bauthorization[\"'\\]{0,2}\s?[:=]\s?[\"'\\]{0,2}(?:basic|token)\s{1,4}([A-Za-z0-9._~+/-]{6,4000}={0,2})",
    re.IGNORECASE,
)
# What credentials of two words come to in base64, and a word does not.
_ENCODED = re.compile(r"\d|=|[a-z][A-Z]")

_DIGIT = re.compile(r"\d")


def find(text: str) -> tuple[Secret, ...]:
    """Return the secrets in a text, in their order, none within another.

    >>> [secret.text for secret in find("set password=hunter2! and go")]
    ['hunter2!']
    """
    found = sorted(_all(text), key=lambda secret: (secret.start, -secret.stop))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].stop:
            kept.append(secret)
    return tuple(kept)


def redact(text: str) -> Redacted:
    """Return the text with a mark in place of each secret.

    >>> redact("curl -H 'Authorization: Bearer 0123456789abcdef01'").text
    "curl -H 'Authorization: Bearer [redacted: token]'"
    """
    secrets = find(text)
    if not secrets:
        return Redacted(text, {})
    parts: list[str] = []
    last = 0
    for secret in secrets:
        parts += text[last : secret.start], f"[redacted: {secret.kind}]"
        last = secret.stop
    return Redacted("".join((*parts, text[last:])), dict(Counter(secret.kind for secret in secrets)))


def _all(text: str) -> Iterator[Secret]:
    for literal, pattern, kind in _TABLE:
        yield from _written(text, literal, pattern, kind)
    yield from _blocks(text)
    yield from _logins(text)
    folded = text.lower()
    if "bearer" in folded or "basic" in folded or "authorization" in folded:
        for match in _BEARER.finditer(text):
            at, telling = (1, _DIGIT) if match[1] else (2, _ENCODED)
            if telling.search(match[at]):
                yield Secret(Kind.TOKEN, *match.span(at), match[at])
    for value in named(text, folded):
        kind = Kind.API_KEY if value.named is Named.KEY else Kind.PASSWORD
        yield Secret(kind, value.start, value.start + len(value.text), value.text)


def _written(text: str, literal: str, pattern: re.Pattern[str], kind: Kind) -> Iterator[Secret]:
    at = text.find(literal)
    while at >= 0:
        stop = at + len(literal)
        if (at == 0 or not _is_word(text[at - 1]) or literal[0] == ":") and (
            match := pattern.match(text, at)
        ):
            yield Secret(kind, at, match.end(), match[0])
            stop = match.end()
        at = text.find(literal, stop)


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def _blocks(text: str) -> Iterator[Secret]:
    at = text.find("-----BEGIN ")
    while at >= 0:
        stop = at + 11
        if begin := _BLOCK_BEGIN.match(text, at):
            end = _BLOCK_END.search(text, begin.end(), begin.end() + _BLOCK_CHARS)
            body = _BLOCK_BODY.match(text, begin.end(), begin.end() + _BLOCK_CHARS)
            stop = end.end() if end else body.end() if body else begin.end()
            yield Secret(Kind.PRIVATE_KEY, at, stop, text[at:stop])
        at = text.find("-----BEGIN ", stop)


def _logins(text: str) -> Iterator[Secret]:
    """Yield the passwords in URLs."""
    at = text.find("://")
    while at >= 0:
        match = _LOGIN.match(text, at + 3)
        if match and _SCHEME.search(text, max(0, at - 16), at) and not PLACEHOLDER.fullmatch(match[1]):
            yield Secret(Kind.PASSWORD, *match.span(1), match[1])
        at = text.find("://", at + 3)
