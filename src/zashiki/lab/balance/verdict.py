"""The conditions of RB 6.4 on a card set, and whether a measurement meets them."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from zashiki.games.kingdoms.card_set import remarks
from zashiki.lab.balance.measuring import Measured, Plan
from zashiki.lab.simulate import CardEntry, Interval, summarize, wilson

MATCHES = 8000
RED = (0.48, 0.52)
DRAWS = 0.05
TURNS = (8, 20)
SECONDS = 0.05
PLAYED = 0.3
"""A card is worth playing if at least this part of the copies that come to a hand is played …"""
WINS = 0.45
"""… and those who play it win at least this part of their matches."""

WORTH_PLAYING = (
    f"A card is worth playing if at least {100 * PLAYED:g} % of the copies that come to a hand are "
    f"played, and who plays it wins at least {100 * WINS:g} % of those matches; of monarchs it is "
    "not asked."
)


@dataclass(frozen=True)
class Condition:
    """One condition, the figure that was found, and whether it meets the condition."""

    asked: str
    found: str
    is_met: bool


@dataclass(frozen=True)
class Balance:
    """The figures of a measurement."""

    matches: int
    red: Interval
    """Red's share of all matches, on which RB 6.4 has a condition."""
    red_of_decisive: Interval | None
    """None if all matches were draws."""
    blue: Interval
    draws: Interval
    turns: tuple[float, float, float]
    """Quartiles."""
    lengths: dict[int, int]
    """Number of matches by their number of turns."""
    decisions: float
    """Mean number per match."""
    seconds: float
    """Mean per decision."""
    longest: float
    cards: tuple[CardEntry, ...]
    conditions: tuple[Condition, ...]

    @property
    def is_met(self) -> bool:
        return all(condition.is_met for condition in self.conditions)


def weighed(plan: Plan, matches: Sequence[Measured]) -> Balance:
    """Sum up the matches, and compare them with the conditions."""
    count = len(matches)
    wins = [sum(match.ranks[seat] < match.ranks[1 - seat] for match in matches) for seat in (0, 1)]
    decisive = sum(wins)
    lengths: dict[int, int] = {}
    for turns in sorted(match.turns for match in matches):
        lengths[turns] = lengths.get(turns, 0) + 1
    decisions = sum(match.decisions for match in matches)
    found = Balance(
        count,
        wilson(wins[0], count),
        wilson(wins[0], decisive) if decisive else None,
        wilson(wins[1], count),
        wilson(count - decisive, count),
        quartiles([match.turns for match in matches]),
        lengths,
        decisions / count,
        sum(match.seconds for match in matches) / decisions,
        max(match.longest for match in matches),
        summarize(match.rows(plan) for match in matches).cards,
        (),
    )
    return Balance(**{**vars(found), "conditions": tuple(conditions(plan, found))})


def quartiles(values: Sequence[int]) -> tuple[float, float, float]:
    if len(values) == 1:
        return (values[0],) * 3
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return low, middle, high


def conditions(plan: Plan, found: Balance) -> list[Condition]:
    """The conditions of RB 6.4, and of RB 6.2 for sets that come with the game."""
    low, high = RED
    least, most = TURNS
    median = found.turns[1]
    unworthy = [card.name for card in found.cards if not is_worth_playing(card, plan.card_set)]
    odd = remarks(plan.card_set)
    return [
        Condition(
            f"at least {MATCHES:,} matches", f"{found.matches:,}", found.matches >= MATCHES
        ),
        Condition(
            f"at most {1000 * SECONDS:g} ms a decision, on average",
            f"{1000 * found.seconds:.2g} ms",
            found.seconds <= SECONDS,
        ),
        Condition(
            f"Red wins {100 * low:g} to {100 * high:g} % of all matches",
            f"{100 * found.red.mean:.1f} %",
            low <= found.red.mean <= high,
        ),
        Condition(
            f"draws are less than {100 * DRAWS:g} %",
            f"{100 * found.draws.mean:.1f} %",
            found.draws.mean < DRAWS,
        ),
        Condition(
            f"the median match takes {least} to {most} turns",
            f"{median:g} turns",
            least <= median <= most,
        ),
        Condition(
            "no card is never worth playing",
            f"not {', '.join(unworthy)}" if unworthy else "all are",
            not unworthy,
        ),
        Condition(
            "RB 6.2 is kept", " ".join(odd) if odd else "in everything", not odd
        ),
    ]  # fmt: skip


def is_worth_playing(card: CardEntry, card_set: dict[str, Any]) -> bool:
    """Whether a card is played and wins often enough; monarchs are not drafted and always pass."""
    if card.name in (monarch["name"] for monarch in card_set["monarchs"]):
        return True
    if card.win_rate is None or card.drafted == 0:
        return False
    return card.played / card.drafted >= PLAYED and card.win_rate.mean >= WINS
