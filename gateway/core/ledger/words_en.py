"""English words by which people state what must be kept.

A row is a kind, the anchor words that make it worth a look (a sentence without any is never searched), and a
pattern on the sentence in lower case. A row is added for a wording of real users that none of them finds; it
must name its anchor, and must demand a sign that the speaker *sets* something: a verb in the imperative, a
modal, an "us". A word alone ("never", "only") also stands in every description.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind

Row = tuple[Kind, str, str]

S = "(?#start)"
"""Before an alternative: it is matched only where an imperative can begin. See STARTS."""

# Where an imperative can begin: at the start of a clause, or behind a word that leads to a verb.
STARTS = (
    r"[,;:.!?(\[|—–>\"“'*/#]\s?|\s-+\s|\b(?:please|pls|plz|kindly|and|but|so|then|also|just|you|we|ok(?:ay)?|again|or|because|that|to"
    r"|should|must|shall|will|can|could|would|may|on|forward|future|henceforth|onwards?|hey|hi|sure|important|note"
    r"|here|sake|btw|remember|guys|folks|team|otherwise|instead|however|well|rule|time|everything|anything|always|ever"
    r"|today|simply|absolutely|really|definitely|strictly|friday|monday|night|case|circumstances|when|once|till|until|unless"
    r"|code|project|repo|session|chat|conversation|answers?|replies)\s"
)

# Verbs behind "never" that tell what happened rather than what is to happen.
PAST = (
    r"(?!(?:mind|before|been|had|got|was|were|did|came|saw|went|found|knew|thought|understood|heard|took|said|told"
    r"|felt|met|seen|happens?|works?|have|has|quite|really|a|an|the|know|knows|knew|remember(?! to)|gets? old|tried|once)\b)"
    r"(?!(?!(?:exceed|proceed|need|embed|feed|seed|succeed|speed)\b)[a-z]+ed\b)"
)
# Imperatives that ask for nothing.
IDLE = (
    r"(?!(?:worry|mind|know|think|bother|hesitate|get me wrong|feel|panic|have|need|understand|see|care|forget|believe|remember|recall"
    r"|suppose|guess|seem|even know|really|quite|like|want|sweat|you think|you agree|mention it|be (?:shy|afraid|sorry)|work|trust me)\b)"
)

DO = (
    r"(?:use|answer|reply|respond|write|keep|call|address|refer|stick|follow|ask|check|confirm|run|format|include|add|cite|quote|show"
    r"|send|put|name|prefix|sign|treat|leave|stay|avoid|limit|store|log|commit|deploy|test|document|translate|speak|talk|explain|return"
    r"|wrap|start|begin|end|finish|notify|tell|ping|escalate|offer|mention|assume|respect|round|convert|sort|make|give|let|work|push"
    r"|merge|touch|edit|read|change|modify|wait|stop|report|list|get|go|be|do|pin|bump|target|import|save|create|open|look|point|provide"
    r"|state|label|tag|hide|mask|redact|encrypt|validate|prefer|present|output|print|update|build|install|ship|release|query|fetch|verify"
    r"|double-check|consult|cc|copy|mark|remind|warn|flag|back|set|support|rely|round|justify|spell|number|indent|link|attach|bring|pay|charge|bill|book|order|reserve|call|text|phone|message|reach|transfer|issue|refund|collect|record|capture|track|measure|compute|calculate|estimate|model|plot|chart|group|filter|exclude|join|refactor|rename|wire|rotate|squash|rebase|prepare|schedule|take|describe|annotate|summari[sz]e|handle|connect|draft)"
)
LANGUAGE = (
    r"(?:plain |simple |formal |british |american |brazilian |us |uk |simplified |traditional )?(?:english|french|german|spanish|italian|chinese|mandarin"
    r"|japanese|korean|portuguese|russian|dutch|polish|arabic|hindi|turkish|swedish|bullet(?:s| points?)|markdown|plain text|json|yaml|full sentences"
    r"|prose|tables?|lower ?case|upper ?case|first person|third person|one (?:sentence|paragraph|line)|metric|iso|utc)"
)
STYLE = (
    r"(?:short|brief|concise|terse|simple|formal|informal|casual|polite|succinct|crisp|to the point|friendly|professional|neutral|verbose|detailed"
    r"|minimal|small|readable|consistent|lowercase|conversational|plain|warm|dry|direct)"
)
MANNER = (
    r"(?:(?:british|american|us|uk|oxford) (?:english|spelling)|spelling|metric|imperial|celsius|fahrenheit|24-?h(?:our)?|12-?hour|iso|utc|tabs|spaces"
    r"|snake_case|camelcase|kebab-case|pascalcase|type (?:hints|annotations)|docstrings|f-strings|single quotes|double quotes|semicolons|bullet points"
    r"|bullets|markdown|emojis?|plain (?:text|english)|conventional commits|oxford commas?|headings|active voice|dark mode|sentence case|first names?|formal)"
)
NUMBER = r"(?:[$€£¥~]?\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|(?:a )?hundred|(?:a )?thousand|half|a single|a couple|a dozen)"
DATE = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:mon|tue|wed|thu|fri)\b|tomorrow|tonight|today|noon|midnight|eod|eow|cob|end of (?:the )?\w+|next (?:week|month|sprint|quarter|\w+day)"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d|\d+(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\d{4}-\d\d|\d\d?[/.]\d\d?|\d ?(?:am|pm|o'clock)|\d:\d\d|q[1-4]\b|christmas|easter|new year|the (?:demo|release|launch|freeze|holidays?|weekend|review|audit|meeting|deadline)"
    r"|january|february|march|april|june|july|august|september|october|november|december|this (?:week|month|sprint|quarter)|the \d+(?:st|nd|rd|th)"
)

# A sentence without a digit is a limit only with one of these.
QUANTITY_WORDS = (
    "one two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty sixty hundred thousand half single couple dozen"
    " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri tomorrow tonight today noon midnight eod eow cob end week month sprint quarter"
    " january february march april may june july august september october november december christmas easter year demo release launch freeze holiday holidays weekend"
    " review audit meeting deadline due q1 q2 q3 q4"
)

LIMITS: tuple[Row, ...] = (
    (Kind.LIMIT, "no not never", rf"\b(?:no|not|never|n't)\b.{{0,40}}?\b(?:more|less|fewer|longer|later|higher|lower|larger|bigger|greater|earlier|over|above|below|beyond|exceed|past|after)\b(?: than)? .{{0,24}}?(?:{NUMBER}\b|{DATE}|%)"),
    (Kind.LIMIT, "most least maximum minimum max min", rf"\b(?:at (?:the )?(?:very )?(?:most|least)|max(?:imum)?|min(?:imum)?)\b.{{0,40}}?{NUMBER}\b|{NUMBER}\b.{{0,24}}\b(?:at (?:the )?(?:very )?most|at (?:the )?least|max(?:imum)?|min(?:imum)?|tops)\b"),
    (Kind.LIMIT, "tops ceiling cap caps capped budget budgets budgeted quota allowance limit limits limited threshold", rf"\b(?:caps?|capped|budgets?|budgeted|ceiling|quota|allowance|limit(?:s|ed)?|threshold)\b.{{0,60}}?(?:{NUMBER}\b|\d)|\d.{{0,40}}\b(?:caps?|budget|ceiling|quota|allowance|limit|tops)\b"),
    (Kind.LIMIT, "exceed exceeds exceeding surpass", rf"\b(?:must|may|can|shall|should|do|does|will|cannot|to|never|without|don't|not)\b.{{0,30}}\b(?:exceed\w*|surpass)\b.{{0,30}}(?:{NUMBER}\b|\d)"),
    (Kind.LIMIT, "deadline due", rf"\bdeadline\b.{{0,60}}(?:\d|{DATE})|\bdue (?:by|on|date|before|at|this|next|tomorrow|in|no later|\w+day|the)\b|(?:{DATE}).{{0,30}}\bdeadline\b|\b(?:is|are|'s) due\b.{{0,30}}(?:\d|{DATE})"),
    (Kind.LIMIT, "by before until till within", rf"\b(?:must|need|needs|needed|has|have|should|shall|to|want|wants|please|ship|deliver\w*|finish\w*|done|ready|complete\w*|submit\w*|live|launch|send|release\w*|file|go|in|expects?|report|over|freeze)\b.{{0,60}}\b(?:by|before|until|till|no later than|within)\b(?: the)? ?(?:{DATE}|{NUMBER} (?:min|hour|day|week|month|sec|business|working|ms|work))"),
    (Kind.LIMIT, "under below within beneath than over above beyond up inside between into fit", rf"(?:\b(?:keep|stay|must|should|shall|need|needs|has to|have to|please|remain|limit|make|hold|get|bring|can't|cannot|only|go|ensure|answers?|aim|budget|spend\w*|pay|want|fit|kept|stays|allowed?|may|can|cost|respond|finish)\b.{{0,60}}|^(?!.*\b(?:was|were|took|had|did|came)\b))\b(?:under|below|within|beneath|less than|fewer than|shorter than|smaller than|cheaper than|over|above|beyond|up to|more than|inside|between|fit(?:s)? (?:in|into|on))\b .{{0,16}}?(?:{NUMBER}\b|\d)"),
    (Kind.LIMIT, "only just got have", rf"\b(?:you|we|i)(?:'ve)? (?:only |just )?(?:have|got|can|may) (?:only |just )?{NUMBER} .{{0,30}}?\b(?:hours?|days?|weeks?|minutes?|months?|eur|usd|euros?|dollars?|tokens|requests?|credits|attempts|tries|gb|mb|seats|people|calls)\b"),
    (Kind.LIMIT, "until till", rf"\b(?:i|you|we)(?:'ve| have)? (?:only )?(?:got|have) (?:until|till) .{{0,30}}"),
    (Kind.LIMIT, "all only", rf"(?:{NUMBER}) .{{0,40}}\b(?:is|are) (?:all|the most|the only) .{{0,20}}\b(?:have|got|afford|can|left|spare)\b"),
    (Kind.LIMIT, "spend spent afford pay cost", rf"\b(?:can't|cannot|can only|may|must not|don't|won't|not|never|could|may only|able to|allowed to|most we can|max we can)\b.{{0,30}}\b(?:spend|afford|pay|cost)\b.{{0,40}}(?:{NUMBER}\b|\d)"),
    (Kind.LIMIT, "limit restrict cap rate", rf"{S}(?:limit|restrict|cap|rate-limit|throttle)\b.{{0,60}}\b(?:to|at)\b.{{0,12}}(?:{NUMBER}\b|\d)"),
    (Kind.LIMIT, "or less fewer", rf"{NUMBER} .{{0,20}}\bor (?:less|fewer|under|shorter)\b"),
    (Kind.LIMIT, "timeout retries attempts rps qps latency sla coverage", rf"\b(?:timeout|retries|attempts|rps|qps|latency|sla|coverage)\b.{{0,20}}\b(?:must|should|is set|is|stays?|of|at|:|=|to)\b.{{0,20}}?\d"),
)  # fmt: skip

PROHIBITIONS: tuple[Row, ...] = (
    (Kind.PROHIBITION, "never", rf"{S}(?<!\bi could )(?<!\bi would )(?<!\bi can )never(?: ever)? {PAST}[a-z]"),
    (Kind.PROHIBITION, "never", r"\b(?:is|are|'s|'re|must|should|shall|may|can|will|be) (?:\w+ )?never(?: ever)? (?:to\b|allowed|ok|okay|acceptable|an option|be\b|go|fine|leave|touch|appear|contain|use|push|share|run|store|log|commit|change|exceed|call|have to be)"),
    (Kind.PROHIBITION, "never", r"\bnever(?: ever)? (?:go|goes|leaves?|belongs?|enters?|lands?|ends? up|ships?|mix|mixes|touch(?:es)?|exceeds?|crosses|appears? in|gets? (?:committed|merged|deployed|shared|logged|pushed|sent|edited|changed))\b"),
    (Kind.PROHIBITION, "never", r"\bi never want\b|\bnever,? (?:ever|under)\b"),
    (Kind.PROHIBITION, "don't dont donot do", rf"{S}(?:don't|dont|do not|donot)(?: you)?(?: ever| please| just| even| simply| try to| go and)? {IDLE}[a-z]"),
    (Kind.PROHIBITION, "dare", r"\bdon't (?:you|u|anyone) dare\b|\bdo not dare\b"),
    (Kind.PROHIBITION, "want like need", r"\bi (?:really |absolutely |definitely )?(?:don't|do not|dont) (?:want|like|need) (?:you|any|to see|the|it|this|that|these|them|us|anything|anyone|anybody|code|comments|a|to (?:have|be|get|find|hear|read|end)|\w+ing)\b|\bwe (?:don't|do not) want (?!to know)"),
    (Kind.PROHIBITION, "we don't dont not", r"\bwe (?:don't|do not|dont) (?:ever )?(?!(?:have|know|think|see|understand|need|remember|care|mind|want|yet|really|seem|get|believe|even|currently|expect)\b)[a-z]+"),
    (Kind.PROHIBITION, "must mustn't mustnt shall shan't shouldn't should may cannot can't cant won't", r"\b(?:must not|mustn't|mustnt|must never|shall not|shan't|shall never|may not(?! (?:be (?:able|the|a|necessary|needed|enough|possible|true)|have|work|need|matter))|should never|ought never|shouldn't(?! (?:have|be (?:too )?(?:hard|difficult|a problem|necessary)|we|i|it|you|this|that|take|matter))|should not(?! (?:have|be (?:too )?(?:hard|difficult|a problem|necessary)|take|matter)))\b"),
    (Kind.PROHIBITION, "cannot can't cant can", r"\b(?:you|we|nobody|no one|they|users?|clients?|customers?|agents?|it|that|this|which|code|data|there) (?:can't|cannot|cant|can not) (?:ever |under any \w+ )?(?:be (?:changed|touched|modified|deleted|shared|renamed|stored|logged|exposed|moved|removed|used|edited|restarted|broken|committed|merged|sent|public\w*|any)|use|touch|change|push|deploy|delete|store|share|leave|send|merge|modify|rely on|break|restart|upgrade|expose|log|go down|run|install|contact|call|email|publish|promise|disclose|mention)\b"),
    (Kind.PROHIBITION, "limits bounds off-limits offlimits out-of-bounds", r"\boff[- ]?limits\b|\bout[- ]of[- ]bounds\b"),
    (Kind.PROHIBITION, "hands paws fingers", r"\b(?:hands|paws|fingers) off\b|\bkeep your (?:hands|paws|fingers)\b"),
    (Kind.PROHIBITION, "circumstances circumstance conditions condition point account event case", r"\b(?:under|in|on|at) (?:no|any|none of the) (?:circumstances?|conditions?|case|event|account|point)\b|\bnot (?:under|in|on) any\b"),
    (Kind.PROHIBITION, "forbidden forbid prohibited prohibit banned ban taboo verboten disallowed allowed permitted no-go nogo unacceptable unwelcome", r"\b(?:is|are|was declared|'s|'re|it's|strictly|be|remains?|stays?|absolutely|completely|totally|explicitly) (?:\w+ )?(?:forbidden|prohibited|banned|taboo|verboten|disallowed|unacceptable|a no-?go)\b|\b(?:we|i|policy|legal|security|compliance|contract|license|rules?) (?:\w+ )?(?:forbids?|prohibits?|bans?)\b|\b(?:not|n't|never|nobody is|no one is|nothing is) (?:be )?(?:allowed|permitted|acceptable)\b(?! only)|\bno-?go\b|^(?:forbidden|prohibited|banned)\b"),
    (Kind.PROHIBITION, "stay keep steer stay", r"\b(?:stay|keep|steer) (?:\w+ )?(?:away|clear|out|off)\b(?: of| from)?"),
    (Kind.PROHIBITION, "leave", rf"{S}leave (?:(?!me\b).){{1,60}} (?:alone|untouched|as (?:it|they) (?:is|are)|as is|unchanged|in place|intact)\b"),
    (Kind.PROHIBITION, "avoid refrain abstain skip omit", rf"{S}(?:always )?(?:avoid|refrain from|abstain from|skip the|omit)\b|\b(?:if you|you) (?:could|can|would|should|must|to|'d)\b.{{0,24}}\b(?:avoid|refrain)\b|\bis to be avoided\b|\b(?:should|must|want|like|prefer|need|try|trying|needs?) (?:\w+ ){{0,2}}(?:be avoided|to avoid|avoid|refrain)\b"),
    (Kind.PROHIBITION, "rather prefer appreciate appreciated better best grateful great nice", r"\b(?:rather|prefer|appreciate\w* if|better if|best if|great if|nice if|grateful if|happy if|prefer it if) (?:it )?(?:if )?(?:you|we|nobody|no one|it|they|not|the \w+) ?(?:\w+ ){0,3}?(?:didn't|don't|not|never|avoid\w*|without|stopped|weren't|wasn't|nobody|no one|refrain\w*|left)\b|\brather not\b|\bprefer not\b|\bbetter not\b"),
    (Kind.PROHIBITION, "without", rf"(?:{S}(?:\w+ ){{0,3}}?|\b(?:nothing|nobody|no)\b.{{0,60}})(?:don't|do not|never|not|nothing|no\b.{{0,30}}|nobody).{{0,80}}\bwithout\b|\bno\b.{{0,40}}\bwithout (?:my|asking|approval|permission|consent|review|a review|tests|prior)"),
    (Kind.PROHIBITION, "no nothing none nobody noone neither nor zero", r"(?:^|[,;:.!(]\s?|\b(?:please|and|but|also|want|with|there (?:must|should) be|have|ok|absolutely|strictly|is) )no (?!(?:problem|worries|idea|rush|need|doubt|wonder|one|matter|longer|luck|way|clue|thanks|hurry|thank|big deal|offence|offense|hard feelings|wait|i |it |that|this|you|we|the|later|more than|less|fewer|other|reason|sense|surprise|time|error|errors|result|results|change|difference|issue|issues|obligation)\b)[a-z][\w-]*(?:[ -][\w/-]+){0,12}[.!;,]?(?: (?:please|ever|at all|allowed|anywhere|thanks|in|on|for|to|after|before|without|from|unless|or|into|until|during)\b|$)|\b(?:nobody|no one|nothing|none|no \w+(?: \w+)?) (?:\w+ ){0,5}?(?:may|must|should|shall|can|is to|gets to|is allowed|goes|gets|leaves|is|are|ships|touches)\b.{0,60}\b(?:be|until|without|unless|allowed|touch\w*|changed?|delet\w+|deploy\w*|merged?|push\w*|go|goes|to|in|into|out|except|before|leave|leaves)\b|\bzero tolerance\b"),
    (Kind.PROHIBITION, "stop quit cease", r"(?:^|[,;:.!(]\s?|\b(?:please|and|you (?:must|should|can|have to)|just|also|i need you to|i want you to) )(?:stop|quit|cease) (?!(?:the (?:server|container|process|service|build|job)|it\b|here|there|now|that process))\w+ing\b"),
    (Kind.PROHIBITION, "read-only readonly frozen sacred sacrosanct untouchable immutable freeze", r"\b(?:is|are|as|stays?|remains?|treat\w*|consider\w*|keep\w*) (?:\w+ )?(?:read-?only|frozen|sacred|sacrosanct|untouchable|immutable)\b|\b(?:code|feature|change) freeze\b"),
    (Kind.PROHIBITION, "not", r"(?:^|[,;:.!(]\s?|\b(?:please|and|but|ask you|asking you|told you|careful|sure|remember|promise|want you|need you|agreed|way|as|so as|is|are|try|trying|expected|supposed|best) )not to (?:touch|change|use|push|break|delete|modify|edit|commit|share|mention|deploy|write|add|be (?:changed|touched|used|edited)|remove|rename|leak|log|store|send|call|merge|exceed|include|run|install|tell|expose|alter|contact|disclose|reveal|promise|[a-z]+)\b|\bnot (?:be|being|get) (?:changed|touched|modified|shared|logged|used|deleted|edited|renamed|merged|committed|deployed|restarted|published)\b"),
    (Kind.PROHIBITION, "not", r"\b(?:let's|lets|let us|please|you|we|should|must|to|will|would|'d|may|shall|better|best|team|agent) not (?!sure|only|so\b|that\b|too\b|a\b|the\b|yet|necessar|required|mandatory|really|very|quite|just|even|always|possible|clear|able|working|enough|be (?:able|necessary|needed|possible|surprised|easy|too)|have to|need|much|many|bad|great|good|nice|like|know|have (?:been|had|to)|work\b|seem|in\b|on\b|at\b|here|there|an\b|our|my|your|what|why|how|allowed|as\b|about|for\b|from|to\b|with|done|finished|ready|complete|correct|right|true|happy|convinced|certain|understand|see\b|fully|because|by\b|one\b|all\b|every|any\b|more|less|longer|up to|mention it|hesitate|worry)[a-z]+"),
    (Kind.PROHIBITION, "nothing nobody none noone no-one", r"\b(?:nothing|nobody|no one|none)\b.{2,60}?\b(?:should|must|may|shall|can|is to|gets?|goes|leaves|ships?|is allowed|are to)\b"),
    (Kind.PROHIBITION, "no can't cannot not never", r"\bno (?:longer|more|larger|bigger|later|fewer|less|higher) than\b|\b(?:can't|cannot|must not|mustn't|may not|shouldn't|never) \w+ (?:more|longer|later) than\b|\bi (?:can't|cannot|won't) have (?:you|anyone|anybody|any)\b|\bnot one more\b"),
    (Kind.PROHIBITION, "exclude disregard ignore out", rf"{S}(?:exclude|disregard|ignore) (?:any|all|every|the|papers?|\w+s)\b|{S}leave (?:\w+ ){{1,4}}out\b|\bwithout (?:showing|asking|telling|checking)\b"),
    (Kind.PROHIBITION, "nothing", r"^nothing (?:before|after|over|under|above|below|older|newer|longer|with|that|in|from|but)\b"),
    (Kind.PROHIBITION, "count apply", r"\b(?:don't|do not|doesn't|does not) count\b"),
    (Kind.PROHIBITION, "eat drink fly", r"\bi (?:don't|do not|can't|cannot|won't|never) (?:eat|drink|fly|drive|smoke|work|accept|travel|take|read)\b"),
    (Kind.PROHIBITION, "hate detest allergic dealbreaker deal-breaker tolerate accept unacceptable", r"\b(?:deal-?breaker)\b|\b(?:won't|will not|can't|cannot|not) (?:\w+ )?(?:tolerate|accept|approve|merge)\b"),
)  # fmt: skip

RULES: tuple[Row, ...] = (
    (Kind.RULE, "always", rf"{S}always {PAST}[a-z]|\b(?:must|should|shall|need to|needs to|has to|have to|are|is|be) (?:\w+ )?always (?:be|use|have|contain|go|run|include|start|end|to|come|remain|stay|carry|get|return|in)\b|\balways (?:needs|gets|goes|comes|has to|have to|must|requires|carries|includes|starts|ends|runs in|with|in)\b|^always\b"),
    (Kind.RULE, "now here today tomorrow point moment", r"\bfrom (?:now|here|this point|today|tomorrow|this moment)(?: on(?:wards?)?| forward| onwards?)\b|\b(?:as of|starting|effective|beginning) (?:now|today|tomorrow|monday|immediately|right now)\b|\bfor now,? (?:use|keep|only|always)"),
    (Kind.RULE, "forward going moving henceforth hereafter onward onwards future", r"\b(?:going|moving) forward\b|\b(?:henceforth|hereafter)\b|\bin (?:the )?future\b.{0,40}\b(?:please|always|use|never|don't|ask|answer|you)\b|\bin (?:the )?future,"),
    (Kind.RULE, "rest whole entire throughout remainder duration", rf"\bfor the (?:rest|remainder|duration|whole|entire) \b.{{0,40}}|{S}{DO}\b.{{0,80}}\bthroughout\b"),
    (Kind.RULE, "sure certain", r"\b(?:make|be|making) (?:\w+ )?(?:sure|certain) (?!about|i understand|i've|what|if|whether|how)(?:to|that|you|the|all|every|it|nothing|no|your|any|we|each|there|[a-z]+)"),
    (Kind.RULE, "ensure guarantee", rf"{S}(?:ensure|guarantee)\b"),
    (Kind.RULE, "must", r"(?<!\bi )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bthis )(?<!\bthat )(?<!there )\b(?:must|must always|must only) (?!have (?:been|had|\w+ed)|admit|say|confess|be (?:a|an|the|some(?:thing)?|tired|kidding|joking|missing|wrong|because|due|nice|great|fun|that|why|how)\b|not\b|never\b|i\b|we\b)[a-z]|\b(?:it|there|this|that|they) must (?:always |only |still |be (?:possible|at|in|written|kept|able|under|done|compatible|signed|sorted|ready|idempotent|\w+ed\b)|work|run|support|handle|return|pass|stay|remain|fit|match|contain|have (?:a|an|the|at least|no)\b|not)"),
    (Kind.RULE, "shall", r"\b(?:it|they|there|system|service|api|answers?|replies|code|you|\w+s) shall (?!we|i\b|not\b)[a-z]"),
    (Kind.RULE, "have need has needs", r"\b(?:you|everyone|everybody|every \w+|each \w+|all \w+(?: \w+)?|any \w+(?: \w+)?|answers|replies|it all|everything|anything|anyone|commits|responses) (?:always )?(?:have|has|need|needs) (?:to|a|an|at least|the)\b(?! follow up)(?! know)(?! do is)|\b(?:has|have|needs|need) to (?:always |only |still )?(?:be (?!updated|done|fixed|written|finished|migrated|added|renamed|removed|tested|reviewed|cleaned|replaced|checked|sent|created)|stay|remain|keep|go through|work|follow(?! up)|match|comply|conform|pass|support|run on|fit)\b"),
    (Kind.RULE, "should ought supposed", r"(?<!maybe )(?<!think )(?<!what )(?<!how )(?<!probably )\b(?:you|all|every \w+|each \w+|any \w+(?: \w+)?|answers?|replies|responses?|everything|code|\w+(?:s|es) |names|files|functions?|tests?|commits?|messages?|comments?|variables?|output|queries|columns|dates|numbers|prices|amounts) ?(?:should|ought to|are supposed to|is supposed to) (?:always |only )?(?!have (?:been|\w+ed)|work\b|know\b|see\b|be (?:fine|ok|okay|able|enough|easy|possible|good|there|done|ready)|probably|find|get|notice|not\b|never\b|i\b|we\b|help\b|do the trick|now\b|fail|look into)[a-z]"),
    (Kind.RULE, "required mandatory obligatory compulsory essential vital crucial imperative non-negotiable nonnegotiable", r"\b(?:is|are|'s|it's) (?:\w+ )?(?:required|mandatory|obligatory|compulsory|imperative|non-?negotiable)\b(?! by the (?:api|server|compiler))|\b(?:essential|vital|crucial|important) (?:that|to)\b|^(?:required|mandatory|non-?negotiable)\b"),
    (Kind.RULE, "important importantly critical", r"\b(?:important|critical)\b(?: \w+)?: \w+|\b(?:it's|it is) (?:\w+ )?(?:important|critical) (?:that|to|for)\b"),
    (Kind.RULE, "only", r"(?:^|[,;:.!(|]\s?|\b(?:please|and|but|you (?:may|must|should|can|are to|shall)|we|also|can|may|must|should|shall|to|so|just|then|is|are|for|forward|now on) )only (?:ever )?(?!(?:just|one|two|three|a|an|the (?:first|last)|few|some|then|recently|yesterday|when i|problem|thing|issue|after i|if i|because|works?|fails?|had|got|have|has|saw|found|know|see|need to know|for me|happens?|partially|if it|when it)\b)[a-z]"),
    (Kind.RULE, "only exclusively solely strictly", r"\b(?:use|using|write|edit|touch|modify|work|deploy|merge|commit|read|change|push|answer|reply|respond|speak|accept|import|query|call|run|talk|publish|send|quote|cite|allowed|permitted|contact|test|target|support|stick|stay|upload|connect|output|return) (?:\w+ ){0,4}?(?:only|exclusively|solely)\b|\bonly [\w ]{1,40} (?:may|can|is|are|must|should|shall) (?:be |allowed|permitted|to be|ever|\w+)|\bonly (?:under|inside|within|after|with my|with our|if i|once i|when i (?:say|ask|tell|approve))\b|\b(?:we|you) only (?:use|support|ship|deploy|accept|allow|write|target|commit|merge|push|work|run|publish|release|store|speak|talk|want|need|do)\b|\b(?:exclusively|solely|strictly)\b .{0,50}|\b\w+ only[.!]?$"),
    (Kind.RULE, "unless except", r"\bunless\b.{0,20}\b(?:i|we|you|told|otherwise|explicitly|asked|instructed|stated|specified|approved|someone|they|the|a)\b.{0,40}|\bexcept (?:when|if|for|in)\b.{0,60}"),
    (Kind.RULE, "stick adhere comply conform abide", r"\b(?:stick|adhere|comply|conform|abide|keep) (?:\w+ )?(?:to|with|by) (?!me\b)"),
    (Kind.RULE, "follow respect obey", rf"{S}(?:always )?(?:follow|respect|obey|honou?r) (?:the|our|my|these|this|those|all|pep|google|semver|existing|its|\w+'s)\b(?! (?:link|instructions? (?:in|at)|steps in))"),
    (Kind.RULE, "remember mind bear note", rf"{S}(?:remember|keep in mind|bear in mind|mind|note|take note|be aware)(?: that|,|:)? (?!me\b|when\b|how\b|what\b|to (?!always|never|not)|the (?:time|good))[a-z]+ |\b(?:keep|bear) (?:this |that |it )?in mind\b|\bremember (?:this|that|it)\b.{{0,60}}|\bplease remember\b"),
    (Kind.RULE, "ask check confirm consult warn tell notify ping cc inform escalate", rf"{S}(?:always )?(?:ask|check (?:with|in with|back with)|confirm with|consult|run (?:it|this|that|everything) (?:by|past)|warn|notify|ping|cc|inform|escalate|tell|alert) (?:\w+ ){{0,3}}?.{{0,40}}\b(?:before|first|when(?:ever)?|if|prior|each|every|until|after|to)\b|\b(?:before|prior to) .{{3,60}}, (?:please )?(?:ask|check|confirm|consult|warn|notify|ping|tell|run|wait|get|make|show|take|create|always|let)\b"),
    (Kind.RULE, "approval permission consent sign-off signoff say-so ok go-ahead", r"\b(?:without|needs?|requires?|until|unless|with|get|wait for|after|only) (?:\w+ ){0,4}?(?:approval|permission|consent|sign-?off|say-so|go-ahead|explicit ok|my ok)\b"),
    (Kind.RULE, "every each all any whenever everywhere", rf"(?:{S}{DO}\b.{{0,100}}|^.{{0,40}}\b(?:run|include|add|use|write|ask|start|end|gets?|needs?|must|show|give|goes|get|carries|has to)\b.{{0,60}}|^)\b(?:every time|each time|every single|for (?:every|each|all)|in (?:every|each|all)|on (?:every|each|all)|after (?:every|each|any)|before (?:every|each|any)|with (?:every|each)|to (?:every|each|all)|all (?:new|public|your|code|the|files|functions|dates|times|prices)|of (?:every|each)|everywhere|at all times|from (?:every|each|all)|whenever you)\b(?! (?:good|best|right|of it|night|day, i))|\b(?:whenever|when|every time|each time|any time) (?:you|we)\b.{{2,80}}, (?:please |you |always |first |then |also )?(?:must |should )?{DO}\b|^(?:every|each|all) .{{2,50}}\b(?:gets?|needs?|carr(?:y|ies)|comes?|goes?|must|starts?|ends?|should|requires?|has|have) (?!been|already|a bug)"),
    (Kind.RULE, "if when whenever", rf"^(?:and |also |so |but |please )?(?:if|when|in case) (?!you(?:'re| are) (?:done|finished|ready)|(?:that|this|it) is (?:done|finished)|i (?:run|click|try|call|open|do|press|start|use)\b).{{3,100}}, (?:then |please |just |always |you (?:must|should|have to) |immediately |first )?(?:{DO})\b|{S}(?:stop|ask|escalate|fall back|abort|roll back|retry|halt)\b.{{0,60}}\b(?:if|when|whenever)\b"),
    (Kind.RULE, "exception exceptions matter times cases", r"\b(?:no|without|with no) exceptions?\b|\bno matter (?:what|how|who|which)\b|\bat all times\b|\bin all cases\b"),
    (Kind.RULE, "rule policy convention principle requirement constraint guideline instruction condition standard rules guidelines", r"\b(?:the|our|my|one|house|hard|golden|standing|general|team|company|strict|important|first|second|another|as a|key|new|simple|project|ground) (?:\w+ )?(?:rule|policy|convention|principle|requirement|constraint|guideline|instruction|condition|standard)s?(?: of thumb| here| for \w+| number one| about \w+)?(?: is| are|:|,| —| -)|^(?:hard |new |team |house )?(?:rule|policy|convention|principle|requirement|constraint|guideline|condition|standing instruction)s?(?: \d+| #\d+)?(?::| -| —| is)"),
    (Kind.RULE, "keep stay treat consider assume", rf"{S}(?:please )?(?:keep|treat|consider|assume|regard) (?!going|up\b|it up|trying|an eye|me posted|in mind|calm|getting|the change|working on)[^.]{{2,80}}\b(?:as|in|under|inside|below|at|unchanged|stable|compatible|sorted|private|confidential|secret|out|within|separate|up to date|in sync|alphabetical|to|free|intact|backwards?|green|clean|that)\b"),
    (Kind.RULE, "instead rather over not", rf"{S}(?:always )?(?:use|write|say|choose|pick|prefer|call|run|put|reach for|go with|take|log|send|store|push|deploy|sort|return|commit|answer|count|measure|report|quote|name)\b.{{2,80}}(?:\b(?:instead(?: of)?|rather than|over|as opposed to)\b|, not\b|\bnot (?:the )?[\w./-]+[.!]?$)"),
    (Kind.RULE, "every everything all any each", rf"{S}{DO}\b.{{0,60}}\b(?:every|each|all|any|everything|anything)\b"),
    (Kind.RULE, "expect want require demand insist need wants requires insists expects", r"\b(?:i|we|they|legal|security|customers?|clients?|\w+) (?:expect|want|require|demand|insist|need|wants|requires|expects|insists)s? (?:on |that )?(?:\w+ ){0,3}?(?:every|each|all|always|any)\b"),
    (Kind.RULE, "are is", r"\b(?:are|is) (?:always )?to (?:be|remain|stay|have|include|use|go) (?!blame|honest)"),
    (Kind.RULE, "for in with when", r"^(?:for|in|with|on) [^,.]{2,40}?,? (?:please |always |only )?(?:use|write|put|answer|call|include|add|run|keep|choose|take|follow|start|give) "),
    (Kind.RULE, "without", r"\b(?:nothing|no \w+) (?:\w+ ){0,2}(?:ships?|goes|leaves|gets?|is|are|happens) .{0,30}without\b"),
    (Kind.RULE, "always", r"(?<!\bi )(?<!\bit )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bthis )(?<!\bthat )(?<!\bthere )(?<!\bwe've )\b[a-z]+ (?:is |are )?always (?:include|mean|exclude|cover|apply|refer|start|end|contain|carry|use|come|go|count|cost|in\b|on\b|to\b|with|net|at\b|plural|singular|written|given|the)\w*|\bi always (?:want|need|expect)\b"),
    (Kind.RULE, "until till long while", rf"\b(?:until|till) (?:i|we|you|legal|further|\w+ (?:has|have|gives?|says?|approves?|signs?|confirms?|is back))\b|{S}(?:wait|hold|hold off|pause|postpone|freeze)\b.{{0,40}}\b(?:until|till|before|for (?:my|our|the))\b|{S}(?:as long as|while) .{{3,60}}, (?:don't|do not|never|no|only|keep|use)"),
    (Kind.RULE, "wait hold", rf"{S}(?:wait|hold)\b.{{0,40}}\b(?:before|for (?:my|our|the \w+) )"),
    (Kind.RULE, "goes go through first", r"\b(?:goes|go|must go|has to go|have to go) (?:through|via|to) [a-z]+(?: \w+)? (?:first|before)\b|\b(?:goes|has to go) through (?:\w+ )?(?:review|approval|legal|qa|security)\b|^\w+(?: \w+)? first, then \w+|\b(?:passes|run|put|get) (?:it|everything|this|them) (?:past|by) (?:me|us)\b"),
    (Kind.RULE, "needs need requires require", r"\b(?:needs?|requires?) (?:a|an|my|our|your|\w+'s|two|one|the|at least) (?:\w+ ){0,2}(?:manager|approval|reviews?|reviewers?|sign-?off|ok|permission|caption|ticket|title|confirmation|label|source|citation|access|seat|supervisor|comment|docstring|explanation|reason|unit)\b|\b(?:he|she|they|i|customer|client|guest) needs? [a-z]+ access\b"),
    (Kind.RULE, "not", r"^(?!.*\b(?:was|were|it's|it is|that's|i'm|i|he|she|they|seems?|looks?|did|had)\b).{4,90}, not \w+"),
    (Kind.RULE, "belong belongs wherever anywhere anytime", rf"\bbelongs? (?:in|to|on|under|at)\b|^(?:please |and )?(?:wherever|anywhere|any ?time) (?:you|we|there|it)\b"),
    (Kind.RULE, "stay stays start starts end ends include includes exclude excludes count counts are come comes run runs close closes open opens", r"^(?:and |also |fyi,? |note: )?(?:our|my|all|the company's|company) (?:\w+ ){1,3}?(?:starts?|ends?|begins?|closes?|opens?|runs?|includes?|excludes?|counts?) (?:in|on|at|from|as|with|to)\b|^(?:and |also |fyi,? |note: )?(?!(?:this|tests|errors?|bugs|it|pages|was|is|users|things|sometimes|always|yes|thanks|guess|does|has|builds|logs|requests|results)\b)[a-z-]+s (?:\w+ ){0,3}?(?:stay|start|end|include|exclude|count|come|go|run|close|open|belong|get|need|use|carry|follow) (?:in|on|at|as|with|to|from|out|a|an|the|no|their|first|last|by|under|into|through|vat|only)\b|^(?:and |also |fyi,? |note: )?(?:sundays|weekends|fridays|holidays|mondays|saturdays|evenings|mornings|nights)\b.{0,20}\bare\b"),
    (Kind.RULE, "default", r"\b(?:by|the|as a) default\b.{0,10}\b(?:use|should|must|is|to|answer|we|always|choose|assume|,)\b|^default to\b|\bdefault to\b"),
    (Kind.RULE, "use", rf"{S}use .{{1,60}}\b(?:for (?:all|any|every|the|each|new|tests?|\w+ing|\w+s)\b|everywhere|throughout|only|at all times|when(?:ever)?)\b"),
    (Kind.RULE, "responsible secret confidential private internal between", r"\b(?:is|are|stays?|remains?|keep (?:this|it|that)|treat \w+ as) (?:\w+ )?(?:confidential|secret|strictly internal|under nda|embargoed)\b|\bbetween (?:us|you and me)\b"),
    (Kind.RULE, "tests commits commit pr prs merge branch", rf"{S}(?:run|squash|sign|rebase|write|open|create|update|add|bump|lint|work)\b.{{0,50}}\b(?:before|after|per|on a|on an|with|to|in|for) (?:you |each |every |any |committing|commit|pushing|push|merging|merge|new|feature|separate|changelog|your|the changelog)\b"),
    (Kind.RULE, "compatible compatibility backward backwards compliant gdpr hipaa accessible", r"\b(?:must|need\w*|has to|have to|stay|remain|keep|be|should|is to)\b.{0,50}\b(?:compatible|compatibility|compliant|gdpr|hipaa|accessible)\b"),
    (Kind.RULE, "priority first matters", r"\b(?:takes? priority|has priority|comes? first|above all)\b"),
)  # fmt: skip
