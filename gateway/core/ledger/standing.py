"""What a user's sentence is where no table knows its wording: told by its form, and by what is exact in it.

The tables know many wordings, people use more. A user's prose is short, and little of it lasts: thanks,
questions, errands, what just happened. What is none of these and names something exact, or somebody's taste,
aim or choice, is carried, as the likeliest kind. A wrong kind costs nothing, a lost rule does.
"""

from __future__ import annotations

import re

from gateway.core.ledger import words_standing as signs
from gateway.core.ledger import words_standing_zh as zh
from gateway.core.ledger.entry import Kind
from gateway.core.ledger.exact import exact
from gateway.core.ledger.gates import gated
from gateway.core.ledger.turns import is_han
from gateway.core.ledger.values import strong

_BY_KIND = [
    (kind, frozenset(anchors.split()), re.compile(pattern)) for kind, anchors, pattern in signs.BY_KIND
]
_ZH_BY_KIND = [(kind, re.compile(pattern)) for kind, pattern in zh.ZH_BY_KIND]
_OPEN, _BOUND, _BAN, _MODAL = map(gated, (signs.OPEN, signs.BOUND, signs.BAN, signs.MODAL))
_ERRAND, _TELLS = map(gated, (signs.ERRAND, signs.TELLS))
_ZH_BAN, _ZH_RULE, _ZH_ERRAND, _ZH_TELLS = map(re.compile, (zh.ZH_BAN, zh.ZH_RULE, zh.ZH_ERRAND, zh.ZH_TELLS))

_LEAD = re.compile(
    r"(?:\W|please|pls|plz|kindly|ok|okay|so|and|but|also|then|now|well|hi|hey|hello|thanks|btw|by the way"
    r"|oh|not urgent|quick one|actually|basically|honestly|just|(?:can|could|would|will) you(?: please"
    r"| kindly| mind)?)*\b"
)
_WORD = re.compile(r"[a-z][\w'-]*")
_ZH_EXACT = re.compile(
    r"[0-9](?!\d*\s?[下次遍])|[A-Za-z][A-Za-z0-9_./-]+|[a-zA-Z](?= ?[列栏排区座楼厅室馆口门])"
    r"|(?!一点)[一二三四五六七八九十百千万两半]+(?:个人|小时|天|分钟|点(?!半?点)|块|元|字|页|稿|人|号|楼|栋"
    r"|月|周|年|台|件|份)|位小数|周[一二三四五六日]|星期[一二三四五六日天]"
)
# A short sentence on what something is or is called.
_ZH_IS = re.compile(
    r"(?:我们?(?:家|公司)?的)?(?![这那它他她我你就还也不可好问原但所因结错看]"
    r"|如果)[\u4e00-\u9fff]{2,8}(?:是|叫|姓)(?!不|否|因|为|这|那|什么|对|错|好|有"
    r"|没)[\u4e00-\u9fff]{2,12}(?:[。！，]|$)"
)
# A thing by its number: what was done with it is only told.
_LABEL = re.compile(r"(?:\w+ ){1,2}(?:\d{1,3}|[A-Z])")
# What is heard even where something is only told.
_SURE = (Kind.PREFERENCE, Kind.DECISION)
# A mere count or a lapse of time.
_SMALL = re.compile(r"\d{1,3}(?: (?:seconds?|minutes?|people|lines|rows|words|pages|hours?|days?))?")
_ACCOUNT_DIGITS = 6
_ZH_REPEATS = re.compile(r"都|每|一律|所有|以后|时|凡|谁|一旦|只要|如果|遇")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DIGIT = frozenset("0123456789")
# A number with a word of bounds close to it.
_NEAR = 24
_CAPPED = re.compile(
    rf"(?:{signs.BOUND}).{{0,16}}\d"
    r"|\d\W+(?:\w+\W+){0,3}(?:max|at most|tops|limit|that's all|or (?:less|more|fewer))"
)
# An order to put something in these words.
_WORDING = re.compile(r"\b(?:as|call|name|spell|title|say|write|instead of) (?:\w+ ){0,3}q_")
_CHAT = gated(signs.CHAT)
_ZH_CHAT = re.compile(zh.ZH_CHAT)
_LOOKS = gated(signs.LOOKS)
_DUTY = re.compile(r"\b(?:must|mustn't|shall|have to|has to|not to|supposed to|allowed to)\b")
_NUMBERS = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)"
_FIGURE = re.compile(r"\d+\.\d|\d{3}")
_FEW = re.compile(
    rf"{_NUMBERS} \w+(?: \w+)?,? (?:then|tops|max\w*|at most|no more|and (?:that's|no more|then))\b"
)
_THING = re.compile(r"(?:this|that|it)\b")
# A condition before an order.
_CONDITION = re.compile(
    r"(?:where|wherever|once|unless|should|as long as|in case|whenever|until|whoever|anyone|anybody|if|when"
    r"|for|with|instead of|rather than|except)\b[^,]{3,100}, ?(?:please |then |just |always |only |you "
    r"|do not |don't |never )*(\w+)"
)
_CHOSE = gated(signs.CHOSE)
_ROOM = gated(
    r"\b(?:we|i|they|you)(?:'ve| have)? (?:only |just )?(?:get|have|got)\b.{0,8}\d+ (?:minutes|hours|days"
    r"|weeks|months|seconds|people|euros|eur)\b|\b(?:room for|at most|no more than|at least"
    r"|up to)\b.{0,12}\d"
)


def kind_of(text: str, sentence: str) -> Kind | None:
    """Return the likeliest kind of a user's sentence, whose live part is *sentence*; None if it is idle.

    >>> kind_of("Orders to Oslo ship with the invoice.", "orders to oslo ship with the invoice.")
    <Kind.VALUE: 'Values'>
    >>> kind_of("Run the tests in a.py.", "run the tests in a.py.")
    """
    if is_han(sentence):
        return _in_chinese(sentence)
    sentence = sentence[_leading(sentence) :]
    words = _WORD.findall(sentence)
    if len(words) < 2:
        return None
    if words[0] in signs.VERBS or (words[1] in signs.ARTICLES and words[0] not in signs.NO_VERBS):
        return _order(text, sentence, words)
    return _statement(text, sentence, words)


def is_errand(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence only asks to look at something now.

    >>> is_errand("can you have a look at it?", frozenset("can you have a look at it".split()))
    True
    """
    return bool(_LOOKS.match(sentence)) and signs.REPEATS.isdisjoint(words)


def is_chat(text: str, sentence: str) -> bool:
    """Return whether a sentence only tells what was tried just now, or how something does, and no sure value.

    >>> is_chat("I opened a.py", "i opened a.py"), is_chat("I opened OPS-41", "i opened ops-41")
    (True, False)
    """
    if _ZH_ERRAND.match(sentence) and not _ZH_REPEATS.search(sentence):
        return not strong(text)
    return bool((_CHAT.match(sentence) or _ZH_CHAT.match(sentence)) and not strong(text))


def _leading(sentence: str) -> int:
    found = _LEAD.match(sentence)
    return found.end() if found else 0


def _order(text: str, sentence: str, words: list[str]) -> Kind | None:
    """Return what an imperative is: a rule if it has a condition, or is about things of a sort."""
    if len(words) < 4:
        return None
    if _WORDING.search(sentence):
        return Kind.RULE
    if words[0] not in signs.ERRANDS and exact(text) and not _ERRAND.search(sentence):
        return Kind.RULE
    lasts = not signs.REPEATS.isdisjoint(words) or _is_plural(words)
    if not lasts or (_ERRAND.search(sentence) and not (exact(text) and signs.CONDITION.search(sentence))):
        return None
    if not exact(text) and len(words) < 6:
        return None
    return Kind.LIMIT if _BOUND.search(sentence) and re.search(r"\d", sentence) else Kind.RULE


def _is_plural(words: list[str]) -> bool:
    """Return whether the object of an imperative is things of a sort: "quote prices", "mark each"."""
    for word in words[1:4]:
        if word in signs.DETERMINERS or word in signs.NO_VERBS:
            return False
        if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
            return True
    return False


def _statement(text: str, sentence: str, words: list[str]) -> Kind | None:
    if (
        (condition := _CONDITION.match(sentence))
        and condition[1] in signs.VERBS
        and not _ERRAND.search(sentence)
    ):
        return Kind.RULE
    if _FEW.match(sentence):
        return Kind.LIMIT
    for kind, anchors, pattern in _BY_KIND:
        if anchors.isdisjoint(words) or not pattern.search(sentence):
            continue
        if kind is Kind.PREFERENCE and _THING.match(sentence) and not exact(text):
            continue
        if kind is not Kind.DECISION or exact(text) or len(words) > 4:
            return kind
    particular = exact(text)
    if not particular:
        return _general(sentence, words)
    if _is_count(particular) and signs.DUTIES.isdisjoint(words) and not _is_capped(sentence, particular):
        return Kind.TASK if _OPEN.search(sentence) else None
    if _OPEN.search(sentence):
        return Kind.TASK
    if _TELLS.match(sentence):
        return _told(text, sentence, particular)
    if signs.PAST.search(sentence):
        return None if _SMALL.fullmatch(particular) else Kind.VALUE
    if _caps(sentence, particular):
        return Kind.LIMIT
    if _BAN.search(sentence):
        return Kind.PROHIBITION
    return Kind.VALUE if signs.STANDING.isdisjoint(words) else Kind.RULE


def _is_count(particular: str) -> bool:
    """Return whether what is exact is a bare number that is no year and no number of an account."""
    return particular.isdigit() and len(particular) < _ACCOUNT_DIGITS and not _YEAR.fullmatch(particular)


def _caps(sentence: str, particular: str) -> bool:
    """Return whether what is exact in a sentence is a bound."""
    if _is_count(particular):
        return _is_capped(sentence, particular)
    return not _DIGIT.isdisjoint(particular) and _BOUND.search(sentence) is not None


def _is_capped(sentence: str, number: str) -> bool:
    """Return whether a word of bounds stands close to a bare number."""
    at = sentence.find(number)
    return _CAPPED.search(sentence, max(0, at - _NEAR), at + len(number) + _NEAR) is not None


def _told(text: str, sentence: str, particular: str) -> Kind | None:
    """Return what a sentence about me, it or them is: a value, if what is exact in it is no mere count."""
    if _ROOM.search(sentence):
        return Kind.LIMIT
    if _CHOSE.search(sentence):
        return Kind.DECISION
    if strong(text) or (
        not _SMALL.fullmatch(particular)
        and not _LABEL.fullmatch(particular)
        and not _is_count(particular)
        and re.search(r"\d", particular)
    ):
        return Kind.VALUE
    if _FIGURE.search(text):
        return Kind.VALUE
    return Kind.RULE if _DUTY.search(sentence) else None


def _general(sentence: str, words: list[str]) -> Kind | None:
    """Return what a sentence without anything exact is: a rule, if it says what must be."""
    if len(words) < 5 or _TELLS.match(sentence) or not _MODAL.search(sentence):
        return Kind.TASK if len(words) > 5 and not _TELLS.match(sentence) and _OPEN.search(sentence) else None
    return Kind.PROHIBITION if _BAN.search(sentence) else Kind.RULE


def _in_chinese(sentence: str) -> Kind | None:
    particular = _ZH_EXACT.search(sentence)
    if _ZH_ERRAND.match(sentence) and not _ZH_REPEATS.search(sentence):
        return None
    is_told = particular is None and _ZH_TELLS.search(sentence)
    for kind, pattern in _ZH_BY_KIND:
        if len(sentence) > 5 and pattern.search(sentence) and (not is_told or kind in _SURE):
            return kind
    if particular is None and _ZH_IS.match(sentence):
        return Kind.VALUE
    if is_told:
        return None
    if _ZH_BAN.search(sentence) and len(sentence) > 5:
        return Kind.PROHIBITION
    if _ZH_RULE.search(sentence) and len(sentence) > 5:
        return Kind.RULE
    return Kind.VALUE if particular and len(sentence) > 5 else None
