"""What an exchange teaches about its model: the window, and how the upstream counts.

A refusal teaches at once only by a number that an identifier stands beside. Whatever else was refused, a
smaller form of it must be answered first: a client can write what a refusal then quotes, and an empty answer
may have any reason.
"""

from __future__ import annotations

from gateway.core import failures, silence
from gateway.core.budget import Correction
from gateway.core.failures import Failure, Overflow
from gateway.core.windows import SMALLEST
from gateway.engine.refusal import Refusal, Told, names_window
from gateway.engine.window import Known, Source, Window, is_less
from gateway.engine.windows import BELOW, Windows
from gateway.policy.schema import Policy
from gateway.wire.base import Usage

_MOST = 1.5
"""Usage above this share of what we count, corrected, is no size of the prompt: some add up several."""


class Learning:
    """The lessons of one exchange."""

    def __init__(self, windows: Windows, upstream: str, model: str, scope: str = "") -> None:
        """*scope*: who asks; what is inferred is for no others."""
        self._windows = windows
        self._upstream = upstream
        self._model = model
        self._scope = scope
        self._doubted: list[tuple[Overflow, Refusal]] = []
        self._is_accepted = False

    @property
    def correction(self) -> float:
        """True tokens per token of ours, as far as it is known by now, and to this exchange."""
        return self._correction.factor

    @property
    def _correction(self) -> Correction:
        known = self._windows.correction(self._upstream, self._model)
        for failure, refusal in self._doubted:
            if (prompt := _counted(failure, refusal, known.factor)) is not None:
                known = known.learned(refusal.tokens, prompt)
        return known

    def known(self, policy: Policy) -> Known:
        """Return what to plan the next attempt with: its refusals count for the exchange itself at once."""
        window = self._windows.window(policy, self._upstream, self._model, self._scope)
        for failure, refusal in self._doubted:
            told = _window(failure, refusal, int(refusal.tokens * self.correction))
            if told is not None and is_less(told, window):
                window = told
        return Known(window, self._correction)

    def refused(self, failure: Failure, refusal: Refusal) -> None:
        """Learn from a refusal, now or once it is confirmed."""
        if not isinstance(failure, Overflow):
            return
        is_said = refusal.told is Told.SAID and not failure.is_filled
        if failure.limit is None or is_said:
            self._doubted.append((failure, refusal))
        elif not self._named(failure, refusal):
            self._doubted.append((Overflow(), refusal))

    def accepted(self, tokens: int, output: int | None = None) -> None:
        """Learn that a request of so many *tokens*, in our count, was answered where larger ones were not.

        *output*: what it asked for, where that is not what the client did.
        """
        self._is_accepted = True
        doubted, self._doubted = self._doubted, []
        for failure, refusal in doubted:
            if refusal.is_more(tokens, output) and not self._named(failure, refusal):
                sent = int(refusal.tokens * self.correction)
                self._windows.guessed(self._upstream, self._model, sent, refusal.told, self._scope)

    def _named(self, failure: Overflow, refusal: Refusal) -> bool:
        """Learn the numbers of a refusal; return whether a window is among them."""
        windows, upstream, model = self._windows, self._upstream, self._model
        if (prompt := _counted(failure, refusal, self.correction)) is not None:
            windows.counted(upstream, model, refusal.tokens, prompt)
        sent = int(refusal.tokens * self.correction)
        told = Told.MARKED if failure.is_filled else refusal.told
        return windows.named(upstream, model, failure, sent, refusal.has_images, told, self._scope)

    def answered(self, usage: Usage | None, tokens: int, has_images: bool) -> bool:
        """Learn from the usage of an answer to a request of so many *tokens*, in our count.

        Return whether it counts so little that the upstream seems to have cut the prompt.
        """
        windows, upstream, model = self._windows, self._upstream, self._model
        estimate = int(tokens * self.correction)
        if usage is None:
            if self._is_accepted and not has_images:
                windows.taken(upstream, model, estimate)
            return False
        if usage.is_edited:
            # What it counted is not what was sent.
            self._fits(usage, estimate)
            return False
        is_suspect = not has_images and failures.suspect_truncation(estimate, usage.input_tokens)
        hidden = silence.truncated(estimate, usage.input_tokens) if is_suspect else None
        if hidden is not None:
            windows.overflowed(upstream, model, hidden, estimate, told=Told.UNSAID, scope=self._scope)
            return True
        if not has_images:
            windows.counted(upstream, model, tokens, usage.input_tokens)
        self._fits(usage, estimate)
        self._filled(usage, estimate, has_images)
        return is_suspect

    def _fits(self, usage: Usage, estimate: int) -> None:
        """Learn that a prompt as long as is told was answered, if it can have been."""
        if usage.input_tokens <= _MOST * estimate:
            self._windows.accepted(self._upstream, self._model, usage.input_tokens)

    def _filled(self, usage: Usage, estimate: int, has_images: bool) -> None:
        """Learn the window from an answer that it ended: prompt and output are as long as it."""
        if usage.is_ended_by_window and min(usage.input_tokens, usage.output_tokens) > 0:
            size = usage.input_tokens + usage.output_tokens
            filled = Overflow(limit=size, prompt=usage.input_tokens, is_filled=True)
            self._windows.overflowed(self._upstream, self._model, filled, estimate, has_images)


def _window(failure: Overflow, refusal: Refusal, sent_tokens: int) -> Window | None:
    """Return the window that follows from a refusal of so many true tokens, if it is as it says."""
    if names_window(failure, sent_tokens, refusal.has_images):
        return Window(failure.limit, Source.LEARNED)
    return Window(int(sent_tokens * BELOW), Source.GUESSED) if sent_tokens > SMALLEST else None


def _counted(failure: Overflow, refusal: Refusal, correction: float) -> int | None:
    """Return how many tokens the upstream counted of a prompt, where that teaches how it counts.

    A lower bound may only make us more careful.
    """
    prompt = failure.prompt
    if prompt is None or refusal.has_images:
        return None
    return prompt if failure.exact or prompt > refusal.tokens * correction else None
