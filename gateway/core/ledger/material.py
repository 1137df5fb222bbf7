"""Which parts of a message are somebody else's words: presented to be worked on, not to be followed.

A log to summarise, a text to translate, an example: rules in there are content. What the user presents as
rules of their own ("our rules:") is not material, whatever it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gateway.core.ledger.entry import Kind

# Verbs that ask to work on a text, and nouns that name one. A row is added for a verb whose object is text.
_WORK = (
    r"translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|review|explain|analy[sz]e"
    r"|classify|extract"
    r"|parse|critique|grade|edit|correct|improve|shorten|convert|tl;?dr|annotate|comment on"
    r"|look at|debug"
    r"|what do you think (?:of|about)|what does|spell-?check|polish|label|fix the (?:grammar"
    r"|spelling|typos)"
)
_TEXT = (
    r"logs?|output|e-?mails?|mail|article|document|doc|text|transcript|paragraph|passage|page"
    r"|post|letter"
    r"|stack ?trace|traceback|errors?(?: message)?|response|snippet|excerpt|readme|wiki"
    r"|sentences?|quote"
    r"|poem|story|review|tweet|message|contract|policy|terms|paste|dump|report|prompt|thread"
    r"|ticket|scenario"
)
PRESENTS = re.compile(
    rf"\b(?:{_WORK})\b[^:\n]{{0,80}}(?::|\b(?:below|following(?: \w+){{0,3}})\W*$)"
    rf"|\b(?:here(?:'s| is| are| comes)|below (?:is|are)|this is|i (?:got|get|see|found|received"
    rf"|pasted)"
    rf"|it (?:says|prints|shows|printed|said)|following|pasted|the|an?|their|old)\b[^:\n]{{0,50}}"
    rf"\b(?:{_TEXT})\b[^:\n]{{0,40}}:(?=\s|$|[\"'“‘])"
    r"|(?:翻译|总结|概括|润色|改写|校对|分析|解释|审阅|归纳|提取|看看|修改)[^：:\n]{0,30}[：:]"
    r"|(?:以下|下面|如下)[^：:\n]{0,16}(?:日志|文章|文本|邮件|文档|报错|输出|内容|段落|句子|对话|合同|条款|帖子)"
    r"[^：:\n]{0,12}[：:]?",
    re.IGNORECASE,
)
# What presents a text without a colon says so.
_POINTS = re.compile(r"\b(?:following|below)\b|以下|下面|如下")
EXAMPLES = re.compile(
    r"\b(?:for example|for instance|examples?|e\.g\.|sample|illustration|hypothetical(?:ly)?"
    r"|imagine|suppose"
    r"|(?:old|former|previous|outdated|deprecated|obsolete|legacy|their|competitor'?s?)\b[^:\n]{0,30}"
    r"(?:rules?|polic(?:y|ies)|guidelines?|conventions?|wiki|guide|docs?)"
    r"|no longer (?:valid|applies|apply|true)|used to (?:be|have|say)|quiz|fiction|character"
    r"|novel)\b[^:\n]{0,60}:\W*$"
    r"|(?:例如|比如|举例|示例|例子|假设|旧的?规则|旧版|过时|已废弃)[^：:\n]{0,20}[：:]\s*$",
    re.IGNORECASE,
)

# Headings under which every item is of a kind, without saying so itself. The first that matches counts.
_HEADINGS = (
    (
        Kind.PROHIBITION,
        r"do(?:n'?t| not)(?:s|'s)?|never|avoid|prohibit\w+|forbidden|off[- ]limits|not allowed"
        r"|no-?gos?|banned"
        r"|hands off|taboo|out of (?:scope|bounds)|禁止|严禁|不要|红线|禁忌|不得|勿",
    ),
    (
        Kind.LIMIT,
        r"limits?|limitations?|budgets?|deadlines?|caps?|quotas?|thresholds?|milestones|限制|预算|期限|上限|截止|配额",
    ),
    (
        Kind.TASK,
        r"to-?dos?|open (?:tasks?|items?|points|questions|issues)|tasks?|next steps?|remaining"
        r"|pending|action items?"
        r"|backlog|still (?:to do|open|missing)|outstanding|later|follow-?ups?|checklist"
        r"|待办|任务|下一步|未完成|剩余|后续|遗留",
    ),
    (Kind.GOAL, r"goals?|objectives?|aims?|purpose|mission|目标|目的"),
    (Kind.PREFERENCE, r"preferences?|style|tone|formatting|wishes|likes|偏好|风格|喜好|习惯"),
    (Kind.DECISION, r"decisions?|decided|agreed|conclusions?|agreements|决定|决策|结论|共识"),
    (
        Kind.RULE,
        r"(?:\w+ )?rules?|constraints?|guidelines?|requirements?|conventions?|instructions?|principles?"
        r"|must(?:-haves?)?|always|important|ground rules|remember|policy|policies|standards?|please"
        r"|note well"
        r"|规则|规范|要求|约束|须知|注意(?:事项)?|原则|约定|守则|必须|条件",
    ),
)
_LEAD = (
    r"(?:(?:the|my|our|some|a few|these|project|house|team|coding|general|hard|here are|following"
    r"|please|current|code|key|known|of|are|for|us|things|to|what|you|we|must|should|和|的|我们|我|请|本"
    r"|项目|团队|几条|以下|这些|是|一些|代码) ?){0,7}"
)
_HEADING = [
    (kind, re.compile(rf"\W*{_LEAD}(?:{words})(?!\w)[^:：.?!]{{0,40}}[:：]?\W*", re.IGNORECASE))
    for kind, words in _HEADINGS
]
_HEADING_CHARS = 80
# A title that is itself an imperative: it is one item, not a heading of several.
_SENTENCE = re.compile(
    r"\W*(?:always|never|avoid|do not|don'?t|please|remember|must|important) \w|\W*(?:不要|必须|禁止|严禁"
    r"|不得|请|勿)\w{2}",
    re.IGNORECASE,
)

# What tags hold documents; all others (`<rules>`, `<instructions>`) only name what is in them.
TAG = re.compile(
    r"<(/?)(documents?|docs?|logs?|files?|file_contents?|examples?|transcript|e-?mail|article"
    r"|outputs?|quotes?"
    r"|blockquote|pasted\w*|text|source|search_results?|results?|tool_results?|web_?page|page"
    r"|html|content"
    r"|data|snippet|stdout|stderr|error|haversack-[\w-]+)(?: [^<>\n]{0,200})?>",
    re.IGNORECASE,
)

# The user speaks again behind a pasted text.
RESUMES = re.compile(
    r"(?:from now on|going forward|also\b|and (?:please|also|from|never|don't)|btw|by the way"
    r"|one more thing|another thing"
    r"|separately|that said|besides|finally,|oh,? and|i(?:'d|'m| want| need| would)\b|for you\b|as for"
    r"|(?:end|that's all) of|以后|今后|另外|还有|顺便|对了|此外|从现在|上面|以上)",
    re.IGNORECASE,
)


def heading(text: str) -> Kind | None:
    """Return of what kind the items under a heading are; None if it is no such heading.

    >>> heading("## House rules"), heading("Please never:"), heading("Results")
    (<Kind.RULE: 'Rules'>, <Kind.PROHIBITION: 'Prohibitions'>, None)
    """
    if len(text) > _HEADING_CHARS or (_SENTENCE.match(text) and not text.endswith((":", "："))):
        return None
    for kind, pattern in _HEADING:
        if pattern.fullmatch(text):
            return kind
    return None


def presents(text: str) -> bool:
    """Return whether a sentence says, without need of a colon, that somebody's text follows.

    >>> presents("Translate the text below"), presents("Translate the text")
    (True, False)
    """
    if text.isascii() and "following" not in text and "below" not in text:
        return False
    return bool(_POINTS.search(text) and PRESENTS.search(text))


def is_presented(text: str) -> bool:
    """Return whether a lead-in says that what follows is somebody's text or an example."""
    if EXAMPLES.search(text):
        return True
    return bool(PRESENTS.search(text)) and heading(text) is None


def last_paragraph(lines: Sequence[str]) -> int:
    """Return the number of the line with which the last paragraph begins: there the user may speak again.

    >>> last_paragraph(["a", "", "b", "c", ""])
    2
    """
    seen = False
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].strip():
            seen = True
        elif seen:
            return number + 1
    return 0
