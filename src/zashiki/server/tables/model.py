"""The document of a table: who sits where and what is played, with its transitions.

The functions are pure: each takes a table and returns it changed, or raises `ApiError`.
"""

import random
from typing import Any, Literal

import msgspec
from msgspec import Struct

from zashiki.bots import USUAL, bot_names
from zashiki.bots.names import house_name, is_free
from zashiki.core import record as records
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import game_spec
from zashiki.server.errors import ApiError
from zashiki.server.protocol import rest
from zashiki.server.protocol.rest import Clock, Days, NewTable, Pace, Relaxed, Seating
from zashiki.server.store.rows import HOUSE, PlayerKind, TableRow

FILLED = ("player", "bot")
MAX_LISTED = 200
"""Players whom a table remembers as removed, or as sent away."""


class Chair(Struct, frozen=True):
    """One seat: who may sit there, and who does."""

    kind: Literal["open", "link", "bot", "player"]
    player: str | None = None
    name: str = ""
    bot: str | None = None
    link: bool = False
    """Reserved for people with the invite link, also after somebody stood up."""
    who: PlayerKind = "guest"
    """The kind of the player who sits there."""


class Dealing(Struct, frozen=True):
    """A deal that waits for hashes, then for nonces. Any server that shares the store may deal."""

    seed: str
    salt: str
    since: float
    """When the host started, by the clock of that server."""
    nonces: dict[str, str] = {}
    """Nonces by seat. They are revealed after the hashes are fixed."""
    hashes: dict[str, str] = {}
    """Hashes of nonces by seat. A seat that gives none has an empty one."""
    is_fixed: bool = False
    """The hashes are on disk and shown: none is added or changed, and nonces are revealed."""

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """Seed and salt."""
        return bytes.fromhex(self.seed), bytes.fromhex(self.salt)

    @property
    def commitment(self) -> str:
        return records.commit(*self.secrets)

    def is_complete(self, people: set[int]) -> bool:
        """Return True if nobody has to be waited for in this phase."""
        if not self.is_fixed:
            return people <= set(map(int, self.hashes))
        return all(seat in self.nonces for seat, hash in self.hashes.items() if hash)

    def has_answered(self, seat: int) -> bool:
        """Return True if a seat has done its part of this phase."""
        if not self.is_fixed:
            return str(seat) in self.hashes
        return str(seat) in self.nonces or not self.hashes.get(str(seat))

    def hashes_of(self, chairs: tuple[Chair, ...]) -> list[str | None]:
        """Return the hash of each seat: empty if a person gave none, None for a bot."""
        return [
            None if chair.kind == "bot" else self.hashes.get(str(seat), "")
            for seat, chair in enumerate(chairs)
        ]


class TableDoc(Struct, frozen=True):
    """The document that the store keeps of a table: what is played, and who sits there."""

    game: str
    options: dict[str, Any]
    chairs: tuple[Chair, ...]
    watch: Literal["off", "live", "delayed"]
    created: float
    key: str
    """The key of the invite link. The lobby does not show it."""
    pace: Pace = Relaxed()
    level: str = ""
    """The bot that plays for a person who is away."""
    resigned: tuple[int, ...] = ()
    gone: dict[str, int] = {}
    """By seat that was resigned: the number of actions until then."""
    claimed: tuple[int, ...] = ()
    """Seats of people who did not move, claimed by others: a bot plays until they are back."""
    left_counts: bool = False
    """True for rated matches: people count as gone when the match has waited a day for them.
    Matches from before this field wait for ever."""
    next: str | None = None
    """The table of the rematch."""
    next_by: str | None = None
    """The player who asked for the rematch first."""
    seating: Seating = "fixed"
    """Whether the start draws who sits where."""
    scene: dict[str, Any] | None = None
    """The position in which the match begins, as `Match.truth` gives it; None for a new deal."""
    delay: int = 0
    """The number of decisions by which spectators are late, if watching is delayed."""
    wishes: tuple[tuple[int, int], ...] = ()
    """Requests to swap seats: who asks, and with whom."""
    dealing: Dealing | None = None
    """Set from the start until the cards are dealt."""
    removed: tuple[str, ...] = ()
    """Players whom the host removed from their seats: they may watch, but not sit down again."""
    sent_away: tuple[str, ...] = ()
    """Players whom the host sent away: they may neither watch nor sit down."""
    watch_before: Literal["live", "delayed"] | None = None
    """The value of `watch` before the host closed watching."""
    are_spectators_muted: bool = False
    """True if only those who sit here may chat."""
    invited: dict[str, str] = {}
    """By player: who has invited them to this table; empty if they declined."""

    @property
    def spec(self) -> GameSpec:
        return game_spec(self.game)

    def seat_of(self, player: str) -> int | None:
        """Return the seat of a player, or None."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player:
                return seat
        return None

    def people(self) -> set[int]:
        """Return the seats of people."""
        return {seat for seat, chair in enumerate(self.chairs) if chair.kind == "player"}

    def players(self) -> set[str]:
        """Return who sits here."""
        return {chair.player for chair in self.chairs if chair.player is not None}


def new_table_doc(
    wanted: NewTable, host: str, name: str, now: float, key: str, who: PlayerKind = "guest"
) -> TableDoc:
    """Return a new table. Its host sits on the first seat that is not a bot's."""
    try:
        spec = game_spec(wanted.game)
        seats = spec.check_seats(wanted.seats)
        options = spec.check_options(wanted.options, seats)
    except Malformed as fault:
        raise ApiError(422, "malformed", str(fault)) from None
    chairs = [checked_chair(spec, chair.kind, chair.bot) for chair in wanted.chairs or ()]
    if wanted.chairs is None:
        chairs = [Chair("open")] * seats
    if len(chairs) != seats:
        raise ApiError(422, "malformed", f"chairs: expected {seats}, found {len(chairs)}")
    check_pace(wanted.pace)
    level = USUAL if wanted.level is None else wanted.level
    checked_chair(spec, "bot", level)
    least = 1 if wanted.watch == "delayed" else 0
    if not least <= wanted.delay <= 100:
        raise ApiError(
            422, "malformed", f"delay: expected {least} to 100 decisions, found {wanted.delay}"
        )
    table = TableDoc(
        wanted.game, options, tuple(chairs), wanted.watch, now, key, wanted.pace, level
    )
    table = msgspec.structs.replace(table, delay=wanted.delay, seating=wanted.seating)
    free = [seat for seat, chair in enumerate(chairs) if chair.kind != "bot"]
    return introduced(sat(table, free[0], host, name, key, who) if free else table)


def check_pace(pace: Pace) -> None:
    if isinstance(pace, Clock) and not (5 <= pace.seconds <= 3600 and 0 <= pace.bank <= 36000):
        text = "pace: expected 5 to 3600 seconds per decision and a bank of 0 to 36000 seconds"
        raise ApiError(422, "malformed", text)
    if isinstance(pace, Days) and not 1 <= pace.days <= 30:
        raise ApiError(422, "malformed", "pace: expected 1 to 30 days per decision")


def checked_chair(spec: GameSpec, kind: Literal["open", "link", "bot"], bot: str | None) -> Chair:
    if kind != "bot":
        if bot is not None:
            raise ApiError(
                422, "malformed", f"chairs: expected no bot with the kind {kind!r}, found {bot!r}"
            )
        return Chair(kind, link=kind == "link")
    if bot not in bot_names(spec):
        known = ", ".join(bot_names(spec))
        given = "a chair for a bot without its name" if bot is None else f"bot {bot!r}"
        raise ApiError(422, "malformed", f"chairs: expected one of {known}, found {given}")
    return Chair("bot", bot=bot)


def sat(
    table: TableDoc, seat: int, player: str, name: str, key: str | None, who: PlayerKind = "guest"
) -> TableDoc:
    """Seat a player, who may come from another seat."""
    chair = chair_at(table, seat)
    if chair.player == player:
        return table
    if chair.kind in FILLED:
        raise ApiError(409, "seat-taken", f"seat {seat} is taken: choose another one")
    if chair.link and key != table.key:
        raise ApiError(
            403,
            "link-needed",
            f"seat {seat} is reserved for people with the invite link: ask the host",
        )
    before = table.seat_of(player)
    if before is not None:
        table = stood(table, before)
    here = Chair("player", player, name, link=chair.link, who=who)
    return introduced(changed(table, seat, here))


def placed(table: TableDoc, seat: int, bot: str | None) -> TableDoc:
    """Put a bot on a seat without a person, or take it away if `bot` is None."""
    chair = chair_at(table, seat)
    if chair.kind == "player":
        raise ApiError(409, "seat-taken", f"seat {seat} is taken: choose another one")
    if bot is None:
        return changed(table, seat, Chair("link" if chair.link else "open", link=chair.link))
    here = msgspec.structs.replace(checked_chair(table.spec, "bot", bot), link=chair.link)
    return introduced(changed(table, seat, msgspec.structs.replace(here, name=chair.name)))


def introduced(table: TableDoc) -> TableDoc:
    """Give every bot a name that nobody else at the table has."""
    people = [chair.name for chair in table.chairs if chair.kind == "player"]
    for seat, chair in enumerate(table.chairs):
        if chair.kind != "bot":
            continue
        others = [*people, *(one.name for one in table.chairs[:seat] if one.kind == "bot")]
        if not chair.name or not is_free(chair.name, others):
            later = [one.name for one in table.chairs[seat + 1 :] if one.kind == "bot"]
            name = house_name([*others, *later], table.key)
            table = changed(table, seat, msgspec.structs.replace(chair, name=name))
    return table


def renamed(table: TableDoc, player: str, name: str) -> TableDoc:
    """Change a player's name at the table."""
    chairs = [
        msgspec.structs.replace(chair, name=name) if chair.player == player else chair
        for chair in table.chairs
    ]
    return introduced(msgspec.structs.replace(table, chairs=tuple(chairs)))


def stood(table: TableDoc, seat: int) -> TableDoc:
    """Empty a seat on which a person sits."""
    chair = chair_at(table, seat)
    if chair.kind != "player":
        raise ApiError(409, "seat-empty", f"seat {seat} is empty")
    return changed(table, seat, Chair("link" if chair.link else "open", link=chair.link))


def removed(table: TableDoc, seat: int, host: str) -> TableDoc:
    """Empty a seat for good: its player may not sit down again unless the host allows it."""
    player = chair_at(table, seat).player
    table = stood(table, seat)
    if player is None or player == host:
        return table
    return msgspec.structs.replace(table, removed=listed(table.removed, player))


def listed(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    """Add a player to a list, from which the oldest fall off."""
    return (*unlisted(players, player), player)[-MAX_LISTED:]


def unlisted(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    return tuple(one for one in players if one != player)


def check_welcome(table: TableDoc, player: str) -> None:
    """Refuse a seat to a player whom the host has removed."""
    if player in table.removed or player in table.sent_away:
        text = "the host has removed you from this table: ask them to allow you again"
        raise ApiError(403, "removed", text)


def swapped(table: TableDoc, seat: int, other: int) -> TableDoc:
    """Swap two seats with everybody on them."""
    one, two = chair_at(table, seat), chair_at(table, other)
    return changed(changed(table, seat, two), other, one)


def reseated(table: TableDoc, secret: bytes) -> TableDoc:
    """Swap two chairs, or draw the order of more from a secret."""
    if len(table.chairs) == 2:
        return msgspec.structs.replace(table, chairs=table.chairs[::-1], wishes=())
    return drawn(table, secret)


def drawn(table: TableDoc, secret: bytes) -> TableDoc:
    """Draw from a secret who sits where."""
    chairs = list(table.chairs)
    random.Random(secret).shuffle(chairs)
    return msgspec.structs.replace(table, chairs=tuple(chairs), wishes=())


def wished(table: TableDoc, player: str, seat: int) -> TableDoc:
    """Add a request to swap seats. If the other player asked for the same, swap them."""
    own, chair = table.seat_of(player), chair_at(table, seat)
    if own is None:
        raise ApiError(409, "not-seated", "you do not sit at this table")
    if chair.kind == "bot":
        raise ApiError(403, "not-host", "only the host of this table may move a bot")
    if chair.kind != "player":
        raise ApiError(409, "seat-empty", f"seat {seat} is empty: sit down there instead")
    if (seat, own) in table.wishes:
        return swapped(table, own, seat)
    if seat == own:
        return table
    others = [wish for wish in table.wishes if wish[0] != own]
    return msgspec.structs.replace(table, wishes=(*others, (own, seat)))


def chair_at(table: TableDoc, seat: int) -> Chair:
    if not 0 <= seat < len(table.chairs):
        most = len(table.chairs) - 1
        raise ApiError(422, "malformed", f"seat: expected a number from 0 to {most}, found {seat}")
    return table.chairs[seat]


def changed(table: TableDoc, seat: int, chair: Chair) -> TableDoc:
    """Replace a chair. Requests to swap with it are void."""
    chairs = (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])
    wishes = tuple(wish for wish in table.wishes if seat not in wish)
    return msgspec.structs.replace(table, chairs=chairs, wishes=wishes)


def with_answers_of(before: TableDoc, table: TableDoc) -> TableDoc:
    """Keep the hashes or nonces that are in memory while the same phase of a deal is pending."""
    old, new = before.dealing, table.dealing
    if old is None or new is None or (old.seed, old.salt) != (new.seed, new.salt):
        return table
    if old.is_fixed != new.is_fixed:
        return table
    nonces = {**new.nonces, **old.nonces}
    hashes = new.hashes if new.is_fixed else {**new.hashes, **old.hashes}
    dealing = msgspec.structs.replace(new, nonces=nonces, hashes=hashes)
    return msgspec.structs.replace(table, dealing=dealing)


def check_no_bots(table: TableDoc) -> None:
    """Refuse to start with bots: without a worker the table would wait for ever."""
    seats = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "bot"]
    if seats:
        text = "no bot worker is connected: ask the operator, or give these seats to people"
        raise ApiError(503, "no-bots", text, {"seats": seats})


def check_full(table: TableDoc) -> None:
    free = [seat for seat, chair in enumerate(table.chairs) if chair.kind not in FILLED]
    if free:
        text = f"seats {', '.join(map(str, free))} are empty: fill them, or put bots there"
        raise ApiError(409, "seats-empty", text, {"seats": free})


# As all may see it -----------------------------------------------------------------------------


def seen(row: TableRow, table: TableDoc) -> rest.Table:
    """Show a table as it looks when nobody is connected."""
    playing = row.state == "playing"
    return rest.Table(
        id=row.id,
        game=table.game,
        options=table.options,
        host=row.host,
        state=row.state,
        public=row.public,
        watch=table.watch,
        seats=[seat_seen(table, seat, playing) for seat in range(len(table.chairs))],
        match=row.match,
        pace=table.pace,
        paused=playing and not isinstance(table.pace, Days) and has_people(table),
        next=table.next,
        next_seat=None if table.next_by is None else table.seat_of(table.next_by),
        wishes=[rest.Wish(*wish) for wish in table.wishes],
        spectators_muted=table.are_spectators_muted,
        seating=table.seating,
    )


def in_brief(table: rest.Table) -> rest.Table:
    """Shorten a table for a list: content that a player wrote is shown by its name."""
    known = game_spec(table.game).options
    options = {name: known[name].name_of(value) for name, value in table.options.items()}
    return msgspec.structs.replace(table, options=options)


def seat_seen(table: TableDoc, seat: int, playing: bool) -> rest.Seat:
    chair = table.chairs[seat]
    if chair.kind not in FILLED:
        return rest.Seat(chair.kind)
    kind = "bot" if chair.kind == "bot" else chair.who
    player = rest.Player(chair.player or bot_id(chair.bot), chair.name, kind)
    resigned = seat in table.resigned
    stand_in = table.level if resigned and playing else None
    return rest.Seat(chair.kind, player, stand_in=stand_in, resigned=resigned)


def is_slow(row: TableRow) -> bool:
    """Return True if a decision may take days."""
    return isinstance(msgspec.convert(row.doc, TableDoc).pace, Days)


def has_people(table: TableDoc) -> bool:
    """Return True if a person has not resigned."""
    return not table.people() <= set(table.resigned)


def bot_id(bot: str | None) -> str:
    """Return the player id of one of the server's bots."""
    return f"{HOUSE}{bot}"
