"""Make the pictures of games that link previews show: `python -m tools.previews`, after a change.

They are the lobby's pictures as a browser draws them: 600 by 630 pixels, with few colours.
"""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

import zashiki
from tests.browser import browse
from tests.server.server_process import server_process

FOLDER = Path(__file__).parents[1] / "web" / "public" / "games"
WIDTH, HEIGHT = 600, 630
COLOURS = 64
SETTLED = 400
"""Milliseconds until the picture's opening animation has ended."""
PLAIN = "goofspiel"
"""The game without its own picture: it uses the site's."""
FILL = """
(element) => {
  const { style } = element;
  Object.assign(style, {
    position: "fixed", inset: "0", width: "100vw", height: "100vh", maxWidth: "none",
    aspectRatio: "auto", margin: "0", borderRadius: "0", zIndex: "99",
  });
}
"""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        server_process(Path(data), "--bots", "0", "--quiet") as server,
        browse.browser() as browser,
    ):
        for game, spec in zashiki.games().items():
            host = browse.Visitor(server, browser, "Host", (WIDTH, HEIGHT))
            host.come()
            asked = {"game": game, "seats": spec.seats[0]}
            chairs = [{"kind": "open"}] * spec.seats[0]
            table = host.post("/api/tables", {**asked, "chairs": chairs})["table"]["id"]
            host.visit(f"/table/{table}")
            host.settle()
            save(host.page, "zashiki" if game == PLAIN else game)
            host.leave()


def save(page: Page, name: str) -> None:
    picture = page.locator(".picture").first
    picture.evaluate(FILL)
    page.wait_for_timeout(SETTLED)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
