"""Tell which number in an error sentence is the limit, the prompt, the output, their sum or the excess.

A number's role is decided by the words beside it: its unit, what stands right after it, then the nearest
words before it. Providers order their numbers in every possible way, so the position decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

LIMIT, PROMPT, OUTPUT, TOTAL, EXCESS, PART, SKIP = (
    "limit",
    "prompt",
    "output",
    "total",
    "excess",
    "part",
    "skip",
)

_NUMBER = re.compile(r"(?<![\w.\-])(?P<n>\d{1,12})(?:\.0+)?(?![\d.]*[a-z0-9_\ufffd]|-\d|\.\d)")
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
        (SKIP, r" \+ ?(?:$|\d+\ufffd)"),  # a sum whose end is missing; whole ones are among the forms
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
_OVER = re.compile(r" ?tokens? (?:over|above|beyond|too (?:long|many))\b")

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
            r"|retry|port|version|step|id)",
        ),
        (LIMIT, r"(?:最大|최대).{0,12}"),
        (LIMIT, r"(?:maximal|máximo|massimo|maximum|максимум|лимит|maks\w*|sınırı|limite)(?: de| di| von)?"),
        (OUTPUT, r"(?:\+|plus|and) max[ _](?:new[ _]|completion[ _]|output[ _])?tokens"),
        (EXCESS, r"^ (?:tokens )?by"),
        (EXCESS, r"(?:exceed\w*|over|too long|overflow\w*|reduced?|shorten\w*) .{0,50}\bby"),
        (
            LIMIT,
            r"(?:at most|up to|capped at|limited to|\bhave|no more than|(?:less|fewer|lower"
            r"|smaller) than(?: or equal to)?|<=|≤|<|not exceed|within)",
        ),
        (LIMIT, r"(?:longer|larger|greater|bigger|more|higher) than(?: or equal to)?|beyond|>=|>|≥"),
        (TOTAL, r"max_total_tokens|required_tokens|total(?: tokens?)?|(?:\+|\band) max_(?:new_)?tokens\)"),
        (
            TOTAL,
            r"(?:input|prompt)\w*(?: tokens?)? (?:and|\+|plus) (?:max\w* )?(?:output"
            r"|completion)(?: tokens?)?",
        ),
        (OUTPUT, r"max_(?:new_|completion_|output_)?tokens['`\"]?|(?:completion|output)(?: tokens?)?"),
        (
            LIMIT,
            r"\b(?:max(?:imum)?|limit|(?:n_)?ctx(?:_len|_size)?|max_\w+|kv_capacity|window"
            r"|context(?: length| size)?)",
        ),
        (
            PROMPT,
            r"(?:n_keep|n_past|got|given|received|actual\w*|provided|passed|current\w*|used|uses|sent"
            r"|resulted in|contains?|needs?|requires?|当前|实际|长度为|包含)",
        ),
    )
)

# Words anywhere in the nearest clause before a number.
NEARBY = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (
            TOTAL,
            r"(?:input|prompt)\w*(?: tokens)? (?:and|\+|plus) (?:max\w* )?(?:output|completion"
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
            r"|kv cache|максимум|лимит|최대|제한|한도",
        ),
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
        (PROMPT, r"tokens?|length|eingabe|entrée|entrada|запрос|промпт"),
    )
)

_RELATION = re.compile(r"exceed|(?:larger|longer|greater|more) than|surpass|above|\bover\b|大于|超过")

# Whole arithmetic: the named numbers stand in one relation.
_N = r"(\d{1,12})(?![\d\ufffd])"
FORMS = tuple(
    (roles, re.compile(pattern))
    for roles, pattern in (
        ((OUTPUT, LIMIT, PROMPT), rf"{_N} > {_N} ?- ?{_N}"),
        (
            (PROMPT, OUTPUT, LIMIT),
            rf"{_N} ?(?:tokens )?\+ ?{_N}(?: tokens)? ?(?:>|exceeds?|is (?:over|above"
            rf"|greater than))[^\d]{{0,60}}{_N}",
        ),
        ((PROMPT, LIMIT), rf"(?<!\d ){_N}(?: {_TOKENS})? ?(?:>=?|vs\.?) ?{_N}"),
        ((LIMIT, PROMPT), rf"{_N} ?< ?{_N}"),
        ((SKIP, LIMIT), rf"\[ ?{_N} ?[,，] ?{_N} ?[\])]"),
        ((PROMPT, LIMIT), rf"(?:uses|used|full|usage)\W{{1,3}}{_N} (?:out )?of {_N} tokens"),
        ((PROMPT, LIMIT), rf"(?<![\d/]){_N} ?/ ?{_N}(?= ?tokens| ?\)|\W*$)"),
    )
)


@dataclass(slots=True)
class Counts:
    """The numbers of one failure by their role; a role that no number has is None."""

    limit: int | None = None
    prompt: int | None = None
    output: int | None = None
    total: int | None = None
    excess: int | None = None
    exact: bool = True

    @property
    def share(self) -> float | None:
        """The part of the prompt that the limit is."""
        return round(self.limit / self.prompt, 4) if self.limit and self.prompt else None


def counts(text: str) -> Counts:
    """Return the numbers of a sentence that `failure_rules.plain` has prepared.

    >>> counts("current length is 42328 while limit is 40000").limit
    40000
    """
    found = Counts(exact=not re.search(r"\bat least\b|\babout\b|estimated|approx|至少", text))
    if " pages" in text:  # ExLlama counts in pages of its cache
        return found
    taken = _arithmetic(text, found)
    parts, is_named = 0, bool(taken)
    for role, value, is_beside in _roles(text, taken):
        if role == LIMIT and found.limit is not None and found.prompt is None and found.limit > value >= 1024:
            # "context length 9000 is larger than max_seq_len 8192": both are named like limits.
            if _RELATION.search(text) or (is_beside and not is_named):
                found.prompt, found.limit = found.limit, value
            elif value * 2 > found.limit:
                found.limit = value  # of two limits the narrower one counts
        elif role == PART:
            parts += value
        elif role != SKIP and getattr(found, role) is None:
            setattr(found, role, value)
            is_named |= role == LIMIT and is_beside
    if parts and found.prompt is None:
        found.prompt, found.exact = parts, False
    return _settled(found, text)


# Numeric fields beside the message, by their role.
_FIELDS = {
    LIMIT: "nctx contextlength contextwindow contextsize maxcontextlength maxcontexttokens maxinputtokens"
    " maxprompttokens",
    PROMPT: "nprompttokens prompttokens inputtokens prompttokencount inputtokencount actualtokens",
}


def with_fields(found: Counts, fields: Mapping[str, int]) -> Counts:
    """Return the numbers of a sentence, completed from the numeric *fields* beside it."""
    limit = next((fields[name] for name in _FIELDS[LIMIT].split() if fields.get(name, 0) > 0), None)
    prompt = next((fields[name] for name in _FIELDS[PROMPT].split() if fields.get(name, 0) > 0), None)
    return replace(found, limit=found.limit or limit, prompt=found.prompt or prompt)


def _settled(found: Counts, text: str) -> Counts:
    """Draw the conclusions that need several numbers."""
    negative = re.search(r"at least 1, got -(\d{1,9})", text)
    if negative:
        return Counts(excess=int(negative[1]))
    limit, output, total = found.limit, found.output, found.total
    if output is not None and total is not None and total > output > 0:
        # Tools may be told apart: "T tokens (P in the messages, F in the functions, C in the completion)".
        found.prompt = max(found.prompt or 0, total - output)
    prompt = found.prompt
    if found.prompt is not None:
        found.total = None
    if limit is not None and prompt is not None and output is not None and prompt == limit - output + 1:
        found.exact = False  # vLLM stops counting there (0.16 and later)
    return found


def _arithmetic(text: str, found: Counts) -> list[tuple[int, int]]:
    """Read the first arithmetic form; return the spans of the numbers that it used."""
    for roles, pattern in FORMS:
        match = pattern.search(text)
        if match:
            for group, role in enumerate(roles, 1):
                if role != SKIP:
                    setattr(found, role, int(match[group]))
            return [match.span(group) for group in range(1, len(roles) + 1)]
    return []


def _roles(text: str, taken: list[tuple[int, int]]) -> Iterator[tuple[str, int, bool]]:
    """Yield the role and value of each number not yet *taken*, and whether a word beside it says so."""
    numbers = list(_NUMBER.finditer(text))[:40]
    for index, number in enumerate(numbers):
        if number.span("n") in taken:
            continue
        start = numbers[index - 1].end() if index else 0
        stop = numbers[index + 1].start() if index + 1 < len(numbers) else len(text)
        before = text[max(start, number.start() - 90) : number.start()]
        after = text[number.end() : min(stop, number.end() + 60)]
        role = _beside(before, after, is_last=stop == len(text))
        yield role or _nearby(before), int(number["n"]), role is not None


def _beside(before: str, after: str, is_last: bool) -> str | None:
    """Return the role that the words right before and after a number give."""
    unit = next((role for role, pattern in AFTER if pattern.match(after)), None)
    if unit == SKIP:
        return SKIP
    adjacent = next((role for role, pattern in BEFORE if pattern.search(before)), None)
    if adjacent in (SKIP, EXCESS) or (adjacent == LIMIT and unit != OUTPUT):
        return adjacent
    if is_last and _OVER.match(after):
        return EXCESS
    return unit or adjacent


def _nearby(before: str) -> str:
    """Return the role that the nearest clause with a known word gives."""
    for clause in reversed(re.split(r"[.;:,()\n、，。]", before)):
        role = next((role for role, pattern in NEARBY if pattern.search(clause)), None)
        if role:
            return role
    return SKIP
