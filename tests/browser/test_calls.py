"""Notifications: asked once, subscribed at a real server, shown by a real service worker."""

import json
import time

from playwright.sync_api import Browser, Page, expect

from tests.browser.browse import DESK, PATIENCE, PHONE, Visitor
from tests.browser.test_panel import sit
from tests.server.server_process import ServerProcess

BEHIND = """
window.isBehind = true;
Object.defineProperty(document, "visibilityState", {
  get: () => (window.isBehind ? "hidden" : "visible"),
});
"""
"""A page in the background until a test says otherwise."""
PUSH = """
const made = {
  endpoint: "https://push.example/one",
  unsubscribe: async () => true,
  toJSON: () => ({ endpoint: "https://push.example/one", keys: {
    p256dh:
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  } }),
};
let known = null;
PushManager.prototype.subscribe = async function (options) {
  window.subscribedWith = options;
  known = made;
  return known;
};
PushManager.prototype.getSubscription = async () => known;
"""
"""A fake of the browser's push service, which needs the network; the keys are from RFC 8291."""
BROWSERS = "async () => (await (await fetch('/api/calls')).json()).browsers"
SHOWN = """
async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }));
}
"""


def visitor(server: ServerProcess, browser: Browser, name: str, size: tuple[int, int]) -> Visitor:
    made = Visitor(server, browser, name, size)
    made.context.grant_permissions(["notifications"])
    made.context.add_init_script(PUSH)
    return made


def wait_until(page: Page, script: str, wanted: object) -> None:
    """Evaluate a script until it gives this value. Playwright's own polling would need `eval`."""
    end = time.monotonic() + PATIENCE / 1000
    while (found := page.evaluate(script)) != wanted:
        assert time.monotonic() < end, found
        page.wait_for_timeout(20)


def test_asked_once_when_it_was_ones_turn_behind_other_pages(
    server: ServerProcess, whole_browser: Browser
) -> None:
    aki = visitor(server, whole_browser, "Aki", PHONE)
    aki.context.add_init_script(BEHIND)
    table = sit("kingdoms", aki)
    page = aki.page
    page.wait_for_function("() => window.zashiki?.legal.length > 0")
    notice = page.get_by_text("It was your turn. Should this browser notify you next time?")
    expect(notice).to_be_visible()
    for name in ("Notify me", "No"):
        box = aki.button(name, exact=True).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 43
    assert aki.axe() == []
    aki.button("Notify me", exact=True).click()
    expect(notice).to_have_count(0)
    wait_until(page, BROWSERS, 1)
    asked = page.evaluate("() => window.subscribedWith")
    own = aki.get("/api/calls").json()
    assert own["browsers"] == 1
    assert asked == {"userVisibleOnly": True, "applicationServerKey": own["key"]}
    aki.reload()
    page.wait_for_function("() => window.zashiki?.legal.length > 0")
    expect(notice).to_have_count(0)
    aki.visit("/settings")
    switch = page.get_by_role("switch", name="Notify me when it’s my turn")
    expect(switch).to_be_enabled()
    assert table
    aki.leave()


def test_the_service_worker_shows_a_call_in_the_place_of_the_one_before(
    server: ServerProcess, whole_browser: Browser
) -> None:
    aki = visitor(server, whole_browser, "Aki", DESK)
    aki.come()
    aki.visit("/")
    page = aki.page
    page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    session = aki.context.new_cdp_session(page)
    ids: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: ids.extend(one["registrationId"] for one in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not ids:
        page.wait_for_timeout(20)
    for body in ("KAMIZA", "Red Town"):  # the second replaces the first
        call = {"title": "It is your turn", "body": body, "url": "/table/abc", "tag": "abc"}
        message = {"origin": server.url, "registrationId": ids[0], "data": json.dumps(call)}
        session.send("ServiceWorker.deliverPushMessage", message)
        wait_until(page, SHOWN, [call])
    aki.leave()
