"""Where workers come to for seats to play: who plays for whom, as long as somebody has to."""

import logging

import msgspec

from zashiki.server.bots.frames import Asked, Order
from zashiki.server.hall import Hall
from zashiki.server.limits import Rate
from zashiki.server.sessions import Tickets
from zashiki.server.source import Source

MOST_SEATS = 10_000
"""So many no worker can serve, whatever it says."""
MOST_WORKERS = 100
FASTEST = Rate(6000, 60)
"""How often one seat of a bot may ask: nobody waits for a match among bots alone."""
MARK = "bot:"
"""How the id of a bot begins, where a player's might stand."""

Place = tuple[str, int]
"""A table and a seat at it."""
ASKED = msgspec.json.Decoder(Asked)
log = logging.getLogger("zashiki.bots")


class Worker:
    """The line to a process that plays for seats."""

    def __init__(self, source: Source) -> None:
        self.id = source.id()
        self.capacity = 0
        self.serves: set[Place] = set()
        self.waiting: list[Order] = []
        """Orders that the line is still to take."""
        self.is_open = True


class Desk:
    """Gives each seat that wants a bot to a worker, and takes it back."""

    def __init__(self, hall: Hall, tickets: Tickets, source: Source, pace: float = 0.0) -> None:
        self.hall = hall
        self.tickets = tickets
        self.source = source
        self.pace = pace
