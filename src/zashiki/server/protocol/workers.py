"""What a worker and the server's desk say to each other, as structs."""

from msgspec import Struct

SOCKET = "/api/bots/socket"
"""Where a worker comes to, with its token as `Authorization: Bearer …`."""

# From a worker ---------------------------------------------------------------------------------


class Offering(Struct, tag_field="do", tag="offer", forbid_unknown_fields=True):
    """The first frame: for how many seats the worker can play."""

    seats: int


class Again(Struct, tag_field="do", tag="again", forbid_unknown_fields=True):
    """Another ticket for a seat that was given to the worker: its connection was lost."""

    table: str
    seat: int


Asked = Offering | Again

# From the desk ---------------------------------------------------------------------------------


class Serve(Struct, tag_field="is", tag="serve"):
    """Play for this seat, with this ticket."""

    table: str
    seat: int
    ticket: str
    bot: str
    game: str
    pace: float
    """About so many seconds a decision should take."""


class Release(Struct, tag_field="is", tag="release"):
    """Leave this seat."""

    table: str
    seat: int


class Full(Struct, tag_field="is", tag="full"):
    """There are so many workers already, and this one is not needed."""

    most: int


Order = Serve | Release
Told = Order | Full
