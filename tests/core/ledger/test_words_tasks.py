"""English wordings of open tasks."""

from __future__ import annotations

import pytest

from gateway.core.ledger.cues import kind_of
from gateway.core.ledger.entry import Kind

SAID = (
    "todo: add pagination",
    "remind me to renew the certificate",
    "don't forget to update the readme",
    "marta wants us to add a button",
    "we still need to write the script",
    "next, wire up the webhook",
    "before you finish, update the changelog",
    "once the tests pass, tag the release",
    "later we should translate the emails",
    "jonas asked for a csv export",
    "the invoices haven't been sent yet",
    "someone needs to rotate the keys",
    "put it on the list",
)


@pytest.mark.parametrize("sentence", SAID)
def test_task_is_known(sentence: str) -> None:
    """What is still to be done is found, and so is what somebody asked for."""
    found = kind_of(sentence, frozenset((Kind.TASK,)))

    assert found is not None
    assert found[0] is Kind.TASK


@pytest.mark.parametrize("sentence", ["the invoices were sent", "that was it"])
def test_description_is_none(sentence: str) -> None:
    """What only tells how things are sets nothing."""
    assert kind_of(sentence, frozenset((Kind.TASK,))) is None
