"""English words for what people are after.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import Row

_BUILD = (
    r"(?:migrat|build|creat|develop|port|implement|rewrit|refactor|design|launch|replac|mov"
    r"|convert|set(?:ting)? up|redesign|reduc|improv|increas|automat|upgrad|ship|moderni[sz]"
    r"|switch|integrat|cut|speed|lower|rais|analy[sz]|understand|find out|figure out|compar"
    r"|investigat|prepar|writ|publish|rebuild|consolidat|plan|organi[sz]|learn|train|predict"
    r"|estimat|determin|identify|get|mak|deploy|scale|split|optimi[sz]|decid|choos|research"
    r"|evaluat|achiev|deliver|document|clean|forecast|add|extract|roll out|save|book|cancel"
    r"|return|resolv|become|pass|open|sell|buy|host|support|turn|extend|transition)"
)
GOALS: tuple[Row, ...] = (
    (
        Kind.GOAL,
        "goal goals aim aims objective objectives purpose mission target vision ambition intention"
        " idea point end",
        r"\b(?:the|our|my|main|overall|end|final|ultimate|primary|long-term|real|whole|one|key"
        r"|success|business|project|this|its|quarter's|today's|sprint|core) (?:goals?|aims?"
        r"|objectives?|purpose|mission|vision|ambition|intention|idea|endgame|north star"
        r"|target)\b.{0,50}?(?: is| are|:|'s| here| remains?| stays)|\b^(?:goals?|aims?|objectives?"
        r"|mission|purpose)\b ?(?:\d|:|-|—|is)|\bwith the (?:goal|aim|objective) of\b|\b(?:we"
        r"|i)(?: \w+)? aim (?:to|for|at)\b|\bwe(?:'re| are) aiming\b"
        r"|\bthe (?:whole )?point of (?:this|all)\b",
    ),
    (
        Kind.GOAL,
        "we're i'm building migrating moving porting rewriting replacing launching designing"
        " developing researching writing preparing creating trying try want wants wanted like need"
        " needs hope hoping plan planning intend looking going aiming working have",
        rf"\b(?:i|we)(?:'m|'re| am| are|'ve been| have been)? (?:ultimately |really |basically "
        rf"|currently |just |still |now |also |actually )?(?:trying|hoping|planning|looking|going"
        rf"|aiming|working) (?:to|on|towards?) (?!do (?:that|this|it)|(?:run|call|open|install) "
        rf"|see (?:why|what)|it\b|that\b)|\b(?:i|we)(?:'d)? (?:ultimately |really |basically "
        rf"|currently |eventually |just |also |actually )*(?:want|wanted|need|would like|like|hope"
        rf"|plan|intend|have|'ve got|are supposed) to (?:be able to |fully |eventually |completely "
        rf"|gradually |safely )?{_BUILD}|\bwe(?:'re| are) (?:currently |now )?(?:building|migrating"
        rf"|moving|porting|rewriting|replacing|launching|designing|developing|switching|creating"
        rf"|preparing|redesigning|converting|consolidating)\b|\bi(?:'m| am) (?:building|migrating"
        rf"|porting|rewriting|writing (?:a|an|my)|developing|designing|creating|preparing|researching"
        rf"|planning|analy[sz]ing)\b",
    ),
    (
        Kind.GOAL,
        "help",
        rf"\bhelp (?:me|us) (?:to )?(?:{_BUILD})|\b(?:need"
        rf"|want) (?:your )?help (?:with )?(?:{_BUILD})\w*",
    ),
    (
        Kind.GOAL,
        "ultimately eventually success successful done outcome result",
        r"\bultimately,? (?:we|i|this|it|the)\b|\b(?:success|done|definition of done) (?:means"
        r"|looks like|is when|is|:|for us is)|\b(?:desired|end|final|expected) (?:outcome|result"
        r"|state)s?\b.{0,20}(?:is|:|should)|\bwe(?:'ll| will) be (?:done|successful|happy"
        r"|finished) when\b",
    ),
    (
        Kind.GOAL,
        "build create develop migrate implement port rewrite refactor design make write launch"
        " redesign convert automate set research analyze analyse plan prepare investigate replace"
        " let's lets",
        r"^(?:hi|hey|hello|ok|okay|so|please|now|let's|lets|let us|[,.! ])*(?:build|create|develop"
        r"|migrate|implement|port|rewrite|refactor|design|launch|redesign|convert|automate|set up"
        r"|research|modernize|replace) (?:me |us )?(?:an?|our|the|my|all|this|everything)? ?\b.{6,}",
    ),
    (
        Kind.GOAL,
        "task job assignment brief mission",
        r"\b(?:your|the|my|our|main|overall) (?:task|job|assignment|brief|mission) (?:here |today "
        r"|now |for \w+ )?(?:is|will be)\b|^(?:task|assignment|brief|mission):",
    ),
)
