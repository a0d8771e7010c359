"""Requests and answers over HTTP."""

from typing import Any, Literal

from msgspec import Struct

from zashiki.server.store.rows import ActKind, DigestKind, Rivals, Unrated

Language = Literal["en", "ja"]

# Requests --------------------------------------------------------------------------------------


class NewGuest(Struct, forbid_unknown_fields=True):
    """The name of a new guest."""

    name: str
    """The name that others see."""


class Chair(Struct, forbid_unknown_fields=True):
    """The occupant that a seat is meant for: anyone, anyone with the invite link, or a bot."""

    kind: Literal["open", "link", "bot"]
    """Anyone, anyone with the invite link, or a bot."""
    bot: str | None = None
    """The name of the bot, if the seat is for one."""


class Relaxed(Struct, tag_field="kind", tag="relaxed", forbid_unknown_fields=True, frozen=True):
    """No time limit."""


class Clock(Struct, tag_field="kind", tag="clock", forbid_unknown_fields=True, frozen=True):
    """Seconds per decision, and a reserve of seconds for the whole match."""

    seconds: int
    """Seconds per decision."""
    bank: int = 0
    """Reserve for the whole match, in seconds."""


class Days(Struct, tag_field="kind", tag="days", forbid_unknown_fields=True, frozen=True):
    """Days per decision."""

    days: int
    """Days per decision."""


Pace = Relaxed | Clock | Days
Seating = Literal["fixed", "drawn"]


class NewTable(Struct, forbid_unknown_fields=True):
    """A request to open a table: game, seats, options, audience and time limit."""

    game: str
    """The id of a game."""
    seats: int
    """The number of seats."""
    options: dict[str, Any] = {}
    """Values of the game's options by name; the others have their defaults."""
    chairs: list[Chair] | None = None
    """One per seat; all open if absent."""
    public: bool = True
    """True if the lobby lists the table."""
    watch: Literal["off", "live", "delayed"] = "live"
    """Whether spectators may watch: not at all, at once, or with a delay."""
    delay: int = 0
    """Number of decisions by which spectators lag, if `watch` is `delayed`."""
    pace: Pace = Relaxed()
    """The time limit per decision."""
    level: str | None = None
    """The bot that plays for absent players (default: `regular`)."""
    seating: Seating = "fixed"
    """Whether everybody plays on the seat that they took, or the start draws who sits where."""


class PlayOn(Struct, forbid_unknown_fields=True):
    """A request to play on from a step of a finished match, against bots."""

    seat: int
    """The seat that the player takes."""
    step: int
    """The number of actions before the position."""
    level: str | None = None
    """The bots on the other seats (default: `regular`)."""


# Answers ---------------------------------------------------------------------------------------


class Player(Struct):
    """A player as everyone may see them."""

    id: str
    """The id of the player."""
    name: str
    """The name that others see."""
    kind: Literal["guest", "account", "bot"]
    """A guest, an account, or a player's own bot."""


class Seat(Struct):
    """A seat of a table."""

    kind: Literal["open", "link", "bot", "player"]
    """Free for anyone, free for the invite link, a bot of the server, or a player."""
    player: Player | None = None
    """The player or bot on the seat."""
    here: bool = False
    """True if the player is connected."""
    ready: bool = False
    """True if the deal does not wait for this seat in its phase."""
    stand_in: str | None = None
    """The bot that plays for the player now."""
    until: float | None = None
    """Time at which a bot will play for the absent or late player, in seconds since the epoch."""
    resigned: bool = False
    """True if a bot plays for the player until the end of the match."""
    last: bool = False
    """True if the player counts as last in ratings, because a bot had to decide too often."""
    since: float | None = None
    """Time since which the match waits for the player, in seconds since the epoch. Only for a
    player who is connected and has not moved for a minute, if there is no time limit."""
    claim: float | None = None
    """Time from which the others may send `claim`, so that a bot plays on."""


class Wish(Struct):
    """A request of the player on `seat` to swap with the player on `other`."""

    seat: int
    """The seat of the player who asks."""
    other: int
    """The seat of the player who is asked."""


class Table(Struct):
    """A table as everyone may see it."""

    id: str
    """The id of the table."""
    game: str
    """The id of the game."""
    options: dict[str, Any]
    """The options of the game by name. In lists, in the lobby and in frames `changed`, content is
    replaced by its name."""
    host: str
    """The id of the player who opened the table."""
    state: Literal["open", "starting", "playing", "over", "closed"]
    """Not started, being dealt, being played, finished, or closed without a match."""
    public: bool
    """True if the lobby lists the table."""
    watch: Literal["off", "live", "delayed"]
    """Whether spectators may watch: not at all, at once, or with a delay."""
    seats: list[Seat]
    """The seats, in the order of play."""
    match: str | None = None
    """The id of the match that is or was played here."""
    commitment: str | None = None
    """The commitment to the seed. Lists omit it."""
    hashes: list[str | None] | None = None
    """While nonces are revealed: the fixed list of their hashes, empty if a person gave none, null
    for a bot."""
    pace: Pace = Relaxed()
    """The time limit per decision."""
    paused: bool = False
    """True while all people are away, so that the match waits."""
    next: str | None = None
    """The table of the rematch."""
    next_seat: int | None = None
    """The seat of the player who asked for the rematch first."""
    watching: int = 0
    """The number of people who watch without a seat. Lists omit it."""
    wishes: list[Wish] = []
    """Open requests to swap seats."""
    to_act: list[int] = []
    """Seats that owe a decision. Only in the list of the player's own tables."""
    spectators_muted: bool = False
    """True if the host has muted the chat of spectators."""
    seating: Seating = "fixed"
    """Whether everybody plays on the seat that they took, or the start draws who sits where."""
    unrated: Unrated | None = None
    """Why the match is not rated. Only people who sit at the table see it."""


class Fault(Struct):
    """The reason why a request was refused: a code for programs and a text for people."""

    code: str
    """The reason as a word for programs."""
    text: str
    """The reason as a sentence for people."""
    details: dict[str, Any] = {}
    """More about the reason, such as `retry_after` in seconds."""


class Ticket(Struct):
    """A single-use, short-lived ticket for the socket of a table."""

    ticket: str
    """The value of the socket's parameter `ticket`."""
    seat: int | None
    """The seat of the player at the table; none for a spectator."""


class OfferedOption(Struct):
    """An option of a game."""

    name: str
    """The name of the option."""
    values: list[Any]
    """All possible values."""
    default: Any
    """The value if a table does not set the option."""
    by_seats: dict[str, list[Any]]
    """The possible values by number of seats, the default first."""
    content: bool
    """True if the value may also be content written by a player."""
    form: bool = False
    """True if each value is a form of the game, with ratings of its own."""


class OfferedGame(Struct):
    """A game that can be played."""

    id: str
    """The id of the game."""
    title: str
    """The title in English."""
    seats: list[int]
    """The possible numbers of seats."""
    options: list[OfferedOption]
    """The options of the game."""
    bots: list[str]
    """All bots of the game."""
    levels: list[str]
    """The bots that a lobby offers, the weakest first."""
    titles: dict[str, str]
    """The title by language."""
    summaries: dict[str, str]
    """A sentence about the game, by language."""
    speech: int
    """Maximum length of the phrase that may go with an action; 0 if there are no phrases."""
    sides: list[str]
    """The side of each seat, as a key of the game's texts; empty if all seats are alike."""
    minutes: int
    """The usual length of a match among people, in minutes; 0 if not known."""
    difficulty: int
    """The difficulty of learning it: 1 (easy) to 3 (hard); 0 if not known."""
    credits: dict[str, list[str]]
    """The people behind the printed game, one role per line, by language; empty if it has none."""
    website: str
    """The address of its publisher; empty if it has none."""


class GameTexts(Struct):
    """The texts of a game in one language. A key without a text is shown as it is."""

    title: str
    """The title of the game."""
    summary: str
    """A sentence about the game."""
    words: dict[str, str]
    """Names of cards, phases and other terms, by key."""
    options: dict[str, Any]
    """Title, help and values of each option."""
    hints: dict[str, dict[str, str]]
    """By phase. Hints under the empty key fit every phase."""
    phrases: dict[str, str]
    """The phrases that may go with an action, by key."""
    client: dict[str, str]
    """More texts of the game's table in the browser."""
    goal: str
    """The goal of the game, in a sentence or two; may be empty."""


class GameRules(Struct):
    """The rules for players, as Markdown. A rule's paragraph begins with its id in bold."""

    title: str
    """The title of the game."""
    text: str
    """The rules as Markdown."""


class Visitor(Struct):
    """A player who does not sit at a table."""

    id: str
    """The id of the player."""
    name: str
    """Their name."""


class Audience(Struct):
    """The spectators of a table, as only its host may see them."""

    spectators: list[Visitor]
    """Players who watch now."""
    removed: list[Visitor]
    """Players whom the host removed from their seats or sent away."""
    closed: bool
    """True if the host has closed watching, and can open it again."""


class PlayerChoice(Struct, forbid_unknown_fields=True):
    """A player whom the host sends away, or allows again."""

    player: str
    """The id of the player."""


class Invitation(Struct):
    """An invitation of the player to a table that has not started."""

    table: str
    """The id of the table."""
    game: str
    """The id of the game."""
    name: str
    """The name of the player who invites."""
    key: str
    """The key of the invite link; empty unless the player who invites certainly has it."""


class Subscription(Struct, forbid_unknown_fields=True):
    """A browser that wants to be called, as its `PushSubscription` says."""

    endpoint: str
    """The address of the browser at its push service."""
    p256dh: str
    """The public key of the browser, as base64url."""
    auth: str
    """The secret of the subscription, as base64url."""
    language: Language = "en"
    """The language of the notifications."""


class Unsubscription(Struct, forbid_unknown_fields=True):
    """A browser that is not to be called any more. Without an endpoint: all of the player's."""

    endpoint: str | None = None
    """The address of the browser at its push service."""


class Calls(Struct):
    """The way in which a player is called when others wait."""

    key: str
    """The public key of the server, for `applicationServerKey` of a subscription."""
    browsers: int
    """The number of browsers in which the player is called."""


class NewDigest(Struct, forbid_unknown_fields=True):
    """The address and the hour of a daily digest of the decisions that wait for the player."""

    kind: DigestKind
    """By mail, or posted as JSON to a webhook."""
    address: str
    """A mail address, or the https address of a webhook."""
    hour: int
    """The hour of the day, from 0 to 23."""
    zone: str
    """The time zone of that hour, like Asia/Tokyo."""
    language: Language = "en"
    """The language of the digest."""


class OwnDigest(Struct):
    """The daily digest of the player."""

    kind: DigestKind
    """By mail, or posted as JSON to a webhook."""
    address: str
    """A mail address, or the https address of a webhook."""
    hour: int
    """The hour of the day, from 0 to 23."""
    zone: str
    """The time zone of that hour."""
    confirmed: bool
    """True after somebody opened the link that was sent to the address."""


class Digests(Struct):
    """The kinds of daily digests that the operator allows, and the player's own."""

    kinds: list[DigestKind]
    """None if the operator has not set up any."""
    own: OwnDigest | None = None
    """The player's own; none if they have not asked for one."""


class DigestLink(Struct, forbid_unknown_fields=True):
    """The token of a link in a message."""

    token: str
    """The part of the link after `confirm=` or `stop=`."""


class SpectatorRules(Struct, forbid_unknown_fields=True):
    """The rights that the host gives to spectators. Anything absent stays as it is."""

    watch: bool | None = None
    """False closes watching; true opens it again as it was."""
    chat: bool | None = None
    """False mutes the chat of spectators."""


class OpenedTable(Struct):
    """A new table, and the key of its invite link."""

    table: Table
    """The table."""
    key: str
    """The key of the invite link."""


class Sitting(Struct, forbid_unknown_fields=True):
    """A seat to take, and the key of the invite link if the seat is reserved."""

    seat: int
    """The number of the seat, from 0."""
    key: str | None = None
    """The key of the invite link."""


class Placing(Struct, forbid_unknown_fields=True):
    """A seat and the bot for it. Without a bot the seat becomes free."""

    seat: int
    """The number of the seat, from 0."""
    bot: str | None = None
    """The name of the bot."""


class Swapping(Struct, forbid_unknown_fields=True):
    """A seat to swap with. The host may name two seats."""

    seat: int
    """The seat to swap with."""
    other: int | None = None
    """The other seat, if the host swaps two seats."""


# People ----------------------------------------------------------------------------------------


class Credentials(Struct, forbid_unknown_fields=True):
    """The login and password of an account."""

    login: str
    """The login, which only the player sees."""
    password: str
    """The password. Only its hash is stored."""

    def __repr__(self) -> str:
        """Return a text without the password."""
        return "<Credentials>"


class PasswordChange(Struct, forbid_unknown_fields=True):
    """The current password and a new one. All other sessions end."""

    present: str
    """The current password."""
    password: str
    """The new one."""
    keep_bots: bool = False
    """True: the tokens of the player's bots stay valid."""

    def __repr__(self) -> str:
        """Return a text without the passwords."""
        return "<PasswordChange>"


class Recovery(Struct, forbid_unknown_fields=True):
    """A login, one of its recovery codes and a new password. All sessions end."""

    login: str
    """The login of the account."""
    code: str
    """A recovery code that was not used yet."""
    password: str
    """The new password."""

    def __repr__(self) -> str:
        """Return a text without code and password."""
        return "<Recovery>"


class OwnPassword(Struct, forbid_unknown_fields=True):
    """The current password, as a proof."""

    password: str
    """The current password."""

    def __repr__(self) -> str:
        """Return a text without the password."""
        return "<OwnPassword>"


class NewName(Struct, forbid_unknown_fields=True):
    """A name that others see."""

    name: str
    """The name that others see."""


class Me(Struct):
    """A player as only the player may see it."""

    id: str
    """The id of the player."""
    name: str
    """The name that others see."""
    kind: Literal["guest", "account", "bot"]
    """A guest, an account, or a player's own bot."""
    login: str | None = None
    """The login of an account."""
    token: str | None = None
    """A new token that replaces the one of the request. Sent to programs when theirs is old."""
    codes_left: int | None = None
    """Number of recovery codes that were not used. None for guests and bots."""
    codes: list[str] = []
    """New recovery codes. They are sent once, when they are made, and stored as hashes."""
    muted_until: float | None = None
    """The operator has muted the player until then, in seconds since the epoch."""
    operator: bool = False
    """True if the player is an operator of this server."""


class Session(Struct):
    """The player of the session, if there is one."""

    player: Me | None
    """The player; none without a session."""


Scope = Literal["sit", "play", "read"]
"""Rights of the token of a bot: take seats and open tables; play and chat; read."""


class NewBot(Struct, forbid_unknown_fields=True):
    """The name of a new bot, and the rights of its token."""

    name: str
    """The name that others see."""
    scopes: tuple[Scope, ...] = ("sit", "play", "read")
    """The rights of the token."""


class NewToken(Struct, forbid_unknown_fields=True):
    """The rights of the new token of a bot."""

    scopes: tuple[Scope, ...] = ("sit", "play", "read")
    """The rights of the token."""


class BotToken(Struct):
    """A bot and its new token. The token is shown once and not stored."""

    player: Player
    """The bot."""
    token: str
    """The token for `Authorization: Bearer`."""
    scopes: list[Scope]
    """The rights of the token."""
    expires: float
    """Time at which the token expires, in seconds since the epoch."""


class OwnBot(Struct):
    """A bot of the player."""

    id: str
    """The id of the bot."""
    name: str
    """The name that others see."""
    kind: Literal["bot"]
    """Always a bot."""
    created: float
    """Time at which it was made, in seconds since the epoch."""
    scopes: list[Scope]
    """The rights of its token."""
    expires: float | None
    """Time at which its token expires. None: it has no valid token, or one from before this was
    stored."""


class Mute(Struct, forbid_unknown_fields=True):
    """A player to mute or unmute."""

    player: str
    """The id of the other player."""
    muted: bool = True
    """True to mute, false to unmute."""


class Complaint(Struct, forbid_unknown_fields=True):
    """A report of bad behaviour, for the operator."""

    text: str
    """The complaint; may be empty if `line` is given."""
    about: str | None = None
    """The id of a player."""
    line: int | None = None
    """The number of a line of chat at that table. It is quoted, and its sender is reported."""


class Done(Struct):
    """The request was carried out."""

    ok: bool = True
    """Always true."""


class Rating(Struct):
    """A player's strength in one form of a game, almost surely `low` to `high`."""

    game: str
    """The id of the game."""
    form: str
    """The form, as a value of the option that chooses it; empty if the game has only one."""
    seats: int
    """The number of seats."""
    rivals: Rivals
    """Against other people, or alone against bots of the server."""
    mean: float
    """The estimated strength."""
    low: float
    """The lower end of the interval, by which leaderboards are ordered."""
    high: float
    """The upper end of the interval."""
    matches: int
    """The number of rated matches."""


class Profile(Struct):
    """A player and their ratings."""

    player: Player
    """The player."""
    ratings: list[Rating]
    """One rating per game, form, number of seats and kind of rivals."""


class RatedPool(Struct):
    """Matches that are rated together. Each such pool has a leaderboard."""

    game: str
    """The id of the game."""
    form: str
    """The form of the game; empty if it has only one."""
    seats: int
    """The number of seats."""
    rivals: Literal["people", "bots"]
    """Whether ratings were won against people or against bots."""


class Ranked(Struct):
    """A place of a leaderboard."""

    player: Player
    """The player."""
    rating: Rating
    """The player's rating in the game of the leaderboard."""


# Matches that were played ----------------------------------------------------------------------


class Sitter(Struct):
    """The occupant of a seat: a player, or a bot of the server by its name."""

    name: str
    """The name at the time of the match."""
    player: Player | None = None
    """The player as they are now; none for a bot of the server."""


class RatingChange(Struct):
    """The change of a player's rating by a match."""

    before: float
    """The mean before the match."""
    mean: float
    """The mean after it."""
    low: float
    """The lower end of the interval after it."""
    high: float
    """The upper end of the interval after it."""


class Played(Struct):
    """A match in a list."""

    id: str
    """The id of the match."""
    table: str | None
    """The id of its table. Only players of the match are told."""
    game: str
    """The id of the game."""
    seats: int
    """The number of seats."""
    started: float
    """Start, in seconds since the epoch."""
    ended: float | None
    """End, in seconds since the epoch; none before it."""
    players: list[Sitter]
    """The occupant of each seat."""
    rated: bool
    """True if the match counts for ratings."""
    ranks: list[int] | None
    """The rank of each seat, 1 is best; none before the end."""
    scores: list[float] | None
    """The score of each seat; none before the end."""
    form: str = ""
    """The form, as a value of the option that chooses it; empty if the game has only one."""
    unrated: Unrated | None = None
    """Why the match does not count. Only those who played it learn that two came from one
    address."""
    rated_ranks: list[int] | None = None
    """The ranks that counted for ratings: players who left come last."""
    changes: list[RatingChange | None] | None = None
    """By seat, how the rating changed; none if no rating did, or if it was not kept then."""


class History(Struct):
    """Finished matches, the newest first. `before` leads to older ones, if there are any."""

    matches: list[Played]
    """The matches of this page."""
    before: float | None
    """The parameter `before` of the next page; none on the last page."""


class Counted(Struct):
    """A finished match as a line of the statistics of one of its players."""

    id: str
    """The id of the match."""
    game: str
    """The id of the game."""
    form: str
    """The form; empty if the game has only one."""
    seats: int
    """The number of seats."""
    started: float
    """Start, in seconds since the epoch."""
    seconds: float
    """The length of the match, in seconds."""
    rank: int
    """The rank of the player, 1 is best."""
    winners: int
    """The number of seats on the first rank."""
    score: float | None
    """The score of the player."""
    rivals: Rivals
    """Whether other people played, or bots alone."""
    level: str | None
    """The level of the bots, if there were any and all had the same."""
    change: RatingChange | None
    """The change of the player's rating; none if there was none, or if it was not stored then."""


class Statistics(Struct):
    """A player's newest finished matches."""

    matches: list[Counted]
    """The matches, the newest first."""
    more: bool
    """True if there are older ones, which are not counted."""


class Sight(Struct):
    """A reader's view after `step` actions, and the facts that the last action revealed."""

    reader: int | Literal["all"]
    """The seat whose view this is, or "all" for all cards."""
    step: int
    """The number of actions before this view."""
    steps: int
    """The number of actions of the match."""
    view: dict[str, Any]
    """The view, whose fields differ by game."""
    seat: int | None
    """The seat that took the action; none for the set-up."""
    action: str | None
    """The last action, in notation; none for the set-up."""
    says: str | None
    """The phrase that went with the action."""
    facts: list[dict[str, Any]]
    """The facts that the last action revealed to the reader."""
    said: list[str]
    """One sentence per fact."""


class Match(Struct):
    """A match, the header of its record and, if requested, a reader's view."""

    match: Played
    """The match as in a list."""
    header: dict[str, Any]
    """The header of the match's record."""
    steps: int | None = None
    """Number of actions of a finished match."""
    sight: Sight | None = None
    """The view that `seat` and `step` ask for."""


class RecordText(Struct, forbid_unknown_fields=True):
    """The text of a record, and the player's own evidence of the deal."""

    record: str
    """The record, as `record` of a match or `zashiki` writes it."""
    witness: dict[str, Any] | None = None
    """The player's own evidence of the deal, as the verify page of the browser downloads it."""


class Finding(Struct):
    """One result of a verification."""

    verdict: Literal["ok", "failed", "not judged"]
    """Whether the check passed, failed, or could not be made."""
    text: str
    """The result as a sentence."""
    line: int | None = None
    """The line of the record at fault."""


class Verified(Struct):
    """The verification of a record: its hash chain, its seed, its rules and its nonces."""

    ok: bool
    """True if no check failed."""
    chain: Finding
    """The hash chain: nothing was changed later."""
    seed: Finding
    """The seed: the cards were dealt as committed."""
    rules: Finding
    """The rules: every action was legal, with the right outcome."""
    nonces: Finding
    """The nonces: each fits its hash, and the player's own took part."""
    verdict: Literal["ok", "failed", "not judged"]
    """`ok` if all four are: then the shuffle is proved to the player of the witness."""
    not_judged: int
    """The number of actions that could not be judged. The set-up counts as one."""


# Reviews ---------------------------------------------------------------------------------------


class ReviewedAction(Struct):
    """The value of one legal action to its seat."""

    action: str
    """The notation."""
    text: str
    """The action in words."""
    value: float
    """The value, from 0 to 1."""
    error: float
    """The standard error of the value."""
    worlds: int
    """The number of worlds in which the action was tried."""
    frequency: float | None = None
    """The share of the action in a stored equilibrium; null if none applies."""


class ReviewedDecision(Struct):
    """One decision of a seat, judged by what the seat knew."""

    act: int
    """The number of the action in the match, from 1."""
    played: str
    """The notation of the action that was played."""
    played_text: str
    """The same in words."""
    rival: str
    """The notation of the best other action."""
    rival_text: str
    """The same in words."""
    loss: float
    """The cost of the decision, as a share of the win. It can be below 0."""
    error: float
    """The standard error of the loss."""
    mark: Literal["blunder", "mistake", "inaccuracy", "found", "as-good", "too-close"]
    """The judgement. `found`: the one best action, which weak bots miss."""
    worlds: int
    """The number of worlds in which both actions were tried."""
    open_gain: float
    """The gain of the best other action with all cards open."""
    open_error: float
    """The standard error of that gain."""
    actions: list[ReviewedAction]
    """The best legal actions and the one that was played, the highest value first."""


class ReviewedEffect(Struct):
    """One part of a result, as a share of the win."""

    value: float
    """The effect. It can be below 0."""
    error: float
    """Its standard error."""


class ReviewAccount(Struct):
    """A result taken apart: result - start = own + cards + others + unseen + remainder."""

    result: float
    """The result, from 0 to 1."""
    start: ReviewedEffect
    """The value of the seat before the deal."""
    own: ReviewedEffect
    """The effect of the seat's own decisions, given what it knew."""
    cards: ReviewedEffect
    """The effect of the deal and of every later draw."""
    others: ReviewedEffect
    """The effect of what the others chose."""
    unseen: ReviewedEffect
    """The effect of the seat's own choices by cards that it could not see."""
    remainder: float
    """The part that random sampling leaves unexplained."""
    adjusted: float
    """The result without the effect of the cards."""


class ReviewedSeat(Struct):
    """The review of one seat."""

    seat: int
    """The number of the seat."""
    curve: list[float]
    """The value after the set-up and after each action, with all cards as they were."""
    decisions: list[ReviewedDecision]
    """The decisions with at least two legal actions, in order."""
    moments: list[int]
    """The places in `decisions` of those that cost most, at most three."""
    account: ReviewAccount
    """The result taken apart."""


class MatchReview(Struct):
    """The best review of a match so far. A better one is made while somebody asks."""

    is_finished: bool
    """True if no better one will follow."""
    playouts: int
    """The maximum number of playouts per decision; 0 if there is no review yet."""
    seats: list[ReviewedSeat] | None = None
    """The seats; null if there is no review with more playouts than `known`."""


# Card sets -------------------------------------------------------------------------------------


class CardSetContent(Struct, forbid_unknown_fields=True):
    """Content that a player wrote for an option: a text or a mapping, never a path."""

    game: str
    """The id of a game."""
    option: str
    """The name of an option that takes content."""
    content: str | dict[str, Any]
    """The content: a text in TOML, or a mapping."""


class ContentFault(Struct):
    """The reason why content cannot be used, and its place."""

    text: str
    """The fault as a sentence."""
    path: str = ""
    """The key at fault, as in `cards[3].attack`; empty if there is no single one."""
    line: int | None = None
    """The line at fault, if a text cannot be parsed."""


class CheckedCardSet(Struct):
    """The result of a check: the normalized content with remarks on it, or the fault."""

    ok: bool
    """True if the content can be used."""
    name: str | None = None
    """The name of the content."""
    remarks: list[str] = []
    """Remarks on the content, as sentences."""
    content: dict[str, Any] | None = None
    """The normalized content."""
    fault: ContentFault | None = None
    """The reason why the content cannot be used."""


class CardSetInfo(Struct):
    """A card set in a list."""

    id: str
    """The id of the card set."""
    name: str
    """The name of the card set."""
    game: str
    """The id of the game."""
    option: str
    """The name of the option that takes it."""
    owner: Player
    """The player who saved it."""
    shared: bool
    """True if everyone can see and use it."""
    created: float
    """When it was saved, in seconds since the epoch."""


class CardSet(Struct):
    """A card set with its content."""

    about: CardSetInfo
    """The card set as in a list."""
    content: dict[str, Any]
    """The content."""
    remarks: list[str]
    """Remarks on the content, as sentences."""


# The operator ----------------------------------------------------------------------------------


class OperatorSession(Struct):
    """The operator who sends the request: the name of an account, or `key`."""

    name: str
    """The name of the account, or `key`."""
    account: str | None = None
    """The id of the account; none for the operator's key."""


class Report(Struct):
    """A report of a player, for the operator."""

    id: str
    """The id of the report."""
    at: float
    """Time of the report, in seconds since the epoch."""
    by: Player
    """The player who reports."""
    about: Player | None
    """The player whom it is about."""
    text: str
    """The text of the player, after the reported line of chat."""
    table: str | None
    """The id of the table."""
    match: str | None
    """The id of the match that was played there."""
    line: int | None
    """The number of the reported line of chat."""
    done: float | None
    """Time at which the operator was done with it."""


class SpokenLine(Struct):
    """A line of chat, for the operator."""

    n: int
    """The number of the line."""
    at: float
    """Time, in seconds since the epoch."""
    player: Player
    """The player who said it."""
    seat: int | None
    """The seat of the player; none for spectators."""
    text: str
    """The text."""


class Standing(Struct):
    """Mutes and bans of a player by the operator."""

    player: Player
    """The player."""
    created: float
    """Time at which the player came first, in seconds since the epoch."""
    muted_until: float | None
    """End of a mute, in seconds since the epoch."""
    banned_until: float | None
    """End of a ban, in seconds since the epoch."""
    address_banned_until: float | None
    """End of the ban of the player's address, in seconds since the epoch."""
    has_address: bool
    """True if the address is known by its hash, so that it can be banned."""
    owner: Player | None = None
    """The owner of a bot."""


class Act(Struct):
    """An act of an operator."""

    id: str
    """The id of the act."""
    at: float
    """Time of the act, in seconds since the epoch."""
    operator: str
    """The name of an account, or `key`."""
    kind: ActKind
    """The kind of act."""
    player: Player | None
    """The player on whom it was done."""
    table: str | None
    """The id of the table that was closed."""
    report: str | None
    """The id of the report that was the reason."""
    until: float | None
    """End of a mute or a ban, in seconds since the epoch."""
    why: str
    """The reason."""


class Case(Struct):
    """A report with its context."""

    report: Report
    """The report."""
    standing: Standing | None
    """Mutes and bans of the player whom the report is about."""
    game: str | None
    """The game of the table."""
    state: str | None
    """The state of the table."""
    lines: list[SpokenLine]
    """The chat around the reported line, or the last lines before the report."""
    others: list[Report]
    """Other reports about the same player, the newest first."""
    acts: list[Act]
    """Acts on this report and on this player, the newest first."""


class NewAct(Struct, forbid_unknown_fields=True):
    """An act of the operator: on a player, on a table (`close`) or on a report (`done`)."""

    kind: ActKind
    """The kind of act."""
    why: str
    """The reason, which is kept."""
    player: str | None = None
    """The id of a player."""
    table: str | None = None
    """The id of a table."""
    report: str | None = None
    """The report that is the reason, or that is done."""
    hours: float | None = None
    """The length of a mute or a ban, in hours."""
