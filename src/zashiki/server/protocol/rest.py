"""Requests and answers over HTTP."""

from typing import Any, Literal

from msgspec import Struct

Language = Literal["en", "ja"]

# Requests --------------------------------------------------------------------------------------


class NewGuest(Struct, forbid_unknown_fields=True):
    """The name of a new guest."""

    name: str


class Chair(Struct, forbid_unknown_fields=True):
    """The occupant that a seat is meant for: anyone, anyone with the invite link, or a bot."""

    kind: Literal["open", "link", "bot"]
    bot: str | None = None


class Relaxed(Struct, tag_field="kind", tag="relaxed", forbid_unknown_fields=True, frozen=True):
    """No time limit."""


class Clock(Struct, tag_field="kind", tag="clock", forbid_unknown_fields=True, frozen=True):
    """Seconds per decision, and a reserve of seconds for the whole match."""

    seconds: int
    bank: int = 0


class Days(Struct, tag_field="kind", tag="days", forbid_unknown_fields=True, frozen=True):
    """Days per decision."""

    days: int


Pace = Relaxed | Clock | Days


class NewTable(Struct, forbid_unknown_fields=True):
    """A request to open a table: game, seats, options, audience and time limit."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    chairs: list[Chair] | None = None
    """One per seat; all open if absent."""
    public: bool = True
    watch: Literal["off", "live", "delayed"] = "live"
    delay: int = 0
    """Number of decisions by which spectators lag, if `watch` is `delayed`."""
    pace: Pace = Relaxed()
    level: str | None = None
    """The bot that plays for absent players (default: `regular`)."""


# Answers ---------------------------------------------------------------------------------------


class Player(Struct):
    """A player as everyone may see them."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]


class Seat(Struct):
    """A seat of a table."""

    kind: Literal["open", "link", "bot", "player"]
    player: Player | None = None
    here: bool = False
    """True if the player is connected."""
    ready: bool = False
    stand_in: str | None = None
    """The bot that plays for the player now."""
    until: float | None = None
    """Time at which a bot will play for the absent or late player, in seconds since the epoch."""
    resigned: bool = False


class Wish(Struct):
    """A request of the player on `seat` to swap with the player on `other`."""

    seat: int
    other: int


class Table(Struct):
    """A table as everyone may see it."""

    id: str
    game: str
    options: dict[str, Any]
    """In lists and in the lobby, content written by a player is replaced by its name."""
    host: str
    state: Literal["open", "starting", "playing", "over", "closed"]
    public: bool
    watch: Literal["off", "live", "delayed"]
    seats: list[Seat]
    match: str | None = None
    commitment: str | None = None
    """The commitment to the seed. Lists omit it."""
    pace: Pace = Relaxed()
    paused: bool = False
    """True while all people are away, so that the match waits."""
    next: str | None = None
    """The table of the rematch."""
    wishes: list[Wish] = []
    """Open requests to swap seats."""
    to_act: list[int] = []
    """Seats that owe a decision. Only in the list of the player's own tables."""


class Fault(Struct):
    """The reason why a request was refused: a code for programs and a text for people."""

    code: str
    text: str
    details: dict[str, Any] = {}


class Ticket(Struct):
    """A single-use, short-lived ticket for the socket of a table."""

    ticket: str
    seat: int | None


class OfferedOption(Struct):
    """An option of a game."""

    name: str
    values: list[Any]
    default: Any
    by_seats: dict[str, list[Any]]
    """The possible values by number of seats, the default first."""
    content: bool
    """True if the value may also be content written by a player."""


class OfferedGame(Struct):
    """A game that can be played."""

    id: str
    title: str
    seats: list[int]
    options: list[OfferedOption]
    bots: list[str]
    """All bots of the game."""
    levels: list[str]
    """The bots that a lobby offers, the weakest first."""
    titles: dict[str, str]
    """By language."""
    summaries: dict[str, str]
    speech: int
    """Maximum length of the phrase that may go with an action; 0 if there are no phrases."""
    sides: list[str]
    """The side of each seat, as a key of the game's texts; empty if all seats are alike."""


class GameTexts(Struct):
    """The texts of a game in one language. A key without a text is shown as it is."""

    title: str
    summary: str
    words: dict[str, str]
    options: dict[str, Any]
    """Title, help and values of each option."""
    hints: dict[str, dict[str, str]]
    """By phase. Hints under the empty key fit every phase."""
    phrases: dict[str, str]
    """The phrases that may go with an action, by key."""
    client: dict[str, str]
    """More texts of the game's table in the browser."""
    goal: str
    """How to win, in a sentence or two; may be empty."""


class GameRules(Struct):
    """The rules for players, as Markdown. A rule's paragraph begins with its id in bold."""

    title: str
    text: str


class OpenedTable(Struct):
    """A new table, and the key of its invite link."""

    table: Table
    key: str


class Sitting(Struct, forbid_unknown_fields=True):
    """A seat to take, and the key of the invite link if the seat is reserved."""

    seat: int
    key: str | None = None


class Placing(Struct, forbid_unknown_fields=True):
    """A seat and the bot for it. Without a bot the seat becomes free."""

    seat: int
    bot: str | None = None


class Swapping(Struct, forbid_unknown_fields=True):
    """A seat to swap with. The host may name two seats."""

    seat: int
    other: int | None = None


# People ----------------------------------------------------------------------------------------


class Credentials(Struct, forbid_unknown_fields=True):
    """The login and password of an account."""

    login: str
    password: str

    def __repr__(self) -> str:
        """Return a text without the password."""
        return "<Credentials>"


class NewName(Struct, forbid_unknown_fields=True):
    """A name that others see."""

    name: str


class Me(Struct):
    """A player as only the player may see it."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]
    login: str | None = None
    token: str | None = None
    """A new token that replaces the one of the request. Sent to programs when theirs is old."""


class Session(Struct):
    """The player of the session, if there is one."""

    player: Me | None


class BotToken(Struct):
    """A new bot and its token. The token is shown once and not stored."""

    player: Player
    token: str


class Mute(Struct, forbid_unknown_fields=True):
    """A player to mute or unmute."""

    player: str
    muted: bool = True


class Complaint(Struct, forbid_unknown_fields=True):
    """A report of bad behaviour, for the operator."""

    text: str
    """May be empty if `line` is given."""
    about: str | None = None
    """The id of a player."""
    line: int | None = None
    """The number of a line of chat at that table. It is quoted, and its sender is reported."""


class Done(Struct):
    """The request was carried out."""

    ok: bool = True


class Rating(Struct):
    """A player's strength in a game with this number of seats, almost surely `low` to `high`."""

    game: str
    seats: int
    mean: float
    low: float
    high: float
    matches: int


class Profile(Struct):
    """A player and their ratings."""

    player: Player
    ratings: list[Rating]


class Ranked(Struct):
    """A place of a leaderboard."""

    player: Player
    rating: Rating


# Matches that were played ----------------------------------------------------------------------


class Sitter(Struct):
    """The occupant of a seat: a player, or a bot of the server by its name."""

    name: str
    player: Player | None = None


class Played(Struct):
    """A match in a list."""

    id: str
    table: str
    game: str
    seats: int
    started: float
    ended: float | None
    players: list[Sitter]
    rated: bool
    ranks: list[int] | None
    scores: list[float] | None


class History(Struct):
    """Finished matches, the newest first. `before` leads to older ones, if there are any."""

    matches: list[Played]
    before: float | None


class Sight(Struct):
    """A reader's view after `step` actions, and the facts that the last action revealed."""

    reader: int | Literal["all"]
    step: int
    steps: int
    view: dict[str, Any]
    seat: int | None
    """The seat that took the action; none for the set-up."""
    action: str | None
    says: str | None
    facts: list[dict[str, Any]]
    said: list[str]
    """One sentence per fact."""


class Match(Struct):
    """A match, the header of its record and, if requested, a reader's view."""

    match: Played
    header: dict[str, Any]
    steps: int | None = None
    """Number of actions of a finished match."""
    sight: Sight | None = None


class RecordText(Struct, forbid_unknown_fields=True):
    """The text of a record."""

    record: str


class Finding(Struct):
    """One result of a verification."""

    verdict: Literal["ok", "failed", "not judged"]
    text: str
    line: int | None = None


class Verified(Struct):
    """The verification of a record: its hash chain, its seed and its rules."""

    ok: bool
    chain: Finding
    seed: Finding
    rules: Finding
    not_judged: int


# Card sets -------------------------------------------------------------------------------------


class CardSetContent(Struct, forbid_unknown_fields=True):
    """Content that a player wrote for an option: a text or a mapping, never a path."""

    game: str
    option: str
    content: str | dict[str, Any]


class ContentFault(Struct):
    """The reason why content cannot be used, and its place."""

    text: str
    path: str = ""
    """The key at fault, as in `cards[3].attack`; empty if there is no single one."""
    line: int | None = None
    """The line at fault, if a text cannot be parsed."""


class CheckedCardSet(Struct):
    """The result of a check: the normalized content with remarks on it, or the fault."""

    ok: bool
    name: str | None = None
    remarks: list[str] = []
    content: dict[str, Any] | None = None
    fault: ContentFault | None = None


class CardSetInfo(Struct):
    """A card set in a list."""

    id: str
    name: str
    game: str
    option: str
    owner: Player
    shared: bool
    created: float


class CardSet(Struct):
    """A card set with its content."""

    about: CardSetInfo
    content: dict[str, Any]
    remarks: list[str]
