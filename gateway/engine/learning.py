"""What an exchange teaches about its model: the window, and how the upstream counts."""

from __future__ import annotations

from gateway.core import failures, silence
from gateway.core.failures import Failure, Overflow
from gateway.engine.windows import Windows
from gateway.wire.base import Usage


class Learning:
    """The lessons of one exchange."""

    def __init__(self, windows: Windows, upstream: str, model: str) -> None:
        self._windows = windows
        self._upstream = upstream
        self._model = model
        self._unsaid: int | None = None

    @property
    def correction(self) -> float:
        """True tokens per token of ours, as far as it is known by now."""
        return self._windows.correction(self._upstream, self._model).factor

    def refused(self, failure: Failure, tokens: int, has_images: bool, is_silent: bool) -> None:
        """Learn from the refusal of a request of so many *tokens*, in our count."""
        windows, upstream, model = self._windows, self._upstream, self._model
        if not isinstance(failure, Overflow):
            return
        if is_silent and failure.limit is None:
            # Perhaps something else was the matter; `accepted` tells.
            self._unsaid = min(tokens, self._unsaid or tokens)
            return
        prompt = failure.prompt
        # A lower bound may only make us more careful.
        if prompt is not None and not has_images and (failure.exact or prompt > tokens * self.correction):
            windows.counted(upstream, model, tokens, prompt)
        windows.overflowed(upstream, model, failure, int(tokens * self.correction), has_images)

    def accepted(self) -> None:
        """Learn that a smaller form was answered where a larger one got silence."""
        if self._unsaid is not None:
            sent = int(self._unsaid * self.correction)
            self._windows.overflowed(self._upstream, self._model, Overflow(), sent)

    def answered(self, usage: Usage, tokens: int, has_images: bool) -> bool:
        """Learn from the usage of an answer to a request of so many *tokens*, in our count.

        Return whether it counts so little that the upstream seems to have cut the prompt.
        """
        windows, upstream, model = self._windows, self._upstream, self._model
        if usage.is_edited:
            # What it counted is not what was sent.
            windows.accepted(upstream, model, usage.input_tokens)
            return False
        estimate = int(tokens * self.correction)
        is_suspect = not has_images and failures.suspect_truncation(estimate, usage.input_tokens)
        hidden = silence.truncated(estimate, usage.input_tokens) if is_suspect else None
        if hidden is not None:
            windows.overflowed(upstream, model, hidden, estimate)
            return True
        if not has_images:
            windows.counted(upstream, model, tokens, usage.input_tokens)
        windows.accepted(upstream, model, usage.input_tokens)
        self._filled(usage, estimate, has_images)
        return is_suspect

    def _filled(self, usage: Usage, estimate: int, has_images: bool) -> None:
        """Learn the window from an answer that it ended: prompt and output are as long as it."""
        if usage.is_ended_by_window and min(usage.input_tokens, usage.output_tokens) > 0:
            size = usage.input_tokens + usage.output_tokens
            filled = Overflow(limit=size, prompt=usage.input_tokens, is_filled=True)
            self._windows.overflowed(self._upstream, self._model, filled, estimate, has_images)
