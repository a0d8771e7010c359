"""What goes over the wire: every request, answer and frame, as structs that make the schema."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

# Requests of the REST interface ----------------------------------------------------------------


class NewGuest(Struct, forbid_unknown_fields=True):
    """Sit down under a name."""

    name: str


class Chair(Struct, forbid_unknown_fields=True):
    """Who may sit on a seat: anybody, somebody with the link, or a bot."""

    kind: Literal["open", "link", "bot"]
    bot: str | None = None


class NewTable(Struct, forbid_unknown_fields=True):
    """What a table plays, for whom, and how fast."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    chairs: list[Chair] | None = None
    """One a seat; open where nothing is said."""
    public: bool = True
    watch: Literal["off", "live"] = "live"


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


class Table(Struct):
    """A table as all may see it."""

    id: str
    game: str
    options: dict[str, Any]
    host: str
    state: Literal["open", "starting", "playing", "over", "closed"]
    public: bool
    watch: Literal["off", "live"]
    seats: list[Seat]
    match: str | None = None
    commitment: str | None = None


class Fault(Struct):
    """Why a request was refused."""

    code: str
    text: str
    details: dict[str, Any] = {}


class Ticket(Struct):
    """Opens one socket, once, soon."""

    ticket: str
    seat: int | None


# Frames from a client --------------------------------------------------------------------------


class Hello(Struct, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first frame: how many facts the client has, and whether it wants views with the news."""

    have: int = 0
    views: bool = True


class Play(Struct, tag_field="do", tag="play", forbid_unknown_fields=True):
    """An action in notation, for the decision of this number."""

    key: str
    decision: int
    action: str
    says: str | None = None


class WhyNot(Struct, tag_field="do", tag="why_not", forbid_unknown_fields=True):
    """Which rule stands against an action?"""

    key: str
    action: str


class Say(Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """A line of chat."""

    key: str
    text: str


class Ready(Struct, tag_field="do", tag="ready", forbid_unknown_fields=True):
    """Having seen the commitment: deal, with this nonce of mine."""

    key: str
    nonce: str = ""


Command = Hello | Play | WhyNot | Say | Ready

# Frames to a client ----------------------------------------------------------------------------


class Welcome(Struct, tag_field="is", tag="welcome"):
    """The first frame: where the table stands."""

    table: Table
    seat: int | None


class Told(Struct, tag_field="is", tag="told"):
    """Facts from the one of number `first` on, and where they leave the reader."""

    first: int
    facts: list[dict[str, Any]]
    to_act: list[int]
    decision: int | None
    legal: list[str]
    over: bool
    view: dict[str, Any] | UnsetType = UNSET


class Answer(Struct, tag_field="is", tag="answer"):
    """What became of a command, once for each key."""

    key: str
    ok: bool
    fault: Fault | None = None


class Changed(Struct, tag_field="is", tag="changed"):
    """The table is not as it was: who sits, who is here, who is ready."""

    table: Table


class Chatted(Struct, tag_field="is", tag="chatted"):
    """A line of chat."""

    n: int
    name: str
    seat: int | None
    text: str


class Bye(Struct, tag_field="is", tag="bye"):
    """The server ends the connection: come back if `again`."""

    code: str
    text: str
    again: bool


News = Welcome | Told | Answer | Changed | Chatted | Bye
