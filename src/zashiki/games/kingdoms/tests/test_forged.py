"""Facts that no match tells, as a forged record may have them: refused, and quickly."""

from typing import Any

import pytest

from zashiki import Fact, Malformed
from zashiki.core.match import happen
from zashiki.core.parts import Audience
from zashiki.games.kingdoms.tests.tables import draft

SCENE: dict[str, Any] = {
    "owner": 0,
    "acting": [0],
    "phase": "draft",
    "number": 7,
    "still": 0,
    "placed": 0,
}


def forge(audience: Audience, name: str, times: int = 1, **arguments: Any) -> None:
    match = draft()
    for _ in range(times):
        happen(match.state, match.vocabulary, Fact(audience, name, arguments))


@pytest.mark.parametrize(
    ("audience", "name", "arguments"),
    [
        (0, "took", {"cards": ["soldier"] * 20}),
        (0, "took_back", {"card": "prince"}),
        ("all", "returned", {"seat": 0, "card": "knight"}),
    ],
)
def test_no_hand_grows_beyond_the_cards_that_there_are(
    audience: Audience, name: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(
        Malformed, match=f"{name}: it cannot happen here: expected at most 52 cards, found more"
    ):
        forge(audience, name, 60, **arguments)


def test_no_three_cards_attack() -> None:
    with pytest.raises(Malformed, match="at most 2 cards"):
        forge(0, "committed", cards=["knight"] * 3)


@pytest.mark.parametrize("phase", ["defend", "leave"])
def test_without_a_battle_nobody_defends_or_leaves(phase: str) -> None:
    with pytest.raises(Malformed, match="there is no battle"):
        forge("all", "scene_set", **{**SCENE, "phase": phase})
    with pytest.raises(Malformed, match="there is no battle"):
        forge("all", "leave_asked", seat=0)


@pytest.mark.parametrize("change", [{"phase": "over"}, {"acting": []}])
def test_somebody_acts_until_it_is_over(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="expected a seat to act until the match is over"):
        forge("all", "scene_set", **{**SCENE, **change})
