"""Record the moving picture of the README: a round of KAMIZA in the real client.

python -m tools.record_demo [docs/pictures/kamiza-reveal.webp]

A person plays a match against three bots. The first round in which a Hitman shoots a Boss is kept;
if there is none, the round with the longest reveal.
"""

import argparse
import tempfile
from base64 import b64decode
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, CDPSession

from tests.browser.browse import ROOT, Visitor, browser
from tests.server.server_process import ServerProcess, server_process

FILE = ROOT / "docs" / "pictures" / "kamiza-reveal.webp"
MAX_BYTES = 1_500_000
SIZE = (1120, 700)
WIDTH = 800
GAME = (("boss", "top"), ("hitman", "top"), ("underboss", "bottom"))
GAMES = 3
FRAME_MS = 80
"""The shortest time that a frame is shown; frames that follow sooner are left out."""
LAST_FRAME_MS = 1500
SERVER_OPTIONS = ("--bots", "1", "--bot-pace", "0.6", "--requests", "100000", "--quiet")
READY = "() => window.zashiki?.legal.length > 0 && !window.zashiki.busy"
TELLING = "() => document.querySelector('.anywhere') !== null"
SHOT = "from => window.zashiki.log.slice(from).some((entry) => entry.fact === 'boss_shot')"
TOLD = "() => document.querySelector('.anywhere') === null"


@dataclass
class Round:
    """The frames of a round, each with its second, and what its reveal was like."""

    frames: list[tuple[float, bytes]] = field(default_factory=list)
    seconds: float = 0.0
    """The length of the reveal."""
    has_shot: bool = False


class Recorder(Visitor):
    """A player whose window is recorded."""

    def __init__(self, server: ServerProcess, window: Browser) -> None:
        super().__init__(server, window, "Aki", SIZE, "en", theme="light", motion="on")
        self.page.emulate_media(reduced_motion="no-preference")
        self.round = Round()
        self.session: CDPSession = self.context.new_cdp_session(self.page)
        self.session.on("Page.screencastFrame", self.keep)

    def keep(self, frame: dict[str, Any]) -> None:
        self.session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        moment = float(frame["metadata"]["timestamp"])
        self.round.frames.append((moment, b64decode(frame["data"])))

    def record(self, card: str, area: str) -> Round:
        """Place a card and return what is seen until the round has been judged."""
        self.page.wait_for_function(READY)
        self.round = Round()
        said: int = self.page.evaluate("window.zashiki.log.length")
        self.session.send("Page.startScreencast", {"format": "png"})
        self.page.wait_for_timeout(700)
        self.page.locator(f'.hand [data-card="{card}"]').click()
        self.page.wait_for_timeout(500)
        self.page.locator(f'.hand [data-area="{area}"]').click()
        self.page.wait_for_function(TELLING)
        start = self.page.evaluate("Date.now()")
        self.page.wait_for_function(TOLD)
        self.round.seconds = (self.page.evaluate("Date.now()") - start) / 1000
        self.page.wait_for_timeout(1200)
        self.session.send("Page.stopScreencast")
        self.round.has_shot = self.page.evaluate(SHOT, said)
        self.page.wait_for_timeout(1500)  # until the cards are swept away
        return self.round


def best_round(aki: Recorder) -> Round:
    rounds = []
    for card, area in GAME * GAMES:
        rounds.append(aki.record(card, area))
        if rounds[-1].has_shot:
            return rounds[-1]
    return max(rounds, key=lambda one: one.seconds)


def thinned(frames: list[tuple[float, bytes]]) -> list[tuple[float, bytes]]:
    """Leave out frames that are shown for less than FRAME_MS, and equal ones; keep the last."""
    kept = frames[:1]
    for moment, picture in frames[1:]:
        if (moment - kept[-1][0]) * 1000 >= FRAME_MS and picture != kept[-1][1]:
            kept.append((moment, picture))
    return kept if kept[-1][1] == frames[-1][1] else [*kept, frames[-1]]


def write(frames: list[tuple[float, bytes]], file: Path) -> None:
    """Write frames as an animated WebP that repeats for ever."""
    height = WIDTH * SIZE[1] // SIZE[0]
    pictures = [
        Image.open(BytesIO(picture))
        .convert("RGB")
        .resize((WIDTH, height), Image.Resampling.LANCZOS)
        for _, picture in frames
    ]
    moments = [moment for moment, _ in frames]
    shown = [round((b - a) * 1000) for a, b in pairwise(moments)]
    pictures[0].save(
        file, save_all=True, append_images=pictures[1:], duration=[*shown, LAST_FRAME_MS],
        loop=0, quality=70, method=6, minimize_size=False,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Record the moving picture of the README.")
    parser.add_argument("file", type=Path, nargs="?", default=FILE, help="where to write it")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as data,
        server_process(Path(data), *SERVER_OPTIONS) as server,
        browser() as window,
    ):
        aki = Recorder(server, window)
        aki.come()
        aki.visit(f"/table/{aki.open_table('kamiza-second', 4)}")
        frames = thinned(best_round(aki).frames)
        aki.leave()
    write(frames, chosen.file)
    size = chosen.file.stat().st_size
    seconds = frames[-1][0] - frames[0][0]
    print(f"{chosen.file}: {len(frames)} frames, {seconds:.1f} s, {size / 1000:.0f} kB")
    if size > MAX_BYTES:
        raise SystemExit(f"expected at most {MAX_BYTES} bytes, found {size}: record again")


if __name__ == "__main__":
    main()
