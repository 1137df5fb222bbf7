"""The strategies of AutoContextMemory, each on a golden conversation: before, every stage, after.

Each file in `golden/` is a conversation that goes through the steps of `policies/autocontext.yaml` as a
request would: `target` is what it is to come down to, `written` what a model wrote of each kind of piece,
`stages` what each step that runs makes of it: a number is that message of `before`, byte for byte; a step
without `after` changes nothing. One word is one token; `{of: text, times: 9}` is that text, nine times;
`{join: [...]}` are texts one behind the other.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from drawn import words
from gateway.core.conversation import Conversation
from gateway.engine.pipeline import Report, run_steps
from gateway.policy.live import read_all
from gateway.strategies import marks
from gateway.strategies.base import Room
from gateway.strategies.piece import Piece
from seeds.goldens import check_stages, left_by, plain
from test_cases import conversation, sent

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.yaml"))
POLICY = read_all(None, "default").policies["autocontext"]
BUDGET = 100_000
GIVEN: dict[str, dict[str, Any]] = {path.stem: yaml.safe_load(path.read_text()) for path in GOLDEN}


def room_of(case: dict[str, Any], asked: list[Piece]) -> Room:
    """Return the room of a case, in which a model has written what the case says; *asked* keeps of what."""

    def written(piece: Piece) -> str | None:
        asked.append(piece)
        text: str | None = case.get("written", {}).get(piece.form)
        return text

    return Room(case["target"], BUDGET, words, POLICY.keep, written=written)


def stages(case: dict[str, Any], asked: list[Piece]) -> list[tuple[Report, Conversation]]:
    """Return what each step of the policy that ran did, with the conversation after it."""
    view = conversation(plain(case["before"]), words)
    done: list[tuple[Report, Conversation]] = []
    for number in range(1, len(POLICY.steps) + 1):
        result = run_steps(view, POLICY.steps[:number], room_of(case, asked))
        if len(result.reports) > len(done):
            done.append((result.reports[-1], result.view))
    return done


@pytest.mark.parametrize("name", GIVEN)
def test_each_stage_does_what_its_row_says(name: str) -> None:
    """Every step leaves what the file says, measured; those behind it run only while it does not fit."""
    case, asked = GIVEN[name], list[Piece]()
    before = conversation(plain(case["before"]), words)
    done, last = stages(case, asked), before
    assert [report.step for report, _ in done] == [stage["step"] for stage in case["stages"]]
    for (report, view), stage in zip(done, case["stages"], strict=True):
        assert report.outcome == ("changed" if "after" in stage else "unchanged")
        assert (report.tokens_before, report.tokens_after) == (last.tokens, view.tokens)
        assert sent(view) == left_by(stage, before, last)
        last = view
    assert {piece.form for piece in asked} >= case.get("written", {}).keys()
    assert (last.tokens <= case["target"]) == case.get("fits", True)


@pytest.mark.parametrize("name", GIVEN)
def test_each_stage_is_valid_and_nothing_is_lost(name: str) -> None:
    """Pairs are whole, the latest request is word for word, and every id that is named can be had."""
    case = GIVEN[name]
    before = conversation(plain(case["before"]), words)
    views = [view for _, view in stages(case, [])]
    check_stages(before, views)
    for view in views:
        assert all(marks.content_id(offload.text) == offload.id for offload in view.offloads)


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_prepared_is_what_is_asked_for(name: str) -> None:
    """The less is to be freed, the fewer texts are asked for, but never others: what is prepared serves."""
    case = GIVEN[name]
    size = conversation(plain(case["before"]), words).tokens
    most: set[bytes] = set()
    for share in (0.8, 0.6, 0.45, 0.3, 0.1, 0.0):
        asked: list[Piece] = []
        stages({**case, "target": int(share * size), "written": {}}, asked)
        keys = {piece.key for piece in asked}
        assert most <= keys
        most = keys


def test_every_strategy_has_its_golden_conversation() -> None:
    """None of the six is forgotten, and there is one conversation that needs all of them."""
    numbers = {int(found[1]) for name in GIVEN if (found := re.match(r"strategy_(\d)", name))}
    assert numbers == {1, 2, 3, 4, 5, 6}
    steps = [step.use for step in POLICY.steps]
    assert [stage["step"] for stage in GIVEN["all_of_them"]["stages"]] == steps
