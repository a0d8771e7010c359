"""What the server says about itself: the refusals of its endpoints, and the frames of its socket.

All of it follows from the structs in `wire`: JSON Schema for programs, types for TypeScript.
"""

import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from litestar import MediaType, get
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec

from zashiki.server import wire

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
    return ResponseSpec(wire.Fault, generate_examples=False, description=REFUSALS[status])


# Frames and structs -----------------------------------------------------------------------------

TYPES = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
DEFS = "#/$defs/"


@cache
def socket_schema() -> dict[str, Any]:
    """JSON Schema of everything on the wire: `Command` to the server, `News` from it."""
    structs = [
        kind
        for kind in vars(wire).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind is not msgspec.Struct
    ]
    kinds = [wire.Command, wire.News, *structs]
    (command, news, *_), parts = msgspec.json.schema_components(kinds, ref_template=DEFS + "{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Zashiki",
        "$defs": {"Command": command, "News": news, **parts},
    }


def typescript() -> str:
    """The same as types of TypeScript."""
    return "\n".join(written(name, part) for name, part in socket_schema()["$defs"].items())


def written(name: str, part: Mapping[str, Any]) -> str:
    """One exported type, with what its docstring says."""
    said = part.get("description")
    lines = [f"/** {said} */"] if said else []
    if part.get("type") != "object":
        return "\n".join([*lines, f"export type {name} = {type_of(part)};", ""])
    lines.append(f"export interface {name} {{")
    needed = set(part.get("required", ()))
    # What the server sends is always there, where it has a default; what it is sent need not be.
    is_request = part.get("additionalProperties") is False
    for field, kind in part["properties"].items():
        optional = field not in needed and (is_request or "default" not in kind)
        lines.append(f"  {field}{'?' if optional else ''}: {type_of(kind)};")
    return "\n".join([*lines, "}", ""])


def type_of(part: Mapping[str, Any]) -> str:
    if "$ref" in part:
        return str(part["$ref"]).removeprefix(DEFS)
    if "anyOf" in part:
        return " | ".join(type_of(one) for one in part["anyOf"])
    if "enum" in part:
        return " | ".join(msgspec.json.encode(value).decode() for value in part["enum"])
    kind = part.get("type")
    if kind == "array" and "items" in part:
        inner = type_of(part["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "array":
        return "unknown[]"
    if kind == "object":
        more = part.get("additionalProperties")
        value = type_of(more) if isinstance(more, Mapping) and more else "unknown"
        return f"Record<string, {value}>"
    return TYPES.get(str(kind), "unknown")


@get("/api/schema/socket.json", sync_to_thread=False)
def show_socket_schema() -> dict[str, Any]:
    """The frames of a table's socket, as JSON Schema."""
    return socket_schema()


@get("/api/schema/types.ts", media_type=MediaType.TEXT, sync_to_thread=False)
def show_types() -> str:
    """Everything on the wire, as types of TypeScript."""
    return typescript()


HANDLERS = (show_socket_schema, show_types)
