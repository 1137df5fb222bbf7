"""Words that are no part of what a statement is about: how it is said, that it changes, what is done with it.

A row is added when two statements of one thing were held apart by a word that names no thing.
"""

from __future__ import annotations

import re

from gateway.core.ledger.topic import stem

# Words without which a statement is about the same.
_LIGHT_WORDS = (
    "a an the this that these those is are was were be been being am do does did has have had can"
    " could will would shall should must may might to of in on at by for from with into it its it's i"
    " me my we us our you your they them their he she his her and or but so if as than then there here"
    " please pls now just still again also too not no i'm i'd i'll i've we're we've we'll that's"
    " there's let let's lets isn't aren't don't doesn't didn't won't can't there's what which who they've"
    " they're they'd they'll he's she's he'd she'd you've you're you'd"
)
LIGHT = frozenset(_LIGHT_WORDS.split())


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word)[:6] for word in words.split())


# Words that say that something changes, or how it is said: they are no part of any subject.
TURNS = _stems(
    "new old sure make made keep use using used want need like ok okay fine yes well wait sorry set"
    " change changed update updated correct correction mean meant move moved moving switch swap raise"
    " raised lower lowered increase increased decrease reduce reduced extend extended extension"
    " postpone postponed bump bumped replace replaced rename renamed revise revised forget scratch"
    " drop dropped shift shifted push pushed back forward bring brought tighten tightened loosen"
    " loosened relax relaxed upgrade upgraded migrate migrated adjust adjusted go goes went gone get"
    " got give gave take takes taken put rather instead actually after all always only today tomorrow"
    " henceforth onwards wrong mistake typo misread mistyped earlier previous former one up down out"
    " over off about until till before more most less least currently current thing things right"
    " assume expect stay stays become becomes became say says said think know let wants wanted would"
    " better accident mind decided decide each under any some other since because when while turn"
    " turned happen happens have having assigned reassigned look looks see seems via own leave left"
    " done finished finish completed complete closed resolved fixed handled sorted already never"
    " ignore lifted rule requirement restriction whatever longer anymore again allowed free may must"
    " try trying please feel fewer per open alone scrap scrapped removed abolished waived cancelled"
    " canceled revoked withdrawn embargo ban task todo remind reminder rose risen fell fallen grew grown sank"
    " climbed jumped came come tripled doubled halved quadrupled slashed trimmed hiked upped expanded"
    " shortened lengthened prolonged stretched scaled delayed cut"
)
# What can be left out or said in another word: it tells no two subjects apart, but is something to share.
FRAME = TURNS | _stems(
    "run runs running deploy deploys start begins begin write writes answer weigh weighs send book"
    " serve call called live lives plan plans prefer prefers number value year next week month read"
    " reads line digit work works every maximum limit cap exceed schedule scheduled reschedule rescheduled"
    " hold show put line check"
)
HAN_FRAME = re.compile(
    "[上下]午|晚上|早上|凌晨|定在|安排|开始|放到?|住在?|寄到|部署|搬家|家|抱歉|说错|写错|看错|错|计划|有变|收紧|放宽|老师|规定|取值?|算|开关|打开|关闭|保持|提高|提升|上调|下调|翻[倍番]|[砍涨压](?=[到至成了])|被|提(?=到)|能|吃"
)
