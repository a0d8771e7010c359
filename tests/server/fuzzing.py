"""Requests to every operation of the HTTP API, generated from its own description."""

from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.guests import HEADERS
from tests.server.in_process_server import InProcessServer
from tests.server.waits import TIMEOUT

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def faults_of(server: InProcessServer, examples: int) -> tuple[int, list[str]]:
    """Return the number of operations, and the answers that are not in the description."""
    tried, faults = 0, []
    with requests.Session() as session:
        described = session.get(f"{server.url}/schema/openapi.json", timeout=TIMEOUT).json()
        schema = schemathesis.openapi.from_dict(described)
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            tried += 1
            modes = [GenerationMode.POSITIVE]
            if operation.body or operation.query:
                modes.append(GenerationMode.NEGATIVE)
            for mode in modes:
                try:
                    fuzz(operation, mode, server, session, examples)
                except FailureGroup as fault:
                    faults.append(f"{operation.label}: {fault.exceptions}")
    return tried, faults


def arrived(server: InProcessServer, session: requests.Session) -> str:
    """Become a guest with a table; return the table's id."""
    session.headers.update(HEADERS)
    session.cookies.clear()
    session.post(
        f"{server.url}/api/guest", json={"name": "Fuzz"}, timeout=TIMEOUT
    ).raise_for_status()
    wanted: Any = {"game": "kingdoms", "seats": 2, "public": False}  # public ones are limited
    opened = session.post(f"{server.url}/api/tables", json=wanted, timeout=TIMEOUT)
    table: str = opened.json()["table"]["id"]
    return table


def fuzz(
    operation: Any,
    mode: GenerationMode,
    server: InProcessServer,
    session: requests.Session,
    examples: int,
) -> None:
    """Send one request in many variants; every other one is about an existing table."""
    table = arrived(server, session)
    count = 0

    @seed(5)
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        nonlocal count
        count += 1
        if count % 2 and "table_id" in (case.path_parameters or {}):
            case.path_parameters["table_id"] = table
        answer = case.call(base_url=server.url, session=session, headers=HEADERS, timeout=TIMEOUT)
        case.validate_response(answer, checks=CHECKS)

    try:
        ask()
    except Exception as fault:
        if "Unsatisfiable" not in type(fault).__name__:
            raise
