"""The canonical form of a message, and the hash chain of a conversation.

A stored decision applies to a list that begins with the messages it was made for. Clients do not repeat
messages byte for byte: they move cache marks, flip strings to part lists, drop what is null and reorder
keys. What they were measured to change is left out here, position by position, and nothing else: two
messages with the same digest must mean the same to a model, or history is exchanged for somebody else's.

The canonical form is for hashing only and is never sent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from gateway.core.timeless import timeless

TAG = "sha256"
"""Names the algorithm in everything that is stored."""

# Optional fields that clients send empty in one turn and leave out in the next.
_OPTIONAL = frozenset({"annotations", "content", "logprobs", "refusal", "tool_calls"})

# Parts that are nothing but a text, as each wire format calls them.
_TEXT_TYPES = frozenset({"text", "input_text", "output_text"})

# Items of the Responses API, and the field that makes `id` and `status` redundant. An item type is added
# only if its id is never a reference: mcp_approval_request, for one, is named by its answer.
_CONTENT = {
    "message": "content",
    "function_call": "arguments",
    "function_call_output": "output",
    "custom_tool_call": "input",
    "custom_tool_call_output": "output",
    "reasoning": "encrypted_content",
}


def digest(raw: bytes) -> bytes:
    """Return the hash of one message's canonical form; of its very bytes if it has none.

    >>> digest(b'{"role":"developer","content":"x"}') == digest(
    ...     b'{"content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}],"role":"system"}'
    ... )
    True
    """
    try:
        return sha256(_written(_canonical(_read(raw.decode())))).digest()
    except (ValueError, TypeError, RecursionError):
        # No JSON text begins with NUL, so the two kinds of hash cannot meet.
        return sha256(b"\0" + raw).digest()


def chain(digests: Sequence[bytes], seed: bytes = b"") -> list[bytes]:
    """Return for every message the hash of the conversation up to and including it.

    To go on with a longer list, give the last hash as *seed* and the digests of the new messages.

    >>> chain([b"a", b"b"]) == [*chain([b"a"]), *chain([b"b"], seed=chain([b"a"])[-1])]
    True
    """
    hashes = []
    for one in digests:
        seed = sha256(seed + one).digest()
        hashes.append(seed)
    return hashes


def tagged(digest: bytes) -> str:
    """Return the hash as it is stored.

    >>> tagged(bytes([171, 205]))
    'sha256-abcd'
    """
    return f"{TAG}-{digest.hex()}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate keys: readers differ about the value")
    return found


# Numbers keep their text: 1e400 and 1e500 are the same infinity to a reader, and not the same message.
_READER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=msgspec.Raw, parse_float=msgspec.Raw, parse_constant=msgspec.Raw
)
_WRITER = msgspec.json.Encoder(order="sorted")


def _read(text: str) -> Any:
    return _READER.decode(text)


def _written(value: Any) -> bytes:
    try:
        return _WRITER.encode(value)
    except UnicodeEncodeError:
        # Lone surrogates. A number beside them is a TypeError.
        return json.dumps(value, sort_keys=True).encode()


def _canonical(item: Any) -> Any:
    """Return the canonical form of a message: an object, a row of items, or the text of a user."""
    if isinstance(item, list):
        return [_canonical(part) if isinstance(part, dict) else part for part in item]
    if isinstance(item, str):
        item = {"role": "user", "content": item}
    return _canonical_object(item) if isinstance(item, dict) else item


def _canonical_object(item: dict[str, Any]) -> dict[str, Any]:
    kept = _with_content(_trimmed(item))
    if kept.get("type") == "message" and "role" in kept:
        del kept["type"]
    if kept.get("role") == "developer":
        kept["role"] = "system"
    if kept.get("role") == "system" and "content" in kept:
        kept["content"] = _timeless(kept["content"])
    if isinstance(calls := kept.get("tool_calls"), list):
        kept["tool_calls"] = [_call(call) for call in calls]
        # Semantic Kernel adds who spoke when the turn is over; whose calls they are, their ids tell.
        kept.pop("name", None)
    if isinstance(kept.get("function_call"), dict):
        kept["function_call"] = _function(kept["function_call"])
    kind = kept.get("type", "message")
    if kind == "function_call":
        kept = _function(kept)
    if isinstance(kind, str) and _CONTENT.get(kind) in kept:
        kept.pop("id", None)
        kept.pop("status", None)
    return kept


def _trimmed(item: dict[str, Any]) -> dict[str, Any]:
    """Return the object less its cache mark, its nulls and its empty optionals."""
    return {
        key: value
        for key, value in item.items()
        if key != "cache_control"
        and value is not None
        and not (key in _OPTIONAL and (value == "" or value == []))
    }


def _with_content(item: dict[str, Any]) -> dict[str, Any]:
    """Return the object with the parts of its content trimmed; a single text stands for itself."""
    if not isinstance(parts := item.get("content"), list):
        return item
    parts = [_with_content(_trimmed(part)) if isinstance(part, dict) else part for part in parts]
    text = _only_text(parts)
    if text == "":
        del item["content"]
    else:
        item["content"] = parts if text is None else text
    return item


def _only_text(parts: list[Any]) -> str | None:
    match parts:
        case [{"type": str(kind), "text": str(text), **rest}] if kind in _TEXT_TYPES and not rest:
            return text
    return None


def _timeless(content: Any) -> Any:
    """Return the content of a system message, which goes out as it came, without the time that it tells."""
    if isinstance(content, str):
        return timeless(content)
    if not isinstance(content, list):
        return content
    return [
        {**part, "text": timeless(part["text"])}
        if isinstance(part, dict) and isinstance(part.get("text"), str)
        else part
        for part in content
    ]


def _call(call: Any) -> Any:
    if not isinstance(call, dict):
        return call
    call = _trimmed(call)
    if isinstance(call.get("function"), dict):
        call["function"] = _function(call["function"])
    return call


def _function(call: dict[str, Any]) -> dict[str, Any]:
    """Return the call with its arguments, a JSON text inside a string, in canonical form."""
    arguments = call.get("arguments")
    if not isinstance(arguments, str):
        return call
    try:
        return {**call, "arguments": _written(_read(arguments)).decode()}
    except (ValueError, TypeError, RecursionError):
        return call
