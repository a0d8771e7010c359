"""Who asks: the parts of the server that every handler needs, and the player of a request."""

from litestar.datastructures import State

from zashiki.server.accounts.card_sets import CardSets
from zashiki.server.accounts.players import Accounts
from zashiki.server.accounts.secret_key import fingerprint, secret_key
from zashiki.server.accounts.tickets import Tickets
from zashiki.server.accounts.tokens import Sessions
from zashiki.server.bots.dispatcher import BotDispatcher, worker_token
from zashiki.server.cluster.node import ClusterNode
from zashiki.server.ops.addresses import Proxies, is_address, is_loopback
from zashiki.server.ops.rate_limits import ConcurrencyLimit, Rate, RateLimits
from zashiki.server.ops.verification import VerificationPool
from zashiki.server.settings import Settings
from zashiki.server.store.protocol import Store
from zashiki.server.tables.registry import TableRegistry
from zashiki.server.tables.replay import Replays

MAX_SOCKETS_PER_PLAYER = 16
"""So many sockets a player may have open at once; in the lobby, a stranger's address."""
RATES = {
    "replays": Rate(120, 60),  # matches folded from the log for an address
    "contents": Rate(60, 60),  # card sets read for an address
    "records": Rate(10, 60),  # and verified: each costs a process
    "rare": Rate(20, 3600),  # what nobody needs often, each by itself
}


class Services:
    """The parts that live as long as the server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        system = settings.system
        self.settings = settings
        self.started = system.now()
        self.is_ready = False
        """Is the store open, and all done that comes before people?"""
        self.store = store
        key = settings.key or secret_key(settings.folder, system)
        self.sessions = Sessions(key, system)
        self.accounts = Accounts(store, system, self.sessions)
        self.name = f"{system.id()}.{fingerprint(key)}"
        """By which other servers know this one, and see whether it has the same key."""
        self.tickets = Tickets(system, coordination=store.coordination)
        self.registry = TableRegistry(store, system)
        self.dispatcher = BotDispatcher(
            self.registry, self.tickets, system, worker_token(key), settings.bot_pace,
            has_own=settings.bots > 0, coordination=store.coordination, name=self.name,
        )  # fmt: skip
        self.cluster: ClusterNode | None = None
        """The other servers, where there may be any."""
        if store.coordination.is_shared:
            self.cluster = ClusterNode(self.registry, store.coordination, self.name)
            self.cluster.on_lost = self.dispatcher.resume
        self.limits = RateLimits(system.now, RATES | often(settings.requests))
        self.connections = ConcurrencyLimit(settings.connections)
        self.proxies = Proxies(settings.proxies)
        self.sockets = ConcurrencyLimit(MAX_SOCKETS_PER_PLAYER)
        self.card_sets = CardSets(store, system, self.limits)
        self.replays = Replays(store, self.limits)
        self.verification = VerificationPool()

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


def services_of(state: State) -> Services:
    services: Services = state["server"]
    return services
