"""The result of a review as typed data, which JSON can keep."""

from typing import Any, Literal

from zashiki.core.rulings import Malformed

try:
    import msgspec
except ModuleNotFoundError as missing:
    raise Malformed("review: needs msgspec: pip install 'zashiki[review]'") from missing

FORMAT = 1
"""Version of the data."""
REVIEWER = 1
"""Version of the method: reviews by different versions are not comparable."""

Mark = Literal["blunder", "mistake", "inaccuracy", "found", "as-good", "too-close"]
"""The judgement of a decision.

`found`: the action was clearly the best, and the weakest level misses it. `as-good`: no other
action is better by two points or more. `too-close`: the error is too large to tell.
"""
BAD: tuple[Mark, ...] = ("inaccuracy", "mistake", "blunder")


class ActionValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The value of one legal action to its seat, from 0 to 1."""

    action: str
    """The notation."""
    value: float
    error: float
    worlds: int
    """Number of worlds in which the action was tried."""
    frequency: float | None = None
    """Share of the action in a stored equilibrium; None if none applies."""


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision of a seat: the action that it chose, and the best other one."""

    act: int
    """Number of the action in the match, from 1."""
    played: str
    rival: str
    """The best action other than the one that was played."""
    gain: float
    """Value of the rival less the value of the action played, given what the seat knew."""
    error: float
    """Standard error of the gain: both actions were tried in the same worlds."""
    loss: float
    """Value that the decision cost: the gain if the first stage already found the rival better,
    else 0. It is below 0 if fresh worlds contradict the first stage."""
    mark: Mark
    worlds: int
    open_gain: float
    """The gain with all cards as they really were, which the seat could not know."""
    open_error: float
    actions: tuple[ActionValue, ...]
    """All legal actions, the highest value first."""


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result taken apart: result - start = -losses + cards + others + unseen + remainder."""

    result: float
    start: float
    """Value of a seat before the deal."""
    start_error: float
    losses: float
    """Sum of the losses of the seat's own decisions."""
    losses_error: float
    cards: float
    """Effect of the deal and of every later draw."""
    cards_error: float
    others: float
    """Effect of the other seats' actions, compared with the reference's play."""
    others_error: float
    unseen: float
    """Effect of the seat's own actions with open cards and compared with the reference's play, less
    the effect that the ledger gives them."""
    unseen_error: float
    remainder: float
    """Difference between both sides of the equation."""

    @property
    def adjusted(self) -> float:
        """The result without the effect of the cards."""
        return self.result - self.cards


class SeatReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The review of one seat."""

    seat: int
    decisions: tuple[Decision, ...]
    """The decisions with at least two legal actions."""
    curve: tuple[float, ...] = ()
    """Value after the set-up and after each action, with all cards as they were."""
    account: Account | None = None
    """None for a match that is not over."""

    @property
    def worst(self) -> tuple[Decision, ...]:
        """The marked decisions that cost most, at most three."""
        marked = [one for one in self.decisions if one.mark in BAD]
        return tuple(sorted(marked, key=lambda one: -one.loss)[:3])


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The review of a match for some of its seats."""

    format: int
    reviewer: int
    game: str
    rules_version: int
    options: dict[str, Any]
    names: tuple[str, ...]
    match: str
    """The commitment in the header of the record, which tells matches apart."""
    is_over: bool
    playouts: int
    """Maximum number of playouts per decision."""
    seed: int | str
    seats: tuple[SeatReview, ...]

    def to_json(self) -> str:
        return msgspec.json.encode(self).decode()

    @staticmethod
    def from_json(text: str | bytes) -> "Review":
        """Read the text of `to_json`, or raise `Malformed`."""
        try:
            read = msgspec.json.decode(text, type=Review)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise Malformed(f"review: expected the JSON of a review, found: {fault}") from None
        if read.format != FORMAT:
            raise Malformed(f"review: expected format {FORMAT}, found {read.format}")
        return read

    def _repr_html_(self) -> str:
        from zashiki.analysis.page import body

        return body(self)
