"""`zashiki games`: what can be played."""

from argparse import ArgumentParser, Namespace

from zashiki.bots import bot_names
from zashiki.cli.arguments import add_language
from zashiki.cli.terminal.console import screen, show_table, table
from zashiki.cli.terminal.wording import Wording
from zashiki.core.offer import Offer, Option
from zashiki.games import catalogue

DESCRIPTION = "Every game: seats, options (the default first), what it is about, [its bots]."
EPILOG = """\
examples:
  zashiki games
  zashiki games --lang ja
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_language(parser)


def run(arguments: Namespace) -> int:
    offers = catalogue().values()
    console = screen()
    between = "\n" if console.is_terminal else " "
    rows = [row(offer, arguments.lang, between) for offer in offers]
    made = table(["id", "title", "seats", "options"], rows)
    made.columns[0].no_wrap = made.columns[-1].no_wrap = True
    show_table(console, made)
    for offer in offers:
        summary = Wording(offer, arguments.lang).summary()
        console.print(f"{offer.id}: {summary} [{', '.join(bot_names(offer))}]")
    return 0


def row(offer: Offer, language: str, between: str) -> list[str]:
    title = Wording(offer, language).title()
    seats = ", ".join(str(count) for count in offer.seats)
    options = between.join(spelled(option) for option in offer.options.values())
    return [offer.id, title, seats, options]


def spelled(option: Option) -> str:
    """As it is typed after --options, every value, the default first."""
    values = sorted(option.values, key=lambda value: value != option.default)
    return f"{option.name}={'|'.join(str(value).lower() for value in values)}"
