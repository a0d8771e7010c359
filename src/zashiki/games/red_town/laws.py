"""What only Red Town can state of itself, for the laws."""

from collections.abc import Mapping
from typing import Any


def conserved(truth: Mapping[str, Any]) -> list[str]:
    """The playing cards, wherever they lie; Hitmen may leave the game (RT 6.3)."""
    sets = [each for pair in truth["sets"] or [] for each in pair[:2]]
    places = [
        *truth["hands"], *sets, *(truth["waiting"] or []), truth["aside"], truth["discard"],
        *truth["board"].values(),
    ]  # fmt: skip
    return sorted(card for place in places for card in place if card not in ("RH", "BH"))
