"""JSON Schema and TypeScript types of the wire, generated from the structs.

`docs/reference/generate.py` writes them to `web/src/shared/wire.ts` and `docs/reference/socket.md`.
"""

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
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
TAG = "The kind of this object."
"""The description of a tag, which is not a field of its struct."""


@cache
def field_words() -> dict[str, dict[str, str]]:
    """Return the docstring under each field, by struct and field."""
    found = {}
    for module in (rest, frames):
        for struct in ast.parse(inspect.getsource(module)).body:
            if isinstance(struct, ast.ClassDef):
                found[struct.name] = words_in(struct)
    return found


def words_in(struct: ast.ClassDef) -> dict[str, str]:
    words = {}
    for field, below in pairwise(struct.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                words[name] = " ".join(text.split())
    return words


def describe_fields(structs: Mapping[str, Any]) -> None:
    """Add to each schema of a struct the descriptions of its fields."""
    for name, part in structs.items():
        for field, kind in part.get("properties", {}).items():
            kind["description"] = field_words()[name].get(field, TAG)


@cache
def socket_schema() -> dict[str, Any]:
    """Return the JSON Schema of the wire: `Command` to the server, `News` from it."""
    structs = [
        kind
        for kind in (*vars(rest).values(), *vars(frames).values())
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind is not msgspec.Struct
    ]
    kinds = [frames.Command, frames.News, *structs]
    (command, news, *_), parts = msgspec.json.schema_components(kinds, ref_template=DEFS + "{name}")
    describe_fields(parts)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Zashiki",
        "$defs": {"Command": command, "News": news, **parts},
    }


def typescript() -> str:
    """Return the same as TypeScript types."""
    return "\n".join(declaration(name, part) for name, part in socket_schema()["$defs"].items())


def declaration(name: str, part: Mapping[str, Any]) -> str:
    """Return one exported type, with its docstring as a comment."""
    description = part.get("description")
    lines = [f"/** {description} */"] if description else []
    if part.get("type") != "object":
        return "\n".join([*lines, f"export type {name} = {type_of(part)};", ""])
    lines.append(f"export interface {name} {{")
    required = set(part.get("required", ()))
    # A default makes a field optional in requests only: the server always sends such fields.
    is_request = part.get("additionalProperties") is False
    for field, kind in part["properties"].items():
        optional = field not in required and (is_request or "default" not in kind)
        if kind["description"] != TAG:
            lines.append(f"  /** {kind['description']} */")
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
    if "prefixItems" in part:
        return f"[{', '.join(type_of(one) for one in part['prefixItems'])}]"
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
