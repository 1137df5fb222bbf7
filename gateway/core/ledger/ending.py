"""Whether a sentence may end, lift or loosen what was asked for before, in whatever words.

Weaker than `lifting` and `turns`, which act on what they are sure of: what this suspects is only put aside.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated
from gateway.core.ledger.words_contests import hints

_ENDS = gated(
    r"\b(?:fine|ok(?:ay)?|allowed|permitted|welcome|free|freely|again|lifted|waived|over|dropped?|gone"
    r"|done with"
    r"|history|scrap(?:ped)?|forget|never ?mind|ignore|disregard|skip|unfreeze|unfrozen|unblocked"
    r"|reopen(?:ed)?"
    r"|resumed?|re-?enabled?|go ahead|feel free|no need|needn't|not needed|not necessary|unnecessary"
    r"|(?:don't|doesn't|do not|does not|won't|no longer) (?:have to|need|matter|care|mind|apply|hold"
    r"|count|bother)"
    r"|no longer|any ?more|any longer|not any more|whatever|up to you|as you (?:like|please|see fit)"
    r"|relax(?:ed)?"
    r"|cancel(?:led|ed|s)?|revoked?|withdrawn|withdraw|retract(?:ed)?|void|expired?|ended?|ends|finished"
    r"|passed"
    r"|off the table|back to (?:normal|usual)|back on|take (?:that|it) back|took (?:that|it) back"
    r"|changed my mind"
    r"|cleared|approved|signed off|green light|thumbs up|safe (?:now|to)|no objection|no problem"
    r"|no restriction"
    r"|unlimited|without (?:asking|limit|restriction)|after all|stop (?:doing|using|adding|sending"
    r"|writing|asking)"
    r"|hates?|dislikes?"
    r"|exception|except(?:ionally)?|instead|now (?:you )?(?:may|can)|(?:may|can) (?:now|again|use|touch"
    r"|edit|delete"
    r"|change|push|deploy|send|spend|go|be|write|contact|mention|share|run|merge))\b"
    r"|可以|行了|没事|无所谓|随(?:便|意|你)|不用|不必|不需要|无需|取消|作废|撤[销回]|解除|放开|恢复|过了"
    r"|结束|算了|不再|没关系|都行|照常"
    r"|改主意|不限|不管|别管|解[禁冻封]|开放|允许|批准|同意了|例外|废除|失效|到期|不算|当我没说|收回|停了"
    r"|免了"
)


def may_end(sentence: str) -> bool:
    """Return whether a plain sentence may end something that was asked for.

    >>> may_end("editing the config is fine again"), may_end("the config is in yaml")
    (True, False)
    """
    return bool(_ENDS.search(sentence)) or hints(sentence)


# It asks what is, or why: it says nothing.
_ASKS = re.compile(
    r"(?:\W|and|but|so|ok|or|then)*(?:why|(?:what|how)(?! about)|where|which|who|when|does|did|is|are|was"
    r"|were|has|have)\b"
    r"|[^，；]*(?:什么|怎么|为何|哪|多少|谁|是不是|是否)"
)


def suggests(question: str) -> bool:
    """Return whether a plain question that speaks of a change suggests it, and does not ask what is.

    >>> suggests("can we make it 900 instead?"), suggests("why is it 900 now?")
    (True, False)
    """
    return not _ASKS.match(question)


# It asks for something else, rather than about something.
_PROPOSES = re.compile(
    r"(?:\W|and|but|so|ok|or|then|hm+|actually|please)*(?:(?:could|can|should|shall|may|might)"
    r" (?!you (?:tell|show|explain|give|check|find|list|compare)\b)"
    r"|(?:what|how) about|why not|is it (?:ok|okay|fine|possible)|would it be (?:ok|okay|fine|possible)"
    r"|(?:would|do) you mind)|.{0,12}(?:能不能|可不可以|可否|行不行|要不|不如)|.{0,30}(?:可以|行|好|成)吗"
)


def proposes(question: str) -> bool:
    """Return whether a plain question proposes that something be done, or be otherwise.

    >>> proposes("could the header be green?"), proposes("is the header green?")
    (True, False)
    """
    return _PROPOSES.match(question) is not None
