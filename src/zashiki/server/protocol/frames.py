"""Frames of a table's socket: commands to the server, news from it.

News of a match have a public part, which is the same bytes for all readers with the same facts, and
a part that belongs to one seat (version 2). Clients that do not ask for a version get `OldTold`.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType

from zashiki.server.protocol.rest import Fault, Language, Table

Version = Literal[1, 2]
VERSION: Version = 2
"""The version of the news that our own clients ask for."""
T = TypeVar("T")

# Frames from a client --------------------------------------------------------------------------


class Hello(Struct, tag_field="do", tag="hello", forbid_unknown_fields=True):
    """The first frame: the number of facts that the client has, and whether it wants views."""

    have: int = 0
    """The number of facts that the client has. Facts after them follow."""
    views: bool = True
    """True if news should have views."""
    language: Language | None = None
    """Language of news and refusals in words; none if absent."""
    version: Version = 1
    """The shape of the news: 2 is `Told`. 1 is `OldTold`, deprecated, gone in the next release."""


class Play(Struct, tag_field="do", tag="play", forbid_unknown_fields=True):
    """Play an action, in notation, for the decision of this number."""

    key: str
    """Chosen by the client, new for each command. The answer repeats it."""
    decision: int
    """The number of the decision, from the last `told`."""
    action: str
    """The action, in notation."""
    says: str | None = None
    """A phrase that goes with the action."""


class WhyNot(Struct, tag_field="do", tag="why_not", forbid_unknown_fields=True):
    """Ask which rule forbids an action."""

    key: str
    """Chosen by the client. The answer repeats it."""
    action: str
    """The action, in notation."""


class Say(Struct, tag_field="do", tag="say", forbid_unknown_fields=True):
    """Send a line of chat."""

    key: str
    """Chosen by the client. The answer repeats it."""
    text: str
    """The line of chat."""


class Ready(Struct, tag_field="do", tag="ready", forbid_unknown_fields=True):
    """Agree to the deal after seeing the commitment, and give the hash of a nonce.

    The hash is BLAKE2b with 32 bytes and the personalisation "zashiki nonce" over the text
    `{commitment}/{seat}/{nonce}`, in hexadecimal digits. Without a hash the seat gives no nonce.
    """

    key: str
    """Chosen by the client. The answer repeats it."""
    hash: str = ""
    """64 hexadecimal digits, or empty."""
    nonce: str = ""
    """Ignored. Clients that deal in one phase send it, and count as giving no nonce."""


class Reveal(Struct, tag_field="do", tag="reveal", forbid_unknown_fields=True):
    """Reveal the nonce after seeing the fixed list of hashes, with one's own hash in it."""

    key: str
    """Chosen by the client. The answer repeats it."""
    nonce: str
    """32 to 64 hexadecimal digits."""


class Resign(Struct, tag_field="do", tag="resign", forbid_unknown_fields=True):
    """Hand the seat over to a bot for the rest of the match."""

    key: str
    """Chosen by the client. The answer repeats it."""


class Claim(Struct, tag_field="do", tag="claim", forbid_unknown_fields=True):
    """Let a bot play for those whose time to claim, in `seats` of the table, has come."""

    key: str
    """Chosen by the client. The answer repeats it."""


class TakeBack(Struct, tag_field="do", tag="take_back", forbid_unknown_fields=True):
    """Play again on a seat that others have claimed. A new connection does the same."""

    key: str
    """Chosen by the client. The answer repeats it."""


class Start(Struct, tag_field="do", tag="start", forbid_unknown_fields=True):
    """Start, as the host: the commitment is shown, and the deal waits for everybody's `ready`.

    When all hashes are there, the table shows the list, and the deal waits for every `reveal`.
    """

    key: str
    """Chosen by the client. The answer repeats it."""


class Rematch(Struct, tag_field="do", tag="rematch", forbid_unknown_fields=True):
    """Continue at the table of the rematch: its `welcome` comes through this socket."""

    key: str
    """Chosen by the client. The answer repeats it."""


Command = Hello | Play | WhyNot | Say | Ready | Reveal | Resign | Claim | TakeBack | Start | Rematch

# Frames to a client ----------------------------------------------------------------------------


class Welcome(Struct, tag_field="is", tag="welcome"):
    """The first frame: the table as it is now."""

    table: Table
    """The table."""
    seat: int | None
    """The seat of the reader; none for a spectator."""
    chat: list["Chatted"]
    """The latest lines."""


class Fact(Struct, array_like=True):
    """An event of a match, as stored and sent: one JSON array, the same bytes for all readers."""

    to: int | Literal["all"]
    """The reader who was told: "all", or the number of a seat."""
    fact: str
    """The name of the fact."""
    arguments: dict[str, Any]
    """Its arguments by name, which differ by game."""


class Outcome(Struct):
    """The result of a match, by seat."""

    ranks: list[int]
    """1 is best. Equal seats share a rank: 1, 1, 3."""
    scores: list[float]
    """The score of each seat."""


class PublicWords(Struct):
    """The public part of the news in words."""

    said: list[str]
    """One sentence per public fact."""
    asked: str
    """The decision that the seats in `to_act` have to make."""


class OwnWords(Struct):
    """A seat's own part of the news in words."""

    said: list[str]
    """One sentence per own fact."""
    labels: list[str]
    """One label per legal action."""


class PublicNews(Struct):
    """The part of the news that everybody may know: the same bytes for all with the same facts."""

    facts: list[Fact]
    """New facts that everybody was told, in order."""
    to_act: list[int]
    """The seats that owe a decision."""
    over: bool
    """True if the match has ended."""
    outcome: Outcome | None
    """The result of a match that has ended."""
    view: dict[str, Any] | UnsetType = UNSET
    """The public view, whose fields differ by game. Absent if `hello` declined views."""
    words: PublicWords | UnsetType = UNSET
    """This part in words. Absent if `hello` named no language."""


class OwnNews(Struct):
    """The part of the news that only one seat may know."""

    facts: list[Fact]
    """New facts that only this seat was told, in order."""
    at: list[int]
    """The place of each own fact among all facts of these news, from 0."""
    decision: int | None
    """The number of the decision that the seat owes; none if it owes none."""
    legal: list[str]
    """The seat's legal actions, in notation."""
    view: dict[str, Any] | UnsetType = UNSET
    """The fields of the seat's view that differ from the public view. They replace its fields."""
    words: OwnWords | UnsetType = UNSET
    """This part in words. Absent if `hello` named no language."""
    stood_in: int | UnsetType = UNSET
    """Number of the seat's decisions that a bot made, because its player was away or late."""


class Told(Struct, tag_field="is", tag="told"):
    """The facts of a reader from number `first` on, and the situation after them."""

    first: int
    """The number of the first of these facts, among all that the reader was told."""
    public: PublicNews
    """The part that is the same bytes for all readers with the same public facts."""
    own: OwnNews | None
    """The part that belongs to the reader's seat; none for spectators."""

    def facts(self) -> list[Fact]:
        """Return the public and the own facts, in order."""
        own = self.own
        return self.public.facts if own is None else in_order(self.public.facts, own.facts, own.at)


def in_order(public: Sequence[T], own: Sequence[T], at: Sequence[int]) -> list[T]:
    """Return the public items, with the own ones at their places."""
    items = list(public)
    for place, item in zip(at, own, strict=True):
        items.insert(place, item)
    return items


class OldWords(Struct):
    """News in words, in frames of version 1."""

    said: list[str]
    """One sentence per fact."""
    labels: list[str]
    """One label per legal action."""
    asked: str
    """The decision that the reader has to make."""


class OldTold(Struct, tag_field="is", tag="told"):
    """Deprecated: `told` of version 1, which a `hello` without `version` asks for."""

    first: int
    """The number of the first of these facts."""
    facts: list[dict[str, Any]]
    """New facts that the reader may know, in order."""
    to_act: list[int]
    """The seats that owe a decision."""
    decision: int | None
    """The number of the decision that the reader owes; none if the reader owes none."""
    legal: list[str]
    """The reader's legal actions, in notation."""
    over: bool
    """True if the match has ended."""
    outcome: Outcome | None = None
    """The result of a match that has ended."""
    view: dict[str, Any] | UnsetType = UNSET
    """The view of the reader, whose fields differ by game. Absent if `hello` declined views."""
    words: OldWords | UnsetType = UNSET
    """The news in words. Absent if `hello` named no language."""
    stood_in: int | UnsetType = UNSET
    """Number of the reader's decisions that a bot made, because the reader was away or late."""


class Answer(Struct, tag_field="is", tag="answer"):
    """The answer to a command, exactly one per key."""

    key: str
    """The key of the command."""
    ok: bool
    """True if the command was carried out."""
    fault: Fault | None = None
    """The reason why it was refused."""


class Changed(Struct, tag_field="is", tag="changed"):
    """The table after a change of its seats, of who is present or of who is ready."""

    table: Table
    """The table. Content of an option is only named: the `welcome` has all of it."""


class Chatted(Struct, tag_field="is", tag="chatted"):
    """A line of chat."""

    n: int
    """The number of the line at this table."""
    player: str
    """The id of the sender."""
    name: str
    """The name of the sender."""
    seat: int | None
    """The seat of the sender; none for a spectator."""
    text: str
    """The line."""


class Bye(Struct, tag_field="is", tag="bye"):
    """The server closes the connection. The client may reconnect if `again` is true."""

    code: str
    """The reason as a word for programs."""
    text: str
    """The reason as a sentence for people."""
    again: bool
    """True if the client may reconnect."""


News = Welcome | Told | Answer | Changed | Chatted | Bye
