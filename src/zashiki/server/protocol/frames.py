"""Frames of a table's socket: commands to the server, news from it."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from zashiki.server.protocol.rest import Fault, Language, Table

# Frames from a client --------------------------------------------------------------------------


class Hello(Struct, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first frame: the number of facts that the client has, and whether it wants views."""

    have: int = 0
    views: bool = True
    language: Language | None = None
    """Language of news and refusals in words; none if absent."""


class Play(Struct, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play an action, in notation, for the decision of this number."""

    key: str
    decision: int
    action: str
    says: str | None = None


class WhyNot(Struct, tag_field="do", tag="why_not", forbid_unknown_fields=True):
    """Ask which rule forbids an action."""

    key: str
    action: str


class Say(Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """Send a line of chat."""

    key: str
    text: str


class Ready(Struct, tag_field="do", tag="ready", forbid_unknown_fields=True):
    """Agree to the deal after seeing the commitment, and add a nonce to its randomness."""

    key: str
    nonce: str = ""


class Resign(Struct, tag_field="do", tag="resign", forbid_unknown_fields=True):
    """Hand the seat over to a bot for the rest of the match."""

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
    """The first frame: the table as it is now."""

    table: Table
    seat: int | None
    chat: list["Chatted"]
    """The latest lines."""


class Words(Struct):
    """News in words."""

    said: list[str]
    """One sentence per fact."""
    labels: list[str]
    """One label per legal action."""
    asked: str
    """The decision that the reader has to make."""


class Outcome(Struct):
    """The result of a match, by seat."""

    ranks: list[int]
    """1 is best. Equal seats share a rank: 1, 1, 3."""
    scores: list[float]


class Told(Struct, tag_field="is", tag="told"):
    """Facts from number `first` on, and the reader's situation after them."""

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
    """Number of the reader's decisions that a bot made, because the reader was away or late."""


class Answer(Struct, tag_field="is", tag="answer"):
    """The answer to a command, exactly one per key."""

    key: str
    ok: bool
    fault: Fault | None = None


class Changed(Struct, tag_field="is", tag="changed"):
    """The table after a change of its seats, of who is present or of who is ready."""

    table: Table


class Chatted(Struct, tag_field="is", tag="chatted"):
    """A line of chat."""

    n: int
    player: str
    """The id of the sender."""
    name: str
    seat: int | None
    text: str


class Bye(Struct, tag_field="is", tag="bye"):
    """The server closes the connection. The client may reconnect if `again` is true."""

    code: str
    text: str
    again: bool


News = Welcome | Told | Answer | Changed | Chatted | Bye
