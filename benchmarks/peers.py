"""Speed of the peers: whole random games of other card libraries, in decisions per second.

A step is one seat's decision applied. The legal list and the pick are inside the clock. Chance is
played inside the clock but not counted. Each peer is driven the fastest way its public Python
interface allows, so that a comparison favours them rather than us. If an unusual shortcut
makes a peer faster still, it is listed as a separate peer and its name says what is left out.
The pick, `actions[random_bits(24) * len(actions) >> 24]`, is the same for all libraries. It takes
half the time of the usual `int(random() * len(actions))`.

Needs `open_spiel` and `rlcard`. Each is imported only when one of its peers runs.

    python -m benchmarks.peers
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import perf_counter, process_time
from typing import Any

Measured = tuple[int, float]  # steps, and the seconds of processor time that they took
BareState = Callable[[Any, int], dict[str, Any]]

GOOFSPIEL = "goofspiel(players=4)"  # thirteen cards, the prizes in random order
ROLLOUTS_PER_DEAL = 500  # enough that dealing from Python is less than a hundredth of the time
GAMES_FOR_THE_MEAN = 5_000  # its standard error is then 0.3% at most
SECONDS, SEEDS = 3.0, (1, 2)


class Way(StrEnum):
    """A way to play: what runs the loop over a game's steps, and what a step includes."""

    FRONT_DOOR = "front door"
    """From Python as documented: with notation or encodings, and with a record."""
    DRIVEN = "driven from Python"
    """From Python, with only what playing needs."""
    INSIDE = "whole games inside"
    """The loop itself is in the library: compiled, unless it is written in Python."""


@dataclass(frozen=True)
class Peer:
    """A game of another library, and a function that plays it for some seconds with a seed."""

    name: str
    way: Way
    run: Callable[[float, int], Measured]

    @property
    def library(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def is_installed(self) -> bool:
        return find_spec(MODULES[self.library]) is not None


MODULES = {"RLCard": "rlcard", "OpenSpiel": "pyspiel"}


def play_until(seconds: float, play: Callable[[], int]) -> Measured:
    """Call `play` until the time is over, always to the end of a game. Return steps and seconds.

    The returned seconds are processor time, so that other work on the machine counts less. Reading
    that clock is slow, so the end is found by the wall clock.
    """
    total = 0
    end, start = perf_counter() + seconds, process_time()
    while perf_counter() < end:
        total += play()
    return total, process_time() - start


# RLCard: the state that `step` returns has listed the next seat's legal actions already, so asking
# for them again would be waste. The seats are the defaults: two for UNO, whose payoffs know no
# more, and three for dou dizhu. Its game objects are about twice as fast as its environments,
# which encode every observation for a network and keep a record of the actions.


def run_rlcard_front_door(name: str, seconds: float, seed: int) -> Measured:
    """Play by `env.reset` and `env.step`. Raw actions save a lookup of ids per step."""
    env = import_module("rlcard").make(name, config={"seed": seed})
    random_bits = Random(seed).getrandbits

    def play() -> int:
        steps = 0
        state, _ = env.reset()
        while not env.is_over():
            actions = state["raw_legal_actions"]
            state, _ = env.step(actions[random_bits(24) * len(actions) >> 24], True)
            steps += 1
        return steps

    return play_until(seconds, play)


def run_rlcard(
    name: str, legal: str, bare: BareState | None, seconds: float, seed: int
) -> Measured:
    """Play by `init_game` and `step`. A `bare` state replaces the view that they build."""
    game = import_module(f"rlcard.games.{name}").Game()
    game.np_random = import_module("numpy").random.RandomState(seed)
    random_bits = Random(seed).getrandbits
    if bare is not None:
        game.get_state = partial(bare, game)

    def play() -> int:
        steps = 0
        state, _ = game.init_game()
        while not game.is_over():
            actions = state[legal]
            state, _ = game.step(actions[random_bits(24) * len(actions) >> 24])
            steps += 1
        return steps

    return play_until(seconds, play)


def bare_uno(game: Any, seat: int) -> dict[str, Any]:
    """Return only the legal actions: most of UNO's time is spent on the rest of the view."""
    return {"legal_actions": game.round.get_legal_actions(game.players, seat)}


def bare_dou_dizhu(game: Any, seat: int) -> dict[str, Any]:
    """Return only the legal actions, listed as by the game's own `get_state`."""
    if game.is_over():
        return {"actions": []}
    player, greater = game.players[seat], game.round.greater_player
    return {"actions": list(player.available_actions(greater, game.judger))}


# OpenSpiel: in the games here every chance outcome is equally likely, and `legal_actions` of a
# chance node lists them, so no probabilities need to cross from C++ to Python. A terminal state
# has no legal actions, so one call both lists the moves and tells the end.


def deal(state: Any, random_bits: Callable[[int], int]) -> None:
    """Play the chance nodes before the next decision."""
    while state.is_chance_node():
        outcomes = state.legal_actions()
        state.apply_action(outcomes[random_bits(24) * len(outcomes) >> 24])


def run_dealt_game(game_name: str, seconds: float, seed: int) -> Measured:
    """Play from Python a game whose only chance is the deal: dou dizhu and euchre."""
    game = import_module("pyspiel").load_game(game_name)
    random_bits = Random(seed).getrandbits

    def play() -> int:
        steps = 0
        state = game.new_initial_state()
        deal(state, random_bits)
        legal_actions, apply_action = state.legal_actions, state.apply_action
        while actions := legal_actions():
            apply_action(actions[random_bits(24) * len(actions) >> 24])
            steps += 1
        return steps

    return play_until(seconds, play)


def run_goofspiel(seconds: float, seed: int) -> Measured:
    """Play goofspiel from Python: a prize is turned up, then all four seats bid at once."""
    game = import_module("pyspiel").load_game(GOOFSPIEL)
    random_bits = Random(seed).getrandbits

    def play() -> int:
        steps = 0
        state = game.new_initial_state()
        legal_actions = state.legal_actions
        while prizes := legal_actions():
            state.apply_action(prizes[random_bits(24) * len(prizes) >> 24])
            hands = (legal_actions(0), legal_actions(1), legal_actions(2), legal_actions(3))
            state.apply_actions([hand[random_bits(24) * len(hand) >> 24] for hand in hands])
            steps += len(hands)
        return steps

    return play_until(seconds, play)


def run_bots(game_name: str, seconds: float, seed: int) -> Measured:
    """Let the library's random bots play whole games, one call per game. They can bid at once."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(game_name)
    random_bits = Random(seed).getrandbits
    seats = range(game.num_players())
    bots = [pyspiel.make_uniform_random_bot(seat, random_bits(31)) for seat in seats]

    def play() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, random_bits(31))
        return 1

    games, elapsed = play_until(seconds, play)
    return round(games * mean_decisions(game_name)), elapsed


def run_rollouts(game_name: str, seconds: float, seed: int) -> Measured:
    """Roll out many games from each deal by `RandomRolloutEvaluator`, the library's fastest loop.

    Python cannot call the evaluator itself, but a search of one simulation is one evaluation of
    its root. The root must be a decision in a turn-based game: hence one deal for many rollouts.
    """
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game_as_turn_based(game_name)
    random_bits = Random(seed).getrandbits
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS_PER_DEAL, seed=seed)
    limits = {"uct_c": 1.0, "max_simulations": 1, "max_memory_mb": 1, "solve": False}
    search = pyspiel.MCTSBot(game, evaluator, **limits, seed=seed, verbose=False)

    def play() -> int:
        state = game.new_initial_state()
        deal(state, random_bits)
        search.step(state)
        return ROLLOUTS_PER_DEAL

    games, elapsed = play_until(seconds, play)
    return round(games * mean_decisions(game_name)), elapsed


@cache
def mean_decisions(game_name: str) -> float:
    """Return the mean decisions per random game, measured outside the clock.

    C++ rollouts do not count theirs.
    """
    game = import_module("pyspiel").load_game_as_turn_based(game_name)
    random = Random(0)
    decisions = 0
    for _ in range(GAMES_FOR_THE_MEAN):
        state = game.new_initial_state()
        while actions := state.legal_actions():
            decisions += not state.is_chance_node()
            state.apply_action(random.choice(actions))
    return decisions / GAMES_FOR_THE_MEAN


run_uno = partial(run_rlcard, "uno", "legal_actions")
run_dou_dizhu = partial(run_rlcard, "doudizhu", "actions")

PEERS = [
    Peer("RLCard UNO, environment", Way.FRONT_DOOR, partial(run_rlcard_front_door, "uno")),
    Peer(
        "RLCard dou dizhu, environment", Way.FRONT_DOOR, partial(run_rlcard_front_door, "doudizhu")
    ),
    Peer("RLCard UNO, game object", Way.DRIVEN, partial(run_uno, None)),
    Peer("RLCard UNO, game object, no views built", Way.DRIVEN, partial(run_uno, bare_uno)),
    Peer("RLCard dou dizhu, game object", Way.DRIVEN, partial(run_dou_dizhu, None)),
    Peer(
        "RLCard dou dizhu, game object, no views built",
        Way.DRIVEN,
        partial(run_dou_dizhu, bare_dou_dizhu),
    ),
    Peer("OpenSpiel goofspiel", Way.DRIVEN, run_goofspiel),
    Peer("OpenSpiel dou dizhu", Way.DRIVEN, partial(run_dealt_game, "dou_dizhu")),
    Peer("OpenSpiel euchre", Way.DRIVEN, partial(run_dealt_game, "euchre")),
    Peer("OpenSpiel goofspiel, evaluate_bots", Way.INSIDE, partial(run_bots, GOOFSPIEL)),
    Peer("OpenSpiel dou dizhu, evaluate_bots", Way.INSIDE, partial(run_bots, "dou_dizhu")),
    Peer("OpenSpiel euchre, evaluate_bots", Way.INSIDE, partial(run_bots, "euchre")),
    Peer(
        "OpenSpiel goofspiel, evaluator, turn-based, first prize given",
        Way.INSIDE,
        partial(run_rollouts, GOOFSPIEL),
    ),
    Peer(
        "OpenSpiel dou dizhu, evaluator, deal given", Way.INSIDE, partial(run_rollouts, "dou_dizhu")
    ),
    Peer("OpenSpiel euchre, evaluator, deal given", Way.INSIDE, partial(run_rollouts, "euchre")),
]


def main() -> None:
    """Print decisions per second, one column per run, so that the noise can be seen."""
    for peer in PEERS:
        if not peer.is_installed:
            print(f"{peer.name:<64}not installed")
            continue
        runs = [peer.run(SECONDS, seed) for seed in SEEDS]
        figures = "".join(f"{steps / elapsed:>12,.0f}" for steps, elapsed in runs)
        print(f"{peer.name:<64}{peer.way:<20}{figures}", flush=True)


if __name__ == "__main__":
    main()
