"""What matters survives twenty rounds of compaction: a small form of the bench, held to its bar."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from gateway.strategies.base import Keep
from quality.playing import MODES, ROUNDS
from quality.report import LAST_TO_GO, failures, summed_table, table
from quality.rows import BAR, Set
from quality.run import (
    BUDGETS,
    CROWDED,
    HELD_OUT_SEEDS,
    QUICK_COMBOS,
    SEEDS,
    SMALL_BUDGET,
    SUMMED_BUDGET,
    SUMMING,
    Job,
    chosen,
    distinct,
    main,
    measure,
    shipped,
    summing,
)
from quality.summing import SUMMARIES
from quality.tally import Case, Fault, Tally

POLICY = "mechanical"

LEAST_HELD = 0.99
MOST_CARRIED = 0.02


@cache
def measured() -> Tally:
    """Return what two sessions show at a fifth of their length, once for all tests."""
    tally = Tally()
    for combo in QUICK_COMBOS:
        tally.add(measure(Job((shipped()[POLICY],), combo, SEEDS[0], "all", BUDGETS[1:2])))
    return tally


@pytest.mark.parametrize("mode", MODES)
def test_what_matters_survives(mode: str) -> None:
    """Where the planted text takes at most half of the room, 99 % of it is there after twenty rounds."""
    lost = [fault for fault in measured().faults if fault.what == "lost" and fault.case.mode == mode]
    share = measured().share(mode=mode, round=ROUNDS, type=frozenset(BAR), is_dense=False)
    assert share is not None
    assert share >= LEAST_HELD, "\n".join(failures(lost))


@pytest.mark.parametrize("mode", MODES)
def test_replaced_values_are_not_current(mode: str) -> None:
    """In no round is a replaced value presented as if it still held, or left without its successor."""
    asked, held = measured().counts(mode=mode, type="stale")
    assert asked
    assert held == 0, "\n".join(failures(fault for fault in measured().faults if fault.what == "stale"))


@pytest.mark.parametrize("mode", MODES)
def test_decoys_are_not_rules(mode: str) -> None:
    """Withdrawn, quoted, imagined and reported rules are not carried as the user's own."""
    share = measured().share(mode=mode, type=frozenset(("decoy", "revoked")))
    assert share is not None
    assert share <= MOST_CARRIED, "\n".join(failures(f for f in measured().faults if f.what == "carried"))


def test_prohibitions_and_limits_go_last() -> None:
    """Where there is not room for all, more of them is there than of anything else.

    Of one session so few rows are planted that those of a type may all be among its newest messages.
    """
    tally = Tally()
    for combo, seed in product(QUICK_COMBOS, SEEDS):
        tally.add(measure(Job((shipped()[POLICY],), combo, seed, "all", (CROWDED,))))
    last = tally.share(round=ROUNDS, type=LAST_TO_GO, is_dense=True)
    assert last is not None
    for type in set(BAR) - LAST_TO_GO:
        share = tally.share(round=ROUNDS, type=type, is_dense=True)
        assert share is not None, type
        assert share < last, type


def test_every_round_fits() -> None:
    """A stored list comes down to its target, a growing one below the trigger."""
    for fit in measured().fits:
        assert fit.share <= 1, fit


def test_every_round_is_sound() -> None:
    """Each of them is a list that the vendor accepts, and ends with the question as it came."""
    fits = measured().fits
    assert len(fits) == len(QUICK_COMBOS) * len(MODES) * ROUNDS
    for fit in fits:
        assert fit.is_valid, fit
        assert fit.is_latest_whole, fit


def test_the_ledger_stays_within_its_share() -> None:
    """What is carried never crowds out what the client has just sent."""
    for fit in measured().fits:
        assert fit.ledger_share <= Keep().ledger_ratio, fit


def test_growing_lists_are_compacted_and_stored_ones_every_time() -> None:
    """The bench measures compactions, not lists that fit anyway."""
    for mode, least in (("growing", 2), ("repeated", 12)):
        compacted = [fit for fit in measured().fits if fit.is_compacted and fit.case.mode == mode]
        assert len(compacted) >= least * len(QUICK_COMBOS)


@cache
def summed_up(summariser: str, rows: Set = "all") -> Tally:
    """Return what two sessions show whose summaries are written ten times, once for all tests."""
    tally = Tally()
    for combo in QUICK_COMBOS:
        tally.add(measure(Job(summing(), combo, SEEDS[0], rows, (SUMMED_BUDGET,), summariser)))
    return tally


@pytest.mark.parametrize("summariser", ["good", "terse"])
def test_what_matters_survives_ten_summaries(summariser: str) -> None:
    """Whether a model writes down what it reads as it was said or in its own words, nothing is lost."""
    tally = summed_up(summariser)
    share = tally.share(round=SUMMARIES, type=frozenset(BAR), is_dense=False)
    assert share is not None
    assert share >= LEAST_HELD, "\n".join(failures(tally.faults))
    assert all(fit.share <= 1 and fit.is_valid and fit.is_latest_whole for fit in tally.fits)
    assert tally.summaries["written"]


def test_summary_does_not_bring_back_what_was_replaced() -> None:
    """In the last round none says a value or a rule that was replaced, and none a decoy.

    Of wordings that nobody may look at some are told: `make quality` counts them, and the README says so.
    """
    found = summed_up("good", "dev")
    for type in ("stale", "told stale", "told decoy"):
        asked, held = found.counts(round=SUMMARIES, type=type)
        assert asked
        assert held == 0, "\n".join(failures(f for f in found.faults if f.what != "lost"))


def test_table_of_summaries_tells_what_became_of_them() -> None:
    """Whoever reads it sees what survives, what the summaries say that is over, and how many were written."""
    text = summed_table(summed_up("good"), SUMMING, "good")
    assert all(f"| {type} |" in text for type in BAR)
    assert "told by the summary as current: " in text
    assert "written" in text


def test_what_matters_survives_a_model_that_is_too_weak() -> None:
    """Where nothing that a model writes can be used, ten digests stand where its summaries would."""
    job = Job(summing(), QUICK_COMBOS[0], SEEDS[0], "all", (SMALL_BUDGET,), "failing", is_small=True)
    tally = measure(job)

    share = tally.share(round=SUMMARIES, type=frozenset(BAR), is_dense=False)
    assert share is not None
    assert share >= LEAST_HELD, "\n".join(failures(tally.faults))
    assert {fit.round for fit in tally.fits} == set(range(1, SUMMARIES + 1))
    assert "None of them can be used" in summed_table(tally, SUMMING, "failing")


def test_table_names_every_type_and_policy() -> None:
    """Whoever reads the table sees every type of what was planted, and the policy it was played with."""
    text = table(measured(), [POLICY], BUDGETS[1:2])
    assert all(f"| {type} |" in text for type in BAR)
    assert f"## `{POLICY}`, growing" in text


def test_policies_that_say_the_same_are_played_once() -> None:
    """A second name costs no second run."""
    policy = shipped()[POLICY]
    assert [one.name for one in distinct([policy, policy])] == [f"{POLICY} = {POLICY}"]
    assert "off" not in shipped()


def test_unknown_policy_is_told_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is mistyped, or does not compact, ends in one line that lists the names to choose from."""
    assert [policy.name for policy in chosen(shipped(), [POLICY])] == [POLICY]
    for wrong in ("mecanical", "off"):
        monkeypatch.setattr("sys.argv", ["quality", "--policies", f"{POLICY},{wrong}"])
        with pytest.raises(SystemExit) as found:
            main()
        assert str(found.value).startswith(f"quality: no policy {wrong!r} that compacts; there are: ")
        assert POLICY in str(found.value)


def test_seeds_for_the_last_measurement_are_apart() -> None:
    """What is measured at the end was not used before."""
    assert not set(SEEDS) & set(HELD_OUT_SEEDS)


def test_words_that_are_held_out_are_not_shown() -> None:
    """A list of failures tells which rows fail; those that only judge are read by nobody by accident."""
    case = Case(POLICY, "growing", 0.2)
    faults = [
        Fault("lost", name, which, f"words of {name}", case, "s", False, 1)
        for name, which in (("a", "dev"), ("b", "held_out"), ("c", "blind"))
    ]
    assert "words of a" in "\n".join(failures(faults))
    assert "words of b" not in "\n".join(failures(faults))
    assert "words of c" not in "\n".join(failures(faults))
    assert "words of b" in "\n".join(failures(faults, is_revealing=True))
