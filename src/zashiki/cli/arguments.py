"""Arguments that several commands share: their help, and how they are read and checked."""

import os
import re
from argparse import ArgumentParser
from pathlib import Path

from zashiki.bots import USUAL
from zashiki.cli.files import errors_naming, read_text
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.stdio import printable
from zashiki.core.rulings import Malformed
from zashiki.core.spec import Content, GameSpec, Option, OptionValue
from zashiki.core.text import LANGUAGES

MAX_WORKERS = 1024
MATCHES_PER_WORKER = 50
"""Minimum number of matches for which another process is started."""

# Declaring -------------------------------------------------------------------------------------


def add_game(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="id of a game, as in `zashiki games`")


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language of the output (default: en)"
    )


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--options",
        metavar="K=V,…",
        default="",
        help="options of the table, such as open_start=true,tie_break=shared or "
        "card_set=mine.toml (default: those listed first by `zashiki games`)",
    )


def add_record(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="record of a match (-: standard input)")


def add_matches(parser: ArgumentParser, default: int, what: str = "number of matches") -> None:
    parser.add_argument(
        "--matches", type=int, default=default, metavar="N", help=f"{what} (default: {default})"
    )


def add_seed(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=read_seed, default=0, help="seed, an integer or a text (default: 0)"
    )


def add_workers(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--workers", type=int, metavar="N", help="number of processes (default: up to one per core)"
    )


def add_results_folder(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder for all results (default: none are kept)"
    )


# Reading ---------------------------------------------------------------------------------------


def read_options(spec: GameSpec, text: str, seats: int) -> dict[str, OptionValue]:
    """Read `name=value,name=value` as the options of a game for this number of seats."""
    chosen: dict[str, OptionValue] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals:
            raise Malformed(f"--options {pair!r}: expected name=value")
        if name in chosen:
            raise Malformed(f"--options {name!r}: found twice, choose one value")
        if name not in spec.options:
            known = ", ".join(spec.options) or "none"
            raise Malformed(f"--options {name!r}: expected an option of {spec.id}: {known}")
        chosen[name] = read_value(spec.options[name], value)
    return spec.check_options(chosen, seats)


def read_value(option: Option, text: str) -> OptionValue:
    """Read a value by its name or, if the option takes content, from the file of that name."""
    content = option.content
    if content is None or text in option.values:
        return option.parse(text)
    if not text.endswith(content.suffix):
        names = ", ".join(str(value) for value in option.values)
        expected = f"expected one of {names}, or a file whose name ends in {content.suffix}"
        raise Malformed(f"--options {option.name}={text!r}: {expected}")
    return read_content(content, option.name.replace("_", " "), text)


def read_content(content: Content, what: str, path: str) -> OptionValue:
    """Read the value of an option from a file, and print its remarks as warnings."""
    with errors_naming(path):
        if Path(path).exists() and not Path(path).is_file():
            raise Malformed(f"{path}: expected a file, found a folder, a pipe or a device")
    try:
        value = content.settle(f"{read_text(path, what)}\n")
    except Malformed as fault:
        raise Malformed(f"{path}: {str(fault).removeprefix(f'{path}: ')}") from None
    for remark in content.remarks(value, "en"):
        warning = f"{printable(path)}: warning: {printable(remark)}"
        make_console(stderr=True).print(warning, style="kin")
    return value


def read_seed(text: str) -> int | str:
    """Read a seed: an integer if it looks like one, else a text."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,1000}", text) else text


def read_names(text: str) -> tuple[str, ...]:
    """Read names that are separated by commas."""
    return tuple(name.strip() for name in text.split(","))


def read_seats(spec: GameSpec, seats: int | None, bots: int) -> int:
    """Read the number of seats. The default is one per bot, else a full table."""
    if seats is not None:
        return spec.check_seats(seats)
    return bots if bots in spec.seats else default_seats(spec)


def read_workers(workers: int | None, matches: int, share: int = MATCHES_PER_WORKER) -> int:
    """Read the number of processes. The default is one per core with `share` matches or more."""
    if workers is None:
        return max(1, min(os.cpu_count() or 1, matches // share))
    if not 1 <= workers <= MAX_WORKERS:
        raise Malformed(f"--workers {workers}: expected a number from 1 to {MAX_WORKERS}")
    return workers


# Defaults --------------------------------------------------------------------------------------


def default_bot(spec: GameSpec) -> str:
    """Return the bot that plays if none is named: fast, and not weak."""
    return "sensible" if "sensible" in spec.bots else USUAL


def default_seats(spec: GameSpec) -> int:
    return max(spec.seats)
