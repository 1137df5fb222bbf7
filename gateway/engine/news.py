"""What the log has said of windows, so that it says each once."""

from __future__ import annotations

from gateway.engine.answered import Key
from gateway.engine.window import MODEL_CHARS, NO_WINDOW, Source, Window

TOLD_MAX = 200
"""Of so many models the log says how large they are; a client can invent names without end."""


class News:
    """Remembers what was said."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, Key], Window] = {}

    def is_news(self, upstream: str, model: str, window: Window, scope: str = "") -> bool:
        """Return whether the log has not said yet how large a model is, and take it as said.

        News are that nobody knows, once; what the upstream taught, or is guessed from its refusal, for each
        *scope* that has met it; and what its list says of such a model.
        """
        key = (scope if window.source is Source.GUESSED else "", (upstream, model))
        told = self._told.get(key)
        is_new = {
            Source.UNKNOWN: told is None,
            Source.LEARNED: told != window,
            Source.GUESSED: told != window,
            Source.LISTED: told == NO_WINDOW,
        }.get(window.source, False)
        if not is_new or len(model) > MODEL_CHARS or (told is None and len(self._told) >= TOLD_MAX):
            return False
        self._told[key] = window
        return True
