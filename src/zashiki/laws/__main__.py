"""Ask the laws of a game from outside: `python -m zashiki.laws my-game`.

Status 0: all hold. 1: one is broken, and a line says how to see it again. 2: bad input.
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
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"zashiki.laws: {message}\n")


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: a number from 1 is expected")
    return int(text)


def parser() -> Parser:
    arguments = Parser(prog="python -m zashiki.laws", description="Ask the laws of a game.")
    arguments.add_argument("game", nargs="?", metavar="GAME", help="a game's id")
    arguments.add_argument("--all", action="store_true", help="every game there is")
    arguments.add_argument(
        "--matches", type=positive, default=3, metavar="N", help="so many of each form (3)"
    )
    arguments.add_argument(
        "--seed", type=int, default=1, help="the first match's; then one more each (1)"
    )
    arguments.add_argument("--seats", type=int, help="only tables of so many")
    return arguments


def chosen(given: argparse.Namespace) -> list[GameSpec]:
    if given.all == (given.game is not None):
        raise Malformed(f"a game ({', '.join(catalogue())}) or --all is expected")
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
    """A line a law."""
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
