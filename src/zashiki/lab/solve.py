"""Solve KAMIZA backwards, round by round, and report what a best response gains.

    python -m zashiki.lab.solve leaning kamiza-second --seats 3 --rounds 400 --out FOLDER
    python -m zashiki.lab.solve report kamiza-second --seats 3 --rounds-left 3
    python -m zashiki.lab.solve report kamiza-second --search 120 1000 --seeds 16

The value of a round depends on the rounds after it, so the last rounds are learnt first.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, get_args

from librt.vecs import vec

from zashiki.bots.thinking import Thinker, levels_of
from zashiki.core.bot import Bot
from zashiki.core.game import ActionId
from zashiki.core.spec import AnyView
from zashiki.games import game_spec
from zashiki.games.kamiza.ai.bot import FEAR, Sensible
from zashiki.games.kamiza.ai.solving import (
    BEGINNING,
    Round,
    Standing,
    essence,
    habit,
    last_standings,
    led_standings,
)
from zashiki.games.kamiza.ai.strategy import WHOLE, Kind, Strategy, file_name, rounded, stored
from zashiki.games.kamiza.play import Kamiza
from zashiki.search.best_response import best_values, gains
from zashiki.search.cfr import Learner, mix
from zashiki.search.extensive import Policy, Tree, row, values, with_policy, written_out

SHARE = 0.5
"""How often a leaning strategy expects the others to play by habit."""
ENOUGH = 0.002
"""Points per round that a best response may gain against an equilibrium."""
FIRST = 100
"""Rounds of learning before the first check whether an equilibrium is good enough."""


def rules(game: str, seats: int) -> Kamiza:
    """KAMIZA with default options."""
    spec = game_spec(game)
    made = spec.make(seats, spec.check_options(None, seats))
    assert isinstance(made, Kamiza)
    return made


def second_standings(game: Kamiza) -> list[Standing]:
    """All standings that can follow the first round."""
    met: set[Standing] = set()

    def note(standing: Standing) -> list[float]:
        met.add(essence(standing, game.seats))
        return [0.0] * game.seats

    written_out(game, Round(game, BEGINNING, note))
    return sorted(met)


class Solver:
    """Learns every round of one game, the last ones first."""

    def __init__(self, game: Kamiza, kind: Kind, rounds: int) -> None:
        self.game = game
        self.rounds = rounds
        self.share = SHARE if kind == "leaning" else 0.0
        self.charge = FEAR if kind == "leaning" else 0.0
        self.worths: dict[Standing, list[float]] = {}
        self.weights: dict[Standing, bytes] = {}

    def solve(self) -> Strategy:
        seats = self.game.seats
        seconds = sorted({*second_standings(self.game), *led_standings(seats)})
        for standings in (last_standings(seats), seconds, [BEGINNING]):
            for standing in standings:
                self.learn(standing)
        return Strategy(seats, self.weights)

    def after(self, standing: Standing) -> list[float]:
        return self.worths[essence(standing, self.game.seats)]

    def learn(self, standing: Standing) -> None:
        """Learn one round of the game."""
        begun = Round(self.game, standing, self.after, self.charge)
        tree, habits = with_policy(self.game, begun, habit)
        profile = self.leaning(tree, habits) if self.share else self.equilibrium(tree)
        self.keep(standing, tree, profile)
        self.worths[standing] = [
            values(tree, self.meeting(seat, tree, profile, habits))[seat]
            for seat in range(tree.seats)
        ]

    def leaning(self, tree: Tree, habits: vec[float]) -> vec[float]:
        learner = Learner(tree, habits, self.share)
        learner.run(self.rounds)
        return learner.average()

    def equilibrium(self, tree: Tree) -> vec[float]:
        """Learn until it is good enough, and return the best average: later ones may be worse."""
        learner = Learner(tree)
        learner.run(min(FIRST, self.rounds))
        best = learner.average()
        least = max(gains(tree, best))
        while least > ENOUGH and learner.rounds < self.rounds:
            learner.run(learner.rounds // 2)
            profile = learner.average()
            gain = max(gains(tree, profile))
            if gain < least:
                best, least = profile, gain
        return best

    def meeting(self, seat: int, tree: Tree, profile: vec[float], habits: vec[float]) -> vec[float]:
        """The profile in which this seat plays its strategy, and the others mix in their habits."""
        seen = row(tree.actions)
        mix(profile, habits, self.share, seen)
        for number in range(len(tree.places)):
            if tree.seat_of[number] == seat:
                for place in range(tree.places[number], tree.places[number] + tree.sizes[number]):
                    seen[place] = profile[place]
        return seen

    def keep(self, standing: Standing, tree: Tree, profile: vec[float]) -> None:
        shares = list(profile)
        weights: dict[int, bytes] = {}
        for (_, key), number in tree.keys.items():
            first, size = tree.places[number], tree.sizes[number]
            weights[key] = rounded(shares[first : first + size])
        self.weights[standing] = b"".join(weights[key] for key in sorted(weights))


# Best responses --------------------------------------------------------------------------------


class Played(NamedTuple):
    """The value of a standing for each seat, from its starter on."""

    values: list[float]
    """If all play by the policy."""
    best: list[float]
    """If this seat alone plays its best response."""


class Responses:
    """The exact gain of each seat against others who play by a policy.

    `whole`: the policy looks at totals and chips, not only at spent cards.
    """

    def __init__(self, game: Kamiza, policy: Policy, whole: bool = True) -> None:
        self.game = game
        self.policy = policy
        self.whole = whole
        self.known: dict[Standing, Played] = {}

    def at(self, standing: Standing) -> Played:
        """The values from this standing to the end of the game."""
        here = standing if self.whole else essence(standing, self.game.seats)
        known = self.known.get(here)
        if known is None:
            known = self.known[here] = self.played(here)
        return known

    def played(self, standing: Standing) -> Played:
        begun = Round(self.game, standing, lambda later: self.at(later).values)
        tree, profile = with_policy(self.game, begun, self.policy)
        worth = list(values(tree, profile))[: tree.seats]
        begun = Round(self.game, standing, lambda later: self.at(later).best)
        return Played(worth, best_values(written_out(self.game, begun), profile))

    def gains(self, standings: Iterable[Standing]) -> list[float]:
        """The mean gain over these standings, by seat from the starter on."""
        sums = [0.0] * self.game.seats
        count = 0
        for standing in standings:
            played = self.at(standing)
            count += 1
            for seat in range(self.game.seats):
                sums[seat] += played.best[seat] - played.values[seat]
        return [total / count for total in sums]


def form(game: Kamiza, rounds: int, most: int) -> list[Standing]:
    """The standings before the last `rounds` rounds, at most `most` of them."""
    if rounds == 1:
        return chosen(last_standings(game.seats), most)
    return chosen(second_standings(game), most) if rounds == 2 else [BEGINNING]


def chosen(standings: list[Standing], most: int) -> list[Standing]:
    return standings[:: -(-len(standings) // most)]


def by_strategy(strategy: Strategy) -> Policy:
    def policy(view: AnyView, _legal: list[ActionId]) -> list[float]:
        weights = strategy.at(view)
        assert weights is not None, "every standing of one game is stored"
        return [weight / WHOLE for weight in weights]

    return policy


def by_sense(game: Kamiza) -> Policy:
    """The policy of `sensible`, over all its seeds."""
    sensible = Sensible(game, 0)

    def policy(view: AnyView, legal: list[ActionId]) -> list[float]:
        good = sensible.good(view, legal)
        return [1 / len(good) if action in good else 0.0 for action in legal]

    return policy


def at_random(_view: AnyView, legal: list[ActionId]) -> list[float]:
    return [1 / len(legal)] * len(legal)


def by_bot(make: Callable[[int], Bot], seeds: int) -> Policy:
    """The policy of a bot, by its choices with `seeds` seeds."""

    def policy(view: AnyView, legal: list[ActionId]) -> list[float]:
        choices = [make(seed).choose(view, legal) for seed in range(seeds)]
        return [choices.count(action) / seeds for action in legal]

    return policy


def by_search(name: str, game: Kamiza, worlds: int, seeds: int) -> Policy:
    """The policy of `regular` with `worlds` worlds, over `seeds` seeds."""
    spec = game_spec(name)
    level = replace(levels_of(spec)["regular"], worlds=worlds)
    return by_bot(lambda seed: Thinker(spec, game, level, seed), seeds)


FORMS = {1: "last round", 2: "last two rounds", 3: "whole game"}


def report(
    name: str, seats: int, rounds: int, most: int, searches: Sequence[int] = (), seeds: int = 16
) -> Iterator[str]:
    """One line per policy: the gain of each seat by its best response, in points.

    `searches` are numbers of worlds, each a policy. A best response to few seeds of a search gains
    more than one to the search in general. So such a figure is too high, less so with more seeds.
    """
    game = rules(name, seats)
    policies: dict[str, tuple[Policy, bool]] = {
        f"{worlds} worlds": (by_search(name, game, worlds, seeds), True) for worlds in searches
    }
    if not searches:
        for kind in get_args(Kind):
            policies[kind] = (by_strategy(stored(kind, name, seats)), False)
        policies["sensible"] = (by_sense(game), True)
        policies["random"] = (at_random, False)
    standings = form(game, rounds, most)
    for policy, (play, whole) in policies.items():
        if whole and seats > 3 and rounds == 3:
            continue  # hundreds of thousands of standings
        gained = Responses(game, play, whole).gains(standings)
        shown = "  ".join(f"{gain:6.3f}" for gain in gained)
        yield f"{name} {seats}  {FORMS[rounds]:15}  {policy:11}  {shown}"


def counted(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1 on")
    return int(text)


def folder(text: str) -> Path:
    """Check that a file can be written there, before hours of learning."""
    path = Path(text)
    if not path.is_dir() or not os.access(path, os.W_OK):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a folder that can be written to")
    return path


def main(argv: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m zashiki.lab.solve", description=__doc__)
    parser.add_argument("what", choices=[*get_args(Kind), "report"])
    parser.add_argument("game", choices=["kamiza-2014", "kamiza-second"])
    parser.add_argument("--seats", type=int, choices=[3, 4], default=3)
    parser.add_argument("--rounds", type=counted, default=400, help="rounds of learning, at most")
    parser.add_argument("--rounds-left", type=int, choices=FORMS, default=1, help="of a report")
    parser.add_argument("--most", type=counted, default=10_000, help="standings of a form, at most")
    parser.add_argument(
        "--search", type=counted, nargs="+", default=[], metavar="WORLDS", help="report on searches"
    )
    parser.add_argument("--seeds", type=counted, default=16, help="of each search")
    parser.add_argument("--out", type=folder, default=Path(), help="the folder for the strategy")
    asked = parser.parse_args(None if argv is None else list(argv))
    if asked.what == "report":
        form_of = (asked.game, asked.seats, asked.rounds_left, asked.most)
        for line in report(*form_of, asked.search, asked.seeds):
            print(line, flush=True)
        return 0
    strategy = Solver(rules(asked.game, asked.seats), asked.what, asked.rounds).solve()
    version = game_spec(asked.game).rules_version
    about = {"game": asked.game, "rules_version": version, "kind": asked.what}
    path = asked.out / file_name(asked.what, asked.game, asked.seats)
    path.write_bytes(strategy.write({**about, "rounds": asked.rounds}))
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
