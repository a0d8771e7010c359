"""Facts and outcomes as lines on the screen."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from zashiki.cli.terminal.console import seat_mark, seat_style, show_table, table
from zashiki.cli.terminal.wording import Wording
from zashiki.core.facts import Fact, Vocabulary
from zashiki.core.game import Outcome
from zashiki.core.parts import Audience


class Teller:
    """Prints what happened, each seat in its colour, and who was told if not all were."""

    def __init__(
        self, console: Console, wording: Wording, vocabulary: Vocabulary, seats: int
    ) -> None:
        self.console = console
        self.wording = wording
        self.vocabulary = vocabulary
        self.seats = seats

    def tell(self, fact: Fact, reader: int | None = None) -> None:
        """One fact; `reader` is the seat of whoever looks, for whom its own need no name."""
        said = self.wording.fact(fact, self.vocabulary)
        if not said:
            return
        line = self.coloured(said)
        if fact.audience != "all":
            line.append(f"  ({self.audience(fact.audience, reader)})", style="usuzumi")
        if self.console.is_terminal:
            self.console.print(Padding(line, (0, 0, 0, 2)))
        else:
            self.console.print(Text("  ").append(line))

    def coloured(self, said: str) -> Text:
        text = Text(said)
        for seat in range(self.seats):
            text.highlight_words([self.wording.seat(seat)], style=seat_style(seat))
        return text

    def audience(self, audience: Audience, reader: int | None) -> str:
        if audience == "none":
            return self.wording.say("nobody")
        if audience == reader:
            return self.wording.say("only_you")
        return self.wording.say("only", seat=self.wording.seat(int(audience)))

    def tell_outcome(self, outcome: Outcome, reader: int | None = None) -> None:
        """Who won, and the ranks with their scores."""
        wording = self.wording
        first = [wording.seat(seat) for seat, rank in enumerate(outcome.ranks) if rank == 1]
        if len(first) == 1:
            headline = wording.say("won", seat=first[0])
        else:
            headline = wording.say("shared", seats=wording.texts.listed(first))
        self.console.print()
        self.console.print(Text(headline, style="kin"))
        columns = [wording.say("rank"), wording.say("seat"), wording.say("score")]
        rows: list[list[str | Text]] = []
        for seat in sorted(range(self.seats), key=lambda seat: outcome.ranks[seat]):
            name = Text(f"{seat_mark(seat)} {wording.seat(seat)}", style=seat_style(seat))
            if seat == reader:
                name.append(f" {wording.say('yours')}", style="bold")
            rows.append([str(outcome.ranks[seat]), name, f"{outcome.scores[seat]:g}"])
        show_table(self.console, folded(table(columns, rows, numbers=1)))


def folded(made: Table) -> Table:
    """Too long a word goes on in the next line: Japanese has no spaces, and all of it is needed."""
    for column in made.columns:
        column.overflow = "fold"
    return made


def listing(rows: Sequence[Sequence[str | Text]]) -> Table:
    """Rows without lines and headings, for a screen has few lines."""
    made = folded(table([""] * len(rows[0]), rows))
    made.show_header = False
    made.box = None
    made.padding = (0, 2, 0, 0)
    return made
