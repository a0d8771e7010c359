"""What the server says about itself is true."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, meta

from tests.server.asgi_server import asgi_server
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.waits import TIMEOUT
from zashiki.server.http import routes
from zashiki.server.protocol import schema


def validator(name: str) -> Draft202012Validator:
    whole = schema.socket_schema()
    return Draft202012Validator({"$ref": schema.DEFS + name, "$defs": whole["$defs"]})


def test_the_schema_is_one() -> None:
    meta.validate(schema.socket_schema())


@pytest.mark.parametrize(
    ("frame", "is_good"),
    [
        ({"do": "hello"}, True),
        ({"do": "hello", "have": 3, "views": False}, True),
        ({"do": "hello", "version": 2}, True),
        ({"do": "hello", "version": 3}, False),
        ({"do": "play", "key": "k", "decision": 1, "action": "x"}, True),
        ({"do": "play", "key": "k", "decision": 1}, False),
        ({"do": "play", "key": "k", "decision": 1, "action": "x", "seat": 0}, False),
        ({"do": "dance", "key": "k"}, False),
    ],
)
def test_commands(frame: dict[str, Any], is_good: bool) -> None:
    assert validator("Command").is_valid(frame) is is_good


@pytest.mark.parametrize("version", [1, 2])
async def test_every_frame_of_a_server_is_as_described(tmp_path: Path, version: int) -> None:
    async with in_process_server(tmp_path) as server, asyncio.timeout(TIMEOUT):
        host, other = await Guest(server, "Host").come(), await Guest(server, "Other").come()
        table = (await host.post("/api/tables", {"game": "kingdoms", "seats": 2}))["table"]["id"]
        await other.post(f"/api/tables/{table}/sit", {"seat": 1})
        await host.post(f"/api/tables/{table}/start")
        read: list[dict[str, Any]] = []
        async with host.socket(table, version=version) as mine, other.socket(table) as theirs:
            assert (await theirs.answered("r", do="ready"))["ok"]
            await mine.send(do="ready", key="r")
            await mine.send(do="say", key="s", text="hello")
            await mine.send(do="play", key="p", decision=0, action="x")
            while not read or read[-1].get("key") != "p":
                read.append(json.loads(await mine.connection.recv()))
        served = await host.get("/api/schema/socket.json")
        assert served == json.loads(json.dumps(schema.socket_schema()))
        types = await host.client.get("/api/schema/types.ts")
        assert types.text == schema.typescript()
        await host.client.aclose()
        await other.client.aclose()
    assert {frame["is"] for frame in read} >= {"welcome", "told", "answer", "changed", "chatted"}
    for frame in read:
        is_old = version == 1 and frame["is"] == "told"
        validator("OldTold" if is_old else "News").validate(frame)


def test_types() -> None:
    types = schema.typescript()
    assert "export type Command = Hello | Play | WhyNot" in types
    assert 'export interface Play {\n  do: "play";\n  /** Chosen by the client' in types
    assert "  says?: string | null;\n" in types
    assert "  view?: Record<string, unknown>;\n" in types
    known = types.replace("Record<string, unknown>;", "").replace("  default: unknown;", "")
    assert ": unknown;" not in known


def test_every_endpoint_declares_its_refusals() -> None:
    for handler in routes.HANDLERS:
        responses = getattr(handler, "responses", None)
        assert responses is None or 429 in responses


async def test_every_endpoint_parameter_struct_and_field_has_words(tmp_path: Path) -> None:
    async with asgi_server(tmp_path) as server:
        described = await server.api_client().get("/schema/openapi.json")
    tags = {tag["name"] for tag in described["tags"]}
    operations = [
        operation
        for path in described["paths"].values()
        for operation in path.values()
        if "operationId" in operation
    ]
    assert len(operations) >= 50
    for operation in operations:
        assert set(operation["tags"]) <= tags
        assert operation["description"].startswith(operation["summary"] + ".")
        assert all(one["description"] for one in operation.get("parameters", []))
    structs = described["components"]["schemas"]
    assert len(structs) >= 40
    assert all(part["description"] for part in structs.values())
    assert_every_field_has_words(structs)


def test_every_field_of_the_socket_has_words() -> None:
    assert_every_field_has_words(schema.socket_schema()["$defs"])
    assert "  /** The action, in notation. */\n  action: string;" in schema.typescript()


def assert_every_field_has_words(structs: dict[str, Any]) -> None:
    fields = {
        f"{name}.{field}": kind
        for name, part in structs.items()
        for field, kind in part.get("properties", {}).items()
    }
    assert len(fields) >= 120
    for name, kind in fields.items():
        is_tag = "const" in kind or len(kind.get("enum", [])) == 1
        assert is_tag or kind.get("description") not in {None, "", schema.TAG}, name
