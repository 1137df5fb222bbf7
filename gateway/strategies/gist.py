"""What of a text is kept where there is no room for all of it: its sentences, by what they are worth.

What the ledger does not recognise for what it is may still matter. A sentence with an exact value in it, or
one that speaks of more than the moment (whenever, any, for me, prefer), is worth its room before a question
that has been answered; thanks, greetings and "go on" are worth nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from gateway.core.ledger.alone import changes, kinds
from gateway.core.ledger.entry import ORDER, Kind
from gateway.core.ledger.gates import gated
from gateway.core.ledger.segments import sentences
from gateway.core.ledger.shapes import data_lines
from gateway.strategies.word_end import word_end

LEFT_OUT = "…"
"""Stands where sentences were left out."""

LEAST = 1
"""Sentences that are worth less are never kept apart from the rest of their text."""

_FOUND = 7

CHANGED = _FOUND + len(ORDER) - 1 - ORDER[Kind.RULE]
"""What says that something is otherwise is worth what a rule is: else only the old value would be known."""

BOUNDS = _FOUND + len(ORDER) - 1 - ORDER[Kind.LIMIT]
"""What a limit is worth; a prohibition is worth more, and nothing else is."""

_TOLD_ASKING = 6

_UNSAID = 4
"""What a sentence is worth that may be what it was found to be, but shows neither whose it is nor of what."""

_MOST_CHARS = 300
"""A longer sentence keeps its beginning: it was pasted, or runs on."""

_READ_CHARS = 8 * _MOST_CHARS
"""Of a longer line, the sentences are looked at that begin in so much of it: it runs on."""

_LONGEST = 800
"""A sentence that is longer comes in parts: so much behind what is read, the last one is whole."""

_STUMP_CHARS = 40
"""What is left over of such a sentence says nothing if it is shorter, unless there is a value in it."""

_MOST_LINES = 60
"""Of a text with more lines, those at both ends are looked at: it was pasted."""

# Addresses, paths, long numbers, names of code, people and things: nobody can guess them if they are lost.
# Each begins with what few words have, so that looking for it is fast.
_PARTICULAR = (
    re.compile(
        r"\d(?:[\d.,:/-]{0,20}[\d%]\d| ?%|[:.]\d|[A-Za-z]\b|月|(?<=[A-Za-z$€£¥₹].)|(?<=[A-Za-z][-_].)"
        r"|(?<=[$€£¥₹]\s.))"
    ),
    re.compile(r"[./\\@_](?<=[\w-].)[\w-]"),
    re.compile(r"[A-Z](?:(?<=[a-z].)|(?<=[a-z,;:] .)[a-z])"),
    re.compile(
        r"[\u4e00-\u9fff](?:\s?[A-Za-z]{2}|(?<=[A-Za-z]{2}.)|(?<=[A-Za-z]{2}\s.)|(?<=周[一二三四五六日]))"
    ),
)
# Small numbers, capitals, quotations: they count with who speaks.
_EXACT = re.compile(
    r"\d|\b[A-Z]{2,}\b|[\"“”'‘「『`][^\"“”'’」』`]{2,60}[\"”'’」』`]|[零一二三四五六七八九十百千万亿两]{2,}"
)
# Who speaks or is spoken to, what must be: where there is none of it, something else is told of.
_VOICE = gated(
    r"\b(?:i|i'm|i'd|i've|i'll|me|my|mine|we|we're|we'd|we've|we'll|us|our|ours|you|you're|yours?|please|let's"
    r"|must|mustn't|may|should|shall|never|don't|do not|cannot|can't|only|at most|at least|no more|always"
    r"|has to|have to|needs? to|ought to|not to|unless|make sure)\b"
    r"|[我咱俺您你请别勿禁]|不[要能许准得可]|只[能许准有给]|必须|务必|最[多少]|顶多|至[多少]|以内|不超过"
    r"|一律|每次|凡是|应[该当]|记得|记住|得在|得先|要先",
    re.IGNORECASE,
)
# Words by which people speak of more than the moment, in the languages of the ledger.
_STANDING = gated(
    r"\b(?:when(?:ever)?|any(?:thing|one|body|where)?|every(?:thing|one|body|where)?|each|all|always|never|only"
    r"|until|till|unless|instead|rather|prefer\w*|better|best|worst|matters?|first|before|after|must|should"
    r"|need\w*|want\w*|like\w*|hate\w*|love\w*|can't stand|wish\w*|hope\w*|goals?|aim\w*|plan\w*|decid\w*"
    r"|agree\w*|chose\w*|went with|go with|going with|because|since|later|remember|remind\w*|keep|stay|stick"
    r"|avoid\w*|stop|no longer|for me|from now|by default|priority|don't|do not|not|no|without|except"
    r"|most|least|limit|deadline|due|budget|to-?do|still|pending|waiting|follow up|trying|let's|we'll|i'll"
    r"|make sure|ensure|treat|call me|my|our)\b"
    r"|每|任何|所有|总是|永远|只|除非|直到|而不是|宁|最好|更|优先|先|必须|应该|需要|想|希望|喜欢|讨厌|目标"
    r"|计划|决定|同意|跟我|给我|对我|就行|即可|为准|[语文](?=[\s，。！；]|$)|因为|所以|以后|之前|之后|记得|记住|保持"
    r"|避免|别|不|默认|一律|我们?的|还没|待办|等|打算|选|定|要|得|勿|禁|最多|最少|以内|截止",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\W*(?:thanks?|thank you|thx|ok(?:ay)?|great|nice|cool|perfect|good|hi|hello|hey|yes|no|sure"
    r"|please go on|go on|continue|got it|sounds good|well done"
    r"|谢谢|好的?|行|嗯|你好|继续|可以|明白|收到|辛苦)\b[\w ,]{0,24}\W*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\W{0,3}$")
_ZH_QUESTION = re.compile(r"？\W{0,3}$|[吗呢][。！\s]*$")
# What was asked for at the time: done since, or asked again.
_REQUEST = re.compile(
    r"\W*(?:(?:ok(?:ay)?|and|now|then|so|please|next|also|thanks)\W+){0,3}(?:(?:can|could|would|will) you"
    r"|show|look|give|tell|check|explain|compare|find|run|plot|list|read|open|describe|go through|walk me"
    r"|have a look|any idea|what|why|how|where|who|which)\b",
    re.IGNORECASE,
)
_ZH_REQUEST = re.compile(
    r"\W*(?:再|请|麻烦|那)?(?:看看|帮我|给我(?:讲|看|画|列)|讲讲|说说|查一?下|解释|列出|比较|把[^，。]{1,20}(?:起来|一下))"
    r"|.*(?:什么|怎么|为何|有没有)"
)
# What only leads to something else: "Before I forget.", "One more thing:".
_ASIDE = re.compile(
    r"[^\d\u4e00-\u9fff]{1,60}[:：]|(?:[a-zA-Z'’]+[ ,]{1,2}){0,3}[a-zA-Z'’]+[.,:?]?"
    r"|[\u4e00-\u9fff，]{1,5}[。，：]?"
)
_SAYING = re.compile(r"\w")

_CUT_OFF = re.compile(rf"(?<=[^\s{LEFT_OUT}]{LEFT_OUT}) (?=\S)")

_STOPS = ".!?。！？；"
_CLOSERS = "\"'”’)]*_"
_CLOSING = re.compile(r"[\"'”’)\]*_]{1,3}(?=\s|$)")
_CLOSED = re.compile(r"(?<=[.!?])[\"'”’)\]*_]{1,3}$")


# At a compaction most texts are those of the one before.
@lru_cache(1024)
def pieces(text: str) -> Sequence[str]:
    """Return the sentences of a text, those of each line by themselves, bounded; no data, no mere signs."""
    lines = text.splitlines()
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES // 2], *lines[-_MOST_LINES // 2 :]]
    data = data_lines(lines)
    return [
        _bounded(" ".join(sentence.split()))
        for number, line in enumerate(lines)
        if number not in data
        for sentence in _apart(line)
        if sentence == LEFT_OUT or _SAYING.search(sentence)
    ]


def _apart(line: str) -> Iterator[str]:
    """Yield the sentences of a line, and the signs of what was left out between them, each by itself."""
    is_told = _MOST_CHARS < len(line) <= _READ_CHARS  # perhaps by an earlier digest
    parts = _CUT_OFF.split(line) if is_told else (line,)
    for sentence in chain.from_iterable(map(_sentences, parts)):
        while sentence.startswith(LEFT_OUT + " "):
            yield LEFT_OUT
            sentence = sentence[len(LEFT_OUT) :].lstrip()
        said = sentence.removesuffix(" " + LEFT_OUT)
        yield said
        if said != sentence:
            yield LEFT_OUT


def _sentences(line: str) -> Iterator[str]:
    """Yield the sentences of a line, each with the marks that close what is quoted at its end.

    The ledger's own have none, and what follows would stand inside a quotation that was closed.
    """
    is_long = len(line) > _READ_CHARS
    line, at, is_cut = line[: _READ_CHARS + _LONGEST], 0, False
    for sentence in sentences(line):
        start = line.find(sentence, at)
        if is_long and start >= _READ_CHARS - is_cut * _STUMP_CHARS:
            yield LEFT_OUT
            return
        marks = closing(line, start + len(sentence)) if start >= 0 else ""
        at = max(at, start + len(sentence) + len(marks))
        is_stump = is_cut and len(sentence) < _STUMP_CHARS and worth(sentence) < _TOLD_ASKING
        yield LEFT_OUT if is_stump else sentence + marks
        is_cut = len(sentence) > _LONGEST // 2 and sentence[-1] not in _STOPS


def closing(text: str, at: int) -> str:
    """Return the marks at a place that close what is quoted before it; nothing, if it goes on there.

    >>> closing('Say "Hi!" to all.', 8), closing('Say "Hi!', 8)
    ('"', '')
    """
    found = _CLOSING.match(text, at)
    return found[0] if found else ""


def bare(sentence: str) -> str:
    """Return a sentence as the ledger has it: less what closes a quotation behind its end.

    >>> bare('Call it "Now!"'), bare('Call it "Now"')
    ('Call it "Now!', 'Call it "Now"')
    """
    return _CLOSED.sub("", sentence) if sentence[-1:] in _CLOSERS else sentence


def is_in(sentence: str, carried: Collection[str]) -> bool:
    """Return whether the ledger carries a sentence."""
    return sentence in carried or (sentence[-1:] in _CLOSERS and bare(sentence) in carried)


@lru_cache(8192)
def worth(sentence: str) -> int:
    """Return what a sentence is worth: 0 is nothing, 1 is what was said for the moment.

    Most is worth what the ledger would take, if it were not in doubt, in the ledger's order; but only if it
    names what nobody can guess, or shows that its speaker asks it of somebody.

    >>> worth("Thanks a lot!"), worth("Why is it so slow?"), worth("The port is 8080.")
    (0, 1, 7)
    """
    if sentence == LEFT_OUT or _is_idle(sentence):
        return 0
    found, asks = kinds(sentence), _asks(sentence)
    is_particular, is_own = _is_particular(sentence), bool(_VOICE.search(sentence))
    if found and not asks:
        value = _as_kind(found)
        # A limit is worth as much, whether it is a new one or not.
        if value >= CHANGED and (is_particular or is_own):
            return value
        if changes(sentence):
            return max(CHANGED, value)
    if asks and is_particular and found == {Kind.VALUE}:
        # "My order is 4471-XK, where is it?": the question is answered, the order stays.
        return _TOLD_ASKING
    if asks:
        found -= {Kind.VALUE}
    if is_particular or (is_own and found - {Kind.VALUE}):
        if found:
            return _as_kind(found)
    elif found - {Kind.VALUE, Kind.RULE}:
        return _UNSAID
    if _ASIDE.fullmatch(sentence):
        return LEAST
    if is_particular:
        value = 4 + 2 * (is_own or _lasts(sentence))
    else:
        value = 2 + bool(_EXACT.search(sentence)) + 2 * (is_own and _lasts(sentence))
    if asks:
        value -= 2 if value > 4 or is_particular else 3
    return max(value, LEAST)


def _as_kind(found: Collection[Kind]) -> int:
    return _FOUND + len(ORDER) - 1 - min(ORDER[kind] for kind in found)


def _is_idle(sentence: str) -> bool:
    """Return whether a sentence only greets, thanks or agrees: "no, 38C" says more."""
    return bool(_IDLE.match(sentence)) and not (_is_particular(sentence) or _EXACT.search(sentence))


def _is_particular(sentence: str) -> bool:
    return any(sign.search(sentence) for sign in _PARTICULAR)


def _lasts(sentence: str) -> bool:
    return _STANDING.search(sentence) is not None


def _asks(sentence: str) -> bool:
    """Return whether a sentence asks for something at the time."""
    if _QUESTION.search(sentence) or _REQUEST.match(sentence):
        return True
    return not sentence.isascii() and bool(_ZH_QUESTION.search(sentence) or _ZH_REQUEST.match(sentence))


def is_lasting(sentence: str) -> bool:
    """Return whether a sentence is worth more than what was said for the moment: without looking for more.

    >>> is_lasting("Why is it so slow?"), is_lasting("It is slow on Mondays.")
    (False, True)
    """
    if sentence == LEFT_OUT or _is_idle(sentence):
        return False
    if not _asks(sentence) and not _ASIDE.fullmatch(sentence):
        return True
    return worth(sentence) > LEAST


def _bounded(line: str) -> str:
    if len(line) <= _MOST_CHARS or line.endswith(LEFT_OUT):
        return line
    return line[: word_end(line, _MOST_CHARS)].rstrip() + LEFT_OUT
