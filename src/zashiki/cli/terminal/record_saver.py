"""Saving the record of a match to a file that the person names."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from zashiki.cli.files import check_new, write_text
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import TerminalWording
from zashiki.core.match import Match
from zashiki.core.rulings import Malformed


class RecordSaver:
    """Asks where to save a record, saves it, and says so."""

    def __init__(self, console: Console, wording: TerminalWording, match: Match) -> None:
        self.console = console
        self.wording = wording
        self.match = match

    def ask_and_save(self) -> Path | None:
        """Ask for a new file until the record is saved. Return None if the person wants none."""
        path = None
        while path is None:
            typed = input(f"{self.wording.say('save')} ").strip()
            if not typed:
                break
            path = self.try_to_save(Path(typed), is_new=True)
        return path

    def try_to_save(self, path: Path, is_new: bool = False) -> Path | None:
        """Save the record, or print why that failed and return None."""
        try:
            if is_new:
                check_new(path)
            write_text(path, self.match.record())
        except Malformed as fault:
            self.console.print(Text(printable(str(fault)), style="shu"))
            return None
        return path

    def summary(self, path: Path | None) -> str:
        """Say where the record was saved, or that it was not."""
        if path is None:
            return self.wording.say("not_saved")
        return self.wording.say("saved", path=printable(str(path)))
