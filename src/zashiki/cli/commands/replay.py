"""`zashiki replay`: a record as a story."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from zashiki.bots import kind_name
from zashiki.cli.arguments import add_language, add_record
from zashiki.cli.files import read_text
from zashiki.cli.terminal.board import Board
from zashiki.cli.terminal.console import is_interactive, make_console
from zashiki.cli.terminal.fact_printer import FactPrinter
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import TerminalWording, damage_hint
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.match import Match, Unfit, follow
from zashiki.core.record import Broken, Record
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec
from zashiki.games import game_spec

DESCRIPTION = """\
Print a record in words. On a terminal, Enter continues with the next action, b shows the table and
q quits; in a pipe, all of it is printed. A fact that not everybody was told is marked.
"""
EPILOG = """\
examples:
  zashiki replay evening.jsonl
  zashiki replay evening.jsonl --seat 2         only what seat 2 was told
  zashiki replay evening.jsonl --from 20        from action 20 on
  zashiki replay evening.jsonl --details        every fact
  zashiki replay evening.jsonl --lang ja | less
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--seat", type=int, metavar="S",
        help="number of a seat, from 0: only what it was told (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--from", dest="start", type=int, default=0, metavar="N",
        help="number of the first action, or of the first fact in a record of one seat "
        "(default: 0, the set-up)",
    )  # fmt: skip
    parser.add_argument(
        "--details", action="store_true",
        help="every fact, such as each line of a battle's arithmetic (default: a short log)",
    )  # fmt: skip
    add_language(parser)


def run(arguments: Namespace) -> int:
    record = read_record(arguments.file)
    spec = game_spec(record.header.game)
    story = Story(record, spec, arguments.lang, arguments.seat, arguments.details)
    steps = [step for step in story.steps() if step.number >= arguments.start]
    if not steps:
        raise Malformed(f"--from {arguments.start}: the record ends before it")
    if is_interactive() and arguments.file != "-":
        walk(story, steps)
    else:
        for step in steps:
            story.print_step(step)
        story.print_end()
    return 0


def read_record(path: str) -> Record:
    text = read_text(path)
    try:
        return records.read(text)
    except Malformed as fault:
        hint = damage_hint(text)
        raise Malformed(f"{path}: {fault}{f' ({hint})' if hint else ''}") from None


def walk(story: "Story", steps: Sequence["Step"]) -> None:
    """Print one step at a time, until the reader quits."""
    for step in steps:
        story.print_step(step)
        try:
            while (answer := input(f"  {story.wording.say('next')} ").strip().lower()) == "b":
                story.print_board(step)
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if answer.startswith("q"):
            return
    story.print_end()


@dataclass(frozen=True)
class Step:
    """The facts of one action that the reader was told."""

    number: int
    first: Fact
    """The first of them in the record."""
    facts: Sequence[Fact]
    """Those that are printed."""
    done: int
    """Number of facts in the record up to the end of this action."""


class Story:
    """A record as one seat reads it, or a reader who may see everything."""

    def __init__(
        self,
        record: Record,
        spec: GameSpec,
        language: str,
        seat: int | None,
        has_details: bool = False,
    ) -> None:
        self.has_details = has_details
        self.record = record
        self.spec = spec
        self.reader: str | int = record.reader if seat is None else checked_seat(record, seat)
        self.seat = self.reader if isinstance(self.reader, int) else None
        self.match = follow_record(record, spec)
        names = [kind_name(name, language) for name in record.header.names]
        self.wording = TerminalWording(spec, language, names, self.match.options)
        self.console: Console = make_console()
        seats = record.header.seats
        self.printer = FactPrinter(self.console, self.wording, self.match.vocabulary, seats)

    @property
    def is_whole(self) -> bool:
        return self.record.reader == "everything"

    def steps(self) -> list[Step]:
        """Return the set-up and each action; each fact if the record tells no actions."""
        first: dict[int, Fact] = {}
        done: dict[int, int] = {}
        for place, fact in enumerate(self.record.facts, 1):
            number = self.number(place)
            done[number] = place
            if records.tells(fact.audience, self.reader):
                first.setdefault(number, fact)
        printed: dict[int, list[Fact]] = {}
        for fact in self.told():
            printed.setdefault(self.number(fact.act), []).append(fact)
        return [
            Step(number, fact, printed.get(number, ()), done[number])
            for number, fact in first.items()
            if number in printed or self.heading(fact)
        ]

    def number(self, place: int) -> int:
        """Return the number of the step of the fact at this place in the record."""
        return self.record.facts[place - 1].act if self.is_whole else place

    def told(self) -> list[Fact]:
        """Return the facts to print. In each, `act` is its place in the record."""
        facts = [
            replace(fact, act=place)
            for place, fact in enumerate(self.record.facts, 1)
            if records.tells(fact.audience, self.reader)
        ]
        return facts if self.has_details else self.match.vocabulary.story(facts)

    def print_step(self, step: Step) -> None:
        heading = self.heading(step.first)
        if heading:
            self.console.print(Text(heading, style="title"))
        for fact in step.facts:
            self.printer.print_fact(fact, self.seat)

    def heading(self, first: Fact) -> str:
        """Write the action. Only a reader who may know it sees it: it names a face-down card."""
        if not self.is_whole:
            return ""
        if first.act == 0 or first.seat is None or first.action is None:
            return self.wording.pair(self.wording.title(), self.wording.say("set_up"))
        if self.seat is not None and self.seat != first.seat:
            return ""
        try:
            words = self.wording.action(self.match.game.read(first.action))
        except Malformed:
            words = "?"
        number = f"{first.act}. " if self.seat is None else ""
        said = self.wording.pair(self.wording.seat(first.seat), words)
        return number + self.wording.say("noted", said=said, notation=printable(first.action))

    def print_board(self, step: Step) -> None:
        """Print the table as it is after a step."""
        facts = self.record.facts[: step.done]
        match = follow_record(replace(self.record, facts=facts), self.spec)
        Board(self.wording, match, self.seat).print_to(self.console, match)

    def print_end(self) -> None:
        """Print the outcome, or that the match is not over."""
        outcome = self.match.outcome if self.record.over else None
        if outcome is not None:
            self.printer.print_outcome(outcome, self.seat)
        else:
            self.console.print(Text(self.wording.say("unfinished"), style="usuzumi"))


def checked_seat(record: Record, seat: int) -> int:
    if not 0 <= seat < record.header.seats:
        raise Malformed(f"--seat {seat}: expected a number from 0 to {record.header.seats - 1}")
    if record.reader not in ("everything", seat):
        raise Malformed(f"--seat {seat}: this record tells only what {record.reader!r} was told")
    return seat


def follow_record(record: Record, spec: GameSpec) -> Match:
    """Return the match at the end of a record, as far as its reader was told."""
    header = record.header
    seats = spec.check_seats(header.seats)
    header = replace(header, options=spec.check_options(header.options, seats))
    match = Match(spec, header, None, None)
    for line, fact in zip(record.lines, record.facts, strict=False):
        try:
            follow(match, fact)
        except Unfit as fault:
            raise Broken(line, f"{fact.name} cannot happen here: {fault}") from None
    return match
