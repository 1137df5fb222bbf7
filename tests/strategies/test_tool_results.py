"""Settings of `tool_results`; what it does is in tests/cases/tool_results."""

from __future__ import annotations

from carrying import ROOM, conversation, user, words
from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.strategies import marks
from gateway.strategies.tool_results import ToolResults

LEAST = ToolResults(max_tokens=900, least_tokens=100, keep_last=0)


def turns(contents: list[object]) -> Conversation:
    """Return turns in which a call came to these contents."""
    call = {"id": "c", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    reading = {"role": "assistant", "content": None, "tool_calls": [call]}
    said = {"role": "assistant", "content": "I see."}
    rounds = [
        entry
        for content in contents
        for entry in (user("Read."), reading, {"role": "tool", "tool_call_id": "c", "content": content}, said)
    ]
    return conversation(*rounds, user("And now?"))


def test_problems() -> None:
    """Caps below zero, a share above one and a step that could never do anything are told."""
    found = list(ToolResults(max_tokens=-1, keep_last=-2, head_share=1.5).problems())
    assert [line.split()[0] for line in found] == ["max_tokens", "keep_last", "head_share"]
    assert list(ToolResults(max_tokens=0, current_turn_max_tokens=0).problems()) == [
        "without any cap nothing is ever shortened; set max_tokens"
    ]


def test_the_least_is_less_than_the_cap() -> None:
    """A least that is no less would never be reached, and without a cap there is nothing to go below."""
    assert list(ToolResults(max_tokens=100, least_tokens=100).problems()) == [
        "least_tokens must be below max_tokens (100), got 100"
    ]
    assert list(ToolResults(max_tokens=0, least_tokens=100).problems()) == [
        "least_tokens must have max_tokens above it, got 100"
    ]


def test_each_part_of_a_result_goes_on_to_say_something() -> None:
    """A result in a dozen parts is not cut to a dozen notices."""
    parts = [{"type": "text", "text": f"part {n} begins. " + "and so on " * 25} for n in range(12)]
    view = turns([parts] * 3)
    after = LEAST.apply(view, replace(ROOM, target=1700))

    assert after.tokens <= 1700
    cut = [block.text for m in after.messages for block in m.blocks if "[haversack" in block.text]
    assert cut
    assert all("begins." in text for text in cut)


def test_stubs_do_not_make_the_least_reachable() -> None:
    """They stay as they are, so where they stand in the way of the target, what is left says more."""
    step, text = replace(LEAST, max_tokens=400), "word " * 800
    alone, stubs = turns([text]), [marks.stub("word " * 900, 900, "read", 1500) for _ in range(3)]
    beside = turns([*stubs, text])

    def cut(view: Conversation, excess: int) -> int:
        """Return the tokens of the last result, where there are so many tokens too many."""
        return step.apply(view, replace(ROOM, target=view.tokens - excess)).messages[-3].tokens

    assert cut(alone, 650) < 110
    assert 350 < cut(beside, 750) <= 410


def test_steps_that_run_again_cut_no_text_anew() -> None:
    """They do where more room has to be kept free than was thought: what was cut is known by then."""
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return words(text)

    room = replace(ROOM, target=700, count=count)
    view = turns(["word " * 600, "other " * 600])
    first = LEAST.apply(view, room)
    before = len(counted)
    again = LEAST.apply(view, replace(room, target=690))

    assert before > 0
    assert len(counted) == before
    assert again.messages == first.messages
