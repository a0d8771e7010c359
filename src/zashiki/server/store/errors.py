"""What a store can do and how it says no; every database behind it passes the same tests.

A write is there for ever when its call returns, and a read sees every write that returned before
it began. A write that raises has changed nothing (but see `Unwritten`).
"""


class StoreFault(Exception):
    """A store that does not do what it was asked."""


class Taken(StoreFault):
    """Another player has this login."""


class Conflict(StoreFault):
    """Somebody was quicker: read again, and decide again."""


class Overtaken(StoreFault):
    """Another match of one of these players has ended meanwhile: read the ratings again."""


class Missing(StoreFault):
    """What should be changed, or what a row names, is not there."""


class Busy(StoreFault):
    """Too much waits already: try again later."""


class Away(Busy):
    """The database cannot be reached: try again later."""


class Closed(StoreFault):
    """The store is not open."""


class Unusable(StoreFault):
    """The database cannot be opened or read, and the text says why."""


class Unwritten(StoreFault):
    """The disk failed, or the way to it. Read again: the write is not acknowledged, yet it may
    come to light."""


class Unanswered(Unwritten):
    """The database was asked to keep it, and could not be reached any more."""
