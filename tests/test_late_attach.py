"""A gateway that is put before a conversation of any length: the first list it ever sees is far too long.

On real sockets, before an upstream that refuses what does not fit its window. The conversations are
generated, with what users want kept planted all over them.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

import httpx
import pytest

import vendor
from agents import post
from answers import Recorded
from quality.probing import Forwarded
from quality.rows import rows
from quality.sessions import Combo, Planted, Session, deal, sized
from running import Running
from upstream import ScriptedUpstream

WINDOW = 32_000
MESSAGES = 400
TOKENS = 141_000
SEED = 11

COMBOS: tuple[Combo, ...] = (("coding", "en"), ("research", "zh"))

POLICY = f"extends: mechanical\nwindows: {{known: {WINDOW}}}\n"


def tokens(session: Session) -> int:
    """Return what the vendor would count."""
    return vendor.count({"messages": list(session.messages)}).messages


@cache
def conversation(combo: Combo) -> Session:
    """Return a conversation of that length."""
    return sized(combo, SEED, deal(rows(), SEED)[combo], MESSAGES, TOKENS, tokens)


@cache
def attached(combo: Combo, model: str) -> tuple[str, Recorded]:
    """Send the whole conversation as the first request of a new gateway; return what was done and sent."""
    body = json.dumps({"model": model, "messages": conversation(combo).messages}, ensure_ascii=False).encode()
    with tempfile.TemporaryDirectory() as name, ScriptedUpstream(window=WINDOW) as upstream:
        folder = Path(name)
        (folder / "policies").mkdir()
        (folder / "policies" / "late.yaml").write_text(POLICY)
        flags = ("--policies", str(folder / "policies"), "--policy", "late")
        with (
            Running(upstream.url, folder / "data", *flags) as gateway,
            httpx.Client(base_url=gateway.url, timeout=60) as client,
        ):
            said = post(client, body)
        return said.action, upstream.chats[-1]


def lost(made: Session, request: Recorded) -> list[Planted]:
    """Return what was planted to survive and is not in a request."""
    forwarded = Forwarded(request.messages)
    return [one for one in made.planted if not one.row.is_decoy and not forwarded.holds(one)]


@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_conversation_is_as_long_as_it_is_said_to_be(combo: Combo) -> None:
    """Four hundred messages and 141,000 tokens, within two percent, with forty things to remember."""
    made = conversation(combo)
    assert abs(len(made.messages) - MESSAGES) <= 0.02 * MESSAGES
    assert abs(tokens(made) - TOKENS) <= 0.02 * TOKENS
    assert sum(not planted.row.is_decoy for planted in made.planted) >= 40


@pytest.mark.parametrize("model", ["known", "unknown"])
@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_it_fits_and_is_valid(combo: Combo, model: str) -> None:
    """The client gets an answer; what went out fits, and no call is without its result."""
    action, request = attached(combo, model)
    assert action == ("compacted" if model == "known" else "rescued")
    assert request.status == 200
    assert request.tokens.total <= WINDOW
    assert request.problems == []
    assert request.messages[-1] == conversation(combo).messages[-1]


@pytest.mark.parametrize("model", ["known", "unknown"])
@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_all_that_matters_is_there(combo: Combo, model: str) -> None:
    """Every rule, limit, value, preference, goal, decision and open task of the 400 messages went out."""
    _, request = attached(combo, model)
    assert [planted.text for planted in lost(conversation(combo), request)] == []
