"""Who is asking: signed session tokens, their cookie, tickets for sockets, and the key behind it.

A session is kept nowhere but in its token. What ends it is a later epoch of its player.
"""

from collections import OrderedDict

import msgspec

from zashiki.server.store.coordination import Coordination
from zashiki.server.system import System

# Tickets ----------------------------------------------------------------------------------------


class Ticket(msgspec.Struct, frozen=True):
    """Opens one socket. The epoch is the player's when it was written."""

    player: str
    epoch: int
    table: str
    expires: float
    seat: int | None = None
    """The seat of a bot, which is no player that is kept anywhere; None for all others."""


class Tickets:
    """Tickets that were written and not yet used. They do not outlive the process, nor need to.

    Where several servers share a store, those of people are kept there: they may be used at any of
    them, and expire by its clock. A bot comes back to the server that gave it a seat.
    """

    def __init__(
        self,
        system: System,
        seconds: float = 30,
        most: int = 10_000,
        coordination: Coordination | None = None,
    ) -> None:
        self._source = system
        self._site = coordination if coordination is not None and coordination.is_shared else None
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[str, Ticket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def issue(self, player: str, epoch: int, table: str, seat: int | None = None) -> str:
        now = self._source.now()
        token = self._source.token()
        self._kept[token] = Ticket(player, epoch, table, now + self._seconds, seat)
        self._drop(now)
        return token

    async def write(self, player: str, epoch: int, table: str) -> str:
        """A ticket of a person."""
        if self._site is None:
            return self.issue(player, epoch, table)
        token = self._source.token()
        ticket = Ticket(player, epoch, table, self._source.now() + self._seconds)
        await self._site.add_ticket(token, msgspec.json.encode(ticket), self._seconds)
        return token

    async def take(self, token: str) -> Ticket | None:
        """The ticket, once, at whichever server it was written."""
        found = self.use(token)
        if found is not None or self._site is None:
            return found
        content = await self._site.take_ticket(token)
        return None if content is None else msgspec.json.decode(content, type=Ticket)

    def use(self, token: str) -> Ticket | None:
        """The ticket, once. Whether its epoch is still the player's is for the caller to ask."""
        ticket = self._kept.pop(token, None)
        return None if ticket is None or ticket.expires < self._source.now() else ticket

    def _drop(self, now: float) -> None:
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if oldest.expires >= now and len(self._kept) <= self._most:
                break
            self._kept.popitem(last=False)
