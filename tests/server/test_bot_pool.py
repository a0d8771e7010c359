"""The server's own bot workers switch to compiled modules when these appear."""

import asyncio
from pathlib import Path

from tests.server.guests import Guest
from tests.server.server_process import server_process
from tests.server.test_bots import opened, over, played_by_guest, staffed

SOURCES = Path(__file__).parents[2] / "src" / "zashiki"
MARK = "from pathlib import Path\nPath(__file__).with_name('imported').touch()\n"


def appear(folder: Path) -> None:
    """Create a package of the same sources, which leaves a mark when a process uses it."""
    unfinished = folder.with_name("unfinished")
    unfinished.mkdir()
    (unfinished / "zashiki").symlink_to(SOURCES)
    (unfinished / "sitecustomize.py").write_text(MARK)
    unfinished.rename(folder)


async def test_bots_change_over_while_a_match_is_played(tmp_path: Path) -> None:
    compiled = tmp_path / "compiled"
    options = ("--bots", "1", "--bot-pace", "0", "--compiled", str(compiled))
    with server_process(tmp_path / "data", *options) as server:
        guest = await Guest(server, "Aki").come()
        await staffed(guest)
        table = await opened(guest, "kamiza-second", ["", "greedy", "greedy"])
        await guest.post(f"/api/tables/{table}/start")
        playing = asyncio.create_task(played_by_guest(guest, table))
        appear(compiled)
        while not (compiled / "imported").exists():
            await asyncio.sleep(0.05)
        await playing
        await over(guest, table)
        again = await opened(guest, "kamiza-second", ["", "greedy", "greedy"])
        await guest.post(f"/api/tables/{again}/start")
        await played_by_guest(guest, again)
        await guest.client.aclose()
