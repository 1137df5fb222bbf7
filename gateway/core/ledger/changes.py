"""Words by which a statement says that something changes, was wrong, or comes in addition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateway.core.ledger.gates import gated
from gateway.core.ledger.openings import Listed


@dataclass(frozen=True, slots=True)
class Sign:
    """What a statement says about change."""

    changes: bool
    corrects: bool
    adds: bool


# A value takes the place of another. A row is added for a way to say so, not for a thing that changes.
CHANGES = gated(
    r"\b(?:now|nowadays|today|these days|effective|as of"
    r"|from (?:now|\w+day|today|tomorrow|next \w+|\w+) on\b"
    r"|starting|set|up to|down to|instead|update[sd]?|updating|(?<!\ba )(?<!\bany )new(?!ly)|changed?"
    r"|changes|changing)\b"
    r"|^(?:no,? )?it(?:'s| is) \S+$"
)
# It takes it for certain: its speaker was wrong, or something became another.
CORRECTS = gated(
    r"\b(?:actually|instead|correct(?:ion|ed|ing)?|i meant?|rather|after all|no longer|any ?more|any longer"
    r"|sorry"
    r"|oops|wait|wrong|wrongly|typo|mistake|error on my|mixed up|changed|changes|swapped|scratch that"
    r"|mis(?:read|typed|spelled|spelt"
    r"|counted|heard|remembered|stated|calculated|took|quoted|spoke)|should (?:read|have been)"
    r"|changed my mind"
    r"|change of plans?|on second thoughts?|make (?:it|that|the|this)|(?:use|take) (?:that|this|it|those)"
    r"|that's off|turned|forget|revised?|extension"
    r"|moved?|moving|switch(?:ed|es|ing)?|raise[sd]?|lower(?:ed|s)|increased?|reduced?|reduce|decreased?"
    r"|extend(?:ed)?"
    r"|rose|risen|fell|fallen|grew|grown|sank|climbed|jumped|c[ao]me (?:up|down)|gone (?:up|down)|tripled"
    r"|quadrupled|slashed|trimmed|hiked|upped|expanded|shortened|lengthened|prolonged|stretched"
    r"|scaled (?:up|down|back)|lifted to|set to"
    r"|postponed?|bump(?:ed)?|renamed?|shift(?:ed)?|push(?:ed)? (?:\w+ ){0,3}(?:back|out|to)"
    r"|brought (?:\w+ ){0,3}forward|became|has become|went (?:up|down)|go up to|adjust(?:ed)?|amend(?:ed)?"
    r"|replac(?:es|ed|ing)|overrid(?:e|es|den)|supersedes?|doubled|halved|relax(?:ed)?|tighten(?:ed)?"
    r"|loosen(?:ed)?"
    r"|migrated|downgraded?|upgraded?|drop(?:ped)?|takes? over|took over|taking over|swap|cut"
    r"|re(?!ad|port|gard|que|view|ceiv|cord|turn|ques|solv|mov|fund|leas|mind|spond|ject|stor)[a-z]{3,}ed"
    r"|(?:has|have|had|got|get|was|were|been|we|i|they|he|she)(?:'ve"
    r"|'s)? (?:since )?\w+ed (?:[\w'-]+ ){0,6}?to)\b"
    r"|\bnot (?:the |a |on |in |at |for |to )?[\w$€£#./:-]+[.!]?$|, not \b|\bnot .{1,30} but\b|→|->|=>"
)
_ZH_TURNED = r"[改换调变搬迁移升降涨减加增提延缩转推挪砍扩压]"
ZH_CHANGES = re.compile(
    rf"{_ZH_TURNED}[\u4e00-\u9fff]{{0,2}}?[到成为至用了]|[更修纠][新正改换]|现在|不再|其实|还是|应该?[是为]|不对|[搞说写看弄记打读抄给发填拿选贴算数听订传][错混反]|报错[价数号]|看岔|抱歉"
    r"|我(?:的意思)?是(?:说|指)|提[前高升]|推迟|放宽|收紧|调[整高低]|搬家|换号|而不是|不是|新的?|最新|从.{1,12}(?:起|开始|改|换)|以后"
    r"|重新|延[长期后]|缩短|降[低至为]|翻[倍番]|[上下]调|今后|追加|计划有变|变[成为更]|改[主约]|改[^\u4e00-\u9fff]|[改换]住"
)
# What must not be done changes nothing: "never drop a table". It is told apart from what is so no longer.
_NEGATED = re.compile(
    r"\b(?:never|do not|don't|must(?: not|n't)|may not|should(?: not|n't)|can(?:not|'t| not)|shall not"
    r"|(?:nobody|no one|nothing) (?:may|must|can|should|will|is to))"
    r" (?:ever |be |just |simply )*(?!mind\b|again\b)[a-z]+"
)
_NO = re.compile(r"\W*no (?!longer|more|less|fewer|later|earlier|need|wait)[a-z]")
_ZH_NEGATED = re.compile(
    r"(?:不要|别再?|不得|禁止|严禁|不许|不准|不能|不可以?|切勿|请勿)(?:随意|擅自|自行)?[\u4e00-\u9fff]{1,2}(?!成|为|用)"
)
# It is one more: what was said before stands.
ADDS = gated(
    r"\b(?:also|too|as well|additionally|in addition"
    r"|(?<!to )(?<!us )(?<!me )another(?! (?:day|week|month|hour|year|few))"
    r"|besides|on top of that|(?<!the )(?<!our )(?<!my )(?<!per )second(?!\W*$)|further(?:more)?"
    r"|(?<![-_])plus)\b"
    r"|^(?:and|plus)\b|另外|此外|(?:^|[，。；\s])还有|还有(?=\s?[\d一两几])|也(?!行|可|没|好|够|要看|不|跟|改|换|得)|再加|另一"
)


def affirmed(sentence: str) -> str:
    """Return a plain sentence without what it says must not be done.

    >>> affirmed("never change the files of team red")
    '… the files of team red'
    """
    if not sentence.isascii():
        sentence = _ZH_NEGATED.sub("…", sentence)
    return _NEGATED.sub("…", sentence)


def forbids(sentence: str) -> bool:
    """Return whether a plain sentence says what must not be done.

    >>> forbids("no deploys in july"), forbids("refunds without approval: 50 usd")
    (True, False)
    """
    if not sentence.isascii() and _ZH_NEGATED.search(sentence):
        return True
    return _NO.match(sentence) is not None or _NEGATED.search(sentence) is not None


def is_ban(sentence: str) -> bool:
    """Return whether a plain sentence begins with what forbids, and says of no other that it is over.

    >>> is_ban("no deploys in july"), is_ban("calls end at 18:30, no patients past that")
    (True, False)
    """
    begins = _NO.match(sentence) or _NEGATED.match(sentence) or _ZH_NEGATED.match(sentence)
    return begins is not None and not corrects(affirmed(sentence))


def changes(sentence: str) -> bool:
    """Return whether a plain sentence puts a value in the place of another."""
    return bool(CHANGES.search(sentence)) or corrects(sentence)


_SIGNS = (
    "now nowadays today effective from starting set up down instead update updated updates updating"
    " new changed change changes changing actually correct correction corrected correcting mean meant"
    " rather after longer anymore sorry oops wait wrong wrongly typo mistake error mixed swapped"
    " scratch misread mistyped misspelled misspelt miscounted misheard misremembered misstated"
    " miscalculated mistook misquoted misspoke should mind plan plans thought thoughts make off forget"
    " revise revised extension moved move moving switch switched switches switching raise raised"
    " raises lower lowered lowers increase increased reduce reduced decrease decreased extend extended"
    " postpone postponed bump bumped renamed shift shifted push pushed brought became become went"
    " adjust adjusted amend amended replaces replaced replacing override overrides overridden"
    " rose risen fell fallen grew grown sank climbed jumped came come gone tripled quadrupled slashed trimmed"
    " hiked upped expanded shortened lengthened prolonged stretched scaled lifted"
    " supersede supersedes doubled halved relax relaxed tighten tightened loosen loosened migrated"
    " downgraded downgrade upgraded upgrade drop dropped use takes took taking swap cut days it's but"
)
_SIGN_WORDS = frozenset(_SIGNS.split())
_SIGN_MARKS = (
    "ed ",
    "ed,",
    "any more",
    "any longer",
    "as of",
    ", not ",
    "→",
    "->",
    "=>",
    "it is ",
    " not ",
    "take over",
)


def may_change(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence of these words could say that something changes."""
    if not words.isdisjoint(_SIGN_WORDS) or not sentence.isascii():
        return True
    return any(map(sentence.__contains__, _SIGN_MARKS))


# Whatever corrects has one of these words, or one of the signs looked for below.
_CORRECTING_WORDS = (
    "actually instead correct correction corrected correcting mean meant rather after longer more anymore"
    " sorry oops wait wrong wrongly typo mistake error mixed changed changes swapped scratch misread"
    " mistyped misspelled misspelt miscounted misheard misremembered misstated miscalculated mistook"
    " misquoted misspoke should mind plan plans second make use take off turned forget revise revised"
    " extension move moved moving switch switched switches switching raise raises raised lowered lowers"
    " increase increased reduce reduced decrease decreased extend extended postpone postponed bump bumped"
    " rename renamed shift shifted push pushed brought became become went go adjust adjusted amend amended"
    " replaces replaced replacing override overrides overridden supersede supersedes doubled halved relax"
    " relaxed tighten tightened loosen loosened migrated downgrade downgraded upgrade upgraded drop"
    " dropped takes took taking swap cut not"
    " rose risen fell fallen grew grown sank climbed jumped came come gone tripled quadrupled slashed trimmed"
    " hiked upped expanded shortened lengthened prolonged stretched scaled lifted set"
)
_CORRECTING = Listed(_CORRECTING_WORDS)
_TO = Listed("to")
_REDONE = re.compile(r"re(?<![a-z]re)(?:d|[a-z]*ed)(?![a-z])")


def _may_correct(sentence: str) -> bool:
    """Return whether a plain sentence has a word or sign without which none corrects anything."""
    if _CORRECTING.are_in(sentence) or "→" in sentence or "->" in sentence or "=>" in sentence:
        return True
    if "ed" not in sentence:
        return False
    return _TO.are_in(sentence) or _REDONE.search(sentence) is not None


def corrects(sentence: str) -> bool:
    """Return whether a plain sentence does so for certain.

    >>> corrects("sorry, it is 12"), corrects("it is 12 now"), changes("it is 12 now")
    (True, False, True)
    """
    if _may_correct(sentence) and CORRECTS.search(sentence):
        return True
    return not sentence.isascii() and ZH_CHANGES.search(sentence) is not None


def adds(sentence: str) -> bool:
    """Return whether a plain sentence says one thing more."""
    return bool(ADDS.search(sentence)) and "make it" not in sentence and "make that" not in sentence


UNCHANGED = Sign(changes=False, corrects=False, adds=False)


def sign(sentence: str, words: frozenset[str]) -> Sign:
    """Return what a plain sentence of these words says about change."""
    if not may_change(sentence, words):
        return UNCHANGED
    sentence = affirmed(sentence)
    is_sure = corrects(sentence)
    is_change = is_sure or CHANGES.search(sentence) is not None
    return Sign(is_change, is_sure, is_change and adds(sentence))
