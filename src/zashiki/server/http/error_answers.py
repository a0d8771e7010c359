"""Answers to requests that fail: a status, a code for programs, a text for people."""

import logging
from collections.abc import Callable
from typing import Any

from litestar import Response
from litestar.exceptions import ClientException, HTTPException

from zashiki.server.deps import AnyRequest
from zashiki.server.errors import NOT_FOUND, ApiError
from zashiki.server.ops.logs import log
from zashiki.server.protocol import rest
from zashiki.server.services import services_of
from zashiki.server.store.errors import Busy, Conflict, MaybeWritten, StoreFault, Unusable

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


TEXTS = {
    "malformed": "malformed request: compare it with /api/docs or /schema/openapi.json",
    "not-found": NOT_FOUND,
    "method": "this address does not accept this method: see /api/docs for its methods",
}
"""Texts for refusals of the framework, whose own do not say what to do."""


def answer_refusal(_: AnyRequest, error: ApiError) -> Response[rest.Fault]:
    fault = rest.Fault(error.code, error.text, error.details)
    headers = dict(SECURITY_HEADERS)
    if "retry_after" in error.details:
        headers["Retry-After"] = str(error.details["retry_after"])
    if error.status == 429:
        headers["Connection"] = "close"  # otherwise refusals would keep connections open
    return Response(fault, status_code=error.status, headers=headers)


def answer_unreadable(
    request: AnyRequest, _: RecursionError | UnicodeDecodeError
) -> Response[rest.Fault]:
    """Answer JSON that is nested too deep, or is not UTF-8."""
    return answer_http_error(request, ClientException())


def answer_conflict(request: AnyRequest, _: Conflict) -> Response[rest.Fault]:
    text = "another request changed this first: load it again"
    return answer_refusal(request, ApiError(409, "stale", text))


def answer_store_fault(request: AnyRequest, fault: StoreFault) -> Response[rest.Fault]:
    outage = services_of(request.app.state).registry.context.outage
    return answer_refusal(request, outage.error_for(fault))


def answer_bug(request: AnyRequest, fault: Exception) -> Response[rest.Fault]:
    """Log an unexpected exception, and answer without its details."""
    log(logging.ERROR, "broken", fault, status=500)
    return answer_refusal(request, ApiError(500, "broken", "internal error (logged)"))


def answer_http_error(_: AnyRequest, fault: HTTPException) -> Response[rest.Fault]:
    """Answer a refusal of the framework, without quoting the request."""
    codes = {400: "malformed", 404: "not-found", 405: "method", 413: "too-long"}
    code = codes.get(fault.status_code, "refused")
    text = TEXTS.get(code, fault.detail)
    body = rest.Fault(code, text)
    return Response(body, status_code=fault.status_code, headers=SECURITY_HEADERS)


EXCEPTION_HANDLERS: dict[
    int | type[Exception], Callable[[AnyRequest, Any], Response[rest.Fault]]
] = {
    ApiError: answer_refusal,
    HTTPException: answer_http_error,
    RecursionError: answer_unreadable,
    UnicodeDecodeError: answer_unreadable,
    Conflict: answer_conflict,
    Busy: answer_store_fault,
    MaybeWritten: answer_store_fault,
    Unusable: answer_store_fault,
    Exception: answer_bug,
}
