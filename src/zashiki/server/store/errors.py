"""The faults of a store.

A write that raises has changed nothing, except for `MaybeWritten`.
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


class MaybeWritten(StoreFault):
    """A write failed, and may have been stored all the same: read again to find out."""


class CommitUnanswered(MaybeWritten):
    """The database did not answer COMMIT, so its outcome is unknown."""
