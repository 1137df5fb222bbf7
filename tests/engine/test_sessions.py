"""Whose state a request may use, and what its conversation is called."""

from __future__ import annotations

import base64
import json

import pytest

from gateway.engine.sessions import AGENT, ID_LENGTH, PARENT_AGENT, open_scope, session


def token(payload: object, signature: str = "sig") -> str:
    """Return a JSON Web Token with that payload."""
    text = base64.urlsafe_b64encode(json.dumps(payload).encode()).rstrip(b"=").decode()
    return f"head.{text}.{signature}"


def test_two_keys_never_share() -> None:
    """Each key has a scope of its own, which is the same each time and does not show the key."""
    assert open_scope("sk-one") == open_scope("sk-one")
    assert open_scope("sk-one") != open_scope("sk-two")
    assert "sk-one" not in open_scope("sk-one")


def test_no_key_has_a_scope_too() -> None:
    """Programs that send no key share what they have: nobody tells them apart."""
    assert open_scope("") == "open"


def test_refreshed_token_keeps_the_scope() -> None:
    """A token that is renewed every hour for the same person finds the state of the one before."""
    first = token({"iss": "i", "sub": "me", "exp": 1}, "a")
    second = token({"iss": "i", "sub": "me", "exp": 2}, "b")

    assert open_scope(first) == open_scope(second)


@pytest.mark.parametrize("other", [{"iss": "i", "sub": "you"}, {"iss": "j", "sub": "me"}])
def test_tokens_of_two_people_never_share(other: dict[str, str]) -> None:
    """Another subject, or the same name at another issuer, is somebody else."""
    assert open_scope(token({"iss": "i", "sub": "me"})) != open_scope(token(other))


@pytest.mark.parametrize(
    "payload", [{"iss": "i"}, {"sub": "me"}, {"iss": "", "sub": "me"}, ["iss", "sub"], "text"]
)
def test_token_that_names_nobody_counts_as_it_stands(payload: object) -> None:
    """Without issuer and subject two tokens are two keys."""
    assert open_scope(token(payload, "a")) != open_scope(token(payload, "b"))


@pytest.mark.parametrize("credential", ["a.b.c", "a.ä.c", "a.bm90IGpzb24.c", "a..c", "one.two"])
def test_key_with_dots_is_a_key(credential: str) -> None:
    """What only looks like a token is a key like any other."""
    assert open_scope(credential) not in ("open", open_scope(credential + "x"))


def test_header_names_the_session() -> None:
    """A client that names its conversation gets that name, hashed and of one length."""
    named = session("scope", [(b"x-session-id", b"a" * 10_000)], None)

    assert named.strong
    assert len(named.id) == ID_LENGTH
    assert named == session("scope", [(b"x-session-id", b"a" * 10_000)], None)
    assert named.id != session("scope", [(b"x-session-id", b"b")], None).id


def test_same_name_under_another_key_is_another_session() -> None:
    """Names are the client's own; two clients may use the same."""
    headers = [(b"x-session-id", b"1")]

    assert session("one", headers, None).id != session("two", headers, None).id


def test_order_of_the_headers_decides() -> None:
    """Of several names the most specific one counts, wherever the client put it."""
    both = [(b"session_id", b"2"), (b"x-session-id", b"1")]

    assert session("s", both, None) == session("s", [(b"x-session-id", b"1")], None)
    assert session("s", both, None, names=(b"session_id",)) == session("s", [(b"session_id", b"2")], None)


def test_same_value_of_another_header_is_another_session() -> None:
    """A thread and a session that happen to have one number are not one conversation."""
    assert session("s", [(b"thread-id", b"1")], None).id != session("s", [(b"session_id", b"1")], None).id


def test_empty_header_names_nothing() -> None:
    """A header without a value is passed over."""
    assert not session("s", [(b"x-session-id", b"")], None).strong


def test_base_url_goes_before_headers() -> None:
    """Who puts a session into the base URL means it for every request."""
    with_path = session("s", [(b"x-session-id", b"1")], "work")

    assert with_path.strong
    assert with_path == session("s", [], "work")
    assert with_path.id != session("s", [(b"x-session-id", b"work")], None).id


def test_sub_agents_are_told_apart() -> None:
    """Agents that share the session of their parent have conversations of their own."""
    parent = (b"x-claude-code-session-id", b"1")
    ids = {
        session("s", [parent, *agent], None).id
        for agent in ([], [(b"x-claude-code-agent-id", b"a")], [(b"x-claude-code-agent-id", b"b")])
    }

    assert len(ids) == 3


def test_conversation_without_a_name_is_called_by_its_beginning() -> None:
    """Requests that begin alike are shown together, as a guess: nothing is restored by it."""
    first = session("s", [], None, [b"one", b"two"])

    assert not first.strong
    assert first == session("s", [(b"user-agent", b"x")], None, [b"one", b"two"])
    assert first.id != session("s", [], None, [b"one"]).id


PARENT, CHILD = b"0199-parent", b"0199-child"


@pytest.mark.parametrize(
    ("parent", "child"),
    [
        (  # codex: everything but the thread is shared with a sub-agent
            [(b"session-id", PARENT), (b"thread-id", PARENT), (b"x-client-request-id", PARENT)],
            [(b"session-id", PARENT), (b"thread-id", CHILD), (b"x-codex-parent-thread-id", PARENT)],
        ),
        (  # opencode: a sub-agent has an id of its own, and names its parent
            [(b"x-session-id", PARENT), (b"x-session-affinity", PARENT)],
            [(b"x-session-id", CHILD), (b"x-session-affinity", CHILD), (b"x-parent-session-id", PARENT)],
        ),
        (  # Claude Code: the session is shared, the agent is not
            [(b"x-claude-code-session-id", PARENT)],
            [(b"x-claude-code-session-id", PARENT), (b"x-claude-code-agent-id", CHILD)],
        ),
    ],
)
def test_real_agents_and_their_sub_agents_have_sessions_of_their_own(
    parent: list[tuple[bytes, bytes]], child: list[tuple[bytes, bytes]]
) -> None:
    """As codex, opencode and Claude Code were seen to name them, and each the same in every request."""
    one, other = session("s", parent, None), session("s", child, None)

    assert one.strong
    assert other.strong
    assert one.id != other.id
    assert one == session("s", [*parent, (b"x-codex-turn-state", b"2")], None)
    assert (one.parent, other.parent) == ("", one.id)


def test_sub_agent_of_a_sub_agent_names_whom_it_works_for() -> None:
    """Not the session that all of them share, but the agent that started it."""
    shared = (b"x-claude-code-session-id", PARENT)
    first = session("s", [shared, (AGENT, b"a")], None)
    second = session("s", [shared, (AGENT, b"b"), (PARENT_AGENT, b"a")], None)

    assert second.parent == first.id
    assert session("s", [(b"session_id", b"1"), (b"x-parent-session-id", b"2")], None).parent == ""


def test_pi_names_its_session() -> None:
    """pi's header has an underscore, and a request id that is the same in all requests of a session."""
    named = session("s", [(b"session_id", b"1"), (b"x-client-request-id", b"1")], None)

    assert named.strong
    assert named == session("s", [(b"session_id", b"1"), (b"x-client-request-id", b"2")], None)
