"""Words by which people say in passing that something is otherwise, without any word of change.

Too weak to replace anything, and read only when entries are settled: with something that may be of the same,
they are enough to doubt what was said before. A row is added for a way to say so, not for a thing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.ledger.forms import HUES, TONGUES
from gateway.core.ledger.gates import gated
from gateway.core.ledger.words_foreign import TURNS as FOREIGN_TURNS

_VALUE = (
    r"(?:[^\s\u4e00-\u9fff]{0,20}\d[^\s\u4e00-\u9fff]{0,20}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|noon|midnight"
    rf"|tomorrow|{HUES}|{TONGUES})"
)
# Too frequent to be looked at wherever it stands.
_SPELT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty)"
)
_DIGIT = re.compile(r"[0-9]")
_HAS_SPELT = gated(rf"\b{_SPELT}\b")
_HAS_VALUE = re.compile(
    rf"\d|\b(?:{_VALUE}|half)\b|/[a-z]|@|[a-z]_[a-z]|[周一二三四五六七八九十半]|[红蓝绿黄黑白紫橙灰]色|[中英日法德俄韩][文语]"
)
# What is given once something was said to fail: "the disk is full, so /srv/b".
_GIVEN = re.compile(
    rf"(?:[,;:，；]|\b(?:so|then|use|take|to|打|用|换|找|去|放)\b).{{0,40}}(?:{_HAS_VALUE.pattern})"
)
_DOES = (
    r"(?:reads?|looks?|sounds?|handles?|fits?|tests?|tested|performs?|turned out|works?|worked|runs?|does|did"
    r"|clicks?|would click|feels?|tastes?|gave|gives?|goes|plays?|holds? up|is|are)"
)
_BETTER = (
    r"(?:better|best|nicer|crisper|cleaner|cheaper|faster|easier|kinder|clearer|fewer \w+|sharper|safer"
    r"|simpler)"
)
# What was chosen in the end, or must be: it is in the place of something.
DECIDES = gated(
    r"\b(?:turns out|turned out|ends up|ended up|in the end|settled (?:on|for)|(?:went|going) (?:with|for)"
    r"|opt(?:ed|ing) for|(?:make|made) do with|talked (?:me|us|him|her|them) into"
    r"|com(?:e|ing) (?:around|round) to|vetoed|voted for|pivoted|prefer(?:s|red)?|nicer"
    r"|would be (?:better|easier|safer|cheaper)|rejected|refused|persuaded|convinced|fill(?:s|ing)? in"
    r"|stepp?(?:s|ing)? in|in (?:his|her|their|its) place|in place of|rather have|ditch(?:ed)?|got rid of"
    r"|let's (?:try|use|take|go with|switch|move to)|suits? (?:me|us|him|her|them)?|would suit"
    r"|the (?:right|real|correct|published|final|actual|current|latest|official|approved|agreed|confirmed)"
    r" [\w-]{1,20} is"
    r"|back to|insists?|insisted|reset|retitled|deprecated|my bad|is out|(?:can|will) only"
    # It is better, or enough; it was taken, or has won.
    rf"|{_DOES} (?:\w+ ){{0,3}}{_BETTER}|makes? (?:more|better) sense"
    r"|(?:should|would|will|'ll) (?:do|be enough|suffice)"
    r"|(?:is|are|was) (?:enough|plenty|fine|okay|alright|better|what \w+ \w+)"
    r"|(?:is|are|am|i'm|we're) (?:happy|fine|ok|okay|good|comfortable) (?:with|w)"
    r"|(?:can|could|i'd) live with|i'd (?:rather |sooner )?(?:go|pick|take|opt|settle|say|accept)"
    r"|aim(?:ing)? for|fond of|warmed to"
    r"|(?:take|takes|took|taken|taking) (?:its|his|her|their|that one's) place|won (?:the|out|us)"
    r"|landed on|(?:stuck|sticking|stick|went|go|goes) (?:with|for)|in favou?r of|by popular (?:demand|vote)"
    r"|(?<!it)(?<!that)(?<!he)(?<!this)'s (?:close enough|good enough|enough|plenty|the one|king|it now)"
    r"|only (?:takes?|accepts?|reads?|allows?|supports?|speaks?|understands?)"
    r"|(?:handled|managed|run|led|owned|covered|looked after) by"
    r"|part(?:ed|ing) ways|refinanced|rebooked|relocated|repainted|reprinted|rehomed|resat"
    r"|(?:torn|shut|taken|turned|voted) (?:down|off)|decommissioned|phased out|sunset|wound up|team vote"
    r"|let's (?:be|do|have|make|say|call|put|keep it|rather)|loosen up|on board instead|is king"
    r"|(?:i|we|they)(?:'ve| have)? (?:found|tried|adopted|picked|chose|chosen|bought|signed|hired|took))\b"
    r"|\b(?:says?|wants?) [\w-]{1,40}[.!]?$|,? so (?:it's |we )?[\w.-]{1,40}(?: [\w.-]{1,40})?[.!]?$"
    # Somebody else decided, and passed it on.
    r"|^(?:just )?(?:got|had|received) (?:word|news"
    r"|an? (?:\w{1,20} )?(?:mail|e-?mail|note|message|call|ping))\b"
    rf"|[,.] [\w. -]{{1,30}} then[.!]?$|\bit's (?:only |just |really |on |at |in )?{_VALUE}[.!]?$"
    # It points back to what was just named.
    r"|\b(?:it|them|all|everything|everybody|things) (?:\w{1,12} )?(?:in|on|with|by|to)"
    r" (?:those|that|it|them)[.!]?$"
    r"|^[a-z-]+(?: [a-z-]+)? only(?:[,.!]|$)|(?:^|[,;.] )[\w.-]{2,30} it is\b"
)
_ZH_DECIDES = re.compile(
    r"原来|最后|最终|得[是用写填叫]|刚(?:刚|才)?(?:说|通知|得知|接到|收到)|说服|倾向|那就|就[用选定按要它]|更(?:好|喜欢|想|方便|合适)|好看|没批|否了|[定选投]了"
    r"|转做|放宽"
    r"|(?:^|[，。,])[改换](?!.{0,40}前)|改[成为用到]|换成|不如|干脆|宁可|吧[。！!]?$|病了|哑了|来不了"
    r"|所以|以后|想要|还是"
    r"|发(?:邮件|消息|话)|拍板|来信|通知[说我]|打电话[来说]"
    r"|更[\u4e00-\u9fff]{1,3}[。！!]?$|够[了用]|就(?:[挺很最更]?[行好成]|可以|够|它|那|这)|归[^，。]{1,6}|减半|翻倍|加倍|一半就"
    r"|[压砍删缩放提升降推拖挪拉调涨减加延]到|中标|满房|满员|[缺断没有]货|[拆撤停关下倒走黄没换]了|停用|下线|谈[成妥到]"
    r"|好一[些点]|更?搭|打折|折后|算下来|劝我|投票|[天周月年]起|起[走用归由改]|多给|[多少]了|再[多加少]|走[^，。]{2,6}[。！]?$|[喊叫]我"
    r"|合适|[舒顺]服|好懂|漏报少|[绑用找去住放走]那|那儿|那[块边种家]|都有空|不管这|管不了"
    r"|先用|试试|才是|正式的|[事题]找|[要靠按].{1,6}[吧讲]|(?<![摘需主重])要.{1,6}[。！]?$"
)
# What others made of it, what it came to, what is asked now.
_HINTS = gated(
    rf"\banything (?:over|past|above|beyond|under|below|after|before|(?:more|less|longer|later) than)"
    rf"|\b(?:amendment|revision|correction|refresh|memo|notice|ruling|renewal)\b.{{0,40}}\b(?:in|out|says?)\b"
    rf"|\b{_VALUE} (?:would|should|will do|does it|is (?:where|what|all))\b|\bis the (?:most|least)\b"
    rf"|\b(?:came|comes|come) out (?:at|to)\b"
    rf"|\b(?:need|want|demand|require|allow|grant|give)s? (?:us |me |only )?{_VALUE}"
    rf"|\bsays? (?:\w{{1,20}} )?{_VALUE}[.!]?$|\bthen[.!]?$|^(?:hm+|nope|nah|no)\b"
    r"|\b(?:(?:had|have|has) to|it(?:'ll| will) (?:be|run|go)|only (?:gave|got|have|has)|came back with"
    r"|(?:put|gave|quoted|offered|assigned|reassigned|granted|raised|told|charged) (?:me|us)|go(?:es)? to"
    r"|give|leave|redid|redone|may see|more realistic|asked for|agreed|slip(?:s|ped)?|slid|stretch(?:ed)?"
    r"|fine (?:if|with)|(?:we'll|i'll|you'll|let's) (?:need|do|take|use|go|make|have|say)|covers? for"
    r"|hand(?:s|ed) (?:\w{1,20} ){0,4}to|covering for|better for|enough|plenty|(?:would|will) do"
    r"|down to|down by|joined"
    r"|comes? to|came to|works? out (?:at|to)|adds? up|amounts? to|totals?|reckons?|estimates?|thinks"
    r"|recommends?|suggests?|caps? us|limits? us|holds? us|lets? us|we(?:'re| are) (?:at|on|up|down|good)"
    r"|(?:squeeze|trim|stretch|cut|leave|move|push|bump|shift|slide|drop|bring|turn|scale|round|stick|hold|get)"
    r" (?:it|that|them|this|things)"
    r"|trimmed|upped|squeezed|stretch(?:ed|ing)|knocked|whittled|scaled|boosted|hiked|shaved|rounded|cut"
    r"|halved|doubled|tripled|half of (?:that|it)|double that|twice that|asking for|joining|said yes|rsvp'd"
    r"|works for|would work|only free|until|fewer|(?:more|less) (?:people|guests|time|room|money|of)"
    r"|forgot"
    r"|found out|looking at|merged|transferred|measured|counted|weighed|requested|you can use|i know"
    r"|i'm (?:at|doing|on)|it's (?:the|spelled|every)|according to|from here"
    r"|(?:put|set|take|bring|make) (?:it|them|that))\b"
    # Done to what was said before; said to hold for a while; told by how far it is from what was said.
    rf"|^[a-z]{{2,12}} (?:it|that|them|this) (?:\w{{1,12}} ){{0,2}}(?:to|at|by) {_VALUE}"
    rf"|\b(?:relax|rais|lower|tighten|loosen|cutt|bump|push|pull|bring|dropp|increas|reduc|extend|shorten|widen)"
    rf"ing (?:\S{{1,20}} ){{1,5}}to {_VALUE}|\b(?:moves|goes|rises|drops|falls|climbs|grows|shrinks|changes"
    rf"|shifts|switches|jumps|comes down) to (?:the )?{_VALUE}"
    r"|^since (?:the|we|our)\b|\bever since\b|^(?:would you |do you )?mind \w{2,20}ing\b|^(?:can|could) you\b"
    r"|\bsince (?:this|last|yesterday|today|\w{3,6}day)\b|\b(?:later|earlier|sooner|longer|shorter)\b"
    rf"|\b(?:says?|wants?|insists on|asks for|let's say|so|then|that's|that makes) {_VALUE}"
    r"|\bthe \S{1,20} one\b|^\+\d|\b(?:ours|mine|the other(?: one)?) (?:is|has)\b"
)
_ZH_HINTS = re.compile(
    r"又[多少]?[来找要加]|剩|那是|不算|占|想[^，。？]{0,6}\d|原来|只[给能好有]|不得不|没办法|坚持|同意|答应|说服|劝|倾向|交给|移交|转给|转做|接手|代替|顶替"
    r"|[满挂坏病倒停哑淹走]了|太|废弃"
    r"|[推拖延减升降加涨缩调改换挪移转运搬]到|[来去做用]不了|那就|就[用选定按要它]|才[够行能]|够了"
    r"|也[行可]|可以的|可以用到|没[问关]|占了"
    r"|关门|倒闭|合并|忘了|报价|规范|[定选投]了|最后|最终|结果|商量|更(?:好|喜欢|想|方便|合适)|好看|发现"
    r"|算下来|最近|没批|否了|[调拨]回"
    r"|恢复|反而|干脆|不如|宁可|[改靠换].{1,6}吧|.吧[。！!]?$|搞混|重新|重置|[晚早](?:半|一|两|\d)"
    r"|不[,，]|决定[^，。]{0,8}了|升级"
    r"|(?<![摘需主重])[要说收][^，。]{0,5}\d|不够|冲突|多给|取消|退休|休假|泄露|嫌|现实"
    r"|[想要]要?[^，。]{1,4}的[。！]?$|回复是"
    r"|按.{1,6}[讲来写做]|(?:医生|兽医|老师|客户|房东|她|他|老板|教练)[说要]|出了|所以"
    r"|可以[^，。吗]{1,4}[。！]?$|让.{1,10}[讲写来做]"
    r"|没[备法]"
)
# A value and hardly a word besides.
_BARE = gated(
    r"^(?:(?:no|nope|ok|okay|hm+|well|so|then|yes|oh|only|better|for|on|in|at|to|by|the|it|it's|a)\b|\W)*+"
    rf"{_VALUE}(?:\W++[a-z]++){{0,3}}\W*(?:[,;–—-].{{0,60}})?$|^(?:→|->|=>)|[,;–—] {_VALUE}[.!]?$"
    r"|^[a-z]+(?: [a-z]+)?,? (?:please|then|instead)\b|^go [a-z]+[.!]?$"
    rf"|^(?:(?:no|nope|ok|okay|yes|yeah|yep|well|so|then|make it|only|just)\b|\W)*+"
    rf"{_SPELT}(?: [a-z]+){{0,2}}\W*$"
)
_ZH_BARE = re.compile(
    r"^\W*(?:不是?|改|换|还是|那就?|算了|好吧|哦|嗯|应该?是?)[^，。；]{1,8}$|^\W*不[,，]"
    r"|^[^，。；：是为叫用在]?"
    r"(?:周[一二三四五六日天末]|[红蓝绿黄黑白紫橙灰]色|[中英日法德俄韩]文|[英法德日韩俄]语"
    r"|\d[\d.:]*[^，。；：\s]?)"
    r"[吧了。！!]*(?:，.*)?$"
)
# What was said of no longer works, or is not to be had.
FAILS = gated(
    r"\b(?:died|dead|down|broken?|broke|crash(?:ed|es|ing)|frozen|bounce[sd]|wiped"
    r"|closed?|closing|taken|full|booked|sold(?: out)?|bankrupt"
    r"|cancell?ed|ill|sick|fever|can't|cannot|couldn't|won't|unavailable|deprecated|retired|quit|rejected"
    r"|too (?!late|early)\w+|refused|banned|expired|discontinued|stiff|bad|worse|slow|expensive|fails?"
    r"|failed"
    r"|failing|lacks?|fell|bailed|resigned|dropped|stopped|scrapped|hates?|dislikes?"
    r"|rather than|instead of|boring|ugly|dull"
    r"|overkill|pricey|weak|license|licence|clash(?:es)?|leaked|on leave|noisy|holiday|small|childish"
    r"|reimaged|flooded|oom)\b"
    r"|[满挂坏病倒停淹哑走黄散没]了|解散|冻结|停[机产]|报废|注销|泡汤|连不上|产假|来不了|太(?!太)|占了?|卖[了完光]|取消|离职|辞职|退出|涨价|过期|下架|淘汰"
    r"|倒闭|关门|废弃|不好|不行|退休"
    r"|休假|泄露|冲突|重装|被[约占订]|吵|幼稚|爆|[有出]问题|生硬"
)
# Said of a value, any denial will do.
DENIES = gated(
    rf"{FAILS.pattern}|\b(?:left|gone|lost|missing|busy|away|out|over|ended|ends|wrong|doesn't|didn't|isn't|not"
    r"|no|moved?)\b|[不没别缺丢]"
)
# Who says or does it, and how, when a statement is of something said before: it is of none of them.
_BESIDE_WORDS = (
    "client customer boss manager teacher tutor supervisor professor landlord doctor vet coach team"
    " marketing"
    " finance legal school university office bank host hosts desk clerk agent supplier vendor airline hotel"
    " committee board council mayor editor publisher lawyer accountant wife husband mum mom dad mother"
    " father"
    " son daughter kid kids colleague colleagues partner friend neighbour neighbor builder plumber chef"
    " guide"
    " style organiser organizer organisers designer designers developer developers engineers others rest"
    " reviewer reviewers sponsor venue restaurant union insurer caterer dentist nurse therapist trainer"
    " contractor architect investor investors headquarters hq compliance support ops bride birthday girl"
    " pharmacist journal clinic scan morning letter call first other old latest end way same one license"
    " licence rules side early bird everything all demand quote talk reject ask work say vote come came"
    " around round going went back told voted pivoted settled opted quoted transferred raised only rename"
    " renamed"
    " asking mean meant talking about 问 说 指"
    " stretch asked agreed measured counted again gave hour minute day week"
    " month year while bit lot few people folks guests grandma grandpa parents physician everyone"
    " everybody somebody outage reason case discount season mail tender vote moment time weekend night"
    " morning evening afternoon term summer winter"
    " reshuffle merger redesign meantime hours minutes end start middle rest correct right proper one"
    " ones prof driver consulate everywhere anywhere throughout"
)
BESIDE = frozenset(_BESIDE_WORDS.split())
_GENERAL_WORDS = (
    "limit cap ceiling maximum minimum deadline budget price cost fee sum size length place name date number"
    " total figure amount value option choice version thing cutoff threshold quota target"
)
GENERAL = frozenset(_GENERAL_WORDS.split())
"""What a value is called, whatever it is of."""
ZH_BESIDE = re.compile(
    r"正确|银行|值班|同学|场地|餐厅|酒店|医院|航司|工厂|供应商|老板|客户|老师|医生|兽医|药师|房东|会计|编辑|对方|合规|那边|运维|财务|学校|平台|官方|经理|法务"
    r"|航空公司|公司|老婆|老公|我[问说指]的|邮件"
    r"|期刊|回复|通知|函件|教练|客服"
    r"|诊所|最终|大夫|师傅|主任|奶奶|爷爷|父母|我妈|我爸|领导|市场部|主办方|同事|大家|孩子们?|寿星|柜台|爸|妈|开学|来电话?"
)


# Verbs by which a value is brought to another: what they stand by names nothing.
ZH_TURNS = re.compile(
    r"[压砍删缩放提升降推拖挪拉调涨减加延改换变搬转移写做说喊叫走绑用定选按归跟找听看来去有要想给让把](?:[到成为了给走用作做去]|我)?"
    r"|好?一[些点]|打折|折后|下来|算|就[行好成可够]了?|够|更|那个?|还是|吧|了|的"
)
_DENIES_LAST = re.compile(
    r"\W*(?:oh,? |hm+,? )?(?:no|nope|nah)(?:(?:[ ,]+no)+[,.;:!]?|[,.;:!–—-]) \S+(?: \S+){0,3}$"
)
_ZH_DENIES_LAST = re.compile(r"\W*(?:不[对是]?[，,]?)+[，,]")
# What was given is not it, or is no more; here is what is.
_NOT_IT = gated(
    r"\bthat (?:[\w-]+ )?(?:is|was|has been|got) (?:gone|dead|wrong|old|outdated|down|closed|retired"
    r"|removed)\b"
    r"|\bthe (?:right|correct|proper) (?:one|[\w-]+)(?: is|:)|\btypo\b"
    r"|\b(?:is|was) the one (?:i|we|that|to)\b"
    r"|那个[^，。]{0,4}(?:[下没停关撤]了|作废|不对|过期)|正确的[是在：]|[打看拿抄贴写记]错|我[问说指]的是"
)


def has_value(text: str) -> bool:
    """Return whether a text may hold an exact value, as far as a look tells.

    >>> has_value("put it under /srv"), has_value("put it elsewhere")
    (True, False)
    """
    return _has_value(text.lower())


def _has_value(sentence: str) -> bool:
    # Most values have a digit, and are found by it at once.
    return _DIGIT.search(sentence) is not None or _HAS_VALUE.search(sentence) is not None


def denies_last(sentence: str) -> bool:
    """Return whether a plain sentence says of what was said last that it is not so, and what is.

    >>> denies_last("no, b14"), denies_last("no pets in b14")
    (True, False)
    """
    if _NOT_IT.search(sentence):
        return True
    return bool(_DENIES_LAST.match(sentence) or _ZH_DENIES_LAST.match(sentence))


def decides(sentence: str) -> bool:
    """Return whether a plain sentence says what was chosen in the end.

    >>> decides("the client talked me into lisbon"), decides("we are in lisbon")
    (True, False)
    """
    return (
        bool(DECIDES.search(sentence))
        or denies_last(sentence)
        or (not sentence.isascii() and bool(_ZH_DECIDES.search(sentence)))
    )


@lru_cache(2048)
def hints(sentence: str) -> bool:
    """Return whether a plain sentence may say in passing that something is otherwise.

    >>> hints("8443 then"), hints("we'll need 45 minutes"), hints("the port is 8443.")
    (True, True, False)
    """
    if decides(sentence) or _BARE.search(sentence) or FOREIGN_TURNS.search(sentence):
        return True
    is_han = not sentence.isascii()
    if is_han and _ZH_BARE.match(sentence):
        return True
    if not (_has_value(sentence) or _HAS_SPELT.search(sentence)):
        return False
    if _HINTS.search(sentence) or (is_han and _ZH_HINTS.search(sentence)):
        return True
    failed = FAILS.search(sentence)
    return failed is not None and _GIVEN.search(sentence, failed.end()) is not None
