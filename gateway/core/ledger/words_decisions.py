"""English words for what was settled, corrected or changed.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import Row, S

DECISIONS: tuple[Row, ...] = (
    (
        Kind.DECISION,
        "decided decide decision decisions chose chosen choose picked opted settled agreed agree",
        r"\b(?:we|i|team|they|board|client|it was|was|has been|have|'ve|finally"
        r"|\w+)(?: \w+)? (?:decided|chose|picked|opted|settled|agreed)\b|\bdecision:|\b(?:the|our|my"
        r"|final) (?:\w+ )?decision\b|\b^(?:decided|agreed|chose|settled)\b|\b(?:was|were|is"
        r"|been) (?:decided|chosen|agreed|picked|settled)\b|\b(?:i|we) (?:choose|pick)\b",
    ),
    (
        Kind.DECISION,
        "let's lets let going go went we'll i'll stick sticking stay keep",
        r"\b(?:let's|lets|let us|we'll|i'll|we will|i will|we're|i'm|we are|i am|we|i) (?:just |then "
        r"|now |all |instead |rather |actually )?(?:go(?:ing)? (?:with|for|ahead with)|went (?:with"
        r"|for)|stick(?:ing)? (?:with|to)|keep(?:ing)? (?:the|it|using)|use|using|drop|drop(?:ping)?"
        r"|adopt(?:ing)?|switch(?:ing)? to|switched to|moved? to|moving to|stay(?:ing)? (?:with|on)"
        r"|standardi[sz]e on|pick|choose|postpone|defer)\b|(?:^"
        r"|[,.] ?)(?:ok(?:ay)? )?go(?:ing)? (?:with|for)\b|\bgo with (?:option|plan|the|variant)\b"
        r"|^(?:option|plan|variant) \w+ (?:it is|please)\b",
    ),
    (
        Kind.DECISION,
        "because since reason therefore",
        r"\b(?:use|using|chose|picked|went|go|going|keep|kept|switch\w*|drop\w*|moved?|reject\w*"
        r"|prefer\w*|need|avoid\w*|replac\w+|stay\w*|took|postpon\w+|disabl\w+|enabl\w+|pin\w*"
        r"|add\w*)\b(?=.{2,120}\b(?:because|since|due to|the reason)\b)|\bthe reason (?:is|we|why we"
        r"|for)\b|\btherefore,? (?:we|i)\b",
    ),
    (
        Kind.DECISION,
        "root turns turned conclusion concluded confirmed approved rejected verdict resolved"
        " resolution cause fix culprit",
        r"\broot cause\b|\bturn(?:s|ed) out\b|\b(?:in )?conclusion\b[:,]?|\bconclude[sd]?\b|\b(?:is"
        r"|are|was|were|been|has|have|i|we|'ve|\w+) (?:confirmed|approved|rejected|ruled out"
        r"|vetoed)\b|\bverdict\b|\bresolution:|\b(?:the|actual|real) (?:fix|culprit|cause) (?:is"
        r"|was)\b|\b^(?:confirmed|approved|rejected)\b",
    ),
    (
        Kind.DECISION,
        "meant actually correction corrected wrong mistake typo sorry mixed",
        r"\b(?:no,? )?i (?:actually )?meant\b|\b^(?:no,? |wait,? |sorry,? |oh,? |hmm,? "
        r"|so )*(?:actually|correction|scratch|i misspoke|my mistake|typo"
        r"|to correct myself)\b[,:]? (?!i (?:think|wonder|have a)|can you|could you|why|how|do you)"
        r"|\bcorrection\b|\bi was wrong\b|\b(?:it|that|this)(?:'s| is| was| should be) (?:actually"
        r"|really)\b|\bnot .{1,40}, but\b",
    ),
    (
        Kind.DECISION,
        "instead changed moved switched replaced renamed updated raised lowered increased reduced"
        " extended postponed bumped pushed dropped",
        r"\b(?:was|were|has been|have been|is|are|be|got|just|we|i|they|we've|i've|now|client|boss"
        r"|team|finance|management|\w+) (?:now |just |have |all )?(?:changed|moved|switched|replaced"
        r"|renamed|raised|lowered|increased|reduced|extended|postponed|bumped|dropped|upgraded"
        r"|downgraded)\b(?! my mind)|\binstead of\b",
    ),
    (
        Kind.DECISION,
        "change move switch raise lower increase reduce extend bump update set make postpone replace rename",
        rf"{S}(?:change|move|switch|raise|lower|increase|reduce|extend|bump|update|set|make|postpone"
        rf"|replace|rename)\b .{{2,60}}\b(?:to|with|by|into|until)\b (?!do\b|be (?:sure|able))",
    ),
    (Kind.DECISION, "make mind", rf"{S}make (?:it|that|this)\b.{{0,24}}|\bchanged my mind\b"),
    (
        Kind.DECISION,
        "now new anymore longer",
        r"\b(?:is|are|'s|'re) now\b|\bnow (?:is|it's|at|stands)\b|\bthe new \w+(?: \w+)? (?:is|are"
        r"|will be|:)|\b(?:no|not any) longer\b|\banymore\b",
    ),
)
