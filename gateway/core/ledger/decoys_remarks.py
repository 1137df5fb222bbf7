"""Remarks by which the sentence before is told to be none of the speaker's own: it is gossip, or asked about.

"Odd company." or "What do you make of that?" behind a rule says that it was reported. "Sounds good?" may also
ask whether our own rule is agreed on: it counts only behind words of saying or ruling of others.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated

_ODD = (
    r"(?:funny|odd|strange|weird|interesting|sweet|cute|silly|crazy|harsh|impressive|amazing|ridiculous"
    r"|absurd|bizarre"
    r"|petty|hilarious|nonsense|charming|peculiar|quaint|draconian|overkill|amusing|curious)"
)
_LEAD = r"^(?:\W|and|but|well|hm+|ha(?:ha)*|oh|so|really|pretty|quite|very|rather|how|just|kind of|a bit)*"
_GOSSIP = re.compile(
    rf"{_LEAD}(?:{_ODD}\b(?:[,.!?]|$| (?:isn't|is it|right|huh|no|company|people|lot|place|folks|bunch"
    rf"|world|stuff|idea"
    r"|rule|team|guy|man|woman|times|that|how|if|they))"
    r"|what (?:do|would|did) (?:you|we|people|others) (?:make|think|say)\b|what an? (?:nuisance|pity"
    r"|character|shame|joke"
    r"|mess|way|rule|life|idea|weird|strange|silly|funny|world|crowd|place|bunch)\b"
    rf"|(?:isn't|ain't) (?:that|it|this)\b|(?:that|this|it)(?:'s| is| sounds| seems| made)(?: \w+)?"
    rf" (?:{_ODD}|me laugh)"
    r"|poor (?:them|souls?|him|her|things|guys)|lucky (?:them|him|her|you)|good luck|strange lot|those were"
    r" the days"
    r"|(?:i am|i'm) glad (?:we|i)\b|(?:they|he|she) (?:is|are|was|were|must be)\b|(?:i|we) (?:doubt|laughed"
    r"|don't buy)\b"
    r"|(?:old|bad|lame|dad) joke|have you (?:seen|heard|read)\b|does (?:that|this|it) (?:concern|bind"
    r"|affect|apply to)\b"
    r"|is (?:that|this|it) (?:still|really|even|any|actually|a common|legal|normal|usual|common|fair"
    r"|sensible|wise"
    r"|genuine|a thing|too)\b|can (?:i|we) (?:ignore|skip|delete)\b|why (?:is|does|do|would|did) (?:that"
    r"|this|it|they|he|she)\b"
    r"|why\?|how do i\b|what now|luckily|thankfully|no,? thanks|not (?:my (?:style|thing|cup)|for me|how"
    r" we)|seriously|not (?:us|ours)|ours (?:is|are)\b)"
)
_AGREEING = re.compile(
    rf"{_LEAD}(?:(?:any )?(?:thoughts|opinions?|comments|ideas)|(?:your )?(?:opinion|view|take)|true|right"
    rf"|fair|sensible"
    r"|reasonable|correct|agreed?|makes? sense|sounds? \w+|do you (?:agree|believe|think)|would you"
    r" (?:agree|say))\b[^.]{0,30}\?"
)
_RULED = re.compile(
    r"^(?:\W)*(?!(?:we|our|i|my|please|us)\b)(?:[^\s,;:]+ ){1,7}?(?:says?|said|states?|stated|reads?"
    r"|claims?|claimed|requires?"
    r"|required|demands?|demanded|forbids?|bans?|banned|insists?|insisted|ruled|rules|prescribes?|allows?"
    r"|prohibits?|ordered"
    r"|boasts?|wrote|writes|thinks?|has a|have a|recommends?|suggests?|asked)\b|^by law\b|^there (?:is|was)"
    r" an? (?:law|rule)\b"
)
_OWN = re.compile(
    r"\b(?:we|our|ours|us|my|please|let's)\b|^(?:\W|and|also|so|but)*(?:always|never|do not|don't|use|keep"
    r"|make|ask|tell"
    r"|from now on|no|only|all|every|each|nobody|no one|run|write|call|send|limit|avoid|remember|note|rule)\b"
)
_SUPPOSED = re.compile(
    r"^(?:\W|so|and|ok|now|well)*(?:say|assume|assuming|let's (?:say|assume|pretend|suppose|imagine)|let us"
    r" (?:say|assume"
    r"|suppose)|imagine|consider|suppose|picture|take|hypothetically|假设|假定|假如|设想|比如|例如|如果)"
)
_ZH_GOSSIP = re.compile(
    r"^(?:\W|你|这|那|是不是|听着|听起来|听上去|感觉)*(?:(?:真|挺|好|太|有点|很|蛮|怪|还|也)*(?:荒唐|奇怪"
    r"|好笑|有意思|离谱|麻烦|夸张|搞笑"
    r"|可笑|不错|奇葩|有趣|怀念|无聊|苛刻|厉害|厉害了|严了?|严格|过分)(?:了|吧|啊|呢|吗|的|$|\W)|笑死|哈哈"
    r"|怎么看|觉得呢?怎么样|觉得怎么样"
    r"|觉得合理|信吗|真的吗|真的假的|合理吗|有道理吗|值得|可怜|幸好|还好我们|怎么回事|算合理|咋看|怎么想)"
)
_ZH_OWN = re.compile(
    r"我们|咱们|^(?:\W|另外|还有)*(?:请|务必|以后|今后|别|不要|禁止|必须|一律|千万|严禁|每次|所有|任何)"
)

_ANNOUNCES = gated(
    r"^(?:\W|so|hey|and|oh)*(?:(?:did|have) you (?:hear|heard|know)\b[^?]{0,20}\?|guess what\b|(?:do you"
    r" )?remember"
    r" (?:mr|mrs|ms|old|that|the|our old|my old)\b.*\?|fun fact|gossip|listen to this|can you believe"
    r"|here's a good"
    r" one|know what\b|this is funny|true story|story time)|^(?:\W|你|你们)*(?:听说了吗|知道吗|猜怎么着"
    r"|笑死|说个笑话|讲个)"
)


_HANDS_OVER = re.compile(
    r"^(?:\W|please|kindly|can you|could you|would you|now|and|help me)*(?:translate|proofread|rewrite"
    r"|rephrase|correct"
    r"|shorten|polish|check|summari[sz]e|review|improve|paraphrase|edit|look at|what does|how"
    r" would)\b.*[?.!]$"
    r"|^(?:请|帮我|麻烦)*(?:翻译|校对|润色|改写|修改|看看|缩短)[^：:]*[。？！?]$"
)


def announces(before: str, sentence: str) -> bool:
    """Return whether the plain sentence *before* another says that gossip follows, or a quotation to work on.

    >>> announces("did you hear?", "acme must move."), announces("did you push it?", "acme must move.")
    (True, False)
    >>> announces("could you proofread my sign?", '"no dogs beyond gate 4."')
    True
    """
    if sentence[:1] in "\"“「«'‘" and _HANDS_OVER.match(before):
        return True
    return bool(_ANNOUNCES.match(before))


def is_comment_on(sentence: str, before: str) -> bool:
    """Return whether a plain sentence tells that the one *before* it was reported or supposed, not set.

    >>> is_comment_on("what a nuisance.", "the airline demands that bags stay under 23 kg.")
    True
    >>> is_comment_on("what a nuisance.", "never use our printer.")
    False
    """
    if _SUPPOSED.match(before) and sentence.endswith(("?", "？")):
        return True
    if sentence.isascii():
        if _GOSSIP.match(sentence):
            return not _OWN.search(before)
        return bool(_AGREEING.match(sentence) and _RULED.match(before) and not _OWN.search(before))
    return bool(_ZH_GOSSIP.match(sentence)) and not _ZH_OWN.search(before)
