import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { doublePress } from "./gestures";

/** A part of a page; presses inside it reach the document first, as in a browser. */
class Area extends EventTarget {
  contains(target: unknown): boolean {
    return target === this;
  }

  press(timeStamp: number, detail = 1): void {
    for (const listener of [document, this]) {
      const event = new Event("click");
      Object.defineProperties(event, {
        target: { value: this },
        timeStamp: { value: timeStamp },
        detail: { value: detail },
      });
      listener.dispatchEvent(event);
    }
    vi.runAllTimers();
  }
}

const act = vi.fn();
const card = new Area();
const button = new Area();
let detach: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  act.mockClear();
  detach = doublePress(act)(card as unknown as HTMLElement);
});
afterEach(() => {
  detach();
  vi.useRealTimers();
});

it("acts on two presses in a row", () => {
  card.press(1000);
  expect(act).not.toHaveBeenCalled();
  card.press(1300);
  expect(act).toHaveBeenCalledOnce();
});

it("needs two presses within a moment, by mouse or finger", () => {
  card.press(1000);
  card.press(1500);
  card.press(1600, 0); // by the keyboard
  expect(act).not.toHaveBeenCalled();
});

it("does not count a press before another one elsewhere", () => {
  card.press(1000);
  button.press(1100); // plays the card; an equal one is pressed for the next decision
  card.press(1200);
  expect(act).not.toHaveBeenCalled();
});
