"""Measure the gateway: every figure that has a bar, beside a bare pass-through and other gateways.

    make bench                                  everything, with what is installed of the rivals (ten minutes)
    make bench ARGS="--quick"                   the same in short, without rivals (two minutes)
    make bench ARGS="--only small,stream --targets bare,ours --json build/bench.json"
    make bench ARGS="--format openai_responses"     another wire format
    make bench-rivals                           installs the rivals below build/, then measures everything

Two cores are needed: one for the gateway that is measured, one for the load and the upstream.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import uvloop

from bench.dialects import DIALECTS
from bench.figures import COLUMNS, Line, lines, table
from bench.measure import GROUPS, SOME, Run, measure
from bench.targets import CORES, RIVALS, Targets, installed
from bench.upstream import Upstream


def main() -> int:
    """Measure, and print the table."""
    options = _options()
    if len(CORES) < 2:
        print("Two cores are needed, one for the gateway and one for the load.", file=sys.stderr)
        return 2
    os.sched_setaffinity(0, {CORES[-1]})
    try:
        run = uvloop.run(_measured(options))
    except asyncio.CancelledError:
        print("Stopped; everything that was started has ended.", file=sys.stderr)
        return 1
    found = lines(run.values)
    print(f"\n{_machine()}; medians of {run.repetitions}\n\n{table(found)}")
    if options.json:
        measured = {line.figure.name: _plain(run, line) for line in found}
        options.json.write_text(json.dumps({"machine": _machine(), "figures": measured}, indent=1) + "\n")
    return 0


async def _measured(options: argparse.Namespace) -> Run:
    if task := asyncio.current_task():
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    dialect = DIALECTS[options.format]
    upstream = Upstream(dialect)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        port = await upstream.open()
        stack.callback(upstream.close)
        chosen = [name for name in COLUMNS if name in options.targets]
        run = Run(Targets(stack, folder, port, dialect.path), upstream, chosen, dialect)
        if options.quick:
            run.seconds, run.cold, run.conversations, run.stride = 0.6, 5, SOME, 10
        await measure(run, options.only, lambda said: print(said, file=sys.stderr, flush=True))
        return run


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two minutes, without rivals, rough")
    parser.add_argument(
        "--only",
        type=_among(list(GROUPS)),
        default=list(GROUPS),
        metavar="GROUP,...",
        help=f"only these groups of figures, with commas: {', '.join(GROUPS)} (all)",
    )
    parser.add_argument(
        "--targets",
        type=_among(list(COLUMNS)),
        metavar="TARGET,...",
        help=f"only these columns, with commas: {', '.join(COLUMNS)} (all that are installed)",
    )
    parser.add_argument(
        "--format",
        choices=list(DIALECTS),
        default="openai_chat",
        help="the wire format of requests; other gateways are measured in openai_chat only",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every value there, too")
    options = parser.parse_args()
    rivals = installed()
    if missing := set(options.targets or ()) & RIVALS.keys() - set(rivals):
        parser.error(f"{', '.join(sorted(missing))}: not installed; make bench-rivals installs them")
    if options.targets is None:
        is_short = options.quick or options.format != "openai_chat"
        chosen = [name for name in rivals if name == "readymade" or not is_short]
        options.targets = ["direct", "bare", "ours", *chosen]
    return options


def _among(known: Sequence[str]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        if unknown := set(text.split(",")) - set(known):
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: there is {', '.join(known)}")
        return [name for name in known if name in text.split(",")]

    return read


def _plain(run: Run, line: Line) -> dict[str, object]:
    values = {
        name: [round(value, 4) for value in found] for name, found in run.values[line.figure.name].items()
    }
    return {
        "values": values,
        "unit": line.figure.unit,
        "judged": line.judged,
        "bar": line.figure.bar,
        "met": line.is_met(line.figure.bar),
        "bar_at_this_speed": line.scaled_bar,
        "met_at_this_speed": line.is_met(line.scaled_bar),
    }


def _machine() -> str:
    return f"{platform.machine()}, {len(CORES)} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main())
