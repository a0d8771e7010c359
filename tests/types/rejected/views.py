"""Wrong on purpose: a view is asked for facts that its seat does not know. mypy must reject it."""

from typing import Protocol

from zashiki.core.parts import Seat
from zashiki.games.kamiza.play import KamizaView
from zashiki.games.kamiza.state import FaceDown, KamizaOwn, KamizaPublic, KamizaState


class Judge(Protocol):
    def __call__(self, view: KamizaView) -> None: ...


def the_hidden_part_of_a_view(view: KamizaView) -> object:
    return view.hidden  # E: "View[KamizaPublic, KamizaOwn]" has no attribute "hidden"


def another_seats_part_of_a_view(view: KamizaView, other: Seat) -> FaceDown:
    return view.own[other].card  # E: Value of type "KamizaOwn" is not indexable


def the_state_behind_a_view(view: KamizaView) -> object:
    return view.state  # E: "View[KamizaPublic, KamizaOwn]" has no attribute "state"


def a_face_down_card_in_the_public_part(public: KamizaPublic) -> FaceDown:
    return public.card  # E: "KamizaPublic" has no attribute "card"


def a_state_where_a_view_is_expected(state: KamizaState, judge: Judge) -> None:
    judge(state)  # E: has incompatible type "State[KamizaPublic, KamizaOwn, Hidden]"


def the_own_part_of_another_view(view: KamizaView, own: KamizaOwn) -> None:
    view.own = own  # E: Cannot assign to final attribute "own"
