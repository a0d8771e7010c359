"""The server's descriptions of its own interfaces are true."""

import ast
import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator, meta

from tests.server.asgi_server import asgi_server
from tests.server.guests import Guest
from tests.server.in_process_server import in_process_server
from tests.server.waits import TIMEOUT
from zashiki import server as package
from zashiki.server.app import described_api
from zashiki.server.http import routes
from zashiki.server.protocol import schema
from zashiki.server.protocol.error_codes import ERROR_CODES

SERVER = Path(package.__path__[0])


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


@pytest.fixture(name="api", scope="module")
def _api() -> dict[str, Any]:
    return described_api()


def operations_of(api: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in api["paths"].values() for operation in path.values()]


async def test_the_server_serves_the_description(tmp_path: Path, api: dict[str, Any]) -> None:
    async with asgi_server(tmp_path) as server:
        client = server.api_client()
        assert await client.get("/schema/openapi.json") == json.loads(json.dumps(api))


def test_every_endpoint_parameter_struct_and_field_has_words(api: dict[str, Any]) -> None:
    tags = {tag["name"] for tag in api["tags"]}
    assert all(tag["description"] for tag in api["tags"])
    operations = operations_of(api)
    assert len(operations) >= 50
    for operation in operations:
        assert set(operation["tags"]) <= tags
        assert operation["description"].startswith(operation["summary"] + ".")
        assert all(one["description"] for one in operation.get("parameters", []))
    structs = api["components"]["schemas"]
    assert len(structs) >= 40
    assert all(part["description"] for part in structs.values())
    assert_every_field_has_words(structs)


def test_every_answer_has_words_of_its_own(api: dict[str, Any]) -> None:
    """The framework's words for a status do not describe a response."""
    usual = {status.description for status in HTTPStatus}
    for operation in operations_of(api):
        for status, answer in operation["responses"].items():
            if "$ref" not in answer:
                assert status.startswith("2"), operation["operationId"]
                assert answer["description"] not in usual, operation["operationId"]
            else:
                name = answer["$ref"].removeprefix("#/components/responses/")
                described = api["components"]["responses"][name]["description"]
                assert name.endswith(status)
                assert "\n- `" in described, f"{name}: no code"


def test_every_example_is_valid(api: dict[str, Any]) -> None:
    structs = api["components"]["schemas"]

    def check(schema: dict[str, Any], example: object) -> None:
        Draft202012Validator({**schema, "components": {"schemas": structs}}).validate(example)

    for part in structs.values():
        (example,) = part["examples"]
        check(part, example)
    for operation in operations_of(api):
        for parameter in operation.get("parameters", []):
            check(parameter["schema"], parameter["example"])
        for answer in operation["responses"].values():
            for content in answer.get("content", {}).values():
                is_of_structs = "$ref" in json.dumps(content["schema"])
                assert is_of_structs or content["example"], operation["operationId"]
                if "example" in content:
                    check(content["schema"], content["example"])


def test_every_code_of_the_server_has_a_meaning_and_every_meaning_a_code() -> None:
    used: set[tuple[str, int | None]] = {("method", 405), ("refused", 422), ("refused", 400)}
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name("ApiError"),
                    args=[ast.Constant(int(status)), ast.Constant(str(code)), *_],
                ):
                    used.add((code, status))
                case ast.Call(
                    func=ast.Name("Bye") | ast.Attribute(attr="Bye"),
                    args=[ast.Constant(str(code)), *_],
                ):
                    used.add((code, None))
    assert len(used) >= 80
    statuses = {one.code: set(one.statuses) for one in ERROR_CODES}
    assert len(statuses) == len(ERROR_CODES), "a code is listed once"
    for code, found in used:
        assert code in statuses, f"{code}: add it to protocol/error_codes.py"
        assert found in {None, *statuses[code]}, (code, found)
    listed = {(code, status) for code, some in statuses.items() for status in some}
    assert listed - used == {("malformed", 400)}, "the framework's own, for a request in bad JSON"
    assert set(statuses) == {code for code, _ in used}


async def test_unknown_addresses_of_the_api_are_faults(tmp_path: Path) -> None:
    async with in_process_server(tmp_path) as server, httpx.AsyncClient() as browser:
        for path in ("/schema/swagger", "/schema/a/b", "/schema/x.json", "/api/x", "/api/docs/x"):
            answer = await browser.get(server.url + path)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), path
            assert answer.headers["content-type"] == "application/json"


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
