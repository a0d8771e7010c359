"""Facts and outcomes of a match as lines on the console."""

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from zashiki.cli.terminal.console import seat_mark, seat_style
from zashiki.cli.terminal.tables import fold_cells, make_table, print_table
from zashiki.cli.terminal.wording import TerminalWording
from zashiki.core.facts import Fact, Vocabulary
from zashiki.core.game import Outcome
from zashiki.core.parts import Audience


class FactPrinter:
    """Prints what happened, with each seat in its colour and every limited audience named."""

    def __init__(
        self, console: Console, wording: TerminalWording, vocabulary: Vocabulary, seats: int
    ) -> None:
        self.console = console
        self.wording = wording
        self.vocabulary = vocabulary
        self.seats = seats

    def print_story(self, facts: Iterable[Fact], reader: int | None = None) -> None:
        """Print facts as a short log, in which nothing is said twice."""
        for fact in self.vocabulary.story(facts):
            self.print_fact(fact, reader)

    def print_fact(self, fact: Fact, reader: int | None = None) -> None:
        """Print one fact as a sentence. `reader` is the seat of the person who reads it."""
        said = self.wording.fact_to(reader, fact, self.vocabulary)
        if not said:
            return
        line = self.coloured(said)
        if fact.audience != "all":
            line.append(f"  {self.audience(fact.audience, reader)}", style="usuzumi")
        if self.console.is_terminal:
            self.console.print(Padding(line, (0, 0, 0, 2)))
        else:
            self.console.print(Text("  ").append(line))

    def coloured(self, said: str) -> Text:
        """Colour the names of the seats in a sentence."""
        text = Text(said)
        for seat in range(self.seats):
            text.highlight_words([self.wording.seat(seat)], style=seat_style(seat))
        return text

    def audience(self, audience: Audience, reader: int | None) -> str:
        """Say which seat alone was told a fact."""
        if audience == "none":
            return self.wording.say("nobody")
        if audience == reader:
            return self.wording.say("only_you")
        return self.wording.say("only", seat=self.wording.seat(int(audience)))

    def print_outcome(self, outcome: Outcome, reader: int | None = None) -> None:
        """Print the winners, and the seats by rank with their scores."""
        wording = self.wording
        self.console.print()
        self.console.print(Text(self.winners(outcome, reader), style="kin"))
        columns = [wording.say("rank"), wording.say("seat"), wording.say("score")]
        rows: list[list[str | Text]] = []
        for seat in sorted(range(self.seats), key=lambda seat: outcome.ranks[seat]):
            name = seat_name(wording, seat, reader)
            rows.append([str(outcome.ranks[seat]), name, f"{outcome.scores[seat]:g}"])
        print_table(self.console, fold_cells(make_table(columns, rows, numbers=1)))

    def winners(self, outcome: Outcome, reader: int | None) -> str:
        """Say which seats have won."""
        wording = self.wording
        first = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1]
        if first == [reader]:
            return wording.say("you_won")
        if len(first) == 1:
            return wording.say("won", seat=wording.seat(first[0]))
        you = wording.own["reader"]["within"]
        names = [you if seat == reader else wording.seat(seat) for seat in first]
        return wording.say("shared", seats=wording.texts.listed(names))


def seat_name(wording: TerminalWording, seat: int, reader: int | None) -> Text:
    """Name a seat in its colour and with its shape, and mark the reader's own."""
    name = Text(f"{seat_mark(seat)} {wording.seat(seat)}", style=seat_style(seat))
    if seat == reader:
        name.append(wording.say("yours"), style="bold")
    return name
