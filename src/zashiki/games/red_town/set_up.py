"""Set up a position of Red Town: apply its facts to an empty state."""

from zashiki.core.game import ActionId
from zashiki.core.parts import Seats
from zashiki.games.red_town.cards import (
    NAMES,
    RED_THREE,
    Cards,
    black_hitmen,
    count,
    red_hitmen,
    size,
)
from zashiki.games.red_town.packing import CHOOSE, PICK_MANY, TWO, Eight, Four, Packet
from zashiki.games.red_town.position import TOGETHER, Position
from zashiki.games.red_town.state import RedTownState


def set_up(position: Position, state: RedTownState) -> None:
    """Apply to an empty state the facts that lead to this position."""
    public = state.public
    public.scene_set(
        position.round,
        Four(packed(position.bosses)),
        Four(packed([int(size(cards)) for cards in position.supply])),
        as_set(position.confirmed),
        as_set(list(position.chosen)),
        "".join(map(str, position.out)),
    )
    packets = dealt_packets(position)
    public.scene_hands(
        Eight(packed([int(size(cards)) for cards in packets], 8)),
        Eight(packed([int(red_hitmen(each) + black_hitmen(each)) for each in packets], 8)),
    )
    if position.is_open:
        public.scene_hitmen(
            Four(packed([int(red_hitmen(cards)) for cards in position.supply])),
            Four(packed([int(red_hitmen(cards)) for cards in packets])),
        )
    if position.form == TWO:
        tell_sets(position, state)
    public.scene_laid(" ".join(NAMES[kind] for kind in position.pile))
    for play in position.board:
        public.scene_played(ActionId(play))
    tell_seats(position, state)
    tell_turn(position, state)


def dealt_packets(position: Position) -> list[Cards]:
    """Return the sets, or the hands; in the two-player form each with its waiting set."""
    if position.sets:
        return [position.sets[place] for place in packets_of_sets(position)]
    if position.form != TWO:
        return position.hands
    return [cards for pair in zip(position.hands, position.waiting, strict=True) for cards in pair]


def packets_of_sets(position: Position) -> list[int]:
    """Return the packets of the sets. After the hand-over each seat has one of the other's."""
    return [0, 3, 2, 1] if position.phase == CHOOSE else [0, 1, 2, 3]


def tell_sets(position: Position, state: RedTownState) -> None:
    if not position.sets:
        waiting = [seat for seat in range(2) if position.waiting[seat]]
        state.public.scene_waiting(as_set(waiting))
        for seat in waiting:
            state.hidden.set_down(Packet(2 * seat + 1), position.waiting[seat])
        return
    packets, exchanged = packets_of_sets(position), position.phase == CHOOSE
    looked = [packets[2 * seat + one - 1] for seat, one in enumerate(position.looked) if one]
    state.public.scene_sets(sum(1 << one for one in looked), int(exchanged))
    for packet, cards in zip(packets, position.sets, strict=True):
        state.hidden.set_down(Packet(packet), cards)


def tell_seats(position: Position, state: RedTownState) -> None:
    for seat in range(position.seats):
        own, supply = state.own[seat], position.supply[seat]
        own.scene_held(
            position.round, position.hands[seat], red_hitmen(supply), black_hitmen(supply)
        )
        if seat in position.chosen:
            own.chose(ActionId(position.chosen[seat]))
        if position.sets and position.looked[seat]:
            place = position.looked[seat] or 1
            own.looked_at(place, position.sets[2 * seat + place - 1])
    if position.aside:
        state.hidden.set_aside(position.aside)


def tell_turn(position: Position, state: RedTownState) -> None:
    shown, asked = red_three(position)
    state.public.scene_turn(
        position.phase,
        as_set(position.acting()),
        position.declared,
        as_set([] if position.last is None else [position.last]),
        as_set(position.passed),
        as_set(shown),
        int(asked),
    )


def red_three(position: Position) -> tuple[list[int], bool]:
    """Return the seats that must have shown the red 3, and whether that is known at all (RT 3.1).

    A hand in a turf war existed when it began, unless it is a set that had waited.
    """
    if position.phase in (*TOGETHER, PICK_MANY):
        return [], False
    holders = [seat for seat in range(position.seats) if count(position.hands[seat], RED_THREE)]
    if position.form == TWO and not all(position.waiting):
        return [], False
    return holders, True


def packed(numbers: list[int], bits: int = 4) -> int:
    return sum(number << place * bits for place, number in enumerate(numbers))


def as_set(seats: list[int]) -> Seats:
    return Seats(sum(1 << seat for seat in seats))
