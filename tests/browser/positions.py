"""A server whose next table begins in a position that a test gives it."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.server.server_process import ServerProcess
from zashiki.cli import main
from zashiki.server.protocol import rest
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import opening
from zashiki.server.tables.live import LiveTable
from zashiki.server.tables.registry import TableRegistry

POSITION = "position.json"
"""The file in the server's folder. The server removes it when a table takes it."""
RUN = "from tests.browser.positions import serve; serve()"


@contextmanager
def position_server(folder: Path, *options: str) -> Iterator[ServerProcess]:
    """Start a server that understands `give_position`."""
    made = ServerProcess(folder, *options)
    made.run = RUN
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.kill()


def give_position(server: ServerProcess, truth: Mapping[str, object]) -> None:
    """Let the next table of this server begin in a position, as `Match.truth` returns it."""
    (server.folder / POSITION).write_text(json.dumps(truth), "utf-8")


def serve() -> None:
    """Run `zashiki` with the arguments of this process."""
    usual = opening.open_table
    path = Path(sys.argv[sys.argv.index("--data") + 1]) / POSITION

    async def open_table(
        registry: TableRegistry,
        host: PlayerRow,
        wanted: rest.NewTable,
        address: str | None = None,
        scene: Mapping[str, object] | None = None,
    ) -> LiveTable:
        if path.exists():
            scene = json.loads(path.read_text("utf-8"))
            path.unlink()
        return await usual(registry, host, wanted, address, scene)

    opening.open_table = open_table
    sys.exit(main())
