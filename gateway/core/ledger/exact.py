"""What is exact in a sentence: names, numbers with their unit, identifiers, places."""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.ledger.openings import Listed
from gateway.core.ledger.values import strong

# Something that can be told from others of its sort. Small numbers only count things.
_EXACT = re.compile(
    r"\b\d{1,5}(?:-\d{1,5}){2,}\b|\b[A-Z]{1,4}-[A-Z]{2,}\b|^(?!Figure|Step|Line|About|Between|Only|Over|In"
    r"|On|At|Page|Table|Part|The|Some|Around|Just|Another)[A-Z][a-z]{2,20} \d{1,4}\b(?!\.\d)"
    r"|\b[a-z]+\d+[a-z]+\w*|\b(?:in|on|at|of|to|from|for|the|by|under|near|behind|via|with) (?!lines?\b"
    r"|step\b|about\b|page\b|only\b|last\b)[a-z]{3,20} (?:\d{1,4}|[A-HJ-Z])\b|(?<!\w)_\w+|(?<![\w/])(?:~"
    r"|\.{1,2})?/[\w.@-]+(?:/[\w.@-]+)*/?|(?<![\w/.-])[\w.-]{1,64}(?:/[\w.-]{0,64})+|\b[A-Za-z]:\\\S+"
    r"|(?<![\w.-])[\w-]{1,64}\.(?:[a-z]{1,5}\d?)\b|\b\d{4}-\d\d-\d\d|\b\d{1,2}:\d\d\b"
    r"|\b[a-zA-Z0-9]{1,30}(?:_[a-zA-Z0-9]{1,30}){1,8}\b"
    r"|\b(?=[\w-]{0,20}\d)[A-Za-z]\w{0,20}(?:-\w{1,20}){1,4}\b|[$€£¥]\s?\d|\b(?:USD|EUR|GBP|CHF|CNY"
    r"|JPY)\s?\d[\d.,]*|\b\d{2,5}(?:[- ]\d{2,5})+\b|\b(?:two|three|four|five|six|ten)-[a-z]+\b"
    r"|\b\d[\d.,]*\s?(?:%|°|[kKMGTmµn]?[gmlsVAWBJ]\b|[kMG]i?B?\b|ms|min|Nm|rpm|[kM]?Hz|px|pt|mm|cm|km|ha|am"
    r"|pm|euros?|dollars?|francs?|pounds?|yen|hours?|days?|weeks?|months?|years?|seconds?|minutes?|degrees?"
    r"|percent|words|pages|people|lines|rows|units|cores|GB|MB|TB|kB|EUR|USD|CHF)\b|\b(?:[Ss]ection|[Rr]ow"
    r"|[Rr]oom|[Ss]eat|[Tt]able|[Cc]olumn|[Ll]ot|[Pp]age|[Cc]hapter|[Gg]ate|[Ss]lot|[Bb]ox|[Uu]nit|PR"
    r"|[Bb]lock|[Ss]afe|[Vv]ersion|[Nn]ode|[Ff]loor|[Pp]ump|[Gg]reenhouse|[Bb]uilding|[Rr]oute"
    r"|[Bb]us) (?:\d+[\w.]*|[A-Z])\b|\b\w+[a-z]\d{1,6}\b|\b[a-z]+[A-Z]\w*|\b\d+(?:st|nd|rd|th)\b|\b(?:19"
    r"|20)\d\d\b|\b\d{2,}\b|\d,\d"
)
_NAME = re.compile(
    r"^(?!(?:Any|Every|No|Some)\w*\b|(?:The|Our|My|Your|His|Her|Their|These|Those|In|On|At|For|And|But|All"
    r"|Both|Most|Many|Few|Two|Three|Four|Old|New|If|When|With|Without|After|Before|Why|How|Where|Please"
    r"|Thanks)\b|It\b|This|That|There|He\b|She\b|What|Who|Which|Someone|Here|Everyone"
    r"|Let)[A-Z][a-z]{2,}(?<!s) (?:also |still |now )?(?!(?:is|was|has|as|does|this|always|yes|us|vs|works"
    r"|looks|seems)\b)[a-z]{3,}s\b(?! (?:me|fine|good|great))|\b(?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|twelve|twenty|thirty) (?:hours|days|weeks|months|years|minutes|euros|dollars)\b|\b(?:until"
    r"|till|before|after|at) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
    r"|midnight)\b|\b(?:St|Dr|Mr|Mrs|Ms|Prof)\. [A-Z]\w+|(?<=[\w,)] )(?!I\b|I'|OK\b|(?:API|CSV|JSON|SQL"
    r"|HTML|CSS|XML|PDF|URL|TODO|HTTP|YAML|CLI|GPU|CPU|RAM|SDK|FAQ|LLM|README|UTC|MB|GB|KB|TB|EUR|USD|CEO"
    r"|PR|CI|UI|IO|AND|NOT)\b)[A-ZÀ-Þ\u0100-\u017f][\w'’-]{2,}|\b[A-Z]{1,3}-?\d+\b"
)
# A name begins with a capital, and what does not has one of these words.
_LAPSE_WORDS = "hours days weeks months years minutes euros dollars until till before after at"
_LAPSES = Listed(_LAPSE_WORDS)
_CAPITAL = re.compile(r"[A-Z]")
# Every exact form has one of these in its first word or the one after.
# It begins with a plain set of characters, so that looking for it is fast.
_ODD = re.compile(
    r"[\d/_\\$€£¥.A-Z-](?:(?<=[\d/_\\$€£¥])|(?<=\.)[a-z]|(?<=[a-z][A-Z])|(?<=[A-Z])-[A-Z]|(?<=\b[A-Z])\b"
    r"|(?<=\btwo-)|(?<=\bsix-)|(?<=\bten-)|(?<=\bfour-)|(?<=\bfive-)|(?<=\bthree-))"
)
# The words in small letters with which an exact form can begin that has a space in it.
_LEADING_WORDS = (
    "in on at of to from for the by under near behind via with two three four five six ten section row room"
    " seat table column lot page chapter gate slot box unit block safe version node floor pump greenhouse"
    " building route bus"
)
_LEADING = frozenset(_LEADING_WORDS.split())
_REACH = 24


@lru_cache(1024)
def exact(text: str) -> str:
    """Return what is exact in a sentence, the surest first; nothing, if there is nothing.

    >>> exact("The vents open at 31 °C"), exact("Ask Marisol in Oslo first"), exact("Go on with the next one")
    ('31 °', 'Marisol', '')
    """
    if found := strong(text):
        return found
    match = _at_odd(text)
    if match is None or match[0].isdigit():
        match = _named(text) or match
    return match[0] if match else ""


def _named(text: str) -> re.Match[str] | None:
    """Return the first name or lapse of time."""
    if not text.isascii() or _LAPSES.are_in(text.lower()):
        return _NAME.search(text)
    return next(
        filter(None, (_NAME.match(text, capital.start()) for capital in _CAPITAL.finditer(text))), None
    )


def _at_odd(text: str) -> re.Match[str] | None:
    """Return the first exact form, looked for only around what is odd."""
    odd = _ODD.search(text)
    while odd:
        if found := _EXACT.search(text, _beginning(text, odd.start()), odd.end() + _REACH):
            return found
        odd = _ODD.search(text, odd.end() + 1)
    return None


def _beginning(text: str, at: int) -> int:
    """Return where an exact form with something odd at a place can begin."""
    first = at
    for _ in range(3):
        first = max(0, text.rfind(" ", 0, first))
    # Only few small words belong to what stands behind them: "at noon", "row 4".
    before = text[first:at]
    is_plain = before[-1:] == " " and before.islower() and before.isascii()
    if is_plain and before.replace(" ", "").isalpha() and _LEADING.isdisjoint(before.split()):
        return at
    return first
