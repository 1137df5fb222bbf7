"""Which words beside a number in an error tell its role: limit, prompt, output, their sum, the excess.

Tables for `failure_numbers`. As in `dialects`, a row is added for a structure, and all are bounded.
"""

from __future__ import annotations

import re

LIMIT, PROMPT, OUTPUT, TOTAL, EXCESS = "limit", "prompt", "output", "total", "excess"
PART, SKIP, UNSAID = "part", "skip", "unsaid"
"""A part of the prompt; a number of something else; tokens of which nothing is said."""

NUMBER = re.compile(
    r"(?<![a-z0-9_.\-])(?<![a-z0-9_]\[)(?P<n>\d{1,12})(?:\.0+)?(?![\d.]*[a-z0-9_\ufffd]|-\d|\.\d)"
)
_TOKENS = r"(?:tokens?|tokens?数|トークン|토큰|个tokens?|字)"

# Words right after a number. First row that matches wins.
AFTER = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (
            SKIP,
            r"[ -]?(?:char|byte|[kmgt]i?b\b|page|image|pixel|mill?i?sec|sec|ms\b|min|hour|day|%|\$"
            r"|messages?\b|item)",
        ),
        (
            SKIP,
            r"[ -]?(?:字符|字节|张|秒|次|级|bad request|stop|tools?\b|functions?\b|levels?\b|times?\b"
            r"|gpu)",
        ),
        (SKIP, r"\)? ?(?:tokens? )?in the (?:functions?|tools?)"),
        # A sum whose end is missing; whole ones are among the forms.
        (SKIP, r" (?:[+>] ?|  ?)(?:$|\d*\ufffd)"),
        (PART, r" ?(?:tokens? )?of (?:text|tool|image|audio|file|video|cached) input"),
        (
            OUTPUT,
            r"\)? ?(?:tokens? )?(?:in|for|from|of|as) (?:the |your )?(?:completion|output|response"
            r"|answer|generat|max_)",
        ),
        (OUTPUT, r" ?(?:tokens? )?(?:were |was |are )?requested for (?:the )?(?:output|completion)"),
        (
            OUTPUT,
            r" ?['`]?(?:output|completion|generated|generation|response|new tokens|max_new|max_tokens"
            r"|max_compl|max_output)",
        ),
        (
            PROMPT,
            r"\)? ?(?:tokens? )?(?:in|for|from) (?:the |your )?(?:input |user )?(?:messages?|prompt"
            r"|input|request|conv)",
        ),
        (PROMPT, r" tokens? (?:were |was )?(?:given|sent|received|provided|submitted|enviados|envoyés)\b"),
        (PROMPT, r" ?['`]?(?:input|prompt|inputs|message)\b(?!['`]? ?(?:token )?(?:limit|length|max))"),
        (PROMPT, r"[ -]tokens? (?:prompt|input|message|conversation|request)\b(?! (?:limit|length|max))"),
        (LIMIT, r"[ -]?(?:tok(?:ens?)?[ -])?(?:max(?:imum)?|limit|context|window|allowed)\b"),
    )
)
UNIT = re.compile(r" ?(?:tok|jeton|токен|トークン|토큰|个tok)")
OVER = re.compile(r" ?tokens? (?:over|above|beyond|too (?:long|many))\b")

# Words right before a number, nothing between but signs and "only" or "about". They outrank what follows.
_GAP = (
    r"[^\w]{0,4}(?:(?:is|are|of|to|only|about|approximately|around|at least|至少|约|为"
    r"|是)[^\w]{1,3}){0,3}[^\w]{0,3}$"
)
BEFORE = tuple(
    (role, re.compile(f"(?:{pattern}){_GAP}"))
    for role, pattern in (
        (
            SKIP,
            r"(?:upper bound for|leaves|below the minimum|minimum|min_\w+|status|code|error|http|http/"
            r"|retry|port|version|step|id|some)",
        ),
        (LIMIT, r"(?:最大|최대).{0,12}"),
        (
            LIMIT,
            r"(?:maxima?al|máximo|massimo|maximum|максимум\w{0,2}|лимит\w{0,2}|maks\w{0,15}|sınırı|limite)"
            r"(?: de| di| von)?",
        ),
        (OUTPUT, r"(?:\+|plus|and) max[ _](?:new[ _]|completion[ _]|output[ _])?tokens"),
        (EXCESS, r"^ (?:tokens )?by"),
        (
            EXCESS,
            r"(?:exceed\w{0,15}+|over|too long|overflow\w{0,15}+|reduced?|shorten\w{0,15}+) .{0,50}\bby",
        ),
        (
            LIMIT,
            r"(?:at most|up to|capped at|limited to|(?:must|can|may|only|should|^[,;]) have"
            r"|no more than|(?:less|fewer|lower"
            r"|smaller) than(?: or equal to)?|<=|≤|<|not exceed|within)",
        ),
        (LIMIT, r"(?:longer|larger|greater|bigger|more|higher) than(?: or equal to)?|beyond|>=|>|≥"),
        (TOTAL, r"max_total_tokens|required_tokens|total(?: tokens?)?|(?:\+|\band) max_(?:new_)?tokens\)"),
        (
            TOTAL,
            r"(?:input|prompt)\w{0,15}(?: tokens?)? ?(?:and|\+|plus) ?(?:max\w{0,15} )?(?:output"
            r"|completion)(?: tokens?| length)?",
        ),
        (OUTPUT, r"max_(?:new_|completion_|output_)?tokens['`\"]?|(?:completion|output)(?: tokens?)?"),
        (
            LIMIT,
            r"\b(?:max(?:imum)?|limit|(?:n_)?ctx(?:_len|_size)?|max_\w+|kv_capacity|window"
            r"|context(?: length| size)?)",
        ),
        (
            PROMPT,
            r"(?:n_keep|n_past|have|got|given|received|actual\w{0,15}|provided|passed|current\w{0,15}|used|uses|sent"
            r"|resulted in|contains?|needs?|requires?|当前|实际|长度为|包含)(?: over)?",
        ),
    )
)

# Words anywhere in the nearest clause before a number.
NEARBY = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (
            TOTAL,
            r"(?:input|prompt)\w{0,15}(?: tokens)? (?:and|\+|plus) (?:max\w{0,15} )?(?:output|completion"
            r"|max_tokens|generated)",
        ),
        (PROMPT, r"\bby (?:the |your )?(?:prompt|input|message)"),
        (OUTPUT, r"max_(?:new_|completion_|output_)?tokens|completion|max new tokens|output"),
        (
            LIMIT,
            r"max_(?!total)|\bmax\b|maximum|\blimit|allowed|\bthan\b|exceed|exceeding|window|context"
            r"|up to|only|capacity",
        ),
        (
            LIMIT,
            r"cannot (?:exceed|be)|must (?:be|not|have)|(?:support|accept|handle|hold)s?\b|surpass"
            r"|\babove\b|\bover\b"
            r"|trained for|budget|最大|上限|限制|超过|超出|konte[kx]t|kontekst|contest|bağlam"
            r"|kv cache|максим|лимит|контекст|최대|제한|한도|컨텍스트|最多|支持",
        ),
        (LIMIT, r"erlaubt|zulässig|autoris|permitid|batas|giới hạn|toegestaan|الأقصى"),
        (
            PROMPT,
            r"prompt|input|message|conversation|history|requested tokens|your request|request(?!ed)"
            r"|keep|query|text",
        ),
        (
            PROMPT,
            r"current|received|got|given|actual|provided|sequence|you sent|has|tokens? indices"
            r"|输入|提示|当前|实际|入力|現在|입력|현재",
        ),
        (TOTAL, r"requested|total(?! length)|required|\bsum\b|请求|共"),
        (PROMPT, r"トークン|토큰|токен|jeton"),
        (PROMPT, r"tokens?|length|eingabe|anfrage|entrée|requête|entrada|solicitud|richiesta|запрос|промпт"),
    )
)

RELATION = re.compile(r"exceed|(?:larger|longer|greater|more) than|surpass|above|\bover\b|大于|超过")

# Whole arithmetic: the named numbers stand in one relation.
_N = r"(\d{1,12})(?![\d\ufffd])"
FORMS = tuple(
    (roles, re.compile(pattern))
    for roles, pattern in (
        ((OUTPUT, LIMIT, PROMPT), rf"{_N} > {_N} ?- ?{_N}"),
        (
            (PROMPT, OUTPUT, LIMIT),
            rf"{_N} ?(?:[a-z]{{1,12}} ){{0,2}}(?:\+| {{1,2}}(?=\d{{1,12}} >)) ?{_N}"  # a `+` is lost in URLs
            rf"(?: [a-z]{{1,12}}){{0,2}} ?(?:>|exceeds?|is (?:over|above|greater than))[^\d]{{0,60}}{_N}",
        ),
        ((PROMPT, LIMIT), rf"(?<!\d ){_N}(?: {_TOKENS})? ?(?:>=?|vs\.?) ?{_N}"),
        ((LIMIT, PROMPT), rf"{_N} ?< ?{_N}"),
        ((SKIP, LIMIT), rf"\[ ?{_N} ?[,，] ?{_N} ?[\])]"),
        ((PROMPT, LIMIT), rf"(?:uses|used|full|usage)\W{{1,3}}{_N} (?:out )?of {_N} tokens"),
        ((PROMPT, LIMIT), rf"(?<![\d/]){_N} ?/ ?{_N}(?= ?tokens| ?\)|\W*$)"),
    )
)

# Numeric fields beside the message, by their role.
FIELDS = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (LIMIT, r"n?ctx(?:len|size)?|(?:max|maximum)?context(?:length|window|size|limit|tokens)"),
        (
            LIMIT,
            r"max(?:imum)?(?:allowed|input|prompt|model|seq)(?:tokens?|len|length)|(?:token|input|prompt)limit",
        ),
        (
            PROMPT,
            r"(?:n|num)?(?:prompt|input)tokens?(?:count|used)?|(?:actual|current|sent)tokens?|tokencount",
        ),
    )
)
