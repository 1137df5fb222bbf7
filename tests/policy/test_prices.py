"""The price file: what it may say, what is said of its mistakes, and the one that is shipped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.core.prices import Price
from gateway.engine.economics import cost
from gateway.policy.prices import load_prices, read_prices
from gateway.wire.base import Usage

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
SHIPPED = ROOT / "gateway" / "policy" / "prices.yaml"


def problems(text: str) -> list[str]:
    """Return what is wrong with a price file."""
    with pytest.raises(ConfigError) as caught:
        read_prices(text.encode(), "prices.yaml")
    return caught.value.problems


def test_row_is_read() -> None:
    """A row says what its author knows, in numbers with or without a point."""
    rows = read_prices(
        b"gpt-4.1*: {input: 2, cached_input: 0.50, output: 8}\nlocal-*: {input: 0, output: 0}", "f"
    )

    assert rows == {"gpt-4.1*": Price(input=2, cached_input=0.5, output=8), "local-*": Price()}


def test_everything_wrong_is_told_at_once_with_its_place() -> None:
    """A wrong file is answered with file, line, path and a hint for each thing that is wrong with it."""
    text = "gpt-4.1*: {input: 2, ouput: 8}\nother: 3\nthird: {input: -1, output: many}\n"

    assert problems(text) == [
        "prices.yaml:1: gpt-4.1*.ouput: is not known here; did you mean output?",
        "prices.yaml:1: gpt-4.1*: has no `output`: what a million tokens cost, in USD",
        "prices.yaml:2: other: expects keys and values, not 3; known are: cache_write, cached_input, "
        "input, output",
        "prices.yaml:3: third.output: expects a number, not 'many'",
        "prices.yaml:3: third.input: must not be negative, got -1.0",
    ]


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is a problem of the start, not of a request."""
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot be read: No such file.*; name a file that"):
        load_prices(tmp_path / "nowhere.yaml")


def test_own_rows_come_first(tmp_path: Path) -> None:
    """A file of one's own corrects a shipped row and adds others; what it does not name stays."""
    file = tmp_path / "own.yaml"
    file.write_text("gpt-4o*: {input: 1, output: 2}\nour-*: {input: 9, output: 9}\n")
    prices = load_prices(file)

    found = {model: prices.of(model) for model in ("gpt-4o-mini", "our-model", "gpt-4.1")}
    assert {model: price and price.input for model, price in found.items()} == {
        "gpt-4o-mini": 1,
        "our-model": 9,
        "gpt-4.1": 2,
    }


@pytest.mark.parametrize(
    ("model", "row"),
    [
        ("gpt-4o", Price(input=2.5, cached_input=1.25, output=10)),
        ("gpt-4o-mini-2024-07-18", Price(input=0.15, cached_input=0.075, output=0.6)),
        ("gpt-4.1-mini", Price(input=0.4, cached_input=0.1, output=1.6)),
        ("gpt-5", Price(input=1.25, cached_input=0.125, output=10)),
        ("anthropic/claude-haiku-4.5", Price(input=1, cached_input=0.1, cache_write=1.25, output=5)),
        ("gpt-4o-audio-preview", None),
        ("gpt-5-pro", None),
        ("o3-pro", None),
    ],
)
def test_shipped_rows_are_those_of_the_vendors(model: str, row: Price | None) -> None:
    """A well-known model has its vendor's price; one that costs otherwise has none, not a wrong one."""
    assert load_prices().of(model) == row


def test_readme_shows_a_file_that_can_be_used() -> None:
    """What the README shows of a price file is one."""
    [shown] = re.findall(r"^```\n(gpt-4o\*.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert list(read_prices(shown.encode(), "README.md")) == ["gpt-4o*", "claude-*", "our-*"]


def test_money_in_the_readmes_log_lines_is_what_the_shipped_rows_say() -> None:
    """Who works out an example from the table comes to its amount."""
    lines = re.findall(r"^\d\d:\d\d:\d\d .* billed_usd=.*$", README.read_text(), re.MULTILINE)

    assert lines
    for line in lines:
        said = dict(re.findall(r"(\w+)=(\S+)", line))
        price = load_prices().of(said["model"])
        assert price is not None
        usage = Usage(
            int(said["input_tokens"]), int(said["output_tokens"]), int(said.get("tokens_cached", 0))
        )
        assert float(said["billed_usd"]) == round(cost(usage, price), 6)


def test_shipped_rows_say_when_they_were_true() -> None:
    """Each row has its date, so that its reader knows how old it is."""
    rows = [line for line in SHIPPED.read_text().splitlines() if line and not line.startswith("#")]

    assert rows
    assert [row for row in rows if not re.search(r"# 20\d\d-[01]\d", row)] == []
