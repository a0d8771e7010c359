"""The composition root: creates and connects the parts that live as long as the server."""

from typing import Any

from litestar.datastructures import State

from zashiki.server.accounts.card_sets import CardSets
from zashiki.server.accounts.players import Accounts
from zashiki.server.accounts.secret_key import fingerprint, operator_key, secret_key
from zashiki.server.accounts.tickets import Tickets
from zashiki.server.accounts.tokens import Sessions
from zashiki.server.bots.dispatcher import BotDispatcher
from zashiki.server.bots.reviews import ReviewQueue
from zashiki.server.bots.worker_link import worker_token
from zashiki.server.calls.caller import Caller
from zashiki.server.calls.digests import Digests
from zashiki.server.calls.vapid import VapidKey
from zashiki.server.cluster.node import ClusterNode
from zashiki.server.ops.addresses import TrustedProxies, is_address, is_loopback
from zashiki.server.ops.outage import Probe
from zashiki.server.ops.rate_limits import ConcurrencyLimit, NewestFew, Rate, RateLimits
from zashiki.server.ops.together import Together
from zashiki.server.ops.verification import VerificationPool
from zashiki.server.previews.service import Previews
from zashiki.server.settings import Settings
from zashiki.server.store.protocol import Store
from zashiki.server.store.rows import AddressRow
from zashiki.server.tables.moderation import Moderation
from zashiki.server.tables.registry import TableRegistry
from zashiki.server.tables.replay import Replays

MAX_SOCKETS_PER_PLAYER = 16
"""Limit of open sockets per player. In the lobby it also holds per address without a session."""
MAX_UNFINISHED_REQUESTS = 32
"""Limit of connections per address whose request has not arrived in full."""
FIXED_RATES = {
    "replays": Rate(120, 60),  # matches replayed from the log, per address
    "contents": Rate(60, 60),  # card sets checked, per address
    "records": Rate(10, 60),  # records verified, per address: each needs a process
    "reviews": Rate(120, 60),  # looks at reviews, per address
    "previews": Rate(60, 60),  # pictures of previews, per address
    "calls": Rate(30, 3600),  # calls of players who are away, per player and kind
    "digest_address": Rate(3, 24 * 3600),  # messages to confirm an address, per address
    "digest_server": Rate(120, 3600),  # the same, for all players of this server
    "rare": Rate(20, 3600),  # reports and new bots, per player and kind
}


class Services:
    """The parts that live as long as the server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        system = settings.system
        self.settings = settings
        self.started = system.now()
        self.is_ready = False
        """True when the store is open and `startup.prepare` has finished."""
        self.store = store
        key = settings.key or secret_key(settings.folder, system)
        self.sessions = Sessions(key, system)
        self.accounts = Accounts(store, system, self.sessions)
        self.name = f"{system.id()}.{fingerprint(key)}"
        """The name of this server in the cluster, with the fingerprint of its key."""
        self.write_probe = Probe(store.check_writable)
        self.tickets = Tickets(system, coordination=store.coordination)
        self.registry = TableRegistry(store, system, self.name, 10**6 * settings.match_memory)
        self.registry.quotas.max_listed = max(1, settings.requests // 15)
        self.dispatcher = BotDispatcher(
            self.registry, self.tickets, system, worker_token(key, settings.token_series),
            settings.bot_pace,
            has_own_workers=settings.bots > 0, coordination=store.coordination, name=self.name,
        )  # fmt: skip
        self.reviews = ReviewQueue(store, system.monotonic)
        self.moderation = Moderation(store, system, self.accounts, self.registry)
        self.operator_key = operator_key(key)
        self.cluster: ClusterNode | None = None
        """None if no other server can share the store."""
        if store.coordination is not None:
            take_over = self.dispatcher.resume  # the matches of a server that has died
            self.cluster = ClusterNode(
                self.registry, store.coordination, self.name, take_over, self.moderation.enforce
            )
        self.limits = RateLimits(system.monotonic, FIXED_RATES | scaled_rates(settings.requests))
        self.connections = ConcurrencyLimit(settings.connections)
        self.unfinished: NewestFew[Any] = NewestFew(MAX_UNFINISHED_REQUESTS)
        """HTTP connections whose request has not arrived in full."""
        self.proxies = TrustedProxies(settings.proxies)
        self.sockets = ConcurrencyLimit(MAX_SOCKETS_PER_PLAYER)
        self.card_sets = CardSets(store, system, self.limits)
        self.replays = Replays(store, self.limits)
        self.previews = Previews(self.registry)
        public = settings.public_address or ""
        subject = public if public.startswith("https:") else None
        self.caller = Caller(
            store, system, self.limits, VapidKey(key), subject, settings.calls_here
        )
        self.registry.observe(self.caller)
        self.digests = Digests(self.registry, self.limits, self.sessions, settings)
        self.verification = VerificationPool()
        self._add_address = Together(store.add_addresses)

    async def note_address(
        self, table: str, player: str, address: str, is_new: bool = False
    ) -> None:
        """Keep from where a player came to a table until its match ends, as a keyed hash.

        People who share an address are not rated against each other. Whether it is kept already is
        looked up, which costs less than a write, unless the player is new at the table.
        """
        hash = self.sessions.keyed_hash("address of table", f"{table} {address}")
        row = AddressRow(table, player, hash)
        if is_new or row not in await self.store.addresses(table):
            await self._add_address(row)

    def origins(self, host: str | None) -> frozenset[str]:
        """Return the origins from which browsers may send requests.

        Without a setting, this is the origin of the server's own pages. But a host name other
        than this machine's own is not trusted, since anyone could point it here by DNS.
        """
        if self.settings.origins or host is None or not (is_loopback(host) or is_address(host)):
            return self.settings.origins
        return frozenset({f"http://{host}", f"https://{host}"})


def scaled_rates(requests: int) -> dict[str, Rate]:
    """Return the rates that grow with the allowed requests per minute and address."""
    return {
        "address": Rate(requests, 60),
        "player": Rate(2 * requests, 60),  # commands over sockets, per player
        "tables": Rate(max(1, requests // 10), 3600),  # new tables, per address
        "guests": Rate(max(1, requests // 10), 3600),  # new guests, per address
        "chat": Rate(max(1, requests // 60), 30),  # lines of chat, per player
    }


def services_of(state: State) -> Services:
    services: Services = state["server"]
    return services
