"""What a plan says of itself, and the one that changes nothing."""

from __future__ import annotations

from engine.subjects import subject
from gateway.engine.pipeline import Report
from gateway.engine.subject import Action, Plan, as_it_came


def test_as_it_came_is_the_very_body() -> None:
    """What is not compacted is not written anew."""
    asked = subject()
    plan = as_it_came(asked)

    assert plan.body is asked.request.body
    assert (plan.action, plan.tokens, plan.tokens_before, plan.messages) == (Action.NONE, 350, 350, 7)
    assert not plan.is_rewritten


def test_plan_names_the_steps_that_changed_something() -> None:
    """Steps with nothing to do, or left out for an error, are not named to the client."""
    reports = (Report("a", "changed", 9, 8), Report("b", "unchanged", 8, 8), Report("c", "error", 8, 8))

    assert Plan(b"", Action.COMPACTED, 9, 8, 9, 1, reports).steps == ("a",)
