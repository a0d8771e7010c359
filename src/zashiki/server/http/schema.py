"""The OpenAPI description: tags, summaries and refusals of each endpoint; the wire's schemas."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import MediaType, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Tag

from zashiki.server.deps import AnyRequest
from zashiki.server.protocol import rest
from zashiki.server.protocol.schema import describe_fields, socket_schema, typescript

DESCRIPTION = """\
Play card games with hidden information at tables of people and bots.

A session is a cookie or, for programs, `Authorization: Bearer <token>`. Get one from
`POST /api/guest` or `POST /api/sign-in`; a bot uses its token from `POST /api/bot-tokens`. A
request that changes something needs the header `X-Zashiki: 1`, unless it carries a bearer token.

A refusal has a `code` for programs and a `text` for people. Matches are played over WebSocket at
`/api/tables/{table_id}/socket`. The frames of that socket are at `/api/schema/socket.json` and
`/api/schema/types.ts`.
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
REFUSALS = {
    400: "Malformed request.",
    401: "No session, or an expired one.",
    403: "Not allowed for this player, or a possible cross-site request.",
    404: "Not found.",
    409: "In conflict with the present state: another request was first, or too early or too late.",
    413: "Request too long.",
    422: "Valid syntax, invalid content (see `code` and `text`).",
    429: "Rate limit exceeded. `retry_after` is the number of seconds to wait.",
    503: "Server overloaded, database unreachable, or no bot worker connected.",
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
}
"""Refusals by the name of a handler that do not follow from its parameters."""
PARAMETERS = {
    "table_id": "The id of a table.",
    "match_id": "The id of a match.",
    "player_id": "The id of a player.",
    "bot_id": "The id of a bot of the player.",
    "card_set_id": "The id of a card set.",
    "game": "The id of a game.",
    "seats": "The number of seats.",
    "form": "The form of the game; the default one if absent.",
    "rivals": "Ratings against other people, or alone against bots of the server.",
    "language": "The language of texts in the answer.",
    "report_id": "The id of a report.",
    "which": "Reports that are not done, those that are, or all.",
    "before": "Only matches or reports from before this time, in seconds since the epoch.",
    "seat": 'The number of the seat whose view is wanted, or "all" for all cards.',
    "step": "The number of actions before the view; all of them if absent.",
    "first": "The step of the first view.",
    "skip": "The number of tables before the first one of the answer.",
    "limit": "The most tables of the answer.",
}
"""The parameters of all endpoints, by name: a name has one meaning."""


class DescribedStructs(JsonRenderPlugin):
    """Serves the description with the words for structs, fields and parameters.

    Litestar leaves them out.
    """

    def render(self, request: AnyRequest, openapi_schema: dict[str, Any]) -> bytes:
        structs = openapi_schema["components"]["schemas"]
        for name, part in structs.items():
            part["description"] = inspect.getdoc(getattr(rest, name))
        describe_fields(structs)
        for path in openapi_schema["paths"].values():
            for operation in path.values():
                for parameter in operation.get("parameters", []):
                    parameter["description"] = PARAMETERS[parameter["name"]]
        return super().render(request, openapi_schema)


def openapi_config() -> OpenAPIConfig:
    """Return the settings of `/schema`."""
    return OpenAPIConfig(
        "Zashiki",
        "1",
        description=DESCRIPTION,
        tags=[Tag(name, description) for name, description in TAGS.items()],
        use_handler_docstrings=True,
        render_plugins=[DescribedStructs()],
    )


def describe(tagged: Mapping[str, Sequence[HTTPRouteHandler]]) -> None:
    """Add its tag, a summary and the possible refusals to the description of each endpoint."""
    for tag, handlers in tagged.items():
        for handler in handlers:
            handler.tags = [tag]
            text = " ".join((inspect.getdoc(handler.fn) or "").split())
            handler.summary = text.partition(". ")[0].removesuffix(".")
            refusals = {status: refusal_spec(status) for status in sorted(refusals_of(handler))}
            handler.responses = refusals | dict(handler.responses or {})


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
