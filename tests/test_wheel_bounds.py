"""Packages of which we use more than the documented interface: each part exists, with a bound.

`zashiki.server.realtime.http_connection` subclasses uvicorn's HTTP protocol. A new version may
rename a part of it, and only a strange failure in play would show that. These tests name it.
"""

import ast
import inspect
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import h11
import pytest
from litestar.handlers import HTTPRouteHandler
from prometheus_client.metrics import MetricWrapperBase
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from zashiki.server.accounts.passwords import common_passwords
from zashiki.server.realtime.http_connection import HttpConnection
from zashiki.server.realtime.transport import SlowReaderGuard

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PRIVATE = {"h11", "litestar", "prometheus-client", "uvicorn", "zxcvbn"}
"""Distributions of which private parts are used: each needs an upper bound."""
REQUIREMENT = re.compile(r"^(?P<name>[\w-]+)>=(?P<from>[\d.]+)(,<(?P<below>[\d.]+))?")


def tree(kind: type) -> ast.Module:
    """Return the source of a class; empty if it is written in C."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError):
        return ast.Module([], [])


def ours(kind: type) -> list[type]:
    """Return the class and those of its bases that are written here."""
    return [one for one in kind.__mro__ if one.__module__.startswith("zashiki.")]


def is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def is_super(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "super"


def attributes(kind: type) -> Iterator[ast.Attribute]:
    """Return each attribute in the source of the class."""
    return (node for node in ast.walk(tree(kind)) if isinstance(node, ast.Attribute))


def assigned(kind: type) -> set[str]:
    """Return an instance's attributes by this class: its own, and those that methods assign."""
    by_methods = {
        node.attr
        for node in attributes(kind)
        if is_self(node.value) and isinstance(node.ctx, ast.Store)
    }
    return by_methods | declared(kind)


def declared(kind: type) -> set[str]:
    """Return the names of the class itself, with or without a value."""
    return {*vars(kind), *inspect.get_annotations(kind), *vars(kind).get("__slots__", ())}


def defined(kind: type) -> set[str]:
    """Return all attributes of an instance."""
    return {name for one in kind.__mro__ for name in assigned(one)}


def asked(kind: type) -> set[str]:
    """Return what our methods use of another class: `self.…` that is not ours, and `super().…`.

    Ours are the names that our classes declare, and those with an underscore that they assign.
    """
    mine = {
        name
        for one in ours(kind)
        for name in assigned(one)
        if name.startswith("_") or name in declared(one)
    }
    found = [node for one in ours(kind) for node in attributes(one)]
    of_self = {node.attr for node in found if is_self(node.value)} - mine
    return of_self | {node.attr for node in found if is_super(node.value)}


def missing(kind: type, theirs: type) -> list[str]:
    """Return the parts that our class takes from theirs, and that no longer exist."""
    return sorted(asked(kind) - defined(theirs))


def complaint(theirs: type, parts: list[str], user: str) -> str:
    package = theirs.__module__.partition(".")[0]
    return (
        f"{package} {version(package)}: {theirs.__name__} has no {', '.join(parts)}, which {user} "
        f"uses. Change {user}, or lower the bound of {package} in pyproject.toml."
    )


def test_uvicorn_has_the_parts_that_we_build_on() -> None:
    parts = missing(HttpConnection, H11Protocol)
    assert not parts, complaint(H11Protocol, parts, HttpConnection.__module__)


def test_parts_of_uvicorn_are_found() -> None:
    """Without this, the test above could not fail."""
    assert {"cycle", "conn", "scope", "headers", "tasks"} <= asked(HttpConnection)
    assert "cycle" in missing(HttpConnection, SlowReaderGuard)
    text = complaint(H11Protocol, ["cycle"], "http_connection")
    assert re.match(
        r"uvicorn 0\.\d+\.\d+: H11Protocol has no cycle, which http_connection uses\.", text
    )


def test_uvicorn_upgrades_through_the_method_that_we_override() -> None:
    """uvicorn only checks whether there is a WebSocket protocol."""
    assert "handle_websocket_upgrade" in vars(H11Protocol)
    assert "handle_websocket_upgrade" in {node.attr for node in attributes(H11Protocol)}


@pytest.mark.parametrize(
    ("theirs", "parts", "user"),
    [
        (FlowControl, {"write_paused"}, "http_connection"),
        (h11.Connection, {"their_state", "trailing_data"}, "http_connection"),
        (HTTPRouteHandler, {"responses", "fn", "http_methods"}, "http/openapi"),
        (MetricWrapperBase, {"labels", "collect"}, "ops/metrics"),
    ],
)
def test_others_have_the_parts_that_we_use(theirs: type, parts: set[str], user: str) -> None:
    lacking = sorted(parts - defined(theirs))
    assert not lacking, complaint(theirs, lacking, user)


def test_zxcvbn_has_the_list_that_we_read() -> None:
    assert {"12345678", "password", "sunshine"} <= common_passwords()


def bounds() -> dict[str, tuple[str, str | None]]:
    """Return the lower and upper bound of each package, by name."""
    listed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    found = [REQUIREMENT.match(one) for one in listed]
    return {one["name"]: (one["from"], one["below"]) for one in found if one}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def test_every_requirement_is_read() -> None:
    listed = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    assert len(bounds()) == len(listed)


@pytest.mark.parametrize("name", sorted(PRIVATE))
def test_private_parts_have_an_upper_bound(name: str) -> None:
    assert bounds()[name][1], f"pyproject.toml: {name} needs an upper bound"


@pytest.mark.parametrize("name", sorted(bounds()))
def test_what_is_tested_is_within_the_bounds(name: str) -> None:
    at_least, below = bounds()[name]
    tested = numbers(version(name))
    assert tested >= numbers(at_least)
    assert below is None or tested < numbers(below)


def test_every_import_of_the_server_is_required() -> None:
    """No package is installed only because another one requires it."""
    names = {name.replace("-", "_") for name in bounds()} | {"argon2", "prometheus_client", "PIL"}
    optional = {"ray", "pyarrow", "openskill"}
    own = {"zashiki", "__future__"}
    found = {
        name.partition(".")[0]
        for path in (ROOT / "src" / "zashiki" / "server").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        for name in imported(node)
    }
    assert found - set(sys.stdlib_module_names) - own - optional <= names


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
