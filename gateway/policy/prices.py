"""The price table: the shipped file, and before it a file of the user's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from gateway.core.errors import ConfigError
from gateway.core.prices import Price, Prices
from gateway.policy.document import MAX_BYTES, Source, in_order, parse
from gateway.policy.values import check, fill

_REQUIRED = ("input", "output")
"""What a row must say; the rest follows from it."""


def load_prices(own: Path | None = None) -> Prices:
    """Return the shipped prices with those of *own* before them. Raise ConfigError with all problems."""
    rows: dict[str, Price] = {}
    if own is not None:
        try:
            with own.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            way_out = "name a file that the user who runs the gateway may read, or leave --prices out"
            raise ConfigError([f"{own}: cannot be read: {error.strerror}; {way_out}"]) from error
        rows = read_prices(data, str(own))
    shipped = read_prices(files("gateway.policy").joinpath("prices.yaml").read_bytes(), "prices.yaml")
    return Prices({**rows, **{glob: price for glob, price in shipped.items() if glob not in rows}})


def read_prices(data: bytes, label: str) -> dict[str, Price]:
    """Return the rows of a price file, by glob. Raise ConfigError with all problems, each at its place."""
    source = Source(label)
    given = parse(data, source)
    rows = {glob: _row(values, glob, source) for glob, values in given.items()}
    if source.problems:
        raise ConfigError([str(problem) for problem in in_order(source.problems)])
    return rows


def _row(given: object, glob: str, source: Source) -> Price:
    # The glob may hold dots and brackets, so that the place in the row is looked up by the row's own path.
    price = fill(Price(), given, glob, source)
    if isinstance(given, dict):
        for key in _REQUIRED:
            if key not in given:
                source.report(glob, f"has no `{key}`: what a million tokens cost, in USD")
    check(price, glob, source)
    return price
