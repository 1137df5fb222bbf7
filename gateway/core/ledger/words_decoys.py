"""Words by which what looks like a rule is told to be none, in English and Chinese.

Each row blanks what its pattern matches, as `decoys` says. A row is added for a way of speaking *about* rules
that was taken for one. It must leave the next clause alone, where the speaker may say what counts now.
"""

from __future__ import annotations

import re

# To the end of the sentence, or to where the speaker turns to what counts now.
_TILL = (
    r"(?:(?!\b(?:but|however|instead|nowadays|these days|from now on|now|today|so please"
    r"|going forward)\b|;).)*"
)
_CLAUSE = r"[^,;.!]*"

_SOURCES = (
    r"(?:(?:wikis?|docs?|documentation|readme|manual|blogs?|article|post|books?|papers?"
    r"|tutorials?|guides?|guidelines?|style ?guides?|handbook"
    r"|pages?|site|website|comments?|stack ?overflow|reddit|forums?|answers?|letter|faq|tweet"
    r"|video|course|linter|log|logs|message|error"
    r"|output|warning|people|someone|somebody|folks|some|others|colleagues?|co-?workers?|friends?"
    r"|competitors?|vendors?|predecessors?|teachers?"
    r"|professors?|neighbou?rs?|intern|interns|brother|sister|father|mother|dad|mom|uncle|ex-\w+"
    r"|he|she|they|internet|google|chatgpt|it|that"
    r"|which|sign|poster|slogan|quote|song|film|movie|character|hero|villain|other (?:team"
    r"|company|project|department)s?|proposal|draft|changelog"
    r"|stories|saying|proverb|spec|specification|leaflet|instructions|sticker|recipe|legend|rumou?rs?|myth"
    r"|standard|grandma"
    r"|grandpa|gran|aunt|cousin|tool|result|response|page|text|file|section|ticket|legacy \w+"
    r"|their \w+|old \w+|previous \w+|former \w+)"
    r"(?: (?:at|from|in|on|of|for|over|i|we|that we|that i)(?: \w+){1,3}?)?)"
)
_SAYS = (
    r"(?:says?|said|states?|stated|claims?|claimed|reads?|recommends?|recommended|told (?:me|him"
    r"|her|them|everyone|people|his|their|us that)|insists?"
    r"|insisted|suggests?|suggested|argues?|argued|thinks?|thought|believes?|believed|advises?"
    r"|advised|wrote|writes|mentions?|mentioned|demanded"
    r"|complain(?:s|ed)|have a (?:rule|policy)|has a (?:rule|policy)|had a (?:rule|policy)"
    r"|keeps? (?:telling|saying|insisting|repeating|reminding)|swears?|swore|vows?|vowed|has it"
    r"|ordered|used to|preach(?:es|ed)?|quotes?|goes|prescribes?|forbids?)"
)

# What is blanked, each with the words that make it worth a look.
BLANKS: tuple[tuple[str, str], ...] = (
    (
        "have need",
        rf"\b(?:don't|dont|do not|doesn't|does not|didn't|won't|wouldn't|no longer"
        rf"|never) (?:\w+ )?(?:have|need) to\b{_CLAUSE}",
    ),
    (
        "needn't need necessary required mandatory obligatory obligation requirement must forbidden"
        " prohibited compulsory",
        rf"(?:\b(?:needn't|no need (?:to|for))|(?:\b(?:not|hardly|never)|n't) (?:\w+ )?(?:necessary|required"
        rf"|mandatory|obligatory|compulsory|needed|forbidden|prohibited|a must|a (?:\w+ )?(?:rule"
        rf"|requirement))|\bno (?:obligation|requirement))\b{_CLAUSE}",
    ),
    (
        "not no saying said mean",
        rf"\b(?:it's|it is|that's|is|this is) not (?:that|because|like|as if|as though"
        rf"|to say)\b{_TILL}|\b(?:i'm|i am) not (?:saying|asking|telling|suggesting)\b{_TILL}"
        rf"|\bi (?:never|didn't|did not) (?:say|said|mean|meant|ask|asked|tell|told|want"
        rf"|wanted)\b{_TILL}|\b(?:doesn't|does not|didn't) mean\b{_TILL}|\bnot that (?:you|we|i"
        rf"|it)\b{_TILL}|\bthere(?:'s| is| was) no (?:rule|policy|need|requirement|reason)\b{_TILL}",
    ),
    (
        "if suppose supposing imagine pretend hypothetically hypothetical theory assume say had were",
        rf"\bif (?:i|we|you|someone|somebody|he|she|they|one|the \w+|a \w+|my \w+) (?:ever )?(?:said"
        rf"|told|were|was|wrote|had|asked|wanted|decided|demanded)\b{_TILL}|\b(?:suppose|supposing"
        rf"|imagine|pretend|hypothetical(?:ly)?|what if|let's say|say you (?:had|were)|in theory"
        rf"|assume for a moment|had i|were i|were we)\b{_TILL}",
    ),
    (
        "example instance e.g e g like such sample typical typically hypothetical illustration as",
        rf"\b(?:for example|for instance|as an example|by way of (?:example|illustration)|e\.g\.?"
        rf"|such as|(?:an? |one |the )?(?:example|sample|typical|classic"
        rf"|illustrative) (?:\w+ )?(?:rule|policy|instruction|constraint|guideline|prompt|sentence"
        rf"|would|could|might|is|of|:)|(?:rule|rules|policy|policies|instruction|instructions"
        rf"|something|sentences?|phrases?|statements?|words?|constraints?|prompts?|lines?|things"
        rf"|requirements?) (?:like|such as|along the lines of|of the form|saying|that says?)|typically"
        rf"|in (?:this|the|an|my|our|that) example|examples?:)\b{_TILL}",
    ),
    (
        "some many most other few several certain various lots bad good",
        rf"\b(?:some|many|most|other|few|several|certain|various|lots of|bad|good|senior"
        rf"|junior) (?:\w+ )?(?:teams?|companies|company|people|projects?|folks|developers|engineers"
        rf"|languages|frameworks|countries|authors|users|shops|banks|managers|libraries|tools|apis"
        rf"|places|guides)\b(?! (?:must|may|should|can)\b){_TILL}",
    ),
    (
        "according quoting quote quoted words as says say said states stated claims claimed reads"
        " read recommends recommended told insists insisted suggests suggested argues argued thinks"
        " thought believes believed advises advised wrote writes mentions mentioned rule policy used"
        " preaches keeps keep swears swore vows vowed has ordered quotes goes prescribes forbids demanded"
        " complains complained",
        rf"(?<!our )\b(?:{_SOURCES}) (?:also |always |often |still |only |once |even |clearly |just "
        rf"|actually )?{_SAYS}\b(?! (?:us|we)\b){_TILL}|\b(?:according to|quoting|to quote|quoted from"
        rf"|in the words of|as \w+ (?:says|said|put it))\b{_TILL}|\b(?!i\b|we\b)\w+ (?:says?|said"
        rf"|wrote|writes?|replied|answered|shouted|yelled|told \w+)[:,]? ?q_\b{_TILL}",
    ),
    (
        "used then past previously formerly days historically originally ago last old once back"
        " before earlier initially time",
        rf"(?<!is )(?<!are )(?<!be )(?<!get )(?<!'s )\bused to\b{_TILL}|\b(?:back then|back in"
        rf"|back when|in the past|previously|formerly|in the old days|in those days|historically"
        rf"|originally|(?:years?|months?|weeks?|days?|long) ago|at my (?:last|previous|old|former"
        rf"|first) \w+|in my (?:last|previous|old|former|first) \w+|last (?:year|month|quarter|sprint"
        rf"|summer|winter|time)|once upon|when i was|when we (?:were|started|had)|until (?:last"
        rf"|recently)|earlier this|it used|initially)\b{_TILL}",
    ),
    (
        "had was were has have 've told been",
        rf"\b(?:i|we|they|he|she|it|you|\w+s?) (?:had (?:to|an?)|was (?:told|always|never|only|supposed"
        rf"|asked)"
        rf"|were (?:told|always|never|only|supposed|asked|not allowed|allowed)|had (?:always|never"
        rf"|only|no)|(?:have|has) (?:always|never|only))\b{_CLAUSE}|\b\w+'(?:ve|d) (?:always|never"
        rf"|only)\b(?! (?:rather|prefer|like|want)){_CLAUSE}|\b(?:has|have) never\b{_CLAUSE}"
        rf"|\bwas(?:n't| not) allowed\b{_CLAUSE}",
    ),
    (
        "whether why wonder wondering explain how describe what understand curious",
        rf"\bwhether\b{_CLAUSE}|\b(?:wonder(?:ing)?|curious) (?:if|why|whether|how|what)\b{_TILL}"
        rf"|\b(?:explain|describe|tell me|understand|understood|know|knew|see|ask(?:ed)?|asking"
        rf"|show me|discuss|clarify|reason) (?:to me |me )?(?:again )?(?:why|how|what|when|where|if"
        rf"|who|about)\b(?! to (?:never|always)){_TILL}|^(?:why|how come|what if|how do|how does"
        rf"|how can|what happens)\b{_TILL}",
    ),
    (
        "error errors warning message exception throws threw prints shows displays complains crashes"
        " fails failing returns",
        rf"\b(?:errors?|error message|exception|warning|traceback|stderr|stdout"
        rf"|message)(?: \w+)?: {_TILL}|\b(?:got|get|getting|throws?|threw|returns?|prints?|shows?"
        rf"|displays?|complains?|saw|see) .{{0,30}}\b(?:errors?|message|warning|exception)\b{_TILL}"
        rf"|\b(?:it|this|that|test|build|server|page|app|script|command|code|job|function|request"
        rf"|button|which) (?:always|never|only|must have|can't|cannot|doesn't"
        rf"|don't) (?:\w+ )?(?:fails?|crash\w*|works?|worked|returns?|happens?|hangs?|breaks?|loads?"
        rf"|appears?|shows?|gets?|errors?|times? out|finish\w*|stops?|starts?|seems?|prints?|throws?"
        rf"|passes|responds?|connects?|be (?:right|a bug|because|wrong)){_CLAUSE}",
    ),
    (
        "write draft compose create generate",
        r"\b(?:write|draft|compose|create|generate) (?:me |us )?(?:an?|some|the) (?:[\w-]+ ){0,3}?"
        r"(?:poem|story|song|essay|policy|letter|sentence|slogan|function|regex|test|joke|haiku|speech"
        rf"|dialogue|article|tweet|contract|scene|quiz)s? (?:that|which|about|where|whose|who"
        rf"|saying)\b{_TILL}",
    ),
    (
        "read heard learned learnt saw thought told asked ordered instructed advised warned taught would",
        rf"\bi (?:once |just |recently )?(?:read|heard|learned|learnt|saw|thought|dreamed)"
        rf" (?:that|somewhere|in|once|about|one)\b{_TILL}"
        r"|\b(?:told|asked|ordered|instructed|advised|warned|taught) (?:the (?!team)|his|her|their|a|an"
        r"|him|them"
        rf"|everyone|everybody|people|kids|children)\b{_TILL}"
        rf"|\bwould (?:always|often|never) (?:say|tell|claim)\b{_TILL}",
    ),
    (
        "say argue argued think claim",
        rf"\bone (?:could|might|would|may) (?:\w+ )?(?:argue|say|think|claim|object)\b{_TILL}"
        r"|^.*, (?:they|people|some|experts) (?:say|claim|think|argue)[.!]?$|^say (?:the|a|we|you|i|they|it"
        r"|there|my|our)\b.*\b(?:was|were|had)\b.*",
    ),
    (
        "had were",
        r"^(?:\W|and|but|so)*(?:had|were) (?:we|i|you|they|he|she|it|the|there|my|our)\b.*",
    ),
    (
        "test tests compiler linter parser validator assertion checker interpreter schema",
        rf"\b(?:tests?|compiler|linter|parser|validator|assertion|checker|interpreter|schema) (?:\w+ )?"
        rf"(?:checks?|asserts?|complains?|verif(?:y|ies)|says?|expects?|insists?|demands?|warns?|wants?)"
        rf"\b{_TILL}",
    ),
    (
        "neighbour's neighbor's neighbours' competitor's competitors' rival's vendor's friend's brother's"
        " sister's uncle's aunt's cousin's ex's grandma's roommate's flatmate's other's others",
        rf"\b(?:neighbou?r|competitor|rival|vendor|friend|brother|sister|uncle|aunt|cousin|ex|grandma"
        rf"|roommate"
        rf"|flatmate)s?'s? [\w-]+ {_CLAUSE}",
    ),
    (
        "first last previous former old ex",
        rf"\b(?:my|our|the|his|her|their) (?:very )?(?:first|last|previous|former|old|ex) (?:boss|manager"
        rf"|teacher"
        rf"|employer|job|school|landlord|landlady|team|company|coach|firm|tenants?|owners?|contract|lease"
        rf"|clients?"
        rf"|project)\b{_TILL}",
    ),
    (
        "wasn't weren't allowed had",
        rf"\b(?:was|were)(?:n't| not| never)? (?:\w+ )?allowed\b{_CLAUSE}|\bwouldn't let\b{_CLAUSE}",
    ),
    (
        "novel book film movie story tale play game legend myth fiction episode show series character hero"
        " king"
        " sailors romans chess",
        rf"\bin (?:the|this|that|his|her|a) (?:novel|book|film|movie|story|tale|play|game|legend|myth|episode"
        rf"|series)\b{_TILL}|\b(?:the|a) (?:character|hero|heroine|king|queen|villain|narrator"
        rf"|wizard|dragon)\b{_TILL}|\b(?:legend|rumou?r|myth|tradition) has it\b{_TILL}",
    ),
    (
        "nobody noone none said one",
        rf"\b(?:nobody|no one|noone) (?:ever )?(?:said|says|told|asked|claimed)\b{_TILL}",
    ),
    (
        "dialogue dialog conversation sketch screenplay",
        rf"^(?:\W|please|can you|could you)*(?:write|draft|compose|create|generate|invent|make up) .{{0,40}}"
        rf"\b(?:dialog(?:ue)?|conversation|sketch|screenplay)\b{_TILL}",
    ),
    ("raises raise", rf"\braises?\b [A-Za-z]+ (?:if|when|unless)\b{_TILL}"),
    (
        "kidding joking joke jk lol haha hahaha sarcasm",
        r"^.*\b(?:just kidding|only kidding|i'm kidding|kidding,|i'm joking|was joking|only joking"
        r"|just joking|as a joke|j/k|jk|lol|haha(?:ha)*|sarcasm)\b.*",
    ),
    (
        "mind nevermind always ever only wait before problem",
        r"\bnever ?mind(?! the)\b|\b(?:as always|as ever|always welcome|always nice|always good"
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
ZH_BLANKS = re.compile(
    r"(?:如果我说|^说不定|要是说|设想一下|想象一下|假如|假设|倘若|要是我(?:说|当时)|设想|想象|比如说?|例如"
    r"|譬如|比方说?|举个?例|打个比方|像.{0,12}这样的|类似于?|所谓的?).*"
    r"|(?:文档|维基|wiki|Wiki|手册|博客|文章|旧|老版|老的|以前的|网上|网友|书[上里]|书中|别人|他们?|她们?"
    r"|同事|老师|有人|有些|教程|竞品|对手|对方"
    r"|隔壁|别的|其他|其它|前任|客服|那篇|论坛|README|readme|小说|电影|帖子|传说|据说|听说|某些|某个|日志"
    r"|报错|错误信息|提示|朋友|说明书|使用说明|药盒|包装|编译器|解释器|校验器|法官|主角|男主|女主|反派|国王"
    r"|水手|奶奶|爷爷|外婆|外公|邻居|室友|前一位|上一任|第一任|第一个老板"
    r"|前老板|他们公司|别家|条款|前公司|上家|前东家"
    r"|历史)"
    r"[^，。；]{0,14}(?:说|写|规定|要求|认为|建议|提到|声称|讲|里有|宣称|主张|有条|显示|提示|强调|告诉|会|都"
    r"|就|总|判|发誓|抱怨|要|不让|从不|不许|不允许|只允许|不准|写着|常)(?!我们必须).*?(?=但|不过"
    r"|可是|然而|[；;]|$)"
    r"|(?:^|[，,])(?:有的|有些|某些|某个|大多数?|多数|不少|别人家?|人家|邻居家?)(?!时候|地方)[^，。；]*"
    r"|(?:[0-9]{4} ?年)?(?:那会儿|那阵子|那时|当年|那年)[^；。]*?(?=[，,]?(?:但|不过|现在|如今|以后)|[；;。]"
    r"|$)"
    r"|[写编](?:一|个)?[首篇封段个][^。]*(?:诗|歌|故事|小说|作文|童话|对话|台词|剧本|笑话|相声).*"
    r"|(?:据说|听说|传说|相传|传闻).*?(?=但|不过|[；;]|$)"
    r"|(?:以前|过去|曾经?|从前|当时|那时候?|去年|早先|早年|原先|原来|上个?(?:月|周|年|季度|份工作|家公司)"
    r"|前几年|几年前|刚开始)(?![后以]|的?(?:规则"
    r"|要求).{0,6}(?:取消|作废))[^。；]*?(?=[，,]?(?:但|不过|现在|如今|以后|今后|从现在)|[；;。]|$)"
    r"|之前(?:我们|都|是|总|一直|曾|说|有)[^。；]*?(?=[，,]?(?:但|不过|现在|如今|以后)|[；;。]|$)"
    r"|(?:不(?:必|用(?!客套|寒暄|啰嗦|铺垫|客气|废话)|需要?(?!要)|一定(?:要|非)?|是(?:必须|说|非要|要求"
    r"|一定)|强制|代表|意味着?)"
    r"|(?:没人|谁也没|没有人)(?:说|要求|规定)过?|(?:可)?没(?:有)?(?:必要|规定|要求|说)|无需|无须|毋须"
    r"|并(?:非|不是|不)|用不着|犯不着|不见得)[^，。；]*"
    r"|(?:为什么|为何|怎么会|搞不懂|不明白|不知道为|解释一?下?(?:为|什么|怎么)|想知道)[^。；]*"
    r"|^.*(?:开玩笑|玩笑话|说着玩|逗你|别当真|哈哈).*"
    r"|^.*(?:已经?|早就|早已|都)(?:过时|作废|废弃|失效|废除|不适用|不算数|取消)(?:了|的)?.*?(?=但|不过|[；;]"
    r"|$)|^.*(?:不再适用|不适用了"
    r"|过时的).*?(?=但|不过|[；;]|$)"
)

# A text that is to be worked on, and the text itself: nothing in it is meant.
TEXT_TASK = re.compile(
    r"^(?:\W|please|can you|could you|would you|now|ok|then|and|also|help me)*(?:translate|proofread|rewrite"
    r"|rephrase|reword|paraphrase|shorten|summari[sz]e|correct|polish|improve|edit|punctuate|spell-?check"
    r"|simplify|expand|explain|analy[sz]e|parse|read out|repeat|what does|what is the meaning of"
    r"|how do you say)\b.{0,80}?[\"“'‘:«]"
    r"|^[^“”「」]{0,12}(?:翻译|翻成|译成|润色|改写|缩短|精简|总结|概括|校对|纠错|造句|解释|改得|换个说法"
    r"|朗读|分析)[^“”「」]{0,16}[：:“「\"]"
    r"|^(?:请|帮我|麻烦)?把[^“”「」]{0,8}[“「\"]"
)
# What is supposed, asked or long past is not a value that holds either.
UNREAL = re.compile(
    r"^(?:\W|and|but|so|ok|now)*(?:suppose|supposing|imagine|pretend|hypothetical(?:ly)?|what if|assuming for"
    r"|let's say|say (?:the|a|we|you|i|they|it|there)\b.*\b(?:was|were|had)\b|had (?:we|i|you|they)\b)"
    r"|\bif\b.*\b(?:were|was|had|would)\b.*\?|\bwould\b.*\bif\b.*\?"
    r"|\b(?:used to|would always) (?:say|tell|claim|insist|preach|require|demand|ask for|have to|want"
    r"|charge)\b"
    r"|\bback (?:then|when|in (?:the|\d{4}|my|school|college))\b.*\b(?:had to|weren't|wasn't|allowed|must"
    r"|required|always|never|only|couldn't)\b|\bin those days\b|^(?:for example|for instance|e\.g\.)"
    r"|\b(?:just|only) (?:kidding|joking)\b"
)
ZH_UNREAL = re.compile(
    r"^(?:假如|假设|倘若|设想|想象|要是|如果|比如|例如|比方|打个比方|举个?例).*(?:[？?]|吗|呢|怎么|该如何"
    r"|会怎样)|^(?:假设|设想|想象|比如说?|例如|举个?例)"
)
