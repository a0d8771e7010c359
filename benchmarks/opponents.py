"""A process that plays our bots against OpenSpiel's Python ISMCTS.

    python -m benchmarks.opponents compiled

Our games are wrapped as OpenSpiel states. ISMCTS gets only a view, as our bots do: all of
its worlds come from `game.sample(view)`. Simultaneous decisions are made one after the other, the
searching seat's first. That changes nothing, since choices commute.

It speaks the protocol of `worker.py`. A request is an index, a budget (worlds or seconds per
decision) and the number of a match. An answer is our part of the win, the share of the others that
our seats left behind, and the decisions and seconds of each side.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any, NamedTuple

import zashiki
from benchmarks.worker import check_module, serve
from zashiki.bots.thinking import Thinker, levels_of
from zashiki.core.bot import Bot
from zashiki.core.dice import Chance, Quick
from zashiki.core.game import ActionId, members
from zashiki.core.parts import Seat
from zashiki.core.playout_policy import rank_shares
from zashiki.core.spec import AnyGame, AnyView, GameSpec, OptionValue
from zashiki.lab.simulate import play_out
from zashiki.search.tree import Search

WORLDS, SECONDS = "worlds", "seconds"
LEVEL = "master"
EXPLORATION = 0.7
"""The UCT constant of ISMCTS, for returns from 0 to 1."""
WITHOUT_END = 10**9

TABLES: list[tuple[str, int, Mapping[str, OptionValue], int]] = [
    ("kingdoms", 2, {}, 1),
    ("red-town", 4, {"form": "short"}, 1),
    ("red-town", 4, {"form": "short"}, 3),
]
"""Tuples: game, seats, options, and the number of our seats."""


# Our games as OpenSpiel states -----------------------------------------------------------------


class TimeIsUp(Exception):
    """Raised between two simulations, when no further world may be sampled."""


@dataclass
class Source:
    """Samples the worlds of one decision from a view, until its time is up."""

    game: AnyGame
    view: AnyView
    chance: Chance
    end: float
    sampled: int = 0

    def world(self) -> "World":
        if self.sampled > 2 and monotonic() > self.end:  # enough to try an action
            raise TimeIsUp
        self.sampled += 1
        return World(self)


class World:
    """A world that agrees with a view, with the methods of OpenSpiel's `State` that ISMCTS uses."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.game = source.game
        self.state = source.game.sample(source.view, source.chance)
        self.known = ""
        """The information state of the seat to move, cached."""

    def get_game(self) -> Any:
        return SimpleNamespace(get_type=game_type)

    def current_player(self) -> int:
        acting = self.game.to_act(self.state.public)
        own = self.source.view.seat
        return int(own) if acting >> own & 1 else members(acting)[0]

    def legal_actions(self, player: int | None = None) -> list[ActionId]:
        return self.game.legal(self.state.views[self.current_player()])

    def apply_action(self, action: int) -> None:
        seat = Seat(self.current_player())
        self.game.apply(self.state, seat, ActionId(int(action)), self.source.chance)
        self.known = ""

    def information_state_string(self, player: int | None = None) -> str:
        if not self.known:
            shown = self.game.show(self.state.views[self.current_player()])
            self.known = json.dumps(shown, sort_keys=True)
        return self.known

    def resample_from_infostate(self, player: int, sampler: object) -> "World":
        return self.source.world()

    def clone(self) -> "World":
        """Return itself: each simulation has its own world, and the rollout is its last use."""
        return self

    def is_chance_node(self) -> bool:
        """Return False: chance is drawn when an action is applied."""
        return False

    def is_terminal(self) -> bool:
        return not self.game.to_act(self.state.public)

    def returns(self) -> list[float]:
        outcome = self.game.outcome(self.state.public)
        assert outcome is not None
        return rank_shares(outcome)


def game_type() -> Any:
    kinds = import_module("pyspiel").GameType
    return SimpleNamespace(
        dynamics=kinds.Dynamics.SEQUENTIAL,
        information=kinds.Information.IMPERFECT_INFORMATION,
    )


class Opponent:
    """OpenSpiel's ISMCTS with random rollouts, as a bot for our games."""

    def __init__(self, game: AnyGame, seed: int, worlds: int, seconds: float) -> None:
        folder = "open_spiel.python.algorithms"
        random = import_module("numpy").random.RandomState(seed)
        evaluator = import_module(f"{folder}.mcts").RandomRolloutEvaluator(1, random)
        make = import_module(f"{folder}.ismcts").ISMCTSBot
        self.bot = make(game, evaluator, EXPLORATION, worlds, random_state=random)
        self.random = Random(seed)
        self.game = game
        self.chance = Quick(seed)
        self.seconds = seconds

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        source = Source(self.game, view, self.chance, monotonic() + self.seconds)
        root = source.world()
        try:
            policy = self.bot.run_search(root)
        except TimeIsUp:
            policy = self.bot.get_final_policy(root, self.bot.lookup_node(root))
        actions, weights = zip(*policy, strict=True)
        return ActionId(int(self.random.choices(actions, weights)[0]))


# Matches ---------------------------------------------------------------------------------------


class Clocked:
    """A bot that counts its decisions with a choice, and their seconds."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.decisions = 0
        self.seconds = 0.0

    def choose(self, view: AnyView, legal: list[ActionId]) -> ActionId:
        start = monotonic()
        choice = self.bot.choose(view, legal)
        self.seconds += monotonic() - start
        self.decisions += len(legal) > 1
        return choice


class Duel(NamedTuple):
    """A pairing that can be played with a budget and the number of a match."""

    name: str
    note: str
    by: str
    ours: int
    seats: int
    run: Callable[[float, int], dict[str, float]]


@dataclass(frozen=True)
class Table:
    """A table of a pairing: the rules, the number of our seats, and the limit of a decision."""

    spec: GameSpec
    game: AnyGame
    ours: int
    by: str

    def play(self, budget: float, match: int) -> dict[str, float]:
        """Play a match. Each deal is played once per seat, and the bots move on by one seat."""
        seats = self.game.seats
        deal, turn = divmod(match, seats)
        our_seats = [(seat + turn) % seats for seat in range(self.ours)]
        bots = [
            Clocked(self.bot(seat in our_seats, budget, match * seats + seat))
            for seat in range(seats)
        ]
        outcome = play_out(self.game, bots, Quick(deal))
        shares = rank_shares(outcome)
        firsts = [seat for seat in range(seats) if outcome.ranks[seat] == 1]
        their_seats = [seat for seat in range(seats) if seat not in our_seats]
        return {
            "won": sum(seat in our_seats for seat in firsts) / len(firsts),
            "share": sum(shares[seat] for seat in our_seats) / self.ours,
            "our_decisions": sum(bots[seat].decisions for seat in our_seats),
            "our_seconds": sum(bots[seat].seconds for seat in our_seats),
            "their_decisions": sum(bots[seat].decisions for seat in their_seats),
            "their_seconds": sum(bots[seat].seconds for seat in their_seats),
        }

    def bot(self, is_ours: bool, budget: float, seed: int) -> Bot:
        """Return our best level with this budget, or ISMCTS with the same budget."""
        worlds = int(budget) if self.by == WORLDS else WITHOUT_END
        seconds = budget if self.by == SECONDS else None
        if not is_ours:
            return Opponent(self.game, seed, worlds, seconds or WITHOUT_END)
        level = replace(levels_of(self.spec)[LEVEL], worlds=worlds, bot="")
        return Thinker(self.spec, self.game, level, seed, seconds)


def duels(kind: str) -> list[Duel]:
    """Return the pairings that a worker of this kind can play."""
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: nothing is played.", file=sys.stderr)
        return []
    return [duel(*table, by, kind) for by in (WORLDS, SECONDS) for table in TABLES]


def duel(
    name: str, seats: int, options: Mapping[str, OptionValue], ours: int, by: str, kind: str
) -> Duel:
    spec = zashiki.games()[name]
    game = spec.make(seats, spec.check_options(options, seats))
    for part in (Search, Quick, type(game)):
        check_module(part.__module__, kind)
    note = ", ".join(f"{option}={value}" for option, value in options.items())
    return Duel(name, note, by, ours, seats, Table(spec, game, ours, by).play)


if __name__ == "__main__":
    serve(duels, sys.argv[1])
