"""Anthropic Messages: POST /v1/messages.

A lens over the request body, as for every format. `anthropic_slices` cuts the messages so that each result
is one, and joins them again; `anthropic_marks` sees to it that the vendor's cache is read from.

Where the vendor compacts, by a block that stands for all before it or because it is asked to, the request is
read as one without messages and without extras, so nothing is compacted, counted or learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.core import json
from gateway.core.body import taken_apart
from gateway.core.conversation import Conversation, Count, Message
from gateway.core.errors import GatewayError
from gateway.wire import anthropic_answer, anthropic_repair
from gateway.wire.anthropic_marks import in_order, marked
from gateway.wire.anthropic_message import read_message
from gateway.wire.anthropic_programs import complete
from gateway.wire.anthropic_slices import cut, is_piece, join
from gateway.wire.anthropic_system import placed
from gateway.wire.anthropic_words import ASKS_SERVER, MARKED, SYSTEM, all_of, shapes_of, words_of
from gateway.wire.base import Lens, OutputCap, Request, Usage
from gateway.wire.members import is_twice, positive_of, string_of, value_of

_EXTRAS = ("system", "tools", "mcp_servers", "output_config", "output_format")
"""Members beside the messages that the upstream turns into prompt tokens."""

_CAP = "max_tokens"

_LEAST_BUDGET = 1024
"""The vendor takes no thinking budget below this, nor one that is not below `max_tokens`."""

_COMPACTION = "compaction"
"""Member by which a client asks the vendor to compact."""

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The vendor's names by status."""


class MessagesRequest(Request, frozen=True):
    """A request whose messages are slices that have to be joined."""

    def with_messages(self, raws: Iterable[bytes]) -> bytes:
        """Return the body with the items that these slices make, and with marks where the client has them."""
        came, items = self.messages, list(raws)
        each_had, each_has = words_of(came), words_of(items)
        had, have = all_of(each_had), all_of(each_has)
        if (had | have) & MARKED:
            both = zip((*came, *items), (*each_had, *each_has), strict=True)
            bare = [raw for raw, one in both if not one & MARKED]
            beside = self.body[: self.start], self.body[self.stop :]
            items = marked(items, came if had & MARKED else (), beside, bare)
        if any(map(is_piece, items)):
            items = list(join(items, shapes_of(items), came, self.joined))
        if had & ASKS_SERVER:
            asking = [raw for raw, one in zip(came, each_had, strict=True) if one & ASKS_SERVER]
            items = complete(items, asking)
        if have & SYSTEM:
            moved = placed(items, came)
            items = moved if moved == items else in_order(moved, came)
        return super().with_messages(items)


class AnthropicMessages(Lens):
    """The Messages dialect."""

    name = "anthropic_messages"

    def read(self, body: bytes) -> Request:
        """Return the request taken apart. Raise `json.Malformed` if it is no Messages request."""
        found, items = taken_apart(body, "messages")
        names = [member.key for member in found]
        messages = next(member for member in reversed(found) if member.key == "messages")
        members = {m.key: body[m.start : m.stop] for m in found if m.key != "messages"}
        shapes = shapes_of(items)
        is_compacted = any(one.is_compacted for one in shapes)
        is_ours = members.get(_COMPACTION, b"null") == b"null" and not is_compacted
        slices, joined = cut(items, shapes) if is_ours else ((), ())
        extras = [members[key] for key in _EXTRAS if members.get(key, b"null") != b"null"]
        return MessagesRequest(
            body=body,
            model=string_of(members.get("model")),
            stream=members.get("stream") == b"true",
            messages=slices,
            start=messages.start,
            stop=messages.stop,
            extras=tuple(extras) if is_ours else (),
            output=_output_cap(members.get(_CAP)),
            wants_usage=True,
            ambiguous=is_twice(names, "model", "messages"),
            joined=joined,
        )

    def message(self, raw: bytes, count: Count, origin: int | None = None) -> Message:
        """Return one slice of the list as the view sees it; what it cannot read is opaque."""
        return read_message(raw, count, origin)

    def repair(self, view: Conversation, count: Count) -> Conversation:
        """Return a list that the vendor's rules accept, reached by taking away, to a fixed point."""
        return anthropic_repair.repair(view, count)

    def problems(self, view: Conversation) -> Sequence[str]:
        """Return what the vendor would refuse about the list; empty if nothing."""
        return anthropic_repair.problems(view)

    def error(self, error: GatewayError) -> bytes:
        """Return the body of an error response."""
        fallback = "api_error" if error.status >= 500 else "invalid_request_error"
        described = {"type": _ERRORS.get(error.status, fallback), "message": error.message}
        return json.encode({"type": "error", "error": described})

    def clamp(self, body: bytes, cap: OutputCap | None, tokens: int) -> bytes:
        """Return the body asking for at most *tokens* of answer, and for thinking that fits into it.

        A budget that the client set above its cap, which interleaved thinking may, stays.
        """
        thinking = next((body[m.start : m.stop] for m in json.members(body) if m.key == "thinking"), None)
        value = value_of(thinking)
        budget = value.get("budget_tokens") if isinstance(value, dict) else None
        known = budget if type(budget) is int else 0
        if thinking is not None and known >= tokens and (cap is None or known < cap.tokens):
            tokens = max(tokens, _LEAST_BUDGET + 1)
            fitting = json.with_member(thinking, "budget_tokens", b"%d" % min(known, tokens - 1))
            body = json.with_member(body, "thinking", fitting)
        return json.with_member(body, _CAP, b"%d" % tokens)

    def usage(self, data: bytes) -> Usage | None:
        """Return what the upstream says it spent, from an answer or an event of one."""
        return anthropic_answer.usage(data)

    def is_delta(self, data: bytes) -> bool:
        """Return whether an event carries a piece of the answer: from then on the request is accepted."""
        return anthropic_answer.is_delta(data)


def _output_cap(raw: bytes | None) -> OutputCap | None:
    tokens = positive_of(raw)
    return OutputCap(_CAP, tokens, is_required=True) if tokens else None
