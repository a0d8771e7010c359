# mypyc: compile
"""The readable forms of a Red Town match: views and the full state."""

from mypy_extensions import i64

from zashiki.core.game import members
from zashiki.core.parts import Seat, only
from zashiki.games.red_town.actions import Table
from zashiki.games.red_town.cards import (
    BLACK_HITMAN,
    NAMES,
    NO_CARDS,
    RED_AT,
    RED_HITMAN,
    RED_THREE,
    Cards,
    Kind,
    black_hitmen,
    count,
    hitmen,
    letters,
    minus,
    named,
    one,
    plus,
    red_hitmen,
    without_hitmen,
)
from zashiki.games.red_town.own import RedTownOwn
from zashiki.games.red_town.packing import (
    DISCARD,
    END_WAR,
    FORMS,
    PHASES,
    PICK_MANY,
    SHORT,
    TURN,
    TWO,
    Packet,
    action_in,
    seat_in,
    war_in,
)
from zashiki.games.red_town.plays import LOCATIONS
from zashiki.games.red_town.state import RedTownPublic, RedTownState

ONE_ACTS = (PICK_MANY, TURN, DISCARD, END_WAR)
"""The phases in which only one seat is to act: it is that seat's turn."""

# The public part -------------------------------------------------------------------------------


def lanes(packed: i64, count: int, bits: int = 4) -> list[int]:
    return [int(packed >> place * bits & (1 << bits) - 1) for place in range(count)]


def standing(public: RedTownPublic) -> dict[str, object]:
    """Return the progress of the match, which is the same in views and in the full state."""
    seats = int(public.seats)
    acting = members(public.acting)
    alone = public.phase in ONE_ACTS and acting
    return {
        "form": FORMS[public.form],
        "seats": seats,
        "round": int(public.round),
        "phase": PHASES[public.phase],
        "turn": acting[0] if alone else None,
        "bosses": None if public.form == SHORT else lanes(public.bosses, seats),
        "confirmed": members(public.confirmed),
        "board": board(public),
        "declared": int(public.declared) or None,
        "last": int(only(public.last)) if public.last else None,
        "passed": members(public.passed),
        "out": lanes(public.out, int(public.out_count)),
        "discard": pile(public),
    }


def board(public: RedTownPublic) -> dict[str, list[str]]:
    """Return the cards at each location, in the order of playing."""
    return {
        LOCATIONS[public.plays.tiles[action_in(entry)]]: named(cards_in(public, entry))
        for entry in public.laid
        if is_beside(public, entry)
    }


def pile(public: RedTownPublic) -> list[str]:
    """Return the discard pile, the oldest first. Discards come before cards from locations."""
    found = public.found.split()
    entries = [entry for entry in public.laid if not is_beside(public, entry)]
    for entry in sorted(entries, key=lambda entry: (war_in(entry), is_play(public, entry))):
        found += named(cards_in(public, entry))
    return found


def is_beside(public: RedTownPublic, entry: i64) -> bool:
    """Return whether a play is still at its location."""
    return war_in(entry) == public.war and is_play(public, entry)


def cards_in(public: RedTownPublic, entry: i64) -> Cards:
    return Cards(public.plays.packed[action_in(entry)])


def is_play(public: RedTownPublic, entry: i64) -> bool:
    return bool(action_in(entry) < public.plays.count)


def show_public(public: RedTownPublic, table: Table) -> dict[str, object]:
    """Return the public part of a view."""
    seats = int(public.seats)
    shown = standing(public)
    shown["sizes"] = [
        int(public.size_of(Seat(seat))) if public.holding >> seat & 1 else 0
        for seat in range(seats)
    ]
    shown["supply"] = supply_shown(public)
    shown["hitmen_held"] = held_shown(public)
    shown["chosen"] = chosen_shown(public)
    shown["red_three"] = int(only(public.red_three_shown)) if public.red_three_shown else None
    shown["plays"] = plays(public, table)
    if public.form == TWO:
        shown |= {"sets": None, "waiting": None}
        if public.holding:
            shown["waiting"] = [waiting_shown(public, None, Seat(seat)) for seat in range(2)]
        else:
            shown["sets"] = [sets_shown(public, None, Seat(seat)) for seat in range(2)]
    return shown


def supply_shown(public: RedTownPublic) -> list[object]:
    """Return the Hitmen in each seat's supply."""
    seats = int(public.seats)
    supply, red = lanes(public.supply, seats), lanes(public.red_supply, seats)
    return [hitmen_shown(public, supply[seat], red[seat]) for seat in range(seats)]


def held_shown(public: RedTownPublic) -> list[object]:
    """Return the Hitmen in each hand."""
    return [held_by(public, Seat(seat)) for seat in range(int(public.seats))]


def chosen_shown(public: RedTownPublic) -> dict[str, object]:
    """Return the seats that have chosen, without their choices."""
    return {str(seat): None for seat in members(public.chosen)}


def hitmen_shown(public: RedTownPublic, all_of: int, red: int) -> object:
    """Return the colours of Hitmen if they are open, else their number (RT 2.8)."""
    return letters(red, all_of - red) if public.is_open else all_of


def held_by(public: RedTownPublic, seat: Seat) -> object:
    packet = int(public.packet_of(seat))
    if not public.holding >> seat & 1:
        return hitmen_shown(public, 0, 0)
    return hitmen_shown(
        public, int(public.held >> packet * 8 & 255), int(public.red_held >> packet * 4 & 15)
    )


def plays(public: RedTownPublic, table: Table) -> list[dict[str, object]]:
    """Return the cards that each seat played in this round, as far as they are known."""
    shown: list[dict[str, object]] = []
    for entry in public.laid:
        if seat_in(entry) < public.seats:
            words = table.actions[action_in(entry)].words
            cards = words["cards"] if is_play(public, entry) else [words["card"]]
            place = words.get("location")
            shown.append({"seat": int(seat_in(entry)), "location": place, "cards": cards})
    return shown


# The two-player form ---------------------------------------------------------------------------


def sets_shown(public: RedTownPublic, own: RedTownOwn | None, seat: Seat) -> list[object]:
    """Return both sets of a seat, before hands are chosen."""
    return [set_shown(public, own, public.set_of(seat, place)) for place in range(2)]


def waiting_shown(public: RedTownPublic, own: RedTownOwn | None, seat: Seat) -> object:
    """Return the waiting set; None once it is taken."""
    if not public.waiting >> seat & 1:
        return None
    return set_shown(public, own, public.waiting_of(seat))


def set_shown(public: RedTownPublic, own: RedTownOwn | None, packet: Packet) -> dict[str, object]:
    cards = NO_CARDS if own is None else Cards(own.known[packet])
    return {
        "cards": named(cards) if cards else None,
        "size": int(public.sizes >> packet * 8 & 255),
        "hitman": hitman_in(public, own, packet),
        "looked": bool(public.looked >> packet & 1),
    }


def hitman_in(public: RedTownPublic, own: RedTownOwn | None, packet: Packet) -> str | None:
    """Return the colour of the Hitman in a set if public or chosen by this seat (RT 7.9)."""
    if public.held >> packet * 8 & 255 != 1:
        return None
    if public.is_open:
        return "R" if public.red_held >> packet * 4 & 15 else "B"
    if own is None:
        return None
    seen = Cards(own.known[packet])
    if seen >> RED_AT:
        return "R" if red_hitmen(seen) else "B"
    if packet >> 1 != own.seat or not own.added:
        return None
    return "R" if own.added[-1] else "B"  # the set not looked at has the other one


# The private part ------------------------------------------------------------------------------


def show_own(
    public: RedTownPublic, own: RedTownOwn, table: Table, deck: Cards
) -> dict[str, object]:
    """Return the private part of a seat's view: its hand, the cards seen, the cards unseen."""
    seat = int(own.seat)
    shown: dict[str, object] = {
        "seat": seat,
        "hand": named(own.hand),
        "passed_on": [
            {"round": entry & 15, "to": entry >> 4 & 15, "cards": named(Cards(cards))}
            for entry, cards in zip(own.handed, own.handed_cards, strict=True)
        ],
        "known": known_shown(public, own),
        "unseen": counted(unseen(public, own, deck)),
    }
    if not public.is_open:
        shown["supply"] = with_own(supply_shown(public), seat, own.supply)
        shown["hitmen_held"] = with_own(held_shown(public), seat, own.hand)
    if public.chosen >> seat & 1:
        shown["chosen"] = {**chosen_shown(public), str(seat): table.actions[own.choice].text}
    if public.form == TWO and public.holding:
        shown["waiting"] = [waiting_shown(public, own, Seat(other)) for other in range(2)]
    elif public.form == TWO:
        shown["sets"] = [sets_shown(public, own, Seat(other)) for other in range(2)]
    return shown


def with_own(by_seat: list[object], seat: int, cards: Cards) -> list[object]:
    """Return the Hitmen of all seats, those of one seat by their colours."""
    by_seat[seat] = letters(red_hitmen(cards), black_hitmen(cards))
    return by_seat


def known_shown(public: RedTownPublic, own: RedTownOwn) -> dict[str, object]:
    known = {other: known_of(public, own, Seat(other)) for other in range(int(public.seats))}
    return {str(other): named(cards) for other, cards in known.items() if cards}


def counted(cards: Cards) -> dict[str, int]:
    numbers = {name: int(count(cards, Kind(kind))) for kind, name in enumerate(NAMES)}
    return {name: number for name, number in numbers.items() if number}


def left_of(public: RedTownPublic, own: RedTownOwn, packet: Packet) -> Cards:
    """Return the cards known to be left of a packet that this seat has seen."""
    seen = Cards(own.known[packet])
    if seen == 0:
        return NO_CARDS
    gone = public.laid_from(packet)
    left = minus(without_hitmen(seen), without_hitmen(gone))
    return plus(left, known_hitmen(public, seen, gone, packet))


def known_hitmen(public: RedTownPublic, seen: Cards, gone: Cards, packet: Packet) -> Cards:
    if public.is_open:
        red = public.red_held >> packet * 4 & 15
        return hitmen(red, (public.held >> packet * 8 & 255) - red)
    red = max(0, red_hitmen(seen) - red_hitmen(gone))
    black = max(0, black_hitmen(seen) - black_hitmen(gone))
    return hitmen(red, black)


def known_of(public: RedTownPublic, own: RedTownOwn, seat: Seat) -> Cards:
    """Return the cards known to be in another hand: those passed on, looked at or shown."""
    if seat == own.seat or not public.holding >> seat & 1:
        return NO_CARDS
    packet = public.packet_of(seat)
    cards = left_of(public, own, packet)
    shown = public.red_three_shown >> seat & 1
    if shown and not count(cards, RED_THREE) and not count(public.all_laid(), RED_THREE):
        cards = plus(cards, one(RED_THREE))
    if public.form == TWO and not public.is_open and not cards >> RED_AT:
        placed = hitman_in(public, own, packet)  # by this seat, before the set was handed over
        if placed is not None:
            cards = plus(cards, one(RED_HITMAN if placed == "R" else BLACK_HITMAN))
    return cards


def unseen(public: RedTownPublic, own: RedTownOwn, deck: Cards) -> Cards:
    """Return the playing cards whose place this seat does not know, as a card-counting aid."""
    seen = plus(own.hand, public.all_laid())
    for seat in range(int(public.seats)):
        seen = plus(seen, known_of(public, own, Seat(seat)))
    if public.form == TWO:
        for packet in range(4):
            if not public.is_hand(Packet(packet)):
                seen = plus(seen, left_of(public, own, Packet(packet)))
    return minus(deck, without_hitmen(seen))


# The full state --------------------------------------------------------------------------------


def full_state(state: RedTownState, table: Table) -> dict[str, object]:
    """Return the full state, in the order in which a scenario is written."""
    public, own = state.public, state.own
    shown = standing(public)
    two = public.form == TWO
    before = two and not public.holding
    return {
        **{key: shown[key] for key in ("form", "seats", "round", "phase", "bosses")},
        "supply": [letters(red_hitmen(part.supply), black_hitmen(part.supply)) for part in own],
        "confirmed": shown["confirmed"],
        "chosen": {
            str(seat): table.actions[own[seat].choice].text for seat in members(public.chosen)
        },
        "hands": [named(part.hand) for part in own],
        "sets": [sets_of(state, Seat(seat)) for seat in range(2)] if before else None,
        "waiting": [waits_of(state, Seat(seat)) for seat in range(2)]
        if two and not before
        else None,
        "aside": named(state.hidden.aside),
        **{key: shown[key] for key in ("discard", "board", "declared", "last", "passed", "turn")},
        "out": shown["out"],
    }


def sets_of(state: RedTownState, seat: Seat) -> list[object]:
    """Return set 1 and 2, or the one kept and the one received, and which was looked at."""
    public = state.public
    packets = [public.set_of(seat, place) for place in range(2)]
    looked = [place + 1 for place, packet in enumerate(packets) if public.looked >> packet & 1]
    if public.exchanged:
        looked = [place for place in looked if place == 1]
    cards: list[object] = [named(Cards(state.hidden.sets[packet])) for packet in packets]
    return [*cards, looked[0] if looked else None]


def waits_of(state: RedTownState, seat: Seat) -> list[str]:
    if not state.public.waiting >> seat & 1:
        return []
    return named(Cards(state.hidden.sets[state.public.waiting_of(seat)]))
