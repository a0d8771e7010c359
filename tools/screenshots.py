"""Photograph every page and table in three sizes, both languages and both themes.

python -m tools.screenshots build/screenshots
python -m tools.screenshots --docs    # the pictures in docs/pictures
"""

import argparse
import tempfile
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, ROOT, TABLET, Visitor, browser
from tests.server.server_process import ServerProcess, server_process

SIZES = {"phone": PHONE, "tablet": TABLET, "desk": DESK}
PAGES = {
    "lobby": "/", "new": "/new?game=kingdoms", "all-rules": "/rules",
    "rules": "/rules/kamiza-second", "settings": "/settings", "card-sets": "/card-sets",
    "card-set": "/card-sets/reconstructed", "card-set-edit": "/card-sets/reconstructed?edit=copy",
    "verify": "/verify", "nowhere": "/nowhere",
}  # fmt: skip
TABLES = {
    "red-town": ("red-town", 4, (0, 2, 9)),
    "red-town-two": ("red-town", 2, (0, 4)),
    "kamiza-second": ("kamiza-second", 4, (0, 4)),
    "kamiza-2014": ("kamiza-2014", 3, (4,)),
    "kingdoms": ("kingdoms", 2, (0, 3, 6)),
    "goofspiel": ("goofspiel", 3, (2,)),
}
"""Tables by name: game, seats, and the numbers of moves between pictures."""
DOCS = ROOT / "docs" / "pictures"
DOCS_TABLES = {
    "red-town": ("red-town", 4, 11, "desk"),
    "kamiza": ("kamiza-second", 4, 4, "desk"),
    "red-town-phone": ("red-town", 4, 9, "phone"),
    "kingdoms-phone": ("kingdoms", 2, 6, "phone"),
}
"""The tables in docs/pictures: game, seats, moves, and size of the window."""
LONGER_THAN_ANY_MATCH = 10_000
SERVER_OPTIONS = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")


class Photographer(Visitor):
    """Opens pages in a browser and saves their pictures."""

    def __init__(
        self,
        server: ServerProcess,
        window: Browser,
        folder: Path,
        language: str,
        size: str,
        theme: str,
    ) -> None:
        super().__init__(server, window, "Aki", SIZES[size], language, theme=theme)
        self.folder = folder
        self.last = f"{size}-{language}-{theme}.png"
        self.is_whole = size != "desk"

    def take(self, name: str, path: str, *, is_whole: bool) -> None:
        self.visit(path)
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=self.folder / f"{name}-{self.last}", full_page=is_whole)

    def take_as(self, file: Path, path: str) -> None:
        """Take a small picture of what a window of this size shows."""
        self.visit(path)
        self.settle()
        self.page.screenshot(path=file)
        shrink(file)

    def take_pages(self) -> None:
        self.take("name", "/new", is_whole=False)
        self.come()
        for name, path in PAGES.items():
            self.take(name, path, is_whole=self.is_whole)
        room = self.post("/api/tables", {"game": "red-town", "seats": 4})["table"]["id"]
        self.take("room", f"/table/{room}", is_whole=self.is_whole)

    def take_tables(self) -> None:
        for name, (game, seats, moves) in TABLES.items():
            table = self.open_table(game, seats)
            for number, count in enumerate(moves):
                self.play_on(table, count)
                self.take(f"{name}-{number}", f"/table/{table}", is_whole=False)

    def take_what_was_played(self) -> None:
        table = self.open_table("kamiza-second", 3)
        self.play_on(table, LONGER_THAN_ANY_MATCH)
        self.take("end", f"/table/{table}", is_whole=False)
        answer = self.get(f"/api/players/{self.id}/matches")
        match = answer.json()["matches"][0]["id"]
        self.take("replay", f"/replay/{match}?seat=0&step=40", is_whole=False)
        self.take("verified", f"/verify?match={match}", is_whole=self.is_whole)
        self.take("history", "/history", is_whole=self.is_whole)
        self.take("player", f"/player/{self.id}", is_whole=self.is_whole)
        self.take("leaderboard", "/leaderboard?game=kamiza-second&seats=3", is_whole=self.is_whole)


def take_docs(server: ServerProcess, window: Browser) -> None:
    """Take the pictures in docs/pictures, in English and light, with at most 256 colours."""
    for size in ("desk", "phone"):
        visitor = Photographer(server, window, DOCS, "en", size, "light")
        visitor.visit("/")
        visitor.come()
        if size == "desk":
            visitor.take_as(DOCS / "lobby.png", "/")
        for name, (game, seats, moves, table_size) in DOCS_TABLES.items():
            if table_size == size:
                table = visitor.open_table(game, seats)
                visitor.play_on(table, moves)
                visitor.take_as(DOCS / f"{name}.png", f"/table/{table}")
        visitor.leave()


def shrink(file: Path) -> None:
    """Reduce a picture to a palette of 256 colours."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=ROOT / "build" / "screenshots",
        help="folder for the pictures (default: build/screenshots)",
    )  # fmt: skip
    parser.add_argument("--docs", action="store_true", help="take the pictures in docs/pictures")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    parser.add_argument("--languages", nargs="*", choices=["en", "ja"], default=["en", "ja"])
    parser.add_argument("--themes", nargs="*", choices=["dark", "light"], default=["dark"])
    chosen = parser.parse_args()
    if not chosen.docs:
        chosen.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        server_process(Path(data), *SERVER_OPTIONS) as server,
        browser() as window,
    ):
        if chosen.docs:
            take_docs(server, window)
            return
        for language, size, theme in product(chosen.languages, chosen.sizes, chosen.themes):
            visitor = Photographer(server, window, chosen.folder, language, size, theme)
            visitor.take_pages()
            visitor.take_tables()
            visitor.take_what_was_played()
            visitor.leave()
    print(f"{len(list(chosen.folder.glob('*.png')))} pictures in {chosen.folder}")


if __name__ == "__main__":
    main()
