"""A number that only counts what is asked for is no value, and speaks against none."""

from __future__ import annotations

import pytest

from drawn import words
from gateway.core.conversation import Role, made
from gateway.core.ledger.find import find
from gateway.core.ledger.labels import unlabelled
from gateway.core.ledger.settle import settle

LIMITS = ["Never deploy more than 12 replicas.", "The retry limit is 17.", "部署最多12个副本。"]
ERRANDS = [
    "Task 4: please look at it.",
    "Step 5: please test it.",
    "Bug 7: fix it please.",
    "Question 9: explain it to me.",
    "Ticket 31: please close it.",
    "Step 17: please look at component 119 of the module m17.",
    "Step 3: now do the second half.",
    "Now number 5, please.",
    "Test 5 fails.",
    "任务5：请测试一下。",
    "第3个问题：解释一下。",
]


@pytest.mark.parametrize("errand", ERRANDS)
def test_numbered_request_leaves_limits_alone(errand: str) -> None:
    """A user who works through a list says such a thing in every message, and changes nothing by it."""
    for limit in LIMITS:
        before = find(made(Role.USER, limit, words))
        texts = [entry.text for entry in settle([*before, *find(made(Role.USER, errand, words))]).current]
        assert texts[:1] == [limit]
        assert errand not in texts


def test_what_stands_behind_a_label_counts() -> None:
    """The rule is the same whether or not the request that states it is numbered."""
    labelled = find(made(Role.USER, "Task 4: never touch the table billing_legacy.", words))
    assert [entry.text for entry in labelled] == ["never touch the table billing_legacy."]
    changed = [*find(made(Role.USER, LIMITS[1], words))]
    changed += find(made(Role.USER, "Step 5: the retry limit is 42 now.", words))
    assert [entry.text for entry in settle(changed).current] == ["the retry limit is 42 now."]


@pytest.mark.parametrize(
    "text", ["Port 8443: TLS only.", "Room 12 is ours.", "Step 3 takes 5 minutes.", "30: ok"]
)
def test_number_that_names_a_thing_is_no_label(text: str) -> None:
    """It is what the sentence is about."""
    assert unlabelled(text) is text
