"""English words of budgets, caps, deadlines and quantities that bound.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import DATE, NUMBER, Row, S

# A sentence without a digit is a limit only with one of these.
QUANTITY_WORDS = (
    "one two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty"
    " sixty hundred thousand half single couple dozen"
    " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri tomorrow"
    " tonight today noon midnight eod eow cob end week month sprint quarter"
    " january february march april may june july august september october november december"
    " christmas easter year demo release launch freeze holiday holidays weekend"
    " review audit meeting deadline due q1 q2 q3 q4"
)

LIMITS: tuple[Row, ...] = (
    (
        Kind.LIMIT,
        "no not never",
        rf"\b(?:no|not|never|n't)\b.{{0,40}}?\b(?:more|less|fewer|longer|later|higher|lower|larger"
        rf"|bigger|greater|earlier|over|above|below|beyond|exceed|past"
        rf"|after)\b(?: than)? .{{0,24}}?(?:{NUMBER}\b|{DATE}|%)",
    ),
    (
        Kind.LIMIT,
        "most least maximum minimum max min",
        rf"\b(?:at (?:the )?(?:very )?(?:most|least)|max(?:imum)?|min(?:imum)?)\b.{{0,40}}?{NUMBER}\b"
        rf"|{NUMBER}\b.{{0,24}}\b(?:at (?:the )?(?:very )?most|at (?:the )?least|max(?:imum)?"
        rf"|min(?:imum)?|tops)\b",
    ),
    (
        Kind.LIMIT,
        "tops ceiling cap caps capped budget budgets budgeted quota allowance limit limits limited threshold",
        rf"\b(?:caps?|capped|budgets?|budgeted|ceiling|quota|allowance|limit(?:s|ed)?"
        rf"|threshold)\b.{{0,60}}?(?:{NUMBER}\b|\d)|\d.{{0,40}}\b(?:caps?|budget|ceiling|quota"
        rf"|allowance|limit|tops)\b",
    ),
    (
        Kind.LIMIT,
        "exceed exceeds exceeding surpass",
        rf"\b(?:must|may|can|shall|should|do|does|will|cannot|to|never|without|don't"
        rf"|not)\b.{{0,30}}\b(?:exceed\w*|surpass)\b.{{0,30}}(?:{NUMBER}\b|\d)",
    ),
    (
        Kind.LIMIT,
        "deadline due",
        rf"\bdeadline\b.{{0,60}}(?:\d|{DATE})|\bdue (?:by|on|date|before|at|this|next|tomorrow|in"
        rf"|no later|\w+day|the)\b|(?:{DATE}).{{0,30}}\bdeadline\b|\b(?:is|are|'s) due\b.{{0,30}}(?:\d"
        rf"|{DATE})",
    ),
    (
        Kind.LIMIT,
        "by before until till within",
        rf"\b(?:must|need|needs|needed|has|have|should|shall|to|want|wants|please|ship|deliver\w*"
        rf"|finish\w*|done|ready|complete\w*|submit\w*|live|launch|send|release\w*|file|go|in|expects?"
        rf"|report|over|freeze)\b.{{0,60}}\b(?:by|before|until|till|no later than"
        rf"|within)\b(?: the)? ?(?:{DATE}|{NUMBER} (?:min|hour|day|week|month|sec|business|working|ms"
        rf"|work))",
    ),
    (
        Kind.LIMIT,
        "under below within beneath than over above beyond up inside between into fit",
        rf"(?:\b(?:keep|stay|must|should|shall|need|needs|has to|have to|please|remain|limit|make|hold"
        rf"|get|bring|can't|cannot|only|go|ensure|answers?|aim|budget|spend\w*|pay|want|fit|kept|stays"
        rf"|allowed?|may|can|cost|respond|finish|nothing|nobody)\b.{{0,60}}|^(?!.*\b(?:was|were|took|had|did"
        rf"|came)\b))\b(?:under|below|within|beneath|less than|fewer than|shorter than|smaller than"
        rf"|cheaper than|over|above|beyond|up to|more than|inside|between|fit(?:s)? (?:in|into"
        rf"|on))\b .{{0,16}}?(?:{NUMBER}\b|\d)",
    ),
    (
        Kind.LIMIT,
        "only just got have",
        rf"\b(?:you|we|i)(?:'ve)? (?:only |just )?(?:have|got|can|may) (?:only "
        rf"|just )?{NUMBER} .{{0,30}}?\b(?:hours?|days?|weeks?|minutes?|months?|eur|usd|euros?"
        rf"|dollars?|tokens|requests?|credits|attempts|tries|gb|mb|seats|people|calls)\b",
    ),
    (
        Kind.LIMIT,
        "until till",
        r"\b(?:i|you|we)(?:'ve| have)? (?:only )?(?:got|have) (?:until|till) .{0,30}",
    ),
    (
        Kind.LIMIT,
        "all only",
        rf"(?:{NUMBER}) .{{0,40}}\b(?:is|are) (?:all|the most|the only) .{{0,20}}\b(?:have|got|afford"
        rf"|can|left|spare)\b",
    ),
    (
        Kind.LIMIT,
        "spend spent afford pay cost",
        rf"\b(?:can't|cannot|can only|may|must not|don't|won't|not|never|could|may only|able to"
        rf"|allowed to|most we can|max we can)\b.{{0,30}}\b(?:spend|afford|pay"
        rf"|cost)\b.{{0,40}}(?:{NUMBER}\b|\d)",
    ),
    (
        Kind.LIMIT,
        "limit restrict cap rate",
        rf"{S}(?:limit|restrict|cap|rate-limit|throttle)\b.{{0,60}}\b(?:to|at)\b.{{0,12}}(?:{NUMBER}\b"
        rf"|\d)",
    ),
    (Kind.LIMIT, "or less fewer", rf"{NUMBER} .{{0,20}}\bor (?:less|fewer|under|shorter)\b"),
    (
        Kind.LIMIT,
        "timeout retries attempts rps qps latency sla coverage",
        r"\b(?:timeout|retries|attempts|rps|qps|latency|sla|coverage)\b.{0,20}\b(?:must|should"
        r"|is set|is|stays?|of|at|:|=|to)\b.{0,20}?\d",
    ),
)
