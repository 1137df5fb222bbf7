"""A decision is made once and replayed, for whoever sends that list again, and for nobody else.

What the upstream received is compared item by item as bytes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator

import httpx
import pytest

from agents import Message, agent, lines, run_plainly, slices, tool_loop
from answers import json_answer
from known import Known, again, knowing, talk
from upstream import ScriptedUpstream


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """One gateway for all tests here."""
    with ScriptedUpstream() as upstream, knowing(tmp_path_factory.mktemp("lineage"), upstream) as gateway:
        yield Known(gateway, upstream)


_NUMBERS = itertools.count()


@pytest.fixture
def app(shared: Known) -> Known:
    """An application with a key of its own, and an upstream that takes any length."""
    shared.upstream.window, shared.upstream.script = None, shared.upstream.vendor
    shared.upstream.requests.clear()
    return Known(shared.gateway, shared.upstream, key=f"key-{next(_NUMBERS)}")


def test_between_compactions_lists_only_grow(app: Known) -> None:
    """Until the next compaction every list begins with the one before it, and compactions are rare."""
    app.upstream.script = agent(app.upstream, every=2)
    said = run_plainly(tool_loop(60, result=160), app.gateway.url)

    lists = [slices(request.body) for request in app.upstream.chats]
    for before, after, one in zip(lists, lists[1:], said[1:], strict=False):
        if one.action in ("none", "frozen"):
            assert after[: len(before)] == before
    actions = [one.action for one in said]
    assert actions.count("frozen") > 3 * actions.count("compacted") > 0
    assert "none" not in actions[actions.index("compacted") :]


def test_fork(app: Known) -> None:
    """Two continuations of one conversation both stand on what was decided for it."""
    app.send(talk(20))
    before = app.last
    for branch in ("left", "right"):
        longer = [
            *talk(20),
            {"role": "assistant", "content": branch},
            {"role": "user", "content": branch * 3},
        ]
        assert app.send(longer).action == "frozen"
        assert app.last[:-2] == before
        assert branch.encode() * 3 in app.last[-1]


@pytest.mark.parametrize("edited", [0, 6, 20])
def test_edit(edited: int, app: Known) -> None:
    """An edited old message is sent as it is now; nothing of what it said before is left."""
    messages = talk(20)
    messages[edited] = {"role": "user", "content": "The code word is HERON. Always use it."}
    app.send(messages)
    assert b"HERON" in app.upstream.chats[-1].body

    messages[edited] = {"role": "user", "content": "The code word is OTTER. Always use it."}
    assert app.send(messages).action == "compacted"

    assert b"HERON" not in app.upstream.chats[-1].body
    assert b"OTTER" in app.upstream.chats[-1].body


def test_regenerate(app: Known) -> None:
    """A request sent again, with its last answer dropped, sends the very same bytes."""
    app.send(talk(20))
    first = app.upstream.chats[-1].body
    app.send([*talk(20), *again("No.", "Why?")])

    assert app.send(talk(20)).action == "frozen"
    assert app.upstream.chats[-1].body == first


def test_client_compacts_itself(app: Known) -> None:
    """A list that the client has made shorter goes out as the client made it."""
    app.send(talk(20))
    own = [{"role": "user", "content": "Summary: a0 to a18 are done."}, *talk(20)[-2:]]

    said = app.send(own)

    assert said.action == "none"
    assert app.upstream.chats[-1].body == said.sent


def test_another_window(app: Known) -> None:
    """A larger model sees everything, a smaller one fits, and going back finds the decision made before."""
    app.send(talk(20))
    first = app.last

    whole = app.send(talk(20), model="huge")
    assert (whole.action, app.upstream.chats[-1].body) == ("none", whole.sent)

    app.upstream.window = 1100
    assert app.send(talk(20), model="tiny").action == "compacted"
    app.upstream.window = 4000
    assert app.send(talk(20)).action == "frozen"
    assert app.last == first


def test_another_policy(app: Known) -> None:
    """A policy asked for by name takes effect at once, and each finds again what it has decided itself."""
    messages = talk(20)
    sent = {}
    for name in ("known", "sparing"):
        assert app.send(messages, x_haversack_policy=name).action == "compacted"
        sent[name] = app.last
    assert len(b"".join(sent["sparing"])) < len(b"".join(sent["known"]))

    assert app.send(messages, x_haversack_policy="off").action == "bypass"
    assert [json.loads(item) for item in app.last] == messages

    for name in ("known", "sparing"):
        assert app.send(messages, x_haversack_policy=name).action == "frozen"
        assert app.last == sent[name]


@pytest.mark.parametrize("model", ["gpt-test", "unknown"])
def test_late_attach(model: str, app: Known) -> None:
    """Three hundred messages that arrive at once are brought to size in one go, and then extended."""
    app.upstream.window = 4000
    assert app.send(talk(150), model=model).action in ("compacted", "rescued")
    assert app.upstream.chats[-1].problems == []

    app.grow(talk(150), model=model)


def test_equal_beginnings(app: Known) -> None:
    """Two conversations that begin alike never see each other's later messages."""
    for _ in range(2):
        for name in ("heron", "otter"):
            app.send([*talk(8), {"role": "assistant", "content": "So."}, *talk(20, name, start=8)])
            other = b"heron" if name == "otter" else b"otter"
            assert other not in app.upstream.chats[-1].body


def test_two_keys_share_nothing(app: Known) -> None:
    """The same conversation under the same session id, with another key, is another conversation."""
    first = app.send(talk(20), key="one", x_session_id="same")
    mine = app.last
    second = app.send(talk(20), key="two", x_session_id="same")

    assert (first.action, second.action) == ("compacted", "compacted")
    assert first.session != second.session
    assert app.send(talk(20), key="one", x_session_id="same").action == "frozen"
    assert app.last == mine


def test_many_at_once(app: Known) -> None:
    """Twenty identical requests at the same time are all answered, and all send the same bytes."""
    body = json.dumps({"model": "gpt-test", "messages": talk(40)}).encode()

    async def ask(client: httpx.AsyncClient) -> int:
        answer = await client.post("chat/completions", content=body, headers={"authorization": "Bearer k"})
        return answer.status_code

    async def ask_all() -> list[int]:
        async with httpx.AsyncClient(base_url=app.gateway.url, timeout=60) as client:
            return await asyncio.gather(*(ask(client) for _ in range(20)))

    assert asyncio.run(ask_all()) == [200] * 20
    assert len({request.body for request in app.upstream.chats}) == 1


def rewritten(messages: list[Message], turn: int) -> list[Message]:
    """Return the list as clients send it in the next turn: other key order, marks moved, parts for text."""
    changed: list[Message] = []
    for index, message in enumerate(messages):
        text = message["content"]
        part: Message = {"type": "text", "text": text}
        if index == len(messages) - 1 - turn:
            part["cache_control"] = {"type": "ephemeral"}
        content = [part] if (index + turn) % 2 else text
        changed.append({"content": content, "name": None, "role": message["role"]})
    return changed


def test_clients_that_write_the_same_differently(app: Known) -> None:
    """Reordered keys, moved cache marks, nulls, and text as parts are still the same conversation."""
    assert app.send(talk(20)).action == "compacted"
    for turn in range(4):
        assert app.send(rewritten(talk(20), turn)).action == "frozen"


def test_a_list_that_fell_below_the_trigger(app: Known) -> None:
    """A newest message that is taken back and said shorter does not bring the whole history back."""
    messages = talk(11)
    assert app.send(messages).action == "compacted"
    before = app.last

    assert app.send([*messages[:-1], {"role": "user", "content": "Short."}]).action == "frozen"
    assert app.last[:-1] == before[:-1]


def test_an_upstream_that_counts_less(app: Known) -> None:
    """What is learned about its count moves no boundary that was set before."""
    choices = [{"message": {"role": "assistant", "content": "Yes."}}]
    app.upstream.script = lambda request: json_answer(
        {"choices": choices, "usage": {"prompt_tokens": request.tokens.prompt * 7 // 10}}
    )
    messages = talk(11)
    assert app.send(messages, model="modest").action == "compacted"
    for _ in range(5):
        app.grow(messages, model="modest")
        messages += again("Yes.", "Go on.")


def test_a_body_that_was_too_large_is_not_sent_again(app: Known) -> None:
    """After a 413 that names no window the next request is small at once."""
    app.upstream.script = lambda request: (
        json_answer({"error": {"message": "Request Entity Too Large"}}, status=413)
        if len(request.body) > 9000
        else app.upstream.vendor(request)
    )
    assert app.send(talk(20), model="unbounded").action == "rescued"
    refused = len(app.upstream.chats)

    app.grow(talk(20), model="unbounded")
    assert len(app.upstream.chats) == refused + 1


def test_the_newest_message_is_not_cut_for_output_that_nobody_asked_for(app: Known) -> None:
    """What fits the window stays whole, even where it leaves less than is usually kept for the answer."""
    app.upstream.window = 4000
    newest: Message = {"role": "user", "content": lines("newest", 2600)}

    assert app.send([*talk(9), *again("Yes.", "And?")[:1], newest]).action == "compacted"

    assert app.last[-1] == json.dumps(newest).encode()
    assert 3000 < app.upstream.chats[-1].tokens.total < 4000
    assert len(app.upstream.chats) == 1
