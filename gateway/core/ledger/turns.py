"""Words by which a speaker takes something back, allows it again, reports it done or changes it.

Read twice: when a message is searched, since such a sentence is no rule of its own, and when entries are
settled, since then it acts on what was said before.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated
from gateway.core.ledger.openings import Listed

# A row is added for a wording after which what was said before no longer counts.
WITHDRAWS = gated(
    r"\b(?:forget|scratch|scrap|disregard|never ?mind)\b[^,;.]{0,24}?\b(?:that|this|it"
    r"|what i said|my|earlier|previous|about|the|rules?|limits?)\b"
    r"|\b(?:strike|drop|ignore|cancel|revoke|retract|withdraw|lift|remove|abandon|undo|skip"
    r"|delete|rescind|take back|call off|waive|relax)\b"
    r"[^,;.]{0,40}?\b(?:rules?|limits?|limitations?|caps?|restrictions?|requirements?"
    r"|instructions?|constraints?|what i said|my (?:earlier|previous|last)|earlier|previous|bans?"
    r"|deadline|budget|preference|freeze|tasks?|reminder|todo|to-do|request|the \w+ (?:thing|part"
    r"|idea|plan))\b"
    r"|\b(?:strike|drop|ignore|cancel|revoke|undo|lift|skip) (?:that|this|it"
    r"|all that)(?: one)?(?:$|[.,;!—-]| (?:please|then|again|now|rule|i|we)\b)"
    r"|^(?:\W|ok|okay|actually|oh|wait|no|sorry|on second thought|and|so|but"
    r"|please)*(?:never ?mind|forget it|scratch that|cancel that)\b"
    r"|(?:\b(?:no longer|not|never)|n't) (?:\w+ )?(?:need(?:ed|s)?|necessary|require[ds]?|appl(?:y"
    r"|ies)|valid|in (?:force|effect)|relevant|stands?|hold|holds|have to|has to|want(?:ed)?"
    r"|care about|matters?|mandatory|a (?:rule|requirement|priority|constraint|problem)|banned"
    r"|forbidden|prohibited|off[- ]limits|frozen)\b[^.;]*?\b(?:any ?more|any longer|now"
    r"|after all)\b"
    r"|\bno longer (?:\w+ )?(?:need(?:ed|s)?|necessary|require[ds]?|appl(?:y|ies)|valid"
    r"|in (?:force|effect)|relevant|stands?|holds?|have to|has to|wants?|care|matters?|mandatory"
    r"|a (?:rule|requirement|priority|constraint)|banned|forbidden|prohibited|off[- ]limits"
    r"|frozen|must|should)\b"
    r"|\bno need (?:to|for) [^,;.]{2,60} (?:any ?more|any longer|now|after all)\b|\b(?:isn't|not"
    r"|aren't) needed any ?more\b"
    r"|\b(?:rule|limit|cap|restriction|requirement|ban|freeze|deadline|constraint|instruction"
    r"|policy|embargo|moratorium|block)s? (?:\w+ ){0,5}?(?:is|are|was|were|has been|have been"
    r"|'s) (?:now |hereby |officially |just )?(?:lifted|void|off|gone|cancell?ed|revoked|dropped"
    r"|obsolete|over|removed|withdrawn|history|dead|moot|waived|abolished|suspended|no more"
    r"|outdated|invalid)\b"
    r"|\b(?:we|they|i|he|she|management|legal|finance)(?:'ve| have| has)? (?:now |just |since )?(?:dropped"
    r"|removed|lifted"
    r"|scrapped|abolished|waived|got rid of|did away with|gave up|cancell?ed|revoked|withdrew|ended"
    r"|suspended)\b"
    r"[^,;.]{0,40}?\b(?:rules?|limits?|caps?|restrictions?|requirements?|bans?|freeze|policy|embargo"
    r"|constraints?|quota)\b"
    r"|\b(?:there's|there is|there are|we have|has|have) no (?:\w+ ){0,2}(?:rule|limit|cap|restriction"
    r"|requirement|ban|freeze"
    r"|deadline|constraint)s?\b[^;.]*\b(?:any ?more|any longer|now)\b"
    r"|\bdoesn't apply any ?more\b|\bi take (?:that|it|this|what i said) back\b|\bi take back\b"
    r"|\bi(?:'ve| have)? changed my mind\b"
    r"|\b(?:stop|quit) (?:always )?(?:worrying about|following|enforcing|applying|bothering with"
    r"|doing)\b",
)
ZH_WITHDRAWS = re.compile(
    r"(?:取消|作废|撤[销回]|废除|解除|收回|忽略|忘[了掉记](?!.{0,2}[把带])|别管|不用管|去掉|放弃|划掉|不算)(?:了)?[^，。；]{0,16}?(?:规则"
    r"|限制|要求|规定|约束|上限|禁令|预算|截止|那|之前|刚才|前面|这条|上面|任务|待办|关于|说的|偏好)"
    r"|(?:规则|限制|要求|规定|约束|上限|禁令|这条|那条|之前的?|任务|刚才的?|待办|截止\w*)[^，。；]{0,16}?(?:取消|作废|撤[销回]|废除|解除|不算"
    r"|无效|失效|不用管|不再|别管|忽略|收回|放开|过时|不需要)"
    r"|不(?:用|必|需要?|再需要|再要求|再适用|再限制|再禁止)(?:再|了)|不再(?:需要|要求|适用|限制|禁止|强制|有效|必须|用)|无需再|(?:已|都)?(?:作废"
    r"|取消)了?[。！!]?$|当我没说|就当(?:我)?没|算了|(?:不用|不必|不需要)[^，。；]{1,16}了|没必要[^，。]{0,12}了|用不着[^，。]{0,12}了"
)

# Something that was forbidden is allowed again.
PERMITS = gated(
    r"\b(?:you|we|it|everyone|they) (?:may|can|are allowed to|are free to|could|are welcome to"
    r"|'re allowed to|'re free to)\b[^;.]*\b(?:again|after all|from now on|any time|freely|now)\b"
    r"|\b(?:you|we) (?:may|can) now\b|\b(?:you|we)(?:'re| are) (?:now|again) (?:allowed|free"
    r"|permitted)\b"
    r"|\b(?:it's|it is|is|are) (?:now |again )?(?:ok|okay|fine|allowed|permitted|alright"
    r"|acceptable|open|safe)\b(?: now| again)? ?(?:to|for|if|again|now)\b[^;.]*\b(?:again|now"
    r"|after all)?\b|\b(?:is|are) (?:now|again) (?:allowed|permitted|ok|okay|fine|open"
    r"|acceptable)\b|\b(?:is|are) (?:allowed|permitted|ok|okay|fine) (?:again|now|after all)\b"
    r"|\bno longer (?:forbidden|prohibited|banned|off[- ]limits|frozen)\b"
    r"|\bfeel free to\b[^.;]*\b(?:again|now|after all)\b|\bback on the table\b"
    r"|\bgo ahead and [^.;]* (?:again|after all|now)\b"
)
ZH_PERMITS = re.compile(
    r"(?:现在|已经|又|重新|以后|从现在起)?(?<!不)(?:可以|能|允许|准许)(?!不)[^，。；吗]{1,30}?了(?!吗)|(?:现在|重新|又)(?:可以|允许"
    r"|能)(?!不)[^，。；]{1,30}|解禁|放行|(?:不再|已不)禁止|恢复(?:使用|允许)"
)

# A task is no longer open.
DONE = gated(
    r"\b(?:done|finished|completed|through) (?:with|the|all|it|that)\b|\b(?:is|are|was|were|'s"
    r"|been|all|has been|have been|now|got) (?:now |already |all |finally |fully |just )*(?:done"
    r"|finished|completed?|merged|closed|shipped|fixed|resolved|sorted|delivered|taken care of"
    r"|handled|dealt with|sent|in place|deployed|out of the way|checked off|written)\b"
    r"|\b(?:i|we|you|they|he|she)(?:'ve| have|'s| has)? (?:already |now |just "
    r"|finally )*(?:finished|completed|done|closed|shipped|delivered|sorted out|taken care of"
    r"|dealt with|handled|wrapped up|fixed|merged|sent)\b|\b(?:has|have) been \w+ed\b"
    r"|,? (?:all )?done[.!]?$|\bgot \w+ed\b|\b(?:is|are) (?:now |already )\w+ed\b|^\[x\] "
    r"|^(?:done|finished|completed|✅|✔)\b ?[:—-]?|\bcross (?:that|it|[^.;]{2,60}) off\b"
    r"|\b(?:you can|please) (?:close|check off|tick off)\b|\bmark [^.;]{2,60} (?:as )?(?:done"
    r"|complete\w*|closed)\b"
)
ZH_DONE = re.compile(
    r"(?:已经?|都|全部?)(?:完成|做完|搞定|弄好|解决|修复|修好|处理|合并|上线|写完|改完|发了?|交付|提交|部署|更新|补|测)|(?:完成|做完|搞定|弄好|写完"
    r"|改完|处理完|弄完|解决|修好|补好|测完)了|^(?:已完成|完成)[：:]?"
)

# Every row above needs one of these words; a sentence without any is spared the patterns.
_ANCHORS_WORDS = (
    "forget scratch scrap strike drop disregard ignore cancel cancelled canceled revoke revoked"
    " retract withdraw withdrawn lift lifted remove removed abandon"
    " undo never nevermind skip delete rescind take back call waive waived no not don't longer"
    " anymore more now after stop quit changed isn't aren't doesn't"
    " void off gone dropped obsolete over history dead moot abolished suspended outdated invalid"
    " again freely feel free allowed permitted ok okay fine open"
    " acceptable may can could table ahead done finished complete completed through merged"
    " scrapped abolished ended withdrew rid"
    " closed shipped fixed resolved sorted delivered handled dealt sent place"
    " deployed out checked written wrapped cross close check tick mark x"
)
_ANCHORS = frozenset(_ANCHORS_WORDS.split())
_HAN = re.compile(r"[\u4e00-\u9fff]")


def is_han(sentence: str) -> bool:
    """Return whether a sentence has Chinese in it."""
    return not sentence.isascii() and _HAN.search(sentence) is not None


def may_act(sentence: str, words: frozenset[str]) -> bool:
    """Return whether a plain sentence of these words could be any of the kinds told apart below."""
    return not _ANCHORS.isdisjoint(words) or is_han(sentence)


# Without one of these words the expressions, which are slow to find it out, find nothing.
_WITHDRAWING_WORDS = (
    "forget scratch scrap disregard never nevermind strike drop ignore cancel revoke retract withdraw lift"
    " remove abandon undo skip delete rescind take call waive relax more anymore longer now all rule rules"
    " limit limits cap caps restriction restrictions requirement requirements ban bans freeze freezes"
    " deadline deadlines constraint constraints instruction instructions policy policys embargo embargos"
    " moratorium moratoriums block blocks quota mind stop quit"
)
_WITHDRAWING = Listed(_WITHDRAWING_WORDS)
_REPORTING_WORDS = (
    "done finished completed through is are was were s been all has have now got i we you they he she cross"
    " please mark x"
)
_REPORTING = Listed(_REPORTING_WORDS)


def _has_one_of(words: Listed, sentence: str) -> bool:
    return words.are_in(sentence) or not sentence.isascii()


# A rule about taking back is none that takes back: "if a customer cancels the request, ask why".
GENERAL = re.compile(
    r"\W*(?:and |but |so )?(?:if|when|whenever|before|after|never(?! ?mind)|don't|do not|always|every|each"
    r"|make sure)\b"
)
_GOVERNED = re.compile(
    r"(?:n't|not|never|must|also|function|should|button|key|wants? to|customers?|users?|they) $"
)


def withdraws(sentence: str) -> bool:
    """Return whether a plain sentence takes something back.

    >>> withdraws("forget the rule about tabs"), withdraws("don't forget the tests")
    (True, False)
    """
    if GENERAL.match(sentence) or sentence.startswith(("不要忘", "别忘", "如果", "每")):
        return False
    found = WITHDRAWS.search(sentence) if _has_one_of(_WITHDRAWING, sentence) else None
    if found and not _GOVERNED.search(sentence[max(found.start() - 12, 0) : found.start()]):
        return True
    return is_han(sentence) and bool(ZH_WITHDRAWS.search(sentence))


def permits(sentence: str) -> bool:
    """Return whether a plain sentence allows what was forbidden.

    >>> permits("you may push to main again"), permits("you may see errors")
    (True, False)
    """
    return bool(PERMITS.search(sentence)) or bool(is_han(sentence) and ZH_PERMITS.search(sentence))


def is_done(sentence: str) -> bool:
    """Return whether a plain sentence reports something done."""
    if _has_one_of(_REPORTING, sentence) and DONE.search(sentence):
        return True
    return bool(is_han(sentence) and ZH_DONE.search(sentence))
