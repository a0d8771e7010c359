"""When a bot answers: at a moment that is chosen before it has looked at its hand.

How long somebody thinks tells others about their cards. So the moment depends on what everybody
knows (the pace of the table, the level of the bot, the number of the decision) and on a draw from a
secret seed. If the bot is not ready by then, it answers at the next moment of a fixed grid.
"""

import math
import random
from typing import Protocol

PACE_FACTORS = {"strong": 1.25, "master": 1.5}
"""Levels that think longer than others: everybody is shown the level of a bot."""
LEAST, MOST = 0.6, 1.4
"""The shortest and the longest pause, as a share of the usual one."""
MARGIN_SECONDS = 0.05
"""A bot stops thinking by so much earlier than it has to answer."""


class BotClock(Protocol):
    """Time as a bot sees it."""

    def time(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...


class Pause:
    """The moments at which a decision may be answered."""

    def __init__(self, begin: float, pace: float, bot: str, seed: int, decision: int) -> None:
        self.step = pace * PACE_FACTORS.get(bot, 1.0)
        """Between two moments; 0 if nobody waits for the bot, who then answers at once."""
        self.first = begin + self.step * random.Random(f"{seed} {decision}").uniform(LEAST, MOST)

    def moment(self, ready: float) -> float:
        """Return when to answer if the bot is ready at this time."""
        if not self.step:
            return ready
        return self.first + self.step * max(0, math.ceil((ready - self.first) / self.step))

    def seconds_to_think(self, now: float, most: float, least: float) -> float:
        """Return how long to think so that the answer is ready at the next moment."""
        if not self.step:
            return most
        return min(most, max(least, self.moment(now + least) - now - MARGIN_SECONDS))
