"""The kinds of the arguments of Red Town's facts, for its texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from zashiki.core.facts import (
    BySeat,
    Count,
    Flag,
    Number,
    OneOf,
    SeatNumber,
    SetOf,
    Speaker,
    Vocabulary,
    read_list,
)
from zashiki.core.game import Action
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.red_town.actions import Table
from zashiki.games.red_town.cards import NAMES, Cards, collected, named
from zashiki.games.red_town.packing import BOSSES, PHASES, TWO
from zashiki.games.red_town.plays import Plays
from zashiki.games.red_town.story import QUIET, retell

ROUNDS = Number(1, 15)
SOME = Count(0, 15)


def card_names(written: object) -> list[int]:
    """Read a list of cards as their kinds."""
    kinds: list[int] = []
    for name in read_list(written):
        if name not in NAMES:
            raise Malformed(f"expected a card (R3 to R11, B3 to B11, RH, BH), found {quoted(name)}")
        kinds.append(NAMES.index(str(name)))
    return kinds


def say_cards(names: Sequence[object], speaker: Speaker) -> str:
    """Name cards in words, as part of a sentence."""
    return speaker.counted([str(name) for name in names])


@dataclass(frozen=True)
class SomeCards:
    """A multiset of cards, written in the order of the notation."""

    def write(self, value: int | str) -> object:
        return named(Cards(int(value)))

    def read(self, written: object) -> int:
        kinds = card_names(written)
        if any(kinds.count(kind) > 7 for kind in kinds if kind < 18) or len(kinds) > 83:
            raise Malformed(f"expected at most the cards of the game, found {quoted(written)}")
        if any(kinds.count(kind) > 15 for kind in kinds):
            raise Malformed(f"expected at most the Hitmen of the game, found {quoted(written)}")
        cards = collected(kinds)
        if written != named(cards):
            raise Malformed(f"expected cards in order, red before black, found {quoted(written)}")
        return int(cards)

    def say(self, written: object, speaker: Speaker) -> str:
        return say_cards(read_list(written), speaker)


class PlayText(OneOf):
    """Cards at a location, in notation."""

    def say(self, written: object, speaker: Speaker) -> str:
        location, _, cards = str(written).partition(":")
        said = say_cards(cards.split(","), speaker)
        return speaker.form("at", cards=said, location=speaker.word(location))


class ChoiceText(OneOf):
    """A choice made in secret, in notation."""

    def __init__(self, actions: list[Action]) -> None:
        super().__init__(tuple(action.text for action in actions))
        self.actions = actions

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.action(self.actions[self.read(written)])


class Hitmen(Count):
    """A number of Hitmen, of one colour or of any."""

    def __init__(self, single: str, several: str) -> None:
        super().__init__(0, 15)
        self.single = single
        self.several = several

    def say(self, written: object, speaker: Speaker) -> str:
        count = self.read(written)
        return (
            speaker.form(self.single if count == 1 else self.several, count=count) if count else ""
        )


RED_HITMEN = Hitmen("red-hitman", "red-hitmen")
BLACK_HITMEN = Hitmen("black-hitman", "black-hitmen")
ANY_HITMEN = Hitmen("a-hitman", "hitmen")


class SetOfCards(Number):
    """One of the four sets of the game for two: set 1 and 2 of the first seat, then the other's."""

    def __init__(self) -> None:
        super().__init__(0, 3)

    def say(self, written: object, speaker: Speaker) -> str:
        seat, place = divmod(self.read(written), 2)
        return speaker.form("set-of", seat=speaker.seat(seat), set=place + 1)


@dataclass(frozen=True)
class CardRow:
    """Cards in a given order."""

    def write(self, value: int | str) -> object:
        return str(value).split()

    def read(self, written: object) -> str:
        return " ".join(NAMES[kind] for kind in card_names(written))

    def say(self, written: object, speaker: Speaker) -> str:
        return say_cards(read_list(written), speaker)


@dataclass(frozen=True)
class SeatRow:
    """Seats in a given order."""

    seats: int

    def write(self, value: int | str) -> object:
        return [int(digit) for digit in str(value)]

    def read(self, written: object) -> str:
        seat = Number(0, self.seats - 1)
        return "".join(str(seat.read(one)) for one in read_list(written))

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([speaker.seat(int(str(seat))) for seat in read_list(written)])


class HandChoice(OneOf):
    """The set that a seat plays with, in the game for two."""

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word(f"set-{written}")


class BySet(BySeat):
    """A value for each of the four sets of the game for two."""

    def owner(self, seat: int, speaker: Speaker) -> str:
        return SetOfCards().say(seat, speaker)


def vocabulary(seats: int, form: int, table: Table, plays: Plays) -> Vocabulary:
    seat, some = SeatNumber(seats), SetOf(SeatNumber(seats), seats)
    packets = 4 if form == TWO else seats
    cards, kind = SomeCards(), OneOf(NAMES)
    action = ChoiceText(table.actions)
    play = PlayText(tuple(one.text for one in table.actions[: plays.count]))
    number = Number(3, 11)
    by_packet = BySet if form == TWO else BySeat
    hitmen = {"red": RED_HITMEN, "black": BLACK_HITMEN}
    mine = {"seat": seat}
    two = BySeat(Number(0, 2), 2, 4, "set-by-seat")
    return Vocabulary(
        public={
            "round_began": {"round": ROUNDS},
            "has_chosen": mine,
            "decided": {"adding": some, "confirming": some},
            "hired": {**mine, **hitmen},
            "hired_unseen": {**mine, "count": ANY_HITMEN},
            "hands_passed": {"adders": some},
            "looked_into": {**mine, "set": Number(1, 2)},
            "hitmen_split": {**mine, "hitman": OneOf(("B", "R"))},
            "hitmen_split_unseen": mine,
            "sets_exchanged": {"given": two},
            "hands_taken": {
                "choices": BySeat(HandChoice(("kept", "received")), 2, 4, "choice-by-seat")
            },
            "took_waiting": mine,
            "red_three_seen": mine,
            "red_three_missed": {},
            "war_began": mine,
            "played": {**mine, "action": play, "number": number},
            "went_out": mine,
            "has_passed": mine,
            "discard_offered": mine,
            "discarded": {**mine, "card": kind},
            "kept": mine,
            "end_offered": mine,
            "cut_short": mine,
            "stayed": mine,
            "war_ended": {"starter": seat},
            "boss_lost": mine,
            "ended": {},
            "scene_set": {
                "round": ROUNDS,
                "bosses": BySeat(Count(0, BOSSES), seats, 4),
                "supply": BySeat(SOME, seats, 4),
                "confirmed": some,
                "chosen": some,
                "out": SeatRow(seats),
            },
            "scene_hands": {
                "sizes": by_packet(Count(0, 255), packets, 8),
                "hitmen": by_packet(Count(0, 255), packets, 8),
            },
            "scene_hitmen": {
                "red_supply": BySeat(SOME, seats, 4),
                "red_held": by_packet(SOME, packets, 4),
            },
            "scene_sets": {"looked": SetOf(SetOfCards(), 4), "exchanged": Flag()},
            "scene_waiting": {"waiting": some},
            "scene_laid": {"discard": CardRow()},
            "scene_played": {"action": play},
            "scene_turn": {
                "phase": OneOf(PHASES),
                "acting": some,
                "declared": Count(0, 11),
                "last": some,
                "passed": some,
                "red_three": some,
                "asked": Flag(),
            },
        },
        own={
            "dealt": {"round": ROUNDS, "cards": cards},
            "chose": {"action": action},
            "joined": hitmen,
            "took_over": {"to": seat, "packet": seat, "cards": cards},
            "laid": {"cards": cards},
            "gathered": {},
            "looked_at": {"set": Number(1, 2), "cards": cards},
            "split": {"set": Number(1, 2), "hitman": OneOf(("B", "R"))},
            "took_up": {"cards": cards},
            "scene_held": {"round": ROUNDS, "cards": cards, **hitmen},
        },
        hidden={
            "set_aside": {"cards": cards},
            "set_down": {"packet": SetOfCards(), "cards": cards},
        },
        quiet=QUIET,
        retell=retell,
    )
