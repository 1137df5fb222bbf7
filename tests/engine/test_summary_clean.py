"""Another vendor's summariser gets no secret to read; the client's own reads what it was sent anyway."""

from __future__ import annotations

from typing import Any

import pytest

from engine.summarising import GOOD, TALK, Scripted, bench, calling, chatted, job, returned, ruled
from gateway.core.conversation import Message
from gateway.core.frozen import replace
from gateway.engine.summary_clean import clean_messages
from gateway.strategies.piece import Piece
from wired import words

TOKEN = "sk-proj-0123456789abcdefghij0123"
PASSWORD = "hunter2!x"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 3 + "-----END PRIVATE KEY-----"
TELLING: tuple[Message, ...] = (
    *TALK,
    chatted("user", f"Use the key {TOKEN}. The port is 8443."),
    calling("c9", "log_in", f'{{"user": "ada", "password": "{PASSWORD}"}}'),
    returned("c9", f"Welcome.\n{KEY}"),
)
ELSEWHERE = "http://small/v1"
CHAT = "Sure! Shall I also commit the change? Let me know what you prefer."


def prompts(policy: dict[str, Any], **changes: Any) -> str:
    """Return all that a summariser got to read that has to be asked twice."""
    client, other = Scripted(CHAT, GOOD), Scripted(CHAT, GOOD)
    with bench() as made:
        made.others[ELSEWHERE] = other
        assert made.write(job(client, ruled(**policy), TELLING, **changes))
    calls = [*client.calls, *other.calls]
    assert len(calls) == 2
    return "\n".join(text for call in calls for text in call.texts)


def test_other_vendor_gets_no_secret() -> None:
    """Not from what users say, nor from calls and results, the earlier summary or the repair."""
    told = prompts({"upstream": ELSEWHERE}, previous=f"{GOOD}\n- The token is {TOKEN}.", ask=f"Use {TOKEN}.")

    assert not [secret for secret in (TOKEN, PASSWORD, "MIIEvQ") if secret in told]
    assert told.count("[redacted: ") >= 4
    assert "8443" in told
    assert '"user": "ada"' in told


@pytest.mark.parametrize("policy", [{}, {"upstream": ELSEWHERE, "redact": False}])
def test_own_vendor_and_who_wants_it_so_read_all(policy: dict[str, Any]) -> None:
    """The client's upstream was sent it already; a policy may say that another one is trusted as well."""
    told = prompts(policy)

    assert all(secret in told for secret in (TOKEN, PASSWORD, "MIIEvQ"))


def test_piece_is_cleaned_as_well() -> None:
    """What is written of a turn or a run of calls goes to the same model."""
    other = Scripted("The assistant called log_in for ada.")
    piece = Piece("calls", TELLING[-2:], 60, ask=f"Log in with {TOKEN}.")
    with bench() as made:
        made.others[ELSEWHERE] = other
        made.write(job(Scripted(""), ruled(upstream=ELSEWHERE), piece.messages, piece=piece, ask=piece.ask))

    told = "\n".join(text for call in other.calls for text in call.texts)
    assert "log_in" in told
    assert not [secret for secret in (TOKEN, PASSWORD, "MIIEvQ") if secret in told]


def test_half_of_a_secret_is_none() -> None:
    """A long result is cleaned before its middle is cut out of it, in which the beginning of a key may go."""
    long = returned("c9", "\n".join(["line"] * 30 + [KEY] + ["line"] * 30))

    (cleaned,) = clean_messages((long,), words)

    assert "MIIEvQ" not in cleaned.blocks[0].text
    assert cleaned.blocks[0].tokens == words(cleaned.blocks[0].text)
    assert cleaned.tokens - long.tokens == cleaned.blocks[0].tokens - long.blocks[0].tokens
    assert clean_messages(TALK, words) == TALK
    assert cleaned == replace(long, blocks=cleaned.blocks, tokens=cleaned.tokens)
