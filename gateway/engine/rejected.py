"""Conversations whose new compaction an upstream refused for its form: for a while they go out as they came.

Compacted anew, the next turn would be refused as well, and each would cost a second attempt. What surely does
not fit is compacted all the same. Held in the process.
"""

from __future__ import annotations

from gateway.engine.lineage import Checkpoints, Rejected
from gateway.engine.subject import Subject


def reject(checkpoints: Checkpoints, subject: Subject, now: float) -> None:
    """Take note that what was made of a request was refused for its form, and the request was not."""
    checkpoints.reject(_conversation(subject), now)


def is_rejected(checkpoints: Checkpoints, subject: Subject, now: float) -> bool:
    """Return whether a request is of such a conversation, and may fit as it came."""
    sure = subject.window.sure_tokens
    may_fit = sure is None or subject.counted.tokens * subject.correction <= sure
    return may_fit and checkpoints.is_rejected(_conversation(subject), now)


def _conversation(subject: Subject) -> Rejected:
    return subject.place, subject.policy.fingerprint, (subject.counted.root() or [b""])[-1]
