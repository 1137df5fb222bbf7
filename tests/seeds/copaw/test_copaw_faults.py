"""CoPaw's four faults, which `policies/copaw.yaml` must not have. One word is one token."""

from __future__ import annotations

import asyncio
import json

import pytest

from engine.summarising import TALK, Reply, Scripted, bench, chatted, job
from seeds.copaw.test_copaw import GOOD, POLICY, compacted, talk
from seeds.shipped import asked, said, shipped, view_of, windowed
from wired import chat, engine, message, turns


@pytest.mark.parametrize("lines", [100, 500, 3000])
def test_newest_message_larger_than_the_reserve_stays(lines: int) -> None:
    """Fault 1: with the newest message larger than the reserve, nothing was kept and the task was lost."""
    large = said("user", " ".join(["Mend", "this:", *(f"line{n}" for n in range(lines))]))
    view = view_of([*talk(12)[:-1], large])
    for length in (0, 23):
        after = compacted(view, 1000, length=length)
        assert after.messages[-1].text == large["content"]
        assert after.tokens < view.tokens


@pytest.mark.parametrize("length", [0, 15])
def test_head_and_summary_over_the_threshold_are_no_reason_to_do_nothing(length: int) -> None:
    """Fault 2: with head and summary over the threshold together, nothing was compacted any more."""
    head = [message("system", 500, "rules")]
    policy = windowed(shipped("copaw", "window_max: auto"), 1000)

    async def check() -> None:
        async with engine() as made:
            plan = await made.parts.compactor.plan(await made.subject(chat([*head, *turns(9)]), policy))
            seen = await made.subject(chat([*head, *turns(9)]), policy)
            assert seen.budget is not None
            assert plan.tokens < seen.budget.tokens
            assert json.loads(plan.body)["messages"][-1]["content"].startswith("now")

    asyncio.run(check())
    after = compacted(view_of([*head, *turns(9)]), 800, length=length)
    assert after.messages[0].tokens == 500
    assert after.tokens < 800


@pytest.mark.parametrize("window", [3000, 6000, 20_000])
def test_oldest_text_is_part_of_what_is_summed_up(window: int) -> None:
    """Fault 3: the oldest text was silently dropped from the summariser's input."""
    many = [chatted("user", f"MARK{n} is to be kept. {'word ' * 40}") for n in range(150)]
    model = Scripted(GOOD)
    with bench() as made:
        made.write(job(model, windowed(POLICY, window), [*many, *TALK]))
    told = asked(model)
    assert all(f"MARK{n} " in told for n in range(150))
    assert all(prompted.tokens < window for prompted in model.calls)


@pytest.mark.parametrize(
    "text",
    [
        "Error: 429 Too Many Requests. Please try again later.",
        '{"error": {"message": "Internal server error", "type": "server_error"}}',
        "This model's maximum context length is 8192 tokens.",
    ],
)
def test_error_text_is_never_stored(text: str) -> None:
    """Fault 4: an error's text was stored as the summary."""
    model = Scripted(Reply(text))
    with bench() as made:
        assert made.write(job(model, windowed(POLICY, 20_000))) is None
    assert made.ended[0] == "failed"
