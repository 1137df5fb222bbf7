"""Patterns that are searched for only where a text has a word that every match must have."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.core import ledger
from gateway.core.ledger.gates import Gate, gated

PHRASINGS = Path(__file__).parent / "phrasings"


def gates() -> Iterator[tuple[str, Gate]]:
    """Yield all gates of the ledger, each with its name."""
    for module in pkgutil.iter_modules(ledger.__path__):
        loaded = importlib.import_module(f"{ledger.__name__}.{module.name}")
        for name, value in vars(loaded).items():
            if isinstance(value, Gate):
                yield f"{module.name}.{name}", value


GATES = dict(gates())


def sentences() -> list[str]:
    """Return sentences as people write them, and pieces of them."""
    lines = "\n".join(path.read_text("utf-8") for path in sorted(PHRASINGS.iterdir())).splitlines()
    return [*lines[::7], *(line.lower()[len(line) // 3 :] for line in lines[::11])]


@pytest.mark.parametrize("name", GATES)
def test_gate_changes_no_answer(name: str) -> None:
    """Whatever people write, a pattern finds behind its gate what it finds without."""
    gate = GATES[name]
    pattern = re.compile(gate.pattern, gate.flags)

    for sentence in sentences():
        for ways in (gate.search, pattern.search), (gate.match, pattern.match):
            found, expected = (way(sentence) for way in ways)
            assert (found and found.span()) == (expected and expected.span())


PATTERNS = (
    r"\bno\b|max\w*",
    r"(?:not )?(?:a |the )*way",
    r"^(?:\W|so)*(?:did|has) he",
    r"a(?:b+c)?d|[.:]",
    r"(?:ab)+\s?c\b|\d",
    r"(a)\b|b",
    r"\bs?he(?:'s)? (?:\w+ ){0,2}in\b",
    "最多|不要|ab",
    r"\b(?:no|not|the way|so he|he's in|1\d)\b",
    r"^(?:\W|so|the)*(?:did|has|in|no|maxi)\b|x: |[最多]",
)
TEXTS = st.text("abcdehinostwx .:'19最多不", max_size=24) | st.lists(
    st.sampled_from(("no", "maxi", "not", "the", "way", "so", "did", "has", "he", "she's", "in", "ab", "A"))
).map(" ".join)


@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=TEXTS)
@example(text="\u212anot so")
def test_gate_of_any_pattern_lets_every_match_through(pattern: str, flags: int, text: str) -> None:
    """A gate is read off the pattern: alternatives, what may be left out or repeated, either case."""
    gate, bare = gated(pattern, flags), re.compile(pattern, flags)

    for ways in (gate.search, bare.search), (gate.match, bare.match):
        found, expected = (way(text) for way in ways)
        assert (found and (found.span(), found.groups())) == (
            expected and (expected.span(), expected.groups())
        )


def test_text_without_any_word_of_a_pattern_is_not_searched() -> None:
    """What a gate is for: most sentences are passed over."""
    gate = gated(r"\b(?:turned|turns) out\b|\bmax\w* of|\$ ?\d")

    assert not any(map(gate.opened, ("all is well", "it went out", "outer maple of", "5 €")))
    assert all(map(gate.opened, ("it turns out", "at a maximum of 3", "$ 5")))


def test_what_a_pattern_finds_is_exchanged() -> None:
    """A text is changed as the pattern itself changes it."""
    gate = gated(r"\b(?:turned|turns) out\b")

    assert gate.sub(" ", "it turned out and turns out well") == "it   and   well"
    assert gate.sub(" ", "all is well") == "all is well"


def test_letter_that_is_another_in_small_is_not_passed_over() -> None:
    """Where case does not count, some letters beyond ASCII are the same as letters of it."""
    assert gated("kelvin", re.IGNORECASE).search("\u212aelvin")


def test_text_of_any_length_is_searched() -> None:
    """What is too long to be remembered is searched as if there were no gate."""
    gate = gated(r"\bmax\w* of")

    assert gate.search("a " * 5_000 + "max of") is not None
    assert gate.search("a " * 5_000) is None
