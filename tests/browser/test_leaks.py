"""A page holds nothing that its seat may not know.

Two worlds that differ only in what a seat cannot know are played before its page. The data it
received, the data it stores and everything it shows are the same in both, at every step. The public
part of the received data is, to the byte, what every other seat received in either world. The
worlds are pairs of tests/server/match_pairs.py, and the commitment is one constant. Two things on
display are normalised: the address of the server, and the ids that the page invents for its
elements, which count animations.
"""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, async_playwright

from tests.browser.browse import FLAGS, PHONE, chromium
from tests.server.guests import Guest, agree
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.match_pairs import (
    MatchPair,
    Script,
    as_seen_by_mover,
    pair_by_choice,
    pair_by_deal,
)
from tests.server.test_noninterference import World, opened, publics
from zashiki.core import record

LONG = pytest.mark.long
MADE_ID = re.compile(r"\bc\d+\b")
STEPS = 12
"""The number of steps compared, at the end of a script."""
LONGEST_TIMER = 5_000
"""The longest delay, in milliseconds, after which a page changes its display by itself."""
MOST_LOOKS = 10
STILL = """
async () => {
  const frame = () => new Promise((drawn) => {
    new ResizeObserver((_, observer) => drawn(observer.disconnect())).observe(document.body);
  });
  do await frame(); while (document.getAnimations().length > 0);
}
"""
"""Wait for a frame, and for more until each animation has ended and its end has been handled.

An animation whose time is over is still listed until the page has handled its end, which it does
as the next frame is drawn. A ResizeObserver sees real frames: the installed clock replaces
`requestAnimationFrame`.
"""
KEPT = """() => JSON.stringify(Object.fromEntries(
  ["table", "seat", "view", "legal", "toAct", "asked", "over", "outcome", "news", "log", "chat"]
    .map((name) => [name, window.zashiki[name]])))"""


@pytest.fixture(autouse=True)
def _one_commitment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "commit", lambda *_: "c" * 64)


@pytest.mark.parametrize(
    ("game", "seats", "is_deal"),
    [
        ("kamiza-second", 3, False),
        pytest.param("red-town", 3, True, marks=LONG),
        pytest.param("kamiza-2014", 4, False, marks=LONG),
        pytest.param("kingdoms", 2, True, marks=LONG),
        pytest.param("kingdoms", 2, False, marks=LONG),
    ],
)
def test_a_page_knows_what_its_seat_knows(
    tmp_path: Path, game: str, seats: int, is_deal: bool
) -> None:
    pair = pair_by_deal(game, seats, 0) if is_deal else pair_by_choice(game, seats, 0)
    assert pair is not None
    compare(tmp_path, pair)


@LONG
def test_the_comparison_would_notice(tmp_path: Path) -> None:
    """The page of the seat that makes the choice shows it."""
    pair = pair_by_choice("kamiza-second", 3, 0)
    assert pair is not None
    with pytest.raises(AssertionError, match="differ"):
        compare(tmp_path, as_seen_by_mover(pair))


def compare(folder: Path, pair: MatchPair) -> None:
    worlds = zip(pair.seeds, pair.scripts, strict=True)
    # In a separate thread, because the browser of the other tests has a loop in this one.
    with ThreadPoolExecutor(max_workers=1) as pool:
        one, other = [
            pool.submit(live, folder / str(number), pair, *world).result()
            for number, world in enumerate(worlds)
        ]
    for step, (left, right) in enumerate(zip(one, other, strict=True)):
        for what in left:
            assert left[what] == right[what], f"step {step}: {what} differs"
    assert len(one) > 2


def live(folder: Path, pair: MatchPair, seed: bytes, script: Script) -> list[dict[str, str]]:
    return asyncio.run(lived(folder, pair, seed, script))


async def lived(folder: Path, pair: MatchPair, seed: bytes, script: Script) -> list[dict[str, str]]:
    """The state of the reader's page at each step."""
    assert isinstance(pair.reader, int)
    source = World(seed)
    async with (
        in_process_server(folder, source) as server,
        async_playwright() as driver,
        asyncio.timeout(300),
    ):
        guests = [await Guest(server, f"Guest {seat}").come() for seat in range(pair.seats)]
        wanted = {"game": pair.game, "seats": pair.seats}
        table = (await guests[0].post("/api/tables", wanted))["table"]["id"]
        for seat, guest in enumerate(guests[1:], 1):
            await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
        source.is_dealing = True
        await guests[0].post(f"/api/tables/{table}/start")
        source.is_dealing = False
        window = await driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            return await watched(server, window, table, guests, pair.reader, script)
        finally:
            await window.close()
            for guest in guests:
                await guest.client.aclose()


async def watched(
    server: InProcessServer,
    window: Any,
    table: str,
    guests: list[Guest],
    reader: int,
    script: Script,
) -> list[dict[str, str]]:
    context = await window.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, reduced_motion="reduce"
    )
    cookies = [
        {"name": one.name, "value": str(one.value), "url": server.url}
        for one in guests[reader].client.cookies.jar
    ]
    await context.add_cookies(cookies)
    # A hint is not part of a match, and the script makes every decision itself.
    await context.add_init_script(
        "localStorage.setItem('zashiki.settings', JSON.stringify({hints: false, asksAlways: true}))"
    )
    page: Page = await context.new_page()
    await page.clock.install()
    frames: list[str] = []

    def heard(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    talks = [await opened(server, table, guest, language="en", version=2) for guest in guests]
    await agree(talks)
    page.on("websocket", heard)
    await page.goto(f"{server.url}/table/{table}")
    await look(page, guests[reader], table, frames)
    seen = []
    taken = [0] * len(guests)
    for number, (seat, action) in enumerate(script):
        if number >= len(script) - STEPS:
            seen.append(await look(page, guests[reader], table, frames))
        taken[seat] += 1
        play = {"do": "play", "decision": taken[seat], "action": action}
        assert (await talks[seat].answered(f"k{number}", **play))["ok"]
    seen.append(await look(page, guests[reader], table, frames))
    shared = publics(frame.encode() for frame in frames)
    for talk in talks:
        await talk.answered("all heard", do="why_not", action="nothing like an action")
        await talk.connection.close()
        assert publics(frame.encode() for frame in talk.heard) == shared, "a public part differs"
    seen.append({"what everybody received": b"\n".join(shared).decode()})
    return seen


async def look(page: Page, guest: Guest, table: str, frames: list[str]) -> dict[str, str]:
    """Once everything told to the seat is shown: the data received, stored and visible."""
    record_text = (await guest.client.get(f"/api/tables/{table}/record")).text
    facts = sum("fact" in json.loads(line) for line in record_text.splitlines())
    await page.wait_for_function("count => window.zashiki?.log.length === count", arg=facts)
    shown = await settled(page)
    return {
        "what it received": "\n".join(frames),
        "what it keeps": await page.evaluate(KEPT),
        "what it shows": MADE_ID.sub("id", shown.replace(guest.server.url, "")),
    }


async def settled(page: Page) -> str:
    """Return the display when the timers have run out and nothing moves any more.

    A finished animation may set a timer. The page has settled when its display is unchanged after
    its timers have run out once more and another frame was drawn.
    """
    before = ""
    for _ in range(MOST_LOOKS):
        await page.clock.run_for(LONGEST_TIMER)
        await page.evaluate(STILL)
        shown = await page.content()
        if shown == before:
            return shown
        before = shown
    raise AssertionError(f"the page still changes after {MOST_LOOKS} looks")
