"""`zashiki games`: the games that can be played."""

from argparse import ArgumentParser, Namespace

from zashiki.bots import bot_names
from zashiki.cli.arguments import add_language
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.tables import make_table, print_table
from zashiki.cli.terminal.wording import TerminalWording, terminal_texts
from zashiki.core.spec import GameSpec, Option
from zashiki.games import catalogue

DESCRIPTION = """\
List every game with its seats and options (the default value first), then a summary of each with
its bots in brackets.
"""
EPILOG = """\
examples:
  zashiki games
  zashiki games --lang ja
"""
COLUMNS = ("id", "title", "seats", "options")


def add_arguments(parser: ArgumentParser) -> None:
    add_language(parser)


def run(arguments: Namespace) -> int:
    specs = catalogue().values()
    console = make_console()
    between = "\n" if console.is_terminal else " "
    headings = terminal_texts(arguments.lang)["games"]
    rows = [row(spec, arguments.lang, between) for spec in specs]
    made = make_table([str(headings[column]) for column in COLUMNS], rows)
    made.columns[0].no_wrap = made.columns[-1].no_wrap = True
    print_table(console, made)
    for spec in specs:
        summary = TerminalWording(spec, arguments.lang).summary()
        console.print(f"{spec.id}: {summary} [{', '.join(bot_names(spec))}]")
    return 0


def row(spec: GameSpec, language: str, between: str) -> list[str]:
    title = TerminalWording(spec, language).title()
    seats = ", ".join(str(count) for count in spec.seats)
    options = between.join(spell_option(option) for option in spec.options.values())
    return [spec.id, title, seats, options]


def spell_option(option: Option) -> str:
    """Write an option as it is typed after --options, with all its values, the default first."""
    values = sorted(option.values, key=lambda value: value != option.default)
    return f"{option.name}={'|'.join(str(value).lower() for value in values)}"
