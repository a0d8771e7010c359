"""Frames between the server and a bot worker."""

from enum import IntEnum

from msgspec import Struct

SOCKET = "/api/bots/socket"
"""Path of the workers' socket. A worker sends its token as `Authorization: Bearer …`."""
REVIEWS = "/api/bots/reviews"
"""Path of the matches to review: their records are read from there, and their reviews sent."""


class Priority(IntEnum):
    """Which bot is served first."""

    STAND_IN = 0
    """It plays for somebody who is away or late, at a table with people."""
    PEOPLE = 1
    """It plays at a table with people."""
    SPARE = 2
    """Only bots play there: whatever time the others leave."""


PRIORITIES = tuple(Priority)
"""All of them, the most urgent first."""

# From a worker ---------------------------------------------------------------------------------


class Offering(Struct, tag_field="do", tag="offer", forbid_unknown_fields=True):
    """The first frame: the number of seats that the worker can play, and of reviews at once."""

    seats: int
    """The number of seats."""
    reviews: int = 0
    """The number of reviews at once."""


class TicketRequest(Struct, tag_field="do", tag="again", forbid_unknown_fields=True):
    """A request for another ticket, after the connection of a seat was lost."""

    table: str
    """The id of the table."""
    seat: int
    """The number of the seat."""


class ReviewEnded(Struct, tag_field="do", tag="reviewed", forbid_unknown_fields=True):
    """The worker has stopped reviewing a match: it is done, was told so, or failed."""

    match: str
    """The id of the match."""


WorkerFrame = Offering | TicketRequest | ReviewEnded

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
    priority: Priority = Priority.PEOPLE


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


class ReviewMatch(Struct, tag_field="is", tag="review"):
    """Review a match that has ended."""

    match: str
    """The id of the match."""
    playouts: int
    """Maximum number of playouts per decision of the first review to make."""


class StopReview(Struct, tag_field="is", tag="stop-review"):
    """Stop reviewing a match."""

    match: str
    """The id of the match."""


SeatOrder = Serve | Release
Order = SeatOrder | ReviewMatch | StopReview
