"""Labels that only number what follows: "Task 4: please look at it" tells no value.

People number what they ask for, and what an assistant has listed for them. Such a number is no limit and no
count, and speaks against none.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.ledger.segments import Segment

_THINGS = (
    "task|step|bug|point|question|file|ticket|issue|chapter|page|part|item|section|test|case|exercise|problem"
    "|example|slide|lesson|phase|stage|round|todo|story|pr|mr|commit|line|note|paragraph|figure|table|option"
    "|module|component|function|class|feature|milestone|sprint|iteration|attempt|try|turn|message|request"
    "|job|action|sub-?task|follow-?up|scenario|hypothesis|idea|draft|version|batch|q|no\\.?|number|nr\\.?"
)
_THINGS_ZH = "任务|步骤|问题|要点|章节|文件|工单|用例|例子|练习|模块|组件|阶段|需求|条目|步|题|条|点"
_LABEL = re.compile(
    r"\W{0,4}(?:(?:and|now|next|then|ok|okay|so|on to|for)[ ,]{1,2}){0,3}"
    rf"(?:(?:{_THINGS}) ?#?\d{{1,5}}[a-z]?(?: ?(?:of|/) ?\d{{1,5}})?|#\d{{1,6}})"
    r"(?:[ \t]{0,2}(?:\([^()]{1,60}\))?[ \t]{0,2}[:,.)–—-](?=\s|$)\s*|$)"
    rf"|\W{{0,4}}(?:(?:{_THINGS_ZH}) ?\d{{1,4}}|第 ?[\d一二三四五六七八九十百]{{1,4}} ?[^\W\d：:，,]{{1,5}})"
    r" ?[:：，、]\s*",
    re.IGNORECASE,
)
# Of these one is chosen: "take option 2".
_CHOSEN = frozenset(("option", "version", "batch", "module", "component", "draft", "number", "no", "nr", "q"))
_LISTED = "|".join(thing for thing in _THINGS.split("|") if thing.isalpha() and thing not in _CHOSEN)
_NUMBERED = re.compile(rf"\b({_LISTED}) #?\d{{1,5}}\b", re.IGNORECASE)
_NUMBER = re.compile(r" #?\d")
_NAMES = re.compile(rf"\b(?:{_LISTED})$", re.IGNORECASE)


# Asked when a sentence is searched, and when it may change something.
@lru_cache(512)
def unlabelled(text: str) -> str:
    """Return a sentence without a label that only numbers it; the sentence as it is, where there is none.

    >>> unlabelled("Task 4: please look at it."), unlabelled("Port 8443: TLS only")
    ('please look at it.', 'Port 8443: TLS only')
    """
    found = _LABEL.match(text)
    return text[found.end() :] if found else text


def bare(segment: Segment) -> Segment:
    """Return a piece of a message without such a label; the piece itself, where it has none."""
    text = unlabelled(segment.text)
    return segment if text == segment.text else segment._replace(text=text)


def unnumbered(text: str) -> str:
    """Return a sentence without the numbers that only name something of a list.

    >>> unnumbered("Test 5 fails in 30 s.")
    'Test fails in 30 s.'
    """
    # Only the word before a number is looked at: to look for them all takes ten times as long.
    if any(_NAMES.search(text, text.rfind(" ", 0, at) + 1, at) for at in map(_start, _NUMBER.finditer(text))):
        return _NUMBERED.sub(r"\1", text)
    return text


def _start(found: re.Match[str]) -> int:
    return found.start()
