"""JSON Schema and TypeScript types of everything on the wire, made of the structs."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from zashiki.server.protocol import frames, rest

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
        for kind in (*vars(rest).values(), *vars(frames).values())
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind is not msgspec.Struct
    ]
    kinds = [frames.Command, frames.News, *structs]
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
