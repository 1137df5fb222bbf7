"""What is known about each model of each upstream: its window, its output cap, how it counts.

Order of trust for the window: policy, learned from errors (told by them or guessed), the upstream's model
list, the shipped table. But a smaller one that the upstream names in a refusal goes before the policy's: to
believe that would have every long request refused first. A learned window is validated, expires, and gives
way to a longer prompt that succeeded. What an upstream names is shared. What nobody has named counts only for
those who met it, by their *scope*, and not over a restart: nobody's requests make others' smaller.
Everything is held in memory, so no request reads the store for it; changes are written behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gateway.core import windows as table
from gateway.core.budget import PLAUSIBLE, Correction
from gateway.core.failures import Overflow
from gateway.core.frozen import replace
from gateway.core.recent import Recent
from gateway.engine.answered import Answered, Key
from gateway.engine.news import News
from gateway.engine.refusal import Told, names_window
from gateway.engine.window import MODEL_CHARS, Known, Source, Window, given, overrules
from gateway.policy.schema import Policy
from gateway.store.base import Learned

LEARNED_TTL_S = 24 * 3600.0
"""A window named by the upstream is believed for a day: servers are restarted with other settings."""

GUESSED_TTL_S = 3600.0
"""One inferred from a refusal without numbers is believed for an hour."""

BELOW = 0.95
"""The share of what was refused that is guessed to be accepted."""

_FAR = 0.5
"""Below this share of what a list or the table says, words count for their own scope, silence for nothing."""

MODELS_MAX = 1000
"""Models remembered at once; a client can invent names without end."""

_UNCORRECTED = Correction()


def _source(entry: Learned) -> Source:
    return Source.GUESSED if entry.is_guessed else Source.LEARNED


def _is_model(key: Key) -> bool:
    return len(key[1]) <= MODEL_CHARS


class Windows:
    """The models met so far."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._learned: dict[Key, Learned] = {}
        self._own: Recent[tuple[str, Key], Learned] = Recent(MODELS_MAX)
        """By scope: what nobody has named."""
        self._listed: dict[Key, int] = {}
        self._corrections: dict[Key, Correction] = {}
        self._dirty: set[Key] = set()
        self._counting_output: set[Key] = set()
        self._reported = Answered(clock, MODELS_MAX, LEARNED_TTL_S)
        self._estimated = Answered(clock, MODELS_MAX, LEARNED_TTL_S)
        """Of prompts whose size the upstream did not tell."""
        self._news = News()
        self.is_news = self._news.is_news

    def restore(self, learned: Iterable[Learned]) -> None:
        """Take in what an earlier process learned."""
        for entry in learned:
            key = entry.upstream, entry.model
            entry = replace(entry, window=None) if entry.is_guessed else entry  # by an earlier version
            self._learned[key] = entry
            if entry.correction is not None:
                self._corrections[key] = Correction.restored(entry.correction)
            if entry.window is not None:
                self.is_news(*key, Window(entry.window, _source(entry)))

    def window(self, policy: Policy, upstream: str, model: str, scope: str = "") -> Window:
        """Return the window to plan with, for a request of that *scope*."""
        learned = self._believed((upstream, model), scope)
        named = given(policy, model)
        if named is not None:
            return learned if learned is not None and overrules(learned, named) else named
        if learned is not None:
            return learned
        return self._published((upstream, model))

    def known(self, policy: Policy, upstream: str, model: str, scope: str = "") -> Known:
        """Return the window and the way of counting to plan with."""
        return Known(self.window(policy, upstream, model, scope), self.correction(upstream, model))

    def _published(self, key: Key) -> Window:
        """Return what the upstream's list says of a model, or the table."""
        listed = self._listed.get(key)
        if listed is not None:
            return Window(listed, Source.LISTED)
        known = table.known(key[1])
        return Window(known, Source.TABLE if known is not None else Source.UNKNOWN)

    def _believed(self, key: Key, scope: str) -> Window | None:
        """Return the window that refusals taught, the latest word of those that still count."""
        own, shared = self._own.get((scope, key)), self._learned.get(key)
        if own is None and shared is None:  # as for most models
            return None
        if own is not None and (own.window or 0) < self._answered(key, own.is_guessed):
            own = None
        fresh = [entry for entry in (own, shared) if entry is not None and self._is_fresh(entry)]
        entry = max(fresh, key=lambda entry: entry.window_at, default=None)
        return Window(entry.window, _source(entry)) if entry is not None else None

    def _is_fresh(self, entry: Learned) -> bool:
        ttl_s = GUESSED_TTL_S if entry.is_guessed else LEARNED_TTL_S
        return entry.window is not None and self._clock() - entry.window_at <= ttl_s

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
        self,
        upstream: str,
        model: str,
        failure: Overflow,
        sent_tokens: int,
        has_images: bool = False,
        told: Told = Told.MARKED,
        scope: str = "",
    ) -> None:
        """Learn from a refusal beyond doubt: the window it names, or that what was sent was too much."""
        if not self.named(upstream, model, failure, sent_tokens, has_images, told, scope):
            self.guessed(upstream, model, sent_tokens, told, scope)

    def named(
        self,
        upstream: str,
        model: str,
        failure: Overflow,
        sent_tokens: int,
        has_images: bool = False,
        told: Told = Told.MARKED,
        scope: str = "",
    ) -> bool:
        """Learn the window that a refusal of so many true tokens names; return False if it names none."""
        limit, key = failure.limit, (upstream, model)
        if limit is None or not table.plausible(limit):
            return limit is not None
        self._learn_counting(key, failure, limit)
        if not names_window(failure, sent_tokens, has_images):
            return False
        if told is Told.MARKED:
            self._learn(key, limit, scope)
        # What words say may be the client's own, and then what was answered speaks against it.
        elif told is Told.UNSAID or limit >= PLAUSIBLE[0] * self._estimated.longest(key):
            is_for_all = told is Told.SAID and not self._is_far_below(key, limit)
            self._learn(key, limit, scope) if is_for_all else self._learn_own(key, limit, scope)
        return True

    def guessed(
        self, upstream: str, model: str, sent_tokens: int, told: Told = Told.MARKED, scope: str = ""
    ) -> None:
        """Learn that so many true tokens were too much, for those of that *scope*, unless it is disproved.

        Silence may have any reason, so that nothing far below what is known of the model follows from it.
        """
        key, guess = (upstream, model), int(sent_tokens * BELOW)
        answered = self._answered(key, True)
        if answered < sent_tokens:
            guess = max(guess, answered)  # it lies between the two
        if sent_tokens <= table.SMALLEST or (told is Told.UNSAID and self._is_far_below(key, guess)):
            return
        believed = self._believed(key, scope)
        if believed is None or guess < (believed.tokens or 0):
            self._learn_own(key, guess, scope, is_guessed=True)

    def _is_far_below(self, key: Key, tokens: int) -> bool:
        return tokens < _FAR * (self._published(key).tokens or 0)

    def _learn_counting(self, key: Key, failure: Overflow, limit: int) -> None:
        """Learn that the output asked for is counted in, where it is what broke the limit."""
        prompt, output = failure.prompt, failure.output
        is_known = _is_model(key) and len(self._counting_output) < MODELS_MAX
        if is_known and prompt is not None and output is not None and prompt < limit < prompt + output:
            self._counting_output.add(key)

    def _learn(self, key: Key, window: int, scope: str) -> None:
        """Take a window in for all, unless it is disproved."""
        if _is_model(key) and window >= self._answered(key):
            self._own.pop((scope, key), None)
            at = self._clock()
            self._put(replace(self.entry(*key), window=window, window_at=at, is_guessed=False))

    def _learn_own(self, key: Key, window: int, scope: str, is_guessed: bool = False) -> None:
        """Take a window in for those of a scope, unless it is disproved."""
        if _is_model(key) and window >= self._answered(key, is_guessed):
            entry = Learned(*key, window=window, window_at=self._clock(), is_guessed=is_guessed)
            self._own.put((scope, key), entry)

    def _answered(self, key: Key, is_guess: bool = False) -> int:
        """Return the longest prompt answered lately; for a guess of ours our own count will do."""
        reported = self._reported.longest(key)
        return max(reported, self._estimated.longest(key)) if is_guess else reported

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
        if not _is_model((upstream, model)):
            return
        before = self.correction(upstream, model)
        after = before.learned(ours, reported)
        if after != before:
            self._remember((upstream, model), after)

    def accepted(self, upstream: str, model: str, reported: int) -> None:
        """Forget a window that is smaller than a prompt which has just been answered."""
        key = upstream, model
        if not _is_model(key):
            return
        self._reported.take(key, reported)
        entry = self._learned.get(key)
        if entry is not None and entry.window is not None and reported > entry.window:
            self._put(replace(entry, window=None))

    def taken(self, upstream: str, model: str, estimate: int) -> None:
        """Take note of a prompt that was answered, by our own count of it: nothing was told of its size."""
        if _is_model((upstream, model)):
            self._estimated.take((upstream, model), estimate)

    def _remember(self, key: Key, correction: Correction) -> None:
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
