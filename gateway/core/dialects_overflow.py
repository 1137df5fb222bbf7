"""How upstreams say that the conversation is longer than the window: the sentences, and what only sounds so.

The rules of `dialects` hold: a row for a structure, a recorded body for each row, nothing unbounded.
"""

from __future__ import annotations

from gateway.core.dialects import IN, OUTPUT, rows

_CONTEXT = (
    r"(?:context[ _-]?(?:length|window|size|limit|budget|capacity|usage|tokens?|len\b)|(?:max(?:imum)?|model"
    r"|available|allowed|exceeded)"
    r" context(?! (?:switch|manager|cach|item|id\b|var))|into a context|context (?:has been |was "
    r"|is )?(?:exceed|overflow|full|too l)|max_(?:seq"
    r"|model|sequence|context|input|prompt)\w{0,15}"
    r"|max_position_embeddings|model max len|n_ctx|ctx_(?:len|size|window)|sequence length|kontextfenster"
    r"|(?:longueur|limite|fenêtre) de contexte"
    r"|(?:longitud|límite|ventana) (?:máxima )?de(?:l)? contexto"
    r"|上下文(?:长度|窗口|大小)?|コンテキスト|컨텍스트)"
)
_LONGER = (
    r"(?:exceed\w{0,15}+|surpass\w{0,15}+|overflow\w{0,15}+|too (?:long|large|big|many|small)"
    r"|(?:longer|larger|greater|bigger|more|higher|smaller) than"
    r"|beyond|\babove\b|\bover\b|(?:not|n't|cannot) fit|fits? (?:in|into|within)|not enough|no room"
    r"|ran out|exhausted|blown|insufficient|out of space|reached|\bfull\b"
    r"|shortened|(?:cannot|not) exceed|(?:less|lower|fewer|smaller) than|<=|at most|up to|\d ?>=? ?\d"
    r"|\d < \d|\d ?>=? ?(?=n_ctx)| > |limit"
    r"|超过|超出|超长|过长|超限|不能大于|大于|超え|초과"
    r"|überschreit\w{0,15}+|überschritt|zu lang|te lang|dépass\w{0,15}+|trop long\w{0,15}+"
    r"|exced\w{0,15}+|demasiado larg)"
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
OVERFLOW = rows(
    rf"{_CONTEXT}.{{0,90}}{_LONGER}",
    rf"{_LONGER}.{{0,90}}{_CONTEXT}",
    rf"\b{_SUBJECT}{_OF_SUBJECT}{{0,8}},? ?[_ ]?too[ _](?:long|large|big)",
    rf"\b{_SUBJECT}.{{0,60}}(?:exceed\w{{0,15}}+|surpass\w{{0,15}}+|(?:longer|larger|greater|more) than|above"
    rf"|\bover\b|not exceed).{{0,50}}"
    rf"(?:{_TOKENS}|max(?:imum)? (?:length|len|input|prompt)|model'?s? (?:limit|max|can|token|memory)"
    rf"|limit of \d|(?:length|size) limit)",
    rf"\b{_SUBJECT}.{{0,10}} (?:length|size).{{0,15}}exceed",
    r"(?<!output )(?<!completion )\btokens?[ _]limit (?:was |has been |is )?(?:reached|hit)\b",
    r"max(?:imum)?(?: \w{1,12})? context (?:length|size|window)|insufficient (?:\w{1,30} )?context",
    r"(?:more|longer) (?:text|words|content)? ?than (?:the|this) model",
    r"max(?:imum)? (?:length|size) (?:for|of) (?:this|the|your) (?:conversation|chat|prompt|input)",
    r"最大上下文",
    r"\b(?:prompt|input|messages?|conversation)\b.{0,60}(?:not|n't|cannot|no longer) fit",
    r"(?:not|n't|cannot|no longer) fit.{0,40}\b(?:prompt|input|messages?|conversation)\b",
    r"\bcontext (?:is |was |has become |becomes )?(?:far |way |much )?too (?:long|large|big)",
    r"(?<!execution )\bcontext (?:has been |was |is )?(?:overflow|exceeded|full\b)",
    r"(?:space|room).{0,25}\bcontext|(?:prompt|input|context|tokens).{0,40}(?:exceed|overflow|big|large"
    r"|fit|long).{0,40}\bkv\b",
    r"\b(?:prompt|input)\b.{0,30}exceed\w{0,15}+ (?:the |its )?(?:max\w{0,15}+(?! (?:allowed )?value)|limit"
    r"|allowed (?:length|size))",
    r"(?:exceed\w{0,15}+|overflow\w{0,15}+|(?:larger|longer|bigger|more) than|too (?:large|long|big) for"
    r"|not fit(?: in(?:to)?)?) (?:the |this |its |your )?(?:model'?s? )?context\b",
    r"exceed\w{0,15}+ .{0,30}limits? of (?:the|this|our) (?:\w{1,12} ){0,2}model"
    r"|conversation (?:length )?limit",
    rf"\b{_TOKENS}.{{0,50}}(?:exceed\w{{0,15}}+|surpass\w{{0,15}}+|overflow|limit reached"
    rf"|(?:is|are) (?:above|over|beyond)|(?:longer|larger|greater|more) than|not exceed|too long)",
    rf"(?:exceed\w{{0,15}}+|surpass\w{{0,15}}+|too (?:long|large|many)|over"
    rf"|(?:longer|larger|greater|more) than|not exceed|at most|>).{{0,60}}"
    rf"\b{_TOKENS}",
    r"\btokens?.{0,30}(?:must|should|cannot|can't|may not) (?:not )?(?:be )?.{0,20}(?:less|fewer"
    r"|smaller|larger|greater|more|exceed|<|at most)",
    rf"\b{IN}.{{0,40}}(?:\+|\band\b|\bplus\b|&).{{0,25}}{OUTPUT}.{{0,50}}"
    r"(?:exceed|at most|no more than|(?:less|lower|larger|greater|more) than|up to|within|<|≤|>|超过|超出)",
    r"(?:must|should) have (?:less|fewer) than \d+ tokens|range of input length"
    r"|max\w{0,15} supported input is \d+ tokens",
    r"(?:reduce|shorten|trim|decrease).{0,30}\b(?:length|size|number of tokens"
    r"|token count)?.{0,12}\b(?:of )?(?:the |your )?"
    r"(?:messages|prompt|conversation|input)\b.{0,40}(?:length|completion|tokens|or |$)",
    r"(?:longer|larger|more) than (?:this|the) model (?:can|could|is able)|too (?:long|large"
    r"|big) for (?:the |this |your )?(?:\w{1,30} )?model",
)
# Chinese has no spaces and few articles: what is measured, then the relation, in either order.
OVERFLOW_OTHER = rows(
    r"(?:输入|提示词?|messages|input|上下文|消息|对话|文本|tokens? ?总?(?:数|量|长度)|prompt"
    r"|请求的? ?tokens?)"
    r".{0,30}(?:超过|超出|超长|过长|太长|过大|超限|大于)",
    r"请求.{0,6}(?:过长|太长|超长)",
    r"(?:超过|超出).{0,20}(?:上下文|最大输入|最大 ?tokens?|tokens? ?(?:上限|限制|数)|最大长度)",
    r"tokens? ?(?:数|数量)?(?:过多|太多)|内容(?:过长|太长|超长)|токенов слишком много|слишком много токенов"
    r"|zu viele tok|trop de (?:tok|jetons)|demasiados tok|tokens demais|troppi tok|zbyt (?:wiele|dużo) tok"
    r"|çok fazla (?:tok|jeton)|トークン数が多|토큰이 너무 많",
    r"(?:入力|プロンプト|対话|会话|トークン).{0,40}(?:超え|长すぎ|超过)",
    r"(?:입력|프롬프트|토큰|대화).{0,40}(?:초과|너무 깁|너무 긴|넘)",
    r"(?:eingabe|prompt|anfrage) .{0,20}zu lang|(?:entrée|prompt|requête|message) .{0,60}(?:dépasse"
    r"|trop long)",
    r"(?:запрос|контекст|промпт|сообщени\w{0,15}+|ввод).{0,40}(?:слишком (?:длин|больш)|превы[шс])",
    r"(?:entrada|prompt|solicitud|mensaje) .{0,30}(?:demasiado larg|muito long"
    r"|(?:excede|supera) .{0,30}(?:l[ií]mite|máxim|context|token|longitud))",
    r"(?:превыш|перевищ)\w{0,15} .{0,30}(?:контекст|токен)"
    r"|(?:контекст|токен)\w{0,15} .{0,30}(?:превыш|перевищ)",
    r"(?:meddeland|prompt|konversation|samtal)\w{0,15} .{0,30}(?:för lång|for lang|for stor|[öo]verskrid)",
    r"(?:richiesta|prompt|messaggio|conversazione) .{0,30}(?:troppo lung"
    r"|(?:super|ecced)\w{0,15} .{0,30}(?:limit|massim|contest|token))",
    r"(?:zapytani|prompt|wiadomo|rozmow)\w{0,15} .{0,30}(?:zbyt dług|przekracza)",
    r"(?:istem|i̇stem|girdi|sohbet|prompt) .{0,30}(?:çok uzun|aşıyor|aştı)",
    r"\b(?:prompt|invoer|verzoek|bericht|gesprek) .{0,20}te (?:lang|groot)|(?:النص|السياق|المدخل).{0,20}طويل",
    r"(?:kontekst|bağlam|ngữ cảnh|konteks).{0,60}(?:przekr|překr|aş[ıt]|vượt|melebihi|lång|för stor|překroč)",
    r"(?:przekr|překroč|vượt|melebihi|överskrid|overskrid).{0,60}(?:kontekst|kontext|ngữ cảnh|konteks)",
)
# Wordings of one upstream that fit no structure.
ODD = rows(
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
NOT_OVERFLOW = rows(
    r"^(?!.*\bcontext)\W*(?:the |an? |invalid )?(?:image|audio|video|pdf|file|document|tool|function|schema"
    r"|grammar|header"
    r"|lora|batch|guided|speculative|stop seq|system (?:prompt|instruction)|assistant prefill)"
    r"|per (?:image|file|page)",
    r"(?:unknown|unsupported|unrecognized|unexpected|missing) (?:parameter|field|argument|role)",
    r"thinking[ ._]budget|reasoning tokens? limit|cached tokens|breakpoint|budget_tokens"
    r"|reasoning.{0,10}budget",
    r"^\W*(?:the )?(?:value (?:of|for) )?\W?(?:top_\w|\w{0,30}logprobs|logit|temperature|\w+_penalty|seed"
    r"|stop\b|best_of)|\bmin_tokens",
    r"\b(?:session|access|refresh|bearer|auth|security|csrf) token|\bjwt\b",
    r"^\W*(?:the )?(?:requested )?(?:max(?:imum)? )?(?:thinking|reasoning) tokens?\b",
    r"context[ _](?:window|length|size)\b.{0,25} (?:is|are) (?:invalid|not (?:valid|supported|set))",
    r"too small(?! for (?:this|the|your) )",
    r"min_total_token|requires at least \d+ tokens|minimum .{0,20}tokens",
    r"(?:token|value) \d+ is out of range",
    r"severity|content (?:management |usage )?policy|content.filter|filtered|moderation|safety"
    r"|guardrail|敏感",
)
