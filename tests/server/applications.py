"""The server's application for tests, at a tenth of its cost.

A test run makes hundreds of applications. Each would hash a password at full cost, and Litestar
would parse the signatures of all handlers again.
"""

from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any
from unittest.mock import patch

from argon2 import PasswordHasher
from litestar import Litestar
from litestar.datastructures import State
from litestar.events import SimpleEventEmitter
from litestar.openapi import OpenAPIConfig

from tests.server.stores import store_for
from zashiki.server import app
from zashiki.server.accounts import players
from zashiki.server.http.openapi import openapi_config
from zashiki.server.settings import Settings

CHEAP_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A real hasher with the lowest cost: a server hashes once at its start, and tests start hundreds.
`test_a_real_hash_is_a_strong_one` proves the real cost.
"""
_routed: list[tuple[dict[str, Any], Litestar]] = []
"""Applications whose handlers are registered, and their options."""


def application(settings: Settings) -> Litestar:
    """Return the application of a server with these settings, as the product composes it."""
    with (
        patch.object(players, "PasswordHasher", lambda: CHEAP_HASHER),
        patch.object(app, "Litestar", with_known_routes),
        patch.object(app, "openapi_config", known_config),
    ):
        return app.make_app(settings, store_for(settings.folder))


@cache
def known_config() -> OpenAPIConfig:
    """Return the same object each time: two of them are never equal."""
    return openapi_config()


def with_known_routes(
    handlers: Sequence[Any], *, state: State, lifespan: list[Any], **options: Any
) -> Litestar:
    """Return an application with its own state that shares its routes with others like it.

    A handler finds the state by the application of its request. `test_applications` proves that no
    application sees another's state. Servers in separate processes have routes of their own.
    """
    options["route_handlers"] = handlers
    routed = next((known for wanted, known in _routed if wanted == options), None)
    if routed is None:
        routed = Litestar(**options)
        _routed.append((options, routed))
    made = copy(routed)
    made.state = state
    made._lifespan_managers = lifespan
    made.event_emitter = SimpleEventEmitter([])
    made.asgi_router = copy(routed.asgi_router)
    made.asgi_router.app = made
    return made
