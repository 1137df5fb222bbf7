"""English words for what is still to be done.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import DO, Row, S

TASKS: tuple[Row, ...] = (
    (Kind.TASK, "todo todos fixme tbd to-do to-dos", r"(?:\b(?:todo|fixme|tbd|to-do)s?\b)"),
    (
        Kind.TASK,
        "still remaining remains left outstanding unfinished pending open missing unresolved incomplete",
        r"\bstill (?:to (?:do|be|come)|need(?:s|ed)?|have to|has to|must|missing|open|pending"
        r"|outstanding|left|to-do|waiting|want|owe|got to|requires?|unresolved|on (?:my|our"
        r"|the) (?:list|plate))\b|\b(?:remaining|outstanding|pending|unfinished"
        r"|open)(?: \w+)? (?:tasks?|items?|work|issues?|points?|questions?|to-?dos?|steps?|is|are|:)"
        r"|\b(?:left|remains|remaining) (?:to (?:do|be|fix|write|test)|open|undone)\b|\b(?:is"
        r"|are) (?:still )?(?:pending|outstanding|unfinished|unresolved|not (?:yet )?(?:done|finished"
        r"|implemented|tested|resolved))\b|\b^(?:pending|open|outstanding|remaining|still open"
        r"|left)\b.{0,12}[:—-]",
    ),
    (
        Kind.TASK,
        "yet",
        rf"\b(?:not|n't|hasn't|haven't|isn't|aren't)\b.{{0,60}}\byet\b.{{0,20}}$|\byet to (?:be|do"
        rf"|{DO})",
    ),
    (
        Kind.TASK,
        "remind forget remember",
        r"\bremind (?:me|us)\b(?! (?:why|what|how|which|who|where|when you|of))|\b(?:don't|do not"
        r"|never) (?:let (?:me|us) )?forget (?:to|about|that|the|we)\b|\b(?:please |must "
        r"|you )?remember to\b",
    ),
    (
        Kind.TASK,
        "later afterwards afterward eventually someday sometime tomorrow tonight soon",
        r"\b(?:can|could|please|we|i|let's|should|must|need|needs|will|to|you"
        r"|also)\b.{0,80}\b(?:later(?: on)?|afterwards?|eventually|some ?(?:day|time|point)|tomorrow"
        r"|next (?:week|sprint|month|time|session)|at some point|when you have time"
        r"|when there's time)\b|\b^(?:later|afterwards?|tomorrow|eventually|at some point)[, :]"
        r"|\bnext (?:week|sprint|session),? (?:we|you|i|please)",
    ),
    (Kind.TASK, "someone somebody", r"\b(?:someone|somebody) (?:needs|has|must|should|ought)\b"),
    (
        Kind.TASK,
        "point next sprint week",
        r"\bat some point\b|\b(?:in the )?next (?:sprint|week|session|iteration"
        r"|release)\b.{0,10}\b(?:we|you|i|please|:)",
    ),
    (
        Kind.TASK,
        "next then after afterwards finally lastly",
        rf"\b^(?:and |ok |so |but )*(?:next(?: up)?|then|after (?:that|this)|afterwards|finally"
        rf"|lastly)[,:]? (?!to the|time)(?:[a-z]+ (?:up|in|out|down|off|on) |please |you |we |also "
        rf"|i'd |i'll |i will |the |up |is |on |step|{DO})|\b(?:and then|after that"
        rf"|afterwards) (?:please |you |we |also )?{DO}\b|\bnext steps?\b",
    ),
    (
        Kind.TASK,
        "done finished complete completed merged ready live deployed green approved passed passes"
        " pass works landed published back over through",
        r"(?:^|[,;:.] ?|\b(?:and|then|please|also) )(?:once|when|as soon as"
        r"|after) [^,.]{2,50}? (?:done|finish\w*|complete\w*|merged|ready|live|deployed|green"
        r"|approved|pass(?:ed|es)?|works|landed|published|back|over|through)\b|\b(?:once|when"
        r"|as soon as|after) [^,.]{2,50}? (?:done|finish\w*|complete\w*|merged|ready|live|deployed"
        r"|green|approved|pass(?:ed|es)?|landed|published)[.!]?$",
    ),
    (
        Kind.TASK,
        "before",
        rf"\bbefore (?:you |we )(?:finish|wrap|are done|close|leave|end|sign off|go|stop|release|ship"
        rf"|merge|deploy|start)\b.{{0,20}}.*\b{DO}|\b{DO}\b.{{0,80}}\bbefore (?:you |we )(?:finish"
        rf"|wrap up|are done|close|leave|sign off|call it a day)",
    ),
    (
        Kind.TASK,
        "wants want asked asks needs requested requests expects wanted waiting",
        r"\b[\w.-]+(?: (?:from|in|at) \w+)? (?:also |still |really |just )?(?:wants?|asked|asks"
        r"|needs?|expects?|told|wanted|would like|reminded|begged) (?:us|me|you|the team) (?:to\b"
        r"|for\b|if we|about)|\b(?!i |we |you |it )[\w-]+ (?:also |still )?(?:requested|asked for"
        r"|is asking for|wants to (?:have|see|get)|is waiting for|needs|wants) (?:a|an|the|our|your"
        r"|that|all|it)\b.{0,60}\b(?:by|before|until|too|as well|report|summary|update|list|fix"
        r"|export|review|draft|version|doc\w*|tests?|estimate|plan|slide\w*|deck)\b",
    ),
    (
        Kind.TASK,
        "also too",
        rf"\b(?:can|could|would|will) you (?:please )?(?:also|later)\b|\balso,? (?:please )?(?:we "
        rf"|you |i )?(?:still )?(?:need|have) to\b|\b(?:we|you|i) (?:should|must|need to"
        rf"|have to) also {DO}|\balso (?:add|write|update|fix|create|check|document|prepare|send"
        rf"|rename|remove|test|include)\b",
    ),
    (
        Kind.TASK,
        "need needs have has must should gotta",
        r"\b(?:still|also|eventually|then|later)\b.{0,20}\b(?:need|needs|have|has) to\b|\b(?:we"
        r"|i)(?:'ll| will|'ve| have)? (?:still |also |eventually )?(?:need|have|got|gotta|must"
        r"|should) (?:to )?(?:write|update|fix|add|send|check|finish|test|document|review|follow"
        r"|contact|call|email|rename|remove|clean|verify|schedule|file|renew|order|refund|merge"
        r"|deploy|tag|announce|notify|upload|delete|rotate|revisit|prepare|close)\b"
        r"|\bneeds? (?:\w+ )?(?:to be (?:done|fixed|written|updated|added|tested|reviewed|finished"
        r"|sent|checked|merged|documented|renamed|removed|migrated|deployed|created|refunded|ordered"
        r"|cleaned|scheduled|renewed|rotated|verified)|doing|fixing|updating|testing|reviewing"
        r"|cleaning|a (?:review|test|fix|follow-?up))\b",
    ),
    (
        Kind.TASK,
        "follow follow-up followup action backlog list ticket plate agenda",
        r"\b(?:follow[- ]?up|action items?)\b.{0,60}|\b(?:on|to|in) (?:my|our|the"
        r"|your) (?:\w+ )?(?:list|plate|backlog|agenda|to-?do)\b",
    ),
    (
        Kind.TASK,
        "promised owe owes assigned responsible blocked waiting awaiting",
        r"\b(?:i|we) (?:promised|owe)\b|\bowes? (?:us|me|them|him|her)\b|\b(?:is|was|are"
        r"|been) assigned to\b|\b(?:blocked (?:on|by)|(?:is|are|'re|'m"
        r"|am) (?:still )?(?:waiting (?:for|on)|awaiting))\b",
    ),
    (
        Kind.TASK,
        "schedule book queue revisit return come",
        rf"{S}(?:schedule|queue|revisit|come back to|circle back|get back to|return to)\b (?!me\b)",
    ),
)
