"""Which requests there are: the handlers of all modules, by their tag in OpenAPI."""

from itertools import chain

from zashiki.server.http import (
    accounts,
    card_sets,
    games,
    health,
    history,
    operator,
    pages,
    schema,
    status,
    tables,
)

TAGGED = {
    "games": games.HANDLERS,
    "accounts": accounts.HANDLERS,
    "tables": tables.HANDLERS,
    "history": history.HANDLERS,
    "card sets": card_sets.HANDLERS,
    "schema": schema.HANDLERS,
    "operation": (*health.HANDLERS, *status.HANDLERS, *operator.HANDLERS),
}
"""Handlers by their tag in the OpenAPI description."""
HANDLERS = (*pages.HANDLERS, *chain.from_iterable(TAGGED.values()))

schema.describe(TAGGED)
