"""What people type after a command, read and checked before anything begins."""

import re
from argparse import ArgumentParser
from pathlib import Path

from zashiki.bots import USUAL
from zashiki.cli.files import faults_named, read_text
from zashiki.cli.terminal.console import screen
from zashiki.cli.terminal.stdio import printable
from zashiki.core.offer import Content, Offer, Option, OptionValue
from zashiki.core.rulings import Malformed
from zashiki.core.text import LANGUAGES


def add_game(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, as `zashiki games` lists them")


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language (default: en)")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--options",
        metavar="K=V,…",
        default="",
        help="what the table chooses, like open_start=true,tie_break=shared or card_set=mine.toml",
    )


def read_options(offer: Offer, text: str, seats: int) -> dict[str, OptionValue]:
    """`k=v,k=v` as this game's options for so many seats."""
    chosen: dict[str, OptionValue] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals:
            raise Malformed(f"--options {pair!r}: name=value is expected")
        if name in chosen:
            raise Malformed(f"--options {name!r}: it is chosen twice")
        if name not in offer.options:
            known = ", ".join(offer.options) or "none"
            raise Malformed(f"--options {name!r}: {offer.id} knows {known}")
        chosen[name] = read_value(offer.options[name], value)
    return offer.check_options(chosen, seats)


def read_value(option: Option, text: str) -> OptionValue:
    """A value by its name or, where the option takes content, from a file that a person names."""
    content = option.content
    if content is None or text in option.values:
        return option.parse(text)
    if not text.endswith(content.suffix):
        names = ", ".join(str(value) for value in option.values)
        expected = f"one of {names}, or a file whose name ends in {content.suffix}, is expected"
        raise Malformed(f"--options {option.name}={text!r}: {expected}")
    return read_content(content, option.name.replace("_", " "), text)


def read_content(content: Content, what: str, path: str) -> OptionValue:
    """What a file says, and on standard error what is unusual about it."""
    with faults_named(path):
        if Path(path).exists() and not Path(path).is_file():
            raise Malformed(f"{path}: is no file")
    try:
        value = content.settle(f"{read_text(path, what)}\n")
    except Malformed as fault:
        raise Malformed(f"{path}: {str(fault).removeprefix(f'{path}: ')}") from None
    for remark in content.remarks(value, "en"):
        screen(stderr=True).print(f"{printable(path)}: warning: {printable(remark)}", style="kin")
    return value


def read_seed(text: str) -> int | str:
    """An integer if it looks like one, else a text."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,1000}", text) else text


def read_names(text: str) -> tuple[str, ...]:
    """Names between commas."""
    return tuple(name.strip() for name in text.split(","))


def usual_bot(offer: Offer) -> str:
    """Who plays where nobody was named: quick, and no fool."""
    return "sensible" if "sensible" in offer.bots else USUAL


def usual_seats(offer: Offer) -> int:
    return max(offer.seats)
