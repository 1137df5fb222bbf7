"""The name of an environment variable in a policy: what is one, and what is more likely a key.

A file of policies is often shared, shown and stored; a key does not belong into it. So what looks like one is
refused, and is not repeated in what is said about it.
"""

from __future__ import annotations

import re

from gateway.core.summary.secrets import find

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_MOST_DIGITS = 6
"""A name of a variable has fewer; a key in hexadecimal has more."""


def name_problem(text: str) -> str | None:
    """Return what is wrong with the name of a variable, without repeating it; None: nothing.

    >>> name_problem("SUMMARIES_KEY"), name_problem("$SUMMARIES_KEY")
    (None, 'must be the name alone: no $, no braces')
    """
    if _is_name(text):
        return None
    if _is_name(text.strip("${} \n")):
        return "must be the name alone: no $, no braces"
    return (
        "must be the name of an environment variable, and this is none; if it is the key itself, take it out "
        "of this file, put it into a variable, say SUMMARIES_KEY, and write key_variable: SUMMARIES_KEY"
    )


def _is_name(text: str) -> bool:
    has_digits = sum(map(str.isdigit, text)) > _MOST_DIGITS
    return _NAME.fullmatch(text) is not None and not has_digits and not find(text)
