"""Start the server for `make play`, and compile the rules beside it if they are not compiled yet.

The server opens at once. Its bot workers change over to the compiled rules when these are ready.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tools.compiled import ROOT, CannotCompile, destination

SERVE = [sys.executable, "-m", "zashiki", "serve", "--open", "--quiet"]
COMPILE = [sys.executable, str(ROOT / "tools" / "compiled.py")]
LOG = ROOT / "build" / "compile.log"
NICE = 15
"""Compiling has a low priority: people play meanwhile."""


def main() -> int:
    """Serve until told to stop. Returns the exit status of the server."""
    try:
        compiled = destination()
    except CannotCompile as reason:
        say(f"Server … rules not compiled, so bots look ahead less far: {reason}")
        return run_server([])
    if compiled.is_dir():
        os.utime(compiled)  # else a later build may remove it as unused
        os.environ["PYTHONPATH"] = str(compiled)
        say("Server … rules compiled")
        return run_server([])
    say("Server … compiling the rules beside it; until then bots look ahead less far")
    with compiling():
        return run_server(["--compiled", str(compiled)])


def say(line: str) -> None:
    """Print the line of the last step, with its number if there is one."""
    steps = os.environ.get("STEPS")
    print(f"{steps}/{steps} {line}" if steps else line, flush=True)


def run_server(options: list[str]) -> int:
    """Run the server. It gets Ctrl-C from the terminal itself, and other signals from here."""
    server = subprocess.Popen([*SERVE, *options, *sys.argv[1:]], cwd=ROOT)
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    while True:
        with suppress(KeyboardInterrupt):
            return server.wait()


@contextmanager
def compiling() -> Iterator[None]:
    """Compile in the background, say when that is done, and stop it with the server."""
    LOG.parent.mkdir(exist_ok=True)
    began = time.monotonic()
    with LOG.open("wb") as log:
        process = subprocess.Popen(
            COMPILE, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
        )
    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    threading.Thread(target=report, args=(process, began), daemon=True).start()
    try:
        yield
    finally:
        with suppress(ProcessLookupError):  # its group: the C compiler is a process of its own
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def report(process: "subprocess.Popen[bytes]", began: float) -> None:
    """Say how compiling ended. A negative status is a signal: the server has stopped."""
    status = process.wait()
    if status == 0:
        seconds = time.monotonic() - began
        print(f"Rules compiled after {seconds:.0f} s. Bots now look ahead as far as they can.")
    elif status > 0:
        print(f"Compiling failed, so bots look ahead less far. {LOG} says why.")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
