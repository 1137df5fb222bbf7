"""What users said, in what room there is: all of it, or the sentences that are worth most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from gateway.core.conversation import Count
from gateway.strategies import marks
from gateway.strategies.gist import (
    BOUNDS,
    CHANGED,
    LEAST,
    LEFT_OUT,
    bare,
    is_in,
    pieces,
    worth,
)
from gateway.strategies.shorten import Cap, Counted, shorten

Shorten = Callable[[str], str]

MATTERS = 5
"""Sentences that are worth this are kept before what tools and the assistant said."""

_ENTRY_TOKENS = 3
"""What an entry takes beside its text."""

_ITEM = re.compile(r"(?:[-*•]|\d{1,3}[.)])(?: |$)")


def fitting(
    texts: Sequence[str], allowed: int, carried: Collection[str], count: Count, doubted: Collection[str] = ()
) -> Sequence[str]:
    """Return the first text, and of the others all that fits, long ones without their middle.

    Where not all fits, sentences go that are worth least, and of those the oldest; first of all such as the
    ledger carries. What is *doubted* goes before what may have taken its place.
    """
    if not texts:
        return texts
    short = _shortener(most_of_one(allowed), count)
    first = short(texts[0])
    rest = [*_middle(texts[0], first), *texts[1:]]
    kept = [first, *_best(rest, allowed - size(first, count), short, Known(carried, doubted), count)]
    return [text for text in kept if not marks.NOTICE.fullmatch(text)]


def _middle(text: str, ends: str) -> Sequence[str]:
    """Return what matters in a text, and its *ends* do not say, as a text of its own."""
    if ends == text:
        return ()
    sentences = pieces(text)
    there = " ".join(ends.split())
    matters = {
        number
        for number, sentence in enumerate(sentences)
        # What runs on was pasted.
        if not (sentence in there or sentence.endswith(LEFT_OUT) or marks.NOTICE_START in sentence)
        and worth(bare(sentence)) >= MATTERS
    }
    leads = {lead for number in matters if (lead := lead_in(sentences, number)) is not None}
    return [joined(sentences, matters | leads)] if matters else ()


class Known(NamedTuple):
    """What the ledger says of sentences."""

    carried: Collection[str]
    """It says them itself."""
    doubted: Collection[str]
    """They may hold no longer."""

    def worth(self, sentence: str) -> int:
        """Return what a sentence is worth beside others."""
        return min(worth(sentence), CHANGED) if sentence in self.doubted else worth(sentence)


def most_of_one(allowed: int) -> int:
    """Return what one text may take of the room for all."""
    return max(allowed // 3, 1)


def _best(texts: Sequence[str], left: int, short: Shorten, known: Known, count: Count) -> Sequence[str]:
    whole = [short(text) for text in texts]
    sizes = [size(text, count) for text in whole]
    if sum(sizes) <= left and all(map(str.__eq__, whole, texts)):
        return whole
    parts = [pieces(text) for text in texts]
    chosen, left = _chosen(parts, left, known, count)
    kept = {index: joined(parts[index], numbers) for index, numbers in chosen.items()}
    for index, text in kept.items():
        if text.split() == texts[index].split():
            kept[index] = texts[index]
    for index in range(len(texts) - 1, -1, -1):
        # Of what was pasted no sentence is worth anything, and yet both its ends are, if there is room.
        if index not in kept and whole[index] != texts[index] and sizes[index] <= left:
            kept[index] = whole[index]
            left -= sizes[index]
    return [kept[index] for index in sorted(kept)]


def _chosen(
    parts: Sequence[Sequence[str]], left: int, known: Known, count: Count
) -> tuple[dict[int, set[int]], int]:
    """Return the numbers of the sentences that fit, by text, and the room that they leave.

    What matters little and is said in several texts is kept in the newest: sixty times the reason for asking
    would leave no room for what was asked.
    """
    ranked = sorted(
        (-value, -index, number)
        for index, sentences in enumerate(parts)
        for number, sentence in enumerate(sentences)
        if not is_in(sentence, known.carried) and (value := known.worth(bare(sentence))) >= LEAST
    )
    chosen: dict[int, set[int]] = {}
    newest: dict[str, int] = {}
    for negative_value, negative, number in ranked:
        sentences, there = parts[-negative], chosen.get(-negative, set())
        if -negative_value < MATTERS and newest.setdefault(sentences[number], negative) != negative:
            continue
        lead = lead_in(sentences, number)
        more = {number} if lead is None else {lead, number}
        needed = sum(count(sentences[one]) + 1 for one in more - there) + (0 if there else _ENTRY_TOKENS - 1)
        if needed <= left and number not in there:
            left -= needed
            chosen.setdefault(-negative, set()).update(more)
    return chosen, left


def _shortener(max_tokens: int, count: Count) -> Shorten:
    """Return what cuts a text to a number of tokens; a very long one by characters first: no count."""
    rough = Cap(chars=max_tokens * 12)

    def short(text: str) -> str:
        # A token has at least one byte.
        if len(text) <= max_tokens and text.isascii():
            return text
        if rough.chars is not None and len(text) > rough.chars:
            text = shorten(Counted(text, len(text)), rough, count).text
        return shorten(Counted(text, count(text)), Cap(max_tokens), count).text

    return short


def size(text: str, count: Count) -> int:
    """Return what a text takes as an entry of a digest."""
    return count("- " + text.replace("\n", "\n  ")) + 1


def joined(sentences: Sequence[str], chosen: Collection[int]) -> str:
    """Return the chosen ones of the sentences of a text, with a sign where others were.

    >>> joined(["So.", "The port is 80.", "Well."], {1})
    'The port is 80. …'
    """
    kept: list[str] = []
    for number, sentence in enumerate(sentences):
        if number in chosen:
            kept.append(sentence)
        elif kept and kept[-1] != LEFT_OUT:
            kept.append(LEFT_OUT)
    text, said = "", ""
    for one in kept:
        text += f"{_between(said, one) if text else ''}{one}"
        said = said if one == LEFT_OUT else one
    return text


def _between(before: str, sentence: str) -> str:
    """Return what stands between a sentence and the last one: an item of a list has a line of its own."""
    return "\n" if _ITEM.match(sentence) or (_ITEM.match(before) and sentence != LEFT_OUT) else " "


def lead_in(sentences: Sequence[str], number: int) -> int | None:
    """Return the number of the sentence that says what an item of a list is one of; None if there is none.

    >>> lead_in(["Anna's notes say:", "- no GPU", "- tests first"], 2)
    0
    """
    while number > 0 and (sentences[number] == LEFT_OUT or _ITEM.match(sentences[number])):
        number -= 1
        if sentences[number].endswith((":", "：")):
            return number
    return None


def bounding(texts: Sequence[str], carried: Collection[str], count: Count) -> int:
    """Return the tokens of the sentences that forbid or bound something, and that the ledger does not say."""
    return sum(
        count(sentence) + 1
        for text in texts
        for sentence in pieces(text)
        if not is_in(sentence, carried) and worth(bare(sentence)) >= BOUNDS
    )


def missing(texts: Sequence[str], kept: Collection[str], carried: Collection[str], count: Count) -> int:
    """Return the tokens of sentences that matter, and stand neither in what is kept nor in the ledger."""
    if not texts:  # as where only results were shortened: nobody's words have to be looked at
        return 0
    there = {sentence for text in kept for sentence in pieces(text)}
    return sum(
        count(sentence) + 1
        for text in texts
        for sentence in pieces(text)
        if sentence not in there and not is_in(sentence, carried) and worth(bare(sentence)) >= MATTERS
    )
