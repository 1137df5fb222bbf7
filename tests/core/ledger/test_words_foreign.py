"""Words of change in languages without tables of rules."""

from __future__ import annotations

import pytest

from gateway.core.ledger.words_foreign import FOREIGN, TURNS


@pytest.mark.parametrize(
    "sentence",
    [
        "jetzt sind es 820 eur.",
        "doch lieber am 19.05.2028.",
        "plutôt à 16:00.",
        "ahora son 45 días.",
        "agora é 1200 eur.",
        "invece prendiamo quello delle 9:42.",
        "теперь 820 eur.",
        "やっぱり9443にしてください。",
        "이제 9443으로 바꿔 주세요.",
    ],
)
def test_change_is_heard_in_other_languages(sentence: str) -> None:
    """What takes the place of a value is known by a word."""
    assert TURNS.search(sentence)


@pytest.mark.parametrize("sentence", ["the port is 8443.", "der port ist 8443.", "le port est 8443."])
def test_plain_statements_change_nothing(sentence: str) -> None:
    """What only states something has none of them."""
    assert not TURNS.search(sentence)


def test_light_words_name_nothing() -> None:
    """Articles and pronouns are no subjects."""
    assert {"der", "les", "una"} <= FOREIGN
