"""A person at the table: what is shown, what is asked, and what the answers mean."""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from zashiki.cli.board import Board
from zashiki.cli.rulebook import Rulebook, rulebook
from zashiki.cli.rules import show_rules
from zashiki.cli.screen import seat_style, show_table, table
from zashiki.cli.sitting import Sitting
from zashiki.cli.telling import Teller
from zashiki.cli.wording import Wording
from zashiki.core.match import Match
from zashiki.core.rulings import Malformed, Refusal, Refused

with contextlib.suppress(ImportError):  # line editing, where there is such a thing
    import readline  # noqa: F401

MOST_ACTIONS = 30
"""So many actions are listed unasked."""


class Left(Exception):
    """The person has left the table."""


class Session:
    """One match of one person."""

    def __init__(
        self, console: Console, match: Match, seat: int, sitting: Sitting, wording: Wording
    ) -> None:
        self.console = console
        self.match = match
        self.seat = seat
        self.sitting = sitting
        self.wording = wording
        self.teller = Teller(console, wording, match.vocabulary, match.seats)
        self.board = Board(wording, match, seat)
        self.told = 0
        """How many of the facts told to this seat were shown."""
        self.labels: dict[str, str] = {}
        """From what may be typed for an action to its notation."""
        self.save_as: Path | None = None
        self.has_hinted = False
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "why": self.why,
            "rules": self.rules,
            "log": self.log,
            "actions": self.actions,
            "threats": self.threats,
            "view": self.view,
            "quit": self.quit,
            "q": self.quit,
        }

    def run(self, save_as: Path | None) -> None:
        """To the end of the match, or until the person leaves."""
        self.save_as = save_as
        try:
            while not self.match.over:
                if not self.sitting.play_next(self.match):
                    self.decide()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self.leave(self.save_as)
        self.tell_news()
        outcome = self.match.outcome
        assert outcome is not None
        self.teller.tell_outcome(outcome, self.seat)

    def say(self, text: str, style: str = "none") -> None:
        self.console.print(Text(text, style=style))

    # Showing -----------------------------------------------------------------------------------

    def tell_news(self) -> None:
        """What this seat was told since the last decision."""
        facts = self.match.facts(self.seat)
        for fact in facts[self.told :]:
            self.teller.tell(fact, self.seat)
        self.told = len(facts)

    def number_actions(self) -> None:
        """Numbers for what is legal; where the notation itself is numbers, the notation."""
        view = self.match.state.views[self.seat]
        legal = [self.match.game.actions[action].text for action in self.match.game.legal(view)]
        if any(text.isdecimal() for text in legal):
            self.labels = {text: text for text in legal}
        else:
            self.labels = {str(number): text for number, text in enumerate(legal, 1)}

    def list_actions(self, most: int) -> None:
        rows: list[list[str | Text]] = []
        for label, text in list(self.labels.items())[:most]:
            words = self.wording.action(self.match.game.by_text[text])
            rows.append([Text(label, style="kin"), words, Text(text, style="usuzumi")])
        made = table(["", "", ""], rows)
        made.show_header = False
        show_table(self.console, made)
        if len(self.labels) > most:
            self.say(self.wording.say("more", count=len(self.labels) - most), "usuzumi")

    # Deciding ----------------------------------------------------------------------------------

    def decide(self) -> None:
        """Show the table and ask until an action is taken."""
        self.tell_news()
        self.console.rule(style="usuzumi")
        self.board.show(self.console, self.match)
        self.number_actions()
        self.list_actions(MOST_ACTIONS)
        self.hint()
        while not self.answered(self.ask()):
            pass

    def hint(self) -> None:
        """How to answer: at length the first time."""
        keys = ["help_hint"]
        if not self.has_hinted:
            keys = ["choose", *(["speak"] if self.match.offer.speech else []), "help_hint"]
        self.has_hinted = True
        self.say(" ".join(self.wording.say(key) for key in keys), "usuzumi")

    def ask(self) -> str:
        name = self.wording.seat(self.seat)
        self.console.print(Text(f"{name} ", style=f"bold {seat_style(self.seat)}"), end="")
        return input("› ").strip()

    def answered(self, line: str) -> bool:
        """Was this an action, and is it taken? Anything else is explained."""
        word, _, rest = line.partition(" ")
        if not word:
            return False
        if word.lower() in self.commands and word not in self.match.game.by_text:
            self.commands[word.lower()](rest.strip())
            return False
        try:
            self.match.play(self.seat, self.labels.get(word, word), self.words(rest.strip()))
        except Refused as refused:
            self.explain(refused.refusal)
            return False
        except Malformed as fault:
            unknown = word not in self.labels and not self.is_action(word)
            self.say(self.wording.say("unknown", input=line) if unknown else str(fault), "shu")
            return False
        return True

    def words(self, rest: str) -> str | None:
        if rest and not self.match.offer.speech:
            raise Malformed(self.wording.say("silent"))
        return rest or None

    def is_action(self, text: str) -> bool:
        try:
            self.match.game.read(text)
        except Malformed:
            return False
        return True

    def explain(self, refusal: Refusal) -> None:
        """The rule against it: its id, what it says here, and its text."""
        line = Text(refusal.ruling, style="bold shu")
        self.console.print(line.append(f"  {self.wording.refusal(refusal)}", style="none"))
        with contextlib.suppress(Malformed):
            text = self.book().find(refusal.ruling)
            if text is not None:
                show_rules(self.console, text)

    def book(self) -> Rulebook:
        return rulebook(self.match.offer, self.wording.language)

    # Commands ----------------------------------------------------------------------------------

    def help(self, _: str) -> None:
        example = next(iter(self.labels.values()))
        phrase = next(iter(self.wording.phrases(self.match.game)), None)
        rows: list[list[str | Text]] = []
        for typed, meaning in self.wording.own["terminal"]["help"].items():
            speaks = typed.startswith("3 ")
            needs_phrase = "{phrase}" in typed or typed == "threats"
            if (speaks and not self.match.offer.speech) or (needs_phrase and phrase is None):
                continue
            rows.append([Text(typed.format(example=example, phrase=phrase), style="kin"), meaning])
        made = table(["", ""], rows)
        made.show_header = False
        show_table(self.console, made)

    def why(self, action: str) -> None:
        text = self.labels.get(action, action)
        if not text:
            example = self.match.game.actions[0].text
            self.say(self.wording.say("why_what", example=example), "shu")
            return
        try:
            refusal = self.match.why_not(self.seat, text)
        except Malformed as fault:
            self.say(str(fault), "shu")
            return
        if refusal is None:
            self.say(self.wording.say("legal"), "matsu")
        else:
            self.explain(refusal)

    def rules(self, id: str) -> None:
        try:
            book = self.book()
        except Malformed:
            self.say(self.wording.say("no_rules"), "shu")
            return
        text = book.find(id) if id else book.text
        if text is None:
            self.say(self.wording.say("no_rule", id=id), "shu")
        else:
            show_rules(self.console, text)

    def log(self, _: str) -> None:
        for fact in self.match.facts(self.seat):
            self.teller.tell(fact, self.seat)

    def actions(self, _: str) -> None:
        self.list_actions(len(self.labels))

    def threats(self, _: str) -> None:
        phrases = self.wording.phrases(self.match.game)
        if not self.match.offer.speech or not phrases:
            self.say(self.wording.say("no_threats"), "usuzumi")
            return
        made = table(["", ""], [(Text(key, style="kin"), phrases[key]) for key in phrases])
        made.show_header = False
        show_table(self.console, made)
        example = f"{next(iter(self.labels))} {next(iter(phrases))}"
        most = self.match.offer.speech
        self.say(self.wording.say("own_threats", example=example, most=most), "usuzumi")

    def view(self, _: str) -> None:
        shown = self.match.view(self.seat)
        self.say("\n".join(f"{key}: {json.dumps(shown[key], ensure_ascii=False)}" for key in shown))

    # Leaving -----------------------------------------------------------------------------------

    def quit(self, _: str) -> None:
        if input(f"{self.wording.say('quit')} ").strip().lower() != self.wording.say("yes"):
            return
        path = self.save_as
        while path is None:
            typed = input(f"{self.wording.say('save')} ").strip()
            if not typed:
                break
            path = self.try_to_save(Path(typed))
        self.leave(path)

    def try_to_save(self, path: Path) -> Path | None:
        try:
            self.write(path)
        except OSError as fault:
            self.say(f"{path}: {fault.strerror or fault}", "shu")
            return None
        return path

    def write(self, path: Path) -> None:
        path.write_text(self.match.record(), encoding="utf-8", newline="\n")

    def leave(self, path: Path | None) -> None:
        """Say good-bye; the record, as far as it goes, is kept if there is a place for it."""
        saved = path is not None and self.try_to_save(path) is not None
        said = self.wording.say("saved", path=path) if saved else self.wording.say("not_saved")
        self.say(f"{said} {self.wording.say('left')}", "usuzumi")
        raise Left
