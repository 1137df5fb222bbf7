"""What a text is about, derived from nothing but the text: content words, names, values, polarity.

Two entries are compared by these. Words that say how something is said ("please", "from now on", "the cap is
now") are left out, words that mean the same are one word, numbers, dates and languages are values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from gateway.core.ledger.decoys import plain
from gateway.core.ledger.gates import gated

_TOKEN = re.compile(r"[A-Za-z0-9_$€£¥#~/.À-ɏ][A-Za-z0-9_À-ɏ.:/@#%$€£¥,+~'-]*|[\u4e00-\u9fff]+|[^\W\d_]+")
_STRIP = ".,:;/-+~#"

# Words that carry no subject. A row is added when two statements of the same thing differ by it.
_STOP_WORDS = (
    "a an the this that these those it its it's i me my we us our you your they them their he"
    " she his her who which what where there here"
    " is are was were be been being am do does did done don't doesn't didn't has have had having"
    " can could will would shall should must may might"
    " cannot can't mustn't shouldn't won't wouldn't isn't aren't let let's lets please pls"
    " kindly just only also too so then and or but if when whenever"
    " of to in on at by for from with without into onto over under than as up down out off about"
    " per via within until till before after"
    " not no never none nothing nobody always ever every each all any some more most less fewer"
    " least very really actually now again still yet"
    " longer anymore instead rather new old sure make made keep use using used want need needs"
    " like ok okay fine yes well wait sorry"
    " set change changed changes changing update updated updates correct correction corrected"
    " mean meant move moved moving switch switched raise raised"
    " lower lowered increase increased reduce reduced extend extended postpone postponed bump"
    " bumped replace replaced replaces rename renamed revise revised"
    " forget scratch drop dropped ignore disregard cancel cancelled canceled revoke revoked lift"
    " lifted scrap strike withdraw remove-rule undo skip"
    " rule rules requirement requirements instruction instructions constraint constraints"
    " restriction restrictions policy thing things stuff part one"
    " going forward today onwards on henceforth future circumstances under said say says told"
    " back earlier previous previously original"
    " applies apply valid relevant necessary required mandatory allowed permitted free feel"
    " welcome okay avoid refrain forbidden prohibited prohibit banned"
    " exceed maximum-of current currently own first last next get got give go goes went take"
    " thats i'd i'll i'm we'll we're you're we've i've"
    " actual value values number effective become became anything something don dont task item"
    " todo request reminder remind mark"
    " prefer prefers preferred preference preferably rather love hate because since reason"
    " due-to finished completed complete finish already finally everything stay stays"
)
_STOP = frozenset(_STOP_WORDS.split())
SAME = {
    word: words.split()[0]
    for words in (
        "limit cap caps capped ceiling maximum max limits limited upper",
        "budget spend spending spent cost costs budgets money",
        "deadline due deliver delivery deadlines",
        "answer answers reply replies respond response responses answering",
        "delete remove deletes removing deleting deletion",
        "repo repository",
        "minimum min",
        "database db databases",
        "prod production",
        "deploy deployment deployments deploying deployed deploys ship release",
        "employ employee",
        "retry retries attempt attempts tries",
        "word words",
        "hour hours hrs h",
        "minute minutes mins",
        "second seconds secs sec s",
        "day days",
        "token tokens",
        "eur euro euros €",
        "usd dollar dollars $",
        "gbp pound pounds £",
        "cny rmb yuan ¥",
        "page pages",
        "line lines",
        "mb megabytes megabyte",
        "gb gigabytes gigabyte",
        "push pushes pushing pushed",
        "test tests testing",
        "email emails mail mails",
        "call refer address",
        "config configuration",
        "commit commits committing",
        "touch edit modify alter",
    )
    for word in words.split()
}
"""What stands for each of these words: the first of those that mean the same."""
_UNITS_WORDS = (
    "word hour minute second day token eur usd gbp cny page line mb gb retry kb tb ms percent"
    " week month people request char character item sentence bullet point"
)
_UNITS = frozenset(_UNITS_WORDS.split())
_VALUE_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday tomorrow tonight noon midnight"
    " january february march april june july august september october november december"
    " english french german spanish italian chinese mandarin japanese korean portuguese russian"
    " dutch polish one two three four five six seven eight nine ten twelve fifteen twenty thirty"
    " forty fifty sixty hundred thousand half"
    " british american metric imperial tabs spaces light dark bullet prose table markdown"
)
VALUE_WORDS = frozenset(_VALUE_NAMES.split())
_ZH_VALUES = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天末]|[一二三四五六七八九十两百千万]+(?=[个次元天字分小周月号点份行条页秒人块毛年日])|(?:中文|英文|英语|日语|日文|法语|德语"
    r"|简体|繁体)|明天|后天|今天|月底|年底|中午|下班"
)
_ZH_STOP = re.compile(
    r"千万|绝对|严禁|禁止|不得|不许|不准|不允许|不可以|不能|不要|切勿|请勿|避免|务必|必须|一定要?|一律|始终|永远|总是|每次|所有|任何|只能|只准|只用|只|仅限"
    r"|除非|记住|记得|确保|请|麻烦|以后|今后|从现在开始|从现在起|从今天起|现在|目前|已经|已|改成|改为|改到|改用|改|调整为|调整到|调整|调为|调到|更新为|更新|更正"
    r"|换成|换用|换为|变成|变为|提高到|提升到|降到|降低到|增加到|减少到|推迟到|推迟|提前到|提前|延长到"
    r"|取消|作废|撤销|撤回|废除|解除|忽略|忘了|忘掉|不再|不用再|不必再|不用|不必|需要|不需要|需|要求|规则|规定|限制|约束|那条|这条|之前|刚才|前面|说的|关于|了"
    r"|的|是|为|在|把|将|被|给|我们|我|你们|你|他们|她|他|它|这个|那个|这|那|都|就|也|还|再|又|可以|允许|应该|应当|要|会|能|用|使用|和|与|或|以及|到"
    r"|从|由|对|于|吧|吗|呢|啊|哦|嗯|最多|至多|不超过|超过|最高|最大|上限|以内|之内|至少|最少|控制|设置|设为|设|其实|而不是|不是|实际|算了|任务|待办|完成|做完"
    r"|搞定|弄好|别|先|则|等|有|个|次|重新|继续|直接|随时|当前|新|搬到|迁移到|移到|切换到|切到|一下|帮|不|时|后|前"
)
_NEGATIVE = gated(
    r"\b(?:never|not|no|nothing|nobody|none|avoid|refrain|stop|forbidden|prohibited|banned|cannot"
    r"|hands off|off[- ]limits|without|stay away|hate|dislike)\b|n't\b|千万别|[不别勿禁]|避免"
)
_DIGIT = re.compile(r"\d")
_ODD = frozenset("/_.-")
_COUNTRIES = ("US", "IT")
"""Names that are common words in lower case."""


class Topic(msgspec.Struct, frozen=True):
    """What a text is about."""

    words: frozenset[str]
    """Content words, without names and values."""
    names: frozenset[str]
    """Words written with a capital where none is due, or otherwise odd."""
    values: frozenset[str]
    """Numbers, dates, identifiers, languages."""
    text: str

    @property
    def is_negative(self) -> bool:
        """Whether it forbids or denies something."""
        return _is_negative(self.text)

    @property
    def units(self) -> frozenset[str]:
        """What its numbers count."""
        return self.words & _UNITS

    @property
    def subject(self) -> frozenset[str]:
        """Everything but the values."""
        return self.words | self.names


def topic(text: str) -> Topic:
    """Return what a text is about.

    >>> sorted(topic("Please keep the budget cap for EU ads at 500 EUR").words)
    ['ad', 'budget', 'eur', 'limit']
    """
    found: tuple[set[str], set[str], set[str]] = set(), set(), set()
    words, names, values = found
    is_first = True
    # No token has a space in it, and most of what stands between spaces is a word.
    runs = text.replace("’", "'").split()
    told = list(map(_word, runs))
    words.update(filter(None, told))
    for at in [at for at, word in enumerate(told) if word is None]:
        is_first = is_first and (at == 0 or told[at - 1] is None)
        for token in _TOKEN.findall(runs[at]):
            parts = _of_han(token) if "\u4e00" <= token[0] <= "\u9fff" else _parts(token, is_first)
            for kind, part in parts:
                found[kind].add(part)
            is_first = token[-1] in ".:"
    words.discard("")
    return Topic(frozenset(words), frozenset(names), frozenset(values), text)


@lru_cache(2048)
def _is_negative(text: str) -> bool:
    return _NEGATIVE.search(plain(text)) is not None


_WORDS, _NAMES, _VALUES = range(3)


# Most words of a conversation come again and again in it.
@lru_cache(4096)
def _word(token: str) -> str | None:
    """Return the word that a token is wherever it stands, nothing if it is of no subject; None: neither."""
    if not (token.isascii() and token.isalpha() and token.islower()):
        return None
    parts = _parts(token, is_first=False)
    if not parts:
        return ""
    return parts[0][1] if parts[0][0] == _WORDS else None


@lru_cache(4096)
def _parts(token: str, is_first: bool) -> Sequence[tuple[int, str]]:
    """Return what a token that is no Chinese says, each with what it is: a word, a name or a value."""
    token = token.strip(_STRIP)
    small = token.lower()
    if token in _COUNTRIES:
        return ((_NAMES, small),)
    if not small or small in _STOP:
        return ()
    if small.isdecimal():
        return ((_VALUES, small),)
    if not small.isalpha() and _DIGIT.search(small):
        return tuple(_of_value(small))
    if small in VALUE_WORDS:
        return ((_VALUES, small),)
    if small in SAME or small in _UNITS:
        return ((_WORDS, SAME.get(small, small)),)
    if not _ODD.isdisjoint(small) or (token[0].isupper() and not is_first):
        return ((_NAMES, small),)
    return ((_WORDS, stem(small)),)


def _of_value(small: str) -> Iterator[tuple[int, str]]:
    """Take a token with digits apart: what it counts, or the stem of a numbered name, is a word."""
    value = small.strip("$€£¥%").replace(",", "")
    if small[0] in "$€£¥":
        yield _WORDS, SAME[small[0]]
    head = re.match(r"([a-z]{2,})[-_]?\d+$", small)
    if head:
        yield _WORDS, stem(head[1])
    tail = re.fullmatch(r"\d[\d.,]*([a-z]{1,8})", small)
    if tail and (tail[1] in SAME or tail[1] in _UNITS):
        if value != small:
            yield _VALUES, value
        value = small[: tail.start(1)].replace(",", "")
        yield _WORDS, SAME.get(tail[1], tail[1])
    yield _VALUES, value


def _of_han(run: str) -> Iterator[tuple[int, str]]:
    yield from ((_VALUES, value) for value in _ZH_VALUES.findall(run))
    yield from ((_WORDS, word) for word in han_words(_ZH_VALUES.sub(" ", run)))


def han_words(run: str) -> list[str]:
    """Return the pairs of characters, or lone ones, of what is no stop word in a run of Chinese.

    >>> han_words("预算改成")
    ['预算']
    """
    found: list[str] = []
    for part in _ZH_STOP.sub(" ", run).split():
        found += [part] if len(part) == 1 else [part[i : i + 2] for i in range(len(part) - 1)]
    return found


@lru_cache(4096)
def stem(word: str) -> str:
    """Return a word without the endings by which its forms differ.

    >>> stem("retries"), stem("deploying"), stem("libraries")
    ('retry', 'deploy', 'library')
    """
    word = SAME.get(word, word)
    if word.endswith("'s"):
        word = word[:-2]
    if len(word) > 4 and word.endswith("ies"):
        return SAME.get(word[:-3] + "y", word[:-3] + "y")
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = word[: -len(ending)]
            # "plotting", "shipped"; "add" and "app" keep both.
            if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt" and word[-3] in "aeiou":
                word = word[:-1]
            break
    if len(word) > 2 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 4 and word.endswith("e"):
        word = word[:-1]
    return SAME.get(word, word)


def masked(text: str) -> str:
    """Return a text without its values, to tell what they were of.

    >>> masked("Budget cap: 500 EUR")
    'Budget cap: … EUR'
    """
    return re.sub(r"…(?:\s*…)+", "…", _ZH_VALUES.sub("…", _TOKEN.sub(_mask, text))).strip()


def _mask(token: re.Match[str]) -> str:
    bare = token[0].strip(_STRIP).lower()
    if bare in VALUE_WORDS or (not bare.isalpha() and any(c.isdigit() for c in bare)):
        return "…" + token[0][len(token[0].rstrip(".,:;")) :]
    return token[0]
