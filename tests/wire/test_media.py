"""What is not text is counted by its size, not by its base64."""

from __future__ import annotations

import pytest

from gateway.wire import media


def characters(text: str) -> int:
    return len(text)


def test_audio_is_counted_by_its_length() -> None:
    """A minute of speech costs some hundred tokens, in WAV as in MP3, not its base64."""
    minute_wav = "A" * (32_000 * 60 * 4 // 3)
    minute_mp3 = "A" * (4_000 * 60 * 4 // 3)

    assert media.audio_tokens(minute_wav, "wav") == media.audio_tokens(minute_mp3, "mp3") == 601
    assert media.audio_tokens(minute_mp3, "opus") == 601


def test_file_is_counted_by_its_size() -> None:
    """A file of text costs its text; one of pages costs its pages; one that is only named, a fixed sum."""
    data = "A" * 4000

    assert media.file_tokens("data:text/plain;base64," + data) > media.file_tokens(
        "data:application/pdf;base64," + data
    )
    assert media.file_tokens("") == media.REFERENCE_TOKENS


@pytest.mark.parametrize("payload", ["q9Zx+/" * 500, "data:video/mp4;base64," + "AAAA" * 500])
def test_media_in_unknown_parts_are_counted_by_the_piece(payload: str) -> None:
    """A kind of part that is not known yet does not look like a hundred thousand tokens of text."""
    assert media.json_tokens(payload, characters) == media.REFERENCE_TOKENS
    assert media.json_tokens({"a": [payload]}, characters) == media.REFERENCE_TOKENS + len('{"a":[""]}')


def test_long_text_is_not_taken_for_media() -> None:
    """Prose and short strings are counted as what they are."""
    prose = "one two " * 200

    assert media.json_tokens(prose, characters) == len(prose)
    assert media.json_tokens({"a": "AAAA"}, characters) == len('{"a":"AAAA"}')
