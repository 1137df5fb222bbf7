"""What is too long is cut fairly, and every message is accounted for."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.summary.reading import assistant, call, quarters, result, user
from gateway.core.conversation import Message
from gateway.core.summary.level import fit
from gateway.core.summary.transcript import Passage, read, size


def numbers(passages: tuple[Passage, ...]) -> list[int]:
    """Return the numbers of all messages that passages tell of."""
    return [n for passage in passages for n in range(passage.number, (passage.through or passage.number) + 1)]


def test_largest_lose_first() -> None:
    """A short message stays whole where a long one can give."""
    passages = read([user("short " * 10), user("a" * 9000), assistant("b" * 5000)], quarters)

    fitting = fit(passages, 1000, quarters)

    assert fitting[0] == passages[0]
    large = [passage.tokens for passage in fitting[1:]]
    assert max(large) - min(large) < 60
    assert size(fitting) <= 1000


def test_what_fits_stays() -> None:
    """Nothing is cut without need."""
    passages = read([user("a"), assistant("b")], quarters)

    assert fit(passages, 100, quarters) == passages


def test_what_has_no_room_is_named() -> None:
    """Of thousands of messages the first, users' and the newest stay, and lines say what is missing."""
    messages: list[Message] = [user("The task."), *[assistant(f"step {n} " * 30) for n in range(3000)]]
    passages = read([*messages, user("And now this."), assistant("ok")], quarters)

    fitting = fit(passages, 1000, quarters)

    assert size(fitting) <= 1000
    assert [p.text for p in fitting if p.is_user] == ["[1] user\nThe task.", "[3002] user\nAnd now this."]
    gap = fitting[1]
    assert gap.label.startswith(f"[2-{gap.through}] {gap.through - 1:,} messages left out, ")
    assert numbers(fitting) == list(range(1, 3004))


def test_levelling_twice_keeps_count_of_what_is_missing() -> None:
    """A gap that swallows a gap tells of the messages of both, and of their tokens."""
    passages = read([assistant("word " * 100) for _ in range(500)], quarters)

    twice = fit(fit(passages, 4000, quarters), 300, quarters)

    assert numbers(twice) == list(range(1, 501))
    assert sum(p.missing for p in twice) > 0.8 * size(passages)


def test_cut_that_ignores_its_cap_cannot_break_the_bound() -> None:
    """Whatever shortens the texts, what is too long in the end makes way for a line that says so."""
    passages = read([user("word " * 900), assistant("word " * 900), user("word " * 10)], quarters)

    fitting = fit(passages, 200, quarters, lambda text, max_tokens, count: text)

    assert [passage.label for passage in fitting] == ["[1-2] 2 messages left out, 2,257 tokens", "[3] user"]


def test_only_the_large_piece_of_a_message_is_cut() -> None:
    """What an assistant says beside a call with long arguments stays whole."""
    (fitting,) = fit(read([call(("a", "w", "x" * 9000), text="I write it.")], quarters), 100, quarters)

    assert fitting.pieces[0].text == "I write it."
    assert "left out" in fitting.pieces[1].text


MESSAGES = st.lists(
    st.one_of(
        st.builds(user, st.sampled_from(["", "hi", "word " * 200, "错" * 500])),
        st.builds(assistant, st.sampled_from(["ok", "x" * 4000])),
        st.builds(
            lambda text: call(("a", "run", text)), st.sampled_from(["{}", '{"a": "' + "b" * 900 + '"}'])
        ),
        st.builds(lambda text: result("a", text), st.sampled_from(["", "1", "error\n" * 900])),
    ),
    max_size=60,
)


@settings(max_examples=60, deadline=None)
@given(MESSAGES, st.integers(30, 3000))
def test_it_always_fits_and_drops_nothing_silently(messages: list[Message], max_tokens: int) -> None:
    """Whatever comes, the result is within its cap, and each message is there or named as missing."""
    passages = read(messages, quarters)

    fitting = fit(passages, max_tokens, quarters)

    assert size(fitting) <= max_tokens
    assert numbers(fitting) == list(range(1, len(messages) + 1))
