"""Parts of speech from which the English tables are built, and what a row of them is.

A row is a kind, the anchor words that make it worth a look (a sentence without any is never searched), and a
pattern on the sentence in lower case. A row is added for a wording of real users that none of them finds; it
must name its anchor, and must demand a sign that the speaker *sets* something: a verb in the imperative, a
modal, an "us". A word alone ("never", "only") also stands in every description.
"""

from __future__ import annotations

import re

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.openings import Listed

Row = tuple[Kind, str, str]

DIGIT = r"0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19"
"""Digits as people write them, within a set of characters: a class takes three times as long to find."""

S = "(?#start)"
"""Before an alternative: it is matched only where an imperative can begin. See `starts`."""

# Where an imperative can begin: at the start of a clause, or behind a word that leads to a verb.
_LEAD_WORDS = (
    "please pls plz kindly and but so then also just you we ok okay again or because that to should must"
    " shall will can could would may on forward future henceforth onward onwards hey hi sure important"
    " note here sake btw remember guys folks team otherwise instead however well rule time everything"
    " anything always ever today simply absolutely really definitely strictly friday monday night case"
    " circumstances when once till until unless code project repo session chat conversation answer answers"
    " replies"
)
_LEADS = frozenset(_LEAD_WORDS.split())
_LEADING = Listed(_LEADS)
# What ends a clause; at the end of a sentence nothing comes behind it.
_SIGN = re.compile(r"[-,;:.!?(\[|—–>\"“'*/#]")
_CLAUSE = re.compile(r"(?<![a-z])([a-z]++)\s|[,;:.!?(\[|—–>\"“'*/#]\s?|(?<=\s)-+\s")


def starts(sentence: str) -> list[int]:
    """Return where in a plain sentence an imperative can begin.

    >>> starts("so please push, then wait")
    [0, 3, 10, 16, 21]
    """
    if not _LEADING.are_in(sentence) and _SIGN.search(sentence, 0, len(sentence) - 1) is None:
        return [0]
    found = [0]
    for match in _CLAUSE.finditer(sentence):
        word = match[1]
        if word is None or word in _LEADS:
            found.append(match.end())
    return found


# Verbs behind "never" that tell what happened rather than what is to happen.
PAST = (
    r"(?!(?:mind|before|been|had|got|was|were|did|came|saw|went|found|knew|thought|understood"
    r"|heard|took|said|told"
    r"|felt|met|seen|happens?|works?|have|has|quite|really|a|an|the|know|knows|knew"
    r"|remember(?! to)|gets? old|tried|once)\b)"
    r"(?!(?!(?:exceed|proceed|need|embed|feed|seed|succeed|speed)\b)[a-z]+ed\b)"
)
# Imperatives that ask for nothing.
IDLE = (
    r"(?!(?:worry|mind|know|think|bother|hesitate|get me wrong|feel|panic|have|need|understand"
    r"|see|care|forget|believe|remember|recall"
    r"|suppose|guess|seem|even know|really|quite|like|want|sweat|you think|you agree|mention it"
    r"|be (?:shy|afraid|sorry)|work|trust me)\b)"
)

DO = (
    r"(?:use|answer|reply|respond|write|keep|call|address|refer|stick|follow|ask|check|confirm"
    r"|run|format|include|add|cite|quote|show"
    r"|send|put|name|prefix|sign|treat|leave|stay|avoid|limit|store|log|commit|deploy|test"
    r"|document|translate|speak|talk|explain|return"
    r"|wrap|start|begin|end|finish|notify|tell|ping|escalate|offer|mention|assume|respect|round"
    r"|convert|sort|make|give|let|work|push"
    r"|merge|touch|edit|read|change|modify|wait|stop|report|list|get|go|be|do|pin|bump|target"
    r"|import|save|create|open|look|point|provide"
    r"|state|label|tag|hide|mask|redact|encrypt|validate|prefer|present|output|print|update|build"
    r"|install|ship|release|query|fetch|verify"
    r"|double-check|consult|cc|copy|mark|remind|warn|flag|back|set|support|rely|round|justify"
    r"|spell|number|indent|link|attach|bring|pay|charge|bill|book|order|reserve|call|text|phone"
    r"|message|reach|transfer|issue|refund|collect|record|capture|track|measure|compute|calculate"
    r"|estimate|model|plot|chart|group|filter|exclude|join|refactor|rename|wire|rotate|squash"
    r"|rebase|prepare|schedule|take|describe|annotate|summari[sz]e|handle|connect|draft)"
)
LANGUAGE = (
    r"(?:plain |simple |formal |british |american |brazilian |us |uk |simplified "
    r"|traditional )?(?:english|french|german|spanish|italian|chinese|mandarin"
    r"|japanese|korean|portuguese|russian|dutch|polish|arabic|hindi|turkish|swedish|bullet(?:s"
    r"| points?)|markdown|plain text|json|yaml|full sentences"
    r"|prose|tables?|lower ?case|upper ?case|first person|third person|one (?:sentence|paragraph"
    r"|line)|metric|iso|utc)"
)
STYLE = (
    r"(?:short|brief|concise|terse|simple|formal|informal|casual|polite|succinct|crisp"
    r"|to the point|friendly|professional|neutral|verbose|detailed"
    r"|minimal|small|readable|consistent|lowercase|conversational|plain|warm|dry|direct)"
)
MANNER = (
    r"(?:(?:british|american|us|uk|oxford) (?:english|spelling)|spelling|metric|imperial|celsius"
    r"|fahrenheit|24-?h(?:our)?|12-?hour|iso|utc|tabs|spaces"
    r"|snake_case|camelcase|kebab-case|pascalcase|type (?:hints|annotations)|docstrings|f-strings"
    r"|single quotes|double quotes|semicolons|bullet points"
    r"|bullets|markdown|emojis?|plain (?:text|english)|conventional commits|oxford commas?"
    r"|headings|active voice|dark mode|sentence case|first names?|formal)"
)
NUMBER = (
    r"(?:[$€£¥~]?\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|(?:a )?hundred|(?:a )?thousand|half|a single|a couple|a dozen)"
)
DATE = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:mon|tue|wed|thu|fri)\b|tomorrow|tonight"
    r"|today|noon|midnight|eod|eow|cob|end of (?:the )?\w+|next (?:week|month|sprint|quarter"
    r"|\w+day)"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+(?:st|nd|rd"
    r"|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\d{4}-\d\d|\d\d?[/.]\d\d?|\d ?(?:am|pm|o'clock)|\d:\d\d|q[1-4]\b|christmas|easter|new year"
    r"|the (?:demo|release|launch|freeze|holidays?|weekend|review|audit|meeting|deadline)"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|this (?:week|month|sprint|quarter)|the \d+(?:st|nd|rd|th)"
)
