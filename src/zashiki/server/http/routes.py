"""Routes of requests: the handlers of all modules, by their tag in OpenAPI."""

from itertools import chain

from zashiki.server.http import (
    accounts,
    api_docs,
    calls,
    card_sets,
    digests,
    documentation,
    games,
    health,
    history,
    openapi,
    operator,
    pages,
    reviews,
    status,
    tables,
)

TAGGED = {
    "games": games.HANDLERS,
    "accounts": (*accounts.HANDLERS, *calls.HANDLERS, *digests.HANDLERS),
    "tables": tables.HANDLERS,
    "history": (*history.HANDLERS, *reviews.HANDLERS),
    "card sets": card_sets.HANDLERS,
    "schema": openapi.HANDLERS,
    "operation": (*health.HANDLERS, *status.HANDLERS, *operator.HANDLERS),
}
"""Handlers by their tag in the OpenAPI description."""
HANDLERS = (
    *pages.HANDLERS,
    *api_docs.HANDLERS,
    *documentation.HANDLERS,
    *chain.from_iterable(TAGGED.values()),
)

openapi.describe(TAGGED)
