# mypyc: compile
"""The private state of a seat and the hidden state of a Red Town match, with their facts."""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import Hidden, Own, Seat
from zashiki.games.red_town.cards import (
    NO_CARDS,
    Cards,
    hitmen,
    minus,
    plus,
    red_hitmen,
)
from zashiki.games.red_town.packing import (
    Packet,
    copied,
    ended,
    handed,
    hitmen_at_first,
)


@final
class RedTownOwn(Own):
    """A seat's hand and supply, and everything that it has held, looked at and added."""

    def __init__(self, seat: Seat, form: i64) -> None:
        super().__init__(seat)
        self.form: Final = form
        self.hand: Cards = NO_CARDS
        self.supply: Cards = hitmen_at_first(form)
        self.choice: ActionId = ActionId(0)
        """The secret choice. Whether it still counts is public."""
        self.packet: Packet = Packet(seat)
        """The packet in hand. In the two-player form that is public."""
        self.known: vec[i64] = vec[i64]([0, 0, 0, 0, 0])
        """Each packet of this round as this seat last saw it, if it has seen it."""
        self.handed: vec[i64] = vec[i64]()
        """Every hand passed on, as `handed` packs it (RT 2.10)."""
        self.handed_cards: vec[i64] = vec[i64]()
        """The cards of each of them."""
        self.round: i64 = 0
        self.added: vec[i64] = vec[i64]()
        """The number of red Hitmen that this seat added, for each time."""
        self.ended: vec[i64] = vec[i64]()
        """Every hand with which a round's preparation ended, as `ended` packs it."""
        self.reds: i64 = 0
        """The number of red Hitmen in the hand when preparation ended."""
        self.scene_reds: i64 = 0
        """The numbers of red Hitmen in the hand and in the supply when a scenario began."""
        self.scene_supply: Cards = NO_CARDS

    def dealt(self, round: i64, cards: Cards) -> None:
        if self.journal is not None:
            self.tell("dealt", (round, cards))
        if self.round:
            self.ended = append(self.ended, ended(self.round, self.packet, self.reds))
        self.round = round
        self.hand = cards
        self.packet = Packet(self.seat)
        self.reds = 0
        self._forget()

    def chose(self, action: ActionId) -> None:
        if self.journal is not None:
            self.tell("chose", (action,))
        self.choice = action

    def joined(self, red: i64, black: i64) -> None:
        """Hitmen joined this seat's hand."""
        if self.journal is not None:
            self.tell("joined", (red, black))
        joining = hitmen(red, black)
        self.hand = plus(self.hand, joining)
        self.supply = minus(self.supply, joining)
        self.reds += red
        self.added = append(self.added, red)

    def took_over(self, to: Seat, packet: Packet, cards: Cards) -> None:
        """This hand went to that seat, and another one came (RT 2.5)."""
        if self.journal is not None:
            self.tell("took_over", (to, packet, cards))
        self.known[self.packet] = self.hand
        self.handed = append(self.handed, handed(self.round, to, self.packet))
        self.handed_cards = append(self.handed_cards, self.hand)
        self.packet = packet
        self.hand = cards
        self.reds = red_hitmen(cards)

    def laid(self, cards: Cards) -> None:
        if self.journal is not None:
            self.tell("laid", (cards,))
        self.hand = minus(self.hand, cards)

    # The two-player form -----------------------------------------------------------------------

    def gathered(self) -> None:
        """All cards are returned, and there is a new supply (RT 7.8)."""
        if self.journal is not None:
            self.tell("gathered", ())
        self.hand = NO_CARDS
        self.supply = hitmen_at_first(self.form)
        self._forget()

    def looked_at(self, set: i64, cards: Cards) -> None:
        if self.journal is not None:
            self.tell("looked_at", (set, cards))
        self.known[2 * self.seat + set - 1] = cards

    def split(self, set: i64, red: i64) -> None:
        """A red Hitman (1) or a black one (0) went to the set looked at, the other to the other."""
        if self.journal is not None:
            self.tell("split", (set, red))
        packet = 2 * self.seat + set - 1
        self.known[packet] = plus(Cards(self.known[packet]), hitmen(red, 1 - red))
        self.supply = NO_CARDS
        self.added = append(append(self.added, red), 1 - red)

    def took_up(self, cards: Cards) -> None:
        """A set became the hand."""
        if self.journal is not None:
            self.tell("took_up", (cards,))
        self.hand = cards

    # A scenario --------------------------------------------------------------------------------

    def scene_held(self, round: i64, cards: Cards, red: i64, black: i64) -> None:
        """A scenario began with this hand and supply."""
        if self.journal is not None:
            self.tell("scene_held", (round, cards, red, black))
        self.round = round
        self.hand = cards
        self.supply = hitmen(red, black)
        self.reds = red_hitmen(cards)
        self.scene_reds = red_hitmen(cards)
        self.scene_supply = self.supply

    def _forget(self) -> None:
        self.known = vec[i64]([0, 0, 0, 0, 0])

    def copy(self) -> "RedTownOwn":
        twin = RedTownOwn(self.seat, self.form)
        twin.hand = self.hand
        twin.supply = self.supply
        twin.choice = self.choice
        twin.packet = self.packet
        twin.known = copied(self.known)
        twin.handed = copied(self.handed)
        twin.handed_cards = copied(self.handed_cards)
        twin.round = self.round
        twin.added = copied(self.added)
        twin.ended = copied(self.ended)
        twin.reds = self.reds
        twin.scene_reds = self.scene_reds
        twin.scene_supply = self.scene_supply
        return twin


@final
class RedTownHidden(Hidden):
    """The hidden state: the cards set aside and, with two players, the sets face down."""

    def __init__(self) -> None:
        super().__init__()
        self.aside: Cards = NO_CARDS
        self.sets: vec[i64] = vec[i64]([0, 0, 0, 0])

    def set_aside(self, cards: Cards) -> None:
        if self.journal is not None:
            self.tell("set_aside", (cards,))
        self.aside = cards

    def set_down(self, packet: Packet, cards: Cards) -> None:
        """A set is face down on the table."""
        if self.journal is not None:
            self.tell("set_down", (packet, cards))
        self.sets[packet] = cards

    def copy(self) -> "RedTownHidden":
        twin = RedTownHidden()
        twin.aside = self.aside
        twin.sets = copied(self.sets)
        return twin
