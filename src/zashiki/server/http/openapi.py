"""The OpenAPI description of all endpoints, and the schemas of the wire.

Its words are docstrings: of handlers, of structs, and under the fields of structs.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import MediaType, Response, Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Reference, SecurityRequirement, SecurityScheme, Tag

from zashiki.server.accounts.tokens import COOKIE
from zashiki.server.deps import AnyRequest
from zashiki.server.errors import NOT_FOUND
from zashiki.server.http.operator import HEADER as OPERATOR_HEADER
from zashiki.server.protocol import rest
from zashiki.server.protocol.error_codes import REFUSALS
from zashiki.server.protocol.schema import socket_schema, typescript

DESCRIPTION = """\
Play card games with hidden information at tables of people and bots.

A session is a cookie or, for programs, `Authorization: Bearer <token>`. Get one from
`POST /api/guest` or `POST /api/sign-in`; a bot uses its token from `POST /api/bot-tokens`. A
request that changes something needs the header `X-Zashiki: 1`, unless it carries a bearer token.

A refusal has a `code` for programs and a `text` for people. Each operation lists the codes of its
answers with their meaning. Every request may also be answered by 500 `broken`, an internal error
that the server has logged. Seats are numbered from 0, and times are seconds since the epoch, in
UTC.

Matches are played over WebSocket at `/api/tables/{table_id}/socket`. The frames of that socket are
at `/api/schema/socket.json` and `/api/schema/types.ts`.
"""
TAGS = {
    "games": "Games: seats, options, bots, texts and rules.",
    "accounts": "Players: guests, accounts, own bots, muting and reports.",
    "tables": "Tables: open, sit down, start, rematch.",
    "history": "Played matches: profiles, leaderboards, replays, records and verification.",
    "card sets": "Card sets and other content that players write for an option of a game.",
    "schema": "Schemas of the wire.",
    "operation": "Health, metrics, reports of players and what to do about them, for operators.",
}
EXTRA_REFUSALS: Mapping[str, frozenset[int]] = {
    "sign_in": frozenset({401}),
    "recover": frozenset({401}),
    "health": frozenset({503}),
    "metrics": frozenset({403}),
    "record_of": frozenset({403, 409}),
    "record_of_match": frozenset({403, 409}),
    "one_match": frozenset({403, 409}),
    "sights": frozenset({409}),
    "review_of_match": frozenset({403, 409, 503}),
    "play_on": frozenset({409}),
    "confirm_digest": frozenset({404}),
    "stop_digest": frozenset({404}),
}
"""Refusals by the name of a handler that do not follow from its parameters."""
SECURITY: dict[str, SecurityScheme | Reference] = {
    "token": SecurityScheme(
        "http", "The token of a bot, or of a program's session.", scheme="bearer"
    ),
    "session": SecurityScheme(
        "apiKey", "The cookie that signing in sets.", name=COOKIE, security_scheme_in="cookie"
    ),
    "operatorKey": SecurityScheme(
        "apiKey",
        "The operator's key, from the server's own machine: `zashiki reports key` prints it.",
        name=OPERATOR_HEADER,
        security_scheme_in="header",
    ),
}


class DescribedApi(JsonRenderPlugin):
    """Serves the finished description, which is made once."""

    def __init__(self) -> None:
        super().__init__()
        self._finished: bytes | None = None

    def render(self, request: AnyRequest, openapi_schema: dict[str, Any]) -> bytes:
        if self._finished is None:
            from zashiki.server.http.api_words import finished  # not needed to serve anything else

            self._finished = super().render(request, finished(openapi_schema))
        return self._finished


def as_json(response: Response[Any]) -> Response[Any]:
    """Replace Litestar's page for an unknown address under `/schema`."""
    if response.status_code != 404:
        return response
    return Response(rest.Fault("not-found", NOT_FOUND), status_code=404, media_type=MediaType.JSON)


def openapi_config() -> OpenAPIConfig:
    """Return the settings of `/schema`."""
    return OpenAPIConfig(
        "Zashiki",
        "1",
        description=DESCRIPTION,
        components=Components(security_schemes=SECURITY),
        tags=[Tag(name, description) for name, description in TAGS.items()],
        use_handler_docstrings=True,
        render_plugins=[DescribedApi()],
        openapi_router=Router(
            "/schema", route_handlers=[], include_in_schema=False, after_request=as_json
        ),
    )


def describe(tagged: Mapping[str, Sequence[HTTPRouteHandler]]) -> None:
    """Add its tag, a summary and the possible refusals to the description of each endpoint."""
    for tag, handlers in tagged.items():
        for handler in handlers:
            handler.tags = [tag]
            text = " ".join((inspect.getdoc(handler.fn) or "").split())
            handler.summary = text.partition(". ")[0].removesuffix(".")
            handler.security = security_of(handler)
            refusals = {status: refusal_spec(status) for status in sorted(refusals_of(handler))}
            handler.responses = refusals | dict(handler.responses or {})


def security_of(handler: HTTPRouteHandler) -> list[SecurityRequirement]:
    """Return the ways to identify a player or operator. An endpoint needs one of them."""
    parameters = inspect.signature(handler.fn).parameters
    if "operator" in parameters:
        return [{"operatorKey": []}, {"session": []}]
    return [{"token": []}, {"session": []}] if "me" in parameters else []


def refusals_of(handler: HTTPRouteHandler) -> set[int]:
    """Derive the statuses of an endpoint's refusals from its parameters."""
    parameters = set(inspect.signature(handler.fn).parameters) - {"state", "request"}
    statuses = {429} | EXTRA_REFUSALS.get(handler.fn.__name__, frozenset())
    if "me" in parameters:
        statuses |= {401, 403}
    if "operator" in parameters:
        statuses |= {403}
    if parameters - {"me", "operator"}:
        statuses |= {400, 404, 422}
    if "GET" not in handler.http_methods:
        statuses |= {403, 409, 413, 422, 503}
    return statuses


def refusal_spec(status: int) -> ResponseSpec:
    return ResponseSpec(rest.Fault, generate_examples=False, description=REFUSALS[status])


@get("/api/schema/socket.json", sync_to_thread=False)
def show_socket_schema() -> dict[str, Any]:
    """Return the JSON Schema of the frames of a table's socket."""
    return socket_schema()


@get("/api/schema/types.ts", media_type=MediaType.TEXT, sync_to_thread=False)
def show_types() -> str:
    """Return the TypeScript types of all requests, answers and frames."""
    return typescript()


HANDLERS = (show_socket_schema, show_types)
