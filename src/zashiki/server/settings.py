"""Who asks: the parts of the server that every handler needs, and the player of a request."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zashiki.server.system import System

REQUESTS = 600
"""So many requests a minute one address may make, and a player twice as many commands."""
CONNECTIONS = 1000
"""So many connections one address may have at once; those of bots are not counted."""


@dataclass(frozen=True)
class Settings:
    """What an operator decides."""

    folder: Path
    """Where the database and the secret key are."""
    origins: frozenset[str] = frozenset()
    """From where pages may ask; where there are none, from wherever the page itself came."""
    system: System = field(default_factory=System)
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
