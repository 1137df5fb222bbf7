"""What a statement only moves, and does not name: a date by a week, a number to half, a rule that is no more.

It says by how much something is otherwise, or that it is no longer so, and often not of what. So it may be of
the latest statements that can be moved so: dates by lapses of time, amounts by factors, rules by an end.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.gates import gated
from gateway.core.ledger.reading import read

_SPELT = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|a hundred|a thousand|half a|half an|a couple of|a few|a)"
)
_NUMBER = rf"(?:[$€£¥]?\d[\d.,]*%?k?|{_SPELT})"
_LAPSE = r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|quarters?|years?|sprints?)"
_ZH_NUMBER = r"[\d一二两三四五六七八九十半几]{1,4}"
_TIME_WORDS = (
    r"\b(?:slip(?:s|ped)?|slid(?:e|es)?|postpone[sd]?|delay(?:s|ed)?|defer(?:s|red)?|reschedule[sd]?"
    r"|pushed back|pushed out|moved (?:up|back|forward)|brought forward|held up|behind schedule"
    r"|ahead of schedule"
    rf"|(?:push|pull|mov|bring|shift|bump|extend|kick|put)\w*(?: \S{{1,20}}){{0,4}} (?:by )?{_NUMBER}[ -]"
    rf"{_LAPSE}"
    rf"|another {_LAPSE}|(?:another|an extra|one more|an additional) (?:{_NUMBER}[ -])?{_LAPSE}"
    rf"|(?:gave|give|gives|given|got|get|gets|have|has|granted|add|adds|added)(?: \S{{1,20}}){{0,3}}"
    rf" {_NUMBER} (?:more |extra |additional ){_LAPSE}"
    rf"|{_NUMBER}[ -]{_LAPSE} (?:later|earlier|sooner|ahead|extra|more|longer|back)\b(?! than))\b"
)
_ZH_TIME = re.compile(
    r"顺延|推迟|推后|[延押]后|延[期迟了]|往[后前][推挪拖延提]|提前|提早|改期|宽限"
    rf"|[晚早]{_ZH_NUMBER}个?(?:分钟|小时|钟头|天|周|星期|月|年)"
    rf"|(?<![最至很太不])[多再][给延等缓留]?(?:我们?|咱们?|了)?{_ZH_NUMBER}个?(?:小时|钟头|天|周|星期|月)"
)
_AMOUNT_WORDS = (
    r"\b(?:doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|halv(?:e|es|ed|ing)|quadrupl\w+"
    r"|twice (?:that|as much|as many|the)|half (?:of )?(?:that|it|as many|as much|the)"
    r"|(?:a|one|two) (?:quarters?|thirds?|fifths?|tenths?) (?:of (?:that|it|the)|more|less)"
    rf"|(?:another|an extra|an additional|extra) {_NUMBER}\b(?![ -]{_LAPSE})"
    rf"|(?:up|down|more|less|higher|lower|go|raise|lower|cut|trim|shave|knock|add|take|drop|increase|reduce)"
    rf"(?: \S{{1,12}}){{0,2}} by (?:{_NUMBER}|half|a third|a quarter)"
    rf"|(?:knock|shave|take|trim|cut|chop) (?:{_NUMBER}|half|a third|a quarter)\b.{{0,20}}\boff"
    rf"|{_NUMBER} (?:more|fewer|less|extra|higher|lower)\b(?! than)"
    r"|(?:times|x) (?:two|three|four|\d)\b)"
    # It stands for the number itself: "a quarter of that".
    r"|\b(?:\d{1,3} ?%|\w+) of that(?: much)?\b(?! (?:is|was|matters|makes))"
)
_ZH_AMOUNT = re.compile(
    rf"翻[一两]?[倍番]|减半|加倍|[砍减压缩降打]?一半(?!是)|再[加减多少]{_ZH_NUMBER}|[上下][浮调]"
    rf"|(?<![最至很太不多])[多少加减](?:[给批拨发收]了?|了){_ZH_NUMBER}|(?<![最至很太不多])[多少加减]{_ZH_NUMBER}[个次条页字行份元块人]"
)
_END_WORDS = (
    r"\b(?:no longer|not anymore|(?:not|don't|doesn't|isn't|aren't|won't|no)\b.{0,60}\b(?:any ?more"
    r"|any longer)"
    r"|needn't|(?:don't|do not|doesn't) (?:have|need) to\b.{0,60}\b(?:again|every|always|each)"
    r"|stop (?:doing|asking|using|adding|sending|writing)|no need)\b"
)
_ZH_END = re.compile(r"不再|不用[再老总天每都问]|别[再老总]|[不没]必(?:再|要)?|用不着|没必要|甭")
_TIME, _AMOUNT, _END = gated(_TIME_WORDS), gated(_AMOUNT_WORDS), gated(_END_WORDS)
_ANY = gated("|".join((_TIME_WORDS, _AMOUNT_WORDS, _END_WORDS)))
_MOST_CHARS = 160
"""What says more than that says of what it is."""

_DATED = ("date", "time")
_RULES = (Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.PREFERENCE)
_MEASURED = (Kind.LIMIT, Kind.VALUE, Kind.GOAL)


class Move(Enum):
    """What is moved."""

    TIME = 4
    AMOUNT = 5
    RULE = 2

    @property
    def most(self) -> int:
        """How many of the latest can be meant."""
        return self.value


@lru_cache(2048)
def moved(sentence: str) -> Move | None:
    """Return what a plain sentence moves without naming its value; nothing, if it moves nothing.

    >>> moved("marketing slipped us by nine days"), moved("try doubling it"), moved("the port is 8443")
    (<Move.TIME: 4>, <Move.AMOUNT: 5>, None)
    """
    if len(sentence) > _MOST_CHARS:
        return None
    is_han = not sentence.isascii()
    if not is_han and not _ANY.search(sentence):
        return None
    if _TIME.search(sentence) or (is_han and _ZH_TIME.search(sentence)):
        return Move.TIME
    if _AMOUNT.search(sentence) or (is_han and _ZH_AMOUNT.search(sentence)):
        return Move.AMOUNT
    if _END.search(sentence) or (is_han and _ZH_END.search(sentence)):
        return Move.RULE
    return None


def gives_date(text: str) -> bool:
    """Return whether a text gives a day or a time of day."""
    return any(form in _DATED for form, _ in read(text).values)


def can_move(move: Move, kind: Kind, text: str) -> bool:
    """Return whether what was said so can be moved so.

    >>> can_move(Move.TIME, Kind.VALUE, "The launch is on March 12.")
    True
    >>> can_move(Move.AMOUNT, Kind.VALUE, "The launch is on March 12.")
    False
    """
    if move is Move.RULE:
        return kind in _RULES
    if move is Move.TIME:
        return gives_date(text)
    forms = {form for form, _ in read(text).values}
    if any(form in ("money", "percent") or form.startswith("n ") for form in forms):
        return True
    return "n" in forms and kind in _MEASURED
