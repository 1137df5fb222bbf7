"""Words by which what looks like a rule is told to be none, in English.

Each row blanks what its pattern matches, as `decoys` says. A row is added for a way of speaking *about* rules
that was taken for one. It must leave the next clause alone, where the speaker may say what counts now. What
all alternatives begin with is looked for once: so they say `\\b^` and `\\b(?<!no )` behind others with `\\b`.
"""

from __future__ import annotations

from gateway.core.ledger.words_decoys_others import CLAUSE, OTHERS, OTHERS_RULING, PAST_TILL, TILL

# What is blanked, each with the words that make it worth a look.
BLANKS: tuple[tuple[str, str], ...] = (
    *OTHERS,
    (
        "have need",
        rf"\b(?:don't|dont|do not|doesn't|does not|didn't|won't|wouldn't|no longer"
        rf"|never) (?:\w+ )?(?:have|need) to\b{CLAUSE}",
    ),
    (
        "needn't need necessary required mandatory obligatory obligation requirement must forbidden"
        " prohibited compulsory",
        rf"(?:\b(?:needn't|no need (?:to|for))|(?:\b(?:not|hardly|never)|n't) (?:\w+ )?(?:necessary|required"
        rf"|mandatory|obligatory|compulsory|needed|forbidden|prohibited|a must|a (?:\w+ )?(?:rule"
        rf"|requirement))|\bno (?:obligation|requirement))\b{CLAUSE}",
    ),
    (
        "true untrue false not no never nowhere saying said mean nothing forbids means nobody requires"
        " required says isn't",
        rf"\b(?:it's|it is|that's|is|this is) not (?:that|because|like|as if|as though"
        rf"|to say)\b{TILL}|\b(?:i'm|i am) not (?:saying|asking|telling|suggesting|demanding"
        rf"|claiming)\b{TILL}"
        rf"|\bi (?:never|didn't|did not) (?:said|say|meant|mean|asked|told|wanted|claimed|claim|demanded"
        rf"|demand)\b{TILL}"
        rf"|\bi (?:didn't|did not) (?:ask|tell|want)\b{TILL}"
        rf"|\b(?:doesn't|does not|didn't) mean\b{TILL}"
        rf"|\bnot that (?:you|we|i|it)\b{TILL}"
        rf"|\b(?:there(?:'s| is| was)|we have|we've|i know of|i see|i have|it's|it is|has|have) no (?:\w+"
        rf" )?(?:rule|policy"
        rf"|need|requirement|reason|law|limit|cap|obligation)\b{TILL}"
        rf"|\bnothing (?:that |in .{{1,20}} )?(?:says|forbids|prohibits|requires|demands|forces|prevents"
        rf"|stops)\b{TILL}"
        rf"|\bnobody(?:'s| is| has)? (?:requires?|demands?|expects?|forces?|asking|forcing|wants?)\b{TILL}"
        rf"|\bno \w+ (?:says|said|states|requires|demands|forbids|prohibits|obliges)\b(?! (?:us"
        rf"|we)\b){TILL}|\b(?:not true|untrue|false|a myth) that\b{TILL}|\bnowhere (?:does|do|did|is"
        rf"|in)\b{TILL}|\bunder no obligation\b{TILL}|\bby no"
        rf" means\b{TILL}"
        rf"|\bno one (?:requires?|demands?|expects?|forces?|wants?)\b{TILL}",
    ),
    (
        "if suppose supposing imagine pretend hypothetically hypothetical theory assume say had were"
        " consider picture"
        " let's sworn would what assuming world",
        rf"\bif (?:i|we|you|someone|somebody|he|she|they|one|nobody|everyone|only|the \w+|a \w+|my \w+"
        rf"|(?:all|every|each|no) \w+) (?:ever )?(?:said"
        rf"|told|were|was|wrote|had|asked|wanted|decided|demanded|weren't|wasn't)\b{TILL}"
        rf"|\b(?:suppose(?! nothing)|supposing|imagine\b(?! (?:nothing|i'm|i am|that i'm|me\b|you(?:'re|"
        rf" are)\b|(?:that )?the (?:reader|user|audience|customer)))"
        rf"|pretend (?!i'm|i am|to be|that i'm|you're)|hypothetical(?:ly)?\b(?! (?:\w+ )?must)|what if"
        rf"|let's pretend|let's play a|(?:pretend|assume|imagine|say|suppose) for (?:a|one) (?:second"
        rf"|moment|minute)|could have sworn|say you (?:had|were)|in theory|in an? (?:ideal|perfect|better"
        rf"|different) world|in"
        rf" a world (?:where|in which)|picture this|if only"
        rf"|had i|were i|were we)\b{TILL}"
        rf"|\b(?:assum(?:e|ing)|let's assume|let us assume) (?:for (?:a|the) (?:\w+)|there|nobody|no one|an? "
        rf"(?:rule|policy|law|ban))\b{TILL}"
        rf"|\b(?:consider|picture|envision|visuali[sz]e) (?:an?|the case|some) (?:\w+ )?(?:rules?|polic(?:y"
        rf"|ies)"
        rf"|constraints?|team|company|world|city|country|law|school|office|system|contract|case|person"
        rf"|user)\b{TILL}"
        rf"|\bit would be (?:wrong|a mistake|an error|unfair|false|naive) to\b{TILL}"
        rf"|\b(?:everyone|everybody|nobody|no one|people|they|one|you|all) would (?:have to|need to|never"
        rf" be|not be)\b{TILL}"
        rf"|\b^say (?:we|you|nobody|no one|everyone|i|they|all|only)\b{TILL}|\b^(?:what|how|who) (?:\w+"
        rf" )?would\b{TILL}"
        rf"|\b^it (?:would|might|could) be (?:silly|odd|funny|strange|absurd|weird|bad|terrible|awful|mad"
        rf"|crazy|too|a pity"
        rf"|overkill|interesting)\b{TILL}|\b^would (?:you still|it (?:help|matter|be))\b{TILL}",
    ),
    (
        "example instance e.g e g like such sample typical typically hypothetical illustration as could"
        " might would"
        " illustrate classic common imaginary made-up invented fictional fake silly",
        rf"\b(?:for example(?! code)|for instance|as an example|by way of (?:example|illustration)|^e\.g\.?"
        rf"|such as|(?:an? |one |the )?(?:example|sample|typical|classic"
        rf"|illustrative) (?:\w+ )?(?:rule|policy|instruction|constraint|guideline|prompt|sentence"
        rf"|would|could|might|is|of|:)|(?:rule|rules|policy|policies|instruction|instructions"
        rf"|something|sentences?|statements?|constraints?|prompts?"
        rf"|requirements?) (?:like|such as|along the lines of|of the form|saying|that says?)|typically"
        rf"|in (?:this|the|an|my|our|that) example|examples?:)\b{TILL}"
        rf"|\b(?:rules?|polic(?:y|ies)|prompts?|clauses?|companies|company|bank|team|shop|firm) (?:could"
        rf"|might|may|would)"
        rf" (?:\w+ )?(?:read|say|be|require|forbid|demand|state|go)\b{TILL}|\b^(?:to illustrate|by way of"
        rf" illustration)"
        rf"{TILL}|\b^(?:an? )?(?:\w+ )?(?:imaginary|made-up|invented|fictional|fake|hypothetical|silly"
        rf"|typical|common) \w+(?: \w+)?: .*|\b(?:slogans?|sentence) like\b{TILL}",
    ),
    (
        "had was were has have 've told been",
        rf"\b(?:i|we|they|he|she|it|you|\w+s?) (?:had (?:to|an?)|was (?:told(?! (?:that )?(?:we|us|our"
        rf"|to)\b)|always|never|only|supposed"
        rf"|asked)"
        rf"|were (?:told|always|never|only|supposed|asked|not allowed|allowed)|had (?:always|never"
        rf"|only|no)|(?:have|has) (?:always|never|only))\b{CLAUSE}|\b\w+'(?:ve|d) (?:always|never"
        rf"|only)\b(?! (?:rather|prefer|like|want|had)){CLAUSE}|\b(?:has|have) never\b{CLAUSE}"
        rf"|\bwas(?:n't| not) allowed\b{CLAUSE}",
    ),
    (
        "whether sure strict certain why wonder wondering explain how describe what understand curious",
        rf"\bwhether\b{CLAUSE}|\b(?:wonder(?:ing)?|curious) (?:if|why|whether|how|what|who|which)\b{TILL}"
        rf"|\b(?:explain|describe|tell me|understand|understood|know|knew|see|ask(?:ed)?|asking"
        rf"|show me|discuss|clarify|reason) (?:to me |me )?(?:again )?(?:why|how|what|when|where|if"
        rf"|who|about)\b(?! to (?:never|always)){TILL}|\b^why\b(?! don't (?:you|we)\b)[^:;]*|\b^(?:how come"
        rf"|what if|how do|how does"
        rf"|how can|what happens|who says|how (?:strict|serious|old|binding))\b(?! don't (?:you|we)\b){TILL}"
        rf"|\b(?:not|n't) (?:quite |really |entirely )?(?:sure|certain|clear)(?: if| why| that|: do|: is|:"
        rf" must)?\b{TILL}",
    ),
    (
        "must should can't cannot may know never",
        r"\b(?:must|should|may|can't|cannot|couldn't) (?:not )?have (?!to\b|an?\b|the\b|at\b|no\b|more\b"
        r"|less\b|fewer\b"
        r"|exactly\b|one\b|two\b|three\b|\d|its\b|their\b|your\b|his\b|her\b|access\b|only\b)(?:been|seen"
        r"|\w+ed|gone|come"
        rf"|had|got|done|said|told|known|thought|made|taken|left|forgotten|lost|heard|felt|\w+en)\b{CLAUSE}"
        rf"|\b(?:he|she|you|they|it|that|there) must be (?:kidding|joking|nice|hard|wrong|tired|mad"
        rf"|mistaken|fun|great"
        rf"|tough|lovely|crazy|some mistake|because|why|the reason|odd)\b{CLAUSE}|\bit (?:can't|cannot) be"
        rf" (?:more|less|that"
        rf"|further|later|older)\b{CLAUSE}|\b(?:it|that|this|there) should be (?:around|about|roughly|fine"
        rf"|ok|okay|enough|easy|possible|somewhere)\b"
        rf"{CLAUSE}|\b^you never know\b{CLAUSE}|\b(?:train|bus|ferry|tram|sun|boss|cat"
        rf"|dog|phone"
        rf"|post|postman|mail) never \w+s\b{CLAUSE}",
    ),
    (
        "haiku poem limerick fable tale story song joke write draft compose create generate invent design"
        " make need want build think",
        rf"\b(?:haiku|poem|limerick|fable|tale|story|song|joke)s? (?:about|in which|where)\b{TILL}|"
        r"\b(?:write|draft|compose|create|generate|invent|design|make up|make|need|want|think of|build)"
        r" (?:me |us |up )?"
        r"(?:an?|some|the) (?:[\w-]+ ){0,3}?"
        r"(?:poem|story|song|essay|policy|letter|sentence|slogan|function|regex|test|joke|haiku|speech"
        r"|limerick|sign|notice"
        r"|rule|memo|poster|riddle|ad|novel|play|sketch|headline|tale|quote|motto|law|banner|label|puzzle"
        r"|schedule"
        rf"|dialogue|article|tweet|contract|scene|quiz)s? (?:that|which|in which|about|where|whose|who|like"
        rf"|for my quiz|such as"
        rf"|with the words|reading|of|saying)\b{TILL}",
    ),
    (
        "say argue argued think claim",
        rf"\bone (?:could|might|would|may) (?:\w+ )?(?:argue|say|think|claim|object)\b{TILL}"
        r"|^.*, (?:they|people|some|experts) (?:say|claim|think|argue)[.!]?$|^say (?:the|a|we|you|i|they|it"
        r"|there|my|our)\b.*\b(?:was|were|had)\b.*",
    ),
    (
        "had were",
        r"^(?:\W|and|but|so)*(?:had|were) (?:we|i|you|they|he|she|it|the|there|my|our)\b.*",
    ),
    (
        "test tests function method script form api compiler linter parser validator assertion checker"
        " interpreter schema",
        rf"\b(?:tests?|compiler|linter|parser|validator|assertion|checker|interpreter|schema|function"
        rf"|method) (?:\w+ )?"
        rf"(?:checks?|asserts?|complains?|verif(?:y|ies)|says?|expects?|insists?|demands?|warns?|wants?"
        rf"|tells? me)"
        rf"\b{TILL}",
    ),
    (
        "wasn't weren't wouldn't allowed had",
        rf"\b(?:was|were)(?:n't| not| never)? (?:\w+ )?allowed\b{CLAUSE}|\bwouldn't let\b{CLAUSE}",
    ),
    (
        "nobody noone none said one",
        rf"\b(?:nobody|no one|noone) (?:ever )?(?:said|says|told|asked|claimed)\b{TILL}",
    ),
    (
        "dialogue dialog conversation sketch screenplay",
        rf"^(?:\W|please|can you|could you)*(?:write|draft|compose|create|generate|invent|make up) .{{0,40}}"
        rf"\b(?:dialog(?:ue)?|conversation|sketch|screenplay)\b{TILL}",
    ),
    (
        "raises raise",
        rf"(?<!must )(?<!should )(?<!shall )(?<!to )\braises?\b [A-Za-z]+ (?:if|when|unless)\b{TILL}",
    ),
    (
        "mind nevermind always ever only wait before problem",
        r"\bnever ?mind(?! the)\b|\bnever again[.!]*$|\b(?:as always|as ever|always welcome|always nice"
        r"|always good"
        r"|never before|not only|if only|the only(?! \w+ (?:we|you|i) )|only just|only because|can't"
        r" wait|no problem"
        r"|almost (?:always|never|only)|(?:it|that|there|this)(?:'s| is| was) (?:always|never"
        r"|only) (?:a|the|been|nice|good|fun|hard|easy|so|too|one|possible|worked)\b)",
    ),
    (
        "outdated obsolete deprecated superseded longer lifted revoked apply applies nonsense"
        " abolished wrong expired ignore cancelled",
        r"^.*\b(?:which|but that|that|and that|but this|this|rule|policy|wiki|guide\w*|convention|doc"
        r"|docs|page|but it|requirement|restriction|limit|ban)(?: q_)?(?:'s| is| was| are| were"
        r"| has been| have been)(?: now| long| all| completely| totally| already| since| simply| just"
        r"| hopelessly| clearly)* (?:outdated|obsolete|superseded|out of date|nonsense|abolished"
        r"|lifted|revoked|expired|wrong|dead|gone|history|rubbish|old|ancient|cancelled"
        r"|no longer (?:\w+))\b|^.*\b(?:which|that|rule|policy|it|this|restriction"
        r"|q_) (?:no longer (?:applies|apply|holds|exists|counts)|doesn't (?:apply|hold|count)"
        r"|does not (?:apply|hold|count)|can be ignored)\b|^.*\b(?:which|that|but) (?:we|i) (?:ignore"
        r"|don't follow|do not follow|disagree with|rejected|dropped|abandoned)\b",
    ),
)

# Tried only where a word of rule stands: what was, or what an error says, can be worth to be kept.
RULING_BLANKS: tuple[tuple[str, str], ...] = (
    *OTHERS_RULING,
    (
        "in when used then past previously formerly days historically originally ago last old once back"
        " before earlier initially time joined worked nineties eighties seventies sixties university school"
        " college"
        " childhood regime until under",
        rf"\b(?<!is )(?<!are )(?<!be )(?<!get )(?<!'s )used to\b{PAST_TILL}|\b(?:back then|back at|in"
        rf" (?:19\d\d|20[01]\d)(?=[^,;]*\b(?:could|had to|was|were)\b)|back in"
        rf"|back when|in the past|previously|formerly|in the old days|in those days|historically"
        rf"|originally|(?:years?|months?|weeks?|days?|long) ago(?! [^,;]{{0,30}}\b(?:decided|agreed|resolved"
        rf"|settled|approved|introduced|switched|chose)\b)|at my (?:last|previous|old|former"
        rf"|first) \w+|in my (?:last|previous|old|former|first) \w+|last (?:year|month|quarter|sprint"
        rf"|summer|winter|time)|once upon|i once (?:worked|lived|knew|had|met|saw)|when i was|when we"
        rf" (?:were|started|had)|until (?:last"
        rf"|recently)|when (?:i|we|he|she|they|my \w+|our \w+|his \w+|her \w+) (?:first |still )?(?:\w+ed"
        rf"|was|were|joined|worked"
        rf"|started|came|lived"
        rf"|studied|began|arrived|ran)|in the (?:\w+ )?(?:nineties|eighties|seventies|sixties"
        rf"|(?:19)?[5-9]0'?s|early days"
        rf"|beginning)|in the days of|at (?:the )?(?:university|school|college|uni)|in my (?:childhood"
        rf"|youth)|as an? "
        rf"(?:child|student|boy|girl|kid|trainee|apprentice)|(?:under|during) (?:the|our|my|his) (?:old"
        rf"|former|previous|last)"
        rf"|until (?:\w+ )?(?:19|20)\d\d [^,;]*\b(?:was|were|had|could)|earlier this|it used"
        rf"|initially)\b{PAST_TILL}"
        rf"|\b(?:before|until|under|prior to) [^,;]{{1,40}}?,? (?:\w+ ){{1,4}}?(?:had to|was|were"
        rf"|could(?:n't| not| only)?)\b"
        rf"{PAST_TILL}",
    ),
    (
        "error errors warning debug info warn fatal critical severe panic trace kernel systemd sshd cron"
        " jan feb mar"
        " apr may jun jul aug sep oct nov dec assert typeerror valueerror exception traceback",
        r"^[\w.-]+(?:\[\d+\])?: \[[\d.]+\] .*|^[a-z]{3} {1,2}\d\d? \d\d:\d\d:\d\d .*"
        r"|^(?:fatal|critical|severe|panic): .*|^\W*\d{4}-\d\d-\d\d[t ][\d:.,]+z?\W*"
        r"(?:\[?[\w.-]+\]?\W+){0,2}?(?:error|warn|warning|info|debug|fatal|trace|severe)\b.*"
        r"|^(?:\W|\d)*(?:error|warn|warning|info|debug|fatal|trace|severe|critical)\b(?=[: ]*(?:\d|\[|\()).*"
        r"|^\w*(?:error|exception): .*|^assert .*|^(?:traceback|stack ?trace)\b.*",
    ),
    (
        "get got saw see getting prints printed outputs complains reports comment comments docstring todo"
        " line row",
        rf"\bi (?:get|got|see|saw|keep getting) q_{TILL}"
        rf"|\b(?!i\b|we\b)\w+ (?:prints?|printed|outputs?|complains?|reports?): {TILL}"
        rf"|\b(?:line|row) \d+ (?:reads|says|is|has)\b{TILL}"
        rf"|\b(?:comment|docstring|todo)s? (?:reads |says |that |like )?q_{TILL}",
    ),
    (
        "error errors warning message exception throws threw prints shows displays complains crashes"
        " fails failing returns",
        rf"\b(?<!no )(?:errors?|error message|exception|warning|traceback|stderr|stdout"
        rf"|message)(?: \w+)?: {TILL}|\b(?:got|get|getting|throws?|threw|returns?|prints?|shows?"
        rf"|displays?|complains?|saw|see) .{{0,30}}\b(?:errors?|message|warning|exception)(?:[:,]| q_| that"
        rf"| saying| which| telling)"
        rf"{TILL}"
        rf"|\b(?:it|this|that|test|build|server|page|app|script|command|code|job|function|request"
        rf"|button|which) (?:always|never|only|must have|can't|cannot|doesn't"
        rf"|don't) (?:\w+ )?(?:fails?|crash\w*|works?|worked|returns?|happens?|hangs?|breaks?|loads?"
        rf"|appears?|shows?|gets?|errors?|times? out|finish\w*|stops?|starts?|seems?|prints?|throws?"
        rf"|passes|responds?|connects?|be (?:right|a bug|because|wrong)){CLAUSE}",
    ),
)
