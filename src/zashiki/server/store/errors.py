"""The faults of a store.

A write that raises has changed nothing, except for `Unwritten`.
"""


class StoreFault(Exception):
    """A store did not do what it was asked."""


class Taken(StoreFault):
    """Another player has this login."""


class Conflict(StoreFault):
    """Another writer came first: read again, and decide again."""


class Overtaken(StoreFault):
    """Another match of one of these players has ended meanwhile: read the ratings again."""


class Missing(StoreFault):
    """The row to change, or a row that is referred to, does not exist."""


class Busy(StoreFault):
    """Too many requests are waiting already: try again later."""


class Away(Busy):
    """The database cannot be reached: try again later."""


class Closed(StoreFault):
    """The store is not open."""


class Unusable(StoreFault):
    """The database cannot be opened or read; the text says why."""


class Unwritten(StoreFault):
    """The disk or the connection failed. The write is not acknowledged, but it may have been
    stored: read again."""


class Unanswered(Unwritten):
    """The connection was lost after COMMIT was sent."""
