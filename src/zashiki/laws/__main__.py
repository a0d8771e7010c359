"""The command `python -m zashiki.laws my-game`: check the laws of a game.

Exit status 0: all hold. 1: one is broken, and a line says how to reproduce it. 2: bad input.
"""

import argparse
import sys
import time
from typing import NoReturn

from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import catalogue, game_spec
from zashiki.laws.law import LAWS, BrokenLaw
from zashiki.laws.run import Count, Tally, check_game


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"zashiki.laws: {message}\n")


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return int(text)


def parser() -> Parser:
    arguments = Parser(
        prog="python -m zashiki.laws",
        description="Check the laws of a game in random matches of all its forms.",
    )
    arguments.add_argument("game", nargs="?", metavar="GAME", help="id of the game")
    arguments.add_argument("--all", action="store_true", help="check every game")
    arguments.add_argument(
        "--matches", type=positive, default=3, metavar="N", help="matches per form (default: 3)"
    )
    arguments.add_argument(
        "--seed",
        type=int,
        default=1,
        help="seed of the first match of a form; later ones count up (default: 1)",
    )
    arguments.add_argument(
        "--seats", type=int, metavar="N", help="number of seats (default: all that a game allows)"
    )
    return arguments


def chosen(given: argparse.Namespace) -> list[GameSpec]:
    if given.all == (given.game is not None):
        raise Malformed(f"expected either a game ({', '.join(catalogue())}) or --all")
    specs = list(catalogue().values()) if given.all else [game_spec(given.game)]
    if given.seats is None:
        return specs
    fitting = [spec for spec in specs if given.seats in spec.seats]
    if not fitting:
        specs[0].check_seats(given.seats)
    return fitting


def main(arguments: list[str] | None = None) -> int:
    try:
        given = parser().parse_args(arguments)
        specs = chosen(given)
    except Malformed as fault:
        print(f"zashiki.laws: {fault}", file=sys.stderr)
        return 2
    for spec in specs:
        began = time.perf_counter()
        try:
            tally = check_game(spec, given.matches, given.seed, given.seats)
        except BrokenLaw as broken:
            print(broken, file=sys.stderr)
            return 1
        report(spec, tally, time.perf_counter() - began)
    return 0


def report(spec: GameSpec, tally: Tally, seconds: float) -> None:
    """Print one line per law."""
    print(
        f"{spec.id}: {tally.forms} forms, {tally.matches} matches, {tally.steps} steps, "
        f"{seconds:.1f} s"
    )
    for law in LAWS:
        print(f"  {line(law.name, tally.laws.get(law.name, Count()), law.moment.value)}")


def line(name: str, count: Count, moment: str) -> str:
    skipped = f"  skipped: {'; '.join(sorted(count.skipped))}" if count.skipped else ""
    return f"{name:<72} {count.asked:>7} × {moment:<5} {count.seconds:>6.1f} s{skipped}"


if __name__ == "__main__":
    sys.exit(main())
