"""`zashiki rules`: the rules of a game, or one of them."""

from argparse import ArgumentParser, Namespace

from zashiki.cli.arguments import add_game, add_language
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.markdown import print_markdown
from zashiki.core.rulebook import Rulebook, rulebook
from zashiki.core.rulings import Malformed
from zashiki.games import game_spec

DESCRIPTION = "Print the rules for players: all of them, one rule, or one chapter."
EPILOG = """\
examples:
  zashiki rules kamiza-second
  zashiki rules kamiza-second K2 3.5
  zashiki rules kamiza-second 3.5               without the game's prefix
  zashiki rules kamiza-second "K2 3" --lang ja  a chapter, in Japanese
  zashiki rules kingdoms 2.4                    a rule with its parts, 2.4a to 2.4c
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "id", metavar="ID", nargs="*", default=[],
        help="id of a rule (K2 3.5) or of a chapter (K2 3) (default: all rules)",
    )  # fmt: skip
    add_language(parser)


def run(arguments: Namespace) -> int:
    spec = game_spec(arguments.game)
    book = rulebook(spec, arguments.lang)
    wanted = " ".join(arguments.id)
    text = find_rule(book, wanted, spec.id) if wanted else book.text
    print_markdown(make_console(), text)
    return 0


def find_rule(book: Rulebook, wanted: str, game: str) -> str:
    """Find a rule in the book; `Malformed` names the first and the last id of the game."""
    text = book.find(wanted)
    if text is None:
        known = [id for id in book.rules if not id.startswith("Z ")]
        between = f"{game} has {known[0]} to {known[-1]}" if known else f"{game} has none"
        raise Malformed(f"rule {wanted!r}: {between}")
    return text
