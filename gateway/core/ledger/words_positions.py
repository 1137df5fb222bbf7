"""Words by which the place of a value in a statement is known.

A row is added for a way to give a value that leaves no doubt of what it is given to.
"""

from __future__ import annotations

import re

from gateway.core.ledger.topic import stem

_ABOUT = (
    r"(?:(?:now|currently|still|just|only|always|exactly|about|around|roughly|approximately|at|set (?:to|at)"
    r"|fixed (?:to|at)|limited to|capped at|kept at|called|named|at most|at least|no more than|no less than"
    r"|max\.?|min\.?|up to|under|below|over|above|due|the|in force:|[<>~≤≥]=?)\s*)*[\"'`“(]?[$€£¥₹]?\s?"
)
COPULAS = re.compile(
    rf"\b(?:(?:is|'s|be|was|stays|remains|equals|stands at)(?: \b(?:not (?:more|less) than))?)\s+{_ABOUT}$"
    rf"|\b(?:are)\s+{_ABOUT}(?=$)"
)
"""Ends in what says what something is."""
LABELLED = re.compile(rf"\s*(?:[:：→|]|(?<![=!<>])=)\s*{_ABOUT}$")
"""Ends in what a label gives the value behind it."""
PLACED = re.compile(
    rf"\b(?:is|'s|be)\s+(?:now |scheduled |planned |set |due |fixed )*(?:on|at|for|by|in|until)\s+{_ABOUT}$"
)
"""Ends in what says when something is."""
BOUNDS = re.compile(
    r"\b(?:at most|at least|no more than|not more than|no less than|no fewer than|no later than"
    r"|no longer than|more than|less than|fewer than|longer than|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?"
    r"|up to|under|exceed|go over|go beyond"
    r"|below|over|above|within|until|limit(?:ed)? (?:of|to)|cap(?:ped)? (?:of|at)|budget of|<=?|>=?|≤|≥)"
    r"\s?[$€£¥₹]?\s?$"
    r"|(?:最多|至多|不超过|不得超过|不能超过|最高|最大|至少|最少|不少于|不低于|不高于|超过"
    r"|上限|限额|预算|控制在|限制在|限)\s?[¥$€]?\s?$"
)
"""Ends in what bounds a measure."""
CALLED = re.compile(
    r"^(?:please |from now on |always )*(?:call|address) (?:me|us)(?: as)? [\"'“]?$"
    r"|^(?:please )?(?:name|call|title) (?:the|our|my|this) (?:[a-z]+ ){1,3}[\"'“]?$"
)
"""All that stands before a name that is asked for."""
IN_TONGUE = re.compile(
    r"^(?:please |always |only )*(?:answer|reply|respond|write|speak|talk)(?: to me)?(?: only)?(?: in)? $"
    r"|^(?:请|始终|一律|都|总是)*(?:用|以)$|(?:回答|回复|答复|交流|说话)(?:请|都)?用$"
)
"""All that stands before the language of the answers."""
ZH_GIVEN = re.compile(
    r"[\u4e00-\u9fffa-z0-9）)](?:[是为叫取](?:每[\u4e00-\u9fff]{1,2})?|定在|设为|设成|等于)\s?[“\"¥$€]?\s?$"
)
"""Ends in what says in Chinese what something is."""

SAYS_OF = re.compile(
    r"['’]s\b|[\"')]?\s(?:is|are|was|were|has|have|had|will|can|runs?|stays?|needs?|ships?|starts?|went|got"
    r"|must|should|may|isn't|wasn't|won't|hasn't|doesn't|does|did|ist|sind|war|hat|wird|muss|darf|est|sont"
    r"|es|está|son)\b|\s?(?:的|已|正在|必须|坏了|不得|不能)"
)
"""Stands behind what a statement is about."""
VAGUE = re.compile(
    r"\W*(?:there|here|this|that|it|a|an|one|some|another|someone|something|anything|others?"
    r"|有(?:一|个|些)|这|那|它)\b"
)
"""Begins what does not say of which thing it is."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


GENERAL = _stems(
    "the a an our my your his her their its this that these those todo task rule note notes important"
    " warning reminder remember constraint constraints requirement prohibition forbidden prohibited never"
    " always please must do don't no not attention careful info fyi also and or but if so then all any"
    " each every per by of for in on at to with from now today problem issue bug error fix question"
)
"""Words that name nothing that has a value of its own."""
MEASURED = _stems(
    "limit cap budget timeout max min maximum minimum price cost fee rent quota threshold size length width"
    " height weight rate speed port version temperature volume age count total retries attempts interval"
    " delay ttl balance score deadline salary discount"
)
"""Words that name what a number is given to, and not a thing by its number."""
_NO_LABELS = (
    "the a an of to in on at by for from with and or than about is are was be been has have under over"
    " below above within until till only exactly most least less more max min up down every each per"
    " after before around roughly nearly almost all any no not these those last next first past another"
    " other some keep retry use allow send take takes give spend wait weighs seats reads costs holds"
    " make set try run cut raise raised lower lowered add needs need got get had were maximum minimum"
    " total cite serve say says now then just like equals limit between la le les el los las der die das"
    " den dem ist est es son into since during as plus minus times"
)
NO_LABELS = frozenset(_NO_LABELS.split())
"""Words before a number by which no thing is named."""
ZH_THING = re.compile(r"[号室床栋组班]|章|节")
"""Behind the number of a thing."""
ZH_NAMED = re.compile(r"[\u4e00-\u9fff]{1,3}\s?$")
"""Before the number of a thing."""
MANY = _stems("ticket order invoice issue file commit error bug case item see link reference")
"""Labels of which each statement may give another thing."""
