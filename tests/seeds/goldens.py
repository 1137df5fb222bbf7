"""What golden files of whole conversations say, and what every stage of one has to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gateway.core.conversation import Conversation
from gateway.strategies import marks
from test_cases import WIRE, alternates, latest_user, rounds, sent


def plain(value: Any) -> Any:
    """Return what a file says with repeated texts written out."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {"of", "times"}:
            return value["of"] * value["times"]
        if value.keys() == {"join"}:
            return "".join(map(plain, value["join"]))
        return {key: plain(item) for key, item in value.items()}
    return value


def left_by(stage: dict[str, Any], before: Conversation, last: Conversation) -> Sequence[Any]:
    """Return what a stage leaves: a number is that message of *before*, and without `after` it is *last*."""
    if "after" not in stage:
        return sent(last)
    return [sent(before)[item] if isinstance(item, int) else plain(item) for item in stage["after"]]


def check_stages(before: Conversation, views: Iterable[Conversation]) -> None:
    """Assert that pairs are whole, the latest request is word for word, and named ids can be had."""
    for view in views:
        assert WIRE.problems(view) == []
        assert rounds(view) <= rounds(before)
        assert latest_user(view) == latest_user(before)
        assert not alternates(before) or alternates(view)
        named = {id for message in sent(view) for id in marks.named_ids(str(message).encode())}
        assert named <= {offload.id for offload in view.offloads}
