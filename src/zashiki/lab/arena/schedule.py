"""The lineup of every match: each bot on each seat, against each other bot, equally often.

A *deal* is one way the cards fall. It is played several times, once in each *lineup* of its group,
so that the other bots get the same cards as well (duplicate play). A *company* is a circle of bots
around the table. It is played in all its rotations, so that each bot of it has each seat. These
companies play a deal:

- two bots on two seats: both of them, in both orders;
- two bots on more: one alone in a field of the other, and the other way round;
- more bots, and a seat for each: all of them; seats that are left over go to as many different
  bots as there are, in every choice of these;
- more bots than seats: one choice of bots per deal, and every choice in a *round* of deals.

After a round all bots have played equally often, against each other bot and on each seat. The order
around the table changes from round to round, through all orders of the bots.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

Lineup = tuple[int, ...]
"""By seat, the index of a bot in the plan."""


@dataclass(frozen=True)
class Schedule:
    """The lineups of an arena by the number of the match, without an end."""

    bots: int
    seats: int
    first_alone: bool = False
    """Of two bots on more than two seats, only the first sits alone in a field of the other."""

    @cached_property
    def orders(self) -> list[tuple[int, ...]]:
        """The orders of a company of different bots, by round; two bots need only one."""
        if self.bots == 2:
            return [(0, 1)]
        return list(permutations(range(min(self.bots, self.seats))))

    @cached_property
    def choices(self) -> list[tuple[int, ...]]:
        """The bots that play, by deal of a round."""
        return list(combinations(range(self.bots), min(self.bots, self.seats)))

    @property
    def deals_a_round(self) -> int:
        return len(self.choices)

    @cached_property
    def matches_a_deal(self) -> int:
        return len(self.lineups(0))

    @property
    def matches_a_round(self) -> int:
        return self.deals_a_round * self.matches_a_deal

    def whole_rounds(self, matches: int) -> int:
        """Round a number of matches up to whole rounds."""
        return -(-matches // self.matches_a_round) * self.matches_a_round

    def lineups(self, deal: int) -> list[Lineup]:
        """All lineups that play a deal."""
        return [turned for company in self.companies(deal) for turned in rotations(company)]

    def companies(self, deal: int) -> list[Lineup]:
        """The circles of bots that play a deal."""
        turn, place = divmod(deal, self.deals_a_round)
        chosen = self.choices[place]
        if self.bots == 2 and self.seats > 2:
            alone = self.orders[:1] if self.first_alone else [(0, 1), (1, 0)]
            return [(one, *[other] * (self.seats - 1)) for one, other in alone]
        order = [chosen[step] for step in self.orders[turn % len(self.orders)]]
        each, left = divmod(self.seats, len(order))
        return [
            tuple(order * each + [bot for bot in order if bot in twice])
            for twice in combinations(chosen, left)
        ]

    def deal_of(self, match: int) -> int:
        return match // self.matches_a_deal

    def lineup_of(self, match: int) -> Lineup:
        deal, place = divmod(match, self.matches_a_deal)
        return self.lineups(deal)[place]


def rotations(company: Lineup) -> list[Lineup]:
    """Turn a company so that each of its bots has each seat once."""
    return [company[-turn:] + company[:-turn] for turn in range(len(company))]
