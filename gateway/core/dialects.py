"""How upstreams say that something is too long: tables, in the order in which they decide.

The sentences about the conversation, which come last, stand in `dialects_overflow`.

A row is added for a structure, not for a provider: what is measured, and how it relates to the limit. A
wording that fits no structure goes to the odd ones, with the upstream's name. Each row has a recorded body in
`tests/failures/`. All patterns see a sentence that `failure_rules.plain` has prepared, and are bounded: none
looks further than about a hundred characters.
"""

from __future__ import annotations

import re

Rows = tuple[re.Pattern[str], ...]


def rows(*patterns: str) -> Rows:
    return tuple(re.compile(pattern) for pattern in patterns)


# --- identifiers: `code`, `type` and their like, in snake case

_TOO_LONG_ID = r"(?:exceed|overflow|too_l(?:ong|arge)|limit|reached|full)"

# Identifiers that name the context or the prompt decide alone.
STRONG_MARKS = rows(
    rf"context_?(?:length|window|size|limit)?_?(?:is_)?{_TOO_LONG_ID}",
    r"exceed\w{0,15}_(?:max_)?context|^context_(?:too_long|overflow)",
    r"^(?:model_)?(?:max_)?(?:prompt|input)_(?:is_)?(?:tokens?_)?(?:length_|limit_)*(?:exceeded|too_long)",
    r"^model_context_window_exceeded$|^1261$",
)
# These name tokens only: a rate answer may use them too, so the veto goes first.
TOKEN_MARKS = rows(
    r"^(?:max_)?tokens?_(?:limit|quantity|count)_(?:reached|exceed)",
    r"^tokens_too_long$",
    r"^too_many_(?:input_)?tokens$",
)
# Identifiers in the sentence itself, as clients' libraries name their exceptions.
STRONG_WORDS = rows(
    r"context_?window_?exceeded_?error", r"\bcontext_length_exceeded\b", r"\bprompt_too_long\b"
)
STRONG_PARAMS = frozenset(("input_tokens", "input_text"))  # vLLM 0.11 and later
STRONG_FIELDS = frozenset(("nprompttokens", "nctx"))  # llama.cpp

VETO_MARKS = rows(
    r"rate_?limit|quota|throttl|overloaded|billing|budget|credit|balance|^tokens$|timeout"
    r"|too_many_requests",
    r"resource_exhausted|payment|capacity|unavailable",
)
BYTES_MARKS = rows(r"^request_(?:entity_)?too_large$|payload_too_large|^entity_too_large")

# --- veto: rate, money, load, time

DENIED = frozenset((401, 402, 403, 407, 423, 425, 429, 451, 499, 529))
"""Statuses about who asks and how often."""
VETO = rows(
    r"\b(?:rate|usage|spend(?:ing)?|request)[ _-]?limit|\b[rt]p[mdhs]\b|throttl"
    r"|too many (?:\w+ )?requests|slow down",
    r"\bper (?:min|sec|hour|day|month|week)|\bper \d+ ?s|\btokens?/(?:min|sec|day)|daily|monthly|hourly"
    r"|concurren",
    r"quota|\bcredits?\b|billing|\bbalance\b|afford|payment|upgrade (?:your|to)|extra usage|trial",
    r"(?:monthly|max|spend\w{0,15}+|cost|its|your|key) budget|budget (?:has been |is |was )?(?:exceeded"
    r"|exhausted|reached)",
    r"overloaded|capacity exceeded|at capacity|\bqueue|deadline|context cancel|timed? ?out|took too long",
    r"please wait|(?:try|retry) (?:again )?(?:in \d|later|after)|retry in|service unavailable"
    r"|out of memory|(?<!or )batch size|memory (?:guard|limit|ceiling|cap)"
    r"|(?:available|process|system|gpu|physical|unified|enough) memory",
    r"\byour (?:account|organi[sz]ation|workspace|team|plan|(?:api )?key|subscription)\b"
    r"|\b(?:this|per|each|every|billing) (?:minute|hour|day|week|month|period|cycle)\b|\btoday\b"
    r"|\benqueued (?:tok|prompt|request)|per[- ]model limit|slots busy|token allowance",
    r"额度|余额|欠费|充值|配额|速率|频率|并发|每分钟|限流|访问量|已用完",
)

# --- output cap: only the requested answer is too long

OUTPUT = (
    r"(?:max(?:imum)?[ _]?(?:completion[ _]|output[ _]|new[ _]|gen(?:eration)?[ _])?(?:tokens"
    r"|len)(?![a-z0-9_])|max_tokens?(?![a-z0-9_])|maxoutputtokens"
    r"|maximum tokens you requested|max_gen_len|n(?:um)?_predict|(?:completion|output|generated"
    r"|generation) tokens?"
    r"|requested output|output (?:length|limit)|输出长度|输出)"
)
_ABOVE = (
    r"(?:too (?:large|high|big|long|many)|exceed|not exceed|<=|≤|(?:less|lower|smaller) than|at most"
    r"|no more than|up to|limited to|capped at|above"
    r"|\bover\b|(?:larger|greater|higher|more) than|maximum|valid range|supported range|range of"
    r"|between|\bfrom \d|out of range|not in (?:the )?range"
    r"| > |超限|超出|超过|不能大于|最大|范围)"
)
OUTPUT_CAP = rows(
    rf"{OUTPUT}.{{0,110}}{_ABOVE}",
    rf"{_ABOVE}.{{0,60}}{OUTPUT}",
    r"output (?:length |token )?limit (?:is|of|:)|max(?:imum)? output (?:tokens? )?(?:is|of|:)",
    r"generate (?:more than|up to|at most) \d",
)
OUTPUT_FLOOR = rows(
    rf"{OUTPUT}.{{0,60}}(?:at least|(?:must|should|to) be greater than|greater than or equal"
    rf"|greater than [`'\"]?(?:[01]\b|thinking|min)|>=|≥"
    rf"|below minimum|positive|an? integer|not supported)"
)
OUTPUT_BLAMED = rows(rf"{OUTPUT}.{{0,40}}too large")
OUTPUT_CEILING = rows(r"less than|at most|<=|between|range")
INPUT = re.compile(r"\b(?:prompt|input|messages?\b|conversation|history)|输入")
# Prompt and output are measured together: then it is the conversation that must shrink, or both.
IN = r"(?:prompt|inputs?\b|input_|messages?|conversation|history|context|输入|上下文)"
TOGETHER = rows(
    rf"(?:prompt|input|messages?|conversation)\b.{{0,20}}(?:exceed|(?:longer|greater|larger"
    rf"|more) than).{{0,25}}{OUTPUT}",
    rf"{IN}.{{0,40}}(?:\+|\band\b|\bor\b|\bplus\b|&|和|与|加|minus|- ).{{0,25}}{OUTPUT}",
    rf"{OUTPUT}.{{0,40}}(?:\+|\band\b|\bplus\b|和|与|加).{{0,25}}(?:prompt|input|messages)",
    r"(?:context|max_seq_len|max_model_len).{0,40}minus",
    r"(?<!max )(?<!output )(?<!completion )\btokens in (?:the |your )?(?:request|prompt|input|messages)\b",
)

# --- bytes, characters, counts

# What no compaction of the conversation makes shorter. Looked for just before what is said of it.
HOPELESS = rows(
    r"image|audio|video|\bpdf|pixel|data-uri|\bfiles?\b|document|attachment|per item",
    r"password|user ?name|filename|\bur[li]\b|\bname\b|\bkeys?\b|_key\b|_id\b|identifier|regex|grammar"
    r"|header|metadata|\benum|schema|\bjson\b|nest|depth",
    r"\btools?\b|function|description|stop seq|'stop'|\bstop:|logit|top_|temperature|thinking|reasoning"
    r"|propert",
    r"system is too long|(?<!and )(?<!\+ )\bsystem (?:prompt|message|instruction)s?\b(?! (?:and|or|plus|\+))"
    r"|template|certificate|signature|suffix|\btitle\b|\blabel",
)
_BIG = (
    r"(?:too (?:large|big|long|many)|exceed\w{0,15}+|greater than|larger than|longer than|above|\bover\b"
    r"|maximum|\bmax\b|limit|\d ?>)"
)
BYTES = rows(
    rf"(?:payload|body|entity|request size|message size|text bytes|content.length|number of bytes"
    rf"|total (?:size|bytes)).{{0,60}}{_BIG}",
    rf"{_BIG}.{{0,40}}(?:payload|request body|request size|request entity|message size|text bytes"
    rf"|number of bytes|input characters)",
    rf"\b(?:prompt|input|messages?|request|body|payload|content|conversation"
    rf"|total)\b.{{0,80}}(?:{_BIG}|at most|no more than).{{0,60}}"
    r"\d ?(?:characters?|chars?|bytes?|[kmg]i?b|字符|字节)\b",
    r"(?:sent|received) message larger than max",
    r"expected maxlength|maximum (?:allowed )?(?:request |message |payload )size"
    r"|request too (?:large|long|big)|maximum request length"
    r"|content too large",
)
# A count in characters, when the same sentence speaks of tokens or of the window, is an explanation.
TOKEN_WORDS = re.compile(
    r"tokens?(?!_)|jetons?\b|токен|context[ _-]?(?:length|window|size|limit)"
    r"|(?:model'?s?|exceed\w{0,15}+) context\b|prompt[ _]len|max_(?:seq|model)"
    r"|too (?:large|long|big) for (?:the |this |your )?(?:\w{1,12} )?model|トークン|토큰"
)
ARRAY_TOO_LONG = re.compile(
    r"'(?P<param>[^'\s]{1,100})': array too long\. expected an array with maximum length (?P<limit>\d+)",
    re.IGNORECASE,
)
STRING_TOO_LONG = re.compile(
    r"'(?P<param>[^'\s]{1,100})': string too long\. expected a string with maximum length (?P<limit>\d+)",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    r"(?:\A(?P<param>[\w.\[\]]{1,100}): .{0,60}?)?at most (?P<limit>\d+) (?P<unit>items|characters)",
    re.IGNORECASE,
)
# What of the request a shorter conversation makes shorter; pydantic names the type behind it, too.
COMPACTABLE = re.compile(
    r"(?:messages|input)[.\[]{0,3}\d{1,6}\]?.{0,100}(?:content|text|output|arguments|input)"
    r"(?:\.[\w\-]{0,20}str[\w\-]{0,20})?",
    re.IGNORECASE,
)
TOO_MANY_MESSAGES = rows(
    r"(?:maximum|at most|limit|than|up to|max)[^\d]{0,20}(?P<limit>\d+) messages?\b",
    r"max(?:imum)? number of messages[^\d]{0,20}(?P<limit>\d+)",
    r"(?:messages (?:array|list)\b|(?:消息|messages) ?(?:数量|条数|总数|数组)).{0,40}?"
    r"(?:exceed|than|超过|最多)\D{0,20}(?P<limit>\d+)",
    r"messages\W{0,3} (?:is|are) too long\W.{0,40}?(?P<limit>\d+).{0,30}\bitems\b",
    r"(?:too many|number of) messages.{0,60}?(?:maximum|max|limit|at most|than|exceed\w{0,15}+"
    r"|>)[^\d]{0,20}(?P<limit>\d+)",
)

# --- what is said of the form of a request

BOUND = rows(r"thinking.{0,80}bound to a different conversation")
"""Thinking that stands behind something else than it was written behind (Anthropic, preserved thinking)."""
FORM = frozenset((400, 405, 406, 411, 412, 413, 414, 415, 416, 417, 421, 422, 424, 431))
"""Statuses about the form of a request."""
# A chat template refuses the list as it is. llama.cpp says so with status 500 (ggml-org/llama.cpp#19851,
# #21879), as do those who run it; the sentence is the template's own, which stands in the model's files.
TEMPLATE = rows(
    r"jinja ?(?:exception|template|error)|\braise_exception\b|template ?error\b|error rendering prompt"
    r"|(?:chat|prompt) template (?:error|failed)|(?:rendering|apply) .{0,12}(?:prompt|chat)[ _]?template",
    r"\broles must alternate|(?:unexpected|unknown|unsupported) role\b|role not supported"
    r"|\bonly (?:the )?(?:system|user|assistant)\b.{0,40} roles are supported",
    r"system messages? must be (?:at the beginning|the first)|no user query found in messages"
    r"|message has tool role, but|2 or more assistant messages at the end|failed to parse messages"
    r"|not the same number of function calls and (?:responses|results)|expected last role user or tool",
)
OPAQUE = rows(r"^request contains an invalid argument\.?$")  # Gemini: may hide anything
# A relay's own sentence, where it has swallowed the upstream's.
RELAYED = rows(
    r"^\W*(?:error:? )?(?:bad (?:response )?status code:? ?\d{3}|provider returned error"
    r"|upstream (?:request failed|error)|(?:\d{3} )?bad request|invalid request|openai_error"
    r"|(?:\d{3} )?status code \(no body\))\W*$"
)
