"""A summary asked for behind the conversation itself: head, tools and beginning as sent, one instruction.

The beginning is what the summary will be filed under: what stands behind that may be taken back, and no
summary may tell of it. It is read from the provider's cache, which has it from the client's last request: the
call is mostly larger than a plain one, and cheaper. It is tried where the same model is asked by the same
key, and left for a while where it does not do; then the plain call does it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from gateway.core import json
from gateway.core.conversation import Conversation, Role, made
from gateway.core.frozen import replace
from gateway.core.summary import prompt as prompts
from gateway.core.summary.identifiers import Text
from gateway.core.summary.parts import Space
from gateway.core.summary.verdict import Verdict
from gateway.engine.replay import frozen_items, size_on, view_of
from gateway.engine.subject import Subject
from gateway.engine.summary_call import Asked, Failed
from gateway.engine.summary_material import Material
from gateway.engine.summary_record import Trouble
from gateway.engine.summary_rest import LONGEST_S, Rests
from gateway.engine.summary_writer import Rejected, Summary, Writer
from gateway.logs import shown
from gateway.store.base import Checkpoint
from gateway.wire.plain_behind import behind

log = logging.getLogger(__name__)

HINT = "summaries are asked for by plain calls until then; if it comes again, leave reuse_prefix out"
"""What follows, and what to do, where a model does not do it."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A beginning of a conversation as it goes out, in a request of its own."""

    body: bytes = field(repr=False)
    tokens: int
    """Of all of it, tools too, in our count."""
    has_images: bool = False

    @classmethod
    def of(cls, subject: Subject, base: Checkpoint | None, length: int) -> Whole | None:
        """Return the first *length* of the client's messages as they go out on top of *base*.

        None: they cannot be had without others. What *base* froze may tell of all that it replaced, and a
        list that ends within a round is refused.
        """
        start = base.length if base is not None else 0
        counted, slices = subject.counted, subject.request.messages
        if not start <= length or _is_torn(subject, base, length):
            return None
        frozen = frozen_items(subject, base) if base is not None else ()
        behind_it = counted.facts[length:]
        tokens = size_on(subject, base) - sum(fact.tokens for fact in behind_it)
        body = subject.request.with_messages((*frozen, *slices[start:length]))
        return cls(body, tokens + counted.extras_tokens, counted.has_images)


def _is_torn(subject: Subject, base: Checkpoint | None, length: int) -> bool:
    """Return whether the beginning is refused where the whole is not, with words of a user behind it."""
    wire, count = subject.wire, subject.count
    said = wire.message(wire.compose(made(Role.USER, "Stop.", count)), count)
    view = view_of(subject, base)
    stop = len(view.messages) - (len(subject.request.messages) - length)
    beginning, whole = (Conversation((*some, said)) for some in (view.messages[:stop], view.messages))
    return not set(wire.problems(beginning)) <= set(wire.problems(whole))


@dataclass(frozen=True, slots=True)
class WholeMaterial(Material):
    """What a summary is made of whose model reads the beginning of the conversation itself."""

    whole: Whole

    @classmethod
    def around(cls, material: Material, whole: Whole) -> WholeMaterial:
        """Return the material with all that the model sees: what it says of that is not made up."""
        said = Text.of((*material.source.text.parts, *_strings(json.decode(whole.body))))
        same = {one.name: getattr(material, one.name) for one in fields(material)}
        return cls(**{**same, "source": replace(material.source, text=said)}, whole=whole)

    def first(self, space: Space) -> tuple[Asked, ...]:
        """Return the one call there is; none: it does not fit."""
        prompt = prompts.after(self.form(space))
        tokens = self.whole.tokens + self.count(prompt.user)
        fits = tokens * space.per_token + space.answer <= space.window
        return (Asked(prompt, tokens, self.whole.body, self.whole.has_images),) if fits else ()

    def repair(self, asked: Asked, verdict: Verdict) -> Asked:
        """Return the call that asks once more, behind the same conversation."""
        again = Material.repair(self, asked, verdict)
        return replace(asked, prompt=again.prompt, tokens=again.tokens)


async def reused(writer: Writer, whole: Whole, space: Space, rests: Rests) -> Summary | None:
    """Return the summary; None: it is to be asked for otherwise. Raise Failed where that would not help."""
    material, route = writer.material, writer.model.route
    key = ("reuse_prefix", *writer.model.key)
    if not isinstance(material, Material) or rests.is_on(key):
        return None
    if behind(route.wire.name, whole.body, "", 1) is None:
        return None
    known = material
    around = await writer.off_loop(lambda: WholeMaterial.around(known, whole), len(whole.body))
    try:
        return replace(await replace(writer, material=around).write(space), is_reused=True)
    except Rejected as rejected:
        _not_for_now(writer, rests, key, rejected.reason)
    except Failed as failed:
        if failed.trouble not in (Trouble.REFUSED, Trouble.OVERFLOW):
            raise
        if failed.trouble is Trouble.REFUSED:
            _not_for_now(writer, rests, key, failed.trouble)
    return None


def _not_for_now(writer: Writer, rests: Rests, key: tuple[str, ...], reason: str) -> None:
    """Ask plainly for an hour, and say so, once for all that found it at the same time."""
    if rests.is_on(key):
        return
    rests.begin(key, LONGEST_S, reason)
    record, model = writer.record, shown(writer.model.route.model)
    who = {"tenant": record.tenant, "policy": record.policy, "model": model}
    log.warning("reuse_prefix paused", extra={**who, "reason": reason, "seconds": LONGEST_S, "hint": HINT})


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts and names in a JSON value."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case dict() as members:
                left += [*members.keys(), *members.values()]
            case list() as items:
                left += items
