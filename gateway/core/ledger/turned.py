"""Whether a statement reports that a value became another: "they raised the limit to 50".

By itself that may be anybody's limit, told of any time. If it names all that an earlier statement of the user
is about, and nothing else, it is the news of that.
"""

from __future__ import annotations

from gateway.core.ledger.anchors import anchors, told
from gateway.core.ledger.differences import beyond, difference
from gateway.core.ledger.gates import gated
from gateway.core.ledger.words_turned import OPEN, TURNED, WHEN, ZH_OPEN, ZH_TURNED


def is_news(sentence: str) -> bool:
    """Return whether a plain sentence reports that a value is another now, not that it may be.

    >>> is_news("they raised the limit to 50"), is_news("they may have raised the limit to 50")
    (True, False)
    """
    if not sentence.isascii() and ZH_TURNED.search(sentence):
        return ZH_OPEN.search(sentence) is None
    return _TURNED.search(sentence) is not None and _OPEN.search(sentence) is None


_TURNED, _OPEN = gated(TURNED), gated(OPEN)


def says_no_more(new: str, old: str) -> bool:
    """Return whether a statement is about nothing but what an earlier one is about.

    >>> says_no_more("They raised the limit to 50", "The limit is 20")
    True
    """
    mine, other = anchors(new), anchors(old)
    found = difference(mine, other)
    if found.mine - WHEN or beyond(told(other.words), mine.words):
        return False
    return not (found.others or found.is_mixed or found.is_narrow)
