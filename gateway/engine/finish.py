"""The last look at every rewritten list: repaired and written for its wire format, and what it left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from gateway.core import prefix
from gateway.core.conversation import Conversation
from gateway.engine.pipeline import Result
from gateway.engine.subject import Subject
from gateway.store.base import Checkpoint, Original


def finished(subject: Subject, result: Result) -> Result:
    """Return the result repaired and written for the wire format. Raise ValueError if it is still wrong."""
    view = subject.wire.repair(result.view, subject.count)
    problems = subject.wire.problems(view)
    if problems:
        raise ValueError(f"{len(problems)} structural problems are left after the repair")
    written = tuple(
        message if message.raw else replace(message, raw=subject.wire.compose(message))
        for message in view.messages
    )
    return Result(replace(view, messages=written), result.reports)


def is_untouched(view: Conversation, length: int) -> bool:
    return len(view.messages) == length and all(
        message.origin == index for index, message in enumerate(view.messages)
    )


def removed(subject: Subject, base: Checkpoint | None, view: Conversation, now: float) -> Iterator[Original]:
    """Yield what is to be stored before the view is sent, less what an earlier compaction stored."""
    kept = {message.origin for message in view.messages}
    before = set(range(base.length)) - set(base.items) if base is not None else set()
    for index, raw in enumerate(subject.request.messages):
        if index not in kept and index not in before:
            yield Original(prefix.tagged(sha256(raw).digest()), raw, created_at=now)
    for offload in view.offloads:
        content = offload.text.encode("utf-8", "surrogatepass")
        yield Original(offload.id, content, kind="offload", name=offload.name, created_at=now)
