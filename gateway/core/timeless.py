"""The time, told from what else a system message says.

Clients write it anew into the first message of the list: Agno with each question, opencode and pi when a
session goes on the next day. A conversation is the same one all the same.
"""

from __future__ import annotations

import re

_DAY = r"(?:Mon|Tue|Tues|Wed|Wednes|Thu|Thurs|Fri|Sat|Satur|Sun)(?:day)?"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_TIME = (
    r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)\b)?"
)
_DATE = (
    rf"(?:\b{_DAY},? )?(?:\b20\d\d-\d\d-\d\d(?!\d)|\b20\d\d/\d{{1,2}}/\d{{1,2}}\b"
    rf"|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}\b|\b\d{{1,2}} {_MONTH},? \d{{4}}\b"
    rf"|\b{_MONTH} {{1,2}}\d{{1,2}}(?:st|nd|rd|th)?,? (?:{_TIME} )?\d{{4}}\b"
    rf"|\d{{4}}年\d{{1,2}}月\d{{1,2}}日(?: ?(?:星期|周)[一二三四五六日天])?)(?:,? \(?{_DAY}\b\)?)?"
)
# All begin with a digit, or with the capital of a day or month: the look ahead makes it fast.
_CLOCK = re.compile(rf"(?=[\dADFJMNOSTW])(?:{_DATE}(?:(?:T|,? (?:at )?){_TIME})?|(?<![\d:]){_TIME}(?![\d:]))")


def timeless(text: str) -> str:
    """Return a text with one mark for every date and time in it, however they are written.

    >>> timeless("Today is Saturday, 28 November 2026. It is 23:41:43 UTC. Port 8080.")
    'Today is {time}. It is {time}. Port 8080.'
    """
    return _CLOCK.sub("{time}", text)
