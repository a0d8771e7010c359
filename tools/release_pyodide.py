"""Run the pure wheel in Pyodide, under Node.

    python -m tools.release_pyodide dist/zashiki-0.1.0-py3-none-any.whl

The packages that the wheel needs are downloaded with the hashes of deploy/requirements/server.txt.
librt has a wheel for Pyodide. The others are pure.
"""

import re
import sys
import tempfile
from pathlib import Path

from tools.release_build import ROOT, Failed, downloaded, run

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


def check(wheel: Path, folder: Path) -> str:
    """Play a match and run the laws of a game in Pyodide; return its report.

    The packages that the wheel needs are kept in the folder.
    """
    if not (NODE / "node_modules").is_dir():
        run(["npm", "ci", "--silent", "--prefer-offline"], NODE)
    options = ("--no-deps", "--python-version", "314")
    pure = downloaded(sys.executable, pinned(PURE), folder / "pure", *options)
    other = downloaded(sys.executable, pinned(FOR_PYODIDE), folder / "wasm", *options, *PLATFORM)
    needed = [*pure.glob("*.whl"), *other.glob("*.whl")]
    return run(["node", NODE / "pyodide.mjs", wheel.resolve(), *needed]).strip()


def main() -> int:
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(check(Path(sys.argv[1]), Path(folder)))
    except Failed as fault:
        print(f"release_pyodide.py: {str(fault)[-4000:]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
