"""The frames of a table's socket: commands to the server, news from it."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from zashiki.server.protocol.rest import Fault, Language, Table

# Frames from a client --------------------------------------------------------------------------


class Hello(Struct, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first frame: how many facts the client has, and whether it wants views with the news."""

    have: int = 0
    views: bool = True
    language: Language | None = None
    """In which the news, and why something is refused, are put into words."""


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


class Resign(Struct, tag_field="do", tag="resign", forbid_unknown_fields=True):
    """Hand the seat over to a bot, for good."""

    key: str


class Start(Struct, tag_field="do", tag="start", forbid_unknown_fields=True):
    """Start, as the host: the commitment is shown, and the deal waits for everybody's `ready`."""

    key: str


class Rematch(Struct, tag_field="do", tag="rematch", forbid_unknown_fields=True):
    """Go on to the table of the rematch: its `welcome` comes through this socket."""

    key: str


Command = Hello | Play | WhyNot | Say | Ready | Resign | Start | Rematch

# Frames to a client ----------------------------------------------------------------------------


class Welcome(Struct, tag_field="is", tag="welcome"):
    """The first frame: where the table stands."""

    table: Table
    seat: int | None
    chat: list["Chatted"]
    """What was said last."""


class Words(Struct):
    """News in words."""

    said: list[str]
    """The facts, one sentence each."""
    labels: list[str]
    """The legal actions, one each."""
    asked: str
    """What is to be decided."""


class Outcome(Struct):
    """How a match ended, by seat."""

    ranks: list[int]
    """1 is best; equals are equal: 1, 1, 3."""
    scores: list[float]


class Told(Struct, tag_field="is", tag="told"):
    """Facts from the one of number `first` on, and where they leave the reader."""

    first: int
    facts: list[dict[str, Any]]
    to_act: list[int]
    decision: int | None
    legal: list[str]
    over: bool
    outcome: Outcome | None = None
    view: dict[str, Any] | UnsetType = UNSET
    words: Words | UnsetType = UNSET
    stood_in: int | UnsetType = UNSET
    """How many of the reader's own decisions a bot took: they were away, or out of time."""


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
    player: str
    """The id of who said it."""
    name: str
    seat: int | None
    text: str


class Bye(Struct, tag_field="is", tag="bye"):
    """The server ends the connection: come back if `again`."""

    code: str
    text: str
    again: bool


News = Welcome | Told | Answer | Changed | Chatted | Bye
