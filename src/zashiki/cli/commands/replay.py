"""`zashiki replay`: a record as a story."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from zashiki.cli.arguments import add_language
from zashiki.cli.files import hint, read_text
from zashiki.cli.terminal.board import Board
from zashiki.cli.terminal.console import is_interactive, screen
from zashiki.cli.terminal.fact_printer import Teller
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import Wording
from zashiki.core import record as records
from zashiki.core.facts import Fact
from zashiki.core.match import Match, Unfit, follow
from zashiki.core.offer import Offer
from zashiki.core.record import Broken, Record
from zashiki.core.rulings import Malformed
from zashiki.games import offer_of

DESCRIPTION = """\
Tells a record in words. On a terminal Enter goes on to the next action, b shows the table and
q quits; piped, all of it is printed. What not everybody was told is marked.
"""
EPILOG = """\
examples:
  zashiki replay evening.jsonl
  zashiki replay evening.jsonl --seat 2         only what seat 2 was told
  zashiki replay evening.jsonl --from 20        from the 20th action on
  zashiki replay evening.jsonl --lang ja | less
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record (-: from standard input)")
    parser.add_argument("--seat", type=int, metavar="S", help="only what this seat was told")
    parser.add_argument(
        "--from",
        dest="start",
        type=int,
        default=0,
        metavar="N",
        help="from this action on (in a record of one seat, which numbers none: this fact)",
    )
    add_language(parser)


def run(arguments: Namespace) -> int:
    record = read_record(arguments.file)
    story = Story(record, offer_of(record.header.game), arguments.lang, arguments.seat)
    steps = [step for step in story.steps() if step.number >= arguments.start]
    if not steps:
        raise Malformed(f"--from {arguments.start}: the record ends before")
    if is_interactive() and arguments.file != "-":
        walk(story, steps)
    else:
        for step in steps:
            story.tell(step)
        story.tell_end()
    return 0


def read_record(path: str) -> Record:
    text = read_text(path)
    try:
        return records.read(text)
    except Malformed as fault:
        raise Malformed(f"{fault} ({hint(text)})" if hint(text) else str(fault)) from None


def walk(story: "Story", steps: Sequence["Step"]) -> None:
    """Step by step, as long as somebody looks."""
    for step in steps:
        story.tell(step)
        try:
            while (answer := input(f"  {story.wording.say('next')} ").strip().lower()) == "b":
                story.show_board(step)
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if answer.startswith("q"):
            return
    story.tell_end()


@dataclass(frozen=True)
class Step:
    """The facts of one action, as far as the reader was told; `done` facts stand after it."""

    number: int
    facts: Sequence[Fact]
    done: int


class Story:
    """A record read by somebody: by whoever may see everything, or by one seat."""

    def __init__(self, record: Record, offer: Offer, language: str, seat: int | None) -> None:
        self.record = record
        self.offer = offer
        self.reader: str | int = record.reader if seat is None else checked_seat(record, seat)
        self.seat = self.reader if isinstance(self.reader, int) else None
        self.match = stood(record, offer)
        self.wording = Wording(offer, language, record.header.names, self.match.options)
        self.console: Console = screen()
        self.teller = Teller(self.console, self.wording, self.match.vocabulary, record.header.seats)

    @property
    def is_whole(self) -> bool:
        return self.record.reader == "everything"

    def steps(self) -> list[Step]:
        """The set-up and each action, or each fact where actions are not told."""
        by_number: dict[int, list[Fact]] = {}
        done: dict[int, int] = {}
        for place, fact in enumerate(self.record.facts, 1):
            number = fact.act if self.is_whole else place
            done[number] = place
            if records.tells(fact.audience, self.reader):
                by_number.setdefault(number, []).append(fact)
        return [Step(number, facts, done[number]) for number, facts in by_number.items()]

    def tell(self, step: Step) -> None:
        heading = self.heading(step.facts[0])
        if heading:
            self.console.print(Text(heading, style="title"))
        for fact in step.facts:
            self.teller.tell(fact, self.seat)

    def heading(self, first: Fact) -> str:
        """The action, in full only for those who may know it: it names a face-down card."""
        if not self.is_whole:
            return ""
        if first.act == 0 or first.seat is None or first.action is None:
            return f"{self.wording.title()}: {self.wording.say('set_up')}"
        if self.seat is not None and self.seat != first.seat:
            return ""
        try:
            words = self.wording.action(self.match.game.read(first.action))
        except Malformed:
            words = "?"
        number = f"{first.act}. " if self.seat is None else ""
        seat = self.wording.seat(first.seat)
        return f"{number}{seat}: {words} ({printable(first.action)})"

    def show_board(self, step: Step) -> None:
        match = stood(replace(self.record, facts=self.record.facts[: step.done]), self.offer)
        Board(self.wording, match, self.seat).show(self.console, match)

    def tell_end(self) -> None:
        outcome = self.match.outcome if self.record.over else None
        if outcome is not None:
            self.teller.tell_outcome(outcome, self.seat)
        else:
            self.console.print(Text(self.wording.say("unfinished"), style="usuzumi"))


def checked_seat(record: Record, seat: int) -> int:
    if not 0 <= seat < record.header.seats:
        raise Malformed(f"--seat {seat}: a number from 0 to {record.header.seats - 1} is expected")
    if record.reader not in ("everything", seat):
        raise Malformed(f"--seat {seat}: this record tells only what {record.reader!r} was told")
    return seat


def stood(record: Record, offer: Offer) -> Match:
    """The match where the record leaves it, as far as its reader was told."""
    header = record.header
    seats = offer.check_seats(header.seats)
    header = replace(header, options=offer.check_options(header.options, seats))
    match = Match(offer, header, None, None)
    for line, fact in zip(record.lines, record.facts, strict=False):
        try:
            follow(match, fact)
        except Unfit as fault:
            raise Broken(line, f"{fact.name} cannot happen here: {fault}") from None
    return match
