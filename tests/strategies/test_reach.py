"""What is before a number of the client's list is found in a view, whatever steps have done to it."""

from __future__ import annotations

import pytest

from drawn import words
from gateway.core.conversation import Conversation, Role, made
from gateway.core.frozen import replace
from gateway.strategies import marks
from gateway.strategies.reach import reach
from test_cases import conversation


def rounds(count: int) -> Conversation:
    """Return a head, a request, that many rounds of a call and its result, an answer and a request."""
    items: list[dict[str, object]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
    ]
    for number in range(count):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        items += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"r{number}"},
        ]
    items += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "And now?"}]
    return conversation(items, words)


def changed(view: Conversation, *indices: int) -> Conversation:
    """Return the view with these messages said in other words: they have no number any more."""
    said = {index: replace(view.messages[index], origin=None) for index in indices}
    return view.replacing(said)


@pytest.mark.parametrize("length", [1, 2, 4, 6, 8])
def test_untouched_list_is_reached_at_its_number(length: int) -> None:
    """As nothing is missing, the number is the place."""
    assert reach(rounds(4), length) == length


@pytest.mark.parametrize("length", [4, 6])
def test_changed_messages_are_counted(length: int) -> None:
    """Where as many stand there as there were, they are known by those around them."""
    assert reach(changed(rounds(4), 3, 4, 5), length) == length


def test_results_belong_to_their_call() -> None:
    """Of a run that was folded into its last round, the result that tells of it goes with the call."""
    view = changed(rounds(6), 5).without([2, 3])
    assert [message.origin for message in view.messages[:5]] == [0, 1, 4, None, 6]
    later = changed(view, 4, 5).without([6, 7])
    assert reach(view, 6) == 4
    assert reach(later, 6) == 4


@pytest.mark.parametrize(("length", "index"), [(4, 1), (6, 2), (8, 4)])
def test_nothing_is_reached_behind_a_digest_that_may_tell_more(length: int, index: int) -> None:
    """What a digest tells of is known only by what follows it."""
    digest = made(Role.USER, f"{marks.DIGEST_START}\nold\n{marks.DIGEST_END}", words)
    assert reach(rounds(4).splicing(1, 6, [digest]), length) == index
