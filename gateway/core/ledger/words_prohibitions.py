"""English words by which people forbid.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import IDLE, PAST, Row, S

PROHIBITIONS: tuple[Row, ...] = (
    (
        Kind.PROHIBITION,
        "never",
        rf"{S}(?<!\bi could )(?<!\bi would )(?<!\bi can )never(?: ever)? {PAST}[a-z]",
    ),
    (
        Kind.PROHIBITION,
        "never",
        r"\b(?:is|are|'s|'re|must|should|shall|may|can|will|be) (?:\w+ )?never(?: ever)? (?:to\b"
        r"|allowed|ok|okay|acceptable|an option|be\b|go|fine|leave|touch|appear|contain|use|push"
        r"|share|run|store|log|commit|change|exceed|call|have to be)",
    ),
    (
        Kind.PROHIBITION,
        "never",
        r"\bnever(?: ever)? (?:go|goes|leaves?|belongs?|enters?|lands?|ends? up|ships?|mix|mixes"
        r"|touch(?:es)?|exceeds?|crosses|appears? in|gets? (?:committed|merged|deployed|shared|logged"
        r"|pushed|sent|edited|changed))\b",
    ),
    (Kind.PROHIBITION, "never", r"\bi never want\b|\bnever,? (?:ever|under)\b"),
    (
        Kind.PROHIBITION,
        "don't dont donot do",
        rf"{S}(?:don't|dont|do not|donot)(?: you)?(?: ever| please| just| even| simply| try to"
        rf"| go and)? {IDLE}[a-z]",
    ),
    (Kind.PROHIBITION, "dare", r"\bdon't (?:you|u|anyone) dare\b|\bdo not dare\b"),
    (
        Kind.PROHIBITION,
        "want like need",
        r"\bi (?:really |absolutely |definitely )?(?:don't|do not|dont) (?:want|like|need) (?:you|any"
        r"|to see|the|it|this|that|these|them|us|anything|anyone|anybody|code|comments|a|to (?:have"
        r"|be|get|find|hear|read|end)|\w+ing)\b|\bwe (?:don't|do not) want (?!to know)",
    ),
    (
        Kind.PROHIBITION,
        "we don't dont not",
        r"\bwe (?:don't|do not|dont) (?:ever )?(?!(?:have|know|think|see|understand|need|remember"
        r"|care|mind|want|yet|really|seem|get|believe|even|currently|expect)\b)[a-z]+",
    ),
    (
        Kind.PROHIBITION,
        "must mustn't mustnt shall shan't shouldn't should may cannot can't cant won't",
        r"\b(?:must not|mustn't|mustnt|must never|shall not|shan't|shall never"
        r"|may not(?! (?:be (?:able|the|a|necessary|needed|enough|possible|true)|have|work|need"
        r"|matter))|should never|ought never|shouldn't(?! (?:have|be (?:too )?(?:hard|difficult"
        r"|a problem|necessary)|we|i|it|you|this|that|take|matter))|should not(?! (?:have"
        r"|be (?:too )?(?:hard|difficult|a problem|necessary)|take|matter)))\b",
    ),
    (
        Kind.PROHIBITION,
        "cannot can't cant can",
        r"\b(?:you|we|nobody|no one|they|users?|clients?|customers?|agents?|it|that|this|which|code"
        r"|data|there) (?:can't|cannot|cant|can not) (?:ever |under any \w+ )?(?:be (?:changed"
        r"|touched|modified|deleted|shared|renamed|stored|logged|exposed|moved|removed|used|edited"
        r"|restarted|broken|committed|merged|sent|public\w*|any)|use|touch|change|push|deploy|delete"
        r"|store|share|leave|send|merge|modify|rely on|break|restart|upgrade|expose|log|go down|run"
        r"|install|contact|call|email|publish|promise|disclose|mention)\b",
    ),
    (
        Kind.PROHIBITION,
        "limits bounds off-limits offlimits out-of-bounds",
        r"\boff[- ]?limits\b|\bout[- ]of[- ]bounds\b",
    ),
    (
        Kind.PROHIBITION,
        "hands paws fingers",
        r"\b(?:hands|paws|fingers) off\b|\bkeep your (?:hands|paws|fingers)\b",
    ),
    (
        Kind.PROHIBITION,
        "circumstances circumstance conditions condition point account event case",
        r"\b(?:under|in|on|at) (?:no|any|none of the) (?:circumstances?|conditions?|case|event"
        r"|account|point)\b|\bnot (?:under|in|on) any\b",
    ),
    (
        Kind.PROHIBITION,
        "forbidden forbid prohibited prohibit banned ban taboo verboten disallowed allowed permitted"
        " no-go nogo unacceptable unwelcome",
        r"\b(?:is|are|was declared|'s|'re|it's|strictly|be|remains?|stays?|absolutely|completely"
        r"|totally|explicitly) (?:\w+ )?(?:forbidden|prohibited|banned|taboo|verboten|disallowed"
        r"|unacceptable|a no-?go)\b|\b(?:we|i|policy|legal|security|compliance|contract|license"
        r"|rules?) (?:\w+ )?(?:forbids?|prohibits?|bans?)\b|\b(?:not|n't|never|nobody is|no one is"
        r"|nothing is) (?:be )?(?:allowed|permitted|acceptable)\b(?! only)|\bno-?go\b|\b^(?:forbidden"
        r"|prohibited|banned)\b",
    ),
    (
        Kind.PROHIBITION,
        "stay keep steer stay",
        r"\b(?:stay|keep|steer) (?:\w+ )?(?:away|clear|out|off)\b(?: of| from)?",
    ),
    (
        Kind.PROHIBITION,
        "leave",
        rf"{S}leave (?:(?!me\b).){{1,60}} (?:alone|untouched|as (?:it|they) (?:is|are)|as is|unchanged"
        rf"|in place|intact)\b",
    ),
    (
        Kind.PROHIBITION,
        "avoid refrain abstain skip omit",
        rf"{S}(?:always )?(?:avoid|refrain from|abstain from|skip the|omit)\b|\b(?:if you"
        rf"|you) (?:could|can|would|should|must|to|'d)\b.{{0,24}}\b(?:avoid|refrain)\b"
        rf"|\bis to be avoided\b|\b(?:should|must|want|like|prefer|need|try|trying"
        rf"|needs?) (?:\w+ ){{0,2}}(?:be avoided|to avoid|avoid|refrain)\b",
    ),
    (
        Kind.PROHIBITION,
        "rather prefer appreciate appreciated better best grateful great nice",
        r"\b(?:rather|prefer|appreciate\w* if|better if|best if|great if|nice if|grateful if|happy if"
        r"|prefer it if) (?:it )?(?:if )?(?:you|we|nobody|no one|it|they|not"
        r"|the \w+) ?(?:\w+ ){0,3}?(?:didn't|don't|not|never|avoid\w*|without|stopped|weren't|wasn't"
        r"|nobody|no one|refrain\w*|left)\b|\brather not\b|\bprefer not\b|\bbetter not\b",
    ),
    (
        Kind.PROHIBITION,
        "without",
        rf"(?:{S}(?:\w+ ){{0,3}}?|\b(?:nothing|nobody|no)\b.{{0,60}})(?:don't|do not|never|not|nothing"
        rf"|no\b.{{0,30}}|nobody).{{0,80}}\bwithout\b|\bno\b.{{0,40}}\bwithout (?:my|asking|approval"
        rf"|permission|consent|review|a review|tests|prior)",
    ),
    (
        Kind.PROHIBITION,
        "no nothing none nobody noone neither nor zero",
        r"(?:^|[,;:.!(]\s?|\b(?:please|and|but|also|want|with|there (?:must|should) be|have|ok"
        r"|absolutely|strictly|is) )no (?!(?:problem|worries|idea|rush|need|doubt|wonder|one|matter"
        r"|longer|luck|way|clue|thanks|hurry|thank|big deal|offence|offense|hard feelings|wait|i |it "
        r"|that|this|you|we|the|later|more than|less|fewer|other|reason|sense|surprise|time|error"
        r"|errors|result|results|change|difference|issue|issues"
        r"|obligation)\b)[a-z][\w-]*(?:[ -][\w/-]+){0,12}[.!;,]?(?: (?:please|ever|at all|allowed"
        r"|anywhere|thanks|in|on|for|to|after|before|without|from|unless|or|into|until|during)\b|$)"
        r"|\b(?:nobody|no one|nothing|none|no \w+(?: \w+)?) (?:\w+ ){0,5}?(?:may|must|should|shall"
        r"|can|is to|gets to|is allowed|goes|gets|leaves|is|are|ships|touches)\b.{0,60}\b(?:be|until"
        r"|without|unless|allowed|touch\w*|changed?|delet\w+|deploy\w*|merged?|push\w*|go|goes|to|in"
        r"|into|out|except|before|leave|leaves)\b|\bzero tolerance\b",
    ),
    (
        Kind.PROHIBITION,
        "stop quit cease",
        r"(?:^|[,;:.!(]\s?|\b(?:please|and|you (?:must|should|can|have to)|just|also|i need you to"
        r"|i want you to) )(?:stop|quit|cease) (?!(?:the (?:server|container|process|service|build"
        r"|job)|it\b|here|there|now|that process))\w+ing\b",
    ),
    (
        Kind.PROHIBITION,
        "read-only readonly frozen sacred sacrosanct untouchable immutable freeze",
        r"\b(?:is|are|as|stays?|remains?|treat\w*|consider\w*|keep\w*) (?:\w+ )?(?:read-?only|frozen"
        r"|sacred|sacrosanct|untouchable|immutable)\b|\b(?:code|feature|change) freeze\b",
    ),
    (
        Kind.PROHIBITION,
        "not",
        r"(?:^|[,;:.!(]\s?|\b(?:please|and|but|ask you|asking you|told you|careful|sure|remember"
        r"|promise|want you|need you|agreed|way|as|so as|is|are|try|trying|expected|supposed"
        r"|best) )not to (?:touch|change|use|push|break|delete|modify|edit|commit|share|mention"
        r"|deploy|write|add|be (?:changed|touched|used|edited)|remove|rename|leak|log|store|send|call"
        r"|merge|exceed|include|run|install|tell|expose|alter|contact|disclose|reveal|promise"
        r"|[a-z]+)\b|\bnot (?:be|being|get) (?:changed|touched|modified|shared|logged|used|deleted"
        r"|edited|renamed|merged|committed|deployed|restarted|published)\b",
    ),
    (
        Kind.PROHIBITION,
        "not",
        r"\b(?:let's|lets|let us|please|you|we|should|must|to|will|would|'d|may|shall|better|best"
        r"|team|agent) not (?!sure|only|so\b|that\b|too\b|a\b|the\b|yet|necessar|required|mandatory"
        r"|really|very|quite|just|even|always|possible|clear|able|working|enough|be (?:able|necessary"
        r"|needed|possible|surprised|easy|too)|have to|need|much|many|bad|great|good|nice|like|know"
        r"|have (?:been|had|to)|work\b|seem|in\b|on\b|at\b|here|there|an\b|our|my|your|what|why|how"
        r"|allowed|as\b|about|for\b|from|to\b|with|done|finished|ready|complete|correct|right|true"
        r"|happy|convinced|certain|understand|see\b|fully|because|by\b|one\b|all\b|every|any\b|more"
        r"|less|longer|up to|mention it|hesitate|worry)[a-z]+",
    ),
    (
        Kind.PROHIBITION,
        "nothing nobody none noone no-one",
        r"\b(?:nothing|nobody|no one|none)\b.{2,60}?\b(?:should|must|may|shall|can|is to|gets?|goes"
        r"|leaves|ships?|is allowed|are to)\b",
    ),
    (
        Kind.PROHIBITION,
        "no can't cannot not never",
        r"\bno (?:longer|more|larger|bigger|later|fewer|less|higher) than\b|\b(?:can't|cannot"
        r"|must not|mustn't|may not|shouldn't|never) \w+ (?:more|longer|later) than\b|\bi (?:can't"
        r"|cannot|won't) have (?:you|anyone|anybody|any)\b|\bnot one more\b",
    ),
    (
        Kind.PROHIBITION,
        "exclude disregard ignore out",
        rf"{S}(?:exclude|disregard|ignore) (?:any|all|every|the|(?:\w+ ){{0,2}}\w+s)\b"
        rf"|{S}leave (?:\w+ ){{1,4}}out\b|\bwithout (?:showing|asking|telling|checking)\b",
    ),
    (
        Kind.PROHIBITION,
        "nothing",
        r"^nothing (?:before|after|over|under|above|below|older|newer|longer|with|that|in|from|but)\b",
    ),
    (Kind.PROHIBITION, "count apply", r"\b(?:don't|do not|doesn't|does not) count\b"),
    (
        Kind.PROHIBITION,
        "eat drink fly",
        r"\bi (?:don't|do not|can't|cannot|won't|never) (?:eat|drink|fly|drive|smoke|work|accept"
        r"|travel|take|read)\b",
    ),
    (
        Kind.PROHIBITION,
        "hate detest allergic dealbreaker deal-breaker tolerate accept unacceptable",
        r"\b(?:deal-?breaker)\b|\b(?:won't|will not|can't|cannot|not) (?:\w+ )?(?:tolerate|accept"
        r"|approve|merge)\b",
    ),
    (
        Kind.PROHIBITION,
        "nobody no none",
        r"\b(?:nobody|no one|none) (?:but|except|other than|apart from|besides)\b",
    ),
    (
        Kind.PROHIBITION,
        "forbids prohibits bans",
        r"\b(?:our|my|the) (?:\w+ ){1,2}(?:forbids|prohibits|bans)\b",
    ),
)
