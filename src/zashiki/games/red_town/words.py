"""What the arguments of Red Town's facts mean."""

from dataclasses import dataclass

from zashiki.core.facts import (
    BySeat,
    Number,
    OneOf,
    SeatNumber,
    SetOf,
    Speaker,
    Vocabulary,
    read_list,
)
from zashiki.core.rulings import Malformed, quoted
from zashiki.games.red_town.actions import Table
from zashiki.games.red_town.cards import NAMES, Cards, collected, named
from zashiki.games.red_town.packing import BOSSES, PHASES, TWO
from zashiki.games.red_town.plays import Plays

ROUNDS = Number(1, 15)
SOME = Number(0, 15)


def card_names(written: object) -> list[int]:
    """A list of cards, by their kinds."""
    kinds: list[int] = []
    for name in read_list(written):
        if name not in NAMES:
            raise Malformed(f"{quoted(name)}: a card (R3 to R11, B3 to B11, RH, BH) is expected")
        kinds.append(NAMES.index(str(name)))
    return kinds


@dataclass(frozen=True)
class SomeCards:
    """A multiset of cards, written in the order of the notation."""

    def write(self, value: int | str) -> object:
        return named(Cards(int(value)))

    def read(self, written: object) -> int:
        kinds = card_names(written)
        if any(kinds.count(kind) > 7 for kind in kinds if kind < 18) or len(kinds) > 83:
            raise Malformed(f"{quoted(written)}: more cards than there are")
        if any(kinds.count(kind) > 15 for kind in kinds):
            raise Malformed(f"{quoted(written)}: more Hitmen than there are")
        cards = collected(kinds)
        if written != named(cards):
            raise Malformed(f"{quoted(written)}: cards in order, red before black, are expected")
        return int(cards)

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([speaker.word(str(name)) for name in read_list(written)])


class PlayText(OneOf):
    """Cards at a location, in notation."""

    def say(self, written: object, speaker: Speaker) -> str:
        location, _, cards = str(written).partition(":")
        listed = speaker.listed([speaker.word(card) for card in cards.split(",")])
        return f"{speaker.word(location)} ({listed})"


class ChoiceText(OneOf):
    """A choice made in secret, in notation."""

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.word(str(written).rpartition(":")[2])


@dataclass(frozen=True)
class CardRow:
    """Cards in a given order."""

    def write(self, value: int | str) -> object:
        return str(value).split()

    def read(self, written: object) -> str:
        return " ".join(NAMES[kind] for kind in card_names(written))

    def say(self, written: object, speaker: Speaker) -> str:
        return speaker.listed([speaker.word(str(name)) for name in read_list(written)])


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


def vocabulary(seats: int, form: int, table: Table, plays: Plays) -> Vocabulary:
    seat, some = SeatNumber(seats), SetOf(SeatNumber(seats), seats)
    packets = 4 if form == TWO else seats
    cards, kind = SomeCards(), OneOf(NAMES)
    action = ChoiceText(tuple(one.text for one in table.actions))
    play = PlayText(tuple(one.text for one in table.actions[: plays.count]))
    number = Number(3, 11)
    by_packet = BySeat(SOME, packets, 4)
    hitmen = {"red": SOME, "black": SOME}
    mine = {"seat": seat}
    two = BySeat(Number(0, 2), 2, 4)
    return Vocabulary(
        public={
            "round_began": {"round": ROUNDS},
            "has_chosen": mine,
            "decided": {"adding": some, "confirming": some},
            "hired": {**mine, **hitmen},
            "hired_unseen": {**mine, "count": SOME},
            "hands_passed": {"adders": some},
            "looked_into": {**mine, "set": Number(1, 2)},
            "hitmen_split": {**mine, "hitman": OneOf(("B", "R"))},
            "hitmen_split_unseen": mine,
            "sets_exchanged": {"given": two},
            "hands_taken": {"choices": BySeat(OneOf(("kept", "received")), 2, 4)},
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
                "bosses": BySeat(Number(0, BOSSES), seats, 4),
                "supply": BySeat(SOME, seats, 4),
                "confirmed": some,
                "chosen": some,
                "out": SeatRow(seats),
            },
            "scene_hands": {
                "sizes": BySeat(Number(0, 255), packets, 8),
                "hitmen": BySeat(Number(0, 255), packets, 8),
            },
            "scene_hitmen": {"red_supply": BySeat(SOME, seats, 4), "red_held": by_packet},
            "scene_sets": {"looked": SetOf(Number(0, 3), 4), "exchanged": Number(0, 1)},
            "scene_waiting": {"waiting": some},
            "scene_laid": {"discard": CardRow()},
            "scene_played": {"action": play},
            "scene_turn": {
                "phase": OneOf(PHASES),
                "acting": some,
                "declared": Number(0, 11),
                "last": some,
                "passed": some,
                "red_three": some,
                "asked": Number(0, 1),
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
            "set_down": {"packet": Number(0, 3), "cards": cards},
        },
    )
