"""Find the sentences that must outlive their message: decisions, open tasks, rules.

Plain word lists in English and Chinese. They find too much rather than too little: a sentence kept without
need costs a few tokens, a lost decision costs the work that followed from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_MAX_CHARS = 300

# A sentence ends at a line break, at a Chinese full stop, or at a Latin one that space follows: the dots in
# `server.ts` and `3.14` end nothing.
_SENTENCE = re.compile(r"[^\n。！？]+?(?:[.!?](?=\s)|[。！？]|$|(?=\n))", re.MULTILINE)

# Words of someone who settles something. New ones are those that a lost decision was worded with.
_DECISION = re.compile(
    r"\b(?:decided?|decision|chose|chosen|will use|we(?:'|’)ll use|i(?:'|’)ll use|going with|settled on"
    r"|instead of|root cause|because|therefore|conclu\w+|turns out|confirmed|the fix|fixed by|agreed)\b"
    r"|决定|采用|选择|选用|改用|因为|因此|所以|根本原因|根因|结论|确认",
    re.IGNORECASE,
)

# Words of something not done yet.
_OPEN = re.compile(
    r"\b(?:todo|to-do|next steps?|remaining|pending|not yet|still (?:need|have|fail\w*|missing)|blocked"
    r"|open question|follow-up)\b|- \[ \]|待办|下一步|尚未|还需要?|仍需|未完成|待确认",
    re.IGNORECASE,
)

# Words by which a user says how things are to be done from now on.
_RULE = re.compile(
    r"\b(?:always|never|must(?: not)?|do not|don(?:'|’)t|only use|make sure|from now on|remember|prefer|avoid"
    r"|no matter)\b|必须|务必|不要|不得|禁止|总是|永远|始终|记住|只用|只能|以后",
    re.IGNORECASE,
)


def decisions(text: str) -> Iterator[str]:
    """Yield the sentences that settle something.

    >>> list(decisions("Looked at both. Decided to use sqlite.ts v3.1. Done."))
    ['Decided to use sqlite.ts v3.1.']
    """
    return _matching(_DECISION, text)


def open_items(text: str) -> Iterator[str]:
    """Yield the sentences that name something still to be done."""
    return _matching(_OPEN, text)


def rules(text: str) -> Iterator[str]:
    """Yield the sentences that say how things are to be done.

    >>> list(rules("Hi! Never touch main. 回答必须用中文。谢谢"))
    ['Never touch main.', '回答必须用中文。']
    """
    return _matching(_RULE, text)


def _matching(words: re.Pattern[str], text: str) -> Iterator[str]:
    if not words.search(text):
        return
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if words.search(sentence):
            yield brief(sentence, _MAX_CHARS)


def brief(text: str, max_chars: int) -> str:
    """Return a text in one line, its end left out if it is longer than that.

    >>> brief("one\\n two three", 8)
    'one two…'
    """
    line = " ".join(text[: 4 * max_chars].split())
    if len(line) <= max_chars and len(text) <= 4 * max_chars:
        return line
    return line[:max_chars].rstrip(" …") + "…"
