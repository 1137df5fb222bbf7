"""Tell a conversation that did not fit from an answer, where the upstream says nothing about it.

Some servers cut the prompt and answer what is left, some end the stream without a word. Neither is an error,
so the signs have to be strong: what is taken for an overflow is thrown away and asked again.
"""

from __future__ import annotations

from gateway.core.failure_ends import LEAST, could_fill
from gateway.core.failures import Overflow, suspect_truncation


def is_suspect(estimate: int, window: int | None) -> bool:
    """Return whether an answer without any content is likely to be an overflow.

    *window* must be known for certain; where it is not, every conversation worth the name may have met it.

    >>> is_suspect(9000, None), is_suspect(9000, 128_000), is_suspect(100, None)
    (True, False, False)
    """
    return could_fill(estimate, window)


def truncated(estimate: int, reported: int) -> Overflow | None:
    """Return the overflow that an upstream hid by cutting the prompt to half its window.

    Ollama keeps half of its context and two or three tokens more: 2051 of 4096, 32770 of 65536. A prompt
    that it counts so, while our *estimate* is far above, was cut.

    >>> truncated(9000, 2051) == Overflow(limit=4096)
    True
    >>> truncated(2200, 2051), truncated(9000, 2060)
    (None, None)
    """
    if not suspect_truncation(estimate, reported):
        return None
    half = 1 << (reported.bit_length() - 1)
    return Overflow(limit=2 * half) if half >= LEAST // 2 and reported - half in (2, 3) else None
