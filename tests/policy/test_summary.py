"""What a policy may say of summaries, and what it may not."""

from __future__ import annotations

import pytest

from gateway.core.frozen import replace
from gateway.core.summary.form import DEFAULT
from gateway.policy.rules import SummarizerRules
from gateway.policy.summary import SummaryRules

REUSE = "reuse_prefix needs the client's own model, upstream and key: no other cache has its prefix"


def test_defaults_have_no_problems() -> None:
    """A policy that says nothing of summaries asks for the usual headings."""
    assert not list(SummaryRules().problems())
    assert SummaryRules().sections == tuple(section.key for section in DEFAULT)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        (SummaryRules(part_ratio=0.0), "part_ratio must be above 0 and at most 0.9, got 0.0"),
        (SummaryRules(part_ratio=0.1), "min_part_ratio (0.15) is above part_ratio (0.1)"),
        (SummaryRules(margin=0.5), "margin must be between 1 and 5, got 0.5"),
        (SummaryRules(min_parts=17), "min_parts must be between 1 and max_parts (16), got 17"),
        (SummaryRules(max_parts=65), "max_parts must be at most 64, got 65"),
        (SummaryRules(concurrency=0), "concurrency must be between 1 and 32, got 0"),
        (SummaryRules(max_tokens=20), "max_tokens must be at least 100, got 20"),
        (SummaryRules(focus="x" * 2001), "focus has 2001 characters; only 2000 are passed on"),
        (SummaryRules(sections=("goal", " Goal")), "sections names one twice"),
        (SummaryRules(sections=("goal", " ")), "sections has one without a name"),
        (
            SummaryRules(sections=tuple(map(str, range(21)))),
            "sections names 21; at most 20 can be asked for",
        ),
        (
            SummarizerRules(upstream="openai"),
            "upstream must be a URL like https://host/v1, not 'openai'; `same` is the client's own",
        ),
        (
            SummarizerRules(upstream="http://localhost:8000/v1/chat/completions"),
            "upstream names an endpoint; write the base URL of the upstream: http://localhost:8000/v1; "
            "`same` is the client's own",
        ),
        (
            SummarizerRules(heartbeat_s=0.01),
            "heartbeat_s must be between 0.1 and 600, or 0 for never, got 0.01",
        ),
        *(
            (
                rules,
                "reuse_prefix needs the client's own model, upstream and key: no other cache has its prefix",
            )
            for rules in (
                SummarizerRules(reuse_prefix=True, model="small"),
                SummarizerRules(reuse_prefix=True, upstream="http://small"),
                SummarizerRules(reuse_prefix=True, key_variable="K"),
            )
        ),
        (replace(SummarizerRules(), margin=9.0), "margin must be between 1 and 5, got 9.0"),
    ],
)
def test_value_out_of_range_is_a_problem(rules: SummaryRules, problem: str) -> None:
    """What no summariser could be asked is reported when the file is read."""
    problems = list(rules.problems())
    assert problem in problems
    assert all(text.split()[0] in SummarizerRules.__dataclass_fields__ for text in problems)
