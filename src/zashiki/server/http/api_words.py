"""The words and examples of the OpenAPI description that Litestar leaves out."""

import inspect
from collections.abc import Mapping
from typing import Any

import msgspec

from zashiki.server.protocol import examples, rest
from zashiki.server.protocol.error_codes import REFUSALS, codes_for
from zashiki.server.protocol.schema import describe_fields

STRUCT = "#/components/schemas/"
RECORD_LINES = "The record: one JSON object per line."
PLAIN_ANSWERS: Mapping[str, tuple[str, Any]] = {
    "/api/muted": ("The ids of the players.", [examples.RIVAL_ID]),
    "/api/my-turns": ("The ids of the tables.", [examples.TABLE_ID]),
    "/api/tables/{table_id}/record": (RECORD_LINES, examples.RECORD),
    "/api/matches/{match_id}/record": (RECORD_LINES, examples.RECORD),
    "/api/schema/socket.json": ("The JSON Schema.", {"title": "Zashiki", "$defs": {}}),
    "/api/schema/types.ts": ("The types.", "export type Command = Hello | Play | WhyNot;"),
    "/health": (
        "The server is healthy. `bots` is `none` if no bot worker is connected.",
        {"status": "ok", "store": "ok", "bots": "ok"},
    ),
    "/metrics": (
        "The metrics, in the text format of Prometheus.",
        'zashiki_tables{state="playing"} 12.0',
    ),
}
"""Description and example of each answer that is not made of structs, by path."""


def finished(schema: dict[str, Any]) -> dict[str, Any]:
    """Return Litestar's description of the API with the words and examples that it leaves out."""
    done: dict[str, Any] = msgspec.to_builtins(schema)
    structs = done["components"]["schemas"]
    for name, part in structs.items():
        part["description"] = inspect.getdoc(getattr(rest, name))
        part["examples"] = [msgspec.to_builtins(examples.EXAMPLES[name])]
    describe_fields(structs)
    responses = done["components"]["responses"] = {}
    for path, operations in done["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                words, example = examples.PARAMETERS[parameter["name"]]
                parameter |= {"description": words, "example": example}
            describe_success(path, operation, structs)
            (tag,) = operation["tags"]
            for status in map(int, operation["responses"]):
                if status in REFUSALS:
                    name = f"{tag.replace(' ', '-')}-{status}"
                    responses[name] = refusal_of(status, tag)
                    operation["responses"][str(status)] = {"$ref": f"#/components/responses/{name}"}
    return done


def describe_success(path: str, operation: dict[str, Any], structs: Mapping[str, Any]) -> None:
    """Say what an endpoint answers if all is well: a struct, a list of structs, or a text."""
    (answer,) = (one for status, one in operation["responses"].items() if status.startswith("2"))
    answer.pop("headers")  # the same security headers in every answer
    (content,) = answer["content"].values()
    of_struct = content["schema"].get("$ref", "").removeprefix(STRUCT)
    of_list = content["schema"].get("items", {}).get("$ref", "").removeprefix(STRUCT)
    if of_struct:
        answer["description"] = structs[of_struct]["description"]
    elif of_list:
        answer["description"] = f"A list. Each entry: {structs[of_list]['description']}"
    else:
        answer["description"], content["example"] = PLAIN_ANSWERS[path]


def refusal_of(status: int, tag: str) -> dict[str, Any]:
    """Return the answer of all endpoints of a tag for one status, with its codes."""
    codes = codes_for(status, tag)
    listed = [f"- `{one.code}`: {one.meaning}" for one in codes]
    fault = rest.Fault(codes[0].code, codes[0].meaning)
    return {
        "description": "\n".join([REFUSALS[status], "", *listed]),
        "content": {
            "application/json": {
                "schema": {"$ref": f"{STRUCT}Fault"},
                "example": msgspec.to_builtins(fault),
            }
        },
    }
