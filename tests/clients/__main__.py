"""Drive real clients through the gateway, against an upstream with a small window, and print a table.

    make clients                                    all of them; installs each below build/clients
    make clients ARGS="--only openai,opencode"      some
    make clients ARGS="--only pi --verbose"         with what client and gateway said

Ends with 1 if a row fails. A client that cannot be installed here is listed with the reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from clients.catalogue import Client, clients
from clients.driving import Row, drive
from clients.installing import NotInstalled, install

HEAD = (
    *("client", "format", "questions", "requests", "client errors"),
    *("refused", "rescued", "summaries", "faults", "prefix kept", "turned away"),
)


def main() -> int:
    """Drive the clients that were asked for, and return the exit code."""
    options = _options()
    rows = [_row(client, options.verbose) for client in options.only]
    print(table(rows))
    return 1 if any(row.wrong for row in rows) else 0


def _row(client: Client, is_verbose: bool) -> Row:
    try:
        row = drive(client, install(client))
    except NotInstalled as error:
        row = Row(client, missing=str(error))
    verdict = row.missing or ", ".join(row.wrong) or "all right"
    print(f"{client.name}: {verdict}", file=sys.stderr, flush=True)
    for fault in list(dict.fromkeys(row.faults))[:5]:
        print(f"    {fault[:300]}", file=sys.stderr)
    if is_verbose:
        print(row.log, file=sys.stderr)
    return row


def table(rows: Sequence[Row]) -> str:
    """Return what came of all of them, as a table of Markdown."""
    lines = [_line((*HEAD, "how to point it")), _line(["---"] * (len(HEAD) + 1))]
    lines += [_line([*_cells(row), f"`{row.client.pointing}`"]) for row in rows if not row.missing]
    lines += [f"\nNot installed: {row.client.name}: {row.missing}" for row in rows if row.missing]
    failed = [row for row in rows if row.wrong]
    lines += [f"\nFailed: {row.client.name}: {', '.join(row.wrong)}" for row in failed]
    good = sum(1 for row in rows if not row.missing and not row.wrong)
    return "\n".join([*lines, "", f"{good} passed, {len(failed)} failed"])


def _cells(row: Row) -> list[str]:
    kept = "-" if row.stability is None else f"{row.stability:.0%}"
    asked = row.client.questions, row.requests, row.errors
    numbers = *asked, row.refused, row.rescued, row.summaries, len(row.faults)
    away = "-" if row.client.turned_away is None else f"{row.turned_away} x {row.client.turned_away}"
    return [row.client.name, row.client.format, *map(str, numbers), kept, away]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _options() -> argparse.Namespace:
    known = {client.name: client for client in clients()}
    parser = argparse.ArgumentParser("clients", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="CLIENT,...", default=",".join(known), help=", ".join(known))
    parser.add_argument("--verbose", action="store_true", help="print what clients and gateway said")
    options = parser.parse_args()
    names = options.only.split(",")
    if unknown := [name for name in names if name not in known]:
        parser.error(f"no such client: {', '.join(unknown)}; there are {', '.join(known)}")
    options.only = [known[name] for name in names]
    return options


if __name__ == "__main__":
    sys.exit(main())
