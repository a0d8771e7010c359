"""Start the server for `make play`, and compile the rules meanwhile if they are not compiled yet.

The server opens at once. Its bot workers switch to the compiled rules when these are ready.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.compiled import ROOT, CannotCompile, destination

SERVE = [sys.executable, "-m", "zashiki", "serve", "--open", "--quiet"]
COMPILE = [sys.executable, str(ROOT / "tools" / "compiled.py")]
LOG = ROOT / "build" / "compile.log"
NICE = 15
"""Compiling has a low priority: people play meanwhile."""
TOUCH_SECONDS = 600


def main() -> int:
    """Serve until stopped. Return the exit status of the server."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        compiled = destination()
    except CannotCompile as reason:
        say(f"Server … rules not compiled, so bots look ahead less far: {reason}")
        return run_server([])
    threading.Thread(target=keep, args=(compiled,), daemon=True).start()
    if compiled.is_dir():
        os.environ["PYTHONPATH"] = str(compiled)
        say("Server … rules compiled")
        return run_server([])
    say("Server … compiling the rules beside it; until then bots look ahead less far")
    with compiling():
        return run_server(["--compiled", str(compiled)])


def stop(number: int, _: object) -> None:
    """Exit as after Ctrl-C, so that the started processes are ended."""
    raise KeyboardInterrupt(number)


def keep(compiled: Path) -> None:
    """Touch the build while it is in use. A build unused for an hour may be removed."""
    while True:
        with suppress(OSError):  # not built yet, or owned by another user
            os.utime(compiled)
        time.sleep(TOUCH_SECONDS)


def say(line: str) -> None:
    """Print the line of the last step, with its number if there is one."""
    steps = os.environ.get("STEPS")
    print(f"{steps}/{steps} {line}" if steps else line, flush=True)


def run_server(options: list[str]) -> int:
    """Run the server. It gets Ctrl-C from the terminal, and other signals from this process."""
    server = subprocess.Popen([*SERVE, *options, *sys.argv[1:]], cwd=ROOT)
    while True:
        try:
            return server.wait()
        except KeyboardInterrupt as interrupt:
            if interrupt.args:
                server.terminate()


@contextmanager
def compiling() -> Iterator[None]:
    """Compile in the background, report the end, and stop compiling with the server."""
    stopping = threading.Event()
    try:
        LOG.parent.mkdir(exist_ok=True)
        with LOG.open("wb") as log:
            process = subprocess.Popen(
                COMPILE, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
    except OSError as fault:
        print(f"The rules cannot be compiled here: {fault}", flush=True)
        yield
        return
    try:
        threading.Thread(target=report, args=(process, stopping), daemon=True).start()
        with suppress(OSError):  # this process may already have a lower priority
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        yield
    finally:
        stopping.set()
        if process.poll() is None:
            with suppress(
                ProcessLookupError
            ):  # the whole group: the C compiler is a separate process
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def report(process: "subprocess.Popen[bytes]", stopping: threading.Event) -> None:
    """Report how compiling ended, unless the server's end stopped it."""
    began = time.monotonic()
    status = process.wait()
    if status == 0:
        seconds = time.monotonic() - began
        print(f"Rules compiled after {seconds:.0f} s. Bots now look ahead as far as they can.")
    elif not stopping.is_set():
        print(f"Compiling failed, so bots look ahead less far. {LOG} says why.")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
