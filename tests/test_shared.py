"""Rules are built once for equal content, and not kept forever."""

import gc
from typing import Any

from zashiki import start
from zashiki.core.shared import Shared
from zashiki.games import catalogue
from zashiki.games.kingdoms.card_set import built_in

MOST = 16


def own_set(number: int) -> dict[str, Any]:
    return {**built_in("reconstructed"), "name": f"mine-{number}"}


def test_matches_with_equal_content_share_their_rules() -> None:
    """Even if more sets than the limit came in between: rules in use are never built twice."""
    first = start("kingdoms", 2, options={"card_set": own_set(0)}, seed=1)
    others = [start("kingdoms", 2, options={"card_set": own_set(n)}, seed=1) for n in range(1, 20)]
    again = start("kingdoms", 2, options={"card_set": own_set(0)}, seed=2)
    assert again.game is first.game
    assert again.vocabulary is first.vocabulary
    assert len({id(match.game) for match in (first, *others)}) == 20


def test_every_game_shares_its_rules() -> None:
    for spec in catalogue().values():
        seats = spec.seats[0]
        one, other = (start(spec.id, seats, seed=seed) for seed in (1, 2))
        assert one.game is other.game, spec.id


def test_what_nobody_uses_is_bounded() -> None:
    class Value:
        pass

    shared: Shared[Value] = Shared(2 * MOST, lambda _: 2)
    used = shared.get("used", Value)
    for number in range(100):
        shared.get(number, Value)
    gc.collect()
    assert len(shared) == MOST + 1
    assert shared.get("used", Value) is used
    assert "used" in shared
    assert 0 not in shared
