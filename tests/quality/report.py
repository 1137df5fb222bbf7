"""What the bench says: tables in Markdown, and the rows that fail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from quality.playing import MODES, ROUNDS
from quality.rows import BAR, TYPES
from quality.sessions import POSITIONS
from quality.summing import SUMMARIES
from quality.tally import Case, Fault, Fit, Tally

SHOWN = (1, 5, 10, ROUNDS)

SUMMED = (1, 5, SUMMARIES)

LAST_TO_GO = frozenset(("prohibition", "limit"))
"""What must still stand where there is not enough room for all."""


def table(tally: Tally, policies: Sequence[str], budgets: Sequence[float]) -> str:
    """Return what survives at these budgets, and what goes first where there is not room for all."""
    parts = ["# What survives", _ABOUT]
    for policy in policies:
        for mode in MODES:
            parts.append(f"## `{policy}`, {mode}")
            parts.append(_survival(tally, policy, mode, budgets))
            parts.append(_faults(tally, policy, mode, budgets))
            parts.append(_fitting(tally, policy, mode))
        parts.append(f"## `{policy}`, by position and language, round {ROUNDS}")
        parts.append(_positions(tally, policy, budgets))
        parts.append(f"## `{policy}`, planted text more than half of the budget, round {ROUNDS}")
        parts.append(_dense(tally, policy, sorted({key.case.budget for key in tally.asked if key.is_dense})))
    return "\n\n".join(parts)


_ABOUT = (
    "Percent of the planted rows that stand in what is forwarded, by type and round, at targets of a share\n"
    "of the session; only rounds in which the planted text takes at most half of the target."
)


def summed_table(tally: Tally, policy: str, summariser: str) -> str:
    """Return what survives when summaries are written again and again, each made of the one before."""
    case = {"policy": policy, "mode": summariser}
    head = ["type", *(str(number) for number in SUMMED)]
    lines = [_line(head), _line("---" for _ in head)]
    for name, types in (*((type, frozenset((type,))) for type in TYPES), ("**bar**", frozenset(BAR))):
        shares = [tally.share(**case, round=number, type=types, is_dense=False) for number in SUMMED]
        lines.append(_line([name, *map(_percent, shares)]))
    return "\n\n".join(
        (
            f"## `{policy}`, summaries by `{summariser}`: the first, the fifth, the tenth",
            "\n".join(lines),
            _faults(tally, policy, summariser, sorted({key.case.budget for key in tally.asked}), _TOLD),
            _fitting(tally, policy, summariser),
            _asked_for(tally),
        )
    )


def _asked_for(tally: Tally) -> str:
    """Return what became of the summaries, and what stands in each round if none could be used."""
    told = ", ".join(f"{count} {how}" for how, count in tally.summaries.most_common())
    none = "" if any(how.startswith("written") for how in tally.summaries) else f". {_NONE}"
    return f"Summaries that were asked for: {told}{none}"


_NONE = "None of them can be used: in each round a digest stands where it would, which no model writes."


def _survival(tally: Tally, policy: str, mode: str, budgets: Sequence[float]) -> str:
    head = ["type", *(f"{budget:.0%}: {number}" for budget in budgets for number in SHOWN)]
    lines = [_line(head), _line("---" for _ in head)]
    for name, types in (*((type, frozenset((type,))) for type in TYPES), ("**bar**", frozenset(BAR))):
        cells = [
            _percent(
                tally.share(policy=policy, mode=mode, budget=budget, round=number, type=types, is_dense=False)
            )
            for budget in budgets
            for number in SHOWN
        ]
        lines.append(_line([name, *cells]))
    return "\n".join(lines)


Faults = Iterable[tuple[str, tuple[str, ...]]]

_PRESENTED: Faults = (
    ("replaced values presented as current", ("stale",)),
    ("decoys carried as current", ("decoy", "revoked")),
    ("decoys carried as more than a value", ("as a rule",)),
)
_TOLD: Faults = (
    *_PRESENTED,
    ("replaced values told by the summary as current", ("told stale",)),
    ("decoys told by the summary as current", ("told decoy",)),
)


def _faults(
    tally: Tally, policy: str, mode: str, budgets: Sequence[float], faults: Faults = _PRESENTED
) -> str:
    lines = []
    number = SUMMARIES if faults is _TOLD else ROUNDS
    for name, types in faults:
        case = {"policy": policy, "mode": mode, "type": frozenset(types)}
        fits = {**case, "is_dense": False, "budget": frozenset(budgets)}
        last, every = tally.counts(**fits, round=number), tally.counts(**fits)
        asked, held = (all - part for all, part in zip(tally.counts(**case), every, strict=True))
        line = f"- {name}: {_share(*last)} in round {number}, {_share(*every)} in all rounds"
        lines.append(f"{line}; {_share(asked, held)} where there is less room" if asked else line)
    return "\n".join(lines)


def _share(asked: int, held: int) -> str:
    return f"{held} of {asked} ({_percent(held / max(asked, 1))} %)"


def _fitting(tally: Tally, policy: str, mode: str) -> str:
    fits = [fit for fit in tally.fits if (fit.case.policy, fit.case.mode) == (policy, mode)]
    if not fits:
        return "- no round"
    over = [fit for fit in fits if fit.share > 1]
    compacted = [fit for fit in fits if fit.is_compacted]
    used = sum(fit.target_share for fit in compacted) / max(len(compacted), 1)
    return "\n".join(
        (
            f"- {len(fits)} rounds, {len(compacted)} compactions; {_over(over)}",
            f"- lists that the vendor would refuse: {sum(not fit.is_valid for fit in fits)}; "
            f"latest user message changed: {sum(not fit.is_latest_whole for fit in fits)}",
            f"- tokens used after a compaction: {used:.0%} of the target; ledger: "
            f"{max(fit.ledger_share for fit in fits):.0%} at most, "
            f"{sum(fit.ledger_share for fit in fits) / len(fits):.0%} on average",
        )
    )


def _over(over: Sequence[Fit]) -> str:
    if not over:
        return "all fit"
    worst = max(over, key=lambda fit: fit.share)
    return f"{len(over)} do not fit, by {worst.share - 1:.1%} at most ({worst.session}, round {worst.round})"


def _positions(tally: Tally, policy: str, budgets: Sequence[float]) -> str:
    lines = [_line(["language", *POSITIONS]), _line("---" for _ in range(4))]
    for language in ("en", "zh"):
        cells = [
            _percent(
                tally.share(
                    policy=policy,
                    budget=frozenset(budgets),
                    round=ROUNDS,
                    type=frozenset(BAR),
                    is_dense=False,
                    position=position,
                    language=language,
                )
            )
            for position in POSITIONS
        ]
        lines.append(_line([language, *cells]))
    return "\n".join(lines)


def _dense(tally: Tally, policy: str, budgets: Sequence[float]) -> str:
    if not budgets:
        return "No round."
    head = ["type", *(f"{mode}, {budget:.0%}" for mode in MODES for budget in budgets)]
    lines = [_line(head), _line("---" for _ in head)]
    groups = {"prohibition, limit": LAST_TO_GO, "all others": frozenset(BAR) - LAST_TO_GO}
    for name, types in groups.items():
        cells = [
            _counted(
                *tally.counts(
                    policy=policy, mode=mode, budget=budget, round=ROUNDS, type=types, is_dense=True
                )
            )
            for mode in MODES
            for budget in budgets
        ]
        lines.append(_line([name, *cells]))
    return "\n".join(lines)


def _counted(asked: int, held: int) -> str:
    return f"{_percent(held / asked)} of {asked}" if asked else "–"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}".removesuffix(".0")


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def failures(faults: Iterable[Fault], is_revealing: bool = False) -> Iterator[str]:
    """Yield a line for each row that is lost, stale or carried where it should not be, most often first.

    The words of held-out rows are shown only to those who ask: who has read them cannot be judged by them.
    """
    found: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for fault in faults:
        if fault.what != "lost" or not fault.is_dense:
            found[fault.what, fault.row].append(fault)
    for (what, row), cases in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        first = min(cases, key=lambda fault: fault.round)
        text = repr(first.text) if is_revealing or first.set == "dev" else "(held out)"
        yield f"{row} {what} in {len(cases)} cases, first {_place(first)}: {text}"


def _place(fault: Fault) -> str:
    case: Case = fault.case
    return f"{fault.session}, {case.policy}, {case.mode}, {case.budget:.0%}, round {fault.round}"


def as_json(tally: Tally) -> dict[str, object]:
    """Return everything that was counted, as JSON can hold it."""
    keys = [
        {**key.case._asdict(), **key._asdict(), "asked": tally.asked[key], "held": tally.held[key]}
        for key in tally.asked
    ]
    for entry in keys:
        del entry["case"]
    return {
        "counts": keys,
        "faults": [{**fault._asdict(), "case": fault.case._asdict()} for fault in tally.faults],
        "fits": [{**fit._asdict(), "case": fit.case._asdict()} for fit in tally.fits],
    }
