"""Signs that a sentence is not its writer's own word for now, in English and Chinese.

A sign is added for a way of speaking: for who else may be speaking, for what is imagined, past or played, for
texts that are only worked on. It need not prove anything: what is doubted stays among what the user said.
"""

from __future__ import annotations

import re

# Speech of others.
_SPEECH = """
says said saying tells told wrote states stated claims claimed reads according quote quotes quoted
quoting mentions mentioned insists insisted argues argued recommends recommended suggests suggested
advises advised preaches swears swore vows vowed demands demanded complains complained believes
believed thinks thought heard rumour rumor apparently supposedly allegedly reportedly claiming
"""
# Imagined.
_IMAGINED = """
suppose supposing imagine imagining assume assuming pretend pretending hypothetical hypothetically
theoretically wonder wondering might
"""
# Example.
_EXAMPLE = """
example examples e.g instance sample dummy placeholder imaginary fictional fictitious toy
"""
# Past.
_PAST = """
previously formerly ago once yesterday's
"""
# Others.
_OTHERS = """
they them their theirs they're they've he she his her hers him he's she's neighbour neighbours
neighbor neighbors competitor competitors competitor's rival rivals colleague's friend friend's
friends brother brother's sister sister's mother mother's father father's mum dad mom uncle aunt
cousin grandma grandpa grandmother grandfather teacher professor landlord landlady roommate
roommates flatmate others elsewhere somebody someone folks
"""
# Institutions, whose rules are their own.
_INSTITUTIONS = """
hotel hotels airline airlines airport school schools hospital bank banks gym library museum park
restaurant embassy university college police law laws government church army navy ship pilots
sailors doctors lawyers parents grandparents kids guests visitors passengers tourists students
pupils monks king queen emperor prince princess captain wizard robot robots alien aliens referee
coach director author authors expert experts critic critics ministry council tribe village castle
kingdom
"""
# Play.
_PLAY = """
story stories novel movie film character characters poem song lyrics joke joking kidding funny lol
haha hilarious episode quiz riddle hero heroine villain narrator dialogue scene fiction fairy tale
myth legend
"""
# Worked on.
_WORKED_ON = """
translate translation proofread proofreading rewrite rephrase reword paraphrase summarise summarize
grammar spelling wording punctuation caption headline subtitle meaning meant opinion thoughts
sensible reasonable absurd ridiculous silly nonsense outdated obsolete deprecated
"""
WORDS = frozenset(
    " ".join((_SPEECH, _IMAGINED, _EXAMPLE, _PAST, _OTHERS, _INSTITUTIONS, _PLAY, _WORKED_ON)).split()
)
"""Words in plain text any of which is a sign."""

# Several words, in plain text.
PHRASES = re.compile(
    r"\b(?:used to|back (?:then|when|in)|in the past|in those days|at the time|had to|(?:was|were)(?:n't"
    r"| not| never| always"
    r"| only| allowed| required| supposed| told)|(?:old|last|previous|former|first) (?:job|boss|company"
    r"|team|employer|manager"
    r"|project|school|landlord|client|place|firm|flat|house)|when (?:i|we) (?:was|were|worked|joined"
    r"|started|lived|studied)"
    r"|what if|let's say|for instance|such as|if (?:i|we|you|it|the|that|this)\b[^,]*\b(?:were|had|would"
    r"|did)"
    r"|(?<!i )(?<!we )would(?! you| be (?:great|nice|good|better|best)| like| prefer| love| rather"
    r"| appreciate)\b"
    r"|do you think|make of|what does|mean by|is it true|how come|why (?:do|does|would|should|must|is"
    r"|are)|some (?:people|teams"
    r"|companies|say|of)|other (?:team|teams|people|companies|project|projects|department)"
    r"|another (?:team|company|project)"
    r"|not (?:ours|mine|our|my)\b|doesn't apply|does not apply|don't agree|disagree|no longer|any ?more"
    r"|not how we"
    r"|(?:in|from|on|of|per) (?:the|a|an|their|that|this|some|its|your|one) (?:[\w'-]+ ){0,3}(?:handbook"
    r"|manual|guide|guidelines?"
    r"|docs|documentation|article|blog|post|thread|forum|paper|study|spec|specification|terms|licen[cs]e"
    r"|contract|leaflet"
    r"|label|sign|poster|slogan|wiki|readme|memo|tutorial|book|chapter|textbook|course|website|faq"
    r"|newsletter|brochure|sticker"
    r"|excerpt|passage|snippet|transcript|minutes|regulations?|standard|rules|textbook|magazine|newspaper"
    r"|letter|email|mail|ticket)"
    r"|(?:the|their|that|this|its|an?|your) (?:[\w'-]+ ){0,3}(?:handbook|manual|guide|guidelines?|docs"
    r"|documentation|article|blog"
    r"|thread|forum|paper|study|specification|leaflet|poster|slogan|wiki|readme|memo|tutorial|textbook"
    r"|newsletter|brochure"
    r"|sticker|excerpt|passage|transcript|terms|magazine|newspaper|linter|compiler|error|log|tool|output"
    r"|script|page)"
    r" (?:\w+ ){0,2}(?:says?|said|reads?|states?|has|had|lists?|tells?|wants?|demands?|recommends?"
    r"|forbids?|requires?|contains?"
    r"|prints?|complains?|goes|went|insists?|warns?|mentions?|claims?|suggests?|asks?))\b"
    r"|^>|^\W*[a-z][\w .-]{1,24}:\s+[\"'“]"
)
# Four words or more in quotation marks.
QUOTED = re.compile(
    r"[\"“«„]\s*(?:[^\s\"”»]+\s+){3,}[^\"”»]*[\"”»]|(?<![a-z])'(?:[^\s']+\s+){3,}[^']*'(?![a-z])|[“「『\"][^”」』\"]{6,}[”」』\"]"
)
# The same in Chinese.
ZH = re.compile(
    r"[他她](?:们|说|的|写|要)?|别人|人家|同事|朋友|邻居|对手|竞品|竞争|老师|室友|隔壁|别的|其他(?:组"
    r"|团队|公司|部门)|有人|有些|某[个些位]|大家都说|网上"
    r"|据说|听说|传说|声称|写着|写道|写的是|规定[：:了是]|里(?:说|写|提|要求|规定)|上(?:说|写|提)"
    r"|建议(?:说|的是)|提到"
    r"|(?:文档|手册|文章|博客|帖子|论坛|论文|书|教程|条款|合同|说明书?|海报|标语|公告|新闻|报道|教材|课本"
    r"|邮件|日志|报错|提示|广告|招牌|牌子|包装|法规|标准|规范|指南|维基|百科)"
    r"[^，。；]{0,6}(?:说|写|讲|规定|要求|提|里|上|中|称|显示|建议)"
    r"|假如|假设|设想|想象|倘若|要是|万一|如果[^。]*(?:[会能吗呢？?]|的话)|比如|例如|譬如|举个?例"
    r"|打个比方|类似|诸如|像[^，。]{0,12}(?:这样|那样|这种|那种)"
    r"|以前|过去|曾经?|从前|当年|那时|那会|那阵|原先|上一?家|前公司|前东家|前老板|去年|早年|上学|小时候"
    r"|刚(?:入职|工作|毕业|来)"
    r"|酒店|宾馆|餐厅|饭店|航空|机场|学校|医院|银行|健身房|图书馆|博物馆|公园|政府|法律|警察|小区|物业"
    r"|国王|皇帝|王后|公主|[爸妈爷奶叔舅姑姨]|哥哥|姐姐|弟弟|妹妹"
    r"|亲戚|司机|裁判|教练|导演|编辑|作者|专家|医生|律师|厂家|卖家|供应商|官方|题目|考试|谜语|绕口令|广告"
    r"|签名|台词|村|部落|机器人|外星|水手|船长|客人|乘客|游客|学生"
    r"|(?<!我们的)(?<!我的)(?:规定|规矩|校规|家规|条例|制度)|下令|命令|宣布|主张|号称|自称|强调|喊|嚷"
    r"|念叨|抱怨|发誓"
    r"|故事|小说|电影|角色|剧本|诗|歌|笑话|玩笑|哈哈|段子|主角|台词|游戏|动画|童话"
    r"|翻译|译成|翻成|润色|改写|校对|总结一下|概括|什么意思|啥意思|怎么看|怎么样[？?]|你觉得|合理吗|对吗"
    r"|正常吗|听着|听起来|看着|有意思|好笑|荒唐|离谱|过时|作废|不适用|不是我们"
)
# What a sentence behind it says of it.
POINTS_BACK = re.compile(
    r"(?:\b(?:that|this|it|those|these|which|they|he|she)\b|^(?:\W*(?:sensible|right|normal|true|fair"
    r"|really|agree|thoughts|opinion"
    r"|strange|funny|odd|weird|crazy|interesting|silly|ridiculous))).{0,60}\?|\bnot (?:ours?|mine|my|us"
    r"|me|true)\b|\b(?:funny|strange|odd|weird"
    r"|crazy|silly|ridiculous|absurd|nonsense|outdated|joking|kidding|disagree|hypothetical)\b"
    r"|(?:你?(?:怎么看|觉得)|合理|对吗|是吗|正常|为什么|什么意思|听着|听起来|看着|有意思|好笑|荒唐|离谱"
    r"|过时|不是我|当真|该怎么|会怎样|[这那].{0,12}[？?吗])"
)
