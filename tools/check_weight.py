"""Check the weight of the built client's first page against its budget (decision 0040).

A page on a slow phone waits for each kilobyte: 1.6 Mb/s are 200 of them per second.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

CLIENT = Path(__file__).parents[1] / "src/zashiki/server/client"
PAGE = "index.html"
FILES = "files.json"


class Budget(NamedTuple):
    """The most that all files of one kind may weigh together, as they are sent."""

    what: str
    kilobytes: float
    advice: str


BUDGETS = {
    "styles": Budget(
        "style sheets of the first page", 12, "load the styles of a part with that part"
    ),
    "scripts": Budget(
        "scripts of the first page", 85, "import what the lobby does not need when it is needed"
    ),
    "first fonts": Budget(
        "fonts of every page", 45, "see which characters web/build/fonts.ts takes as first"
    ),
    "own fonts": Budget(
        "fonts of the client's own Japanese", 450, "see which texts web/build/fonts.ts reads"
    ),
    "table": Budget(
        "script and styles of any table", 45, "load what only some tables need with the game"
    ),
}
"""By kind of files. A figure is about a tenth above what is needed."""


def weights(client: Path) -> dict[str, float]:
    """Return kilobytes as sent (gzip, as the server packs them), by kind of files."""
    page = (client / PAGE).read_text("utf-8")
    named = [client / name for name in re.findall(r'"/(assets/[^"]+)"', page)]
    entries: list[dict[str, Any]] = list(json.loads((client / FILES).read_text("utf-8")).values())
    made = [client / one["file"] for one in entries]
    table = next(one for one in entries if one.get("name") == "table")
    files: dict[str, Iterable[Path]] = {
        "styles": [one for one in named if one.suffix == ".css"],
        "scripts": [one for one in named if one.suffix == ".js"],
        "first fonts": [one for one in made if one.match("first-*.woff2")],
        "own fonts": [one for one in made if one.match("own-*.woff2")],
        "table": [client / name for name in (table["file"], *table.get("css", ()))],
    }
    return {kind: sum(map(sent, which)) / 1000 for kind, which in files.items()}


def sent(file: Path) -> int:
    """Return the bytes of a file as the server sends it."""
    content = file.read_bytes()
    return len(content if file.suffix == ".woff2" else gzip.compress(content, 9, mtime=0))


def faults(found: dict[str, float]) -> list[str]:
    """Return a line for each kind of files over its budget, or of which there are none."""
    lines = []
    for kind, budget in BUDGETS.items():
        weight = found[kind]
        if not weight:
            lines.append(f"{budget.what}: expected some, found none: adapt tools/check_weight.py")
        elif weight > budget.kilobytes:
            lines.append(
                f"{budget.what}: expected at most {budget.kilobytes:g} KB, found {weight:.1f} KB: "
                f"{budget.advice}, or raise the budget in tools/check_weight.py and say why"
            )
    return lines


def main() -> int:
    if not (CLIENT / FILES).is_file():
        print(f"{CLIENT / FILES}: not found. Build the client: make client", file=sys.stderr)
        return 1
    found = weights(CLIENT)
    over = faults(found)
    for line in over:
        print(line, file=sys.stderr)
    if not over:
        shown = ", ".join(f"{kind} {weight:.1f} KB" for kind, weight in found.items())
        print(f"Weight of the first page: {shown}")
    return bool(over)


if __name__ == "__main__":
    sys.exit(main())
