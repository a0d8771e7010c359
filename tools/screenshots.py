"""Look at everything: every page and table, three sizes, both languages, both themes.

python tools/screenshots.py build/screenshots
"""

import argparse
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.browse import DESK, PHONE, TABLET, Visitor, browser
from tests.server.house import House, house

SIZES = {"phone": PHONE, "tablet": TABLET, "desk": DESK}
PAGES = {
    "lobby": "/", "new": "/new?game=kingdoms", "rules": "/rules/kamiza-second",
    "leaderboard": "/leaderboard", "history": "/history", "settings": "/settings",
    "card-sets": "/card-sets", "verify": "/verify",
}  # fmt: skip
TABLES = {
    "red-town": ("red-town", 4, (0, 2, 9)),
    "red-town-two": ("red-town", 2, (0, 4)),
    "kamiza-second": ("kamiza-second", 4, (0, 4)),
    "kamiza-2014": ("kamiza-2014", 3, (4,)),
    "kingdoms": ("kingdoms", 2, (0, 3, 6)),
}
"""Game, seats, and after how many moves more."""
HOUSE = ("--bots", "1", "--bot-pace", "0", "--requests", "100000", "--quiet")


def take(home: House, window: Browser, folder: Path, language: str, size: str, theme: str) -> None:
    visitor = Visitor(home, window, "Aki", SIZES[size], language, theme=theme)
    visitor.come()
    last = f"{size}-{language}-{theme}.png"
    for name, path in PAGES.items():
        visitor.visit(path)
        visitor.page.wait_for_load_state("networkidle")
        visitor.page.screenshot(path=folder / f"{name}-{last}", full_page=size != "desk")
    for name, (game, seats, moves) in TABLES.items():
        table = visitor.open_table(game, seats)
        for number, count in enumerate(moves):
            visitor.play_on(table, count)
            visitor.visit(f"/table/{table}")
            visitor.page.wait_for_load_state("networkidle")
            visitor.page.wait_for_timeout(400)
            visitor.page.screenshot(path=folder / f"{name}-{number}-{last}")
    visitor.leave()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    parser.add_argument("--languages", nargs="*", choices=["en", "ja"], default=["en", "ja"])
    parser.add_argument("--themes", nargs="*", choices=["dark", "light"], default=["dark"])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    ways = product(chosen.languages, chosen.sizes, chosen.themes)
    with (
        tempfile.TemporaryDirectory() as data,
        house(Path(data), *HOUSE) as home,
        browser() as window,
    ):
        for language, size, theme in ways:
            take(home, window, chosen.folder, language, size, theme)
    print(f"{len(list(chosen.folder.glob('*.png')))} pictures in {chosen.folder}")


if __name__ == "__main__":
    main()
