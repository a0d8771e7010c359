"""Debian's Firefox, driven by WebDriver BiDi: Playwright drives only its own build.

The methods and their parameters are those of https://w3c.github.io/webdriver-bidi/.
"""

import base64
import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.browser.browse import ROOT
from tests.browser.hands import WAYS, Hands

PATIENCE = 60.0
SETTINGS = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.type": 0,
    "ui.prefersReducedMotion": 1,
}
"""Preferences: no requests to other hosts, and little motion."""
PLACE = """
(async (find) => {
  const place = () => {
    const [target] = find();
    if (!target || target.disabled) return null;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = target.getBoundingClientRect();
    const isFanned = target.closest("[data-held]") !== null;  // the next card lies over it
    const [right, down] = isFanned ? [8, 12] : [width / 2, height / 2];
    const spot = [Math.round(x + right), Math.round(y + down)];
    return target.contains(document.elementFromPoint(...spot)) ? spot : null;
  };
  const before = place();
  await new Promise((done) => setTimeout(done, 60));
  const now = place();
  if (String(now) !== String(before) || now === null) return null;
  window.isPressed = false;
  const heard = ({ target }) => { window.isPressed = find()[0]?.contains(target) ?? false; };
  document.addEventListener("pointerdown", heard, { capture: true, once: true });
  return now;
})
"""
"""The point to press: the middle of an element, or the corner of a card in a hand, once it is still
and uncovered.
"""


def firefox() -> str:
    """Return the path of Firefox. It is an error in a full run on Debian if it is missing."""
    script = ROOT / "tools" / "browser.sh"
    found = subprocess.run([script, "firefox"], check=False, capture_output=True, text=True)
    if found.returncode == 0:
        return found.stdout.strip()
    if os.environ.get("CI") and Path("/etc/debian_version").exists() and os.getuid() == 0:
        pytest.fail(found.stderr)
    pytest.skip(found.stderr)


class Refused(Exception):
    """Firefox's error response to a command."""


class Firefox:
    """The connection to a Firefox; errors of its pages are remembered."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.asked = 0
        self.faults: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])

    def ask(self, method: str, **params: Any) -> Any:
        self.asked += 1
        self.line.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while True:
            frame = json.loads(self.line.recv(timeout=60))
            if frame["type"] == "event":
                self._hear(frame["params"])
            elif frame["id"] == self.asked:
                if frame["type"] == "error":
                    raise Refused(f"{method}: {frame['error']}: {frame['message']}")
                return frame["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] in {"error", "warn"}:
            self.faults.append(f"{entry['level']}: {entry['text']}")


@contextmanager
def running(profile: Path) -> Iterator[Firefox]:
    """A Firefox with its own profile, in a process that ends with it."""
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(to)});" for key, to in SETTINGS.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = [firefox(), "--headless", "--no-remote", "--remote-debugging-port=0"]
    with (profile / "said.txt").open("w") as said:
        process = subprocess.Popen(
            [*command, "--profile", str(profile)], stdout=said, stderr=subprocess.STDOUT
        )
    try:
        with connect(f"{address(profile)}/session", max_size=None, proxy=None) as line:
            yield Firefox(line)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def address(profile: Path) -> str:
    """Return the address that it prints after its start."""
    until = time.monotonic() + 3 * PATIENCE
    said = profile / "said.txt"
    while time.monotonic() < until:
        for line in said.read_text("utf-8", "replace").splitlines(keepends=True):
            if line.startswith("WebDriver BiDi listening on ") and line.endswith("\n"):
                return line.split()[-1]
        time.sleep(0.1)
    raise AssertionError(said.read_text("utf-8", "replace"))


class Tab:
    """A window of a new person, with separate cookies and storage."""

    def __init__(self, browser: Firefox, size: tuple[int, int], **settings: object) -> None:
        self.browser = browser
        self.user = browser.ask("browser.createUserContext")["userContext"]
        opened = browser.ask("browsingContext.create", type="tab", userContext=self.user)
        self.context = opened["context"]
        self.resize(size)
        chosen = json.dumps(json.dumps({"asksAlways": True, **settings}))
        script = (
            "() => { if (location.protocol === 'http:' && !localStorage['zashiki.settings'])"
            f" localStorage['zashiki.settings'] = {chosen}; }}"
        )
        self.ask("script.addPreloadScript", contexts=[self.context], functionDeclaration=script)

    def ask(self, method: str, **params: Any) -> Any:
        return self.browser.ask(method, **params)

    def resize(self, size: tuple[int, int]) -> None:
        viewport = {"width": size[0], "height": size[1]}
        self.ask("browsingContext.setViewport", context=self.context, viewport=viewport)

    def visit(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def reload(self) -> None:
        self.ask("browsingContext.reload", context=self.context, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression; return its value as JSON."""
        answer = self.ask(
            "script.evaluate", target={"context": self.context}, awaitPromise=True,
            expression=f"(async () => JSON.stringify(await ({expression})))()",
        )  # fmt: skip
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))

    def wait(self, expression: str, seconds: float = PATIENCE) -> Any:
        """Evaluate an expression until its value is true; return the value."""
        until = time.monotonic() + seconds
        while not (found := self.evaluate(expression)):
            assert time.monotonic() < until, f"not within {seconds} s: {expression}"
            time.sleep(0.05)
        return found

    def click(self, place: list[int]) -> None:
        """Click with the mouse."""
        moves = [
            {"type": "pointerMove", "x": place[0], "y": place[1]},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def type(self, text: str) -> None:
        """Type a text on the keyboard."""
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": keys})

    def _act(self, source: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self.context, actions=[source])

    def screenshot(self, path: Path) -> None:
        taken = self.ask("browsingContext.captureScreenshot", context=self.context)
        path.write_bytes(base64.b64decode(taken["data"]))

    def leave(self) -> None:
        self.ask("browser.removeUserContext", userContext=self.user)
        faults, self.browser.faults = self.browser.faults, []
        assert faults == [], faults


PAGE = """
({
  state: window.zashiki && { ...window.zashiki, log: window.zashiki.log?.length },
  pressed: [...document.querySelectorAll('[aria-pressed="true"]')].map((one) => one.outerHTML),
  acts: [...document.querySelectorAll("[data-action]")].map((one) => one.outerHTML),
  dialogs: [...document.querySelectorAll("dialog[open]")].map((one) => one.textContent),
  active: document.activeElement?.outerHTML.slice(0, 200),
})
"""
"""The state of a page, for the error that nothing on it can be pressed."""


PRESSED = """
(async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(done));
  await drawn();
  await drawn();
  return window.isPressed ?? true;
})()
"""
"""Whether the element was pressed, or there is a new page; after the page has drawn the result."""


class Found:
    """Elements of a page, found when they are needed: the part of a Locator that hands use."""

    def __init__(self, tab: Tab, elements: str) -> None:
        self.tab = tab
        self.elements = elements

    @property
    def first(self) -> "Found":
        return self.nth(0)

    def nth(self, place: int) -> "Found":
        return Found(self.tab, f"{self.elements}.slice({place}, {place + 1})")

    def locator(self, where: str) -> "Found":
        inside = f"(one) => [...one.querySelectorAll({json.dumps(where)})]"
        return Found(self.tab, f"{self.elements}.flatMap({inside})")

    def matching(self, what: str) -> "Found":
        return Found(self.tab, f"{self.elements}.filter((one) => one.matches({json.dumps(what)}))")

    def saying(self, text: str) -> "Found":
        says = f"(one) => one.textContent.includes({json.dumps(text)})"
        return Found(self.tab, f"{self.elements}.filter({says})")

    def count(self) -> int:
        found: int = self.tab.evaluate(f"{self.elements}.length")
        return found


class Pointer:
    """Plays with a mouse in Firefox."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab

    def find(self, where: str) -> Found:
        return Found(self.tab, f"[...document.querySelectorAll({json.dumps(where)})]")

    def press(self, target: Found) -> None:
        """Press again if the page has moved since the element was found."""
        is_pressed = False
        while not is_pressed:
            try:
                place = self.tab.wait(f"{PLACE}(() => {target.elements})")
            except AssertionError as fault:
                fault.add_note(f"the page: {self.tab.evaluate(PAGE)}")
                raise
            self.tab.click(place)
            is_pressed = self.tab.evaluate(PRESSED)

    def pick(self, targets: Found) -> None:
        self.press(targets.matching('[aria-pressed="false"]'))

    def press_on(self, target: Found) -> None:
        self.tab.wait(f"{target.elements}.length")
        if target.first.matching('[aria-pressed="true"]').count() == 0:
            self.press(target)

    def take(self, game: str, action: str) -> None:
        """Play as `Hands` does, in the same ways."""
        WAYS[game](cast(Hands, self), action)
        self.press(self.find(f'[data-action="{action}"]'))
