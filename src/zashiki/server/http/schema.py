"""The refusals that each endpoint documents, and the endpoints that serve the schemas."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from litestar import MediaType, get
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec

from zashiki.server.protocol import rest
from zashiki.server.protocol.schema import socket_schema, typescript

REFUSALS = {
    400: "The request cannot be read as documented.",
    401: "No session, or one that has ended.",
    403: "Not yours to do, or a request that a page of another site may have sent.",
    404: "There is no such thing.",
    409: "Not as things stand: somebody was quicker, or it is too early or too late.",
    413: "The request is too long.",
    422: "The request can be read, and asks for something that cannot be.",
    429: "Too often: `retry_after` says in how many seconds again.",
    503: "Not now: too much waits, the database is away, or nobody plays for the bots of a table.",
}
EXTRA: Mapping[str, frozenset[int]] = {
    "sign_in": frozenset({401}),
    "health": frozenset({503}),
    "metrics": frozenset({403}),
    "record_of": frozenset({403, 409}),
    "record_of_match": frozenset({403, 409}),
    "one_match": frozenset({403, 409}),
    "sights": frozenset({409}),
}
"""What the shape of a handler does not show."""


def declare(handlers: Iterable[BaseRouteHandler]) -> None:
    """Let each endpoint's description name the refusals that it may give."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler):
            more = {status: refusal(status) for status in sorted(statuses(handler))}
            handler.responses = more | dict(handler.responses or {})


def statuses(handler: HTTPRouteHandler) -> set[int]:
    """Which refusals an endpoint may give, by what it takes."""
    takes = set(inspect.signature(handler.fn).parameters) - {"state", "request"}
    found = {429} | EXTRA.get(handler.fn.__name__, frozenset())
    if "me" in takes:
        found |= {401}
    if takes - {"me"}:
        found |= {400, 404, 422}
    if "GET" not in handler.http_methods:
        found |= {403, 409, 413, 422, 503}
    return found


def refusal(status: int) -> ResponseSpec:
    return ResponseSpec(rest.Fault, generate_examples=False, description=REFUSALS[status])


@get("/api/schema/socket.json", sync_to_thread=False)
def show_socket_schema() -> dict[str, Any]:
    """The frames of a table's socket, as JSON Schema."""
    return socket_schema()


@get("/api/schema/types.ts", media_type=MediaType.TEXT, sync_to_thread=False)
def show_types() -> str:
    """Everything on the wire, as types of TypeScript."""
    return typescript()


HANDLERS = (show_socket_schema, show_types)
