# mypyc: compile
"""The numbers that Red Town's parts are made of: forms, phases, packets, and packed integers."""

from typing import Final, NewType

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.game import ActionId
from zashiki.core.parts import Seat
from zashiki.games.red_town.cards import Cards, black_hitmen, hitmen, red_hitmen

Packet = NewType("Packet", i64)
"""Cards that were dealt together, by the seat that they were dealt to."""

Four = NewType("Four", i64)
"""A small number for each seat, four bits apart."""

Eight = NewType("Eight", i64)
"""A number of cards for each seat, eight bits apart."""

FORMS: Final = ("standard", "short", "two")
STANDARD: Final = 0
SHORT: Final = 1
TWO: Final = 2

PHASES: Final = (
    "decide", "pick", "pick-many", "look", "give", "choose", "turn", "discard", "end-war", "over",
)  # fmt: skip
DECIDE: Final = 0
PICK: Final = 1
PICK_MANY: Final = 2
LOOK: Final = 3
GIVE: Final = 4
CHOOSE: Final = 5
TURN: Final = 6
DISCARD: Final = 7
END_WAR: Final = 8
OVER: Final = 9

BOSSES: Final = 2
MOST_PLAYS: Final = 80
"""The most plays and discards of a round: there are 60 playing cards and 20 Hitmen."""
NOBODY: Final = 15
"""Stands for the seat of cards that were already on the table when a scenario began."""


def hitmen_at_first(form: i64) -> Cards:
    """Return the first supply of each player (RT 1.3, RT 7.1, RT 8.1)."""
    return hitmen(2, 2) if form == STANDARD else hitmen(1, 1)


def hand_size(seats: i64) -> i64:
    return 12 if seats == 5 else 13  # RT 2.1


# Packing ---------------------------------------------------------------------------------------

FOUR: Final = 15


def spread(seats: int, number: int) -> Four:
    """Pack the same number for each seat."""
    return Four(sum(number << seat * 4 for seat in range(seats)))


def lay(action: ActionId, seat: Seat, packet: Packet, war: i64) -> i64:
    """Pack a play or a discard."""
    return action | seat << 10 | packet << 14 | war << 18


def action_in(entry: i64) -> ActionId:
    return ActionId(entry & 1023)


def seat_in(entry: i64) -> Seat:
    return Seat(entry >> 10 & 15)


def packet_in(entry: i64) -> Packet:
    return Packet(entry >> 14 & 15)


def war_in(entry: i64) -> i64:
    return entry >> 18


def hire(round: i64, stage: i64, seat: Seat, packet: Packet, count: i64) -> i64:
    """Pack the seat that added Hitmen: these numbers in this order, from the lowest four bits."""
    return round | stage << 4 | seat << 8 | packet << 12 | count << 16


def spent(round: i64, packet: Packet, cards: Cards) -> i64:
    """Pack the Hitmen played in an earlier round: round, packet, numbers of red and black."""
    return round | packet << 4 | red_hitmen(cards) << 8 | black_hitmen(cards) << 12


def handed(round: i64, to: Seat, packet: Packet) -> i64:
    """Pack a hand that was passed on."""
    return round | to << 4 | packet << 8


def ended(round: i64, packet: Packet, reds: i64) -> i64:
    """Pack a hand with which preparation ended: round, packet, its red Hitmen."""
    return round | packet << 4 | reds << 8


def copied(numbers: vec[i64], room: i64 = 0) -> vec[i64]:
    """Return a copy with capacity for this many more numbers."""
    twin = vec[i64](capacity=len(numbers) + room)
    for number in numbers:
        twin = append(twin, number)
    return twin
