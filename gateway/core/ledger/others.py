"""Whether a statement that is not sure speaks of something else: what others have, what was once.

It changes nothing of what the user said, whatever value it gives: "a competitor spends 900 on theirs". Others
who say what is to be done of ours are another matter: "the client wants 900".
"""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.ledger.gates import gated
from gateway.core.ledger.words_contests import has_value

_GROUPS = (
    r"(?:teams?|projects?|groups?|compan(?:y|ies)|offices?|departments?|classes|class|famil(?:y|ies)|repos?"
    r"|products?|jobs?|employers?|schools?)"
)
_KIN = (
    r"(?:wife|husband|sister|brother|mum|mom|dad|mother|father|friend|colleague|cousin|neighbou?r|flatmate"
    r"|roommate|son|daughter|aunt|uncle|boyfriend|girlfriend)"
)
_THEIRS_WORDS = (
    rf"\b(?:theirs|competitors?(?:'s?)?|(?:the other|another|some other|his old|her old|my old|our old"
    rf"|the old|former|previous|my last|our last) {_GROUPS}"
    rf"|my {_KIN}(?:'s (?:wedding|birthday|company|team|school|class|project|flat|phone|laptop|car|job|house)"
    r"| (?:sees|pays|paid|spent|spends|earns|drives))"
    r"|in the (?:paper|article|tutorial|video|textbook|old days|past)|blog(?: post)?|back then|years ago"
    r"|on (?:reddit|twitter|the internet|stack overflow))\b"
)
_ONCE_WORDS = (
    r"\b(?:last year|last season|two years ago|before the \w+|originally|in (?:19|20)\d\d)\b.{0,60}"
    r"\b(?:it|they|that|we|this) (?:was|were|had|used|did)\b"
)
_LEAVES_WORDS = (
    r"\b(?:decided against|ignor(?:ed|ing) (?:him|her|them|it|that)|i (?:disagree|don't agree)|just curious"
    r"|just (?:thinking aloud|wondering|kidding)|remind me|must be nice|lucky them|out of curiosity)\b"
)
_LEAVES = gated(_LEAVES_WORDS)
_ELSEWHERE = gated(f"{_THEIRS_WORDS}|{_ONCE_WORDS}")
# A piece of text that is only worked on.
_TRANSLATES = re.compile(
    r"(?:\W|please|now|then|also|and|can you|could you)*(?:translate|transcribe)\b"
    r"|(?:顺便|再|请|麻烦|帮我|你)*(?:把这[句段个篇][^，。]{0,8}翻|翻译)"
)
_ZH = re.compile(
    r"隔壁|别人家?的|(?:同[学事]|朋友|邻居)(?:家|公司|那边的)|师[弟妹兄姐]的|上家|前(?:公司|东家)|对家|竞品|竞争对手|友商"
    r"|网上(?:有人)?说|另[一外][个家边]?(?:项目|公司|团队|客户|组|家)|别的(?:项目|公司|组|团队)|(?:论文|教程|博客|书)里"
    r"|没搭理|咱不跟|跟(?:咱们?|我们?)(?:这[个边])?没关系|不是要[换改]|羡慕|纯好奇|随便问|还没(?:讨论|定)"
    r"|^(?:要是|如果|假如|万一)[^。]{1,30}[吗呢？?]"
)
# It only keeps the talk going, if it gives no value.
_TALKS = re.compile(
    r"(?:\W|hm+|ok(?:ay)?|well|so|thanks|great|good|now|then|and|please)*"
    r"(?:(?:go on|continue|carry on|i see)(?: please| then| from here)?\W*$"
    r"|(?:show me (?:the|what|how)|i had (?:an? )?(?:lunch|dinner|breakfast|coffee|break|call)"
    r"|i'?m back|i was away|i'll be (?:away|back|right back)|be right back|brb)\b)"
    r"|\W*(?:(?:嗯+|好的?|明白|知道|收到|了解|继续|谢谢|请)了?[吧呀啊哈，。！\s]*){1,6}$"
)
# Said of what was said before, it takes that back: "that was at my old job".
_OF_RULES = gated(
    r"^(?:\W|but|and|oh|well|no|actually|wait|ok|okay)*(?:that|this|it|those|these|they|which)(?:'s)?\b"
    r"|\b(?:rules?|limits?|caps?|polic(?:y|ies)|restrictions?|instructions?|requirements?|bans?|that one)\b"
    r"|规[定则矩]|[那这]条|上限|限制|要求|^\W*[那这它]"
)
# It is news all the same.
_NEWS = gated(r"\b(?:so|instead|from now on|these days|now|let's|please use|switch(?:ed)? to)\b")


@lru_cache(1024)
def is_of_others(sentence: str) -> bool:
    """Return whether a plain sentence speaks of what is none of the speaker's concern here.

    >>> is_of_others("a competitor spends $60k on theirs"), is_of_others("the client wants $60k")
    (True, False)
    """
    if _TRANSLATES.match(sentence) or (_TALKS.match(sentence) and not has_value(sentence)):
        return True
    if _OF_RULES.search(sentence):
        return False
    if not sentence.isascii() and _ZH.search(sentence):
        return True
    if _LEAVES.search(sentence):
        return has_value(sentence)
    return _ELSEWHERE.search(sentence) is not None and not _NEWS.search(sentence)
