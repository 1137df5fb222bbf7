"""Signs that a sentence is not its writer's own word for now, in English.

A sign is added for a way of speaking: for who else may be speaking, for what is imagined, past or played, for
texts that are only worked on. It need not prove anything: what is doubted stays among what the user said.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated

# Speech of others.
_SPEECH = """
says said saying tells told wrote states stated claims claimed reads according quoted
quoting mentions mentioned insists insisted argues argued recommends recommended suggests suggested
advises advised preaches swears swore vows vowed demands demanded complains complained believes
believed reckons reckon joked jokes jokingly guesses explained explains tweeted shouted shouts
whispered yelled warns warned cautions cautioned boasts boasted blogged lectured grumbles grumbled moaned
proposes
proposed remarked muses mused rants ranted pretends dreams dreamed teaches
thinks thought heard rumour rumor apparently supposedly
allegedly reportedly claiming
"""
# Imagined.
_IMAGINED = """
suppose supposing imagine imagining assume assuming pretend pretending hypothetical hypothetically
theoretically wonder wondering might
"""
# Example.
_EXAMPLE = """
gossip superstition satire so-called bootcamp rumours rumors screenplay
screenplays parody mockup mock-up showcase specimen
excerpt transcript example examples e.g instance sample dummy imaginary fictional fictitious
toy
"""
# Past.
_PAST = """

previously formerly ago yesterday's 

"""
# Others.
_OTHERS = """
they'd they'll they've they them their theirs they're they've he she his her hers him he's she's
neighbour neighbours
neighbor neighbors competitor competitors competitor's rival rivals colleague's friend friend's
friends brother brother's sister sister's mother mother's father father's mum dad mom uncle aunt
cousin grandma grandpa grandmother grandfather teacher professor landlord landlady roommate
roommates flatmate others elsewhere somebody someone folks
"""
# Institutions, whose rules are their own.
_INSTITUTIONS = """
hotel hotels airline airlines airport school schools hospital bank banks gym museum park
restaurant embassy university college police law laws government church army navy pilots
sailors doctors lawyers parents grandparents kids guests visitors passengers tourists students
pupils monks king queen emperor prince princess captain wizard robot robots alien aliens referee
coach director author authors expert experts critic critics ministry council eu un nato who's tribe
village castle
kingdom hostel hostels cafe cinema theatre theater pool zoo supermarket club clubs
casino bar bars pub pubs clinic court courts tribunal monastery abbey convent stadium mall campsite
landlady's consulate intern intern's maintainer maintainers auditors classmate classmates son son's
daughter's vet barber lifeguard lifeguards elevator
escalator
"""
# Play.
_PLAY = """
horoscope lorem ipsum documentary syllabus roleplay
role-play monologue meme proverb motto dungeon dream dreamt thou shalt 
story stories novel movie film character poem song lyrics joke joking kidding funny lol
haha hilarious episode quiz riddle hero heroine villain narrator dialogue scene fiction fairy tale
myth legend
"""
# Worked on.
_WORKED_ON = """
proofread proofreading rewrite rephrase reword paraphrase summarise summarize
meaning meant opinion thoughts
sensible reasonable absurd ridiculous silly nonsense outdated obsolete deprecated
"""
# What an order may also be about: "use British spelling", "never quote them".
_OBJECTS = """
they them quote quotes grammar spelling wording punctuation caption headline subtitle
"""
# What is past, habit or shown; next to a rule it is small talk.
_INSIDE = """
was were wasn't weren't hadn't didn't wouldn't couldn't got usually typically generally commonly
traditionally sometimes often rarely seldom guess placeholder patent video
videos demo demos taught learned learnt watched watching template contest hints hinted figures writes posted
"""
WORDS = frozenset(" ".join((_SPEECH, _IMAGINED, _EXAMPLE, _PAST, _PLAY, _WORKED_ON)).split())
"""Words in plain text any of which is a sign."""

INSIDE_WORDS = frozenset(_INSIDE.split())
"""Words that are a sign only in the sentence that rules."""

WEAK_WORDS = frozenset(" ".join((_OTHERS, _INSTITUTIONS, _OBJECTS)).split())
"""Words that are a sign except in an order."""

# Several words, in plain text.
PHRASES = gated(
    r"\b(?:used to|back (?:then|when|in)|in the past|in those days|at the time|had to|(?:was|were)(?:n't"
    r"| not| never| always"
    r"| only| allowed| required| supposed| told)|(?:old|last|previous|former|first) (?:job|boss|company"
    r"|team|employer|manager"
    r"|project|school|landlord|client|place|firm|flat|house)|when (?:i|we) (?:was|were|worked|joined"
    r"|started|lived|studied)"
    r"|what if|let's say|for instance|such as|if (?:i|we|you|it|the|that|this)\b[^,]{0,80}\b(?:were|had|would"
    r"|did)"
    r"|(?<!i )(?<!we )would(?! you| be (?:great|nice|good|better|best)| like| prefer| love| rather"
    r"| appreciate)\b"
    r"|do you think|make of|what does|mean by|is it true|how come|why (?:do|does|would|should|must|is"
    r"|are)|some (?:people|teams"
    r"|companies|say|of)|other (?:team|teams|people|companies|project|projects|department)"
    r"|another (?:team|company|project)"
    r"|not (?:ours|mine|our|my)\b|doesn't apply|does not apply|don't agree|disagree|no longer(?! than)"
    r"|any ?more"
    r"|not how we"
    r"|(?:the|their|that|this|its|an?|your) (?:[\w'-]+ ){0,3}(?:handbook|manual|guide|guidelines?|docs"
    r"|documentation|article|blog"
    r"|thread|forum|paper|study|specification|leaflet|poster|slogan|wiki|readme|memo|tutorial|textbook"
    r"|newsletter|brochure"
    r"|sticker|excerpt|passage|transcript|terms|magazine|newspaper|linter|compiler|error|log|tool|output"
    r"|script|page)"
    r" (?:\w+ ){0,2}(?:says?|said|reads?|states?|has(?! to)|had|lists?|tells?|wants?|demands?|recommends?"
    r"|forbids?|requires?|contains?"
    r"|prints?|complains?|goes|went|insists?|warns?|mentions?|claims?|suggests?|asks?))\b"
    r"|^(?:please )?(?:fix|correct|mark|check) (?:the|my|this) (?:english|text|sentence|commas?|typos?"
    r"|grammar|spelling|punctuation)\b"
    r"|^dear \w+|, which \w+s\b|^(?:system|assistant|user|admin|developer|operator): |^\S+\.(?:md|txt|rst"
    r"|pdf|docx?|html):\s"
    r"|\b(?:ignore|disregard|forget) (?:all |any )?(?:the |your |my )?(?:previous|prior|earlier|above) "
    r"(?:instructions|prompts?|rules)"
    r"|^>|^\W*[a-z][\w .-]{1,24}:\s+[\"'“]"
    # What is meant the other way round.
    r"|\byeah,? right\b|^\W*oh,? (?:sure|great|yes|wonderful|brilliant|lovely|of course)\b"
    r"|(?<!looks )(?<!look )(?<!looked )(?<!seems )(?<!sounds )(?<!feels )\bas if\b"
    r"|, (?:what an? )?(?:great|brilliant|fantastic|lovely|genius) (?:idea|plan)\b|\bnothing ever\b"
    r"|\bgo wrong\?|\bsarcas|\B/s$"
)

# Which count only in the sentence that rules: next to it they are small talk.
INSIDE = gated(
    r"\bif [a-z]+ (?:had|were|was|owned|ruled)\b|\b(?:i|we|they)'d never\b|^the old \w+ \w+(?:ed|nt|ept"
    r"|ought)\b|"
    r"^(?:most|many|some|several|few|plenty of|lots of|various) (?!of (?:our|my|the)\b)\w+"
    r"|\bremember when\b|\b(?:client|boss|company|team|job|one) before\b|\bwhen in rome\b|^until \d{4}\b"
    r"|^\W*(?:[\w']+ ){0,3}(?:title|talk|answer|key|paragraph|section|article|clause|chapter|verse|fact"
    r"|saying|lyrics?|quote|text|lesson|exercise|question|problem|puzzle|riddle|caption|lecture|song|book"
    r"|film|sign|notice|poster|teacher|judge|host|guard|narrator|customer|user|speaker)(?: [\w']+){0,4}: "
    r"|(?<!not )(?<!n't )(?<!never )\btranslat(?:e|ion)\b|\b(?:at|by|on|in|with|for|from|over) (?:that"
    r"|those) (?!\w+ing\b|case|end|time|way|note|order|date|day|one|point)\w+|\bthere\W*$"
    r"|\b(?:i|we|he|she|they|who) once\b|\bonce (?:upon|told|said|wrote)\b"
    r"|^(?:please )?(?:fix|correct|mark|check) (?:the|my|this) (?:english|text|sentence|commas?|typos?"
    r"|grammar|spelling|punctuation)\b"
    r"|\b(?:will|would|people|they|folks|many|you|we) say\b|\brule[sd] that\b|\b(?<!we )(?<!i )(?:plans"
    r"|intends|hopes|wishes|aims|threatens|promises|vows) to\b|\b(?:brother|sister|mother|father|son"
    r"|daughter)-in-law|\bmock \w+\b|\bsay (?:to|that|never|always|we|you|no|not)\b|\b(?:until|before"
    r"|since) last\b|\ballowed only\b|\bwhat (?:the|a|an|some) \w+ calls?\b|\b(?:had|made) (?:us|me"
    r"|everyone|everybody|people)\b|\bof mine\b|\bpredecessors?\b|^picture an?\b|^(?:please )?(?:read|say"
    r"|repeat|spell|type|recite|shout) (?:this|that|it|the following|out)\b|\bonce (?:forbade|had|was|were"
    r"|ran|made|\w+ed)\b|^(?:over |back |up |down )?at (?!least|most|all\b|the\b|no\b|night|noon|our\b|my\b"
    r"|run|any\b|\d)\w+|\b(?:anyone|everyone|everybody|people|those|whoever|nobody) (?:working|who works?"
    r"|employed|at|from)\b|\bthe (?:\w+ )?(?:folks|people|guys|team|crew|maintainers|auditors|engineers"
    r"|devs|developers|lawyers) (?:at|of|from|behind)\b|\b(?:puts?"
    r"|put) it\W*$|\bone (?:should|must|may|can|ought|shouldn't|mustn't)\b|^(?:please )?(?:name"
    r"|invent|make up"
    r"|come up with|compose|think of)"
    r" (?:an?|me|some|two|three|four|five|ten|\d+)\b|\bat the time\b|\b(?:argument|idea|claim|belief|notion"
    r"|view|advice|theory)"
    r" that\b|\b(?:in|since|during) (?:19\d\d|200\d|201\d)\b"
)

# Where a rule may stand that binds others; an order may be about it.
DOCS = gated(
    r"^(?:in |an? \w+ in |the )?(?:json|yaml|xml|python|rust|java|javascript|typescript|golang|kotlin|swift"
    r"|ruby|perl|php"
    r"|haskell|mercurial|git|linux|unix|windows|macos|android|ios|postgres|postgresql|mysql|sqlite|mongodb"
    r"|redis"
    r"|kafka|docker|kubernetes|github|gitlab|jira|slack|firefox|chrome|safari|react|angular|excel|latex"
    r"|bitcoin"
    r"|ethereum|http|tcp|ipv4|utf-8|html|css)(?:'s)? (?!is\b|are\b|\d|version)"
    r"|(?<!today's )(?<!team's )\b[a-z]{2,20}'s (?:\w+ )?(?:rules?|motto|policy|law|checklist|advice)\b|"
    r"\b(?:in|from|on|of|per) (?:the|a|an|their|that|this|some|its|your|one) (?:[\w'-]+ ){0,3}(?:handbook"
    r"|manual|guide|guidelines?"
    r"|docs|documentation|article|blog|post|thread|forum|paper|study|spec|specification|terms|licen[cs]e"
    r"|contract|leaflet"
    r"|label|sign|poster|slogan|wiki|readme|memo|tutorial|book|chapter|textbook|course|website|faq"
    r"|newsletter|brochure|sticker"
    r"|excerpt|passage|snippet|transcript|minutes|regulations?|standard|rules|textbook|magazine|newspaper"
    r"|letter|email|mail|ticket)\b"
)
# Four words or more in quotation marks.
QUOTED = re.compile(
    r"[\"“«„]\s*(?:[^\s\"”»]+\s+){3,}[^\"”»]*[\"”»]|(?<![a-z])'(?:[^\s']+\s+){3,}[^']*'(?![a-z])"
    # It opens in one sentence and closes in another.
    r"|[:：,，]\s?[\"“][^\"”]{4,400}$|^[^\"“”]{4,400}[.!?。！？][\"”]\W*$"
    r"|[“「『\"](?=[^”」』\"]{0,40}[\u4e00-\u9fff])[^”」』\"]{4,400}[”」』\"]"
)
# What a sentence behind it says of it.
POINTS_BACK = gated(
    r"(?:\b(?:that|this|it|those|these|which|they|he|she)\b|^(?:\W*(?:sensible|right|normal|true|fair"
    r"|really|agree|thoughts|opinion"
    r"|strange|funny|odd|weird|crazy|interesting|silly|ridiculous))).{0,60}\?|\bnot (?:ours?|mine|my|us"
    r"|me|true)\b|\b(?:funny|strange|odd|weird"
    r"|crazy|silly|ridiculous|absurd|nonsense|outdated|joking|kidding|disagree|hypothetical)\b"
    r"|(?:你?(?:怎么看|觉得)|合理|对吗|是吗|正常|为什么|什么意思|听着|听起来|看着|有意思|好笑|荒唐|离谱"
    r"|过时|不是我|当真|该怎么|会怎样|[这那].{0,12}[？?吗])"
)
