"""What media cost in tokens: by the size of what they hold, never by their base64 as text.

Estimates on the safe side; the correction learned from `usage` takes care of the rest. Images have their
own published formula (`core.images`).
"""

from __future__ import annotations

from typing import Any

from gateway.core import json
from gateway.core.conversation import Count

REFERENCE_TOKENS = 1000
"""For a file or an audio answer that is only named by its id, and for media inside what we do not know."""

_AUDIO_BYTES_PER_TOKEN = {"wav": 3200, "mp3": 400}
"""Ten tokens a second (OpenAI's audio guide); a second takes at least 32 kB of WAV or 4 kB of MP3."""

_FILE_BYTES_PER_TOKEN = 32
"""A PDF page goes in as its text and its picture, about 3,000 tokens, and takes about 100 kB."""

_TEXT_FILE_BYTES_PER_TOKEN = 4

_MEDIA_CHARS = 512
"""From this length on, a string whose beginning is nothing but base64 is taken for media."""

_BASE64_SIGNS = str.maketrans("", "", "+/=-_")


def audio_tokens(base64: str, encoding: str) -> int:
    """Return the estimate for spoken input; an unknown *encoding* is taken for the most compressed.

    >>> audio_tokens("A" * 160_000, "mp3")
    301
    """
    per_token = _AUDIO_BYTES_PER_TOKEN.get(encoding, _AUDIO_BYTES_PER_TOKEN["mp3"])
    return _size_bytes(base64) // per_token + 1


def file_tokens(data: str) -> int:
    """Return the estimate for a file sent as base64 or data URL; without *data* it is only named.

    >>> file_tokens("data:application/pdf;base64," + "A" * 128_000)
    3001
    """
    if not data:
        return REFERENCE_TOKENS
    per_token = _TEXT_FILE_BYTES_PER_TOKEN if data.startswith("data:text/") else _FILE_BYTES_PER_TOKEN
    return _size_bytes(data) // per_token + 1


def json_tokens(value: Any, count: Count) -> int:
    """Return the tokens of any value: a string as it is, all else as its JSON; media inside by the piece."""
    if isinstance(value, str):
        return REFERENCE_TOKENS if _is_media(value) else count(value)
    found: list[str] = []
    text = json.encode(_without_media(value, found)).decode()
    return count(text) + REFERENCE_TOKENS * len(found)


def _without_media(value: Any, found: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without_media(item, found) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_media(item, found) for item in value]
    if isinstance(value, str) and _is_media(value):
        found.append(value)
        return ""
    return value


def _is_media(text: str) -> bool:
    if len(text) < _MEDIA_CHARS:
        return False
    start = text[:_MEDIA_CHARS]
    if start.startswith("data:") and ";base64," in start:
        return True
    return start.isascii() and start.translate(_BASE64_SIGNS).isalnum()


def _size_bytes(base64: str) -> int:
    return len(base64) * 3 // 4
