"""A bot in the Python API: it gets a match and a seat, and answers in notation."""

from typing import NamedTuple

from zashiki.bots import Thinker, bot_names, make_bot, unknown_bot
from zashiki.core.bot import Bot
from zashiki.core.game import ActionId
from zashiki.core.match import Match
from zashiki.core.rulings import Malformed, as_int, quoted
from zashiki.core.spec import AnyGame, AnyView, GameSpec


class SearchedValue(NamedTuple):
    """The result of a search for an action: its mean value, and the worlds that tried it."""

    value: float
    """From 0 (worst) to 1 (best), as the game's playout policy values an end."""
    worlds: int


class Player:
    """A named bot for all seats, options and matches of a game. It sees only the seat's view."""

    def __init__(self, spec: GameSpec, name: str, seed: int) -> None:
        if name not in bot_names(spec):
            raise unknown_bot(spec, name)
        number = as_int(seed)
        if number is None:
            raise Malformed(f"seed: expected an int, found {quoted(seed)}")
        self.spec = spec
        self.name = name
        self.seed = number
        self._game: AnyGame | None = None
        self._bot: Bot | None = None

    def __repr__(self) -> str:
        return f"<bot {self.name} of {self.spec.id}, seed {self.seed}>"

    def choose(self, match: Match, seat: int) -> str:
        """Return the action that the bot takes for this seat, which must be to act."""
        bot, view, legal = self._seated(match, seat)
        return match.game.actions[bot.choose(view, legal)].text

    def values(self, match: Match, seat: int) -> dict[str, SearchedValue]:
        """Return what the bot's search finds about each action that it tries, the best first.

        Raise `Malformed` if the bot does not search.
        """
        bot, view, _ = self._seated(match, seat)
        if not isinstance(bot, Thinker):
            raise Malformed(f"bot: expected one that searches, found {self.name}")
        counts = [found for found in bot.searched(view).counts() if found[1]]
        counts.sort(key=lambda found: found[1:], reverse=True)
        actions = match.game.actions
        return {actions[action].text: SearchedValue(mean, taken) for action, taken, mean in counts}

    def _seated(self, match: Match, seat: int) -> tuple[Bot, AnyView, list[ActionId]]:
        if match.spec is not self.spec:
            raise Malformed(f"match: expected one of {self.spec.id}, found one of {match.spec.id}")
        view = match.view_of(seat)
        legal = match.game.legal(view)
        if not legal:
            raise Malformed(
                f"seat: expected one that is to act, {sorted(match.to_act)}, found {quoted(seat)}"
            )
        if self._bot is None or self._game is not match.game:
            self._game = match.game
            self._bot = make_bot(self.name, self.spec, match.game, self.seed)
        return self._bot, view, legal
