"""The rows of a store. A `dict` or `list` in a row is stored as JSON."""

from typing import Any, Literal, NamedTuple

from msgspec import Raw, Struct

PlayerKind = Literal["guest", "account", "bot"]
StoredState = Literal["open", "playing", "over", "closed"]
Unrated = Literal["address", "bot-strength", "content", "no-rivals", "own-bot", "pair", "scene"]
"""Why a match is not rated: two of its people came from one address; the strength of a bot is not
measured; somebody wrote its content; nobody else plays; somebody's own bot plays; two of its people
have played too many rated matches within a day; it began in a position of another match."""
Rivals = Literal["people", "bots"]
"""Against whom a rating was won: other people, or bots of the server alone."""
HOUSE = "bot:"
"""The prefix of the ids of the server's own bots; their level follows."""
VISITOR = "visitor:"
"""The prefix of the ids of people who watch without a session. They have no row."""


class RedactedRow(Struct, frozen=True):
    """A row with secret fields, which its repr leaves out of logs."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("row", repr(self))]


class PlayerRow(RedactedRow, frozen=True):
    """A player. A deleted player keeps the row, because matches refer to it."""

    id: str
    kind: PlayerKind
    name: str
    login: str | None
    password: str | None
    """Its hash."""
    created: float
    epoch: int = 0
    """Sessions of an earlier epoch are revoked."""
    deleted: bool = False
    owner: str | None = None
    """The owner of a bot."""
    recovery: list[str] | None = None
    """Hashes of the recovery codes that were not used; None if none were ever made."""
    scopes: list[str] | None = None
    """Rights of the token of a bot; None for people, and for bots from before scopes."""
    expires: float | None = None
    """When the token of a bot expires."""
    muted_until: float | None = None
    """The operator has muted the player until then, at all tables."""
    banned_until: float | None = None
    """The operator has banned the player until then."""
    address: str | None = None
    """A keyed hash of the address from which the player last came. It is deleted after a time."""
    address_at: float | None = None
    """When that was."""

    def __repr__(self) -> str:
        """Leave out login, hashes and address."""
        return f"<PlayerRow {self.id}, {self.kind}, {self.name!r}>"


class TableRow(RedactedRow, frozen=True):
    """A table. `doc` is opaque to the store."""

    id: str
    host: str
    state: StoredState
    public: bool
    doc: dict[str, Any]
    version: int
    """Increases by one with every change."""
    updated: float
    match: str | None = None

    def __repr__(self) -> str:
        """Leave out the document, which has the seed while cards are being dealt."""
        return f"<TableRow {self.id}, {self.state}, version {self.version}>"


class MatchRow(RedactedRow, frozen=True):
    """A match without its journal."""

    id: str
    table: str
    game: str
    seats: int
    header: dict[str, Any]
    seed: bytes
    salt: bytes
    started: float
    ended: float | None
    players: list[str | None]
    """The players by seat."""
    rated: bool
    ranks: list[int] | None = None
    scores: list[float] | None = None
    unrated: Unrated | None = None
    """Why the match is not rated, as a code; None if it is, or was dealt before this was kept."""
    rated_ranks: list[int] | None = None
    """The ranks by seat that were rated: players who left count as last."""
    rating_changes: list[list[float] | None] | None = None
    """By seat: mu and sigma before the match, then after it; None for seats that are not rated."""

    def __repr__(self) -> str:
        """Leave out seed and salt, which reveal all hands."""
        end = "" if self.ended is None else ", over"
        return f"<MatchRow {self.id}, {self.game}, {self.seats} seats{end}>"


class EntryRow(RedactedRow, frozen=True):
    """One step of a match with its facts: entry 0 is the set-up, then one per action."""

    match: str
    n: int
    seat: int | None
    key: str | None
    """Chosen by the client. The server plays a command with a known key of the seat once."""
    by: str | None
    action: str | None
    says: str | None
    facts: list[Raw]
    """Each the JSON of [audience, name, {argument: value}]."""
    at: float

    def __repr__(self) -> str:
        """Leave out action and facts, which may be hidden."""
        return f"<EntryRow {self.n} of {self.match}, seat {self.seat}>"


class ChatRow(Struct, frozen=True):
    """A chat message at a table, by a player who sat there or watched."""

    table: str
    n: int
    player: str
    seat: int | None
    text: str
    at: float
    key: str | None = None
    """Chosen by the client. A line with a known key of the player is not added again."""


class CardSetRow(Struct, frozen=True):
    """A card set that a player made."""

    id: str
    owner: str
    name: str
    content: dict[str, Any]
    shared: bool
    created: float


class RatingPool(NamedTuple):
    """Matches whose results can be compared. Each has ratings of its own."""

    game: str
    form: str
    """The name of the form; empty if the game has only one."""
    seats: int
    rivals: Rivals


class RatingRow(Struct, frozen=True):
    """The estimated strength of a player in a form of a game, by seats and rivals."""

    player: str
    game: str
    form: str
    seats: int
    rivals: Rivals
    mu: float
    sigma: float
    matches: int
    updated: float

    @property
    def pool(self) -> RatingPool:
        return RatingPool(self.game, self.form, self.seats, self.rivals)


class EarlierRatingRow(Struct, frozen=True):
    """A rating of before forms and rivals were told apart. It is read, and not written."""

    player: str
    game: str
    seats: int
    mu: float
    sigma: float
    matches: int
    updated: float


class ReviewRow(Struct, frozen=True):
    """The best review of a match so far, by one version of the reviewer."""

    match: str
    reviewer: int
    playouts: int
    """Maximum number of playouts per decision."""
    is_finished: bool
    """True if the next review would take too long."""
    review: str
    """The JSON of a `zashiki.analysis.result.Review`."""


class AddressRow(Struct, frozen=True):
    """An address from which a player came to a table that has not ended, as a keyed hash."""

    table: str
    player: str
    hash: str


class SubscriptionRow(RedactedRow, frozen=True):
    """A browser that is called when its player is waited for. Its endpoint is a secret."""

    endpoint: str
    """The address of the browser's push service for this browser alone."""
    player: str
    p256dh: str
    """The public key of the browser."""
    auth: str
    """The secret that the browser shares with the server."""
    language: str
    created: float

    def __repr__(self) -> str:
        """Leave out the endpoint and the keys."""
        return f"<SubscriptionRow of {self.player}>"


DigestKind = Literal["mail", "webhook"]


class DigestRow(RedactedRow, frozen=True):
    """The address to which a player's daily digest goes. It is a secret."""

    player: str
    id: str
    """Changes with the address: links in messages to an earlier address are void."""
    kind: DigestKind
    address: str
    """A mail address, or the https address of a webhook."""
    language: str
    hour: int
    """The hour of the day, in the time zone."""
    zone: str
    """The name of a time zone, like Asia/Tokyo."""
    confirmed: bool
    """True after somebody opened the link that was sent to the address."""
    created: float
    due: float
    """When a digest is to be sent next, if a decision waits then."""
    sent: float | None = None
    """When the last one was sent."""
    failures: int = 0
    """Digests in a row that were refused."""

    def __repr__(self) -> str:
        """Leave out the address."""
        return f"<DigestRow of {self.player}>"


class ReportRow(Struct, frozen=True):
    """A complaint by a player, perhaps about a table and another player."""

    id: str
    by: str
    table: str | None
    about: str | None
    text: str
    at: float
    match: str | None = None
    """The match that was played at the table then."""
    line: int | None = None
    """The number of the line of chat that is reported."""
    done: float | None = None
    """When the operator was done with it."""


ActKind = Literal["mute", "unmute", "ban", "unban", "ban-address", "unban-address", "close", "done"]


class ActRow(Struct, frozen=True):
    """An act of an operator. Acts are added and never changed."""

    id: str
    at: float
    operator: str
    """The id of an account, or `key` for the operator's key."""
    kind: ActKind
    player: str | None
    """The player that it concerns."""
    table: str | None
    report: str | None
    """The report that was its reason."""
    until: float | None
    """The end of a mute or a ban."""
    why: str


class AddressBanRow(Struct, frozen=True):
    """An address from which no guests may come, as a keyed hash."""

    address: str
    until: float
    player: str
    """The player who came from there."""


def is_bot(id: str | None) -> bool:
    """Return whether this is a bot of the server and not a player."""
    return id is None or id.startswith(HOUSE)


def is_visitor(id: str) -> bool:
    """Return whether this is somebody who watches without a session."""
    return id.startswith(VISITOR)


def server_bot_seats(match: MatchRow) -> frozenset[int]:
    """Return the seats of the server's own bots."""
    return frozenset(seat for seat, player in enumerate(match.players) if is_bot(player))


def check_same(match: MatchRow, entry: EntryRow, table: TableRow) -> None:
    """`ValueError` unless entry and table belong to the match."""
    if entry.match != match.id or table.id != match.table:
        raise ValueError(
            f"{match}: expected entry and table of this match, found {entry.match} and {table.id}"
        )


def check_first(entry: EntryRow) -> None:
    """`ValueError` unless this is the set-up of a match."""
    if entry.n != 0:
        raise ValueError(f"{entry}: a match begins with entry 0")


def check_over(match: MatchRow) -> None:
    """`ValueError` unless the match has ended."""
    if match.ended is None:
        raise ValueError(f"{match}: a match that finishes has an end")
