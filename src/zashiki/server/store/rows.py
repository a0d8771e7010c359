"""What is kept, row by row. A `dict` or `list` in a row is JSON and comes back as JSON would."""

from typing import Any, Literal

from msgspec import Struct

PlayerKind = Literal["guest", "account", "bot"]
TableState = Literal["open", "playing", "over", "closed"]
HOUSE = "bot:"
"""How the ids of the bots of the house begin; their level follows."""


class Discreet(Struct, frozen=True):
    """A row of which a part must not be seen in a log: it says itself what may be."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("row", repr(self))]


class PlayerRow(Discreet, frozen=True):
    """A player. Who is deleted keeps the row, for the matches that name it."""

    id: str
    kind: PlayerKind
    name: str
    login: str | None
    password: str | None
    """A hash of it."""
    created: float
    epoch: int = 0
    """Sessions of an earlier one are over."""
    deleted: bool = False
    owner: str | None = None
    """Whose bot it is."""

    def __repr__(self) -> str:
        """Without login and hash."""
        return f"<PlayerRow {self.id}, {self.kind}, {self.name!r}>"


class TableRow(Discreet, frozen=True):
    """A table; what the server alone understands of it is in `doc`."""

    id: str
    host: str
    state: TableState
    public: bool
    doc: dict[str, Any]
    version: int
    """One more with every change."""
    updated: float
    match: str | None = None

    def __repr__(self) -> str:
        """Without its document: while cards are being dealt, their seed is in it."""
        return f"<TableRow {self.id}, {self.state}, version {self.version}>"


class MatchRow(Discreet, frozen=True):
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
    """By seat."""
    rated: bool
    ranks: list[int] | None = None
    scores: list[float] | None = None

    def __repr__(self) -> str:
        """Without seed and salt: who reads them in a log knows all hands."""
        end = "" if self.ended is None else ", over"
        return f"<MatchRow {self.id}, {self.game}, {self.seats} seats{end}>"


class EntryRow(Discreet, frozen=True):
    """One step of a match and the facts that it caused: 0 is the set-up, then one an action."""

    match: str
    n: int
    seat: int | None
    key: str | None
    """Chosen by the client. The server plays a command with a known key of the seat once."""
    by: str | None
    action: str | None
    says: str | None
    facts: list[Any]
    """Each [audience, name, {argument: value}]."""
    at: float

    def __repr__(self) -> str:
        """Without action and facts, which not everybody may know."""
        return f"<EntryRow {self.n} of {self.match}, seat {self.seat}>"


class ChatRow(Struct, frozen=True):
    """Something said at a table, by a player who sat there or watched."""

    table: str
    n: int
    player: str
    seat: int | None
    text: str
    at: float


class CardSetRow(Struct, frozen=True):
    """Cards that a player made."""

    id: str
    owner: str
    name: str
    content: dict[str, Any]
    shared: bool
    created: float


class RatingRow(Struct, frozen=True):
    """How strong a player seems in a game of so many seats."""

    player: str
    game: str
    seats: int
    mu: float
    sigma: float
    matches: int
    updated: float


class ReportRow(Struct, frozen=True):
    """A complaint: who made it, where and about whom."""

    id: str
    by: str
    table: str | None
    about: str | None
    text: str
    at: float


def is_bot(id: str | None) -> bool:
    """Is this a bot of the house, and no player?"""
    return id is None or id.startswith(HOUSE)


def server_bot_seats(match: MatchRow) -> set[int]:
    """The seats of bots of the house."""
    return {seat for seat, player in enumerate(match.players) if is_bot(player)}


def check_same(match: MatchRow, entry: EntryRow, table: TableRow) -> None:
    """What is written together belongs together, or it is the caller's mistake."""
    if entry.match != match.id or table.id != match.table:
        raise ValueError(f"{match}: entry and table of the same match are expected")


def check_first(entry: EntryRow) -> None:
    """`ValueError` unless this is the set-up of a match."""
    if entry.n != 0:
        raise ValueError(f"{entry}: a match begins with entry 0")


def check_over(match: MatchRow) -> None:
    if match.ended is None:
        raise ValueError(f"{match}: a match that finishes has an end")
