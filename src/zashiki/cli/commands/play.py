"""`zashiki play`: a match in the terminal against bots."""

import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from zashiki.bots import bot_names, derived_seed, kind_name, names_of
from zashiki.cli.arguments import (
    add_game,
    add_language,
    add_options,
    default_bot,
    default_seats,
    read_names,
    read_options,
    read_seed,
)
from zashiki.cli.files import check_new, write_text
from zashiki.cli.terminal.console import is_interactive, make_console
from zashiki.cli.terminal.fact_printer import FactPrinter
from zashiki.cli.terminal.seated_bots import SeatedBots
from zashiki.cli.terminal.session import PlayerLeft, Session
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import TerminalWording
from zashiki.core import match as matches
from zashiki.core.match import Match
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import game_spec

DESCRIPTION = """\
Play a match against bots. Choose an action by its number or notation, add words to it, or ask why
an action is not allowed; ? prints help. Without a terminal, bots play one match among themselves,
and its log and outcome are printed.
"""
EPILOG = """\
Equal seeds give equal matches if your choices are equal. A saved record can be read with
`zashiki replay` and checked with `zashiki verify`.

examples:
  zashiki play kamiza-second
  zashiki play kamiza-second --seats 3 --seat 1 --bots sensible,greedy
  zashiki play kamiza-second --options open_start=true --seed 7 --save evening.jsonl
  zashiki play kamiza-2014 --lang ja
  zashiki play kamiza-second --seed 7 < /dev/null   bots only
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--seats", type=int, metavar="N", help="number of seats (default: a full table)"
    )
    parser.add_argument(
        "--seat", type=int, default=0, metavar="S", help="number of your seat, from 0 (default: 0)"
    )
    parser.add_argument(
        "--bots", metavar="A,B,…",
        help="one bot for each other seat, or one for all "
        "(default: sensible, or regular if the game has no sensible)",
    )  # fmt: skip
    add_options(parser)
    parser.add_argument(
        "--seed", type=read_seed, help="seed, an integer or a text (default: random)"
    )
    parser.add_argument("--name", help="your name at the table (default: Guest)")
    add_language(parser)
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="new file for the record (default: none)"
    )


def run(arguments: Namespace) -> int:
    spec = game_spec(arguments.game)
    seats = default_seats(spec) if arguments.seats is None else spec.check_seats(arguments.seats)
    seat = checked_seat(arguments.seat, seats)
    own = seat if is_interactive() else None
    bots = read_bots(spec, arguments.bots, seats, own)
    if arguments.save is not None:
        check_new(arguments.save)
    options = read_options(spec, arguments.options, seats)
    seed = secrets.randbits(128) if arguments.seed is None else arguments.seed
    person = arguments.name or TerminalWording(spec, arguments.lang).say("you")
    match = matches.start(spec, seats, options, seed, names_of(bots, person))
    wording = wording_of(match, bots, arguments.lang)
    phrases = wording.phrases(match.game)
    seated = SeatedBots(match, bots, phrases, derived_seed(seed, "bots"))
    if own is None:
        watch(match, seated, wording)
    else:
        try:
            Session(make_console(), match, own, seated, wording).run(arguments.save)
        except PlayerLeft:
            return 0
    if arguments.save is not None:
        write_text(arguments.save, match.record())
        make_console().print(wording.say("saved", path=printable(str(arguments.save))))
    return 0


def checked_seat(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Malformed(f"--seat {seat}: expected a number from 0 to {seats - 1}")
    return seat


def read_bots(spec: GameSpec, text: str | None, seats: int, own: int | None) -> list[str | None]:
    """Read the bot of each seat, None for the person's. One name is for all other seats."""
    default = default_bot(spec)
    chosen = [default] if text is None else list(read_names(text))
    for name in chosen:
        if name not in bot_names(spec):
            known = ", ".join(bot_names(spec))
            raise Malformed(f"--bots {name!r}: expected a bot of {spec.id}: {known}")
    others = seats if own is None else seats - 1
    if len(chosen) == 1:
        chosen *= others
    elif own is None and len(chosen) == seats - 1:
        chosen.insert(0, default)
    if len(chosen) != others:
        which = "all" if own is None else "the other"
        expected = f"1, or {others} for {which} seats"
        raise Malformed(f"--bots: expected {expected}, found {len(chosen)} bots")
    return list(chosen) if own is None else [*chosen[:own], None, *chosen[own:]]


def wording_of(match: Match, bots: Sequence[str | None], language: str) -> TerminalWording:
    """Put the match into words, with the names of its bots in this language."""
    names = [
        name if bot is None else kind_name(name, language)
        for name, bot in zip(match.header.names, bots, strict=True)
    ]
    return TerminalWording(match.spec, language, names, match.options)


def watch(match: Match, bots: SeatedBots, wording: TerminalWording) -> None:
    """Let bots play to the end, then print what everybody was told and the outcome."""
    while not match.over:
        bots.play_next(match)
    printer = FactPrinter(make_console(), wording, match.vocabulary, match.seats)
    printer.print_story(match.facts("all"))
    assert match.outcome is not None
    printer.print_outcome(match.outcome)
