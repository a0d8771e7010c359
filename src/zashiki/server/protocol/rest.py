"""Requests and answers of the REST interface."""

from typing import Any, Literal

from msgspec import Struct

Language = Literal["en", "ja"]

# Requests of the REST interface ----------------------------------------------------------------


class NewGuest(Struct, forbid_unknown_fields=True):
    """Sit down under a name."""

    name: str


class Chair(Struct, forbid_unknown_fields=True):
    """Who may sit on a seat: anybody, somebody with the link, or a bot."""

    kind: Literal["open", "link", "bot"]
    bot: str | None = None


class Relaxed(Struct, tag_field="kind", tag="relaxed", forbid_unknown_fields=True, frozen=True):
    """Everybody takes the time they need."""


class Clock(Struct, tag_field="kind", tag="clock", forbid_unknown_fields=True, frozen=True):
    """Seconds for each decision, and a bank of them for the whole match."""

    seconds: int
    bank: int = 0


class Days(Struct, tag_field="kind", tag="days", forbid_unknown_fields=True, frozen=True):
    """Days for each decision."""

    days: int


Pace = Relaxed | Clock | Days


class NewTable(Struct, forbid_unknown_fields=True):
    """What a table plays, for whom, and how fast."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    chairs: list[Chair] | None = None
    """One a seat; open where nothing is said."""
    public: bool = True
    watch: Literal["off", "live", "delayed"] = "live"
    delay: int = 0
    """By how many decisions, where watching is delayed."""
    pace: Pace = Relaxed()
    level: str | None = None
    """Which bot plays for who is away; the best there is, where nothing is said."""


# Answers ---------------------------------------------------------------------------------------


class Player(Struct):
    """Somebody, as all may know them."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]


class Seat(Struct):
    """A seat of a table."""

    kind: Literal["open", "link", "bot", "player"]
    player: Player | None = None
    here: bool = False
    """Is a connection of theirs open?"""
    ready: bool = False
    stand_in: str | None = None
    """The bot that plays for them now."""
    until: float | None = None
    """When, in seconds since the epoch, a bot will play for them: they are away, or out of time."""
    resigned: bool = False


class Wish(Struct):
    """Who sits on `seat` would like to swap with who sits on `other`."""

    seat: int
    other: int


class Table(Struct):
    """A table as all may see it."""

    id: str
    game: str
    options: dict[str, Any]
    """In lists and in the lobby, content that somebody wrote is called by its name alone."""
    host: str
    state: Literal["open", "starting", "playing", "over", "closed"]
    public: bool
    watch: Literal["off", "live", "delayed"]
    seats: list[Seat]
    match: str | None = None
    commitment: str | None = None
    """To the seed; at the table itself, and not in every list."""
    pace: Pace = Relaxed()
    paused: bool = False
    """All people are away, and so nothing happens."""
    next: str | None = None
    """The table of the rematch."""
    wishes: list[Wish] = []
    """To swap seats."""
    to_act: list[int] = []
    """Who owes a decision; in the list of one's own tables, and nowhere else."""


class Fault(Struct):
    """Why a request was refused."""

    code: str
    text: str
    details: dict[str, Any] = {}


class Ticket(Struct):
    """Opens one socket, once, soon."""

    ticket: str
    seat: int | None


class OfferedOption(Struct):
    """Something a table may choose."""

    name: str
    values: list[Any]
    default: Any
    by_seats: dict[str, list[Any]]
    """The values that fit so many seats, the default first."""
    content: bool
    """May it also be something that somebody wrote?"""


class OfferedGame(Struct):
    """A game that can be played."""

    id: str
    title: str
    seats: list[int]
    options: list[OfferedOption]
    bots: list[str]
    """All that can be named."""
    levels: list[str]
    """Those of them that a lobby offers, the weakest first."""
    titles: dict[str, str]
    """By language."""
    summaries: dict[str, str]
    speech: int
    """How many characters may be said with an action; 0: nothing is."""
    sides: list[str]
    """What each seat plays, as words of the game's texts, where seats differ."""


class GameTexts(Struct):
    """What a game says in a language; a key that has no text stands for itself."""

    title: str
    summary: str
    words: dict[str, str]
    options: dict[str, Any]
    """Title, help and values of each."""
    hints: dict[str, dict[str, str]]
    """By the phase they fit; under no name those for any time."""
    phrases: dict[str, str]
    """What may be said with an action, by the key that stands for it."""
    client: dict[str, str]
    """What its table in the browser says besides."""
    goal: str
    """What it takes to win, in a sentence or two; empty where the game does not say."""


class GameRules(Struct):
    """The rules for players, as Markdown; ids of rules begin their paragraphs in bold."""

    title: str
    text: str


class OpenedTable(Struct):
    """A new table, and what its link has to say."""

    table: Table
    key: str


class Sitting(Struct, forbid_unknown_fields=True):
    """Which seat, and the key of the link where the seat is kept for it."""

    seat: int
    key: str | None = None


class Placing(Struct, forbid_unknown_fields=True):
    """Which seat, and the bot that is to sit there; none: the seat is free again."""

    seat: int
    bot: str | None = None


class Swapping(Struct, forbid_unknown_fields=True):
    """With whom; the host may name two seats."""

    seat: int
    other: int | None = None


# People ----------------------------------------------------------------------------------------


class Credentials(Struct, forbid_unknown_fields=True):
    """What an account is known by."""

    login: str
    password: str

    def __repr__(self) -> str:
        """Without the password."""
        return "<Credentials>"


class NewName(Struct, forbid_unknown_fields=True):
    """A name to be shown by."""

    name: str


class Me(Struct):
    """A player, as only they may know themselves."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]
    login: str | None = None
    token: str | None = None
    """A younger token in place of the one that a program asked with, now and then."""


class Session(Struct):
    """Who asks, if it is known."""

    player: Me | None


class BotToken(Struct):
    """A bot of one's own, and the token that it asks with: shown once, kept nowhere."""

    player: Player
    token: str


class Mute(Struct, forbid_unknown_fields=True):
    """Whose chat is (not) wanted."""

    player: str
    muted: bool = True


class Complaint(Struct, forbid_unknown_fields=True):
    """What somebody did that they should not, for the operator to read."""

    text: str
    """May be empty where a line of chat says it all."""
    about: str | None = None
    """The id of a player."""
    line: int | None = None
    """The number of a line of chat at that table: it is about who said it, and quoted."""


class Done(Struct):
    """It is done."""

    ok: bool = True


class Rating(Struct):
    """How strong a player seems in a game of so many seats: almost surely from `low` to `high`."""

    game: str
    seats: int
    mean: float
    low: float
    high: float
    matches: int


class Profile(Struct):
    """A player as all may know them."""

    player: Player
    ratings: list[Rating]


class Ranked(Struct):
    """A place of a leaderboard."""

    player: Player
    rating: Rating


# Matches that were played ----------------------------------------------------------------------


class Sitter(Struct):
    """Who sat on a seat: a player, or a bot of the house by its name only."""

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
    """Finished matches, the newest first; older ones from `before` on, where there are any."""

    matches: list[Played]
    before: float | None


class Sight(Struct):
    """What a reader saw after so many actions, and was told by the last of them."""

    reader: int | Literal["all"]
    step: int
    steps: int
    view: dict[str, Any]
    seat: int | None
    """Who took that action; nobody did the set-up."""
    action: str | None
    says: str | None
    facts: list[dict[str, Any]]
    said: list[str]
    """The facts in words, one sentence each."""


class Match(Struct):
    """A match: its header as in its record and, if it was asked for, what a reader saw."""

    match: Played
    header: dict[str, Any]
    steps: int | None = None
    """How many actions it took, when it is over."""
    sight: Sight | None = None


class RecordText(Struct, forbid_unknown_fields=True):
    """A record, as the text that it is."""

    record: str


class Finding(Struct):
    """One answer of a verification."""

    verdict: Literal["ok", "failed", "not judged"]
    text: str
    line: int | None = None


class Verified(Struct):
    """Is a record what it claims to be? Its chain, its seed, its rules."""

    ok: bool
    chain: Finding
    seed: Finding
    rules: Finding
    not_judged: int


# Card sets -------------------------------------------------------------------------------------


class CardSetContent(Struct, forbid_unknown_fields=True):
    """What somebody wrote for an option that takes content: a text or a mapping, never a path."""

    game: str
    option: str
    content: str | dict[str, Any]


class ContentFault(Struct):
    """Why something that was written cannot be played with, and where that shows."""

    text: str
    path: str = ""
    """The key at fault, as in `cards[3].attack`; empty where it is none in particular."""
    line: int | None = None
    """The line of a text that cannot be read."""


class CheckedCardSet(Struct):
    """Can it be played with? What is unusual about it, and all of it in its one form; else why."""

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
    """All of a card set."""

    about: CardSetInfo
    content: dict[str, Any]
    remarks: list[str]
