"""Loading times of the lobby on a slow phone: first paint, first usable button, last glyph.

    python -m benchmarks.bench_first_page
    python -m benchmarks.bench_first_page --tree before=../old --tree after=. --rounds 5

Each tree has its own `.venv` and built client. Rounds alternate between the trees and languages,
so that a busy machine slows all of them down. The network and the processor are those of the
goals: 1.6 Mb/s, 562 ms per round trip, four times slower.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, ViewportSize

from tests.browser.browse import browser

PHONE: ViewportSize = {"width": 390, "height": 844}
BYTES_PER_SECOND = 1_600_000 / 8
ROUND_TRIP_MS = 562
SLOWER = 4
QUIET_MS = 2500
"""Milliseconds without a request after which a page counts as loaded."""
GOALS = {"en": {"usable": 3.0, "glyph": 6.0}, "ja": {"usable": 3.5, "glyph": 6.0}}
"""Seconds, per language."""
COLUMNS = ("fcp", "lcp", "usable", "glyph", "shift", "kb", "requests")
WATCH = """
window.seen = { usable: 0, lcp: 0, shift: 0 };
const look = () => {
  const act = document.querySelector("main button.act:not(:disabled)");
  const box = act?.getBoundingClientRect();
  const hit = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (hit && act.contains(hit)) seen.usable = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) seen.lcp = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) seen.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
READ = """
() => {
  const fonts = performance.getEntriesByType("resource").filter((one) => /woff2?$/.test(one.name));
  const [painted] = performance.getEntriesByName("first-contentful-paint");
  const glyph = Math.max(0, ...fonts.map((one) => one.responseEnd));
  return { ...seen, fcp: painted.startTime, glyph };
}
"""


class Tree(NamedTuple):
    name: str
    folder: Path


@contextmanager
def server(tree: Tree) -> Iterator[str]:
    """Start a server of this tree on a new folder, and yield its address."""
    with tempfile.TemporaryDirectory() as data:
        program = str(tree.folder / ".venv/bin/zashiki")
        command = [program, "serve", "--data", data, "--port", "0"]
        process = subprocess.Popen(
            [*command, "--bots", "0", "--quiet", "--requests", "100000"],
            cwd=tree.folder, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            if not line.startswith("Zashiki listens on "):
                raise SystemExit(f"{tree.name}: expected the server's address, found {line!r}")
            yield line.removeprefix("Zashiki listens on ").strip()
        finally:
            process.terminate()
            process.wait(30)
            process.stdout.close()


def slow(session: CDPSession) -> None:
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": ROUND_TRIP_MS,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND / 2,
        },
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def measured(started: Browser, address: str, language: str) -> dict[str, float]:
    """Make one visit with an empty cache, and return its figures."""
    context = started.new_context(
        viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True,
        locale=language, service_workers="block",
    )  # fmt: skip
    page = context.new_page()
    session = context.new_cdp_session(page)
    sizes: list[float] = []
    last = 0.0

    def loaded(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    session.on("Network.loadingFinished", loaded)
    slow(session)
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    page.wait_for_function("() => seen.usable > 0")
    while len(sizes) > last:
        last = len(sizes)
        page.wait_for_timeout(QUIET_MS)
    found: dict[str, float] = page.evaluate(READ)
    context.close()
    times = {name: found[name] / 1000 for name in ("fcp", "lcp", "usable", "glyph")}
    return {**times, "shift": found["shift"], "kb": sum(sizes) / 1000, "requests": len(sizes)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tree", action="append", metavar="NAME=FOLDER", default=[])
    parser.add_argument("--rounds", type=int, default=3, help="visits per tree and language")
    arguments = parser.parse_args()
    here = f"here={Path(__file__).parents[1]}"
    named = [one.partition("=") for one in arguments.tree or [here]]
    trees = [Tree(name, Path(folder).resolve()) for name, _, folder in named]
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    with ExitStack() as stack:
        started = stack.enter_context(browser())
        addresses = {tree.name: stack.enter_context(server(tree)) for tree in trees}
        for _ in range(arguments.rounds):
            for language in GOALS:
                for name, address in addresses.items():
                    visit = measured(started, address, language)
                    found.setdefault((name, language), []).append(visit)
    print(f"{'':16}" + "".join(f"{column:>10}" for column in COLUMNS))
    for (name, language), visits in found.items():
        middle = {column: median(one[column] for one in visits) for column in COLUMNS}
        print(f"{name:12}{language:4}" + "".join(f"{middle[one]:10.2f}" for one in COLUMNS))
    late = [
        f"{language}: expected {column} by {goal} s, found {seconds:.2f} s"
        for language, goals in GOALS.items()
        for column, goal in goals.items()
        if (seconds := median(one[column] for one in found[trees[-1].name, language])) > goal
    ]
    print("\n".join(late) or "all goals are met")
    return bool(late)


if __name__ == "__main__":
    sys.exit(main())
