"""The server's end of the connection to one bot worker."""

import asyncio
import base64
import hashlib
import hmac

from zashiki.server.protocol.workers import Order
from zashiki.server.store.coordination import Place

MAX_SEATS = 10_000
"""Maximum number of seats per worker, whatever the worker offers."""
MAX_REVIEWS = 100
"""Maximum number of reviews at once per worker, whatever the worker offers."""
MAX_QUEUED_ORDERS = 1000
"""Maximum number of unsent orders, on top of one per seat, before the worker is disconnected."""


def worker_token(key: bytes, series: str = "") -> str:
    """Derive the token of bot workers from the server's secret key, without revealing the key.

    Another series makes another token, while sessions, which depend on the key too, stay valid.
    """
    digest = hmac.digest(key, f"zashiki worker {series}".strip().encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


class WorkerLink:
    """A connected worker: its capacity, its seats and the orders that wait to be sent."""

    def __init__(self, seats: int, reviews: int = 0) -> None:
        self.capacity = min(max(seats, 0), MAX_SEATS)
        self.max_reviews = min(max(reviews, 0), MAX_REVIEWS)
        self.reviewing: set[str] = set()
        """The matches that it reviews."""
        self.assigned: set[Place] = set()
        self.failures = 0
        """Number of seats that were assigned to this worker and that it did not play."""
        self.orders: asyncio.Queue[Order | None] = asyncio.Queue()
        """Unsent orders. None closes the connection."""

    def send(self, order: Order) -> None:
        """Queue an order. Disconnect a worker that reads too slowly."""
        is_too_slow = self.orders.qsize() > self.capacity + MAX_QUEUED_ORDERS
        self.orders.put_nowait(None if is_too_slow else order)
