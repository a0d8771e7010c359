"""Run `make play`, wait until the server is healthy and has pages, and stop it.

    python tools/release_play.py [--within SECONDS]

It prints the seconds until the lobby was served and until bots had joined. Status 1: the server did
not start in time, or had no pages.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

ADDRESS = "http://127.0.0.1:8620"
WORKERS = re.compile(r"^zashiki_bot_workers [1-9]", re.MULTILINE)
OPENER = build_opener(ProxyHandler({}))


def fetch(path: str) -> bytes | None:
    """Return the server's answer at this path; None while it does not listen."""
    try:
        with OPENER.open(ADDRESS + path, timeout=5) as answer:
            return bytes(answer.read())
    except (URLError, OSError):
        return None


def is_served() -> bool:
    return b"/assets/" in (fetch("/") or b"")


def has_bots() -> bool:
    """Return whether a bot worker has joined. /health cannot tell: it is "ok" before that."""
    return WORKERS.search((fetch("/metrics") or b"").decode()) is not None


def main() -> int:
    arguments = argparse.ArgumentParser(description="Check that make play serves.")
    arguments.add_argument("--within", type=float, default=900, metavar="SECONDS")
    within = arguments.parse_args().within
    if fetch("/health") is not None:
        print(f"release_play.py: something listens on {ADDRESS} already", file=sys.stderr)
        return 1
    began = time.monotonic()
    played = subprocess.Popen(["make", "play"], start_new_session=True)
    waits = {"lobby": is_served, "bots": has_bots}
    try:
        while waits and played.poll() is None and time.monotonic() - began < within:
            for name in [name for name, is_there in waits.items() if is_there()]:
                print(f"make play: {name} after {time.monotonic() - began:.1f} s", flush=True)
                del waits[name]
            time.sleep(0.2)
    finally:
        if played.poll() is None:
            os.killpg(played.pid, signal.SIGTERM)
        played.wait(60)
    if waits:
        print(f"release_play.py: {', '.join(waits)} not there in {within:.0f} s", file=sys.stderr)
    return bool(waits)


if __name__ == "__main__":
    sys.exit(main())
