"""Tell a refusal of what was said from all others: a provider's content policy, or the law.

It is about one conversation, whatever model or key it was asked with: nothing that is learned from it holds
for another. Missing one costs more than seeing one too many: a model would be left alone for everybody.
"""

from __future__ import annotations

import re

from gateway.core.failure_text import gather, snake

_OF_THE_KEY = frozenset((401, 402, 407, 429))
"""Statuses that are about who asks, whatever stands beside them."""

_LEGAL = 451

# Identifiers, as `snake` writes them: OpenAI, Azure, DashScope, Ark, DeepSeek, guards of clouds, relays.
_MARKS = re.compile(
    r"content_(?:policy|filter|moderation)|moderation_(?:blocked|failed)|responsible_ai_policy"
    r"|policy_violation|data_inspection_failed|sensitive_content|content_exists_risk|cyber_policy"
    r"|guardrail_intervened|prompt_blocked|safety_violation"
)

# What a sentence says of the text that was sent. One about an account is about who asks.
_SAYS = re.compile(
    r"content (?:management |filtering |usage |safety |moderation )?polic(?:y|ies)|content.filter"
    r"|content exists risk|content violates|flagged (?:as|for|by)|was flagged|flagged:|inappropriate content"
    r"|sensitive content|blocked by .{0,40}(?:policy|moderation|safety|guardrail)"
    r"|violat\w{1,6} .{0,40}(?:usage|content|safety) polic|safety (?:threshold|filter|system)"
    r"|不安全|敏感内容|敏感词|违规内容",
    re.IGNORECASE,
)
_ACCOUNT = re.compile(r"\b(?:account|organi[sz]ation|api key|project|subscription)\b", re.IGNORECASE)


def is_content(status: int, body: bytes) -> bool:
    """Return whether an error answer refuses what the conversation says; *body* is decompressed and bounded.

    >>> is_content(400, b'{"error": {"message": "no", "code": "content_filter"}}')
    True
    >>> is_content(403, b'{"error": {"message": "Your account was flagged for abuse."}}')
    False
    """
    if status == _LEGAL:
        return True
    if status in _OF_THE_KEY:
        return False
    found = gather(body)
    if any(_MARKS.search(snake(mark)) for mark in found.marks):
        return True
    return any(_SAYS.search(text) and not _ACCOUNT.search(text) for text in found.texts)
