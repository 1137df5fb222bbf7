"""What is known about each model of each upstream: its window, its output cap, how it counts.

Order of trust for the window: policy, learned from errors (told by them or guessed), the upstream's model
list, the shipped table. But a smaller one that the upstream names in a refusal goes before the policy's: to
believe that would have every long request refused first. A learned window is validated, expires, and gives
way to a longer prompt that succeeded. Everything is held in memory, so no request reads the store for it;
changes are written behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from fnmatch import fnmatchcase

import msgspec

from gateway.core import windows as table
from gateway.core.budget import Correction
from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.policy.schema import Policy
from gateway.store.base import Learned

LEARNED_TTL_S = 24 * 3600.0
"""A window named by the upstream is believed for a day: servers are restarted with other settings."""

GUESSED_TTL_S = 3600.0
"""One inferred from a refusal without numbers is believed for an hour."""

_TRIGGERED = 0.75
"""A conversation that fills this share of its window is compacted before it is sent."""

MODEL_CHARS = 256
"""A longer name is no model's; nothing is remembered under it."""

MODELS_MAX = 1000
"""Models remembered at once; a client can invent names without end."""

TOLD_MAX = 200
"""Of so many models the log says how large they are; a client can invent names without end."""

_UNCORRECTED = Correction()


class Source(StrEnum):
    """Where a window comes from."""

    POLICY = "policy"
    LEARNED = "learned"
    """The upstream named it in a refusal."""
    GUESSED = "guessed"
    """It refused without a number; the guess is ours, and is acted on as if it had been told."""
    LISTED = "listed"
    TABLE = "table"
    UNKNOWN = "unknown"

    @property
    def certain(self) -> bool:
        """Whether it may be acted on before the upstream has refused anything."""
        return self in (Source.POLICY, Source.LEARNED, Source.GUESSED, Source.LISTED)


class Window(msgspec.Struct, frozen=True):
    """A size and how much it can be trusted."""

    tokens: int | None
    source: Source

    @property
    def sure_tokens(self) -> int | None:
        """The size, if somebody who must know has told it."""
        return self.tokens if self.source in (Source.POLICY, Source.LISTED) else None


NO_WINDOW = Window(None, Source.UNKNOWN)
"""What is known of a model that was not looked at."""


def _source(entry: Learned) -> Source:
    return Source.GUESSED if entry.is_guessed else Source.LEARNED


def given(policy: Policy, model: str) -> Window | None:
    """Return the window that a policy names for a model, whatever its upstream says."""
    patterns = policy.windows.items()
    named = next((tokens for pattern, tokens in patterns if fnmatchcase(model, pattern)), policy.window)
    return Window(named, Source.POLICY) if named is not None else None


def _overrules(learned: Window, named: Window) -> bool:
    """Return whether the upstream has named less than the policy: a guess of ours would be no reason."""
    return learned.source is Source.LEARNED and (learned.tokens or 0) < (named.tokens or 0)


class Windows:
    """The models met so far."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._learned: dict[tuple[str, str], Learned] = {}
        self._listed: dict[tuple[str, str], int] = {}
        self._corrections: dict[tuple[str, str], Correction] = {}
        self._dirty: set[tuple[str, str]] = set()
        self._counting_output: set[tuple[str, str]] = set()
        self._accepted: dict[tuple[str, str], tuple[int, float]] = {}
        """The longest prompt answered, and when."""
        self._told: dict[tuple[str, str], Window] = {}

    def restore(self, learned: Iterable[Learned]) -> None:
        """Take in what an earlier process learned."""
        for entry in learned:
            key = entry.upstream, entry.model
            self._learned[key] = entry
            if entry.correction is not None:
                self._corrections[key] = Correction.restored(entry.correction)
            if entry.window is not None:
                self.is_news(*key, Window(entry.window, _source(entry)))

    def window(self, policy: Policy, upstream: str, model: str) -> Window:
        """Return the window to plan with."""
        learned = self._believed(upstream, model)
        named = given(policy, model)
        if named is not None:
            return learned if learned is not None and _overrules(learned, named) else named
        if learned is not None:
            return learned
        listed = self._listed.get((upstream, model))
        if listed is not None:
            return Window(listed, Source.LISTED)
        known = table.known(model)
        return Window(known, Source.TABLE if known is not None else Source.UNKNOWN)

    def is_news(self, upstream: str, model: str, window: Window) -> bool:
        """Return whether the log has not said yet how large a model is, and take it as said.

        News are that nobody knows, once; what the upstream taught, or is guessed from its refusal; and what
        its list says of such a model.
        """
        key, told = (upstream, model), self._told.get((upstream, model))
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

    def _believed(self, upstream: str, model: str) -> Window | None:
        entry = self._learned.get((upstream, model))
        if entry is None or entry.window is None:
            return None
        ttl_s = GUESSED_TTL_S if entry.is_guessed else LEARNED_TTL_S
        is_fresh = self._clock() - entry.window_at <= ttl_s
        return Window(entry.window, _source(entry)) if is_fresh else None

    def entry(self, upstream: str, model: str) -> Learned:
        """Return what was learned about a model; an empty record if nothing was."""
        return self._learned.get((upstream, model)) or Learned(upstream, model)

    def correction(self, upstream: str, model: str) -> Correction:
        """Return how this model's count relates to ours."""
        return self._corrections.get((upstream, model), _UNCORRECTED)

    def listed(self, upstream: str, windows: dict[str, int]) -> None:
        """Take in the upstream's model list."""
        for model, tokens in list(windows.items())[:MODELS_MAX]:
            self._listed[upstream, model] = tokens

    def overflowed(
        self, upstream: str, model: str, failure: Overflow, sent_tokens: int, has_images: bool = False
    ) -> None:
        """Learn from a refusal: the window it names, or that what was sent (true tokens) was too much.

        Nothing is learned that a prompt answered lately was longer than. Where what was sent is far below
        the window named, either count is wrong, and what was sent is too much all the same; but for images,
        whose size in tokens nobody knows, and for an answer that filled all the rest.
        """
        key = upstream, model
        limit, guess = failure.limit, int(sent_tokens * 0.95)
        answered = self._answered(key)
        if answered < sent_tokens:
            guess = max(guess, answered)  # it lies between the two
        if limit is not None and table.plausible(limit):
            self._learn_counting(key, failure, limit)
            fits = sent_tokens + min(failure.output or 0, limit // 2) < _TRIGGERED * limit
            if has_images or failure.is_filled or not fits:
                self._learn(key, limit)
                return
        elif limit is not None:
            return
        believed = self._believed(*key)
        bound = believed.tokens if believed is not None else None
        if sent_tokens > table.SMALLEST and (bound is None or guess < bound):
            self._learn(key, guess, is_guessed=True)

    def _learn_counting(self, key: tuple[str, str], failure: Overflow, limit: int) -> None:
        """Learn that the output asked for is counted in, where it is what broke the limit."""
        prompt, output = failure.prompt, failure.output
        is_known = len(key[1]) <= MODEL_CHARS and len(self._counting_output) < MODELS_MAX
        if is_known and prompt is not None and output is not None and prompt < limit < prompt + output:
            self._counting_output.add(key)

    def _learn(self, key: tuple[str, str], window: int, is_guessed: bool = False) -> None:
        """Take a window in, unless it is disproved."""
        if len(key[1]) <= MODEL_CHARS and window >= self._answered(key):
            now = self._clock()
            self._put(replace(self.entry(*key), window=window, window_at=now, is_guessed=is_guessed))

    def _answered(self, key: tuple[str, str]) -> int:
        """Return the longest prompt answered lately; 0 if there is none."""
        longest, at = self._accepted.get(key, (0, 0.0))
        return longest if self._clock() - at <= LEARNED_TTL_S else 0

    def counts_output(self, upstream: str, model: str) -> bool:
        """Return whether an upstream has refused a prompt for the output that was asked for beside it."""
        return (upstream, model) in self._counting_output

    def takes_stream_options(self, upstream: str, model: str) -> bool:
        """Return whether an upstream may be asked for usage by `stream_options`."""
        learned = self._learned.get((upstream, model))
        return learned is None or not learned.no_stream_options

    def refused_stream_options(self, upstream: str, model: str) -> None:
        """Remember that an upstream does not know `stream_options`."""
        self._put(replace(self.entry(upstream, model), no_stream_options=True))

    def counted(self, upstream: str, model: str, ours: int, reported: int) -> None:
        """Learn how the upstream counts: our uncorrected count of a request, and its own."""
        if len(model) > MODEL_CHARS:
            return
        before = self.correction(upstream, model)
        after = before.learned(ours, reported)
        if after != before:
            self._remember((upstream, model), after)

    def accepted(self, upstream: str, model: str, reported: int) -> None:
        """Forget a window that is smaller than a prompt which has just been answered."""
        if len(model) > MODEL_CHARS:
            return
        key, now = (upstream, model), self._clock()
        if reported >= self._answered(key):
            if key not in self._accepted and len(self._accepted) >= MODELS_MAX:
                del self._accepted[next(iter(self._accepted))]
            self._accepted[key] = reported, now
        entry = self._learned.get(key)
        if entry is not None and entry.window is not None and reported > entry.window:
            self._put(replace(entry, window=None))

    def _remember(self, key: tuple[str, str], correction: Correction) -> None:
        old = self.entry(*key).correction
        if key not in self._corrections and len(self._corrections) >= MODELS_MAX:
            del self._corrections[next(iter(self._corrections))]
        self._corrections[key] = correction
        if correction.calibrated and (old is None or abs(correction.factor - old) > 0.02 * old):
            self._put(replace(self.entry(*key), correction=correction.factor))

    def _put(self, entry: Learned) -> None:
        key = entry.upstream, entry.model
        if key not in self._learned and len(self._learned) >= MODELS_MAX:
            oldest = next(iter(self._learned))
            for known in (self._learned, self._corrections):
                known.pop(oldest, None)
            self._counting_output.discard(oldest)
        self._learned[key] = entry
        self._dirty.add(key)

    def take_changes(self) -> list[Learned]:
        """Return what changed since the last call, to be written to the store."""
        changed = [self._learned[key] for key in self._dirty if key in self._learned]
        self._dirty.clear()
        return changed
