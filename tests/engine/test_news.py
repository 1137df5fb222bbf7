"""What the log says of windows: each once, and nothing that a client can repeat without end."""

from __future__ import annotations

from gateway.engine.news import TOLD_MAX, News
from gateway.engine.window import MODEL_CHARS, NO_WINDOW, Source, Window
from gateway.engine.windows import Windows
from gateway.store.base import Learned
from stores import Clock

UP = "http://upstream/v1"


def test_window_is_news_once() -> None:
    """The log says once that nobody knows a model's window, and again when its upstream tells another one."""
    news = News()
    learned, other = Window(8000, Source.LEARNED), Window(4000, Source.LEARNED)
    listed = Window(9000, Source.LISTED)
    told = [news.is_news(UP, "m", window) for window in (NO_WINDOW, NO_WINDOW, listed, listed)]
    assert told == [True, False, True, False]
    told = [news.is_news(UP, "m", window) for window in (learned, learned, NO_WINDOW, learned, other)]
    assert told == [True, False, False, False, True]
    assert news.is_news("http://another/v1", "m", NO_WINDOW)


def test_guess_is_news_as_what_is_told_is() -> None:
    """The log says a guess once, and again when the upstream tells the number."""
    news = News()
    guess = Window(8000, Source.GUESSED)
    told = [news.is_news(UP, "m", window) for window in (guess, guess, Window(8000, Source.LEARNED))]
    assert told == [True, False, True]


def test_guesses_of_others_do_not_repeat_ones_own() -> None:
    """Two keys that have met different sizes take turns without a line in the log for each request."""
    news = News()
    mine, other = Window(8000, Source.GUESSED), Window(4000, Source.GUESSED)
    told = [news.is_news(UP, "m", size, scope) for scope, size in (("a", mine), ("b", other)) * 2]
    assert told == [True, True, False, False]


def test_window_that_was_always_known_is_no_news() -> None:
    """What a policy, the shipped table or a list says before anybody missed it needs no line in the log."""
    windows = Windows(Clock())
    for source in (Source.POLICY, Source.TABLE, Source.LISTED):
        assert not windows.is_news(UP, "m", Window(8000, source))
    windows.restore([Learned(UP, "m", window=8000)])
    assert not windows.is_news(UP, "m", Window(8000, Source.LEARNED))


def test_clients_cannot_flood_the_log_with_models() -> None:
    """Whatever names a client invents, there are so many lines and no more; a long one has none."""
    news = News()
    assert not news.is_news(UP, "m" * (MODEL_CHARS + 1), NO_WINDOW)
    told = [news.is_news(UP, f"m{n}", NO_WINDOW) for n in range(TOLD_MAX + 9)]
    assert told.count(True) == TOLD_MAX
    assert news.is_news(UP, "m0", Window(8000, Source.LEARNED))
