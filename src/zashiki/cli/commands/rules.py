"""`zashiki rules`: the rules of a game, or one of them."""

from argparse import ArgumentParser, Namespace

from rich.console import Console

from zashiki.cli.arguments import add_game, add_language
from zashiki.cli.rulebook import Rulebook, plain, rulebook
from zashiki.cli.terminal.console import screen
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of

DESCRIPTION = "The rules as players read them. An ID asks for one rule, or for a chapter."
EPILOG = """\
examples:
  zashiki rules kamiza-second
  zashiki rules kamiza-second K2 3.5
  zashiki rules kamiza-second 3.5               the game's prefix may be left out
  zashiki rules kamiza-second "K2 3" --lang ja  a chapter, in Japanese
  zashiki rules kingdoms 2.4                    a rule with its parts, 2.4a to 2.4c
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "id", metavar="ID", nargs="*", default=[], help="a rule (K2 3.5) or a chapter (K2 3)"
    )
    add_language(parser)


def run(arguments: Namespace) -> int:
    offer = offer_of(arguments.game)
    book = rulebook(offer, arguments.lang)
    wanted = " ".join(arguments.id)
    text = found(book, wanted, offer.id) if wanted else book.text
    show_rules(screen(), text)
    return 0


def found(book: Rulebook, wanted: str, game: str) -> str:
    text = book.find(wanted)
    if text is None:
        known = list(book.rules)
        known = [id for id in known if not id.startswith("Z ")]
        between = f"{game} has {known[0]} to {known[-1]}" if known else f"{game} has none"
        raise Malformed(f"rule {wanted!r}: {between}")
    return text


def show_rules(console: Console, text: str) -> None:
    """Typeset on a terminal, plain where it is piped."""
    if not console.is_terminal:
        console.print(plain(text))
        return
    from rich.markdown import Markdown  # here: it takes longer to import than all else together

    console.print(Markdown(text))
