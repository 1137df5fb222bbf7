"""Two messages are the same exactly if they mean the same: what clients vary is ignored, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.core.prefix import chain, digest, tagged

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

BODIES = sorted((Path(__file__).parent.parent / "wire" / "openai_chat").glob("*.json"))

TEXT = {"type": "text", "text": "x"}
MARK = {"type": "ephemeral"}


def of(message: Any) -> str:
    """Return the digest of a message, readable in a failed test."""
    return digest(json.dumps(message).encode()).hex()


def call(arguments: Any, **fields: Any) -> dict[str, Any]:
    """Return an assistant message with one call."""
    function = {"name": "f", "arguments": arguments}
    return {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        **fields,
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"role": "user", "content": "x"}, {"content": "x", "role": "user"}),
        ({"role": "system", "content": "x"}, {"role": "developer", "content": "x"}),
        ({"role": "user", "content": "x"}, {"role": "user", "content": [TEXT]}),
        ({"role": "user", "content": "x"}, {"role": "user", "content": [{**TEXT, "cache_control": MARK}]}),
        (
            {"role": "user", "content": [TEXT, TEXT]},
            {"role": "user", "content": [TEXT, TEXT | {"cache_control": MARK}]},
        ),
        ({"role": "user", "content": "x"}, {"role": "user", "content": "x", "cache_control": MARK}),
        ({"role": "assistant", "content": None}, {"role": "assistant"}),
        ({"role": "assistant", "content": ""}, {"role": "assistant"}),
        (
            {"role": "assistant", "content": []},
            {"role": "assistant", "content": [{"type": "text", "text": ""}]},
        ),
        (
            {"role": "assistant", "content": "x", "refusal": None, "annotations": []},
            {"role": "assistant", "content": "x"},
        ),
        (
            {"role": "assistant", "content": "x", "refusal": "", "tool_calls": []},
            {"role": "assistant", "content": "x"},
        ),
        ({"role": "assistant", "content": "x", "name": None}, {"role": "assistant", "content": "x"}),
        (call('{"a": 1, "b": [2]}'), call('{"b":[2],"a":1}')),
        (call("{}"), call("{}", content=None, refusal=None)),
        (call("{}"), call("{}", name="assistant")),
        (
            {"role": "developer", "content": "Be brief. It is 2026-11-28 23:41:43."},
            {"role": "system", "content": [TEXT | {"text": "Be brief. It is 2026-11-29 08:02:11."}]},
        ),
        (
            {"role": "assistant", "function_call": {"name": "f", "arguments": '{"a": 1}'}},
            {"role": "assistant", "content": None, "function_call": {"arguments": '{"a":1}', "name": "f"}},
        ),
        (
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [TEXT]}]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "x", "cache_control": MARK}
                ],
            },
        ),
        (
            {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "content": "x"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "x", "annotations": []}],
            },
        ),
        (
            {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'},
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "f",
                "arguments": '{"a":1}',
                "status": "completed",
            },
        ),
        (
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e", "content": None},
            {"type": "reasoning", "summary": [], "encrypted_content": "e"},
        ),
    ],
)
def test_what_clients_vary_makes_no_difference(one: Any, other: Any) -> None:
    """A conversation is recognised although its client wrote an old message another way this time."""
    assert of(one) == of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"role": "user", "content": "x"}, {"role": "system", "content": "x"}),
        ({"role": "user", "content": "x"}, {"role": "user", "content": "x "}),
        ({"role": "user", "content": "At 10:00."}, {"role": "user", "content": "At 11:00."}),
        ({"role": "system", "content": "Version 1."}, {"role": "system", "content": "Version 2."}),
        ({"role": "user", "content": [TEXT]}, {"role": "user", "content": [TEXT, TEXT]}),
        ({"role": "user", "content": [TEXT]}, {"role": "user", "content": [TEXT | {"citations": [1]}]}),
        ({"role": "user", "content": "x"}, {"role": "user", "content": "x", "name": ""}),
        ({"role": "assistant", "content": "x"}, {"role": "assistant", "content": "x", "name": "a"}),
        (
            {"role": "tool", "tool_call_id": "c1", "content": "x"},
            {"role": "tool", "tool_call_id": "c2", "content": "x"},
        ),
        (call('{"a":1}'), call('{"a":2}')),
        (call('{"a":1}'), call('{"a":1.0}')),
        (call('{"a":1}'), call({"a": 1})),
        (call('{"a":null}'), call("{}")),
        (call('{"cache_control":1}'), call("{}")),
        (call('{"a":1,"a":2}'), call('{"a":2}')),
        (call('{"a":1'), call('{"a":1 ')),
        (call("{}"), call("")),
        (
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {"id": None}}],
            },
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
        ),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t2", "name": "f", "input": {}}]},
        ),
        (
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s1"}]},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "s2"}]},
        ),
        ({"role": "assistant", "audio": {"id": "a1"}}, {"role": "assistant", "audio": {"id": "a2"}}),
        ({"type": "item_reference", "id": "m1"}, {"type": "item_reference", "id": "m2"}),
        ({"type": "reasoning", "id": "r1", "summary": []}, {"type": "reasoning", "id": "r2", "summary": []}),
        (
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
            {"type": "function_call", "call_id": "c2", "name": "f", "arguments": "{}"},
        ),
        (
            {"type": "mcp_approval_request", "id": "a1", "name": "f", "arguments": "{}"},
            {"type": "mcp_approval_request", "id": "a2", "name": "f", "arguments": "{}"},
        ),
        ({"type": "reasoning", "encrypted_content": "e1"}, {"type": "reasoning", "encrypted_content": "e2"}),
    ],
)
def test_what_means_something_else_is_something_else(one: Any, other: Any) -> None:
    """References, signatures, call ids and anything in a tool's arguments tell two messages apart."""
    assert of(one) != of(other)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every scalar and every empty container that counts."""
    if isinstance(value, dict) and value:
        ignored = {"cache_control", "name"} if "tool_calls" in value else {"cache_control"}
        for key, part in value.items():
            if key not in ignored:
                yield from leaves(part, (*path, key))
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path


def other(value: Any) -> Any:
    """Return a leaf that is not this one, of its type where there is another."""
    match value:
        case bool():
            return not value
        case str() if value.startswith("{"):
            return value.replace("}", ',"added":null}', 1) if '"' in value else '{"added":null}'
        case str():
            return value + "x"
        case int() | float():
            return value + 1
    return ["x"]


def changed(value: Any, path: tuple[str | int, ...]) -> Any:
    """Return the value with the leaf at *path* changed."""
    if not path:
        return other(value)
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:])
    return copy


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.stem)
def test_every_leaf_of_a_recorded_message_counts(path: Path) -> None:
    """Whatever leaf of a real message changes, the message is another one."""
    for message in json.loads(path.read_text())["messages"]:
        variants = [of(changed(message, leaf)) for leaf in leaves(message)]
        assert variants
        assert of(message) not in variants


LEAF = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(-1e9, 1e9).map(lambda number: round(number, 3))
    | st.text()
)
NESTED = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


@untimed
@given(
    st.dictionaries(st.sampled_from(["a", "id", "content", "refusal", "null"]), NESTED, min_size=1), st.data()
)
def test_every_leaf_of_any_message_counts(extra: dict[str, Any], choice: st.DataObject) -> None:
    """The same for fields nobody has heard of, wherever they stand."""
    message = {"role": "user", "content": [{"type": "made_up", "data": extra}, TEXT], "unknown": extra}
    leaf = choice.draw(st.sampled_from(list(leaves(message))))

    assert of(changed(message, leaf)) != of(message)


@pytest.mark.parametrize(
    ("one", "another"),
    [
        (b'{"content":"\\ud83d"}', b'{"content":"\\ud83e"}'),
        (b'{"content":"\\u0000"}', b'{"content":"\\u0001"}'),
        (b'{"content":"\xff"}', b'{"content":"\xfe"}'),
        (b'{"n":1e400}', b'{"n":1e500}'),
        (b'{"n":NaN}', b'{"n":Infinity}'),
        (b'{"n":1' + b"0" * 5000 + b"}", b'{"n":2' + b"0" * 5000 + b"}"),
        (b'{"n":0.1}', b'{"n":0.10000000000000001}'),
        (b'{"n":123456789012345678901}', b'{"n":"123456789012345678901"}'),
        (b'{"content":"\\ud83d","n":1}', b'{"content":"\\ud83d","n":2}'),
        (b'{"a":1,"a":2}', b'{"a":2}'),
        (b"[" * 9999 + b"1" + b"]" * 9999, b"[" * 9999 + b"2" + b"]" * 9999),
        (b"not json", b"not json either"),
        (b"", b"null"),
        (b'"x"', b'["x"]'),
        (b'{"tool_calls":["x"]}', b'{"tool_calls":["y"]}'),
        (b'{"tool_calls":[{"type":"custom","custom":{}}]}', b'{"tool_calls":[{"type":"custom"}]}'),
    ],
)
def test_odd_texts_have_digests_of_their_own(one: bytes, another: bytes) -> None:
    """Half emoji, NUL, infinities, huge numbers, depth and broken texts are told apart like anything else."""
    assert digest(one) != digest(another)


def test_half_an_emoji_changes_nothing_about_the_rules() -> None:
    """A message with a lone surrogate is recognised in another spelling too."""
    assert of({"role": "user", "content": "\ud83d"}) == of(
        {"content": [{**TEXT, "text": "\ud83d"}], "role": "user"}
    )


def test_a_longer_list_extends_the_chain() -> None:
    """A request that repeats a conversation and adds to it begins with the same hashes."""
    digests = [digest(b'{"role":"user","content":"%d"}' % number) for number in range(6)]

    assert chain(digests)[:4] == chain(digests[:4])
    assert chain(digests[4:], seed=chain(digests[:4])[-1]) == chain(digests)[4:]


def test_an_edit_changes_every_hash_behind_it() -> None:
    """Nothing stored for a history is used once an older message differs, or moved, or left."""
    a, b, c = (digest(text) for text in (b'"a"', b'"b"', b'"c"'))
    before = chain([a, b, c])

    for after in ([a, c, b], [b, c], [c, b, c], [a, a, b, c]):
        assert before[-1] not in chain(after)
    assert chain([a, b, b])[:2] == before[:2]


def test_a_stored_hash_names_its_algorithm() -> None:
    """A later algorithm cannot be mistaken for this one."""
    assert tagged(digest(b"{}")).startswith("sha256-")
    assert len(tagged(digest(b"{}"))) == len("sha256-") + 64
