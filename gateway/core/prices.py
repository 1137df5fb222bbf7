"""What a model's tokens cost, and what an answer cost by what its upstream says it spent.

All prices are in USD per million tokens, as vendors state them. The table is data (`policy/prices.yaml`);
here is only how a row is found and used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gateway.core.windows import bare

MILLION = 1_000_000

_MAX_KNOWN = 1024
"""Names of models whose row is remembered; clients choose the names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one model's tokens cost, in USD per million."""

    input: float = 0.0
    """Input that no cache had."""
    output: float = 0.0
    """Output, reasoning included."""
    cached_input: float | None = None
    """Input read from the provider's prompt cache; without it, `input` at most."""
    cache_write: float | None = None
    """Input written to the prompt cache, where that costs extra; without it, as other input."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the values."""
        for name in ("input", "output", "cached_input", "cache_write"):
            value = getattr(self, name)
            if value is not None and value < 0:
                yield f"{name} must not be negative, got {value}"
        if self.cached_input is not None and self.cached_input > self.input:
            yield f"cached_input must not be above input ({self.input}), got {self.cached_input}"

    @property
    def read(self) -> float:
        """What a token from the cache costs, at most."""
        return self.input if self.cached_input is None else self.cached_input

    @property
    def read_least(self) -> float:
        """What a token from the cache costs, at least."""
        return self.cached_input or 0.0

    @property
    def written(self) -> float:
        """What a token written to the cache costs."""
        return self.input if self.cache_write is None else self.cache_write


class Prices:
    """The prices of all models that somebody has named, by glob; the first that matches counts."""

    def __init__(self, rows: Mapping[str, Price]) -> None:
        self._rows = rows
        self._known: dict[str, Price | None] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, model: str) -> Price | None:
        """Return the price of a model; None if nobody has named it.

        A glob is compared with the name as the client gives it, and with the name less what providers put
        around it.

        >>> Prices({"gpt-4o*": Price(input=2.5, output=10)}).of("openai/gpt-4o-2024-08-06").input
        2.5
        """
        if model in self._known:
            return self._known[model]
        names = (model.lower(), bare(model))
        price = next(
            (price for glob, price in self._rows.items() if any(fnmatchcase(n, glob.lower()) for n in names)),
            None,
        )
        if len(self._known) < _MAX_KNOWN:
            self._known[model] = price
        return price
