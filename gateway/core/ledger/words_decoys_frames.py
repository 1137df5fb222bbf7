"""Words that take a whole sentence out of what is meant: it is to be worked on, supposed, joked or denied.

And the other way round: words by which the speaker makes his own what others say.
"""

from __future__ import annotations

import re

from gateway.core.ledger.gates import gated

_OPENING = (
    r"^(?:\W|please|kindly|can you|could you|would you|can we|could we|how would you|now|ok|then|and|also"
    r"|help"
    r" me(?: to)?"
    r"|i need you to|i'd like you to|let's)*"
)
_WORK = (
    r"(?:translate|proofread|rewrite|rephrase|reword|paraphrase|shorten|summari[sz]e|correct|polish|improve"
    r"|edit"
    r"|punctuate|spell-?check|simplify|expand|explain|analy[sz]e|parse|read out|repeat|render|critique|grade"
    r"|classify|interpret|transcribe|tokeni[sz]e|diagram|comment on|discuss|compare)"
)
# Verbs that ask for work on a text only with an object that is one.
_MAYBE_WORK = (
    r"(?:convert|put|turn|make|fix|check|review|rate|judge|label|describe|answer|take|consider|look at|adapt"
    r"|tidy up|clean up|phrase)"
)
# What stands between verb and text: a text, a language, a manner. "edit only these files: …" has none.
_OBJECT = (
    r"(?: [^:\"“«]{0,50}?(?:\bthis\b|\bthat\b|\bit\b|\binto \w+|\bto \w+|\bfollowing\b|sentences?|text"
    r"|paragraph"
    r"|clause|phrase|grammar(?: of)?|spelling(?: of)?|\bin \w+ (?:words?|lines?|sentences?|words)|politely"
    r"|briefly"
    r"|wording|notice|sign|slogan|quote|line)[^:\"“«]{0,40})"
)
# A text that is to be worked on, and the text itself: nothing in it is meant.
TEXT_TASK = gated(
    rf"{_OPENING}(?:(?:{_WORK}{_OBJECT}?|{_MAYBE_WORK}{_OBJECT}) ?(?::|-|–|—)? ?(?:[\"“«]|'(?=\w+ \w)|‘)"
    rf"(?:\S+ ){{2}}|(?:{_WORK}{_OBJECT}?|{_MAYBE_WORK}{_OBJECT}):(?= \S|[\"“'‘])"
    r"|(?:what does|what is the meaning of|how (?:do|would) (?:you|i|we|one) (?:say|put|translate|phrase"
    r"|write|spell)"
    r"|what's|which \w+|is|are|does|do)\b"
    r"[^\"“‘:«]{0,60}(?:[\"“«]|['‘](?=\w+ \w)|: ?\w).*\?)"
    r"|^(?:and |so |ok |now )?here(?:'s| is| are) (?:the|an?|their|some|what) [^:\"“]{0,60}: ?[\"“]"
    r"|^(?:title|headline|(?:joke|quote|tip|thought) of the \w+|(?:an? )?sentence for [^:]{1,40}"
    r"|breaking(?: news)?|news|subject|caption|heading|proverb|quiz|joke|riddle"
    r"|sample[\w ]*|fictional[\w ]*): "
)
ZH_TEXT_TASK = re.compile(
    r"^[^“”「」]{0,12}(?:翻译|翻成|译成|润色|改写|缩短|精简|总结|概括|校对|纠错|造句|解释|改得|换个说法"
    r"|朗读|分析|改成|修改|点评|断句|分词)[^“”「」：:]{0,16}[：:“「\"]"
    r"|^(?:请|帮我|麻烦)?把[^“”「」]{0,8}[“「\"]"
    r"|^(?:请|帮我|麻烦|你)*(?:解释|分析|翻译)(?:一下|下)?(?:这句|这条|下面|“|「)"
    r"|^(?:请|帮我)*给[“「\"].{1,80}[”」\"](?:换|写|起|配|找|想|翻|改|造)"
    r"|^(?:请|帮我|随便|给我)*编(?:一|几|个|两)[^。]*[：:]"
    r"|^用[“「\"].{1,20}[”」\"]造"
    r"|^[“「\"].{1,80}[”」\"](?:这句|这话|这样|用|的|是什么|什么|怎么|翻|译|英文|日语)"
    r"|^(?:标题|题目|头条|新闻|主题|冷知识|谜语|谚语)[：:]"
    r"|^.{0,10}(?:这句话?|这段话?|下面(?:这)?句)[^，。]{0,10}[：:]"
)
# What is supposed, asked or long past is not a value that holds either.
UNREAL = gated(
    r"^(?:\W|and|but|so|ok|now)*(?:suppose|supposing|imagine(?! (?:i'm|nothing|you(?:'re| are)|(?:that"
    r" )?the (?:reader|user|audience|customer)))|hypothetical(?:ly)?\b(?! \w+s\b)|what if"
    r"|assuming for|let's pretend"
    r"|let's say\b.*\b(?:was|were|had)\b|say (?:the|a|we|you|i|they|it|there)\b.*\b(?:was|were|had)\b"
    r"|had (?:we|i|you|they)\b)"
    r"|\bif\b.*\b(?:were|was|had|would)\b.*\?|\bwould\b.*\bif\b.*\?"
    r"|\b(?:used to|would always) (?:say|tell|claim|insist|preach|require|demand|ask for|have to|want"
    r"|charge)\b"
    r"|\bback (?:then|when|in (?:the|\d{4}|my|school|college))\b.*\b(?:had to|weren't|wasn't|allowed|must"
    r"|required|always|never|only|couldn't)\b|\bin those days\b|^(?:for example|for instance|e\.g\.)(?=[,:]"
    r"| [\"“])"
    r"|(?<!not )\b(?:just|only) (?:kidding|joking)\b"
)

_UNREAL_WORDS = (
    "suppose supposing imagine hypothetical hypothetically what assuming let's say had if would used back"
    " days"
    " example instance e.g just only"
)
UNREAL_WORDS = frozenset(_UNREAL_WORDS.split())

# Behind what others say: here it is done too.
ADOPTS = gated(
    r"\b(?:and|which|so|that's what|thus|therefore)(?: that's what| so)?(?: do)? (?:we|i)(?: all| always|"
    r" also| do| too"
    r"| must| should| have to| need to)* (?:follow|apply|use it|obey|stick|comply|adhere|keep|agree|adopted"
    r"|do (?:so|too"
    r"|that|it|the same))\b(?! not)|\b(?:we|you) (?:must|should|have to|need to|will|'ll) do the same\b"
    r"|\bthat(?:'s| is) our \w+(?: \w+)? too\b|\b(?:applies|goes|binding|binds|holds) (?:to |for )?us\b(?!"
    r" not)"
    r"|\bwe (?:all )?(?:must|should|have to|need to|will)(?: all)? (?:respect|follow|obey|comply|observe"
    r"|heed|honou?r)\b"
    r"|\bneither (?:may|must|can|should|do|will) (?:we|ours|our)\b"
    r"|\b(?:applies|apply|goes|counts|holds) (?:to|for) (?:you|us|everyone|all of|this)\b(?! not)"
    r"|\bkeep (?:that|this|it) in mind\b|\b(?:put|write|add) (?:that|this|it) in(?:to)?\b"
    r"|\bso (?:please )?(?:enforce|respect|follow|observe|obey|honou?r|apply|do|implement|comply with|stick"
    r" to)"
    r" (?:it|that|this|them|so)\b|\b(?:and )?so do we\b|\b(?:do|want) (?:that|the same|it) here(?: too)?\b"
)
_ADOPTING = (
    "applies goes counts holds mind into in neither respect observe heed enforce honour do follow apply"
    " obey stick comply adhere keep"
    " agree"
    " adopted same"
    " too us"
    " so here use now"
)
ADOPTING = frozenset(_ADOPTING.split())
# What was and what is now, in one sentence: it says what changed, and is searched whole.
CHANGED = gated(r"\bnow\b[^.;]{0,20}\d|\d\S*(?: \w+){0,2} now\b|from now on[^.;]{0,20}\d")
ZH_ADOPTS = re.compile(
    r"(?:必须|得|要|务必)照(?:做|办)|(?:原来|以前|去年|之前|过去)[^。]*(?:现在|从今天起|从现在起|如今|今后"
    r"|以后)[^。]{0,10}\d|(?:请"
    r"|所以)?照此(?:写|办|做|执行)|(?:我们|咱们|这边|本组|我)(?:也|都|就|一律|同样|照样)*(?:照做|照办"
    r"|照此|遵守|遵循|沿用|一样|照着|采用"
    r"|这么做|这样做|得遵)"
)

# Words without which a sentence about others, or of the past, tells no rule.
RULING = gated(
    r"\b(?:must\w*|never|always|only|should|shall|may|can(?:not|'t)?|could(?:n't)?|allow\w*|forb\w+"
    r"|prohibit\w*|ban(?:s|ned)?"
    r"|requir\w+|need\w*|ha(?:d|s|ve) to|had an?|at (?:most|least)|(?:more|less|longer|fewer) than|limit\w*"
    r"|cap(?:s|ped)?|maximum"
    r"|minimum|max|quota|budget|deadline|threshold|exceed\w*|no|not|nobody|without|every\w*|each|rules?"
    r"|polic\w+|insist\w*|demand\w*"
    r"|supposed|lets?|used to"
    r"|avoid|make sure|ensure)\b|n't\b"
)
ZH_RULING = re.compile(
    r"必须|不得|不准|不许|不允许|禁止|严禁|不能|只能|只准|最多|至少|上限|务必|一定|切勿|规定|规矩|要求"
    r"|不超过|超过|必需|从不|从来不|总|都|谁|要|每|不让|不可|少于|多于|限"
)

# What is said of a rule in the same breath makes it none: a joke, gossip, a denial that it is ours.
_ASIDES = (
    r"(?<!not )(?<!no )\b(?:just kidding|only kidding|kidding,|i'm joking|was joking|only joking"
    r"|just joking|as a joke|old joke|j/k|jk|lol|haha(?:ha)*|\(sarcasm\))(?!\w)|(?<!not )\bi'm kidding\b"
    r"|\b(?:but|and|though|which|,|-) ?(?:that's|that is|it's|it is|is) (?:only |just |purely )?(?:their"
    r"|his|her"
    r"|its|theirs)\b(?: \w+)?(?:$|[,.])"
    r"|\b(?:that's|it's|they are|they're|is|are) [^,;]{0,30}, not (?:ours|us|mine|me)\b"
    r"|\b(?:luckily|thankfully|fortunately|thank god|glad) (?:that )?(?:we|i|us|it)(?:'re| are| am| do| is)?"
    r"(?: not|n't)\b|\bours is (?:a )?(?:quite )?different\b"
    r"|\b(?:doesn't|does not|needn't|won't) (?:concern|apply to|bind|affect|bother|matter to) us\b"
    r"|\bwhich nobody (?:\w+ )?(?:follows|obeys|respects|does|minds|cares)\b"
    r"|\b(?:which|what) (?:i|we) (?:find|found|think|thought|consider)(?: \w+){0,3} (?:petty|silly|odd"
    r"|funny|strange"
    r"|absurd|weird|ridiculous|excessive|overkill|nonsense|cute|harsh|clever|smart)\b"
    r"|\bpoor (?:them|souls?|him|her|things?|guys|chap)\b|\blucky (?:them|him|her|you)\b|\bstrange lot\b"
    r"|\b(?:isn't|is not|not) how we (?:work|do)\b|\bnot my style\b|\bno thanks\b"
    r"|\bas (?:the \w+ (?:goes|has it)|they say|the saying goes)\b"
    r"|, (?:a|some|my|one) \w+ (?:says|said|claims|tells me|told me),|\bbless (?:him|her|them)\b"
    r"|\bis (?:simply |just |plain |plainly )?(?:not true|untrue|false|a myth|a lie|nonsense|an urban"
    r" legend)\b"
    r"|\bgood luck with that\b|\b(?:made|makes) (?:me|us|everyone) (?:laugh|smile|cry|chuckle)\b"
    r"|\b(?:everybody|everyone|we all|they all) laughed\b|\bi doubt (?:it|that)\b|\bwhat an? (?:nuisance"
    r"|pity|character"
    r"|shame|joke|mess|idea)\b|, (?:(?:i've|i have|or so i've) (?:heard|read)|i (?:gather|hear))\b|\bor so"
    r" (?:i|they|he|she)\b"
    r"|^\W*(?:fun fact|trivia|did you know|funny how|odd how|strange how|interesting fact|useless fact"
    r"|legend has"
    r"|rumou?r has|word has|i (?:dreamt|dreamed|once dreamt|had a dream)|apparently|allegedly|supposedly)\b"
    r"|\b(?:as far as|if) i (?:remember|recall) (?:correctly|rightly)?\W*$|\bthose were the days\b"
    r"|\bi find (?:that|it) (?:petty|silly|odd|funny|strange|absurd|weird)\b|, interesting, right\b"
)
ASIDES = gated(_ASIDES)
_ASIDE_WORDS = (
    "kidding joking joke jk lol haha hahaha sarcasm that's it's they're theirs ours mine us me luckily"
    " thankfully"
    " fortunately glad poor lucky lot luck laugh smile cry chuckle laughed doubt heard gather trivia fun"
    " funny odd"
    " strange legend rumour rumor dreamt dreamed dream apparently allegedly supposedly remember recall those"
    " interesting petty silly absurd weird ridiculous excessive overkill nonsense cute harsh clever smart"
    " nuisance"
    " pity character shame mess idea how nobody style thanks told true untrue false myth lie goes says said"
    " claims bless they j k did word"
    " useless"
)
ASIDE_WORDS = frozenset(_ASIDE_WORDS.split())
