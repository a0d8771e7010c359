# mypyc: compile
"""Sample a world that agrees with a seat's view: unseen cards and hidden choices, drawn evenly.

A seat knows its hand, the hands that it has held, the open cards, the number of cards and Hitmen in
each place, and the seat that has shown the red 3. There is no rejection: every draw gives a world.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import ActionId
from zashiki.core.parts import Seat, State
from zashiki.games.red_town.actions import Table
from zashiki.games.red_town.cards import (
    NO_CARDS,
    RED_THREE,
    Cards,
    black_hitmen,
    count,
    hitmen,
    minus,
    one,
    plus,
    red_hitmen,
    size,
    without_hitmen,
)
from zashiki.games.red_town.colours import Colours
from zashiki.games.red_town.deal import draw, in_a_row
from zashiki.games.red_town.own import RedTownHidden, RedTownOwn
from zashiki.games.red_town.packing import CHOOSE, DECIDE, PICK, TWO, Packet
from zashiki.games.red_town.state import RedTownPublic, RedTownState


def sampled(
    public: RedTownPublic, own: RedTownOwn, deck: Cards, table: Table, chance: Chance
) -> RedTownState:
    hidden = RedTownHidden()
    contents = deal_unseen(public, own, deck, hidden, chance)
    supplies = add_hitmen(public, own, contents, chance)
    parts: list[RedTownOwn] = []
    for number in range(int(public.seats)):
        if number == own.seat:
            parts.append(own.copy())
            continue
        supply = Cards(supplies[number])
        part = other_seat(public, Seat(number), contents, supply)
        if public.chosen >> number & 1:
            part.chose(guessed(public, table, supply, chance))
        parts.append(part)
    if public.form == TWO:
        for packet in range(4):
            if not public.is_hand(Packet(packet)):
                hidden.set_down(Packet(packet), Cards(contents[packet]))
    return State(public.copy(), parts, hidden)


# Playing cards ---------------------------------------------------------------------------------


def deal_unseen(
    public: RedTownPublic, own: RedTownOwn, deck: Cards, hidden: RedTownHidden, chance: Chance
) -> vec[i64]:
    """Deal the playing cards left of each packet. Cards in no packet are set aside."""
    packets = int(public.packet_count())
    contents = vec[i64](capacity=packets)
    missing = vec[i64](capacity=packets)
    pool = minus(deck, without_hitmen(public.all_laid()))
    for packet in range(packets):
        known = known_left(public, own, Packet(packet))
        contents = append(contents, known)
        playing = (public.sizes >> packet * 8 & 255) - (public.held >> packet * 8 & 255)
        missing = append(missing, playing - size(known))
        pool = minus(pool, known)
    aside = size(pool)
    for number in missing:
        aside -= number
    if count(pool, RED_THREE):
        place = place_red_three(public, missing, aside, chance)
        if place >= 0:
            pool = minus(pool, one(RED_THREE))
            if place < packets:
                contents[place] = plus(Cards(contents[place]), one(RED_THREE))
                missing[place] -= 1
            else:
                hidden.aside = one(RED_THREE)
                aside -= 1
    row = in_a_row(pool)
    left: i64 = len(row)
    for packet in range(packets):
        drawn = draw(row, left, missing[packet], chance)
        contents[packet] = plus(Cards(contents[packet]), drawn)
        left -= missing[packet]
    hidden.aside = plus(hidden.aside, draw(row, left, left, chance))
    return contents


def known_left(public: RedTownPublic, own: RedTownOwn, packet: Packet) -> Cards:
    """Return the playing cards left of a packet, if this seat has seen all of it."""
    if public.holding >> own.seat & 1 and public.packet_of(own.seat) == packet:
        return without_hitmen(own.hand)
    seen = without_hitmen(Cards(own.known[packet]))
    return minus(seen, without_hitmen(public.laid_from(packet))) if seen else NO_CARDS


def place_red_three(public: RedTownPublic, missing: vec[i64], aside: i64, chance: Chance) -> int:
    """Draw the place of the red 3, if something is known: a packet, or their number for aside.

    RT 3.1: it is in the hand that has shown it. If none has, no hand of the first turf war has it.
    """
    if not public.red_three_asked:
        return -1
    packets = len(missing)
    room = [int(number) for number in missing] + [int(aside)]
    for seat in range(int(public.seats)):
        packet = int(public.packet_of(Seat(seat)))
        if public.red_three_shown >> seat & 1:
            return packet
        if public.form != TWO or public.waiting >> seat & 1:
            room[packet] = 0
    place = int(chance.below(sum(room), "red three"))
    for packet in range(packets):
        place -= room[packet]
        if place < 0:
            return packet
    return packets


# Hitmen and choices ----------------------------------------------------------------------------


def add_hitmen(
    public: RedTownPublic, own: RedTownOwn, contents: vec[i64], chance: Chance
) -> vec[i64]:
    """Add Hitmen with their colours to the packets. Return the supply of each seat."""
    red_supply: i64 = public.red_supply
    red_held: i64 = public.red_held
    if not public.is_open:
        world = Colours(public, own).draw(chance)
        red_supply = world[0]
        red_held = world[2]
    for packet in range(len(contents)):
        red = red_held >> packet * 4 & 15
        if not public.is_open:
            red -= red_hitmen(public.laid_from(Packet(packet)))
        black = (public.held >> packet * 8 & 255) - red
        contents[packet] = plus(Cards(contents[packet]), hitmen(red, black))
    supplies = vec[i64](capacity=public.seats)
    for seat in range(int(public.seats)):
        red = red_supply >> seat * 4 & 15
        supplies = append(supplies, hitmen(red, (public.supply >> seat * 4 & 15) - red))
    return supplies


def other_seat(public: RedTownPublic, seat: Seat, contents: vec[i64], supply: Cards) -> RedTownOwn:
    """Return another seat's private state. Its memory of passed hands is left empty."""
    part = RedTownOwn(seat, public.form)
    part.round = public.round
    part.packet = public.packet_of(seat)
    part.supply = supply
    if public.holding >> seat & 1:
        part.hand = Cards(contents[part.packet])
        part.reds = red_hitmen(part.hand) + red_hitmen(public.laid_from(part.packet))
    if public.form == TWO:
        for packet in range(2 * int(seat), 2 * int(seat) + 2):
            if public.looked >> packet & 1:
                gone = public.laid_from(Packet(packet))
                part.known[packet] = plus(Cards(contents[packet]), gone)
    return part


def guessed(public: RedTownPublic, table: Table, supply: Cards, chance: Chance) -> ActionId:
    """Draw the secret choice of another seat: any of its legal choices, evenly."""
    first = table.sets + (4 if public.phase == CHOOSE else 2)
    both = True
    if public.phase == DECIDE:
        first = table.decisions
        both = supply != NO_CARDS
    elif public.phase == PICK:
        first = table.hitmen
        both = red_hitmen(supply) > 0 and black_hitmen(supply) > 0
        if red_hitmen(supply) == 0:
            first += 1
    return ActionId(first + chance.below(2, "choice") if both else first)
