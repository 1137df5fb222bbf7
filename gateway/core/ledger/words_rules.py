"""English words by which people say how things are to be done.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import DO, PAST, Row, S

RULES: tuple[Row, ...] = (
    (
        Kind.RULE,
        "always",
        rf"{S}always {PAST}[a-z]|\b(?:must|should|shall|need to|needs to|has to|have to|are|is"
        rf"|be) (?:\w+ )?always (?:be|use|have|contain|go|run|include|start|end|to|come|remain|stay"
        rf"|carry|get|return|in)\b|\balways (?:needs|gets|goes|comes|has to|have to|must|requires"
        rf"|carries|includes|starts|ends|runs in|with|in)\b|\b^always\b",
    ),
    (
        Kind.RULE,
        "now here today tomorrow point moment",
        r"\bfrom (?:now|here|this point|today|tomorrow|this moment)(?: on(?:wards?)?| forward"
        r"| onwards?)\b|\b(?:as of|starting|effective|beginning) (?:now|today|tomorrow|monday"
        r"|immediately|right now)\b|\bfor now,? (?:use|keep|only|always)",
    ),
    (
        Kind.RULE,
        "forward going moving henceforth hereafter onward onwards future",
        r"\b(?:going|moving) forward\b|\b(?:henceforth|hereafter)\b"
        r"|\bin (?:the )?future\b.{0,40}\b(?:please|always|use|never|don't|ask|answer|you)\b"
        r"|\bin (?:the )?future,",
    ),
    (
        Kind.RULE,
        "rest whole entire throughout remainder duration",
        rf"\bfor the (?:rest|remainder|duration|whole|entire) \b.{{0,40}}"
        rf"|{S}{DO}\b.{{0,80}}\bthroughout\b",
    ),
    (
        Kind.RULE,
        "sure certain",
        r"\b(?:make|be|making) (?:\w+ )?(?:sure|certain) (?!about|i understand|i've|what|if|whether"
        r"|how)(?:to|that|you|the|all|every|it|nothing|no|your|any|we|each|there|[a-z]+)",
    ),
    (Kind.RULE, "ensure guarantee", rf"{S}(?:ensure|guarantee)\b"),
    (
        Kind.RULE,
        "must",
        r"(?<!\bi )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bthis )(?<!\bthat )(?<!there"
        r" )\b(?:must|must always|must only) (?!have (?:been|had|\w+ed)|admit|say|confess|be (?:a|an"
        r"|the|some(?:thing)?|tired|kidding|joking|missing|wrong|because|due|nice|great|fun|that|why"
        r"|how)\b|not\b|never\b|i\b|we\b)[a-z]|\b(?:it|there|this|that|they) must (?:always |only "
        r"|still |be (?:possible|at|in|written|kept|able|under|done|compatible|signed|sorted|ready"
        r"|idempotent|\w+ed\b)|work|run|support|handle|return|pass|stay|remain|fit|match|contain"
        r"|have (?:a|an|the|at least|no)\b|not)",
    ),
    (
        Kind.RULE,
        "shall",
        r"\b(?:it|they|there|system|service|api|answers?|replies|code|you|\w+s) shall (?!we|i\b"
        r"|not\b)[a-z]",
    ),
    (
        Kind.RULE,
        "have need has needs",
        r"\b(?:you|everyone|everybody|every \w+|each \w+|all \w+(?: \w+)?|any \w+(?: \w+)?|answers"
        r"|replies|it all|everything|anything|anyone|commits|responses) (?:always )?(?:have|has|need"
        r"|needs) (?:to|a|an|at least|the)\b(?! follow up)(?! know)(?! do is)|\b(?:has|have|needs"
        r"|need) to (?:always |only |still )?(?:be (?!updated|done|fixed|written|finished|migrated"
        r"|added|renamed|removed|tested|reviewed|cleaned|replaced|checked|sent|created)|stay|remain"
        r"|keep|go through|work|follow(?! up)|match|comply|conform|pass|support|run on|fit)\b",
    ),
    (
        Kind.RULE,
        "should ought supposed",
        r"(?<!maybe )(?<!think )(?<!what )(?<!how )(?<!probably )\b(?:you|all|every \w+|each \w+"
        r"|any \w+(?: \w+)?|answers?|replies|responses?|everything|code|\w+(?:s|es) |names|files"
        r"|functions?|tests?|commits?|messages?|comments?|variables?|output|queries|columns|dates"
        r"|numbers|prices|amounts) ?(?:should|ought to|are supposed to|is supposed to) (?:always "
        r"|only )?(?!have (?:been|\w+ed)|work\b|know\b|see\b|be (?:fine|ok|okay|able|enough|easy"
        r"|possible|good|there|done|ready)|probably|find|get|notice|not\b|never\b|i\b|we\b|help\b"
        r"|do the trick|now\b|fail|look into)[a-z]",
    ),
    (
        Kind.RULE,
        "required mandatory obligatory compulsory essential vital crucial imperative non-negotiable"
        " nonnegotiable",
        r"\b(?:is|are|'s|it's) (?:\w+ )?(?:required|mandatory|obligatory|compulsory|imperative"
        r"|non-?negotiable)\b(?! by the (?:api|server|compiler))|\b(?:essential|vital|crucial"
        r"|important) (?:that|to)\b|\b^(?:required|mandatory|non-?negotiable)\b",
    ),
    (
        Kind.RULE,
        "important importantly critical",
        r"\b(?:important|critical)\b(?: \w+)?: \w+|\b(?:it's|it is) (?:\w+ )?(?:important"
        r"|critical) (?:that|to|for)\b",
    ),
    (
        Kind.RULE,
        "only",
        r"(?:^|[,;:.!(|]\s?|\b(?:please|and|but|you (?:may|must|should|can|are to|shall)|we|also|can"
        r"|may|must|should|shall|to|so|just|then|is|are|for|forward"
        r"|now on) )only (?:ever )?(?!(?:just|one|two|three|a|an|the (?:first|last)|few|some|then"
        r"|recently|yesterday|when i|problem|thing|issue|after i|if i|because|works?|fails?|had|got"
        r"|have|has|saw|found|know|see|need to know|for me|happens?|partially|if it|when it)\b)[a-z]",
    ),
    (
        Kind.RULE,
        "only exclusively solely strictly",
        r"\b(?:use|using|write|edit|touch|modify|work|deploy|merge|commit|read|change|push|answer"
        r"|reply|respond|speak|accept|import|query|call|run|talk|publish|send|quote|cite|allowed"
        r"|permitted|contact|test|target|support|stick|stay|upload|connect|output"
        r"|return) (?:\w+ ){0,4}?(?:only|exclusively|solely)\b|\bonly [\w ]{1,40} (?:may|can|is|are"
        r"|must|should|shall) (?:be |allowed|permitted|to be|ever|\w+)|\bonly (?:under|inside|within"
        r"|after|with my|with our|if i|once i|when i (?:say|ask|tell|approve))\b|\b(?:we"
        r"|you) only (?:use|support|ship|deploy|accept|allow|write|target|commit|merge|push|work|run"
        r"|publish|release|store|speak|talk|want|need|do)\b|\b(?:exclusively|solely"
        r"|strictly)\b .{0,50}|\b\w+ only[.!]?$",
    ),
    (
        Kind.RULE,
        "unless except",
        r"\bunless\b.{0,20}\b(?:i|we|you|told|otherwise|explicitly|asked|instructed|stated|specified"
        r"|approved|someone|they|the|a)\b.{0,40}|\bexcept (?:when|if|for|in)\b.{0,60}",
    ),
    (
        Kind.RULE,
        "stick adhere comply conform abide",
        r"\b(?:stick|adhere|comply|conform|abide|keep) (?:\w+ )?(?:to|with|by) (?!me\b)",
    ),
    (
        Kind.RULE,
        "follow respect obey",
        rf"{S}(?:always )?(?:follow|respect|obey|honou?r) (?:the|our|my|these|this|those|all|pep"
        rf"|google|semver|existing|its|\w+'s)\b(?! (?:link|instructions? (?:in|at)|steps in))",
    ),
    (
        Kind.RULE,
        "remember mind bear note",
        rf"{S}(?:remember|keep in mind|bear in mind|mind|note|take note|be aware)(?: that|,"
        rf"|:)? (?!me\b|when\b|how\b|what\b|to (?!always|never|not)|the (?:time|good))[a-z]+ "
        rf"|\b(?:keep|bear) (?:this |that |it )?in mind\b|\bremember (?:this|that|it)\b.{{0,60}}"
        rf"|\bplease remember\b",
    ),
    (
        Kind.RULE,
        "ask check confirm consult warn tell notify ping cc inform escalate",
        rf"{S}(?:always )?(?:ask|check (?:with|in with|back with)|confirm with|consult|run (?:it|this"
        rf"|that|everything) (?:by|past)|warn|notify|ping|cc|inform|escalate|tell"
        rf"|alert) (?:\w+ ){{0,3}}?.{{0,40}}\b(?:before|first|when(?:ever)?|if|prior|each|every|until"
        rf"|after|to)\b|\b(?:before|prior to) .{{3,60}}, (?:please )?(?:ask|check|confirm|consult|warn"
        rf"|notify|ping|tell|run|wait|get|make|show|take|create|always|let)\b",
    ),
    (
        Kind.RULE,
        "approval permission consent sign-off signoff say-so ok go-ahead",
        r"\b(?:without|needs?|requires?|until|unless|with|get|wait for|after"
        r"|only) (?:\w+ ){0,4}?(?:approval|permission|consent|sign-?off|say-so|go-ahead|explicit ok"
        r"|my ok)\b",
    ),
    (
        Kind.RULE,
        "every each all any whenever everywhere",
        rf"(?:{S}{DO}\b.{{0,100}}|^.{{0,40}}\b(?:run|include|add|use|write|ask|start|end|gets?|needs?"
        rf"|must|show|give|goes|get|carries|has to)\b.{{0,60}}|^)\b(?:every time|each time"
        rf"|every single|for (?:every|each|all)|in (?:every|each|all)|on (?:every|each|all)"
        rf"|after (?:every|each|any)|before (?:every|each|any)|with (?:every|each)|to (?:every|each"
        rf"|all)|all (?:new|public|your|code|the|files|functions|dates|times|prices)|of (?:every|each)"
        rf"|everywhere|at all times|from (?:every|each|all)|whenever you)\b(?! (?:good|best|right"
        rf"|of it|night|day, i))|\b(?:whenever|when|every time|each time|any time) (?:you"
        rf"|we)\b.{{2,80}}, (?:please |you |always |first |then |also )?(?:must |should )?{DO}\b"
        rf"|^(?:every|each|all) .{{2,50}}\b(?:gets?|needs?|carr(?:y|ies)|comes?|goes?|must|starts?"
        rf"|ends?|should|requires?|has|have) (?!been|already|a bug)",
    ),
    (
        Kind.RULE,
        "if when whenever",
        rf"^(?:and |also |so |but |please )?(?:if|when|in case) (?!you(?:'re| are) (?:done|finished"
        rf"|ready)|(?:that|this|it) is (?:done|finished)|i (?:run|click|try|call|open|do|press|start"
        rf"|use)\b).{{3,100}}, (?:then |please |just |always |you (?:must|should|have to) "
        rf"|immediately |first )?(?:{DO})\b|{S}(?:stop|ask|escalate|fall back|abort|roll back|retry"
        rf"|halt)\b.{{0,60}}\b(?:if|when|whenever)\b",
    ),
)
