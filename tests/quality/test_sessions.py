"""Generated sessions are what clients send, and hold what is planted where it is said to be."""

from __future__ import annotations

from collections import Counter

import pytest

from gateway.core.conversation import Conversation
from quality.probing import Forwarded, all_stand
from quality.rows import rows
from quality.sessions import COMBOS, POSITIONS, Combo, Session, deal, session
from wired import WIRE, chat, words

SEED = 3
DEALT = deal(rows(), SEED)
SESSIONS = {combo: session(combo, SEED, DEALT[combo]) for combo in COMBOS}


def problems(made: Session) -> list[str]:
    """Return what the vendor would refuse about it."""
    raws = WIRE.read(chat(made.messages)).messages
    return list(WIRE.problems(Conversation(tuple(WIRE.message(raw, words) for raw in raws))))


def test_every_row_is_dealt_once() -> None:
    """No phrasing is left out, in either language."""
    dealt = Counter(row.id for some in DEALT.values() for row in some)
    assert dealt == Counter(row.id for row in rows())


@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_a_session_is_what_a_client_sends(combo: Combo) -> None:
    """The vendor accepts it, it ends with a question, and has between 20 and 400 turns."""
    made = SESSIONS[combo]
    assert problems(made) == []
    assert made.messages[-1]["role"] == "user"
    assert 20 <= sum(message["role"] == "user" for message in made.messages) <= 400


@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_what_is_planted_is_there(combo: Combo) -> None:
    """In the session as it came every row is found, at the message that it is said to be in."""
    made = SESSIONS[combo]
    whole = Forwarded(made.messages)
    for planted in made.planted:
        assert whole.holds(planted), planted.row.id
        if planted.row.type != "revoked":
            assert planted.text in whole.texts[planted.since], planted.row.id


@pytest.mark.parametrize("combo", COMBOS, ids="-".join)
def test_a_replaced_statement_comes_first(combo: Combo) -> None:
    """Nothing is corrected before it is said."""
    made = SESSIONS[combo]
    whole = Forwarded(made.messages)
    for planted in made.planted:
        if planted.stale:
            said = next(n for n, text in enumerate(whole.texts) if all_stand(planted.stale, text))
            assert said < planted.since, planted.row.id


def test_a_seed_makes_one_session() -> None:
    """What was measured can be measured again; another seed has other values, few short ones aside."""
    combo = COMBOS[0]
    assert session(combo, SEED, DEALT[combo]) == SESSIONS[combo]
    other = session(combo, SEED + 1, DEALT[combo])
    same = {p.text for p in other.planted} & {p.text for p in SESSIONS[combo].planted}
    assert len(same) <= 0.05 * len(other.planted)


def test_things_are_said_early_in_the_middle_and_late() -> None:
    """No third of the sessions is left out."""
    found = Counter(planted.position for made in SESSIONS.values() for planted in made.planted)
    assert all(found[position] >= 0.2 * found.total() for position in POSITIONS)


def test_filler_is_varied() -> None:
    """Nine of ten tool results and answers of a session stand in it once: nothing is repeated to fill it."""
    for made in SESSIONS.values():
        long = [text for text in Forwarded(made.messages).texts if len(text) > 60]
        assert len(set(long)) >= 0.9 * len(long)


def test_sessions_are_sent_at_valid_lengths() -> None:
    """A client never sends a list that ends within a round."""
    for made in SESSIONS.values():
        for length in made.sendable():
            assert made.messages[length - 1]["role"] in ("user", "tool")
        assert made.sendable()[-1] == len(made.messages)
