"""Everything that can happen to a table, as values.

`handler.dispatch` says what follows from each. A command of people and bots is made of a frame
(`protocol.frames.Command`) or a request, with who asks. Timers and the server itself give commands
too. So `frames.Play` is what a client sends, and `Play` is that with who asks.
"""

import asyncio
from typing import Any

from msgspec import Struct

from zashiki.server.protocol import frames
from zashiki.server.store.group_commit import Done
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables.connection import Connection


class Sit(Struct, frozen=True):
    """A player takes a seat, or moves to another one."""

    player: PlayerRow
    seat: int
    key: str | None = None
    """The key of the invite link, for a seat that is reserved for it."""


class Stand(Struct, frozen=True):
    """A player leaves their seat."""

    player: str


class Remove(Struct, frozen=True):
    """The host empties a seat. Its player may not sit down again until the host allows it."""

    host: str
    seat: int


class PlaceBot(Struct, frozen=True):
    """The host puts a bot on a seat, or with None takes it away."""

    host: str
    seat: int
    bot: str | None


class Swap(Struct, frozen=True):
    """A player asks to swap seats or agrees to it. The host swaps any two seats at once."""

    player: str
    seat: int
    other: int | None


class Close(Struct, frozen=True):
    """The host closes a table that has not started."""

    host: str


class SendAway(Struct, frozen=True):
    """The host sends a spectator away, until the host allows them again."""

    host: str
    player: str


class Allow(Struct, frozen=True):
    """The host allows a player again who was removed or sent away."""

    host: str
    player: str


class SetSpectators(Struct, frozen=True):
    """The host closes or opens watching, and the chat of spectators. None leaves it as it is."""

    host: str
    may_watch: bool | None = None
    may_chat: bool | None = None


class Invite(Struct, frozen=True):
    """Somebody who sits at the table invites a player."""

    player: str
    other: str


class Decline(Struct, frozen=True):
    """A player who was invited does not want to come, and is not invited again."""

    player: str


class CloseForAll(Struct, frozen=True):
    """The operator closes a table, whatever is played there."""


class Rename(Struct, frozen=True):
    """A player has a new name."""

    player: str
    name: str


class Forget(Struct, frozen=True):
    """A player was deleted. `name` replaces theirs."""

    player: str
    name: str


class Start(Struct, frozen=True):
    """The host starts: the commitment is shown, and the deal waits for hashes of nonces."""

    host: str
    has_bots: bool = True
    """True if a bot worker is connected, or will be soon."""


class Ready(Struct, frozen=True):
    """A seat has seen the commitment and gives the hash of its nonce, or an empty one."""

    seat: int
    hash: str = ""


class Reveal(Struct, frozen=True):
    """A seat has seen the fixed list of hashes and reveals its nonce."""

    seat: int
    nonce: str


class NonceTimeout(Struct, frozen=True):
    """The time for hashes, or for nonces, is over."""

    is_fixed: bool
    """True if the hashes were fixed and nonces are missing."""


class Play(Struct, frozen=True):
    """A seat takes a decision."""

    player: str
    seat: int
    frame: frames.Play
    language: str = "en"
    """The language of the explanation if the action is refused."""


class WhyNot(Struct, frozen=True):
    """A seat asks which rule forbids an action. The outcome is a `Fault`, or None."""

    seat: int
    action: str
    language: str = "en"


class ReadRecord(Struct, frozen=True):
    """Somebody asks for the record. The outcome is as much of it as they may read."""

    player: str | None


class Resign(Struct, frozen=True):
    """A seat is handed over to a bot for good."""

    seat: int


class Claim(Struct, frozen=True):
    """A seat asks for bots in place of those who are here and have not moved for a long time."""

    seat: int


class TakeBack(Struct, frozen=True):
    """A player whose seat was claimed plays again."""

    seat: int


class GiveUp(Struct, frozen=True):
    """The match may have waited too long for somebody. They count as gone."""


class Say(Struct, frozen=True):
    """A player says a line of chat."""

    player: str
    seat: int | None
    text: str
    key: str | None = None
    """Chosen by the client. A line with a known key of the player is not said again."""
    link: str | None = None
    """The key of the invite link, which opens the chat of a private table."""


class Arrive(Struct, frozen=True):
    """A connection says hello: it gets the present state of the table, and all later news."""

    connection: Connection
    hello: frames.Hello


class Answers(Struct, frozen=True):
    """Hashes or nonces of several seats, which are written at once."""

    each: tuple[Ready, ...] | tuple[Reveal, ...]


class LinkRematch(Struct, frozen=True):
    """The table of the rematch exists."""

    table: str
    by: str
    """The player who asked for it."""
    instead_of: str | None = None
    """The table of a rematch that was closed."""


class RemoveDeletedPlayers(Struct, frozen=True):
    """The table is new: players may have been deleted before it could be found."""


class CatchUp(Struct, frozen=True):
    """Another server may have written to the table or its match."""


class CatchUpChat(Struct, frozen=True):
    """Another server may have written lines of chat."""


ByPeople = (
    Sit | Stand | Remove | PlaceBot | Swap | Close | CloseForAll | Rename | Forget
    | SendAway | Allow | SetSpectators | Invite | Decline | Start | Ready | Reveal
    | Play | WhyNot | ReadRecord | Resign | Claim | TakeBack | Say | Arrive
)  # fmt: skip
ByTimers = NonceTimeout | GiveUp
Internal = Answers | LinkRematch | RemoveDeletedPlayers | CatchUp | CatchUpChat
"""Given by the server itself: answers that `handler` has joined, and news of other servers."""
Command = ByPeople | ByTimers | Internal
"""Everything that waits in the queue of a table, whoever gave it."""


class QueuedCommand(Struct):
    """A command in the queue of a table, and the callback that gets its outcome."""

    command: Command
    done: Done
    task: asyncio.Task[Any] | None = None
    """The task that it waits for, if there is one."""
