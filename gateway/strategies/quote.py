"""What of a long text a digest quotes: of a result the lines that tell what came of the call, of an answer
the sentences with what is exact in them.

Both keep their order and stay within a number of characters. A listing, a log or a file is quoted by
nothing: a line at random is worse than its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gateway.core.ledger import members, results, telling
from gateway.core.ledger.segments import sentences
from gateway.strategies.brief import brief

_SHORT_CHARS = 400
"""Of a result of so few characters each line is likely to be about what came of the call."""
_LEAST_OF_SHORT = 2
_LEAST = 4
_MOST_OF_LONG = 2
"""Of a long result so many lines are quoted at most."""
_BETWEEN = "; "
_OURS = "[haversack"
"""Begins what a step wrote into a result."""

_LEFT_OUT = "…"
_ANSWER_CHARS = 6_000
"""Of a longer answer both ends are read."""
_IDLE = re.compile(
    r"\W*(?:got it|thanks?|thank you|sure|okay|ok|all right|of course|good news|great|done|understood|noted"
    r"|let me|i'?ll|i will|let's|好的?|收到|明白|让我|我来|我(?:先|再)?看一?[下看]|谢谢|感谢|稍等)\b"
    r"[^.。:：]{0,60}\W*$|.*[?？]\W*$",
    re.IGNORECASE,
)
_ASKING = re.compile(r"[?？]\W{0,8}$")
_BORDER = re.compile(r"[.!?][\s*_)\"']{1,8}(?=\S)|[。！？\n]\s{0,8}(?=\S)")
_PER_SENTENCE = 3
_REPORTED = 4
_CLOSING = 1


def of_result(text: str, known: str, max_chars: int) -> str:
    """Return the lines that tell what came of a call whose arguments are *known*; nothing, if none does.

    >>> of_result("reading\\nreading\\nCreated ticket OPS-4471\\n" + "x\\n" * 400, "", 80)
    'Created ticket OPS-4471'
    """
    is_short = len(text) <= _SHORT_CHARS
    lines = list(dict.fromkeys(_lines(text, known, max_chars)))
    least = _LEAST_OF_SHORT if is_short else _LEAST
    weights = {line: telling.weight(line, known) for line in lines}
    ranked = sorted(
        (number for number, line in enumerate(lines) if weights[line] >= least),
        key=lambda number: (-weights[lines[number]], number),
    )
    chosen = _fitting(lines, ranked if is_short else ranked[:_MOST_OF_LONG], max_chars)
    return _BETWEEN.join(brief(lines[number], max_chars) for number in sorted(chosen))


def _lines(text: str, known: str, max_chars: int) -> Iterator[str]:
    for part in results.parts(text):
        rows, objects = members.parted(part)
        for row in telling.alone(rows):
            if not (telling.is_prose(row) or _OURS in row):
                yield from sentences(row) if len(row) > max_chars else [row]
        if objects:
            yield from members.telling(objects, known)


def _fitting(texts: Sequence[str], ranked: Sequence[int], max_chars: int) -> set[int]:
    """Return those that fit, the first of the ranking in any case."""
    chosen: set[int] = set()
    left = max_chars
    for number in ranked:
        size = len(texts[number]) + (len(_BETWEEN) if chosen else 0)
        if size <= left or not chosen:
            chosen.add(number)
            left -= size
    return chosen


# Where a digest has to be written once more, most answers are those of the first time.
@lru_cache(256)
def of_answer(text: str, max_chars: int) -> str:
    """Return an answer in brief: all of it, or the sentences that say what was found or done.

    >>> of_answer("I looked at all of it. The total is 1,284 rows. Shall I go on?", 40)
    '… The total is 1,284 rows. …'
    """
    if len(" ".join(text[: 4 * max_chars].split())) <= max_chars and len(text) <= 4 * max_chars:
        return brief(text, max_chars)
    if len(text) > _ANSWER_CHARS:
        text = text[: _ANSWER_CHARS // 2] + "\n" + text[-_ANSWER_CHARS // 2 :]
    said = list(_sentences(text))
    weights = [_weight(sentence) for sentence in said]
    if not any(weights):
        return brief(text, max_chars)
    weights[-1] += _CLOSING if weights[-1] else 0
    ranked = sorted(
        (number for number, weight in enumerate(weights) if weight),
        key=lambda number: (-weights[number], number),
    )
    chosen = _fitting(said, ranked, max_chars - 2 * len(_LEFT_OUT) - 2)
    return brief(_joined(said, chosen), max_chars)


def of_question(text: str, max_chars: int) -> str:
    """Return an answer in brief with the question that it ends in; empty: it ends in none.

    >>> of_question("I looked. " * 9 + "The total is 1,284 rows. All of it is old. Drop the table?", 60)
    'I looked. … The total is 1,284 rows. … Drop the table?'
    """
    text = text.strip()
    if not _ASKING.search(text[-40:]):
        return ""
    if len(text) <= max_chars:
        return text
    asked = _ending(text, max_chars // 2)
    before = of_answer(text[: -len(asked)].rstrip(), max_chars - len(asked) - 2)
    return f"{before} {asked}".strip()


def _ending(text: str, most: int) -> str:
    """Return the last sentences of a text that take no more, or the end of the last one."""
    end = text.rstrip()[-most:]
    border = _BORDER.search(end)
    return end[border.end() :] if border and border.end() < len(end) else end


def _sentences(text: str) -> Iterator[str]:
    for row in telling.apart(text.split("\n")):
        yield from sentences(row)


def _weight(sentence: str) -> int:
    if _IDLE.match(sentence[: telling.MOST_CHARS]):
        return 0
    reported = _REPORTED if results.reports_value(sentence) else 0
    weight = telling.weight(sentence) + reported
    return weight + 1 if weight or len(sentence) < telling.MOST_CHARS else 0


def _joined(said: Sequence[str], chosen: set[int]) -> str:
    kept: list[str] = []
    for number, sentence in enumerate(said):
        if number in chosen:
            kept.append(sentence)
        elif not kept or kept[-1] != _LEFT_OUT:
            kept.append(_LEFT_OUT)
    return " ".join(kept)
