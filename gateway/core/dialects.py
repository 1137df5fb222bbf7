"""How upstreams say that something is too long: tables, in the order in which they decide.

A row is added for a structure, not for a provider: what is measured, and how it relates to the limit. A
wording that fits no structure goes to the odd ones, with the upstream's name. Each row has a recorded body in
`tests/failures/`. All patterns see a sentence that `failure_rules.plain` has prepared, and are bounded: none
looks further than about a hundred characters.
"""

from __future__ import annotations

import re

Rows = tuple[re.Pattern[str], ...]


def _rows(*patterns: str) -> Rows:
    return tuple(re.compile(pattern) for pattern in patterns)


# --- identifiers: `code`, `type` and their like, in snake case

_TOO_LONG_ID = r"(?:exceed|overflow|too_l(?:ong|arge)|limit|reached|full)"

# Identifiers that name the context or the prompt decide alone.
STRONG_MARKS = _rows(
    rf"context_?(?:length|window|size|limit)?_?(?:is_)?{_TOO_LONG_ID}",
    r"exceed\w*_(?:max_)?context|^context_(?:too_long|overflow)",
    r"^(?:model_)?(?:max_)?(?:prompt|input)_(?:is_)?(?:tokens?_)?(?:length_|limit_)*(?:exceeded|too_long)",
    r"^model_context_window_exceeded$|^1261$",
)
# These name tokens only: a rate answer may use them too, so the veto goes first.
TOKEN_MARKS = _rows(
    r"^(?:max_)?tokens?_limit_(?:reached|exceed)", r"^tokens_too_long$", r"^too_many_(?:input_)?tokens$"
)
# Identifiers in the sentence itself, as clients' libraries name their exceptions.
STRONG_WORDS = _rows(
    r"context_?window_?exceeded_?error", r"\bcontext_length_exceeded\b", r"\bprompt_too_long\b"
)
STRONG_PARAMS = frozenset(("input_tokens", "input_text"))  # vLLM 0.11 and later
STRONG_FIELDS = frozenset(("nprompttokens", "nctx"))  # llama.cpp

VETO_MARKS = _rows(
    r"rate_?limit|quota|throttl|overloaded|billing|budget|credit|balance|^tokens$|timeout"
    r"|too_many_requests",
    r"resource_exhausted|payment|capacity|unavailable",
)
BYTES_MARKS = _rows(r"^request_(?:entity_)?too_large$|payload_too_large|^entity_too_large")

# --- veto: rate, money, load, time

DENIED = frozenset((401, 402, 403, 407, 423, 425, 429, 451, 499, 529))
"""Statuses about who asks and how often."""
VETO = _rows(
    r"\b(?:rate|usage|spend(?:ing)?|request)[ _-]?limit|\b[rt]p[mdhs]\b|throttl"
    r"|too many (?:\w+ )?requests|slow down",
    r"\bper (?:min|sec|hour|day|month|week)|\bper \d+ ?s|\btokens?/(?:min|sec|day)|daily|monthly|hourly"
    r"|concurren",
    r"quota|\bcredits?\b|billing|\bbalance\b|afford|payment|upgrade (?:your|to)|extra usage|trial",
    r"(?:monthly|max|spend\w*|cost|its|your|key) budget|budget (?:has been |is |was )?(?:exceeded"
    r"|exhausted|reached)",
    r"overloaded|capacity exceeded|at capacity|\bqueue|deadline|context cancel|timed? ?out|took too long",
    r"please wait|(?:try|retry) (?:again )?(?:in \d|later|after)|retry in|service unavailable"
    r"|out of memory|batch size",
    r"\byour (?:account|organi[sz]ation|workspace|team|plan|(?:api )?key|subscription)\b|(?:this"
    r"|per) (?:month|week)"
    r"|\btoday\b|slots busy|token allowance",
    r"额度|余额|欠费|充值|配额|速率|频率|并发|每分钟|限流|访问量|已用完",
)

# --- output cap: only the requested answer is too long

OUTPUT = (
    r"(?:max(?:imum)?[ _]?(?:completion[ _]|output[ _]|new[ _]|gen(?:eration)?[ _])?(?:tokens"
    r"|len)\b(?!\w)|max_tokens?\b|maxoutputtokens"
    r"|maximum tokens you requested|max_gen_len|n(?:um)?_predict|(?:completion|output|generated"
    r"|generation) tokens?"
    r"|requested output|output (?:length|limit)|输出长度|输出)"
)
_ABOVE = (
    r"(?:too (?:large|high|big|long|many)|exceed|not exceed|<=|≤|(?:less|lower|smaller) than|at most"
    r"|no more than|up to|above"
    r"|\bover\b|(?:larger|greater|higher|more) than|maximum|valid range|supported range|range of"
    r"|between|\bfrom \d|out of range"
    r"| > |超限|超出|超过|不能大于|最大|范围)"
)
OUTPUT_CAP = _rows(
    rf"{OUTPUT}.{{0,110}}{_ABOVE}",
    rf"{_ABOVE}.{{0,60}}{OUTPUT}",
    r"output (?:length |token )?limit (?:is|of|:)|generate (?:more than|up to|at most) \d",
)
OUTPUT_FLOOR = _rows(
    rf"{OUTPUT}.{{0,60}}(?:at least|greater than (?:or equal to )?[1`'t]|>=|≥|below minimum|positive"
    rf"|an? integer|not supported)"
)
OUTPUT_BLAMED = _rows(rf"{OUTPUT}.{{0,40}}too large")
OUTPUT_CEILING = _rows(r"less than|at most|<=|between|range")
INPUT = re.compile(r"\b(?:prompt|input|messages?\b|conversation|history)|输入")
# Prompt and output are measured together: then it is the conversation that must shrink, or both.
_IN = r"(?:prompt|inputs?\b|input_|messages?|conversation|history|context|输入|上下文)"
TOGETHER = _rows(
    rf"(?:prompt|input|messages?|conversation)\b.{{0,20}}(?:exceed|(?:longer|greater|larger"
    rf"|more) than).{{0,25}}{OUTPUT}",
    rf"{_IN}.{{0,40}}(?:\+|\band\b|\bor\b|\bplus\b|&|和|与|加|minus|- ).{{0,25}}{OUTPUT}",
    rf"{OUTPUT}.{{0,40}}(?:\+|\band\b|\bplus\b|和|与|加).{{0,25}}(?:prompt|input|messages)",
    r"(?:context|max_seq_len|max_model_len).{0,40}minus",
)

# --- bytes, characters, counts

# What no compaction of the conversation makes shorter. Looked for just before what is said of it.
HOPELESS = _rows(
    r"image|audio|video|\bpdf|pixel|data-uri|\bfiles?\b|document|attachment|per item",
    r"password|user ?name|filename|\bur[li]\b|\bname\b|\bkeys?\b|_key\b|_id\b|identifier|regex|grammar"
    r"|header|metadata|\benum|schema|\bjson\b|nest|depth",
    r"\btools?\b|function|description|stop seq|'stop'|\bstop:|logit|top_|temperature|thinking|reasoning"
    r"|propert",
    r"system is too long|template|certificate|signature|suffix|\btitle\b|\blabel",
)
_BIG = (
    r"(?:too (?:large|big|long|many)|exceed\w*|greater than|larger than|longer than|above|\bover\b"
    r"|maximum|\bmax\b|limit|\d ?>)"
)
BYTES = _rows(
    rf"(?:payload|body|entity|request size|message size|text bytes|content.length|number of bytes"
    rf"|total size).{{0,60}}{_BIG}",
    rf"{_BIG}.{{0,40}}(?:payload|request body|request size|request entity|message size|text bytes"
    rf"|number of bytes|input characters)",
    rf"\b(?:prompt|input|messages?|request|body|payload|content|conversation"
    rf"|total)\b.{{0,80}}{_BIG}.{{0,60}}"
    r"\d ?(?:characters?|chars?|bytes?|[kmg]i?b|字符|字节)\b",
    r"expected maxlength|maximum (?:allowed )?(?:request |message |payload )size|request too large"
    r"|content too large",
)
# A count in characters, when the same sentence speaks of tokens or of the window, is an explanation.
TOKEN_WORDS = re.compile(
    r"tokens?(?!_)|context[ _-]?(?:length|window|size)|prompt[ _]len|max_(?:seq|model)|トークン|토큰"
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
# What of the request a shorter conversation makes shorter.
COMPACTABLE = re.compile(
    r"(?:messages|input)[.\[]*\d+\]?.*(?:content|text|output|arguments|input)", re.IGNORECASE
)
TOO_MANY_MESSAGES = _rows(
    r"(?:maximum|at most|limit|than|up to|max)[^\d]{0,20}(?P<limit>\d+) messages?\b",
    r"(?:too many|number of) messages.{0,60}?(?:maximum|max|limit|at most|than|exceed\w*"
    r"|>)[^\d]{0,20}(?P<limit>\d+)",
)

# --- overflow sentences

_CONTEXT = (
    r"(?:context[ _-]?(?:length|window|size|limit|budget|capacity|usage|tokens?|len\b)|(?:max(?:imum)?|model"
    r"|available|allowed|exceeded)"
    r" context(?! (?:switch|manager|cach|item|id\b|var))|into a context|context (?:has been |was "
    r"|is )?(?:exceed|overflow|full|too l)|max_(?:seq"
    r"|model|sequence|context|input|prompt)\w*"
    r"|max_position_embeddings|model max len|n_ctx|ctx_(?:len|size|window)|sequence length|kontextfenster"
    r"|longueur de contexte"
    r"|longitud (?:máxima )?de(?:l)? contexto"
    r"|上下文(?:长度|窗口|大小)?|コンテキスト|컨텍스트)"
)
_LONGER = (
    r"(?:exceed\w*|surpass\w*|overflow\w*|too (?:long|large|big|many|small)|(?:longer|larger|greater"
    r"|bigger|more|higher|smaller) than"
    r"|beyond|\babove\b|\bover\b|(?:not|n't|cannot) fit|fits? (?:in|into|within)|not enough|no room"
    r"|ran out|exhausted|blown|insufficient|out of space|reached|\bfull\b"
    r"|shortened|(?:cannot|not) exceed|(?:less|lower|fewer|smaller) than|<=|at most|up to|\d ?>=? ?\d"
    r"|\d < \d| > |limit"
    r"|超过|超出|超长|过长|超限|不能大于|大于|超え|초과"
    r"|überschreit\w*|überschritt|zu lang|dépass\w*|trop long\w*|exced\w*|demasiado larg)"
)
_SUBJECT = (
    r"(?:prompts?|inputs?|messages?|conversation|chat history|history|request|query"
    r"|dialog(?:ue)?|transcript|sequence|your text|the text)"
)
_OF_SUBJECT = (
    r"(?:['`\"]?s?\b|[ _](?:length|size|text|tokens?|token count|history|content|count|is|are|was|were"
    r"|has|have|become|of|the|your|sequence"
    r"|in|total|number|way|far|\(\d+(?: tokens)?\))| ?\((?:total |token )?(?:length "
    r"|count )?\d+(?: tokens?)?\))"
)
_TOKENS = r"(?:tokens\b|token[ _](?:count|limit|length|number|usage|size|budget|context|window|max))"
OVERFLOW = _rows(
    rf"{_CONTEXT}.{{0,90}}{_LONGER}",
    rf"{_LONGER}.{{0,90}}{_CONTEXT}",
    rf"\b{_SUBJECT}{_OF_SUBJECT}{{0,8}},? ?[_ ]?too[ _](?:long|large|big)",
    rf"\b{_SUBJECT}.{{0,60}}(?:exceed\w*|surpass\w*|(?:longer|larger|greater|more) than|above|\bover\b"
    rf"|not exceed).{{0,50}}"
    rf"(?:{_TOKENS}|max(?:imum)? (?:length|len|input|prompt)|model'?s? (?:limit|max|can|token|memory)"
    rf"|limit of \d|(?:length|size) limit)",
    rf"\b{_SUBJECT}.{{0,10}} (?:length|size).{{0,15}}exceed",
    r"max(?:imum)? context (?:length|size|window)|insufficient (?:\w+ )?context|(?:more|longer) (?:text"
    r"|words"
    r"|content)? ?than (?:the|this) model",
    r"max(?:imum)? (?:length|size) (?:for|of) (?:this|the|your) (?:conversation|chat|prompt|input)",
    r"最大上下文",
    r"\b(?:prompt|input|messages?|conversation)\b.{0,60}(?:not|n't|cannot|no longer) fit",
    r"(?:not|n't|cannot|no longer) fit.{0,40}\b(?:prompt|input|messages?|conversation)\b",
    r"\bcontext (?:is |was |has become |becomes )?(?:far |way |much )?too (?:long|large|big)",
    r"(?<!execution )\bcontext (?:has been |was |is )?(?:overflow|exceeded|full\b)",
    r"(?:space|room).{0,25}\bcontext|(?:prompt|input|context|tokens).{0,40}(?:exceed|overflow|big|large"
    r"|fit|long).{0,40}\bkv\b",
    r"\b(?:prompt|input)\b.{0,30}exceed\w* (?:the |its )?(?:max\w*|limit|allowed (?:length|size))",
    rf"\b{_TOKENS}.{{0,50}}(?:exceed\w*|surpass\w*|overflow|limit reached|(?:longer|larger|greater"
    rf"|more) than|not exceed|too long)",
    rf"(?:exceed\w*|surpass\w*|too (?:long|large|many)|over|(?:longer|larger|greater|more) than"
    rf"|not exceed|at most|>).{{0,60}}"
    rf"\b{_TOKENS}",
    r"\btokens?.{0,30}(?:must|should|cannot|can't|may not) (?:not )?(?:be )?.{0,20}(?:less|fewer"
    r"|smaller|larger|greater|more|exceed|<|at most)",
    rf"\b{_IN}.{{0,40}}(?:\+|\band\b|\bplus\b|&).{{0,25}}{OUTPUT}.{{0,50}}"
    r"(?:exceed|at most|no more than|(?:less|lower|larger|greater|more) than|up to|within|<|≤|>|超过|超出)",
    r"(?:must|should) have (?:less|fewer) than \d+ tokens|range of input length"
    r"|max\w* supported input is \d+ tokens",
    r"(?:reduce|shorten|trim|decrease).{0,30}\b(?:length|size|number of tokens"
    r"|token count)?.{0,12}\b(?:of )?(?:the |your )?"
    r"(?:messages|prompt|conversation|input)\b.{0,40}(?:length|completion|tokens|or |$)",
    r"(?:longer|larger|more) than (?:this|the) model (?:can|could|is able)|too (?:long|large"
    r"|big) for (?:the |this |your )?(?:\w+ )?model",
)
# Chinese has no spaces and few articles: what is measured, then the relation, in either order.
OVERFLOW_OTHER = _rows(
    r"(?:输入|提示词?|messages|input|上下文|消息|对话|文本|tokens? ?(?:总?数|总量|长度)|prompt"
    r"|请求的? ?tokens?)"
    r".{0,30}(?:超过|超出|超长|过长|太长|过大|超限|大于)",
    r"请求.{0,6}(?:过长|太长|超长)",
    r"(?:超过|超出).{0,20}(?:上下文|最大输入|最大 ?tokens?|tokens? ?(?:上限|限制|数)|最大长度)",
    r"(?:入力|プロンプト|対话|会话|トークン).{0,40}(?:超え|长すぎ|超过)",
    r"(?:입력|프롬프트|토큰|대화).{0,40}(?:초과|너무 깁|너무 긴|넘)",
    r"(?:eingabe|prompt|anfrage) .{0,20}zu lang|(?:entrée|prompt|requête|message) .{0,30}(?:dépasse"
    r"|trop long)",
    r"(?:запрос|контекст|промпт|сообщени\w*|ввод).{0,40}(?:слишком (?:длин|больш)|превы[шс])",
    r"(?:entrada|prompt|solicitud|mensaje) .{0,30}(?:demasiado larg|muito long"
    r"|(?:excede|supera) .{0,30}(?:l[ií]mite|máxim|context|token|longitud))",
    r"(?:превыш|перевищ)\w* .{0,30}(?:контекст|токен)|(?:контекст|токен)\w* .{0,30}(?:превыш|перевищ)",
    r"(?:meddeland|prompt|konversation|samtal)\w* .{0,30}(?:för lång|for lang|for stor|[öo]verskrid)",
    r"(?:richiesta|prompt|messaggio|conversazione) .{0,30}(?:troppo lung"
    r"|(?:super|ecced)\w* .{0,30}(?:limit|massim|contest|token))",
    r"(?:zapytani|prompt|wiadomo|rozmow)\w* .{0,30}(?:zbyt dług|przekracza)",
    r"(?:istem|i̇stem|girdi|sohbet|prompt) .{0,30}(?:çok uzun|aşıyor|aştı)",
    r"(?:kontekst|bağlam|ngữ cảnh|konteks).{0,60}(?:przekr|překr|aş[ıt]|vượt|melebihi|lång|för stor|překroč)",
    r"(?:przekr|překroč|vượt|melebihi|överskrid|overskrid).{0,60}(?:kontekst|kontext|ngữ cảnh|konteks)",
)
# Wordings of one upstream that fit no structure.
ODD = _rows(
    r"max_tokens must be at least 1, got -\d",  # vLLM to 0.8: window minus prompt, below zero
    r"job requires \d+ pages",  # ExLlama, TabbyAPI
    r"more tokens than the .{0,30}can hold",  # SGLang Omni
    r"max message tokens",  # Volcengine Ark
    r"^\W*too many (?:input |prompt )?tokens: ",  # Cohere
    r"\bmax tokens of \d+ exceeded",  # Snowflake Cortex
    r"^text too long$",  # Naver HyperCLOVA
    r"^please reduce the length of the messages or completion",  # Groq, Cerebras
)
# Sentences that measure something else with the same words.
NOT_OVERFLOW = _rows(
    r"^(?!.*\bcontext)\W*(?:the |an? |invalid )?(?:image|audio|video|pdf|file|document|tool|function|schema"
    r"|grammar|header"
    r"|lora|batch|guided|speculative|stop seq|system (?:prompt|instruction)|assistant prefill)"
    r"|per (?:image|file|page)",
    r"(?:unknown|unsupported|unrecognized|unexpected|missing) (?:parameter|field|argument|role)",
    r"thinking[ ._]budget|reasoning tokens? limit|cached tokens|breakpoint|budget_tokens"
    r"|reasoning.{0,10}budget",
    r"^\W*(?:the )?(?:value (?:of|for) )?\W?(?:top_\w|\w*logprobs|logit|temperature|\w+_penalty|seed"
    r"|stop\b|best_of)|\bmin_tokens",
    r"too small|min_total_token|requires at least \d+ tokens|minimum .{0,20}tokens",
    r"(?:token|value) \d+ is out of range",
    r"severity|content (?:management |usage )?policy|content.filter|filtered|moderation|safety"
    r"|guardrail|敏感",
)
BOUND = _rows(r"thinking.{0,80}bound to a different conversation")
"""Thinking that stands behind something else than it was written behind (Anthropic, preserved thinking)."""
OPAQUE = _rows(r"^request contains an invalid argument\.?$")  # Gemini: may hide anything
