"""Tell what ended an answer that says 200: the window, or a cap that somebody wanted.

An answer that is taken for a window's end is thrown away and asked again, so it must be certain that the
window and no cap ended it, and that nothing of use is in it. What the answer does not say of itself is
certain by exclusion only: it ended for length, below the cap, with nothing written and nothing thought,
behind a prompt that may have filled the window.
"""

from __future__ import annotations

import re

from gateway.core import json
from gateway.core.failure_answers import LENGTH, WINDOW_REASON, Answer

LEAST = 2000
"""Tokens; no window in use is so small that less than this would overflow it."""

_FULL = 0.9
_FEW = 16
"""An answer cut off after so few tokens was cut by the window, if the prompt fills it."""


def could_fill(prompt: int, window: int | None) -> bool:
    """Return whether a prompt of so many tokens may have left no room; *window* must be known, not guessed.

    >>> could_fill(9000, None), could_fill(9000, 128_000), could_fill(100, None)
    (True, False, False)
    """
    return prompt > LEAST if window is None else prompt >= _FULL * window


_CAPS = frozenset({"max_tokens", "max_completion_tokens", "max_output_tokens"})
_NOTHING = re.compile(rb'"max_(?:completion_|output_)?tokens"\s{0,8}:\s{0,8}0\s{0,8}[,}]')


def asks_for_nothing(request: bytes) -> bool:
    """Return whether a request wants no answer: Anthropic writes to its cache at `max_tokens: 0`, no more.

    >>> asks_for_nothing(b'{"max_tokens": 0}'), asks_for_nothing(b'{"tools": [{"max_tokens": 0}]}')
    (True, False)
    """
    if not _NOTHING.search(request):
        return False
    try:
        found = json.members(request)
    except json.Malformed:
        return False
    return any(one.key in _CAPS and request[one.start : one.stop] == b"0" for one in found)


def is_ended_by_window(found: Answer, asked_output: int | None = None, request: bytes = b"") -> bool:
    """Return whether an answer says so itself, or ended for length before a word of it was said."""
    if WINDOW_REASON in found.reasons:
        return True
    spent = found.spent
    is_empty = not (found.has_output or spent.has_thought or spent.output > 0 or asked_output == 0)
    is_cut = LENGTH in found.reasons and is_empty and could_fill(spent.prompt, None)
    return is_cut and not asks_for_nothing(request)


def is_cut_by_window(
    found: Answer, window: int | None, asked_output: int | None, estimate: int | None = None
) -> bool:
    """Return whether the window, and not the client's own cap, ended the answer, or swallowed the prompt.

    Seen: LMDeploy answers nothing with no tokens; MiMo nothing with a full input; z.ai and DashScope accept
    more than the window and stop at once; Ollama fills the window to the last token. A *window* below the
    count of a prompt is no sign where something was written: a policy may name less than a model has.
    """
    spent = found.spent
    is_capped = asked_output is not None and spent.written >= asked_output - 1  # some stop one short of it
    if is_capped or found.reasons - {LENGTH}:
        return False
    if not found.reasons:
        return window is not None and spent.prompt > window and not found.has_output
    if found.has_output:
        return window is not None and 0 < spent.written <= _FEW and _fills(found, window)
    if spent.has_thought:
        return window is not None and spent.total >= window
    if spent.output > 0:
        return _fills(found, window)
    return spent.is_odd or _is_unanswered(found, window, estimate)


def _is_unanswered(found: Answer, window: int | None, estimate: int | None) -> bool:
    """Return whether a prompt may have left no room: by the upstream's count of it, or else by ours."""
    prompt = found.spent.prompt or estimate
    return prompt is None or could_fill(prompt, window)


def _fills(found: Answer, window: int | None) -> bool:
    """Return whether the numbers end at the window: the known one, or a power of two nobody would cap at."""
    spent = found.spent
    if window is not None and (spent.total >= window or spent.prompt >= 0.98 * window):
        return True
    return spent.total >= 2048 and spent.total & (spent.total - 1) == 0
