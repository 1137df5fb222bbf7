"""One model of one upstream, asked for plain completions: what it refuses is classified, and learned from.

A call is repeated as it was only where the failure may pass by itself. One that was too long raises, and is
for the caller to ask otherwise; one whose form is refused is asked in the next form, which is remembered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from gateway.core import failures, silence
from gateway.core.errors import GatewayError
from gateway.core.failure_answers import events, is_stream
from gateway.core.failure_content import is_content
from gateway.core.failures import (
    BodyTooLarge,
    Failure,
    Final,
    ItemTooLong,
    ListTooLong,
    OutputTooLarge,
    Overflow,
    Refused,
)
from gateway.core.retry_after import pause_s
from gateway.core.summary.answer import Answer
from gateway.core.summary.prompt import Prompt
from gateway.engine.encoding import Decoder
from gateway.engine.headers import lowered
from gateway.engine.learning import Learning
from gateway.engine.refusal import Refusal, told
from gateway.engine.summary_record import CANCELLED, Record, Trouble
from gateway.engine.summary_rest import Pauses, Rests
from gateway.engine.summary_route import Route
from gateway.engine.upstream import Response
from gateway.engine.windows import Windows
from gateway.logs import shown
from gateway.wire.plain import PLAIN
from gateway.wire.plain_behind import behind
from gateway.wire.plain_call import Call

ANSWER_BYTES = 4 * 1024 * 1024
"""As much of an answer as is read."""

REST_S = {Trouble.BUSY: 60.0, Trouble.DENIED: 600.0, Trouble.REFUSED: 600.0}
"""How long a model is left alone where its upstream does not say."""

FIRST_WAIT_S = 1.0
"""Before the first repetition; twice as long before each further one."""

LONGEST_WAIT_S = 10.0
_PASSING = frozenset((408, 409, 425))
_OF_THE_KEY = frozenset((401, 403, 429))
_NOT_NOW = 529
_MOST_SHAPES = 1000
_SHORTER = 0.95


class Failed(Exception):
    """A call brought no answer."""

    def __init__(
        self,
        trouble: Trouble,
        limit: int | None = None,
        output: int | None = None,
        share: float | None = None,
    ) -> None:
        """*limit*: the window, *output*: the longest answer, *share*: of what was sent, that is accepted."""
        super().__init__(trouble)
        self.trouble = trouble
        self.limit = limit
        self.output = output
        self.share = share
        self.sent = 0
        """Tokens of the prompt, in our count."""
        self.status = 0
        """Of the answer; 0: there was none."""
        self.rest_s = REST_S.get(trouble, 0.0)
        """For how long its model is left alone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One call."""

    prompt: Prompt
    tokens: int
    """Of the prompt, in our count."""
    body: bytes = field(default=b"", repr=False)
    """Of a request behind whose conversation it is asked; empty: it is asked alone."""
    has_images: bool = False
    """Whether there are images in that."""


@dataclass(slots=True)
class Desk:
    """What all calls of the process share."""

    windows: Windows
    rests: Rests
    pauses: Pauses
    shapes: dict[tuple[str, str], int]
    """By upstream and model, which form of a body is accepted."""
    sleep: Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Model:
    """A model that is asked within one job."""

    desk: Desk
    route: Route
    record: Record
    scope: str
    """Whose key asks: others may ask while this one is to wait."""
    retries: int
    """How often a call may still be repeated that failed for a passing reason."""
    window: int = 0
    """In upstream tokens, as far as it is known; 0: not at all."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Under what it is left alone."""
        return self.scope, self.route.upstream.base_url, self.route.model

    @property
    def _is_resting(self) -> bool:
        shared = self.route.shared
        return self.desk.rests.is_on(self.key) or (shared is not None and self.desk.rests.is_on(shared))

    async def ask(self, asked: Asked, max_tokens: int) -> Answer:
        """Return the answer. Raise Failed."""
        bodies = self._bodies(asked, max_tokens)
        shapes, place, wait_s = self.desk.shapes, self.key[1:], FIRST_WAIT_S
        while True:
            if self._is_resting:
                raise Failed(Trouble.BUSY)
            shape = min(shapes.get(place, 0), len(bodies) - 1)
            try:
                body = await self._once(bodies[shape], asked, max_tokens)
            except asyncio.CancelledError:
                # It is on its way, and is paid for though nobody tells what it takes.
                self.record.called(CANCELLED)
                raise
            except Failed as failed:
                failed.sent = asked.tokens
                self.record.called(failed.trouble, failed.trouble)
                if failed.trouble is Trouble.REFUSED and shape + 1 < len(bodies):
                    self._next_shape(place, shape)
                elif failed.trouble is Trouble.UNREACHABLE and self.retries > 0:
                    self.retries -= 1
                    await self.desk.sleep(wait_s)
                    wait_s = min(2 * wait_s, LONGEST_WAIT_S)
                else:
                    if not asked.body or failed.trouble is not Trouble.REFUSED:
                        self._left_alone(place, failed)
                    raise
            else:
                self.record.called("ok")
                return PLAIN[self.route.wire.name].answer(body)

    def _bodies(self, asked: Asked, max_tokens: int) -> tuple[bytes, ...]:
        """Return the bodies that ask it, of which the next is for an upstream that refuses one."""
        prompt, wire = asked.prompt, self.route.wire.name
        if not asked.body:
            return PLAIN[wire].bodies(Call(self.route.model, prompt.system, prompt.user, max_tokens))
        body = behind(wire, asked.body, prompt.user, max_tokens)
        if body is None:
            raise Failed(Trouble.REFUSED)
        return (body,)

    def _next_shape(self, place: tuple[str, str], shape: int) -> None:
        """Ask otherwise from now on, unless somebody else has moved on meanwhile."""
        shapes = self.desk.shapes
        if len(shapes) >= _MOST_SHAPES and place not in shapes:
            del shapes[next(iter(shapes))]
        shapes[place] = max(shapes.get(place, 0), shape + 1)

    def _left_alone(self, place: tuple[str, str], failed: Failed) -> None:
        """Leave the model alone for a failure that will come again; what a shared key may not do, for all."""
        if failed.trouble is Trouble.REFUSED:
            self.desk.shapes.pop(place, None)
        if not failed.rest_s:
            return
        shared = self.route.shared if failed.status in _OF_THE_KEY else None
        route, record = self.route, self.record
        who = {"tenant": record.tenant, "policy": record.policy, "model": shown(route.model)}
        about = {**who, "upstream": route.upstream.name, "status": failed.status}
        self.desk.pauses.begin(shared or self.key, failed.rest_s, failed.trouble, about)

    async def _once(self, body: bytes, asked: Asked, max_tokens: int) -> bytes:
        """Return the body of the answer to one request. Raise Failed."""
        route = self.route
        try:
            async with route.upstream.open("POST", route.target, route.headers, body) as response:
                answer = await _read(response)
        except GatewayError as error:
            raise Failed(Trouble.UNREACHABLE) from error
        learning = Learning(self.desk.windows, route.upstream.base_url, route.model, self.scope)
        estimate = int(asked.tokens * learning.correction)
        if not 200 <= response.status < 300:
            failure: Failure | None = failures.read(
                response.status,
                answer,
                headers=lowered(response.headers),
                estimate=estimate,
                window=self.window or None,
                said=body,
            )
        else:
            failure = _hidden(answer, estimate, max_tokens)
            failure = failure or self._spent(answer, learning, asked, estimate)
        if failure is None:
            return answer
        way = told(answer, is_answer=200 <= response.status < 300)
        learning.refused(failure, Refusal(asked.tokens, way, asked.has_images))
        raise _failed(failure, response, answer, len(body))

    def _spent(self, answer: bytes, learning: Learning, asked: Asked, estimate: int) -> Failure | None:
        """Take note of what was spent; return the overflow that an upstream hides by cutting the prompt."""
        parts = (data for data, _ in events(answer)) if is_stream(answer) else (answer,)
        said = [found for part in parts if (found := self.route.wire.usage(part)) is not None]
        if not said:
            return None
        usage = said[-1]
        self.record.usages.append((self.route.model, usage))
        hidden = None if asked.has_images else silence.truncated(estimate, usage.input_tokens)
        if hidden is None:
            learning.answered(usage, asked.tokens, has_images=asked.has_images)
        return hidden


def _failed(failure: Failure, response: Response, answer: bytes, sent_bytes: int) -> Failed:
    """Return what a failure means for a summary."""
    failed = _meant(failure, response, answer, sent_bytes)
    failed.status = response.status
    return failed


def _meant(failure: Failure, response: Response, answer: bytes, sent_bytes: int) -> Failed:
    match failure:
        case Overflow(limit=limit):
            return Failed(Trouble.OVERFLOW, limit=limit)
        case OutputTooLarge(limit=limit):
            return Failed(Trouble.OVERFLOW, output=limit or 1)
        case BodyTooLarge(limit_bytes=limit) | ItemTooLong(limit=limit):
            return Failed(Trouble.OVERFLOW, share=_SHORTER * limit / sent_bytes if limit else None)
        case Refused() | ListTooLong() | Final() if is_content(response.status, answer):
            return Failed(Trouble.CONTENT)
        case Refused() | ListTooLong():
            return Failed(Trouble.REFUSED)
        case Final():
            return _final(response)


def _final(response: Response) -> Failed:
    status = response.status
    if (seconds := pause_s(status, lowered(response.headers))) is not None:
        busy = Failed(Trouble.BUSY)
        busy.rest_s = seconds or busy.rest_s
        return busy
    if status == 413:
        return Failed(Trouble.OVERFLOW)
    is_passing = status >= 500 or status < 300 or status in _PASSING
    failed = Failed(Trouble.UNREACHABLE if is_passing else Trouble.DENIED)
    if status == _NOT_NOW:
        # Repeated as far as that goes, and then left alone: it says itself that it has too much to do.
        failed.rest_s = REST_S[Trouble.BUSY]
    return failed


def _hidden(answer: bytes, estimate: int, max_tokens: int) -> Failure | None:
    """Return the failure in an answer that says 200."""
    if is_stream(answer):
        found = (failures.read_event(data, name) for data, name in events(answer))
        return next((failure for failure in found if failure is not None), None)
    return failures.read_answer(answer, estimate=estimate, asked_output=max_tokens)


async def _read(response: Response) -> bytes:
    raw = await response.read(ANSWER_BYTES)
    coding = response.header("content-encoding")
    return Decoder(coding, ANSWER_BYTES).feed(raw) if coding else raw
