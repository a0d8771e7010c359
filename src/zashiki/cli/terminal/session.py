"""A match that one person plays in the terminal: showing the table, asking, taking answers."""

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

from rich.console import Console
from rich.text import Text

from zashiki.cli.terminal.board import Board
from zashiki.cli.terminal.choices import Choices
from zashiki.cli.terminal.console import seat_style
from zashiki.cli.terminal.fact_printer import FactPrinter
from zashiki.cli.terminal.hints import Hints
from zashiki.cli.terminal.markdown import print_markdown
from zashiki.cli.terminal.record_saver import RecordSaver
from zashiki.cli.terminal.seated_bots import SeatedBots
from zashiki.cli.terminal.tables import make_list, print_table
from zashiki.cli.terminal.wording import TerminalWording
from zashiki.core.facts import plain_text
from zashiki.core.match import Match
from zashiki.core.rulebook import Rulebook, rulebook
from zashiki.core.rulings import Malformed, Refusal, Refused

try:  # line editing, if the platform has it
    import readline

    HIDES_CODES = "libedit" not in (readline.__doc__ or "")
    """True if a prompt may have colours: only GNU readline surely ignores their width."""
except ImportError:
    HIDES_CODES = False

MAX_LISTED_ACTIONS = 30
"""Number of actions that are listed without the command `actions`."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class PlayerLeft(Exception):
    """The person has left the table."""


class Session:
    """One match of one person against bots."""

    def __init__(
        self, console: Console, match: Match, seat: int, bots: SeatedBots, wording: TerminalWording
    ) -> None:
        self.console = console
        self.match = match
        self.seat = seat
        self.bots = bots
        self.wording = wording
        self.facts = FactPrinter(console, wording, match.vocabulary, match.seats)
        self.board = Board(wording, match, seat)
        self.choices = Choices(match.game)
        self.hints = Hints(match, wording)
        self.saver = RecordSaver(console, wording, match)
        self.printed = 0
        """Number of facts told to this seat that were already printed."""
        self.save_as: Path | None = None
        self.has_explained = False
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.help,
            "help": self.help,
            "why": self.why,
            "rules": self.rules,
            "log": self.log,
            "actions": self.actions,
            "table": self.table,
            "b": self.table,
            "threats": self.threats,
            "view": self.view,
            "quit": self.quit,
            "q": self.quit,
        }

    def run(self, save_as: Path | None) -> None:
        """Play to the end of the match, or until the person leaves."""
        self.save_as = save_as
        try:
            while not self.match.over:
                if not self.bots.play_next(self.match):
                    self.decide()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self.leave(self.save_as)
        self.print_news()
        outcome = self.match.outcome
        assert outcome is not None
        self.facts.print_outcome(outcome, self.seat)
        if self.save_as is None:
            self.offer_to_save()

    def say(self, text: str, style: str = "none") -> None:
        self.console.print(Text(text, style=style))

    # Showing -----------------------------------------------------------------------------------

    def print_news(self) -> None:
        """Print what this seat was told since the last decision."""
        facts = self.match.facts(self.seat)
        self.facts.print_story(facts[self.printed :], self.seat)
        self.printed = len(facts)

    def list_actions(self, most: int) -> None:
        """Print the legal actions with their labels, words and notation."""
        labels = self.choices.labels
        rows: list[list[str | Text]] = []
        for label, text in list(labels.items())[:most]:
            words = self.wording.action(self.match.game.by_text[text])
            rows.append([Text(label, style="kin"), words, Text(text, style="usuzumi")])
        print_table(self.console, make_list(rows))
        if len(labels) > most:
            self.say(self.wording.say("more", count=len(labels) - most), "usuzumi")

    def explain_input(self) -> None:
        """Say how to answer: at length and with a hint the first time."""
        keys = ["help_hint"]
        if not self.has_explained:
            self.print_hint()
            keys = ["choose", *(["speak"] if self.match.spec.speech else []), "help_hint"]
        self.has_explained = True
        gap = str(self.wording.texts.get("forms", "gap"))
        self.say(gap.join(self.wording.say(key) for key in keys), "usuzumi")

    def print_hint(self) -> None:
        """Print a hint for what this seat has to decide now."""
        hint = self.hints.next(str(self.match.view(self.seat).get("phase", "")))
        if hint is not None:
            self.say(self.wording.say("tip", tip=hint), "usuzumi")

    # Deciding ----------------------------------------------------------------------------------

    def decide(self) -> None:
        """Show the table and ask until an action is taken."""
        self.print_news()
        self.console.rule(style="usuzumi")
        self.choices.update(self.match, self.seat)
        self.table("")
        self.explain_input()
        while not self.answer(self.ask()):
            pass

    def ask(self) -> str:
        return input(self.prompt()).strip()

    def prompt(self) -> str:
        """Return the whole prompt, since line editing must know its width."""
        name = Text(f"{self.wording.seat(self.seat)} ", style=f"bold {seat_style(self.seat)}")
        with self.console.capture() as captured:
            self.console.print(name, end="", soft_wrap=True)
        hidden = "\x01\\g<0>\x02" if HIDES_CODES else ""
        return COLOUR.sub(hidden, captured.get()) + "› "

    def answer(self, line: str) -> bool:
        """Act on a typed line. Return True if it was an action and was taken."""
        first, rest = split_line(line)
        if not first:
            return False
        word = normalize("NFKC", first)
        if word.lower() in self.commands and word not in self.match.game.by_text:
            self.commands[word.lower()](rest)
            return False
        action = self.choices.notation_for(word)
        fault = self.choices.fault(action)
        if fault is not None:
            self.reject(line, fault)
            return False
        try:
            self.match.play(self.seat, action, self.checked_words(rest))
        except Refused as refused:
            self.explain_refusal(refused.refusal)
            return False
        except Malformed as malformed:
            self.say(str(malformed), "shu")
            return False
        return True

    def checked_words(self, rest: str) -> str | None:
        """Return what is said with an action; `Malformed` is in the person's language."""
        most = self.match.spec.speech
        if not rest:
            return None
        if not most:
            raise Malformed(self.wording.say("silent"))
        if len(rest) > most:
            raise Malformed(self.wording.say("too_long", most=most, count=len(rest)))
        try:
            return plain_text(rest, "says", most)
        except Malformed as fault:
            more = f" {fault}" if self.wording.language == "en" else ""
            raise Malformed(f"{self.wording.say('odd_words')}{more}") from None

    def reject(self, typed: str, fault: Malformed) -> None:
        """Say that a line is not an action. The game's own message exists in English only."""
        shown = {"numbers": self.choices.numbers, "example": self.choices.example}
        self.say(self.wording.say("unknown", input=self.wording.typed(typed), **shown), "shu")
        if self.wording.language == "en":
            self.say(str(fault), "usuzumi")

    def explain_refusal(self, refusal: Refusal) -> None:
        """Print the id of the rule that forbids an action, the reason here, and its text."""
        line = Text(refusal.ruling, style="bold shu")
        self.console.print(line.append(f"  {self.wording.refusal(refusal)}", style="none"))
        with contextlib.suppress(Malformed):
            text = self.book().find(refusal.ruling)
            if text is not None:
                print_markdown(self.console, text)

    def book(self) -> Rulebook:
        return rulebook(self.match.spec, self.wording.language)

    # Commands ----------------------------------------------------------------------------------

    def help(self, _: str) -> None:
        """Print what may be typed, with examples of this moment."""
        number = list(self.choices.labels)[:3][-1]
        phrase = next(iter(self.wording.phrases(self.match.game)), None)
        rows: list[list[str | Text]] = []
        for typed, meaning in self.wording.own["help"].items():
            speaks = typed.startswith("{number} ")
            needs_phrase = "{phrase}" in typed or typed == "threats"
            if (speaks and not self.match.spec.speech) or (needs_phrase and phrase is None):
                continue
            shown = typed.format(number=number, example=self.choices.example, phrase=phrase)
            rows.append([Text(shown, style="kin"), meaning])
        print_table(self.console, make_list(rows))
        self.print_hint()

    def why(self, action: str) -> None:
        """Print the rule that forbids an action, if one does."""
        text = self.choices.notation_for(action)
        if not text:
            example = self.match.game.actions[0].text
            self.say(self.wording.say("why_what", example=example), "shu")
            return
        try:
            refusal = self.match.why_not(self.seat, text)
        except Malformed as fault:
            self.reject(action, fault)
            return
        if refusal is None:
            self.say(self.wording.say("legal"), "matsu")
        else:
            self.explain_refusal(refusal)

    def rules(self, id: str) -> None:
        """Print the rules of the game, or one of them."""
        try:
            book = self.book()
        except Malformed:
            self.say(self.wording.say("no_rules"), "shu")
            return
        text = book.find(normalize("NFKC", id)) if id else book.text
        if text is None:
            self.say(self.wording.say("no_rule", id=self.wording.typed(id)), "shu")
        else:
            print_markdown(self.console, text)

    def log(self, which: str) -> None:
        """Print what happened; with `all`, also what other facts tell as well."""
        facts = self.match.facts(self.seat)
        if which != "all":
            self.facts.print_story(facts, self.seat)
            return
        for fact in facts:
            self.facts.print_fact(fact, self.seat)

    def table(self, _: str) -> None:
        """Print the table, what is asked, and the legal actions."""
        self.board.print_to(self.console, self.match)
        phase = self.wording.phase(self.match.view(None))
        if phase:
            self.say(phase, "title")
        self.list_actions(MAX_LISTED_ACTIONS)

    def actions(self, _: str) -> None:
        """Print all legal actions."""
        self.list_actions(len(self.choices.labels))

    def threats(self, _: str) -> None:
        """Print the phrases that the game offers to say."""
        phrases = self.wording.phrases(self.match.game)
        if not self.match.spec.speech or not phrases:
            self.say(self.wording.say("no_threats"), "usuzumi")
            return
        rows = [(Text(key, style="kin"), phrases[key]) for key in phrases]
        print_table(self.console, make_list(rows))
        example = f"{next(iter(self.choices.labels))} {next(iter(phrases))}"
        most = self.match.spec.speech
        self.say(self.wording.say("own_threats", example=example, most=most), "usuzumi")

    def view(self, _: str) -> None:
        """Print the whole view of this seat as JSON, one line per key."""
        shown = self.match.view(self.seat)
        self.say("\n".join(f"{key}: {json.dumps(shown[key], ensure_ascii=False)}" for key in shown))

    # Leaving -----------------------------------------------------------------------------------

    def quit(self, _: str) -> None:
        """Ask whether to leave and where to save the record."""
        if input(f"{self.wording.say('quit')} ").strip().lower() != self.wording.say("yes"):
            return
        self.leave(self.save_as or self.saver.ask_and_save())

    def offer_to_save(self) -> None:
        """Offer to save the record of a finished match."""
        try:
            path = self.saver.ask_and_save()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            path = None
        self.say(self.saver.summary(path), "usuzumi")

    def leave(self, path: Path | None) -> None:
        """Save the record of the unfinished match if there is a path, and raise `PlayerLeft`."""
        said = self.saver.summary(path and self.saver.try_to_save(path))
        self.say(f"{said} {self.wording.say('left')}", "usuzumi")
        raise PlayerLeft


def split_line(line: str) -> tuple[str, str]:
    """Split a line into its first word and the rest as typed; a Japanese space separates too."""
    word, *rest = line.split(maxsplit=1) or [""]
    return word, "".join(rest).strip()
