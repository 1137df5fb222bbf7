"""The README's table of clients is that of the rows: whoever adds a row learns that it is missing there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clients.catalogue import Client, clients
from gateway.engine.sessions import HEADERS

README = (Path(__file__).parents[2] / "README.md").read_text()
SECTION = README.partition("\n## Works with\n")[2].partition("\n## ")[0]
ROWS = {name: row for row, name in re.findall(r"^(\| .*\| `(\w+)` \|.*)$", SECTION, re.MULTILINE)}
FORMATS = {
    "openai_chat": "Chat Completions",
    "openai_responses": "Responses",
    "anthropic_messages": "Messages",
}


def test_readme_has_each_client_and_no_other() -> None:
    """Who works is what `make clients` drives, and nothing is claimed beyond that table."""
    assert set(ROWS) == {client.name for client in clients()}


@pytest.mark.parametrize("client", clients(), ids=lambda client: client.name)
def test_readme_says_how_a_client_is_driven(client: Client) -> None:
    """A user copies the very setting that the row was driven with, and reads which format it speaks."""
    row = ROWS[client.name]
    assert f"`{client.pointing}`" in row
    assert f"| {FORMATS[client.format]} |" in row


def test_readme_names_the_headers_that_name_a_conversation() -> None:
    """Every header that a session is named by without a setting is in the section on clients."""
    assert [name for name in map(bytes.decode, HEADERS) if f"`{name}`" not in SECTION] == []
