"""A page of the gateway's own, as an ASGI application: whatever it answers is counted and logged.

It is told of as any other request is, so that who guesses keys or ids here is seen where everybody else is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from starlette.requests import Request as HttpRequest
from starlette.responses import Response as HttpResponse

from gateway.core.errors import GatewayError, where
from gateway.web.asgi import ClientLeft, Receive, Scope, Send
from gateway.web.outcome import LEFT, STOPPED, Outcome, Recorder
from gateway.web.relay import error_body

log = logging.getLogger(__name__)

JSON = "application/json"

Answer = Callable[[HttpRequest, Outcome], Awaitable[HttpResponse]]
"""Returns what a page says, and fills in whom it says it to. Raises GatewayError, ClientLeft."""


class Page:
    """Answers requests for one page, its errors as errors are."""

    def __init__(self, endpoint: str, answer: Answer, recorder: Recorder) -> None:
        self._endpoint = endpoint
        self._answer = answer
        self._recorder = recorder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        outcome = self._recorder.begin()
        outcome.endpoint, outcome.is_own = self._endpoint, True
        try:
            response = await self._response(HttpRequest(scope, receive), outcome)
            await response(scope, receive, send)
        except asyncio.CancelledError:
            outcome.status, outcome.failure = STOPPED, "answer_cut"
            raise
        finally:
            self._recorder.end(outcome)

    async def _response(self, request: HttpRequest, outcome: Outcome) -> HttpResponse:
        try:
            response = await self._answer(request, outcome)
        except ClientLeft:
            response = HttpResponse(status_code=LEFT)
        except GatewayError as error:
            response = _told(error, outcome)
        except Exception as error:
            log.error("page failed", extra={"at": where(error)})  # noqa: TRY400 (the message may quote)
            response = _told(GatewayError("The gateway made a mistake, which its log names."), outcome)
        outcome.status = response.status_code
        return response


def _told(error: GatewayError, outcome: Outcome) -> HttpResponse:
    outcome.failure = error.code
    return HttpResponse(error_body(error, "openai_chat"), status_code=error.status, media_type=JSON)
