"""The verify page in the browser of a player: green for an honest server only.

The server runs in the process of the test, which lets it cheat. The page of seat 0 takes part in
the deal by itself; the other two seats are sockets, and the match is played at random.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from playwright.async_api import Page, async_playwright, expect

from tests.browser.browse import FLAGS, PATIENCE, PHONE, chromium
from tests.commands import run_cli
from tests.server import asgi_server
from tests.server.guests import Guest, Talk, agree
from tests.server.in_process_server import InProcessServer, in_process_server
from tests.server.waits import until
from zashiki.core.match import start
from zashiki.server.tables import dealing, match
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.match import LiveMatch

GAME = {"game": "red-town", "seats": 3, "options": {"form": "short"}}
FAIR, WRONG = "Fair: nobody chose the cards", "Something doesn’t match"
Made = tuple[LiveMatch, list[Any]]


def deal_without_the_first(*given: Any) -> Made:
    """Leave out the nonce of seat 0, which was acknowledged."""
    spec, seats, options, seed, salt, names, nonces, hashes, *_ = given
    left, named = ["", *nonces[1:]], ["", *hashes[1:]]
    return match.create_match(spec, seats, options, seed, salt, names, left, named)


def deal_other_cards(*given: Any) -> Made:
    """Deal from another seed than the committed one, and claim the committed one."""
    spec, seats, options, seed, salt, names, nonces, hashes, *_ = given
    honest, _ = match.create_match(*given)
    live, facts = match.create_match(spec, seats, options, bytes(32), salt, names, nonces, hashes)
    live.match.header, live.match.seed = honest.match.header, seed
    return live, facts


def arrange_the_cards(*given: Any) -> Made:
    """Set up a deal that was chosen, in place of one that is drawn, and say so in the record."""
    spec, seats, options, seed, salt, names, nonces, hashes, *_ = given
    chosen = start(spec, seats, options, 5).truth()
    return match.create_match(spec, seats, options, seed, salt, names, nonces, hashes, chosen)


def show_another(table: LiveTable) -> None:
    """Commit again, after the first commitment was shown."""
    assert table.doc.dealing is not None
    again = msgspec.structs.replace(table.doc.dealing, seed="00" * 32, hashes={})
    table.show_answers(msgspec.structs.replace(table.doc, dealing=again))


@asynccontextmanager
async def verify_page(
    folder: Path,
    deals: Callable[..., Made] = match.create_match,
    between: Callable[[LiveTable], None] | None = None,
) -> AsyncIterator[Page]:
    """The verify page of seat 0 after a whole match at a server that deals like this."""
    async with (
        in_process_server(folder) as server,
        async_playwright() as driver,
        asyncio.timeout(300),
    ):
        guests = [await Guest(server, name).come() for name in ("Aki", "Ben", "Chie")]
        window = await driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            page = await page_of(server, window, guests[0])
            id = await played(server, page, guests, deals, between)
            await page.goto(f"{server.url}/verify?match={id}")
            await page.locator(".overall.ok, .overall.failed, .overall.open").wait_for()
            yield page
        finally:
            await window.close()
            for guest in guests:
                await guest.client.aclose()


async def page_of(server: InProcessServer, window: Any, guest: Guest) -> Page:
    context = await window.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, reduced_motion="reduce", locale="en-GB"
    )
    cookies = guest.client.cookies.jar
    await context.add_cookies(
        [{"name": one.name, "value": str(one.value), "url": server.url} for one in cookies]
    )
    context.set_default_timeout(PATIENCE)
    page: Page = await context.new_page()
    return page


async def played(
    server: InProcessServer,
    page: Page,
    guests: list[Guest],
    deals: Callable[..., Made],
    between: Callable[[LiveTable], None] | None,
) -> str:
    """The id of a match that the page has seen from the deal to the end, with a reload in it."""
    id = (await guests[0].post("/api/tables", GAME))["table"]["id"]
    for seat in (1, 2):
        await guests[seat].post(f"/api/tables/{id}/sit", {"seat": seat})
    table = await server.services.registry.find(id)
    await page.goto(f"{server.url}/table/{id}")
    await until(lambda: table.is_here(guests[0].id))
    await guests[0].post(f"/api/tables/{id}/start")
    await until(lambda: table.doc.dealing is not None and "0" in table.doc.dealing.hashes)
    if between is not None:
        between(table)
        await until(lambda: table.doc.dealing is not None and "0" in table.doc.dealing.hashes)
    async with guests[1].socket(id) as one, guests[2].socket(id) as two:
        with patch.object(dealing, "create_match", deals):
            await agree([await welcomed(one), await welcomed(two)])
            await until(lambda: table.live is not None)
        await page.reload()
        await until(lambda: table.is_here(guests[0].id))
        made = await asgi_server.play(server, id)  # type: ignore[arg-type]
        await until(lambda: page.evaluate("() => window.zashiki.over"))
    return made


async def welcomed(talk: Talk) -> Talk:
    await talk.until("welcome")
    return talk


async def expect_the_command_to_agree(page: Page, folder: Path, title: str) -> None:
    """Check that `zashiki verify --witness` agrees on the two files that the page offers."""
    files: list[Path] = []
    for name in ("Download the record", "Download what this browser kept"):
        async with page.expect_download() as download:
            await page.get_by_role("link", name=name).click()
        files.append(folder / f"file-{len(files)}")
        await (await download.value).save_as(files[-1])
    done = run_cli("verify", str(files[0]), "--witness", str(files[1]))
    assert done.returncode == (0 if title == FAIR else 1), done.stdout
    assert ("failed" in done.stdout) == (title == WRONG)
    assert title == WRONG or "not judged" not in done.stdout


CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("honest", {}, FAIR, "not even the server could choose the cards"),
    ("dropped", {"deals": deal_without_the_first}, WRONG, "Your nonce was dropped"),
    ("second", {"between": show_another}, WRONG, "More than one commitment was shown"),
    (
        "forged",
        {"deals": deal_other_cards},
        WRONG,
        "the cards do not follow from the seed and the nonces",
    ),
    ("chosen", {"deals": arrange_the_cards}, WRONG, "begins in a position that was set up"),
]


@pytest.mark.parametrize(
    ("how", "title", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_the_page_is_green_for_an_honest_server_only(
    tmp_path: Path, how: dict[str, Any], title: str, reason: str
) -> None:
    async def look() -> None:
        async with verify_page(tmp_path, **how) as page:
            shown = page.locator(".overall")
            await expect(shown).to_contain_text(title, timeout=PATIENCE)
            await expect(shown).to_contain_text(reason)
            await expect(page.locator(".limits li")).to_have_count(5)
            claims = await page.locator("body").inner_text()
            assert ("not even the server" in claims) == (title == FAIR)
            await expect_the_command_to_agree(page, tmp_path, title)

    # In a separate thread, because the browser of the other tests has a loop in this one.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, look()).result()
