"""OpenAI Responses: POST /v1/responses.

A lens over the request body, as for every format. The list is `input`: a string, or items that
`responses_slices` cuts into messages and lays flat again.

Some requests are not the gateway's to change: what they go on with is with the upstream
(`previous_response_id`, `conversation`), or they ask it to compact (a trigger). They are read as requests
without messages and without extras, so nothing is compacted, counted or learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.core import json
from gateway.core.body import taken_apart
from gateway.core.conversation import Conversation, Count, Message, Role
from gateway.core.errors import GatewayError
from gateway.core.json import Member
from gateway.wire import openai_answer, responses_answer, responses_repair
from gateway.wire.base import Lens, OutputCap, Request, Usage
from gateway.wire.members import is_twice, positive_of, string_of
from gateway.wire.responses_items import read_message
from gateway.wire.responses_slices import cut, flat

_EXTRAS = ("instructions", "tools", "text")
"""Members beside the input that the upstream turns into prompt tokens."""

_ELSEWHERE = ("previous_response_id", "conversation")
"""Members by which the upstream knows what came before; a prompt template may come without an input, too."""

_CAP = "max_output_tokens"


class ResponsesRequest(Request, frozen=True):
    """A request whose messages are slices that have to be laid flat."""

    def with_messages(self, raws: Iterable[bytes]) -> bytes:
        """Return the body with these slices as its input; a string alone stays one."""
        slices = tuple(raws)
        if len(slices) == 1 and slices[0].startswith(b'"'):
            return b"".join((self.body[: self.start], slices[0], self.body[self.stop :]))
        return super().with_messages(flat(slices))


class OpenAIResponses(Lens):
    """The Responses dialect."""

    name = "openai_responses"

    def read(self, body: bytes) -> Request:
        """Return the request taken apart. Raise `json.Malformed` if it is no Responses request."""
        found, items = _taken_apart(body)
        members = {member.key: body[member.start : member.stop] for member in found if member.key != "input"}
        present = {key for key, raw in members.items() if raw != b"null"}
        given = next((member for member in reversed(found) if member.key == "input"), None)
        if given is None and not present & {*_ELSEWHERE, "prompt"}:
            raise json.Malformed("there is no `input`")
        slices = None if present & {*_ELSEWHERE} else _slices(body, given, items)
        names = [member.key for member in found]
        return ResponsesRequest(
            body=body,
            model=string_of(members.get("model")),
            stream=members.get("stream") == b"true",
            messages=slices or (),
            start=given.start if given else 0,
            stop=given.stop if given else 0,
            extras=() if slices is None else tuple(members[key] for key in _EXTRAS if key in present),
            output=_output_cap(members.get(_CAP)),
            wants_usage=True,
            ambiguous=is_twice(names, "model", "input"),
        )

    def message(self, raw: bytes, count: Count, origin: int | None = None) -> Message:
        """Return one slice of the input as the view sees it; what it cannot read is opaque."""
        return read_message(raw, count, origin)

    def compose(self, message: Message) -> bytes:
        """Return the JSON of a text message that the gateway made. Raise ValueError for any other."""
        item = super().compose(message)
        return b"[%s]" % item if message.role is Role.ASSISTANT else item

    def repair(self, view: Conversation, count: Count) -> Conversation:
        """Return a list that the vendor's rules accept, reached by taking away, to a fixed point."""
        return responses_repair.repair(view, count)

    def problems(self, view: Conversation) -> Sequence[str]:
        """Return what the vendor would refuse about the list; empty if nothing."""
        return responses_repair.problems(view)

    def error(self, error: GatewayError) -> bytes:
        """Return the body of an error response."""
        return openai_answer.error(error)

    def clamp(self, body: bytes, cap: OutputCap | None, tokens: int) -> bytes:
        """Return the body asking for at most *tokens* of answer."""
        return json.with_member(body, _CAP, b"%d" % tokens)

    def usage(self, data: bytes) -> Usage | None:
        """Return what the upstream says it spent, from an answer or an event of one."""
        return responses_answer.usage(data)

    def is_delta(self, data: bytes) -> bool:
        """Return whether an event carries a piece of the answer: from then on the request is accepted."""
        return responses_answer.is_delta(data)


def _taken_apart(body: bytes) -> tuple[list[Member], list[bytes] | None]:
    """Return the members of the body, and the items of its input; None if that is no list."""
    try:
        return taken_apart(body, "input")
    except json.Malformed:
        found = json.members(body)
    given = next((member for member in reversed(found) if member.key == "input"), None)
    if given is not None and body[given.start : given.start + 1] not in (b'"', b"n"):
        raise json.Malformed("`input` is neither a string nor a list")
    return found, None


def _slices(body: bytes, given: Member | None, items: list[bytes] | None) -> tuple[bytes, ...] | None:
    """Return the slices of the input; None if they are not to be touched."""
    if items is not None:
        return cut(items)
    is_string = given is not None and body.startswith(b'"', given.start)
    return (body[given.start : given.stop],) if given is not None and is_string else None


def _output_cap(raw: bytes | None) -> OutputCap | None:
    tokens = positive_of(raw)
    return OutputCap(_CAP, tokens) if tokens else None
