"""The quality bench: does what matters survive twenty rounds of compaction?

    make quality                                    all shipped policies that compact, default seeds
    make quality ARGS="--quick --set dev"           while working: rows that may be looked at, two sessions
    make quality ARGS="--seeds held-out"            the final measurement
    make quality ARGS="--set blind"                 once, at the very end: phrasings nothing was built on
    make quality ARGS="--verbose --json FILE"       with every row that fails, and all counts in a file
    make quality ARGS="--summariser brief"          only with summaries, by another summariser
    make quality ARGS="--summariser gemma --quick"  by a real, small model, in short sessions; `make model`
                                                    installs it

Sessions are generated from seeds, with phrasings planted in them (`phrasings/`), and played through the
gateway's own compactor, as a growing list and as a list that the client stores after every round. No model is
asked. Then they are played with a policy that has a model write ten summaries, each made of the one before,
by a summariser that does its work well (`summarisers`), through all that the gateway does for it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.engine.vocabulary import Vocabulary
from gateway.policy.live import read_all
from gateway.policy.schema import Mode, Policy
from model.serving import served
from quality.playing import MODEL, MODES, play
from quality.report import as_json, failures, summed_table, table
from quality.rows import Set, rows
from quality.sessions import COMBOS, Combo, Session, deal, session, sized
from quality.summarisers import GEMMA_ANSWER, GEMMA_THREADS, GEMMA_WINDOW, NAMES
from quality.summarisers import made as summariser
from quality.summing import summed as play_summed
from quality.tally import Case, Tally, judge

SEEDS = (1, 2)
"""What `make quality` plays."""

HELD_OUT_SEEDS = (9_001, 9_002, 9_003)
"""For the final measurement only: nobody looks at what these show while the code can still be changed."""

BUDGETS = (0.1, 0.2, 0.3)

CROWDED = 0.03
"""So little that what is planted takes more than half of it: what matters most has to go last."""

SUMMED_BUDGET = 0.1
"""For ten summaries a session has to be long beside it."""

SMALL_ROWS, SMALL_MESSAGES, SMALL_TOKENS = 20, 240, 18_000
"""Of a session whose summaries a real model writes: a few minutes of its work."""

SMALL_BUDGET = 0.07
"""So that such a session is ten summaries long, or ten digests, which leave more room than those."""

POLICIES = Path(__file__).parent / "policies"
SUMMING = "summing"

QUICK_COMBOS: tuple[Combo, ...] = (("coding", "en"), ("support", "zh"))


class Job(NamedTuple):
    """One session, played in all its cases."""

    policies: tuple[Policy, ...]
    combo: Combo
    seed: int
    set: Set
    budgets: tuple[float, ...]
    summariser: str = ""
    """Who writes summaries; empty: nobody."""
    url: str = ""
    """Of the model server."""
    is_small: bool = False
    """Whether it is one for a real model, which is slow."""


@cache
def counter() -> Count:
    """Return how tokens are counted, loaded once per process."""
    return Vocabulary().load(MODEL).count


def shipped(folder: Path | None = None) -> dict[str, Policy]:
    """Return the policies that compact, and whose output is what is forwarded."""
    found = read_all(folder, "default").policies
    return {name: policy for name, policy in found.items() if policy.mode is Mode.COMPACT}


def summing(max_tokens: int = 0) -> tuple[Policy, ...]:
    """Return the policy whose summaries are measured; *max_tokens* of them at most, 0: as it says."""
    policy = read_all(POLICIES, "default").policies[SUMMING]
    if max_tokens:
        policy = replace(policy, summarizer=replace(policy.summarizer, max_tokens=max_tokens))
    return (policy,)


def measure(job: Job) -> Tally:
    """Return what one session shows."""
    planted = deal(rows(job.set), job.seed)[job.combo]
    if job.is_small:
        some = planted[:: max(1, len(planted) // SMALL_ROWS)]
        made = sized(job.combo, job.seed, some[:SMALL_ROWS], SMALL_MESSAGES, SMALL_TOKENS, _tokens)
    else:
        made = session(job.combo, job.seed, planted)
    return asyncio.run(_measured(job, made))


def _tokens(session: Session) -> int:
    return sum(counter()(json.dumps(message, ensure_ascii=False)) for message in session.messages)


async def _measured(job: Job, made: Session) -> Tally:
    tally, count = Tally(), counter()
    if job.summariser:
        return await _summed(job, made, count)
    for policy in job.policies:
        for mode in MODES:
            for budget in job.budgets:
                played = [one async for one in play(made, policy, budget, mode, count)]
                tally.add(judge(Case(policy.name, mode, budget), made, played, count))
    return tally


async def _summed(job: Job, made: Session, count: Count) -> Tally:
    tally = Tally()
    for policy in job.policies:
        for budget in job.budgets:
            writer = summariser(job.summariser, made, job.url)
            rounds = play_summed(made, policy, budget, count, writer, tally.summaries)
            tally.add(
                judge(Case(policy.name, job.summariser, budget), made, [one async for one in rounds], count)
            )
            await writer.aclose()
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
    if not options.summariser:
        for found in _all(jobs, options.jobs):
            tally.add(found)
        print(table(tally, [policy.name for policy in policies], budgets))
    if options.summariser or not options.policies:
        tally.add(_with_summaries(jobs, options.summariser or "good", options.jobs))
    elapsed_s = time.monotonic() - started_s
    print(f"\n{len(jobs)} sessions (seeds {options.seeds}, rows: {options.set}) in {elapsed_s:.0f} s")
    if options.verbose:
        print("\n## Failures\n", *failures(tally.faults, options.reveal), sep="\n")
    if options.json:
        options.json.write_text(json.dumps(as_json(tally), ensure_ascii=False), encoding="utf-8")


def _with_summaries(jobs: Sequence[Job], name: str, processes: int) -> Tally:
    """Play the sessions with summaries, print the table, and return what was counted."""
    tally = Tally()
    is_real = name == "gemma"
    policies, budget = (summing(GEMMA_ANSWER), SMALL_BUDGET) if is_real else (summing(), SUMMED_BUDGET)
    with served(GEMMA_WINDOW, GEMMA_THREADS) if is_real else nullcontext() as server:
        url = "" if server is None else server.url
        asked = [
            Job(policies, job.combo, job.seed, job.set, (budget,), name, url, is_small=is_real)
            for job in jobs
        ]
        # One server, one call at a time: more would only wait.
        for found in _all(asked, 1 if url else processes):
            tally.add(found)
    print(summed_table(tally, SUMMING, name))
    return tally


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
    parser.add_argument(
        "--summariser",
        choices=NAMES,
        help="play only with summaries, written by this one (`good`, beside the rest)",
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
