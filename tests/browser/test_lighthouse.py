"""Lighthouse on the lobby and a table: accessibility and best practices; speed is reported."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.browse import FLAGS, Visitor, chromium
from tests.server.server_process import ServerProcess

FOLDER = Path(__file__).parent / "lighthouse"
TOOL = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"

pytestmark = pytest.mark.long


def audited(address: str, cookie: str, folder: Path) -> dict[str, float]:
    """Scores from 0 to 100, by category."""
    if not TOOL.exists():
        pytest.fail("lighthouse is not installed: make test-all does that")
    headers, out = folder / "headers.json", folder / "report.json"
    headers.write_text(json.dumps({"Cookie": cookie}))
    flags = " ".join(["--headless", *FLAGS])
    node = Path(sys.executable).with_name("node")
    command = [str(node), str(TOOL), address, "--quiet", f"--chrome-flags={flags}"]
    files = [f"--extra-headers={headers}", "--output=json", f"--output-path={out}"]
    environment = {**os.environ, "CHROME_PATH": chromium("chromium")}
    subprocess.run([*command, *files], check=True, timeout=180, env=environment)
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return {name: 100 * one["score"] for name, one in report["categories"].items()}


def test_scores(server: ServerProcess, browser: Browser, tmp_path: Path) -> None:
    aki = Visitor(server, browser, "Aki")
    aki.come()
    aki.visit("/settings")
    table = aki.open_table("red-town", 4)
    aki.play_on(table, 1)
    (cookie,) = aki.context.cookies()
    for path in ("/", f"/table/{table}"):
        scores = audited(server.url + path, f"{cookie['name']}={cookie['value']}", tmp_path)
        print(path, scores)
        assert scores["accessibility"] == 100
        assert scores["best-practices"] >= 95
    aki.leave()
