"""The stages of CowAgent's short-term memory, each on a golden conversation: before, every stage, after.

Each file in `golden/` is a conversation that goes through the steps of `policies/cowagent.yaml` as a request
would, with its ledger: `row` names the row of that system's table, `budget` is what the window leaves,
`summary` is what a model wrote of the first messages, `takes` is what the upstream takes after it refused:
then the rungs are climbed. `stages` has what each step or rung leaves: a number is that message of `before`,
byte for byte; a step without `after` changes nothing. One word is one token; `{of: text, times: 9}` is that
text, nine times; `{join: [...]}` are texts one behind the other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from drawn import words
from gateway.core.conversation import Conversation, Message
from gateway.core.frozen import replace
from gateway.engine.pipeline import Report, Result, climb, fits_in, less, run_steps, with_ledger
from gateway.policy.live import read_all
from gateway.policy.schema import Policy
from gateway.strategies.base import Room, Summary
from gateway.strategies.carry import Kept
from seeds.goldens import check_stages, left_by, plain
from test_cases import WIRE, conversation, sent

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.yaml"))
POLICY = read_all(None, "default").policies["cowagent"]
GIVEN: dict[str, dict[str, Any]] = {path.stem: yaml.safe_load(path.read_text()) for path in GOLDEN}
SINGLE = {name: case for name, case in GIVEN.items() if "takes" not in case}


def room_of(case: dict[str, Any]) -> Room:
    """Return the room of a case, as the policy has it."""
    target, budget = POLICY.target, case.get("budget", 100_000)
    assert target.ratio is not None
    assert target.tokens is not None
    aim = min(target.tokens, int(target.ratio * budget), case.get("takes", budget))
    summary = Summary(**case["summary"]) if "summary" in case else None
    return Room(aim, budget, words, POLICY.keep, summary=summary)


def done_with(policy: Policy, view: Conversation, case: dict[str, Any]) -> Result:
    """Return what a policy makes of a conversation, by its steps or, after a refusal, by its rungs."""
    room = room_of(case)
    takes = case.get("takes")

    def work(bare: Conversation, kept: Kept) -> Result:
        own = less(room, kept)
        if takes is None:
            return run_steps(bare, policy.steps, own)
        must = replace(own, target=max(takes - kept.tokens, 1))
        return climb(Result(bare), policy, own, must, fits_in(must.target))

    return with_ledger(view, room, takes or room.budget, work)


def shorter(policy: Policy, number: int, takes: int | None) -> Policy:
    """Return the policy with only so many of its steps, or of its rungs."""
    if takes is None:
        return replace(policy, steps=policy.steps[:number])
    return replace(policy, overflow=replace(policy.overflow, rungs=policy.overflow.rungs[:number]))


def stages(case: dict[str, Any], policy: Policy = POLICY) -> list[tuple[Report, Conversation]]:
    """Return what each step or rung that ran did, with the conversation after it, its ledger in it."""
    takes = case.get("takes")
    view = conversation(plain(case["before"]), words)
    done: list[tuple[Report, Conversation]] = []
    for number in range(1, len(policy.steps if takes is None else policy.overflow.rungs) + 1):
        result = done_with(shorter(policy, number, takes), view, case)
        if len(result.reports) > len(done):
            done.append((result.reports[-1], result.view))
    return done


@pytest.mark.parametrize("name", GIVEN)
def test_each_stage_does_what_its_row_says(name: str) -> None:
    """Every step that runs leaves what the file says, and those that are not due do not run."""
    case = GIVEN[name]
    before = conversation(plain(case["before"]), words)
    done, last = stages(case), before
    assert [report.step for report, _ in done] == [stage["step"] for stage in case["stages"]]
    for (report, view), stage in zip(done, case["stages"], strict=True):
        assert report.outcome == ("changed" if "after" in stage else "unchanged")
        assert sent(view) == left_by(stage, before, last)
        last = view
    assert last.tokens <= case.get("takes", room_of(case).budget)


@pytest.mark.parametrize("name", GIVEN)
def test_each_stage_is_valid(name: str) -> None:
    """Rounds are whole, roles alternate, the latest request is word for word, ids that are named exist."""
    case = GIVEN[name]
    before = conversation(plain(case["before"]), words)
    check_stages(before, (view for _, view in stages(case)))


def reread(message: Message) -> Message:
    """Return a message as it comes back from what was frozen."""
    return WIRE.message(message.raw or WIRE.compose(message), words, message.origin)


@pytest.mark.parametrize("name", SINGLE)
def test_what_was_done_is_not_done_again(name: str) -> None:
    """The next request of the same length finds nothing more to do."""
    case = {key: value for key, value in SINGLE[name].items() if key != "summary"}
    once = stages(SINGLE[name])[-1][1]
    again = Conversation(tuple(map(reread, once.messages)))
    assert sent(done_with(POLICY, again, case).view) == sent(once)
