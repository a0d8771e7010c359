"""The kinds of the arguments of Kingdoms' facts, for its texts."""

from dataclasses import dataclass

from zashiki.core.facts import (
    Count,
    Flag,
    Number,
    OneOf,
    SeatNumber,
    SetOf,
    Signature,
    Speaker,
    Vocabulary,
    read_list,
)
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.kingdoms.cards import ALL_CARDS, MOST, kinds_of, packed
from zashiki.games.kingdoms.forces import AREAS, CLASSES, SIDES, SOURCES, Forces
from zashiki.games.kingdoms.state import (
    LETTER,
    MOST_STILL,
    MOST_TURNS,
    PHASES,
    REASONS,
    WINNERS,
    spelled,
)
from zashiki.games.kingdoms.story import QUIET, retell, retold


@dataclass(frozen=True)
class Card:
    """One card, by the number of its kind."""

    names: tuple[str, ...]

    def write(self, value: int | str) -> object:
        return self.names[int(value) - 1]

    def read(self, written: object) -> int:
        return OneOf(self.names).read(written) + 1

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word(str(written))


@dataclass(frozen=True)
class NoneOrCard(Card):
    """One card, or none."""

    def write(self, value: int | str) -> object:
        return super().write(value) if value else None

    def read(self, written: object) -> int:
        return 0 if written is None else super().read(written)

    def say(self, written: object, speaker: Speaker) -> str:
        return "" if written is None else super().say(written, speaker)


@dataclass(frozen=True)
class Backs(Number):
    """A number of cards of one class, as their backs show it. No cards are not mentioned."""

    rank: str

    def say(self, written: object, speaker: Speaker) -> str:
        if not written:
            return ""
        form = "one" if written == 1 else "more"
        return speaker.form(f"{self.rank}-{form}", count=written)


@dataclass(frozen=True)
class SomeCards:
    """A few packed cards: in the order of their names, or in a meaningful order."""

    card: Card
    in_order: bool = True
    most: int = ALL_CARDS

    def write(self, value: int | str) -> object:
        return [self.card.write(kind) for kind in kinds_of(int(value))]

    def read(self, written: object) -> int:
        kinds = [self.card.read(name) for name in read_list(written)]
        if len(kinds) > self.most:
            raise Malformed(f"expected at most {self.most} cards, found {quoted(written)}")
        if self.in_order and kinds != sorted(kinds):
            raise Malformed(f"expected cards in the order of their names, found {quoted(written)}")
        return packed(kinds)

    def say(self, written: object, speaker: Speaker) -> str:
        said = [self.card.say(name, speaker) for name in read_list(written)]
        return speaker.joined(said) if len(said) <= 2 else speaker.listed(said)


@dataclass(frozen=True)
class Pile:
    """Any number of cards in order, as a text with a letter for each."""

    card: Card

    def write(self, value: int | str) -> object:
        return [self.card.write(ord(letter) - LETTER) for letter in str(value)]

    def read(self, written: object) -> str:
        return spelled([self.card.read(name) for name in read_list(written)])

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([self.card.say(name, speaker) for name in read_list(written)])


class Source(OneOf):
    """The source of a line of a battle. A skill's text differs from the name of its card."""

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word(f"by-{written}")


def vocabulary(forces: Forces) -> Vocabulary:
    card = Card(tuple(forces.names))
    seat, area, rank = SeatNumber(len(SIDES)), OneOf(AREAS), OneOf(CLASSES)
    cards, few = SomeCards(card), Number(0, MOST)
    total = Number(0, 999)
    on_area: Signature = {"seat": seat, "area": area}
    there: Signature = {**on_area, "card": card}
    return Vocabulary(
        public={
            "began": {},
            "drafted": {
                "seat": seat,
                "normal": Backs(0, MOST, "normal"),
                "ace": Backs(0, MOST, "ace"),
            },
            "drew": {"seat": seat, "class": rank, "count": few},
            "pile_made": {"class": rank},
            "occupied": there,
            "swapped": {**there, "taken": card},
            "attacked": {**on_area, "normal": Backs(0, 2, "normal"), "ace": Backs(0, 2, "ace")},
            "revealed": {
                **on_area,
                "attackers": SomeCards(card, most=2),
                "defender": card,
                "added": NoneOrCard(card.names),
            },
            "counted": {
                "seat": seat,
                "card": card,
                "area": area,
                "source": Source(SOURCES),
                "amount": total,
            },
            "offset_counted": {**on_area, "amount": total},
            "offset_cancelled": there,
            "totalled": {"area": area, "attack": total, "defence": total},
            "battle_won": on_area,
            "battle_tied": {"area": area},
            "leave_asked": {"seat": seat},
            "discarded": {"seat": seat, "cards": SomeCards(card, in_order=False, most=2)},
            "returned": {"seat": seat, "card": card},
            "took_hold": there,
            "emptied": {"area": area},
            "battle_ended": {"area": area},
            "turn_ended": {"seat": seat},
            "turn_began": {"seat": seat, "number": Number(1, MOST_TURNS)},
            "ended": {"winner": OneOf(WINNERS), "reason": OneOf(REASONS)},
            "scene_set": {
                "owner": seat,
                "acting": SetOf(seat, len(SIDES)),
                "phase": OneOf(PHASES),
                "number": Number(1, MOST_TURNS),
                "still": Count(0, MOST_STILL),
                "placed": Flag(),
            },
            "scene_held": there,
            "scene_hand": {
                "seat": seat,
                "normal": Backs(0, 31, "normal"),
                "ace": Backs(0, 20, "ace"),
                "known": cards,
            },
            "scene_pile": {"class": rank, "count": Number(0, 30), "discards": Pile(card)},
        },
        own={
            "dealt": {"cards": cards},
            "took": {"cards": cards},
            "laid": {"card": card},
            "committed": {"cards": SomeCards(card, most=2)},
            "turned_up": {},
            "took_back": {"card": card},
            "worked_out": {"class": rank, "theirs": cards, "mine": cards},
        },
        hidden={"shuffled": {"class": rank, "cards": Pile(card)}},
        quiet=QUIET,
        retold=retold(seat, area, cards, NoneOrCard(card.names), total),
        retell=retell,
    )
