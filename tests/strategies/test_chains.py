"""The note on a chain of calls is read back as it was written, merged, and thinned by what matters least."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateway.strategies import chains, marks
from gateway.strategies.chains import Chain, Sort

PIECES = st.sampled_from(
    [
        "read(path=a)",
        "x → y",
        "- z",
        "+ z",
        "> z",
        "= z",
        "* z",
        "3× f()",
        "</haversack-chain>",
        "\n",
        "  ",
        "决定",
    ]
)
TEXTS = st.lists(PIECES, max_size=5).map("".join)
CALLS = st.builds(chains.call, TEXTS.filter(str.strip), TEXTS | st.just("error: no"), st.booleans())
SAID = TEXTS.filter(lambda text: text.strip() != "").map(chains.said)
TOLD = TEXTS.filter(lambda text: text.strip() != "").flatmap(
    lambda text: st.booleans().map(lambda changes: chains.told(text, changes))
)
ID = marks.content_id("x")


def words(text: str) -> int:
    return len(text.split())


@given(st.lists(CALLS | SAID | TOLD, max_size=6), st.integers(0, 3), st.booleans())
def test_note_is_read_back_as_it_was_written(
    entries: list[chains.Entry], left_out: int, stored: bool
) -> None:
    """Whatever tools and assistants say, a note taken over says the same, and is recognised as one."""
    chain = Chain(chains.merged(entries), left_out, (ID,) if stored else ())

    again = chains.read(chain.text())

    assert marks.is_chain(chain.text())
    assert again == chain
    assert chains.joined([again]) == chain


def test_equal_calls_are_counted_and_the_last_outcome_holds() -> None:
    """Three reads of a file are one line that says what the last one gave, where it stood."""
    reads = [chains.call("read(path=a)", f"ok, {n} lines", False) for n in (1, 2, 3)]
    other = chains.call("ls()", "empty", False)

    merged = chains.merged([reads[0], other, *reads[1:]])

    assert [entry.line() for entry in merged] == ["- ls() → empty", "- 3× read(path=a) → ok, 3 lines"]


def test_failure_is_not_hidden_by_a_success() -> None:
    """A call that failed and later went through is told both ways, also when it changes something."""
    failed, went = (chains.call("push()", outcome, True) for outcome in ("error: denied", "pushed"))

    lines = [entry.line() for entry in chains.merged([failed, failed, went])]

    assert lines == ["+ 2× push() → error: denied", "+ push() → pushed"]


def test_counts_go_on_through_notes() -> None:
    """A note taken over by another keeps how often, how much was left out, and where all of it is."""
    first = Chain(chains.merged([chains.call("f()", "ok", False)] * 2), 3, ("sha256-" + "0" * 24,))
    second = Chain((chains.call("f()", "ok", False),), 1, (ID,))

    both = chains.joined([chains.read(first.text()), second])

    assert both.entries[0].times == 3
    assert both.left_out == 4
    assert both.originals == ("sha256-" + "0" * 24, ID)


def test_looks_go_first_and_changes_last() -> None:
    """Over its cap a note loses the oldest of what matters least, and says how many entries went."""
    looks = [chains.call(f"read(path={n})", "ok", False) for n in range(8)]
    failure, change = chains.call("make()", "error: no", False), chains.call("write(path=w)", "done", True)
    chain = Chain((chains.told("Told.", False), change, failure, chains.said("I look."), *looks))

    for cap in range(70, 20, -3):
        thin = chains.thinned(chain, cap, words)
        kept = [entry.sort for entry in thin.entries]
        assert words(thin.text()) <= cap or not kept
        assert thin.left_out + len(kept) == 12
        assert not kept or kept[0] is Sort.TOLD
        assert len(kept) < 2 or kept[1] is Sort.CHANGE
        assert Sort.LOOK not in kept or Sort.FAILURE in kept


def test_text_that_is_no_note_of_ours_is_passed_over() -> None:
    """Lines that nobody could have written here add nothing and raise nothing."""
    number = f"[haversack: {'9' * 50} earlier entries left out]"
    text = f"{marks.CHAIN_START}\nhello\n  indented\n- no arrow\n{number}\n"

    assert chains.read(text).entries == (chains.Entry("no arrow"),)
