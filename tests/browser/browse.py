"""A browser, and people who each have their own window."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    sync_playwright,
)

from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parents[2]
PHONE = (360, 740)
TABLET = (820, 1180)
DESK = (1440, 900)
PATIENCE = 60_000
"""Milliseconds to wait for an event: a machine may be busy."""
RECONNECTS = 3
"""Retries of a request whose idle connection the server closed at the same moment."""
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium(kind: str = "headless") -> str:
    """Return the path of Chromium. Without it nothing can be tested, which is an error in CI."""
    script = ROOT / "tools" / "browser.sh"
    found = subprocess.run([script, kind], check=False, capture_output=True, text=True)
    if found.returncode == 0:
        return found.stdout.strip()
    if os.environ.get("CI"):
        pytest.fail(found.stderr)
    pytest.skip(found.stderr)


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver, launched(driver) as started:
        yield started


@contextmanager
def launched(driver: Playwright, kind: str = "headless") -> Iterator[Browser]:
    started = driver.chromium.launch(executable_path=chromium(kind), args=FLAGS)
    try:
        yield started
    finally:
        started.close()


COUNTED = """
window.pendingFetches = 0;
const usual = window.fetch;
window.fetch = async (...asked) => {
  window.pendingFetches += 1;
  try {
    const answer = await usual(...asked);
    await answer.clone().arrayBuffer();
    return answer;
  } finally {
    setTimeout(() => (window.pendingFetches -= 1));
  }
};
"""
"""Counts the requests of a page that have not been answered completely."""
SETTLED = """
async (loading) => {
  const isLoading = () =>
    document.querySelector("main")?.textContent.trim() === "" ||
    [...document.querySelectorAll("[role=status]")]
      .some((one) => loading.includes(one.textContent.trim()));
  const isMoving = () =>
    document.getAnimations().some(
      (one) => one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity,
    );
  const isBusy = () =>
    document.readyState !== "complete" || window.pendingFetches > 0 ||
    document.fonts.status === "loading" || isLoading() || isMoving();
  for (let still = 0; still < 3; still += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    if (isBusy()) still = -1;
  }
  return true;
}
"""
"""Wait until all requests, fonts included, are answered and nothing has moved for some frames."""
LOADING = ("One moment …", "少々お待ちください…")
PLAY_ON = """
async ([table, moves]) => {
  const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/socket`);
  const send = (frame) => socket.send(JSON.stringify(frame));
  socket.onopen = () => send({ do: "hello", views: false, version: 2 });
  return new Promise((done) => {
    let left = moves;
    let sent = null;
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      const shown = frame.table;
      if (shown?.state === "starting" && sent === null) {
        sent = 0;
        send({ do: "ready", key: "ready" });
      }
      if (frame.is !== "told") return;
      const { over } = frame.public;
      const { decision, legal } = frame.own;
      if (decision === null && !over) return;
      if (over || (left === 0 && decision !== sent)) {
        socket.close();
        done(over);
      } else if (decision !== sent) {
        left -= 1;
        sent = decision;
        const action = legal[Math.floor(Math.random() * legal.length)];
        send({ do: "play", key: `on-${sent}`, decision: sent, action });
      }
    };
  });
}
"""


class Visitor:
    """A person with a browser window; errors in it are remembered."""

    def __init__(
        self,
        server: ServerProcess,
        browser: Browser,
        name: str,
        size: tuple[int, int] = PHONE,
        language: str = "en",
        **settings: object,
    ) -> None:
        self.server = server
        self.name = name
        self.id = ""
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=language, reduced_motion="reduce"
        )
        chosen = {"language": language, "asksAlways": True, **settings}
        self.context.add_init_script(COUNTED)
        self.context.add_init_script(
            "if (!localStorage.getItem('zashiki.settings'))"
            f" localStorage.setItem('zashiki.settings', JSON.stringify({json.dumps(chosen)}))"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.expected: list[str] = []
        """The console errors that a test expects, such as those after killing the server."""
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _said(self, message: ConsoleMessage) -> None:
        expected = any(text in message.text for text in self.expected)
        if message.type in {"error", "warning"} and not expected:
            self.faults.append(message.text)

    def visit(self, path: str = "/") -> None:
        """Open a page, and wait until it rests: what loads would move under the first press."""
        self.page.goto(self.server.url + path)
        self.settle()

    def reload(self) -> None:
        """Reload the page, and wait until it rests."""
        self.page.reload()
        self.settle()

    def settle(self) -> None:
        """Wait until all requests of the page are answered and nothing moves."""
        self.page.wait_for_function(SETTLED, arg=LOADING)

    def press(self, target: Locator) -> None:
        """Press a control once it is there and the page rests, so that it cannot move away."""
        target.wait_for()
        self.settle()
        target.click()

    def come(self) -> None:
        """Become a guest with this name, as by the dialog that asks for one."""
        self.id = self.post("/api/guest", {"name": self.name})["id"]

    def post(self, path: str, data: Any = None) -> Any:
        answer = self.context.request.post(
            self.server.url + path, data=data, headers={"X-Zashiki": "1"}, max_retries=RECONNECTS
        )
        assert answer.ok, answer.text()
        return answer.json()

    def get(self, path: str) -> APIResponse:
        return self.context.request.get(self.server.url + path, max_retries=RECONNECTS)

    def open_table(self, game: str, seats: int, bot: str = "sensible", **wanted: Any) -> str:
        """Open and start a table against bots."""
        chairs = [{"kind": "open"}, *[{"kind": "bot", "bot": bot}] * (seats - 1)]
        made = self.post("/api/tables", {"game": game, "seats": seats, "chairs": chairs, **wanted})
        table: str = made["table"]["id"]
        self.post(f"/api/tables/{table}/start")
        return table

    def play_on(self, table: str, moves: int) -> bool:
        """Make this many random moves as from a second tab; return whether the match is over."""
        over: bool = self.page.evaluate(PLAY_ON, [table, moves])
        return over

    def axe(self, *rules: str) -> list[str]:
        """Return the accessibility violations, by these rules or by all."""
        if self.page.evaluate("typeof axe === 'undefined'"):
            self.page.evaluate(AXE.read_text("utf-8"))
        size = {"rules": {"target-size": {"enabled": True}}}  # off by default; Lighthouse asks it
        chosen = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else size)}
        found = self.page.evaluate("chosen => axe.run(document, chosen)", chosen)
        return [
            f"{one['id']}: {node['html'][:160]} ({node['failureSummary']})"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    def button(self, name: str, **more: Any) -> Locator:
        return self.page.get_by_role("button", name=name, **more)

    def leave(self) -> None:
        self.context.close()
        assert self.faults == [], self.faults
