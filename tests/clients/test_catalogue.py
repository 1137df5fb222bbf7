"""Every client's folder holds what driving it takes, and its row can be believed."""

from __future__ import annotations

import json
import re

import pytest

from clients.catalogue import HERE, SHOWN, Client, clients
from gateway.wire import WIRE_FORMATS

LOWEST = 0.75
"""The share of requests that must begin as the one before, where nothing is said beside it."""

ALL = pytest.mark.parametrize("client", clients(), ids=lambda client: str(client.name))


def test_each_folder_is_a_client() -> None:
    """No client is forgotten for want of its `client.toml`."""
    folders = {path.parent.name for path in HERE.glob("*/talk.*")}

    assert {client.name for client in clients()} == folders


@ALL
def test_its_script_is_there(client: Client) -> None:
    """What is run lies in its folder."""
    assert (client.folder / client.run[-1]).exists()


@ALL
def test_its_versions_are_pinned(client: Client) -> None:
    """What was measured can be had again: each package has one version."""
    text = client.needs.read_text()
    if client.kind == "npm":
        versions = list(json.loads(text)["dependencies"].values())
    else:
        versions = [line.partition("==")[2] for line in text.split()]
    assert versions
    assert all(re.fullmatch(r"[\d.]+", version) for version in versions)


@ALL
def test_it_speaks_a_format_of_the_gateway(client: Client) -> None:
    """Its row names a format as metrics and policies name it."""
    assert client.format in WIRE_FORMATS


@ALL
def test_its_row_says_how_to_point_it(client: Client) -> None:
    """A reader can do what the row says, without the harness."""
    assert SHOWN in client.pointing
    assert "{" not in client.pointing.replace("({", "")


@ALL
def test_it_asks_enough(client: Client) -> None:
    """Its plan leads to at least thirty requests, as the table demands."""
    needing = -(-client.questions // client.plan.every)

    assert client.questions + needing * client.plan.rounds >= 30


@ALL
def test_a_low_bar_has_its_reason(client: Client) -> None:
    """A client of which less is demanded says why on that line."""
    line = re.search(r"^stability = .*$", (client.folder / "client.toml").read_text(), re.MULTILINE)
    has_reason = line is not None and "  # " in line[0]

    assert client.stability >= LOWEST or has_reason
