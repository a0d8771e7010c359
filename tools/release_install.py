"""Install a built wheel as a user would, without a compiler, and run it.

The packages that it needs are downloaded once for each Python, with the hashes of
deploy/requirements/server.txt. Then pip installs from that folder alone, by the wheel's own
metadata.
"""

import json
from pathlib import Path
from typing import Any

from tools.release_build import ROOT, downloaded, make_venv, run

SERVER = ROOT / "deploy" / "requirements" / "server.txt"
SMOKE = ROOT / "tools" / "release_smoke.py"
SERVE = ROOT / "tools" / "release_serve.py"
QUICK_GAMES = ("kamiza-second", "kingdoms")
"""Games whose laws run in seconds when interpreted. The others take a minute."""


def wheelhouse(python: Path, folder: Path) -> Path:
    """Return a folder with the pinned packages of the server for this Python."""
    return downloaded(python, SERVER.read_text("utf-8"), folder)


def install(python: Path, wheel: Path, house: Path, extra: str = "") -> None:
    """Install the wheel, and by its metadata the packages that it needs."""
    command = [python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", house]
    run([*command, "--only-binary", ":all:", f"{wheel}{extra}"], settings=bare(python))


def bare(python: Path) -> dict[str, str]:
    """Return environment variables with a PATH of only the virtual environment's programs."""
    return {"PATH": str(python.parent), "CC": "no-compiler", "CXX": "no-compiler"}


def smoke(python: Path, kind: str, matches: int) -> dict[str, Any]:
    """Run the laws and measure the speed on the installed package."""
    games = ["--games", *QUICK_GAMES] if kind == "pure" else []
    words = ["--expect", kind, "--laws", str(matches), "--no-compiler", *games]
    told: dict[str, Any] = json.loads(
        run([python, "-I", SMOKE, *words], python.parent.parent, bare(python))
    )
    return told


def serve(python: Path) -> dict[str, Any]:
    """Start the installed server and play a match."""
    told: dict[str, Any] = json.loads(
        run([python, "-I", SERVE], python.parent.parent, bare(python))
    )
    return told


def installed(base: Path | str, wheel: Path, folder: Path, house: Path, extra: str = "") -> Path:
    """Make a new environment with this wheel in it, and return its Python."""
    python = make_venv(base, folder)
    install(python, wheel, wheelhouse(python, house), extra)
    return python
