"""`zashiki play`: a match in the terminal, against bots."""

import secrets
from argparse import ArgumentParser, Namespace
from pathlib import Path

from zashiki.bots import bot_names, derived_seed, names_of
from zashiki.cli.arguments import (
    add_game,
    add_language,
    add_options,
    read_names,
    read_options,
    read_seed,
    usual_bot,
    usual_seats,
)
from zashiki.cli.files import check_new, write_text
from zashiki.cli.terminal.console import is_interactive, screen
from zashiki.cli.terminal.fact_printer import Teller
from zashiki.cli.terminal.seated_bots import Sitting
from zashiki.cli.terminal.session import Left, Session
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import Wording
from zashiki.core import match as matches
from zashiki.core.match import Match
from zashiki.core.offer import Offer
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of

DESCRIPTION = """\
Sit down against bots. You choose by number or notation, may say something with it, and may ask
why something is not allowed; ? at the table explains. Without a terminal, bots play one match
among themselves, and its log and outcome are printed.
"""
EPILOG = """\
Equal seeds give equal matches, as long as you choose alike. A saved record can be read with
`zashiki replay` and checked with `zashiki verify`.

examples:
  zashiki play kamiza-second
  zashiki play kamiza-second --seats 3 --seat 1 --bots sensible,greedy
  zashiki play kamiza-second --options open_start=true --seed 7 --save evening.jsonl
  zashiki play kamiza-2014 --lang ja
  zashiki play kamiza-second --seed 7 < /dev/null   the bots alone
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--seats", type=int, metavar="N", help="(default: a full table)")
    parser.add_argument("--seat", type=int, default=0, metavar="S", help="yours (default: 0)")
    parser.add_argument(
        "--bots",
        metavar="A,B,…",
        help="one for each other seat, or one for all (default: the best)",
    )
    add_options(parser)
    parser.add_argument("--seed", type=read_seed, help="integer or text (default: none is known)")
    parser.add_argument("--name", help="how you are called at the table")
    add_language(parser)
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the record there, a new file"
    )


def run(arguments: Namespace) -> int:
    offer = offer_of(arguments.game)
    seats = usual_seats(offer) if arguments.seats is None else offer.check_seats(arguments.seats)
    own = checked_own(arguments.seat, seats) if is_interactive() else None
    sitting = Sitting(offer, read_bots(offer, arguments.bots, seats, own))
    if arguments.save is not None:
        check_new(arguments.save)
    wording = Wording(offer, arguments.lang)
    names = names_of(sitting.bots, arguments.name or wording.say("you"))
    seed = secrets.randbits(128) if arguments.seed is None else arguments.seed
    options = read_options(offer, arguments.options, seats)
    match = matches.start(offer, seats, options, seed, names)
    sitting.sit_down(match, wording.phrases(match.game), derived_seed(seed, "bots"))
    wording = Wording(offer, arguments.lang, names, options)
    if own is None:
        watch(match, sitting, wording)
    else:
        try:
            Session(screen(), match, own, sitting, wording).run(arguments.save)
        except Left:
            return 0
    if arguments.save is not None:
        write_text(arguments.save, match.record())
        screen().print(wording.say("saved", path=printable(str(arguments.save))))
    return 0


def checked_own(seat: int, seats: int) -> int:
    if not 0 <= seat < seats:
        raise Malformed(f"--seat {seat}: a number from 0 to {seats - 1} is expected")
    return seat


def read_bots(offer: Offer, text: str | None, seats: int, own: int | None) -> list[str | None]:
    """The bot on each seat, None on the person's; one name stands for all of them."""
    usual = usual_bot(offer)
    chosen = [usual] if text is None else list(read_names(text))
    for name in chosen:
        if name not in bot_names(offer):
            raise Malformed(f"bot {name!r}: {offer.id} knows {', '.join(bot_names(offer))}")
    others = seats if own is None else seats - 1
    if len(chosen) == 1:
        chosen *= others
    elif own is None and len(chosen) == seats - 1:
        chosen.insert(0, usual)
    if len(chosen) != others:
        expected = f"1, or {others} for the other seats of {seats}"
        raise Malformed(f"--bots: {len(chosen)} bots, but {expected}, are expected")
    return list(chosen) if own is None else [*chosen[:own], None, *chosen[own:]]


def watch(match: Match, sitting: Sitting, wording: Wording) -> None:
    """Bots among themselves: what everybody is told, and how it ends."""
    while not match.over:
        sitting.play_next(match)
    teller = Teller(screen(), wording, match.vocabulary, match.seats)
    for fact in match.facts("all"):
        teller.tell(fact)
    assert match.outcome is not None
    teller.tell_outcome(match.outcome)
