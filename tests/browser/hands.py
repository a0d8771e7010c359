"""Hands that play: an action is taken by pressing the controls that a person would press."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.browse import LOADING, SETTLED

MOST_TABS = 150
STEPS = """
(target) => {
  const fields = "a[href], button, input, select, textarea, summary, [tabindex]";
  const stops = [...document.querySelectorAll(fields)]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  const here = document.activeElement;
  const passed = stops.filter(
    (one) => one === here || here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING,
  );
  const steps = stops.indexOf(target) - passed.length;
  return steps >= 0 ? steps + 1 : steps + Number(stops.includes(here));
}
"""
"""The distance to an element in presses of Tab, or of Shift+Tab if negative."""
CORNER: Position = {"x": 8, "y": 12}
FANNED = "(target) => target.closest('[data-held]') !== null"
FOCUSED = "(target) => target === document.activeElement"


class Hands:
    """Plays with a mouse or a finger."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        """Press a card in a hand at its corner: the next card may cover its middle."""
        one = target.first
        one.click(position=CORNER if one.evaluate(FANNED) else None)

    def find(self, where: str) -> Locator:
        return self.page.locator(where)

    def pick(self, targets: Locator) -> None:
        """Press the first element that is not pressed yet."""
        self.press(targets.and_(self.page.locator('[aria-pressed="false"]')))

    def press_on(self, target: Locator) -> None:
        """Press it unless it is already pressed."""
        if target.first.get_attribute("aria-pressed") != "true":
            self.press(target)

    def act(self, action: str) -> None:
        """Press the button of an action, once it is enabled."""
        button = self.find(f'[data-action="{action}"]')
        expect(button.first).to_be_enabled()
        self.press(button)

    def take(self, game: str, action: str) -> None:
        """Pick the cards of an action, and play it."""
        WAYS[game](self, action)
        self.act(action)

    def offers(self, game: str, action: str) -> bool:
        """Pick the cards of an action; return whether it can be played once the page rests."""
        WAYS[game](self, action)
        self.page.wait_for_function(SETTLED, arg=LOADING)
        return self.find(f'[data-action="{action}"]:enabled').count() > 0


class Keys(Hands):
    """Plays with the keyboard alone: the Tab key moves to each control."""

    def press(self, target: Locator) -> None:
        element = target.first.element_handle()
        steps = element.evaluate(STEPS)
        for _ in range(min(abs(steps), MOST_TABS)):
            self.page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
        for key in ("Tab", "Shift+Tab"):
            for _ in range(MOST_TABS):
                if element.evaluate(FOCUSED):
                    self.page.keyboard.press("Enter")
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"{target} cannot be reached by the Tab key")


def kamiza(hands: Hands, action: str) -> None:
    card, _, area = action.partition("@")
    hands.press_on(hands.find(f'.hand [data-card="{card}"]'))
    if hands.find(f'[data-action="{action}"]').count() == 0:  # worthless there: confirmed first
        hands.press(hands.find(f'.hand [data-area="{area}"]'))


def red_town(hands: Hands, action: str) -> None:
    verb, _, rest = action.partition(":")
    if verb == "hitmen":
        for letter in rest:
            hands.pick(hands.find(f'.offers [data-card="{letter}H"]'))
    elif verb == "discard":
        hands.pick(hands.find(f'[data-held^="{rest}-"] button'))
    elif verb[1:].isdigit():
        for card in rest.split(","):
            hands.pick(hands.find(f'[data-held^="{card}-"] button'))
        if hands.find(f'[data-action="{action}"]').count() == 0:
            hands.press(hands.find(f'[data-location="{verb}"]'))


def kingdoms(hands: Hands, action: str) -> None:
    verb, *rest = action.split(":")
    if verb == "draft":
        drawn = rest[0].replace("A", " A").replace("N", " N").split()
        counts = {part[0]: part[1:] for part in drawn if part != "0"}
        for row, letter in enumerate("NA"):
            number = hands.find(".planner .row").nth(row).locator(".number")
            hands.press_on(number.nth(int(counts.get(letter, 0))))
    elif verb == "done" and hands.find('[data-ask="done"]').count() > 0:
        hands.press(hands.find('[data-ask="done"]'))
    elif rest and rest[-1] != "none":
        if len(rest) > 1:
            hands.press_on(hands.find(f'[data-area="{rest[0]}"]'))
        where = ".battle" if verb == "leave" else ".hand"
        for card in rest[-1].split("+"):
            hands.pick(hands.find(f'{where} [data-card="{card}"]'))


WAYS: dict[str, Callable[[Hands, str], None]] = {
    "kamiza-2014": kamiza,
    "kamiza-second": kamiza,
    "red-town": red_town,
    "kingdoms": kingdoms,
}
