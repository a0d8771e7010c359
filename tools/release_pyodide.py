"""Run the pure wheel in Pyodide, under Node.

    python -m tools.release_pyodide dist/zashiki-0.1.0-py3-none-any.whl

The packages that the wheel needs are downloaded with the hashes of deploy/requirements/server.txt.
librt has a wheel for Pyodide. The others are pure.
"""

import re
import sys
import tempfile
from pathlib import Path

from tools.release_build import ROOT, Failed, run

SERVER = ROOT / "deploy" / "requirements" / "server.txt"
NODE = ROOT / "tools" / "release_node"
PURE = ("markdown-it-py", "mdurl", "mypy-extensions", "pygments", "rich")
FOR_PYODIDE = ("librt",)
PLATFORM = (
    "--platform", "pyemscripten_2026_0_wasm32", "--implementation", "cp", "--abi", "cp314",
)  # fmt: skip


def pinned(names: tuple[str, ...]) -> str:
    """Return the pins of these packages, with their hashes."""
    blocks = re.split(r"\n(?=\S)", SERVER.read_text("utf-8").strip())
    found = {block.partition("==")[0]: block for block in blocks}
    return "\n".join(found[name] for name in names) + "\n"


def download(names: tuple[str, ...], folder: Path, *more: str) -> None:
    """Download the wheels of these packages."""
    pins = folder / "pins.txt"
    pins.write_text(pinned(names), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    options = ["--only-binary", ":all:", "--python-version", "314", "--dest", folder, *more]
    run([*command, *options, "--requirement", pins])


def check(wheel: Path) -> str:
    """Play a match and run the laws of a game in Pyodide; return its report."""
    if not (NODE / "node_modules").is_dir():
        run(["npm", "ci", "--silent", "--prefer-offline"], NODE)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        download(PURE, folder)
        download(FOR_PYODIDE, folder, *PLATFORM)
        return run(["node", NODE / "pyodide.mjs", wheel.resolve(), *folder.glob("*.whl")]).strip()


def main() -> int:
    try:
        print(check(Path(sys.argv[1])))
    except Failed as fault:
        print(f"release_pyodide.py: {str(fault)[-4000:]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
