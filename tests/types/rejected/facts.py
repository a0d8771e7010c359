"""Wrong on purpose: a private card told to everyone. mypy must reject it."""

from zashiki.core.parts import Seat
from zashiki.games.kamiza.state import Area, KamizaOwn, KamizaPublic


def a_private_card_through_a_public_fact(public: KamizaPublic, own: KamizaOwn, area: Area) -> None:
    public.placed_open(own.seat, own.card, area)  # E: type "FaceDown"; expected "FaceUp"


def a_private_card_as_the_revealed_layout(public: KamizaPublic, own: KamizaOwn) -> None:
    public.revealed(own.card)  # E: incompatible type "FaceDown"; expected "Layout"


def a_card_where_an_area_is_told(public: KamizaPublic, own: KamizaOwn) -> None:
    public.placed(own.seat, own.card)  # E: incompatible type "FaceDown"; expected "Area"


def a_seat_where_a_card_is_told(own: KamizaOwn, seat: Seat) -> None:
    own.laid(seat)  # E: incompatible type "Seat"; expected "FaceDown"


def a_bare_number_where_a_seat_is_told(public: KamizaPublic) -> None:
    public.raided(3)  # E: incompatible type "int"; expected "Seat"
