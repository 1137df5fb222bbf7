"""Words by which a statement may lift a rule or report a task done, if it is about the same.

Far wider than those of `turns`, and read only when entries are settled: alone they mean nothing.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated
from gateway.core.ledger.turns import GENERAL, is_han

# Read only when entries are settled, and only of what a rule is about: it is lifted. One word of each.
_AGAIN_WORDS = "longer more anymore after again now back"
_AGAIN = frozenset(_AGAIN_WORDS.split())
_RULING_WORDS = (
    "may can ok okay fine allowed free need have has must matter matters limit cap restriction"
    " restrictions restricted rule rules ban required work works safe possible welcome happy open"
    " public"
)
_RULING = frozenset(_RULING_WORDS.split())
_LIFTED_WORDS = (
    "dropped removed lifted ended scrapped abolished waived cancelled canceled rid gone expired scrap"
    " forget ignore disregard over revoked withdrawn void obsolete history moot stop quit whatever"
)
_LIFTED = frozenset(_LIFTED_WORDS.split())
LIFTS = gated(
    r"\b(?:isn't|is not|aren't|not) (?:a must|necessary|needed|required|mandatory|important|a (?:rule"
    r"|problem|requirement))\b"
    r"|\bany (?:\w+ )?(?:will do|goes|works|is fine|is ok)\b|\bas (?:many|much|long|often) as (?:you|they"
    r"|we) (?:like|want)\b"
    r"|\b(?:can|may) be \w+(?:ed|en|t|ne)\b|\b(?:is|are|'re|'s) (?:ok(?:ay)?|fine|allowed|free|welcome"
    r"|permitted|happy)\b"
    r"|\byou (?:may|can)\b|\b(?:ok|fine) too\b|\bno (?:\w+ )?(?:limit|cap|restrictions?|need)\b"
)
# Read only when entries are settled, and only with a task that is about the same: it is done.
FINISHES = gated(
    r"\b(?:is|are|was|were|been|be|got|has|have|i|we|they|she|he|you|it)(?:'ve|'s|'d)? (?:now |already "
    r"|just |all |finally |both )*"
    r"(?:\w+(?:ed|en)|sent|done|built|paid|made|bought|met|found|fixed|told|wrote|went|gone|out|in|up|dealt"
    r"|spoke)\b"
    r"|^(?:\W|ok|okay)*(?:\w+ed|sent|done|paid)\b|: (?:\w+ed|done|sent|ok)[.!]?$|\bwent out\b|✓|✅|\[x\]"
)
_FINISHED = re.compile(
    r"[a-z]e[dn]\b|\b(?:sent|done|built|paid|made|bought|met|found|told|wrote|went|gone|out|dealt)\b|[✓✅x]"
)
ZH_FINISHES = re.compile(
    r"(?:已经?|都|刚).{1,14}了?|[\u4e00-\u9fff](?:好|完|掉|过)?了[。！!]?$|完成|搞定|[修做写办弄补改]好"
)

ZH_LIFTS = re.compile(
    r"(?:可以|能|允许|打开|开放|解禁|恢复)(?!吗)[^，。；吗]{0,20}了|不[用必需再]|作废|取消|解[除禁]|撤销|都[行可好]|随便|无所谓|废[除止]|放开|没有限制|不限"
    r"|可以.{0,12}(?:打开|用|动|改|发|合并|联系|修改)"
)


def finishes(sentence: str) -> bool:
    """Return whether a plain sentence may report a task done, if it is about the same."""
    if GENERAL.match(sentence) or not (is_han(sentence) or _FINISHED.search(sentence)):
        return False
    return bool(FINISHES.search(sentence)) or bool(is_han(sentence) and ZH_FINISHES.search(sentence))


def lifts(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence of these words may lift a rule, if it is about the same."""
    if GENERAL.match(sentence):
        return False
    if not words.isdisjoint(_LIFTED) or not (words.isdisjoint(_AGAIN) or words.isdisjoint(_RULING)):
        return True
    if not words.isdisjoint(_RULING | {"any", "as", "important", "necessary", "mandatory"}) and LIFTS.search(
        sentence
    ):
        return True
    return bool(is_han(sentence) and ZH_LIFTS.search(sentence))
