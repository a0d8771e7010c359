"""Frames between the server and a bot worker."""

from msgspec import Struct

SOCKET = "/api/bots/socket"
"""Path of the workers' socket. A worker sends its token as `Authorization: Bearer …`."""

# From a worker ---------------------------------------------------------------------------------


class Offering(Struct, tag_field="do", tag="offer", forbid_unknown_fields=True):
    """The first frame: the number of seats that the worker can play."""

    seats: int
    """The number of seats."""


class TicketRequest(Struct, tag_field="do", tag="again", forbid_unknown_fields=True):
    """A request for another ticket, after the connection of a seat was lost."""

    table: str
    """The id of the table."""
    seat: int
    """The number of the seat."""


WorkerFrame = Offering | TicketRequest

# From the server -------------------------------------------------------------------------------


class Serve(Struct, tag_field="is", tag="serve"):
    """Play this seat, with this ticket."""

    table: str
    """The id of the table."""
    seat: int
    """The number of the seat."""
    ticket: str
    """The ticket for the table's socket."""
    bot: str
    """The name of the bot."""
    game: str
    """The id of the game."""
    pace: float
    """Typical time per decision, in seconds."""


class Release(Struct, tag_field="is", tag="release"):
    """Leave this seat."""

    table: str
    """The id of the table."""
    seat: int
    """The number of the seat."""


class Full(Struct, tag_field="is", tag="full"):
    """The server has the maximum number of workers."""

    most: int
    """The maximum number of workers."""


Order = Serve | Release
