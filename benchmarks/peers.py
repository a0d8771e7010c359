"""How fast the peers play: whole random games of other card libraries, in decisions a second.

A step is one seat's decision applied. The legal list and the pick are inside the clock; chance is
played inside the clock but not counted. Each peer is driven the fastest way its public Python
interface allows, so that a comparison flatters them rather than us. Where an unusual shortcut
makes a peer faster still, it is listed as a peer of its own and its name says what is left out.

Needs `open_spiel` and `rlcard`; each is imported only when one of its peers runs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from random import Random
from time import perf_counter
from typing import Any

Measured = tuple[int, float]  # steps, and the seconds that they took
BareState = Callable[[Any, int], dict[str, Any]]

GOOFSPIEL = "goofspiel(players=4)"  # thirteen cards, the prizes in random order
ROLLOUTS_PER_DEAL = 500  # enough that dealing from Python is less than a hundredth of the time
GAMES_FOR_THE_MEAN = 5_000  # its standard error is then 0.3% at most
SECONDS, SEEDS = 3.0, (1, 2)


class Way(StrEnum):
    """Which language runs the loop over a game's steps."""

    PYTHON = "driven from Python"
    CPP = "C++ rollouts"


@dataclass(frozen=True)
class Peer:
    """A game of another library, and how to play it for a number of seconds with a seed."""

    name: str
    way: Way
    run: Callable[[float, int], Measured]


def play_until(seconds: float, play: Callable[[], int]) -> Measured:
    """Call `play` until the time is over, always to the end of a game: total and elapsed."""
    total = 0
    start = perf_counter()
    while perf_counter() - start < seconds:
        total += play()
    return total, perf_counter() - start


# RLCard: its game objects are about twice as fast as its environments, which encode every
# observation for a network. `step` has already listed the next seat's legal actions in the state
# that it returns, so asking the game for them again would be waste. The seats are the defaults:
# two for UNO, whose payoffs know no more, and three for dou dizhu.


def run_rlcard(
    name: str, legal: str, bare: BareState | None, seconds: float, seed: int
) -> Measured:
    """Play by `init_game` and `step`; a `bare` state stands in for the view that they build."""
    game = import_module(f"rlcard.games.{name}").Game()
    game.np_random = import_module("numpy").random.RandomState(seed)
    random = Random(seed).random
    if bare is not None:
        game.get_state = partial(bare, game)

    def play() -> int:
        steps = 0
        state, _ = game.init_game()
        while not game.is_over():
            actions = state[legal]
            state, _ = game.step(actions[int(random() * len(actions))])
            steps += 1
        return steps

    return play_until(seconds, play)


def bare_uno(game: Any, seat: int) -> dict[str, Any]:
    """The legal actions alone: most of UNO's time goes into the rest."""
    return {"legal_actions": game.round.get_legal_actions(game.players, seat)}


def bare_dou_dizhu(game: Any, seat: int) -> dict[str, Any]:
    """The legal actions alone, listed as the game's own `get_state` lists them."""
    if game.is_over():
        return {"actions": []}
    player, greater = game.players[seat], game.round.greater_player
    return {"actions": list(player.available_actions(greater, game.judger))}


# OpenSpiel: in the games here every chance outcome is equally likely, and `legal_actions` of a
# chance node lists them, so no probabilities need to cross from C++ to Python. A terminal state
# has no legal actions, so one call both lists the moves and tells the end.


def deal(state: Any, random: Callable[[], float]) -> None:
    """Play the chance nodes before the next decision."""
    while state.is_chance_node():
        outcomes = state.legal_actions()
        state.apply_action(outcomes[int(random() * len(outcomes))])


def run_dealt_game(game_name: str, seconds: float, seed: int) -> Measured:
    """Play from Python a game whose only chance is the deal, as dou dizhu's and euchre's is."""
    game = import_module("pyspiel").load_game(game_name)
    random = Random(seed).random

    def play() -> int:
        steps = 0
        state = game.new_initial_state()
        deal(state, random)
        legal_actions, apply_action = state.legal_actions, state.apply_action
        while actions := legal_actions():
            apply_action(actions[int(random() * len(actions))])
            steps += 1
        return steps

    return play_until(seconds, play)


def run_goofspiel(seconds: float, seed: int) -> Measured:
    """Play goofspiel from Python: a prize is turned up, then all four seats bid at once."""
    game = import_module("pyspiel").load_game(GOOFSPIEL)
    random = Random(seed).random

    def play() -> int:
        steps = 0
        state = game.new_initial_state()
        legal_actions = state.legal_actions
        while prizes := legal_actions():
            state.apply_action(prizes[int(random() * len(prizes))])
            hands = (legal_actions(0), legal_actions(1), legal_actions(2), legal_actions(3))
            state.apply_actions([hand[int(random() * len(hand))] for hand in hands])
            steps += len(hands)
        return steps

    return play_until(seconds, play)


def run_bots(game_name: str, seconds: float, seed: int) -> Measured:
    """Let the library's own random bots play whole games, one call a game; they can bid at once."""
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
    random = Random(seed).random
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS_PER_DEAL, seed=seed)
    limits = {"uct_c": 1.0, "max_simulations": 1, "max_memory_mb": 1, "solve": False}
    search = pyspiel.MCTSBot(game, evaluator, **limits, seed=seed, verbose=False)

    def play() -> int:
        state = game.new_initial_state()
        deal(state, random)
        search.step(state)
        return ROLLOUTS_PER_DEAL

    games, elapsed = play_until(seconds, play)
    return round(games * mean_decisions(game_name)), elapsed


@cache
def mean_decisions(game_name: str) -> float:
    """Decisions in a random game, measured outside the clock: C++ rollouts do not count theirs."""
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
    Peer("RLCard UNO", Way.PYTHON, partial(run_uno, None)),
    Peer("RLCard UNO, no views built", Way.PYTHON, partial(run_uno, bare_uno)),
    Peer("RLCard dou dizhu", Way.PYTHON, partial(run_dou_dizhu, None)),
    Peer("RLCard dou dizhu, no views built", Way.PYTHON, partial(run_dou_dizhu, bare_dou_dizhu)),
    Peer("OpenSpiel goofspiel, 4 players", Way.PYTHON, run_goofspiel),
    Peer("OpenSpiel dou dizhu", Way.PYTHON, partial(run_dealt_game, "dou_dizhu")),
    Peer("OpenSpiel euchre", Way.PYTHON, partial(run_dealt_game, "euchre")),
    Peer("OpenSpiel goofspiel, 4 players", Way.CPP, partial(run_bots, GOOFSPIEL)),
    Peer("OpenSpiel dou dizhu", Way.CPP, partial(run_bots, "dou_dizhu")),
    Peer("OpenSpiel euchre", Way.CPP, partial(run_bots, "euchre")),
    Peer(
        "OpenSpiel goofspiel, 4 players, turn-based, first prize given",
        Way.CPP,
        partial(run_rollouts, GOOFSPIEL),
    ),
    Peer("OpenSpiel dou dizhu, deal given", Way.CPP, partial(run_rollouts, "dou_dizhu")),
    Peer("OpenSpiel euchre, deal given", Way.CPP, partial(run_rollouts, "euchre")),
]


def main() -> None:
    """Print decisions a second, one column a run, so that the noise can be seen."""
    for peer in PEERS:
        runs = [peer.run(SECONDS, seed) for seed in SEEDS]
        figures = "".join(f"{steps / elapsed:>12,.0f}" for steps, elapsed in runs)
        print(f"{peer.name:<64}{peer.way:<20}{figures}", flush=True)


if __name__ == "__main__":
    main()
