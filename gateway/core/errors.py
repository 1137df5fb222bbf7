"""Every exception that a caller of the gateway can see, with its HTTP status and code.

    GatewayError                  500  gateway_error
      InvalidRequest              400  invalid_request
      Unauthorized                401  invalid_api_key
      Forbidden                   403  not_allowed
      NotFound                    404  not_found
      TooLarge                    413  request_too_large
      WindowExceeded              400  context_length_exceeded   as the upstream itself would say it
      StoreUnavailable            503  store_unavailable         only where a policy says `store.required`
      UpstreamUnreachable         502  upstream_unreachable
      UpstreamTimeout             504  upstream_timeout
    ConfigError                        never over HTTP: the command line ends with 2, a reload is refused

The wire format of the request renders them (`wire.base.WireFormat.error`); those of a dialect that has no
lens yet, `web.relay.error_body`.
"""

from __future__ import annotations

from gateway.core.summary.secrets import redact


class GatewayError(Exception):
    """The request cannot go on; by this code, because of a mistake of the gateway.

    The message is shown to the client, so it says what to do about it.
    """

    status = 500
    code = "gateway_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRequest(GatewayError):
    """The client sent something that no upstream could understand."""

    status = 400
    code = "invalid_request"


class Unauthorized(GatewayError):
    """No key, or one that belongs to no tenant."""

    status = 401
    code = "invalid_api_key"


class Forbidden(GatewayError):
    """The key is good, but may not do this."""

    status = 403
    code = "not_allowed"


class NotFound(GatewayError):
    """There is no such thing, or it belongs to somebody else; the answer does not tell which."""

    status = 404
    code = "not_found"


class TooLarge(GatewayError):
    """The request body is larger than the gateway accepts."""

    status = 413
    code = "request_too_large"


class WindowExceeded(GatewayError):
    """Even the last rung does not fit the model's window."""

    status = 400
    code = "context_length_exceeded"


class StoreUnavailable(GatewayError):
    """What would be removed cannot be stored, and the policy does not allow going on without."""

    status = 503
    code = "store_unavailable"


class UpstreamUnreachable(GatewayError):
    """No connection to the upstream, or it broke before an answer."""

    status = 502
    code = "upstream_unreachable"


class UpstreamTimeout(GatewayError):
    """The upstream did not answer in time."""

    status = 504
    code = "upstream_timeout"


class ConfigError(Exception):
    """Settings or policies are wrong. Carries every problem found, one line each.

    They quote what was written, are logged and shown on `/readyz`: a key in the wrong place is not repeated.
    """

    def __init__(self, problems: list[str]) -> None:
        problems = [redact(problem).text for problem in problems]
        super().__init__("\n".join(problems))
        self.problems = problems


def where(exc: BaseException) -> str:
    """Return the kind of an exception and the places it passed, innermost last, without its message.

    The message may quote a conversation; this may be logged.
    """
    places = []
    trace = exc.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"{type(exc).__name__} at {' > '.join(places[-6:])}"
