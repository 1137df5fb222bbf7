"""Conversations whose new compaction an upstream refused for its form: for a while it is not tried.

The next turn would be refused as well, and each would cost a second attempt. What was accepted before is
replayed; where there is none they go out as they came. What surely does not fit is compacted all the same.
Held in the process, by the beginning that was replaced: a fork from before its end is another conversation.
"""

from __future__ import annotations

from collections.abc import Sequence

from gateway.engine.lineage import Checkpoints
from gateway.engine.subject import Plan, Subject


def reject(checkpoints: Checkpoints, subject: Subject, refused: Plan, now: float) -> None:
    """Take note that what was made of a request was refused for its form, and the request was not.

    Where it stood on an earlier compaction, that may have been the reason, and the next one is made without.
    """
    if refused.checkpoint is not None and refused.base is None:
        checkpoints.reject((subject.place, subject.policy.fingerprint, refused.checkpoint.prefix), now)


def is_rejected(
    checkpoints: Checkpoints, subject: Subject, chain: Sequence[bytes], plan: Plan, now: float
) -> bool:
    """Return whether a request is of such a conversation, and may fit as the plan leaves it."""
    sure, place, policy = subject.window.sure_tokens, subject.place, subject.policy.fingerprint
    if sure is not None and plan.tokens * subject.correction > sure:
        return False
    return any(checkpoints.is_rejected((place, policy, prefix), now) for prefix in reversed(chain))
