"""Runs a test file of the client from a Python test, with data that the Python test prepared."""

import os
import subprocess
import sys
from pathlib import Path

from tests.server.waits import TIMEOUT

ROOT = Path(__file__).parents[1]
VITEST = ROOT / "node_modules" / "vitest" / "vitest.mjs"


def run_client_tests(file: str, **variables: str) -> None:
    """Run one test file with the node of the development environment. No test may be skipped."""
    tools = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    done = subprocess.run(
        ["node", VITEST, "run", "--config", "web/vitest.config.ts", file],
        cwd=ROOT, env={**os.environ, **variables, "PATH": os.pathsep.join(tools)},
        capture_output=True, text=True, timeout=5 * TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert "skipped" not in done.stdout, done.stdout[-4000:]
