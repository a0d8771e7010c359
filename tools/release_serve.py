"""Start the installed server, fetch its pages, and play a match against bots to its end.

    python tools/release_serve.py [--json FILE]

It runs in an environment with `zashiki[server]` and needs nothing else. Status 1: something is
wrong, and a line on stderr says which part.
"""

import argparse
import json
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, Request, build_opener

GAME, SEATS = "kamiza-second", 3
PATIENCE = 60.0  # seconds until bots join; a busy machine takes longer than an idle one
LISTENS = "Zashiki listens on "


class Failed(Exception):
    """The installed server failed a check."""


@contextmanager
def served() -> Iterator[str]:
    """Run `zashiki serve` in a new folder and yield its address."""
    program = Path(sysconfig.get_path("scripts"), "zashiki")
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--port", "0", "--bots", "1", "--bot-pace", "0", "--data", folder]
        server = subprocess.Popen([str(program), *words], stdout=subprocess.PIPE, text=True)
        try:
            line = server.stdout.readline() if server.stdout else ""
            if not line.startswith(LISTENS):
                raise Failed(f"expected {LISTENS!r}…, found {line!r}")
            yield line.removeprefix(LISTENS).strip()
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE)


class Visitor:
    """A guest with cookies."""

    def __init__(self, address: str) -> None:
        self.address = address
        cookies = HTTPCookieProcessor(CookieJar())
        self.opener: OpenerDirector = build_opener(cookies, ProxyHandler({}))

    def get(self, path: str) -> bytes:
        with self.opener.open(self.address + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def post(self, path: str, data: object = None) -> dict[str, object]:
        headers = {"X-Zashiki": "1", "Content-Type": "application/json"}
        request = Request(self.address + path, json.dumps(data).encode(), headers)
        with self.opener.open(request, timeout=PATIENCE) as answer:
            read: dict[str, object] = json.loads(answer.read())
        return read


def check_pages(visitor: Visitor) -> int:
    """Return the size in bytes of the page and of all files that it names."""
    page = visitor.get("/").decode()
    assets = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    if not any(asset.startswith("/assets/") for asset in assets):
        raise Failed(f"expected the built client at /, found {page[:200]!r}")
    return len(page) + sum(len(visitor.get(asset)) for asset in assets)


def wait_for_bots(visitor: Visitor) -> dict[str, str]:
    """Wait until a bot worker has joined, and return the answer of /health."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        health: dict[str, str] = json.loads(visitor.get("/health"))
        if health["bots"] == "ok":
            return health
        time.sleep(0.1)
    raise Failed(f"expected a worker for bots within {PATIENCE:.0f} s, found none")


def table_with_bots(visitor: Visitor) -> str:
    """Open a table, sit down at it and start the match; return the address of its socket."""
    visitor.post("/api/guest", {"name": "Release"})
    bots = [{"kind": "bot", "bot": "greedy"}] * (SEATS - 1)
    new = {"game": GAME, "seats": SEATS, "chairs": [{"kind": "open"}, *bots]}
    opened = visitor.post("/api/tables", new)
    assert isinstance(opened["table"], dict)
    table = opened["table"]["id"]
    if opened["table"]["seats"][0]["kind"] == "open":
        visitor.post(f"/api/tables/{table}/sit", {"seat": 0})
    visitor.post(f"/api/tables/{table}/start")
    ticket = visitor.post(f"/api/tables/{table}/ticket")["ticket"]
    return f"{visitor.address.replace('http', 'ws', 1)}/api/tables/{table}/socket?ticket={ticket}"


def play(address: str) -> int:
    """Take the first legal action until the match is over; return the number of decisions."""
    from websockets.sync.client import connect

    decided: set[int] = set()
    with connect(address, proxy=None) as socket:
        socket.send(json.dumps({"do": "hello", "version": 2}))
        socket.send(json.dumps({"do": "ready", "key": "ready"}))
        while True:
            frame = json.loads(socket.recv(PATIENCE))
            if frame["is"] == "bye" or (frame["is"] == "answer" and not frame["ok"]):
                raise Failed(f"expected to play, found {frame}")
            if frame["is"] != "told":
                continue
            if frame["public"]["over"]:
                return len(decided)
            if (number := frame["own"]["decision"]) is not None and number not in decided:
                decided.add(number)
                wish = {"do": "play", "key": f"{number}", "decision": number}
                socket.send(json.dumps({**wish, "action": frame["own"]["legal"][0]}))


def main() -> int:
    arguments = argparse.ArgumentParser(description="Check the installed server.")
    arguments.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    given = arguments.parse_args()
    began = time.monotonic()
    try:
        with served() as address:
            figures: dict[str, object] = {"seconds_to_listen": round(time.monotonic() - began, 2)}
            visitor = Visitor(address)
            figures["bytes_of_pages"] = check_pages(visitor)
            figures["health"] = wait_for_bots(visitor)
            figures["seconds_to_bots"] = round(time.monotonic() - began, 2)
            figures["decisions"] = play(table_with_bots(visitor))
    except (Failed, OSError) as fault:
        print(f"release_serve.py: {fault}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
