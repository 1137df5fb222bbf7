"""Weak signs of what a sentence is, in English: what is left where no table knows the wording.

They are looked for only in what users say, and only where the tables found nothing; `standing` weighs them.
A sign is a form (whose taste, what for, how much, under which condition), not a wording. A row is added for a
form that was missed; it must leave small talk and errands alone.
"""

from __future__ import annotations

import re

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.gates import gated

_ME = r"(?:me|us|my \w+|our \w+)"
_I = r"(?:i|we|my \w+|our \w+|he|she|they)"
_DEED = (
    r"(?:writ|build|prepar|work|mov|port|split|migrat|rewrit|develop|design|plan|learn|launch|translat"
    r"|research|studi|study|replac|set(?:ting)? up|renovat|train|organi[sz]|apply|rais|cut|convert)"
)

# What somebody likes or cannot bear, by who feels it: none of these needs a name or number beside it.
TASTE = (
    r"\b(?:i|we)(?:'d| would) like (?!to\b|you\b|that\b|it\b|this\b|a (?:minute|second|moment))\S+ \S+ \S|"
    r"\b(?:the|my|our) \w+ (?:wants|want|expects|expect|insists on|insist on|demands|demand|would like)\b|"
    rf"\b{_I} (?:don't|doesn't|do not|does not) (?:much )?care for\b|\b(?:suits?|bothers?|annoys?"
    rf"|irritates?|pleases?|bores?|tires?|drives?|helps?|puts?|confuses?) {_ME}\b(?! (?:to|with this"
    rf"|with that|find|fix|understand|out|part)\b)|\b(?:easier|easiest|better|best|nicer|harder|clearer"
    rf"|worse|more|most|less|least|fine|okay|important|priority|crucial)\b(?: \w+){{0,3}} (?:for|with|by|to"
    rf"|on) {_ME}\b|\bto me\b.{{0,40}}\bthan\b|\b(?:for|to) me,? .{{2,60}}\b(?:more|most|first|before|over"
    rf"|beats?|than)\b|\b{_I}(?:'m| am|'re| are|'s| is) (?:\w+ ){{0,2}}?(?:a fan|fans|partial|fond\w*|keen"
    rf"|allergic|vegan|vegetarian|intolerant|averse|picky|used to (?!it|that|this)|happier|happiest|more of"
    rf"|more comfortable|a \w+ (?:person|guy|girl|type|kind|eater|reader))\b|\b{_I} (?:\w+ ){{0,2}}?(?:hate"
    rf"|hates|dislikes?|enjoys?|prefers?|favou?rs?|adores?|loathes?|detests?|leans?|tends?|cherish"
    rf"|values?)\b(?! (?:it|that|this|when that)\b)|\b{_I} (?:\w+ly |never |don't |doesn't "
    rf"|do not )?(?:likes?|loves?|liked|go for|goes for|eat|eats|drink|drinks)\b (?!it\b|that\b|this\b"
    rf"|the (?:new|first|second|last|way)\b|how\b|your\b|what\b|to (?:see|try|ask|know)\b|where\b|those\b"
    rf"|these\b)|\bfor me[.!]?$|\bdo(?:es)? {_ME} good\b|\bget along (?:\w+ )?(?:better|best|well) with\b"
    rf"|\bnothing (?:beats|like)\b"
    r"|\bmy (?:wife|husband|partner|mother|father|mum|mom|dad|parents|son|daughter|kids?|children|boss"
    r"|doctor|dog|cat|team|client|editor|girlfriend|boyfriend|brother|sister) (?:\w+ly )?(?:can't|cannot"
    r"|doesn't|don't|won't|needs?|wants?|insists?)\b|^[a-z]+ (?:really |also )?(?:appreciates|prefers|hates"
    r"|loves|likes|dislikes|enjoys|insists on|detests|can't stand)\b"
    rf"|\b{_I} (?:can't|cannot|can not|couldn't|won't) (?:stand|bear|abide|stomach|eat|drink|read"
    rf"|deal with)\b|\b(?:i|we)(?:'d| would) (?:\w+ )?(?:rather|sooner|much|hate|take|like it if|go)\b"
    rf"|\b(?:could|can) do without\b|\bgiven (?:the|a) choice\b|\bwhen in doubt\b|\brather too\b|\b(?:would"
    rf"|'d) be (?:lovely|nice|great|perfect|welcome|ideal|appreciated|my choice)\b(?! if you (?:can"
    rf"|could) (?:check|look|fix))|\bmy (?:\w+ )?(?:taste|favou?rites?|preference|pet peeve|style|choice)\b"
    rf"|\bthan a \w+ one\b|\b(?:personally|in my book|as far as i'm concerned)\b"
    rf"|\bi find (?:\w+ ){{1,4}}(?:easier|harder|nicer|clearer|ugly|distracting|hard|tiring|helpful"
    rf"|annoying|confusing)\b(?! to (?:say|tell))|\byou can be (?:frank|blunt|direct|honest|brief)\b"
)
# What for.
AIM = (
    r"\b(?:we're|i'm|we are|i am) aiming\b|\b(?:i'm|we're|i am|we are) putting together\b|\bwhat (?:this"
    r"|it all|all this|all of this) is (?:all )?(?:for|about)\b|\b(?:it's|it is|this is) (?:all "
    r"|really )?about \w+ing\b|\b(?:serves|meant|intended|designed) to (?:\w+ ){2}|"
    rf"\b(?:i|we)(?:'d| would) (?:like|love|want) to (?!see (?:it|that)|know|ask|try|look"
    rf"|understand (?:this|that)|thank|go (?:back|on)|start|stop|continue|hear)\w+ (?:\w+ ){{2}}|\b(?:i"
    rf"|we) (?:\w+ )?(?:hope|plan|intend|aim|mean|wish|seek|aspire) to (?!try|look|see)\w+ (?:\S+ ){{2}}"
    rf"|\b(?:i|we) (?:\w+ )?want to (?:be able|know (?:which|who|how many|whether|what|why)|end up"
    rf"|get (?:to|rid|rid of|off|out)|make|bring|have|become|find|build|keep|move|turn|finish|win|reach"
    rf"|show|prove|cut|halve|learn)\b (?!it\b|that\b|this\b|sure)(?:\w+ ){{1,2}}|\b(?:i'm|we're|i am|we are"
    rf"|we've been|i've been) (?:\w+ )?{_DEED}ing (?!on it|on that|on this|it\b|that\b)(?:\w+ ){{2}}"
    rf"|\b(?:we're|we are|i'm|i am) (?:out to|after|in the middle of|about to|on a mission)\b(?! that)"
    rf"|^(?:the|my|our|one) (?:whole |only |real |main |big |next )?(?:idea|job|point|dream|plan|hope|wish"
    rf"|ambition|challenge|task|mission|brief|assignment|deal)\b.{{0,40}}(?:\bis\b|\bwas\b|\bwould be\b|:)"
    rf"|\b(?:at the end of the day|when all is said|in the end|in the long run|eventually|ultimately"
    rf"|ideally|by the end of (?:this|it|the))\b.{{10,}}|\ball (?:of )?this (?:is|serves)\b"
    rf"|^this is (?:all )?(?:about|for)\b|\bsuccess (?:means|is|looks)\b|\bi(?:'ll)? need a (?:plan|way"
    rf"|strategy|concept|proposal|draft|schedule)\b|^what (?:matters|counts|we(?:'re| are) after|i(?:'m"
    rf"| am) after|we want|i want)\b|\bby (?:spring|summer|autumn|fall|winter|then|next \w+|the end of \w+"
    rf"|\w+ \d{{4}})\b.{{0,30}}\b(?:should|want|must|need|has|have)\b|\bso that (?:\w+ ){{1,4}}can\b"
)
SETTLED = (
    r"\bstays\b.{0,30}\bgoes\b|\b(?:takes|took|taking) over\b|\b(?:is|are) (?:out|in),|\b(?:we're|we are"
    r"|i'm|i am) not going to (?!be|work|happen|lie|ask)\w+ (?:\w+ ){0,3}\w|\b(?:we're|we are) (?:keeping"
    r"|leaving|taking|using|dropping|moving|switching|buying|hiring|selling|renting|cancelling) (?:the|our"
    r"|a|an|to|all) \w|\bvoted (?:for|against)\b|\bi gave the \w+ to\b|\bthat's final\b|\b(?:i|we)(?:'ve"
    r"| have| had)? (?:\w+ )?(?:ended up|made up (?:my|our) minds?|settled|signed (?:with|up)|opted|shelved"
    r"|dropped|ruled out|committed to|said (?:yes|no) to|threw|agreed|stuck)\b|\b(?:i|we)(?:'ll| will"
    r"| shall) (?:take|stay|stick|keep|have|use|go|do without|skip|leave)\b.{3,}\b(?:rather|instead|than"
    r"|for now|then|for the time|after all|with|without|because|since)\b|\b(?:we're|we are|i'm"
    r"|i am) (?:staying|sticking|going|settling|keeping|leaving|dropping) (?:with|for|to)\b|\b(?:it"
    r"|that) came down to\b|\b(?:has|have|was|were|is|been|got) (?:shelved|approved|rejected|cleared"
    r"|turned down|voted|ruled out|signed off)\b|\bsaid (?:yes|no) to\b|\bit is[.!]?$|\bfor (?:now"
    r"|the time being)\b|^(?:going|going with|going for|no go|agreed|settled|done deal)\b.{5,}"
    r"|\bthrew (?:it|them) out\b|\b\w+ it is\b|\bruled out\b|\bafter all\b|\bverdict\b|\bwill be (?!fine"
    r"|back|there|able|happy|great|right)|^(?:ok|okay|fine|good|right"
    r"|alright)(?: then)?,? .{3,30} then[.!]?$"
)
OPEN = (
    r"\b(?:we|i)(?:'ll| will)? (?:need|have|ought) to (?!look|check|see|think|go|run|restart|open|try|be"
    r"|leave|say|admit)\w+ (?:\w+ )?\w|\b(?:hasn't|haven't|isn't|aren't|has not|have not|yet to|still"
    r"|missing|unfinished|pending|overdue|owed?|owes|outstanding|due back|wants? \w+ing|wants? re\w+"
    r"|needs? (?:\w+ )?\w+ing|to be done|left to|without \w+ so far|so far|remaining|ought to"
    r"|put .{2,40} on the list|keep in mind|come back to|get back to)\b"
)
CHOSE = (
    r"\b(?:gave|voted|chose|picked|hired|booked|bought|sold|signed|ordered|rented|promised|agreed|cancelled"
    r"|canceled|quit|accepted|declined|switched|moved) (?!it\b|that\b|this\b|them\b|up\b|me\b|back\b)"
)
BOUND = (
    r"\b(?:at most|at least|up to|no more|no less|no later|not more|not less|over|under|beyond|above|below"
    r"|within|max\w*|min\w*|limit\w*|longer|more than|less than|fewer|later than|older|newer|latest"
    r"|earliest|only|cap\w*|clos(?:es|ed)|expires?|ends?|begins?|room for|restricted|budget|deadline|due|by"
    r"|until|till|before|after|half|tops|enough|holds?|seats?|per|can have|may have|that's all)\b"
)
BAN = (
    r"\b(?:no|not|never|nothing|nobody|none|nowhere|without|don't|doesn't|cannot|can't|mustn't|shouldn't"
    r"|won't|mayn't|avoid|except|neither|nor|out of)\b"
)
# Something that holds not only now.
_STANDING_WORDS = (
    "must mustn't should shouldn't shall shan't cannot may supposed always never only every each all any "
    "anything anyone anybody everything everyone everybody nobody nothing whoever whatever whichever "
    "whenever wherever where when if unless until till once before after first last rather instead except "
    "without always needs need has have gets get goes go belongs belong stays stay remains remain counts "
    "comes come carries carry starts ends opens closes both neither either no between per via through "
    "under over above below within beyond than both"
)
STANDING = frozenset(_STANDING_WORDS.split())
_DUTY_WORDS = (
    "must mustn't should shouldn't shall cannot may only always never every each all need needs gets can "
    "fit fits"
    " takes take holds hold lasts costs weighs seats contains"
)
DUTIES = frozenset(_DUTY_WORDS.split())
# What makes an order more than an errand.
_REPEATS_WORDS = (
    "always never every each all any anything anyone anybody everything everyone whoever whatever "
    "whenever wherever when if unless until till before only everywhere anywhere instead rather otherwise "
    "except per both always generally usually once after where without"
)
REPEATS = frozenset(_REPEATS_WORDS.split())
MODAL = (
    r"\b(?!(?:it|that|this|i|you|which|they|there|what|we)\b)[\w.'-]+ (?:\w+ ){0,1}?(?:must|mustn't|should"
    r"|shouldn't|shall|has to|have to|needs to|need to|cannot|may not|may only|can only|is not to"
    r"|are not to|is to|are to|has no|have no|gets? (?:\w+ed|no|the)|needs? (?:a|an|the|two|one)"
    r"|goes? (?:to|in|on|into|under|first|last|through)|comes? (?:first|last|before|after|with|from)|stays?"
    r"|belongs?|is (?:off|fine|spelled|reserved|meant|not for|for|always|never|only)|are (?:off|reserved"
    r"|meant|not for|for|always|never|only))\b"
)

# The verbs that begin an errand or an order.
_VERBS_WORDS = (
    "add adjust align analyse analyze annotate answer apply approve arrange ask assume attach avoid back "
    "begin book bring build bump buy calculate call cancel capture change charge check choose cite clean "
    "clear close collect combine commit compare compile compute configure confirm connect consider "
    "contact continue convert copy correct count cover create cut debug decide define delete deploy "
    "describe design disable document double download draft draw drop edit email enable end ensure "
    "escalate estimate evaluate exclude execute explain export extend extract fetch file fill filter find "
    "finish fix flag follow format forward gather generate get go group handle help hide hold "
    "hyphenate ignore implement import improve include increase indent inform insert inspect install "
    "invite issue join keep label launch lay leave let limit link list load lock log look lower mail make "
    "mark match measure mention merge migrate mock monitor move name note notify number offer omit open "
    "optimise optimize order organise organize outline pack page paste pay pick pin ping place plan plot "
    "point post prefer prepare present print prioritise prioritize process profile proofread propose "
    "provide publish pull push put query quote raise rank read rebase record redact reduce refactor "
    "refund regenerate register reject remember remind remove rename render repeat rephrase replace reply "
    "report request rerun reserve reset resolve respond restart return reuse review revise rewrite rotate "
    "round run save say scan schedule search select send separate serve set share ship shorten show sign "
    "simplify skip sort specify spell split squash stage start state stay stick stop store strip submit "
    "suggest summarise summarize suppose switch tag take talk target tell test thank throw tidy track "
    "transfer translate treat trim trust try turn undo update upgrade upload use validate verify view "
    "visit wait walk warn watch weight wrap write"
)
VERBS = frozenset(_VERBS_WORDS.split())
_NO_VERBS_WORDS = (
    "a about above after all along although among an and any around as at because before behind below "
    "beneath beside between both but by despite did do does during each either every except following for "
    "from given had has have how if in inside into is it its just like near neither no nor not of off on "
    "once only onto or our out outside over past per since so some than that the their then there these "
    "this those though through throughout to toward towards under unless until up upon was were what when "
    "where whether which while who whom whose why with within without yes yet maybe perhaps even also "
    "still again here now both half most many much same such is are am be been being"
)
NO_VERBS = frozenset(_NO_VERBS_WORDS.split())
_DETERMINERS_WORDS = "the a an this that these those me us it my your our them him her its his their"
DETERMINERS = frozenset(_DETERMINERS_WORDS.split())
ARTICLES = frozenset(("the", "a", "an", "me", "us", "my", "your", "our"))
# What is always in an order that has a condition.
CONDITION = re.compile(r"\b(?:when\w*|if|every|each|always|never|unless|until|before|after|once|any)\b")
# Past tense: it tells what happened.
PAST = gated(
    r"\b(?:was|were|took|had|did|went|got|came|saw|found|left|ran|said|told|became|gave|made|crashed|failed"
    r"|happened|worked|returned|looked|tried|seemed|talked|used|sold|paid|spent|lost)\b"
)
LOOKS = (
    r"^(?:\W|ok|okay|hi|hey|hello|hm+|so|and|now|thanks|great|please)*(?:(?:can|could|would"
    r"|will) you (?:please |maybe |just |quickly )*(?:look|walk|show|tell|explain|see|help|find out"
    r"|check (?:if|whether|how|why|what|the|it|that|this)|have a|take a|give me)|(?:have|take) a (?:quick "
    r"|closer )?look|tell me|show me|give me|let's (?:look|see|start|continue|get (?:going|started|on)"
    r"|have a look))\b"
)
ERRAND = (
    r"\b(?:this|that|these|those|it|them|above|again|now|one|ones|same|other|for me|tell me|show me|give me"
    r"|me (?:the|a|an|three|some|more)|the (?:first|second|third|last|next|previous|current|other|whole"
    r"|results?))\b"
)

# Verbs of errands: what they ask for is done at once, whatever it is done to.
_ERRAND_WORDS = (
    "add analyse analyze apply build calculate change check clean commit compare compile compute continue "
    "convert"
    " copy correct count create debug define delete describe design download draft draw edit estimate "
    "evaluate"
    " execute explain export extract fetch fill filter find finish fix format generate get give go implement"
    " import improve insert inspect install list load look make merge move open outline parse paste plan plot"
    " post print profile proofread propose publish pull push query read rebase refactor regenerate remove "
    "rename"
    " render repeat rephrase replace rerun reset restart return reuse review revise rewrite run save scan "
    "search"
    " see select show simplify sort split start submit suggest summarise summarize suppose test think "
    "translate"
    " try turn undo update upgrade upload view visit walk write"
)
ERRANDS = frozenset(_ERRAND_WORDS.split())
# What somebody did just now, or how something does just now.
CHAT = (
    r"^(?:\W|so|and|but|then|well|thanks|thank you|great|perfect|nice|hm+|ok|okay|oh|yes|no|yesterday|today"
    r"|earlier|now)*(?:(?:i|we)(?:'ve| have|'m| am)? (?:just |also |already |only |now |then )*(?:opened"
    r"|looked|checked|ran|tried|read|reading|pushed|saw|watched|restarted|reloaded|copied|started|tested"
    r"|looking|got|pulled|clicked|pasted|attached|fixed|compiled|installed|rebooted|logged|refreshed|called"
    r"|met|emailed|talked|spoke|went through|skimmed)\b|(?:[\w./-]+ ){1,4}(?:is|are|was) (?:up|back|fine|ok"
    r"|okay|green|here|there|broken|empty|blank|still|again|gone)\b|(?:[\w./-]+ ){1,4}(?:fails|works"
    r"|compiles|crashes|hangs|crashed|failed|hung|loads|passes|passed|breaks|broke|runs (?:now|again|fine)"
    r"|looks|seems|blinks)\b)"
)

# What happened, or what is before one's eyes: a value only if there is something exact in it.
TELLS = (
    r"^(?:\W|so|and|but|then|well|hm+|ok|oh|yes|no|also|just|yesterday|today|earlier|now)*(?:(?:i|we|you|he"
    r"|she|they|it|that|this|there|here|those|these|everything|something)(?:'ve|'d|'s|'m|'re"
    r"|'ll)?\b)(?! (?:must|should|shall|need|prefer|want|use|run|pay|charge|rent|own|keep|write|quote|bill"
    r"|store|host|deploy|treat|meet|call|count|measure|ship|sit|fly|live|work at|sell|sold))"
)

_PEOPLE = "i i'm i'd i've i'll we we're we'd we've we'll me us my our he he's she she's they they're"
# Each with the words of which one is in whatever its pattern finds.
BY_KIND = (
    (
        Kind.PREFERENCE,
        f"{_PEOPLE} than given doubt without rather personally concerned book "
        "wants want expects expect insists insist demands demand you would be appreciates "
        f"prefers hates loves likes dislikes enjoys insists detests can't",
        TASTE,
    ),
    (
        Kind.GOAL,
        f"{_PEOPLE} it's it about what serves meant intended designed idea job point dream plan hope wish "
        f"ambition challenge task mission brief assignment "
        f"deal day done"
        " end run eventually ultimately ideally this success matters counts by so",
        AIM,
    ),
    (
        Kind.DECISION,
        f"{_PEOPLE} stays takes took taking are it that that's down has have was were is been got said for "
        f"going no agreed settled "
        f"done threw "
        f"ruled after"
        " verdict will then",
        SETTLED,
    ),
)
