"""Who sits where in which match: every bot on every seat, against every other, equally often.

A *deal* is one way the cards fall. It is played several times, once in each *lineup* of its group,
so that what one bot was dealt the others are dealt as well (duplicate play). A *company* is who
sits around the table in which circle; it is played in all its rotations, so that each of its chairs
has stood on each seat. Which companies play a deal:

- two bots on two seats: both of them, in both orders;
- two bots on more: one alone in a field of the other, and the other way round;
- more bots, and a seat for each: all of them; seats that are left over go to as many different
  bots as there are, in every choice of these;
- more bots than seats: one choice of bots a deal, and every choice in a *round* of deals.

After a round each bot has played as often as each other, against each other, and on each seat. Who
sits beside whom changes from round to round, through all orders of the bots.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

Lineup = tuple[int, ...]
"""By seat, the place of a bot among those that were named."""


@dataclass(frozen=True)
class Schedule:
    """The matches of an arena by their number, without an end."""

    bots: int
    seats: int
    first_alone: bool = False
    """Of two bots on more than two seats, only the first sits alone in a field of the other."""

    @cached_property
    def orders(self) -> list[tuple[int, ...]]:
        """In which order a company of different bots is named, by round; two need only one."""
        if self.bots == 2:
            return [(0, 1)]
        return list(permutations(range(min(self.bots, self.seats))))

    @cached_property
    def choices(self) -> list[tuple[int, ...]]:
        """Which bots play, by deal of a round."""
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
        """At least so many matches."""
        return -(-matches // self.matches_a_round) * self.matches_a_round

    def lineups(self, deal: int) -> list[Lineup]:
        """The group of a deal."""
        return [turned for company in self.companies(deal) for turned in rotations(company)]

    def companies(self, deal: int) -> list[Lineup]:
        """Who sits in a circle around this deal."""
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
    """Each chair on each seat."""
    return [company[-turn:] + company[:-turn] for turn in range(len(company))]
