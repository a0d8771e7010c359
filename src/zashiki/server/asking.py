"""Who asks: the parts of the server that every handler needs, and the player of a request."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency

from zashiki.server.bots.desk import Desk, worker_token
from zashiki.server.card_sets import CardSets
from zashiki.server.hall import Hall
from zashiki.server.judges import Judges
from zashiki.server.limits import Held, Limits, Proxies, Rate, network
from zashiki.server.neighbours import Neighbours
from zashiki.server.people import People
from zashiki.server.problems import Problem
from zashiki.server.replays import Replays
from zashiki.server.sessions import (
    COOKIE,
    Sessions,
    Tickets,
    check_request,
    fingerprint,
    is_address,
    is_loopback,
    secret_key,
)
from zashiki.server.source import Source
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import PlayerRow

AnyRequest = Request[Any, Any, State]
AnyConnection = ASGIConnection[Any, Any, Any, State]
Asking = NamedDependency[PlayerRow]
"""The player of a request, for a handler that is not for strangers."""
BEARER = "bearer "
REQUESTS = 600
"""So many requests a minute one address may make, and a player twice as many commands."""
CONNECTIONS = 1000
"""So many connections one address may have at once; those of bots are not counted."""
MOST_SOCKETS = 16
"""So many sockets a player may have open at once; in the lobby, a stranger's address."""
RATES = {
    "replays": Rate(120, 60),  # matches folded from the log for an address
    "contents": Rate(60, 60),  # card sets read for an address
    "records": Rate(10, 60),  # and verified: each costs a process
    "rare": Rate(20, 3600),  # what nobody needs often, each by itself
}


@dataclass(frozen=True)
class Settings:
    """What an operator decides."""

    folder: Path
    """Where the database and the secret key are."""
    origins: frozenset[str] = frozenset()
    """From where pages may ask; where there are none, from wherever the page itself came."""
    source: Source = field(default_factory=Source)
    key: str | None = None
    """The secret key, where several servers share one; None: the folder has it."""
    address: str | None = None
    """Where the server's own bot workers find it; None: it has none."""
    bots: int = 1
    """How many such workers it starts."""
    compiled: Path | None = None
    """Folder of compiled modules for these workers; they use it as soon as it exists."""
    bot_pace: float = 1.0
    """About so many seconds a bot takes for a decision when people are at the table."""
    requests: int = REQUESTS
    connections: int = CONNECTIONS
    proxies: Sequence[str] = ()
    """Addresses that are believed when they say for whom they ask."""


class Server:
    """The parts that live as long as the server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        source = settings.source
        self.settings = settings
        self.started = source.now()
        self.is_ready = False
        """Is the store open, and all done that comes before people?"""
        self.store = store
        key = secret_key(settings.folder, source, settings.key)
        self.sessions = Sessions(key, source)
        self.people = People(store, source, self.sessions)
        self.name = f"{source.id()}.{fingerprint(key)}"
        """By which other servers know this one, and see whether it has the same key."""
        self.tickets = Tickets(source, site=store.site)
        self.hall = Hall(store, source)
        self.desk = Desk(
            self.hall, self.tickets, source, worker_token(key), settings.bot_pace,
            has_own=settings.bots > 0, site=store.site, name=self.name,
        )  # fmt: skip
        self.neighbours: Neighbours | None = None
        """The other servers, where there may be any."""
        if store.site.is_shared:
            self.neighbours = Neighbours(self.hall, store.site, self.name)
            self.neighbours.on_lost = self.desk.resume
        self.limits = Limits(source.now, RATES | often(settings.requests))
        self.connections = Held(settings.connections)
        self.proxies = Proxies(settings.proxies)
        self.sockets = Held(MOST_SOCKETS)
        self.card_sets = CardSets(store, source, self.limits)
        self.replays = Replays(store, self.limits)
        self.judges = Judges()

    def origins(self, host: str | None) -> frozenset[str]:
        """From where pages may ask. Where no origin is set, a page that came from this address;
        but a name that is not this machine's own could be anybody's who points it here."""
        if self.settings.origins or host is None or not (is_loopback(host) or is_address(host)):
            return self.settings.origins
        return frozenset({f"http://{host}", f"https://{host}"})


def often(requests: int) -> dict[str, Rate]:
    """What an operator may let happen more or less often: so many requests a minute, and the rest
    in proportion."""
    return {
        "address": Rate(requests, 60),
        "player": Rate(2 * requests, 60),
        "guests": Rate(max(1, requests // 10), 3600),  # that come from an address
        "chat": Rate(max(1, requests // 60), 30),  # lines of a player
    }


def server_of(state: State) -> Server:
    server: Server = state["server"]
    return server


def token_of(request: AnyConnection) -> tuple[str | None, bool]:
    """The session token, and whether a program sent it: a browser has a cookie instead."""
    header = request.headers.get("authorization", "")
    if header[: len(BEARER)].lower() == BEARER:
        return header[len(BEARER) :].strip(), True
    return request.cookies.get(COOKIE), False


def address_of(request: AnyConnection) -> str:
    """What to count the asker's address by."""
    peer = request.client.host if request.client else ""
    proxies = server_of(request.app.state).proxies
    forwarded = ",".join(request.headers.getall("x-forwarded-for", []))
    return network(proxies.origin(peer, forwarded or None))


async def check(request: AnyRequest) -> None:
    """Before everything else: rates, and pages of other sites. Nothing is waited for, but what is
    not `async` would be done in a thread."""
    server = server_of(request.app.state)
    server.limits.take(address=address_of(request))
    host = request.headers.get("host")
    marker, origin = request.headers.get("x-zashiki"), request.headers.get("origin")
    if token_of(request)[1]:
        marker = "1"  # no browser sends such a token by itself, and its cookie then counts nothing
    check_request(request.method, marker, origin, server.origins(host))


async def asker_of(request: AnyConnection) -> PlayerRow | None:
    """Whose session the request carries, if it does."""
    token, _ = token_of(request)
    return await server_of(request.app.state).people.of_token(token) if token else None


async def known_asker(request: AnyConnection) -> PlayerRow:
    """Whose session the request carries, for what is not for strangers."""
    player = await asker_of(request)
    if player is None:
        raise Problem(401, "no-session", "sign in first, or come as a guest")
    return player


async def player_of(request: AnyRequest) -> PlayerRow:
    """The same, as a handler gets it."""
    return await known_asker(request)
