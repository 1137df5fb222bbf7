"""English words for what people would like.

Rows as `phrases` describes them.
"""

from __future__ import annotations

from gateway.core.ledger.entry import Kind
from gateway.core.ledger.phrases import LANGUAGE, MANNER, STYLE, Row, S

PREFERENCES: tuple[Row, ...] = (
    (
        Kind.PREFERENCE,
        "prefer prefers preferred preference preferably favour favor favourite favorite",
        r"\b(?:i|we|she|he|they|my \w+|our \w+|the \w+|customer|client|user)(?:'d| would| always"
        r"| really| strongly| generally| much)* prefers?\b|\bmy (?:\w+ )?preference\b"
        r"|\bpreferabl[ye]\b|\bpreferred\b.{0,40}\b(?:is|are|format|style|language|tool|way|contact"
        r"|name)|\bmy favou?rite\b|\b(?:is|are) preferred\b|\bi favou?r\b|^prefer\b"
        r"|[,;.:] ?(?:please )?prefer\b|\bplease prefer\b",
    ),
    (Kind.PREFERENCE, "rather", r"\b(?:i|we)(?:'d| would) (?:much )?rather\b(?! not say| not do)"),
    (
        Kind.PREFERENCE,
        "like love enjoy want hate dislike appreciate fan likes",
        r"\bi(?:'d| would)? (?:really |always |generally |also |only )?(?:like|love|enjoy|appreciate"
        r"|want) (?:it (?:when|if|to be|best|that|short|brief|better)|you to|your (?:answers|replies)"
        r"|answers|replies|responses|my|short|code|things|all|everything|to (?:see|have|get"
        r"|be (?:called|addressed|asked|told)) .{0,60}\b(?:always|every|each|in|as|first|before|short"
        r"|with)\b|the (?:\w+ )?(?:answers?|output|code|results|summary|report|tables?|style|dates?"
        r"|numbers?)|concise|clean|plain|numbers|dates|\w+ over|\w+s (?:to be|in|as|with|better"
        r"|more))\b|\bi (?:really |absolutely )?(?:hate|dislike|can't stand|loathe|detest)\b|\b(?:not"
        r"|i'm|i am) (?:a )?(?:big |huge )?fan of\b|\bi appreciate\b (?!it|that|the help|your help"
        r"|you)|\b(?:she|he|customer|client|user) (?:likes|hates|dislikes|wants (?:all|everything"
        r"|answers|to be (?:called|contacted|addressed)))\b",
    ),
    (
        Kind.PREFERENCE,
        "possible whenever wherever great nice good better best lovely helpful appreciated grateful"
        " ideal ideally happy happier wonderful",
        r"\b(?:would|'d|will) (?:\w+ )?be (?:\w+ )?(?:great|nice|good|better|best|lovely|helpful"
        r"|appreciated|grateful|ideal|happier|happy|wonderful|awesome|cool|preferable) if (?:you|we"
        r"|the|it|all|your|every)\b|\bideally\b|\bwhe(?:re|n)(?:e?ver)? possible\b"
        r"|\bwould be (?:greatly |much )?appreciated\b",
    ),
    (
        Kind.PREFERENCE,
        "call refer address name pronouns",
        r"\b(?:call me|refer to (?:me|us|it|this|them|her|him) as|address me|my name is|my pronouns"
        r"|i go by|just call|known as|sign (?:off|everything|emails?|letters?|it|messages?) (?:as"
        r"|with))\b",
    ),
    (
        Kind.PREFERENCE,
        "answer reply respond write speak talk explain communicate answers replies comment converse"
        " report summarize summarise output present phrase format give",
        rf"{S}(?:always )?(?:answer|reply|respond|write|speak|talk|explain|communicate|comment"
        rf"|converse|report|output|present|phrase|format|give) (?!.{{0,40}}\b(?:function|script|class"
        rf"|test|query|story|poem|parser|program)\b)(?:\w+ ){{0,6}}?(?:in|as|with"
        rf"|using) (?:\w+ )?{LANGUAGE}|\b(?:answers?|replies|responses?|comments|commit messages"
        rf"|summaries|output) (?:\w+ ){{0,3}}?in {LANGUAGE}",
    ),
    (
        Kind.PREFERENCE,
        "keep be stay answer reply write explain make",
        rf"{S}(?:keep|be|stay|make|remain) (?:(?:it|them|this|that|things|everything|the tone|tone"
        rf"|your|the|all|any|my|our|answers?|replies|responses?|\w+s|\w+ messages"
        rf"|language) ){{0,4}}(?:very |as |really |more |super |always |nice and "
        rf"|relatively )?{STYLE}\b|{S}(?:answer|reply|respond|write"
        rf"|explain) (?:\w+ ){{0,2}}(?:as \w+ as possible|briefly|simply|plainly|concisely|succinctly"
        rf"|tersely|formally|informally|casually|politely)\b",
    ),
    (
        Kind.PREFERENCE,
        "talk speak write explain answer spare treat",
        rf"{S}(?:talk|speak|write|explain|answer|treat)(?: \w+){{0,4}}? (?:like|as if|as though)\b"
        rf"|{S}speak \w+ (?:with|to) me\b|{S}spare (?:me|us)\b",
    ),
    (
        Kind.PREFERENCE,
        "sign quote price list bill invoice pay charge give show report state express format convert display",
        rf"{S}(?:sign|quote|price|list|bill|invoice|pay|charge|give|show|report|state|express|format"
        rf"|convert|display) (?:[\w-]+ ){{0,4}}?(?:in|as) (?!the\b|this|that|a file|src|my|our|order"
        rf"|[\w/-]+\.\w|well|soon)[^.]{{2,30}}[.!]?$",
    ),
    (
        Kind.PREFERENCE,
        "use using spell spelling",
        rf"{S}(?:always |only )?(?:use|using|stick to|stick with|go with|spell) (?:only |the |a "
        rf"|an )?(?:[\w-]+ )?{MANNER}|\b{MANNER} (?:please|only|throughout|everywhere)\b",
    ),
    (
        Kind.PREFERENCE,
        "language tone style format units unit spelling locale timezone currency voice register audience",
        r"^(?:\w+ )?(?:language|tone|style|format|units?|spelling|locale|timezone|currency|voice"
        r"|register|audience) ?[:=] ?\w",
    ),
    (
        Kind.PREFERENCE,
        "friendly formal tone style wording voice formatting",
        r"\b(?:in|with|use|keep) an? (?:\w+ )?(?:tone|style|voice|manner)\b|\b(?:tone|style|wording"
        r"|voice|formatting)\b (?:should|must|is|of|:)|\b(?:tone|style|voice|formatting):",
    ),
    (
        Kind.PREFERENCE,
        "short concise brief terse bullet detail details verbose",
        r"^(?:short|concise|brief|terse|detailed|bullet)\b.{0,40}\b(?:answers?|replies|responses"
        r"|points|please|only|summaries|explanations)\b|\b(?:less|more) (?:verbose|detail|detailed"
        r"|concise|formal)\b,? ?(?:please|from now)",
    ),
    (
        Kind.PREFERENCE,
        "used habit usually vegetarian vegan allergic timezone zone",
        r"\bi(?:'m| am) (?:a )?(?:vegetarian|vegan|allergic|colou?r-?blind|dyslexic|left-handed"
        r"|a beginner|new to)\b|\bmy time ?zone\b|\bi (?:usually|normally|always) (?:use|write|work"
        r"|prefer|want|format|run)\b",
    ),
    (
        Kind.PREFERENCE,
        "mood voice tense person",
        r"\bin (?:the )?\w+ (?:mood|voice|tense|person)\b",
    ),
)
