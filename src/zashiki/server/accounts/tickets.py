"""Tickets: single-use tokens that open the socket of a table."""

from collections import OrderedDict

import msgspec

from zashiki.server.store.coordination import Coordination
from zashiki.server.system import System


class Ticket(msgspec.Struct, frozen=True):
    """The right to open one socket. `epoch` is the player's at the time of issue."""

    player: str
    epoch: int
    table: str
    expires: float
    seat: int | None = None
    """The seat of a server's bot, which has no account; None for everyone else."""


class Tickets:
    """Issues tickets and redeems them once. A restart of the server invalidates them.

    If several servers share a store, tickets of people are kept in the store. They are valid at
    every server and expire by the clock of the store. Tickets of bots stay in memory, because a
    bot connects to the server that assigned its seat.
    """

    def __init__(
        self,
        system: System,
        seconds: float = 30,
        max_tickets: int = 10_000,
        coordination: Coordination | None = None,
    ) -> None:
        self._system = system
        self._shared = coordination
        self._seconds = seconds
        self._max_tickets = max_tickets
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tickets)

    def issue(self, player: str, epoch: int, table: str, seat: int | None = None) -> str:
        """Issue a ticket that is valid at this server only."""
        now = self._system.now()
        token = self._system.token()
        self._tickets[token] = Ticket(player, epoch, table, now + self._seconds, seat)
        self._drop_expired(now)
        return token

    async def issue_shared(self, player: str, epoch: int, table: str) -> str:
        """Issue a ticket that is valid at every server that shares the store."""
        if self._shared is None:
            return self.issue(player, epoch, table)
        token = self._system.token()
        ticket = Ticket(player, epoch, table, self._system.now() + self._seconds)
        await self._shared.add_ticket(token, msgspec.json.encode(ticket), self._seconds)
        return token

    async def redeem(self, token: str) -> Ticket | None:
        """Invalidate a ticket of any server and return it; None if it is not valid."""
        found = self.redeem_local(token)
        if found is not None or self._shared is None:
            return found
        content = await self._shared.take_ticket(token)
        return None if content is None else msgspec.json.decode(content, type=Ticket)

    def redeem_local(self, token: str) -> Ticket | None:
        """Invalidate a ticket of this server and return it. The caller checks its epoch."""
        ticket = self._tickets.pop(token, None)
        return None if ticket is None or ticket.expires < self._system.now() else ticket

    def _drop_expired(self, now: float) -> None:
        """Drop tickets that have expired, and the oldest ones if there are too many."""
        while self._tickets:
            oldest = next(iter(self._tickets.values()))
            if oldest.expires >= now and len(self._tickets) <= self._max_tickets:
                break
            self._tickets.popitem(last=False)
