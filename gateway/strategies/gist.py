"""The sentences of a text that say something particular, where there is no room for all of it.

What the ledger does not recognise for what it is may still matter. A sentence with an exact value in it, or
one that speaks of more than the moment (whenever, any, for me, prefer), is worth its room; thanks, greetings
and "go on" are not.
"""

from __future__ import annotations

import re

from gateway.core.ledger.segments import sentences

LEFT_OUT = "…"
"""Stands where sentences were left out."""

_MOST_CHARS = 240
"""A longer sentence keeps its beginning: it was pasted, or runs on."""

# Figures, addresses, paths, names of code and of things: what cannot be guessed if it is lost.
_EXACT = re.compile(
    r"\d|[\w-]+(?:[./\\@_][\w-]+)+|[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b|[\"“”'‘「『`][^\"”'’」』`]{2,60}[\"”'’」』`]"
    r"|(?<=[a-z,;] )[A-Z][a-z]+|[零一二三四五六七八九十百千万亿两]{2,}|[A-Za-z]{2,}(?=[\u4e00-\u9fff])"
)
# Words by which people speak of more than the moment, in the languages of the ledger.
_STANDING = re.compile(
    r"\b(?:when(?:ever)?|any(?:thing|one|where)?|every(?:thing|one|where)?|each|all|always|never|only|until|unless"
    r"|instead|rather|prefer\w*|better|best|worst|matters?|first|before|after|must|should|need\w*|want\w*"
    r"|like\w*|hate\w*|love\w*|wish\w*|hope\w*|goal|aim|plan\w*|decid\w*|agree\w*|chose\w*|because|since|later"
    r"|remember|remind\w*|keep|stay|stick|avoid\w*|stop|no longer|for me|from now|by default|priority)\b"
    r"|每|任何|所有|总是|永远|只|除非|直到|而不是|宁|最好|更|优先|先|必须|应该|需要|想|希望|喜欢|讨厌|目标"
    r"|计划|决定|同意|跟我|给我|对我|就行|即可|为准|[语文](?=[\s，。！；]|$)|因为|所以|以后|之前|之后|记得|记住|保持|避免|别|不要|默认|一律",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"\W*(?:thanks?|thank you|thx|ok(?:ay)?|great|nice|cool|perfect|good|hi|hello|hey|yes|no|sure"
    r"|please go on|go on|continue|got it|sounds good|well done"
    r"|谢谢|好的?|行|嗯|你好|继续|可以|明白|收到|辛苦)\b[\w ,]{0,24}\W*$",
    re.IGNORECASE,
)


def gist(text: str) -> str:
    """Return the sentences of a text that say something particular; empty if none does.

    >>> gist("Thanks a lot! A table beats prose whenever the score of Q3 comes up. Go on.")
    'A table beats prose whenever the score of Q3 comes up. …'
    """
    kept: list[str] = []
    for sentence in sentences(text):
        line = " ".join(sentence.split())
        if _is_particular(line):
            kept.append(_bounded(line))
        elif kept and kept[-1] != LEFT_OUT:
            kept.append(LEFT_OUT)
    return " ".join(kept)


def _bounded(line: str) -> str:
    if len(line) <= _MOST_CHARS or line.endswith(LEFT_OUT):
        return line
    return line[:_MOST_CHARS].rstrip() + LEFT_OUT


def _is_particular(line: str) -> bool:
    if _IDLE.match(line):
        return False
    return bool(_EXACT.search(line) or _STANDING.search(line))
