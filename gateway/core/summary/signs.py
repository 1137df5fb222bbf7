"""Signs that a text is no summary: a call, an error, a refusal, an answer, a text without its end.

Each looks at what the text is as a whole. A summary may well tell of an error, quote a call or end in a list,
so a word somewhere in it says nothing.
"""

from __future__ import annotations

import re

from gateway.core import json
from gateway.core.failures import Final, Refused, read
from gateway.core.summary.form import TASK

_ERROR_CHARS = 1200
"""Whoever answers with an error is brief; a page of HTML is known by its beginning."""

_CALL = re.compile(
    r"\s*(?:<(?:\|)?(?:tool_call|function_call|tools?_calls?_begin|invoke|antml:|｜tool)"
    r"|\[TOOL_CALLS?\]|<function[=_]"
    r"|\{\s*\"(?:name|tool|function|tool_name|action)\"\s*:\s*[\"{]"
    r"|\[\s*\{\s*\"(?:name|function|type)\"\s*:"
    r"|\{\s*\"(?:type|tool_calls)\"\s*:|```(?:json|tool_code|tool_call)\s*\n\s*(?:\{\s*\"(?:name|tool"
    r"|function)\"|print\())"
    r"|\s*(?:call(?:ing)? )?[a-z_]{2,40}\(\s*(?:\{|\w+\s*=|\")[^\n]{0,2000}\)\s*$",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\s*(?:\W{0,4}(?:(?:api|internal|server|upstream|http|request|network|connection|unexpected"
    r"|fatal|runtime|summary|generation|completion"
    r"|summari[sz]ation|model|openai|anthropic|provider)[ _-]?){0,3}(?:error|exception"
    r"|failure)(?: \d{3})?\s?[:：(\[—-]"
    r"|[a-z.]{0,80}(?:Error|Exception): |\{\s*[\"']error[\"']|\{\s*[\"']type[\"']\s*:\s*[\"']error"
    r"|(?:HTTP/?[\d.]* )?(?:4\d\d|5\d\d)[ :,-]{1,3}(?:bad|un|too|not|internal|service|gateway|rate"
    r"|forbidden|payload|over)"
    r"|too many requests|rate limit|internal server error|bad gateway|service unavailable"
    r"|gateway time-?out|upstream "
    r"(?:connect|request|timed)|request (?:failed|timed out|timeout)|connection (?:refused|reset"
    r"|error|timed)"
    r"|(?:the )?(?:request|model|server|service) (?:is )?(?:overloaded|unavailable|timed out|failed)"
    r"|an? (?:unexpected )?"
    r"error (?:has )?occurred|something went wrong|failed to (?:generate|create|produce|summari"
    r"|complete|get|fetch|connect)"
    r"|(?:maximum )?context length|this model's maximum context|prompt is too long"
    r"|insufficient (?:quota|balance|credit)"
    r"|you exceeded your|invalid api key|quota exceeded|timed? ?out\b|none\s*$|null\s*$|undefined\s*$"
    r"|nan\s*$|\[?object"
    r"|请求失败|服务器(?:错误|繁忙|内部)|系统(?:错误|繁忙|异常)|网络(?:错误|异常)"
    r"|错误[:：]|发生(?:了)?错误|出错了"
    r"|接口调用失败|调用失败|生成失败|请求(?:超时|过于频繁)|余额不足|超出(?:最大)?(?:长度|限制))",
    re.IGNORECASE,
)
# What is written for a program, or by one that broke: JSON, events of a stream, a page, a traceback.
_DATA = re.compile(
    r"\s*(?:\{\s*[\"']|\[\s*\{|(?:data|event): ?\S|<!doctype|<html|traceback \(most)", re.IGNORECASE
)
# Who or what is told of, and that something was done about it: no error of the call itself says so.
_TELLS = re.compile(
    r"\b(?:the )?users?\b(?! ?by)|\bassistant\b(?! and)|\bconversation (?:is|was)\b"
    r"|\b(?:decided|fixed|solved|resolved|raised|lowered|discussed|chosen|chose|agreed|traced|added"
    r"|cause is"
    r"|cause was|cause unknown|workaround|roll(?:ed )?back)\b|已(?:解决|修复|加入)|原因是"
    r"|用户(?!名)|助手|(?<![\w/])[\w.-]{0,40}/[\w.-]{1,40}/[\w./-]|\w\.(?:py|ts|js|ya?ml|json|log|md"
    r"|csv|sql)\b",
    re.IGNORECASE,
)
# What an upstream adds to a complaint about rate, money or load.
_ASKS = re.compile(
    r"please|exceed|limit|quota|overload|again|retry|later|upgrade|insufficient|reached|busy|queue"
    r"|memory|deadline"
    r"|credit|balance|canceled|请|已用完|不足|限制",
    re.IGNORECASE,
)
_SENTENCE_CHARS = 600
_REFUSAL = re.compile(
    r"\s*(?:(?:i'?m |i am )?(?:really |very |so )?sorry(?=[,.!]| but| for| about)|i apologi[sz]e"
    r"|apologies[,.!]|unfortunately,? i\b|i (?:can(?:'|no|’)t|can not|won't|am unable|am not able"
    r"|do not have"
    r"|don't have)\b|as an ai\b|i must decline|抱歉|对不起|很遗憾[，,]?我|我无法|我不能"
    r"|作为(?:一个)?(?:ai|人工智能|语言模型))",
    re.IGNORECASE,
)
_MADE = "code|file|version|script|function|answer|solution|plan|example|patch|diff|translation|email|draft"
_ANSWER = re.compile(
    r"\s*(?:(?:sure|certainly|of course|absolutely|great(?: question)?|good (?:question|point|idea)"
    r"|thanks|thank you|you're (?:right|welcome)|no problem|hello|hi|hey|yes|no|okay|ok|got it|understood"
    r"|alright)\b ?[,!.—:](?=\s|$)|(?:done|perfect|excellent|all set|awesome)!"
    r"|i(?:'ll|'ve| will| have| can|'d| would| think| see| understand| suggest| recommend|'m| am going)\b"
    r"|let(?:'s|’s| me| us) (?-i:[a-z])|to (?:fix|solve|do|achieve|answer|implement|run|install|deploy"
    r"|resolve)\b[^\n]{0,120}\byou\b|you (?:can|could|should|need|may|might|have to|will)\b"
    rf"|here(?:'s|’s| is| are) (?!what)[^\n:]{{0,40}}\b(?:{_MADE})\b|here you (?:go|are)|the answer (?:is|to)"
    r"|what (?:would|do|should) you|how (?:can|may) i|would you like|do you want"
    r"|好的?[，,!！。]|当然(?:可以)?[，,!！。]|没问题|可以的?[，,!！。]|是的[，,!！。]|不客气"
    r"|[你您]好[，,!！。]|明白了?[，,!！。]|收到[，,!！。]|我(?:来|会|将|已经?|建议|认为|觉得|可以|先|这就)"
    r"|让我|让我们|接下来[我你您]|[你您](?:可以|需要|应该|能)"
    r"|(?:这|下面|以下)是(?:修改|更新|完整|代码|你|您)|请问)",
    re.IGNORECASE,
)
# What is said to somebody who is there.
_TO_USER = re.compile(
    r"\byou (?:can|could|should|need to|may want|might|must|have to)\b|\b(?:could|can|would) you\b"
    r"|\bplease (?:provide|share|send|paste|upload|confirm|let me|tell me|check|try)\b|\b(?:send|tell"
    r"|show) me\b"
    r"|[你您](?:可以|需要|应该|还需|要不要|看)|请(?:您|你|提供|查看|查收|告诉|发送|上传|确认|稍等)",
    re.IGNORECASE,
)
_OF_USER = re.compile(r"\b(?:the )?users?\b|\bassistant\b|用户|助手", re.IGNORECASE)
_SPOKEN_CHARS = 1500
_OFFER_CHARS = 400
_OFFER = re.compile(
    r"(?:let me know|would you like|do you want me|shall i|should i|feel free|hope (?:this|that) helps"
    r"|anything else)[^\n]{0,120}\s*$"
    r"|(?:需要我|要不要我|是否需要|还有(?:什么|其他)|希望.{0,12}帮助|请告诉我|随时告诉我)[^\n]{0,60}\s*$",
    re.IGNORECASE,
)

_LABEL = re.compile(r"^\[\d{1,7}\] (?:user|assistant|tool|system)\b *$", re.MULTILINE)

# What no sentence ends with. Many a short word does: "can log in", "is on", "as it is".
_OPEN_END = re.compile(
    r"(?:[,，、(（\[{=+<&/-]|\b(?:the|an|and|or|with|of|because|than|into|via|per|must|should|its"
    r"|their|from)"
    r"|[和或把被从将]|(?<!目)的|以及|因为|但是|并且|而且|如果|由于|对于)$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?。！？…)）\]】`*_\"”’'》>|\d;；%]$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、])\s")
_LAST_CHARS = 400
_LEAST_CHARS = 40
_STOPS = ".!?。！？；;"
_FEW_LINES = 4
_MOST = 0.9
_PROSE_WORDS = 12
"""So long a last line without an end was cut; a shorter one is an item of a list."""


def is_call(text: str) -> bool:
    """Return whether a text is a tool call and nothing else.

    >>> is_call('{"name": "read", "arguments": {}}'), is_call("- called read({})")
    (True, False)
    """
    return _CALL.match(text) is not None


def is_error(text: str) -> bool:
    """Return whether a text is the message of an error, or a refusal.

    >>> is_error("Error: 429 Too Many Requests"), is_error("- The error `KeyError: 'a'` was fixed")
    (True, False)
    """
    if len(text) > _ERROR_CHARS:
        return False
    if _DATA.match(text) or _REFUSAL.match(text):
        return True
    return not _TELLS.search(text) and (_ERROR.match(text) is not None or _is_failure(text))


def _is_failure(text: str) -> bool:
    """Return whether a text is what upstreams say when a call fails."""
    if len(text) > _SENTENCE_CHARS or is_answer(text):
        return False
    # What no dialect knows is taken for a complaint about the request's form.
    failure = read(400, json.encode({"error": {"message": text}}))
    if isinstance(failure, Final):
        return _ASKS.search(text) is not None
    return not isinstance(failure, Refused)


def is_answer(text: str) -> bool:
    """Return whether a text speaks to the user instead of telling of the conversation.

    >>> is_answer("Sure! To fix the price, change line 3."), is_answer("The user wants the price fixed.")
    (True, False)
    """
    if _OFFER.search(text[-_OFFER_CHARS:]) or _is_code(text):
        return True
    if _OF_USER.search(text):
        return False
    is_said = len(text) <= _SPOKEN_CHARS and _TO_USER.search(text) is not None
    return is_said or _ANSWER.match(text) is not None


def _is_code(text: str) -> bool:
    """Return whether most of a text is blocks of code."""
    inside = sum(map(len, text.split("```")[1::2]))
    return inside > len(text) / 2


def is_echo(text: str) -> bool:
    """Return whether a text repeats what its author was shown: instructions, or messages with their labels.

    >>> is_echo("[1] user\\nFix it.\\n[2] assistant\\nDone."), is_echo("The user wants it fixed.")
    (True, False)
    """
    return TASK in text or len(_LABEL.findall(text)) > 1


def breaks_off(text: str) -> bool:
    """Return whether a text ends where no sentence does, or in a block of code.

    >>> breaks_off("## Goal\\n- fix the"), breaks_off("## Goal\\n- fix the price")
    (True, False)
    """
    return text.count("```") % 2 == 1 or _OPEN_END.search(_last(text)) is not None


def is_cut(text: str) -> bool:
    """Return whether a text may have lost its end: weaker signs, for when nobody says how it ended.

    >>> is_cut("## Goal\\n- fix the price\\n## Next"), is_cut("## Goal\\n- fix the price")
    (True, False)
    """
    last = _last(text)
    if last.startswith("#") or breaks_off(text):
        return True
    if _ENDED.search(last) or len(last) < _LEAST_CHARS:
        return False
    return (not _LIST_ITEM.match(last) and len(last.split()) >= _PROSE_WORDS) or _is_odd_one(text)


def _last(text: str) -> str:
    """Return the last line, or its end."""
    return text.rstrip().rpartition("\n")[2].strip()[-_LAST_CHARS:]


def _is_odd_one(text: str) -> bool:
    """Return whether the last line is the only one of a text that ends without a sign."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    ended = sum(line[-1] in _STOPS for line in lines[:-1])
    return len(lines) > _FEW_LINES and ended >= _MOST * (len(lines) - 1)
