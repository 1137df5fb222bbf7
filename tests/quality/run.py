"""The quality bench: does what matters survive twenty rounds of compaction?

    make quality                                    all shipped policies that compact, default seeds
    make quality ARGS="--quick --set dev"           while working: rows that may be looked at, two sessions
    make quality ARGS="--seeds held-out"            the final measurement
    make quality ARGS="--set blind"                 once, at the very end: phrasings nothing was built on
    make quality ARGS="--verbose --json FILE"       with every row that fails, and all counts in a file

Sessions are generated from seeds, with phrasings planted in them (`phrasings/`), and played through the
gateway's own compactor, as a growing list and as a list that the client stores after every round. No model is
asked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

from gateway.core.conversation import Count
from gateway.engine.vocabulary import Vocabulary
from gateway.policy.live import read_all
from gateway.policy.schema import Mode, Policy
from quality.playing import MODEL, MODES, play
from quality.report import as_json, failures, table
from quality.rows import Set, rows
from quality.sessions import COMBOS, Combo, Session, deal, session
from quality.tally import Case, Tally, judge

SEEDS = (1, 2)
"""What `make quality` plays."""

HELD_OUT_SEEDS = (9_001, 9_002, 9_003)
"""For the final measurement only: nobody looks at what these show while the code can still be changed."""

BUDGETS = (0.1, 0.2, 0.3)

CROWDED = 0.03
"""So little that what is planted takes more than half of it: what matters most has to go last."""

QUICK_COMBOS: tuple[Combo, ...] = (("coding", "en"), ("support", "zh"))


class Job(NamedTuple):
    """One session, played in all its cases."""

    policies: tuple[Policy, ...]
    combo: Combo
    seed: int
    set: Set
    budgets: tuple[float, ...]


@cache
def counter() -> Count:
    """Return how tokens are counted, loaded once per process."""
    return Vocabulary().load(MODEL).count


def shipped(folder: Path | None = None) -> dict[str, Policy]:
    """Return the policies that compact, and whose output is what is forwarded."""
    found = read_all(folder, "default").policies
    return {name: policy for name, policy in found.items() if policy.mode is Mode.COMPACT}


def measure(job: Job) -> Tally:
    """Return what one session shows."""
    planted = deal(rows(job.set), job.seed)[job.combo]
    return asyncio.run(_measured(job, session(job.combo, job.seed, planted)))


async def _measured(job: Job, made: Session) -> Tally:
    tally, count = Tally(), counter()
    for policy in job.policies:
        for mode in MODES:
            for budget in job.budgets:
                played = [one async for one in play(made, policy, budget, mode, count)]
                tally.add(judge(Case(policy.name, mode, budget), made, played, count))
    return tally


def distinct(policies: Sequence[Policy]) -> tuple[Policy, ...]:
    """Return the policies that say different things, each with all the names that say it."""
    names: dict[str, list[str]] = {}
    for policy in policies:
        names.setdefault(policy.fingerprint, []).append(policy.name)
    first = {policy.fingerprint: policy for policy in reversed(policies)}
    return tuple(replace(first[key], name=" = ".join(found)) for key, found in names.items())


def chosen(known: Mapping[str, Policy], names: Sequence[str] | None) -> list[Policy]:
    """Return the policies of these names, or all. Raise LookupError if there is none that compacts."""
    for name in names or ():
        if name not in known:
            raise LookupError(f"no policy {name!r} that compacts; there are: {', '.join(sorted(known))}")
    return [known[name] for name in names or known]


def main() -> None:
    """Play, and print the tables."""
    options = _options()
    try:
        policies = distinct(chosen(shipped(options.folder), options.policies))
    except LookupError as unknown:
        raise SystemExit(f"quality: {unknown}") from None
    combos = QUICK_COMBOS if options.quick else COMBOS
    budgets = BUDGETS[1:2] if options.quick else BUDGETS
    played = budgets if options.quick else (*budgets, CROWDED)
    jobs = [Job(policies, combo, seed, options.set, played) for seed in options.seeds for combo in combos]
    started_s = time.monotonic()
    tally = Tally()
    for found in _all(jobs, options.jobs):
        tally.add(found)
    print(table(tally, [policy.name for policy in policies], budgets))
    elapsed_s = time.monotonic() - started_s
    print(f"\n{len(jobs)} sessions (seeds {options.seeds}, rows: {options.set}) in {elapsed_s:.0f} s")
    if options.verbose:
        print("\n## Failures\n", *failures(tally.faults, options.reveal), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(as_json(tally), ensure_ascii=False), encoding="utf-8")


def _all(jobs: Sequence[Job], processes: int) -> Iterator[Tally]:
    if processes == 1:
        yield from map(measure, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(measure, jobs)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("quality", description="Measure what survives compaction.")
    parser.add_argument(
        "--policies",
        type=lambda text: text.split(","),
        metavar="NAME,...",
        help="policies to measure (all that compact)",
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="a folder of policies, over the shipped ones"
    )
    parser.add_argument(
        "--seeds",
        type=_seeds,
        default=SEEDS,
        metavar="N,...",
        help=f"seeds of the sessions, or `held-out` ({','.join(map(str, SEEDS))})",
    )
    parser.add_argument(
        "--set", choices=get_args(Set), default="all", help="which phrasings are planted (all)"
    )
    parser.add_argument("--quick", action="store_true", help="two sessions per seed, one budget")
    parser.add_argument("--verbose", action="store_true", help="list every row that fails")
    parser.add_argument("--reveal", action="store_true", help="list them with the words of rows held out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all counts there, too")
    parser.add_argument(
        "--jobs",
        type=int,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="processes at work at once (one per core)",
    )
    return parser.parse_args()


def _seeds(text: str) -> tuple[int, ...]:
    return HELD_OUT_SEEDS if text == "held-out" else tuple(int(number) for number in text.split(","))


if __name__ == "__main__":
    main()
