"""Words by which others are told to speak or to rule: what they say binds no one here.

A row is added for a kind of speaker who was taken for one of us. Whoever may bind us (a client, the law, a
boss) is none of them, and what is demanded of *us* counts whoever demands it.
"""

from __future__ import annotations

# To the end of the sentence, or to where the speaker turns to what counts now.
TILL = (
    r"(?:(?!\b(?:(?<!anything )(?<!nothing )(?<!all )but|however|instead|nowadays|these days|from now on"
    r"|now|today|so please|going forward"
    r"|so (?:please|always|never|we|i|you|keep|make|do|don't|use|no|all|let's|every|only|nobody))\b|;).)*"
)
# What is in the present behind a comma holds in spite of the past before it: "after last year, nobody may …".
PAST_TILL = TILL.replace(
    r"|;)",
    r"|;|,(?! now\b)[^,]{0,50}\b(?:must|may|shall|ha(?:s|ve) to|do not|don't|please|(?<!could )(?<!would"
    r" )(?<!did"
    r" )(?:never|always) (?!\w+(?:ed"
    r"|t)\b))\b)",
)
CLAUSE = r"[^,;.!]*"

_SOURCES = (
    r"(?:(?:docstrings?|adverts?|ads?|wikis?|docs?|documentation|readme|manual|blogs?|article|post|books?"
    r"|papers?"
    r"|tutorials?|guides?|guidelines?|style ?guides?|handbook|pdf|rfc|slides?|leaflet|poster|memo|notice"
    r"|pages?|site|website|comments?|stack ?overflow|reddit|forums?|answers?|letter|faq|tweet"
    r"|video|course|linter|log|logs|message|error|contractor|consultant|admin"
    r"|output|warning|people|someone|somebody|folks|some|others|colleagues?|co-?workers?|friends?"
    r"|competitors?|vendors?|predecessors?|teachers?|guy|man|woman|stranger|author|speaker|expert|gurus?"
    r"|professors?|neighbou?rs?|intern|interns|brother|sister|father|mother|dad|mom|uncle|ex-\w+"
    r"|he|she|they|internet|google|chatgpt|it|that"
    r"|which|sign|poster|slogan|quote|song|film|movie|character|hero|villain|other (?:team"
    r"|company|project|department)s?|proposal|draft|changelog"
    r"|stories|saying|proverb|spec|specification|leaflet|instructions|sticker|recipe|legend|rumou?rs?|myth"
    r"|standard|grandma|grandmother|grandfather|gym|court|judge|airline|hotel|church|newspaper"
    r"|grandpa|gran|aunt|cousin|tool|result|response|page|text|file|section|ticket|legacy \w+"
    r"|license|licence|their \w+|old \w+|previous \w+|former \w+)"
    r"(?: (?:at|from|in|on|of|for|over|i|we|that we|that i)(?: \w+){1,3}?)?)"
)
_SAYS = (
    r"(?:says?|said|states?|stated|claims?|claimed|reads?|recommends?|recommended|told (?:me|him"
    r"|her|them|everyone|people|his|their|us that)|insists?"
    r"|insisted|suggests?|suggested|argues?|argued|thinks?|thought|believes?|believed|advises?"
    r"|advised|wrote|writes|demanded"
    r"|complain(?:s|ed)|have a (?:rule|policy)|has a (?:rule|policy)|had a (?:rule|policy)"
    r"|keeps? (?:telling|saying|insisting|repeating|reminding)|swears?|swore|vows?|vowed|has it"
    r"|ordered|used to|maintains?|maintained|preach(?:es|ed)?|quotes?|goes|prescribes?|forbids?|bans?"
    r"|decrees?|boasts?|prints?|promises|forbade|banned)"
)
_US = r"(?! (?:that |to )?(?:us|we|our)\b)"
_KIN = (
    r"(?:cousin|uncle|aunt|nephew|niece|grand(?:ma|pa|mother|father|parents?|son|daughter)|neighbou?r"
    r"|flatmate|roommate|housemate|in-laws?|hairdresser|dentist|yoga teacher|barber)"
)
# Whose demands are ours too.
_OURS_TOO = (
    r"(?:client|customer|team|project|company|boss|manager|user|law|city|state|board|everyone|nobody|anyone)"
)

# Nouns of who or what may bind us; of all others that "the" or "a" stands before, what they say is hearsay.
_BINDING = (
    r"(?:client|customer|boss|manager|lead|leader|head|contract|agreement|law|auditors?|regulators?"
    r"|lawyers?|board"
    r"|ceo|cto|cfo|owner|team|teams|project|company|policy|security|architect|users?|doctor|officer"
    r"|ministry|city|state"
    r"|landlord|landlady|task|ticket|issue|brief|assignment|order|requirements?|user|inspector|bank|insurer"
    r"|rule|rules"
    r"|committee|council|editor|publisher|director|captain|commander|supervisor|employer|plan|budget|we|i"
    r"|our|my|you)"
)

OTHERS: tuple[tuple[str, str], ...] = (
    (
        "says said believes believed claims claimed thinks thought states stated reads insists insisted"
        " argues"
        " argued suggests recommended recommends forbids bans demands warns notes explains mandates"
        " declares promises"
        " requires required demanded forbade banned wants wanted allows allowed",
        rf"\b(?<!as )(?<!whatever )(?<!what )(?<!per )(?:the|an?|some|this|that|one)(?:"
        rf" (?!{_BINDING}\b)[\w'-]+)"
        r"{1,5}? (?:also |always |often |still |only |clearly |just )?"
        r"(?:warns|notes|explains|mandates|declares|promises|says|said|believes|believed|claims|claimed"
        r"|thinks|thought|states|stated|reads|insists"
        rf"|insisted|argues|argued|suggests|recommended|recommends)\b{_US}{TILL}"
        r"|\b(?:his|her|their|its) \w+ (?:\w+ly )?(?:requires?|required|demands?|demanded|insists?|insisted"
        r"|forbids?|forbade"
        rf"|bans?|banned|allows?|allowed|wants?|wanted|says?|said)\b(?! (?:us|we|me|our|to)\b){TILL}"
        r"|\b(?:pytest|mypy|ruff|eslint|pylint|flake8|gcc|clang|rustc|cargo|npm|yarn|pip|docker|git"
        r"|terraform|kubectl|tsc|javac"
        rf"|maven|gradle|ansible|nginx|postgres|psql|mysql|redis|jenkins|bash|prettier) (?:says?|said"
        rf"|warns?|insists?) {TILL}",
    ),
    (
        "argues argued claims claimed maintains maintained swears swore nags nagging brags boasts boasted"
        " preaches alleges told ends starts goes reads myth saying superstition belief proverb rumour rumor"
        " legend joke says reading watching misconception consensus notion claim fallacy assumption"
        " impression idea"
        " love loves like likes tend tends would he'd she'd they'd",
        r"\b(?!(?:i|we|which|that|who)\b)[\w.]+ (?:argues|argued|claims|claimed|maintains|maintained|swears"
        r"|swore"
        rf"|brags|boasts|boasted|preaches|alleges|nags|keeps nagging)\b{_US}{TILL}"
        rf"|\b(?:misconception|consensus|notion|claim|fallacy|assumption|impression|idea)s? (?:\w+"
        rf" ){{0,4}}?that\b{TILL}"
        rf"|\b(?!(?:i|we)\b)\w+ (?:loves?|likes?|tends?) to (?:say|claim|argue|insist|repeat)\b{TILL}"
        rf"|\b(?:he|she|they)(?:'d| would) (?:never|always|only) \w+{TILL}"
        rf"|\btold me (?:that )?(?:their|his|her|they|he|she|one|people|you|it)\b{TILL}"
        rf"|\b(?:ends with|starts with|reads|goes),? q_{TILL}|\b(?!(?:i|we)\b)\w+ (?:says|said) (?:that"
        rf" )?one\b{TILL}"
        rf"|\b(?:myth|saying|superstition|belief|proverb|rumou?r|legend|joke|prejudice) (?:that|says|has it"
        rf"|goes)\b"
        rf"{TILL}|\bi (?:was|am|have been) (?:reading|watching)\b{TILL}|\bi'(?:m|ve been) (?:reading"
        rf"|watching)\b{TILL}",
    ),
    (
        "according quoting quote quoted says say said states stated claims claimed reads read"
        " recommends recommended told insists insisted suggests suggested argues argued thinks"
        " thought believes believed advises advised wrote writes mentions mentioned used preaches"
        " keeps keep swears swore vows vowed ordered quotes goes prescribes forbids demanded"
        " forbade banned promises complains complained replied answered shouted prints decrees boasts bans"
        " put puts words",
        rf"\b(?<!our )(?<!as the )(?<!as )(?<!per )(?<!whatever )(?<!whatever the )(?<!matter what"
        rf" )(?<!matter what the )"
        rf"(?:{_SOURCES}) (?:also |always |often |still |only |once"
        rf" |even |clearly |just |actually |on slide \d+ )?{_SAYS}\b{_US}{TILL}"
        rf"|\b(?:according to (?!our|my)(?![^.;]{{0,80}}\b(?:we|us|our)\b)|quoting|to quote|quoted from|in"
        rf" the words of"
        rf"|as (?:\w+ ){{1,2}}put(?:s)? it){TILL}|(?<!our )\b(?!i\b|we\b)\w+(?: at \w+)? (?:says?|said"
        rf"|wrote|writes?|replied|answered|shouted|yelled|reads?|prints?|told \w+)[:,]? ?q_{TILL}"
        rf"|^(?:from|in) (?:the|their|his|her|its|an old) [^,:]{{1,40}}: ?q_{TILL}"
        rf"|q_,? (?:he|she|they|it|\w+) (?:said|says|wrote|writes|shouted|replied|told \w+)\b{TILL}",
    ),
    (
        "some many most other few several certain various lots bad good",
        rf"\b(?<!no )(?:some|many|most|other|few|several|certain|various|lots of|bad|good|senior"
        rf"|junior) (?:\w+ )?(?:teams?|companies|company|people|projects?|folks|developers|engineers"
        rf"|languages|frameworks|countries|authors|users|shops|banks|managers|libraries|tools|apis|hospitals"
        rf"|schools|offices|restaurants|airlines|firms|stores|cities|vendors|hotels"
        rf"|startups|families|parents|places|guides)\b(?!(?:'s \w+)? (?:must|may|should|can)\b){TILL}",
    ),
    (
        "has have had rule policy",
        r"(?<!\w)(?!(?:we|i|you|they|who|team|repo|project|company|client|customer|management|security"
        r"|legal|compliance|hr|finance|ops|leadership|boss"
        r"|manager|ceo|cto|board|it|everyone|lab|office|must|should"
        r"|to|may"
        r"|already|always|also|still|now|which|that|us)\b)[\w-]+ (?:has|have|had) (?:a|this|one|some"
        rf"|an) (?:\w+ )?(?:rules?|polic(?:y|ies))\b{TILL}|(?:the|a) rule at \w+{TILL}",
    ),
    (
        "read heard learned learnt saw thought told asked ordered instructed advised warned taught would"
        " found",
        rf"\bi (?:once |just |recently )?(?:read|heard|learned|learnt|saw|thought|dreamed|dreamt|found)"
        rf" (?:that|somewhere|in|once|about|one|this in)\b(?! (?:we|us|our)\b){TILL}"
        r"|\b(?:told|asked|ordered|instructed|advised|warned|taught) (?:the (?!team)|his|her|their|a|an"
        r"|him|them"
        rf"|everyone|everybody|people|kids|children)\b{TILL}"
        rf"|\bwould (?:always|often|never) (?:say|tell|claim)\b{TILL}",
    ),
    (
        "python rust java javascript go haskell sql http html css posix c ruby typescript swift kotlin"
        " standard"
        " rust's python's",
        r"^(?:the )?(?:python|rust|java|javascript|go|haskell|sql|http|html|css|posix|c|ruby|typescript|swift"
        rf"|kotlin)(?:'s)? (?:\w+ ){{0,2}}?(?:says?|requires?|forbids?|demands?|allows?|prohibits?"
        rf"|insists?) {TILL}",
    ),
    (
        "soldiers monks nuns samurai knights romans sailors vikings pharaohs gladiators pirates romans",
        r"\b(?:(?:roman|medieval|ancient|victorian|spartan|prussian) \w+|monks|nuns|samurai|knights|romans"
        r"|vikings"
        rf"|pharaohs|gladiators)\b{TILL}",
    ),
    (
        "novel book film movie story tale play game legend myth fiction episode show series character hero"
        " king queen chapter chess poker bridge football soccer tennis golf monopoly scrabble rugby tarot"
        " villain campaign opera saga",
        r"\bin (?:the|this|that|his|her|a|\w+'s|some|(?:my|our)(?! game))(?: \S+)? ?(?:novel|book"
        r"|film"
        r"|movie|story"
        r"|tale|play"
        r"|game|legend|myth|episode|series|opera|saga|campaign|\d+),? (?!(?:please|never|always|do not"
        r"|don't|use"
        r"|avoid|keep|only|every|all|no|engine|make)\b)"
        rf"{TILL}|(?:\bin chapter \d+,? )?\b(?:the|a) (?:hero|heroine|king|queen|villain|narrator"
        rf"|wizard|dragon|character (?!limit|count|set|of|encoding)\w+)\b(?! of\b){TILL}"
        rf"|\b(?:legend|rumou?r|myth|tradition) has it\b{TILL}"
        r"|\b(?:novel|story|game|film)'s (?:villain|hero|heroine|king|queen|rules?|characters?|narrator)\b"
        rf"{TILL}|\bin (?:chess|poker|bridge|football|soccer|tennis|golf|monopoly|scrabble|rugby"
        rf"|tarot)\b{TILL}",
    ),
)

# Tried only where a word of rule stands: of a landlord's address or last year's sales nothing is blanked.
OTHERS_RULING: tuple[tuple[str, str], ...] = (
    (
        "policy rule rules policies faq terms license handbook contract wiki company school office team"
        " slogan"
        " motto"
        " people kids department firm shop gym church sla lease guide guidelines",
        rf"(?<!our )(?<!my )(?<!the )\b(?:his|her|their|its|(?!(?:{_OURS_TOO}|today|let|it|that|what|here"
        rf"|there"
        rf"|who|he|she|year|week|month|gdpr)'s)\w+'s) (?:\w+ ){{0,2}}?(?:policy|policies|rules?|terms|faq"
        rf"|licen[sc]e|handbook|wiki|company|school|office|slogan|motto|kids|department|firm|shop|gym|church"
        rf"|sla|lease|style guide|guidelines) (?!(?:must|may|should|can|shall|needs?|has to|have"
        rf" to)\b)\w+{TILL}",
    ),
    (
        "cousin uncle aunt nephew niece neighbour neighbor landlord landlady flatmate roommate housemate"
        " in-laws"
        " cousin's uncle's aunt's nephew's niece's neighbour's neighbor's landlord's flatmate's roommate's"
        " grandma grandpa grandmother grandfather hairdresser dentist barber neighbours neighbors teacher",
        rf"\b(?:my|our|his|her|their|the|a|your) (?:\w+ )?{_KIN}s?(?:'s|')?\b"
        rf"(?! (?:must|may|should) (?:not|never)\b){TILL}",
    ),
    (
        "at over next another rival rivals competitor competitors tenant tenant's friend",
        rf"\bat (?:his|her|their) (?:company|firm|office|school|job|place|work|employer){TILL}"
        rf"|\bat (?:my|our|his|her|their) (?!(?:client|customer|company|team)'s)\w+'s \w+{TILL}"
        rf"|\b(?:kids|people|family|couple|guys|folks|lady|man|woman|shop|bar|school) next door\b{TILL}"
        rf"|\b(?:rule|custom|policy|people|folks) over there\b{TILL}"
        rf"|\b(?:next door|the other (?:tenant|team|department|office|company|firm)(?:'s)?)\b"
        rf"(?! (?:must|may|should|can|needs?)\b){TILL}"
        rf"|\b^(?:our|the|a|one|my) (?:\w+ )?(?:rivals?|competitors?)\b(?! (?:must|may|should|can"
        rf"|shall)\b){TILL}"
        rf"|\ba friend of (?:mine|ours)\b{TILL}",
    ),
    (
        "neighbour's neighbor's neighbours' competitor's competitors' rival's vendor's friend's brother's"
        " sister's uncle's aunt's cousin's ex's grandma's roommate's flatmate's other's others",
        rf"\b(?:neighbou?r|competitor|rival|vendor|friend|brother|sister|uncle|aunt|cousin|ex|grandma"
        rf"|roommate"
        rf"|flatmate)s?'s? [\w-]+ {CLAUSE}",
    ),
    (
        "motto rule rules policy slogan creed mantra",
        r"\b(?:his|her|their|its) (?:motto|rules?|policy|slogan|creed|mantra): .*",
    ),
    (
        "want wants let lets makes made never",
        rf"\b(?:wants?|lets?|makes?"
        rf"|made) (?:his|her|their)(?: own)? \w+{TILL}"
        rf"|\b(?:he|she|they|admin|boss|man|woman|who)(?: always)? (?:never|always) (?:lets?|let|allowed"
        rf"|allows?"
        rf"|makes?|made) {TILL}|\bnever (?:lets?|allowed) (?:anyone|anybody|him|her|them)\b{TILL}",
    ),
    (
        "first last previous former old ex father mother",
        rf"\b(?:my|our|the|his|her|their) (?:very )?(?:first|last|previous|former|old|ex) (?:\w+ (?=coach"
        rf"|teacher|boss|mentor|professor|tutor))?(?:mentor|professor|tutor|flat|boss|manager"
        rf"|teacher|admin|contractor"
        rf"|employer|job|school|landlord|landlady|team|company|coach|firm|tenants?|owners?|contract|lease"
        rf"|clients?"
        rf"|project)\b{TILL}",
    ),
)
