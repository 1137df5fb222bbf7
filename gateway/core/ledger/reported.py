"""What assistants and tools reported: decisions, tasks and values, and never a rule.

A tool result, or an assistant that quotes one, must not plant what the user did not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.core import conversation
from gateway.core.conversation import Message
from gateway.core.ledger import cues, decoys, results, telling
from gateway.core.ledger.entry import Entry, Kind, line
from gateway.core.ledger.gates import gated
from gateway.core.ledger.segments import Segment, segments

_FROM_ASSISTANT = frozenset((Kind.DECISION, Kind.TASK))
# A limit of its own is one that a line of results states too: "total: 3 of at most 5".
_FROM_TOOL = frozenset((Kind.PROHIBITION, Kind.RULE, Kind.PREFERENCE, Kind.LIMIT))
_ORDERS = frozenset((Kind.PROHIBITION, Kind.RULE, Kind.PREFERENCE))

_MAX_OF_ASSISTANT = 12
_ASSISTANT_CHARS = 6_000

# What speaks to the reader: a tool must not.
_COMMANDS = gated(
    r"\b(?:ignore|disregard|forget) (?:all|any|the|your|previous|prior|earlier|everything)\b|\byou (?:must"
    r"|should|shall"
    r"|have to|are (?:now|not|to))\b|\bfrom now on\b|\b(?:system|previous) (?:prompt|instructions?)\b"
    r"|^\W*(?:rules?"
    r"|policy|instructions?)\b|忽略|以后|从现在|指令|你(?:必须|应该|要|得)|务必|必须|请勿|禁止"
)

# What is written for the model that reads it, whoever repeats it; and a line that begins with an order.
_ADDRESSED = gated(
    r"\b(?:notes?|reminder|message|notice|attention|memo|instructions?|orders?) (?:to|for) "
    r"(?:the |any |all |an? )?(?:ais?|llms?|language models?|assistants?|(?:ai|llm|coding) agents?"
    r"|(?:chat)?bots?|claude|(?:chat)?gpt|gemini|copilot)\b|\bnew instructions?\b"
    r"|^\W*(?:system|developer|assistant) ?(?:message|note|prompt)? ?[:：]"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your )?"
    r"(?:previous|prior|earlier|above) (?:instruct|rule|prompt)"
    r"|(?:给|致|请)(?:ai|人工智能|助手|模型|智能体)|新指令|忽略(?:之前|以上|先前)",
    re.IGNORECASE,
)
_ORDERED = re.compile(r"^\W*(?:always|never) (?!on\b|off\b)[a-z]", re.IGNORECASE)

# What gives an order, whatever value is in it.
_DEMANDS = re.compile(
    r"\b(?:must|should|shall|do not|don't|only|need to|have to|make sure|ensure|no more than"
    r"|at (?:most|least)|keep|use|avoid|require[sd]?|mandatory|forbidden|not allowed)\b"
    r"|^\W*(?:please|rules?|policy|no)\b|(?:^\W*|[,;:] ?|and |but )(?:never|always)\b"
    r"|不得|不要|不能|不可|别|必须|禁止|严禁|务必|一律|请|只能|应当?|需要?|最多|至多|至少"
)
_LEAST_OF_REPORT = 3
"""A sentence that tells so much and demands nothing is a report, whatever it may remind of."""


def of_assistant(text: str) -> Iterator[Entry]:
    """Yield what an assistant says that must not be lost."""
    if len(text) > _ASSISTANT_CHARS:
        text = text[: _ASSISTANT_CHARS // 2] + "\n\n" + text[-_ASSISTANT_CHARS // 2 :]
    left = _MAX_OF_ASSISTANT
    for segment in segments(text):
        sentence = decoys.plain(segment.text)
        kind = _assistant_kind(segment, sentence)
        if kind is not None:
            yield Entry(kind, line(segment.text), "assistant")
            left -= 1
            if not left:
                return


def _assistant_kind(segment: Segment, sentence: str) -> Kind | None:
    if sentence.endswith(("?", "？", ":", "：")) or segment.code or _ADDRESSED.search(sentence):
        return None
    if cues.is_worth_a_look(sentence, cues.words(sentence)):
        found = cues.kind_of(sentence, _FROM_ASSISTANT)
        found = found and cues.kind_of(decoys.live(sentence), _FROM_ASSISTANT)
        if found is not None:
            return found[0]
    return Kind.VALUE if results.reports_value(segment.text) and not _orders(sentence) else None


def _orders(sentence: str) -> bool:
    """Return whether a report would be a rule if a user said it: then it is not carried."""
    return _is_ruled(sentence, _ORDERS)


def _commands(sentence: str) -> bool:
    """Return whether a line of a tool sets something: then it is not carried, whatever value is in it."""
    is_order = _COMMANDS.search(sentence) or _ADDRESSED.search(sentence) or _ORDERED.search(sentence)
    return bool(is_order) or _is_ruled(sentence, _FROM_TOOL)


def _is_ruled(sentence: str, kinds: frozenset[Kind]) -> bool:
    if cues.kind_of(sentence, kinds) is None:
        return False
    return telling.weight(sentence) < _LEAST_OF_REPORT or _DEMANDS.search(sentence.lower()) is not None


def of_tool(message: Message) -> Iterator[Entry]:
    """Yield what a tool says that must not be lost."""
    for block in message.blocks:
        if block.kind in (conversation.Kind.TOOL_RESULT, conversation.Kind.TEXT):
            source = f"tool {block.name}" if block.name else "tool"
            for row in results.tool_lines(block.text):
                if not _commands(decoys.plain(row)):
                    yield Entry(Kind.VALUE, line(row), source)
