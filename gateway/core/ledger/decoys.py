"""What looks like a rule and is none: reported, quoted, past, hypothetical, negated, asked, joked.

`live` returns a sentence with everything blanked that its speaker does not set as a rule now. What remains is
searched for cues, so a decoy in one clause does not hide a rule in the next ("the wiki says never, but we
always do").
"""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.ledger.words_decoys import BLANKS, RULING_BLANKS
from gateway.core.ledger.words_decoys_frames import (
    ADOPTING,
    ADOPTS,
    ASIDE_WORDS,
    ASIDES,
    CHANGED,
    RULING,
    TEXT_TASK,
    UNREAL,
    UNREAL_WORDS,
    ZH_ADOPTS,
    ZH_RULING,
    ZH_TEXT_TASK,
)
from gateway.core.ledger.words_decoys_zh import ZH_BLANKS, ZH_RULING_BLANKS, ZH_UNREAL

_WORD = re.compile(r"[a-z']+(?:\.[a-z]+)*")


def _index(rows: tuple[tuple[str, str], ...]) -> dict[str, list[int]]:
    """Return the numbers of the rows of a table by anchor."""
    index: dict[str, list[int]] = {}
    for number, (anchors, _) in enumerate(rows):
        for anchor in frozenset(anchors.split()):
            index.setdefault(anchor, []).append(number)
    return index


# First what others and the past rule, as long as their words are whole.
_TABLE = (*RULING_BLANKS, *BLANKS)
_PATTERNS = [re.compile(pattern) for _, pattern in _TABLE]
_INDEX = _index(_TABLE)

# 「…」 and the like; a pair of straight single quotes only where no letter touches it from outside.
_QUOTED = re.compile(
    r"\"[^\"]{2,400}\"|“[^”]{2,400}”|「[^」]{2,400}」|『[^』]{2,400}』|«[^»]{2,400}»"
    r"|‘[^’]{2,400}’(?!\w)|(?<!\w)'[^']{2,400}'(?!\w)|`[^`]{1,200}`|《[^》]{1,60}》"
    # A quotation of several sentences is cut behind the first: it stays open.
    r"|(?<=[:：, ])[\"“«「][^\"“”」»]{8,400}$"
)
_OWN = re.compile(
    r"\b(?:(?:my|our|new|this|main|important|hard|golden|first|house|remember|standing|simple|one"
    r"|only) (?:\w+ )?(?:rule|policy|principle|request|instruction|constraint|requirement|motto"
    r"|preference)s?\b"
    r"|rule:|remember|follow\b|obey|apply\b|respect|keep in mind|i (?:said|told|repeat|asked|insist"
    r"|mean)|important|please (?!translate|proofread|re\w+|shorten|summari|correct)|add to|note\b)"
    r"|我们?的?(?:规则|要求|规矩|原则|规定|政策|制度|约定)|记住|遵守|我说过|请"
)
# Who orders how something is worded quotes the words.
_WORDS_IT = re.compile(
    r"(?:please |always |and |also )*(?:phrase|write|word|format|begin|start|end|use|say|call|reply|answer"
    r"|respond"
    r"|name|prefix|print|show|log|return|display|title|label|append|add|include|insert|put|set|replace)\b"
    r"|.*\b(?:must|should|shall|ha(?:s|ve) to|needs? to) (?:\w+ )?(?:say|read|state|contain|begin|start|end"
    r"|include|be)\b"
    r"|.*(?:必须|要|应|务必|请|得)(?:写|标|注明|改成|叫|加)"
)
_MARKS = re.compile(r"[\"“”「」『』«»`]")
_HAN = re.compile(r"[\u4e00-\u9fff]")


# Asked when a message is searched, and when what was found is compared.
@lru_cache(1024)
def plain(text: str) -> str:
    """Return a sentence as the patterns want it: lower case, straight apostrophes, no emphasis."""
    return " ".join(text.lower().replace("’", "'").replace("*", "").replace("__", "").split())


def live(sentence: str) -> str:
    """Return a plain sentence without what its speaker does not set as a rule now.

    >>> live("the old wiki says never use tabs, but we always do")
    'but we always do'
    >>> live("never log names such as ours")
    'never log names'
    """
    if _is_text_task(sentence):
        return ""
    bare = _QUOTED.sub(" q_ ", sentence) if _has_quotes(sentence) else sentence
    lived = " ".join(_blank(bare).split())
    if lived == sentence or _is_adopted(sentence):
        return sentence
    if (bare is not sentence and _OWN.search(lived)) or (
        sentence.strip("\"“”'「」`. ") and bare.strip(" .!。") == "q_"
    ):
        return " ".join(_blank(_MARKS.sub(" ", sentence)).split())
    return lived


def _has_quotes(sentence: str) -> bool:
    if '"' in sentence or "'" in sentence or "`" in sentence:
        return True
    return not sentence.isascii() and any(sign in sentence for sign in "“「『«‘《")


def _quotes_rule(sentence: str) -> bool:
    """Return whether a rule stands in quotation marks, and nothing around them makes it the speaker's."""
    return (
        _has_quotes(sentence)
        and any(
            RULING.search(quoted[0]) or ZH_RULING.search(quoted[0])
            for quoted in _QUOTED.finditer(sentence)
            if quoted[0].count(" ") > 1 or _HAN.search(quoted[0])
        )
        and not (
            _is_adopted(sentence) or _WORDS_IT.match(sentence) or _OWN.search(_QUOTED.sub(" ", sentence))
        )
    )


def _is_text_task(sentence: str) -> bool:
    return bool(TEXT_TASK.match(sentence) or (not sentence.isascii() and ZH_TEXT_TASK.match(sentence)))


def _is_adopted(sentence: str) -> bool:
    """Return whether a sentence says that what others say counts here too."""
    if (ADOPTS.search(sentence) or CHANGED.search(sentence)) and _has_one_of(ADOPTING, sentence):
        return True
    return not sentence.isascii() and bool(ZH_ADOPTS.search(sentence))


def is_unreal(sentence: str) -> bool:
    """Return whether even a value in a plain sentence is only supposed, quoted for work on it, or past.

    >>> is_unreal("suppose the limit were 905"), is_unreal("the limit is 905")
    (True, False)
    """
    return bool(
        _is_text_task(sentence)
        or _quotes_rule(sentence)
        or (UNREAL.search(sentence) and _has_one_of(UNREAL_WORDS, sentence))
        or (_is_han(sentence) and ZH_UNREAL.search(sentence))
    )


def _has_one_of(words: frozenset[str], sentence: str) -> bool:
    return not words.isdisjoint(_WORD.findall(sentence))


def _is_han(sentence: str) -> bool:
    return not sentence.isascii() and _HAN.search(sentence) is not None


def _blank(text: str) -> str:
    if RULING.search(text):
        words = frozenset(_WORD.findall(text))
        if ASIDES.search(text) and not words.isdisjoint(ASIDE_WORDS):
            return ""
        numbers = {number for word in words if word in _INDEX for number in _INDEX[word]}
        for number in sorted(numbers):
            text = _PATTERNS[number].sub(" ", text)
    if _is_han(text):
        text = ZH_BLANKS.sub(" ", text)
        if ZH_RULING.search(text):
            text = ZH_RULING_BLANKS.sub(" ", text)
    return text


_TAG = re.compile(
    r"(?:,|，|\s)\s*(?:ok|okay|alright|please|got it|understood|deal|yes|clear|will you|would you"
    r"|can you|好吗|可以吗|(?<!可)行吗|好不好|行不行|明白吗|懂吗|知道吗|好么|ok吗)\s*[?？]\W*$"
    r"|(?:好吗|可以吗|(?<!可)行吗|好不好|行不行|明白吗|懂吗|知道了吗"
    r"|好么)\s*[?？]?\W*$"
)
_REQUEST = re.compile(
    r"^(?:\W|hey|hi|hello|ok|okay|so|and|also|but|please|thanks|thank you|now|oh|then|by the way"
    r"|btw|one more thing|another thing|lastly|finally|in addition|from now on|going forward"
    r"|in future|in the future|next time|before you \w+(?: \w+){0,3}|when you(?:'re| are) done"
    r"|after that|once \w+(?: \w+){0,4})*"
    r"(?:(?:can|could|would|will|might) (?:you|we|i ask|i beg|i get|i request|everyone|u\b"
    r"|it be possible)|would (?:you )?mind|do you mind|is it (?:clear|understood|agreed) that"
    r"|is it (?:possible|ok|okay) (?:for you )?to"
    r"|how about|why don't (?:you|we)|why not|may i ask|mind)\b"
)
_ABOUT = re.compile(
    r"\b(?:explain|tell me|summari[sz]e|describe|clarify|check (?:if|whether|why)|find out"
    r"|look up|translate|remind me (?:why|what|how|which)|list (?:all|the)"
    r"|give me (?:an )?example|think|elaborate|say (?:why|if|what))\b"
)
_ASKS = re.compile(
    r"^(?:\W|so|and|but|or|also|hm+|ok|well|wait)*(?:should (?:i|we)|do (?:i|we)|must (?:i|we)"
    r"|am i|is it|is there|are there|why|what if|how (?:do|does|can|should|come)|when (?:should"
    r"|do|must)|can i|could i|may i|does|did|which)\b"
)
_ZH_REQUEST = re.compile(
    r"(?:能不能|可不可以|可以|可否|能否|能)[^？?]*(?:以后|一律|每次|请|麻烦|都用|别|不要|统一|务必|帮|记得)"
    r"|(?:麻烦|请)[^？?]*(?:可以|行|好)"
    r"|(?:以后|今后)[^？?]*(?:能不能|可以|能否)"
)
_ZH_ASKS = re.compile(
    r"吗\W*$|是不是|是否|要不要|该不该|需不需要|可不可以|^\W*[^，。、]{0,5}(?:为什么|为何)|有没有必要"
    r"|怎么办|如何才|呢[？?]?\W*$"
)


# Asked at each turn of the way to what a sentence is.
@lru_cache(512)
def is_question(sentence: str) -> bool:
    """Return whether a plain sentence only asks; a request in the form of a question does not.

    >>> is_question("should i always use tabs?"), is_question("could you always use tabs?")
    (True, False)
    """
    if (not sentence.isascii() or sentence.rstrip().endswith("?")) and _TAG.search(sentence):
        return False
    if sentence.rstrip("\"'”) ").endswith(("?", "？")):
        if _REQUEST.match(sentence):
            return bool(_ABOUT.search(sentence))
        return not _ZH_REQUEST.search(sentence)
    if _is_han(sentence):
        return bool(_ZH_ASKS.search(sentence)) and not _ZH_REQUEST.search(sentence)
    return bool(_ASKS.match(sentence)) and ": " not in sentence
