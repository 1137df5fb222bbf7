"""In which language a conversation is held, as far as its script tells; no further guess is made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum


class Language(StrEnum):
    """What a summary is to be written in; the values are what a summariser is told."""

    USERS = "the language in which the user writes"
    """Whatever it is: scripts that several languages share tell no more."""
    CHINESE = "Chinese (中文)"
    JAPANESE = "Japanese (日本語)"
    KOREAN = "Korean (한국어)"


_READ_CHARS = 20_000
"""Of each text; what is longer was pasted."""
_LEAST = 4
_SHARE = 0.5
"""Signs of a script for each Latin word from which on it is the language: the words are names and code."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")


def detect(texts: Iterable[str]) -> Language:
    """Return the language of what users said, the tool results and code around it aside.

    >>> detect(["请把 src/price.py 里的价格改成 42"]), detect(["Translate 你好 into French, please"])
    (<Language.CHINESE: 'Chinese (中文)'>, <Language.USERS: 'the language in which the user writes'>)
    """
    han = kana = hangul = words = 0
    for text in texts:
        read = text[:_READ_CHARS]
        words += len(_WORD.findall(read))
        if not read.isascii():
            han += len(_HAN.findall(read))
            kana += len(_KANA.findall(read))
            hangul += len(_HANGUL.findall(read))
    least = max(_LEAST, _SHARE * words)
    if max(han + kana, hangul) < least:
        return Language.USERS
    if hangul > han + kana:
        return Language.KOREAN
    # Japanese has kana in every sentence; a Chinese text may quote some.
    return Language.JAPANESE if kana > (han + kana) / 8 else Language.CHINESE
