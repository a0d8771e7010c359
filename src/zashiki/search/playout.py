# mypyc: compile
"""Random play to the end, inside compiled code.

No search uses it: a search plays by a `PlayoutPolicy`. Benchmarks and `tools/release_smoke.py`
measure the rules with it, and tests count all ways to play a small game.
"""

from mypy_extensions import i64

from zashiki.core.dice import Chance
from zashiki.core.game import Choices, Game
from zashiki.core.parts import NO_SEATS, H, O, P, Seat, State


def play_out(game: Game[P, O, H], state: State[P, O, H], chance: Chance, choices: Choices) -> int:
    """Pick legal actions at random until the match is over; return the number of steps."""
    steps: i64 = 0
    to_act = game.to_act(state.public)
    while to_act != NO_SEATS:
        seat: i64 = 0
        while to_act >> seat:
            if to_act >> seat & 1:
                choices.clear()
                game.offer(state.views[seat], choices)
                game.apply(state, Seat(seat), choices.pick(chance), chance)
                steps += 1
            seat += 1
        to_act = game.to_act(state.public)
    return int(steps)


def play_outs(game: Game[P, O, H], matches: int, chance: Chance) -> int:
    """Play whole matches at random; return the number of steps."""
    choices = game.choices()
    steps = 0
    for _ in range(matches):
        state = game.empty()
        game.start(state, chance)
        steps += play_out(game, state, chance, choices)
    return steps
