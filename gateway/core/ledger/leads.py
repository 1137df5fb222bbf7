"""Words that only lead to what is said: "By the way, …". What a statement says is looked for behind them."""

from __future__ import annotations

import re

# What only leads to what is said.
_LEAD = re.compile(
    r"(?:\W*(?:by the way|btw|oh|and|also|ok(?:ay)?|so|well|right|hey|hi|fyi|heads[- ]up|quick note|note"
    r"|one more thing|p\.?s\.?"
    r"|just so you know|for the record|before i forget|reminder|remember"
    r"|(?:and )?another thing)\b[\s,:;.!—–-]+)+"
    r"|(?:\W*(?:顺便(?:说一[句下]|提一下|问一下)?|对了|补充一[下点句]|另外|还有|好[的了吧]?|记一下|提醒一下|哦|嗯|那个)\s*[，：:,。、]+\s*)+",
    re.IGNORECASE,
)


def without_lead(text: str) -> str:
    """Return a text without the words that only lead to it.

    >>> without_lead("Oh, and by the way: the port is 80"), without_lead("顺便说一句，端口是80")
    ('the port is 80', '端口是80')
    """
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text
