"""What the arguments of the facts of Kingdoms mean."""

from dataclasses import dataclass

from zashiki.core.facts import (
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
class SomeCards:
    """A few cards, packed: in the order of their names, or in one that means something."""

    card: Card
    in_order: bool = True
    most: int = ALL_CARDS

    def write(self, value: int | str) -> object:
        return [self.card.write(kind) for kind in kinds_of(int(value))]

    def read(self, written: object) -> int:
        kinds = [self.card.read(name) for name in read_list(written)]
        if len(kinds) > self.most:
            raise Malformed(f"{quoted(written)}: at most {self.most} cards are expected")
        if self.in_order and kinds != sorted(kinds):
            raise Malformed(f"{quoted(written)}: cards in the order of their names are expected")
        return packed(kinds)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([self.card.say(name, speaker) for name in read_list(written)])


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
    """What a line of a battle comes from: a skill is not said by the name of a card that has it."""

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
            "drafted": {"seat": seat, "normal": few, "ace": few},
            "drew": {"seat": seat, "class": rank, "count": few},
            "pile_made": {"class": rank},
            "occupied": there,
            "swapped": {**there, "taken": card},
            "attacked": {**on_area, "normal": Number(0, 2), "ace": Number(0, 2)},
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
                "still": Number(0, MOST_STILL),
                "placed": Number(0, 1),
            },
            "scene_held": there,
            "scene_hand": {
                "seat": seat,
                "normal": Number(0, 31),
                "ace": Number(0, 20),
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
    )
