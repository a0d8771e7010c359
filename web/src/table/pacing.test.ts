import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { Pacing } from "./pacing";

interface Moving {
  name: string;
  lasts: number | null;
}

function staged() {
  const shown: string[] = [];
  const states: string[] = [];
  const pacing = new Pacing<Moving>({
    show: ({ name, lasts }) => {
      shown.push(name);
      return lasts;
    },
    changed: (settled, telling) => {
      states.push(settled ? "settled" : telling ? "telling" : "moving");
    },
  });
  return { pacing, shown, states };
}

const news = (name: string, lasts: number | null = 500): Moving => ({ name, lasts });

describe("pacing", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("the first news are shown at once, the next when these have had their time", async () => {
    const { pacing, shown, states } = staged();
    pacing.add(news("one", 500));
    pacing.add(news("two", 300));
    expect(shown).toEqual(["one"]);
    await vi.advanceTimersByTimeAsync(499);
    expect(shown).toEqual(["one"]);
    expect(states.at(-1)).toBe("moving");
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toEqual(["one", "two"]);
    await vi.advanceTimersByTimeAsync(299);
    expect(states.at(-1)).toBe("moving");
    await vi.advanceTimersByTimeAsync(1);
    expect(states.at(-1)).toBe("settled");
  });

  test("news without motion do not wait", () => {
    const { pacing, shown, states } = staged();
    pacing.add(news("one", null));
    pacing.add(news("two", null));
    expect(shown).toEqual(["one", "two"]);
    expect(states).toEqual(["settled", "settled"]);
  });

  test("news that take long are a story while they move, and no longer", async () => {
    const { pacing, states } = staged();
    pacing.add(news("glance", 1500));
    expect(states).toEqual(["moving"]);
    await vi.runAllTimersAsync();
    pacing.add(news("story", 1501));
    expect(states.at(-1)).toBe("telling");
    await vi.advanceTimersByTimeAsync(1501);
    expect(states.slice(-2)).toEqual(["moving", "settled"]);
  });

  test("with five or more waiting the table catches up without motion", async () => {
    const { pacing, shown } = staged();
    for (const name of ["1", "2", "3", "4", "5", "6", "7", "8"]) pacing.add(news(name));
    expect(shown).toEqual(["1"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(shown, "four wait behind the fourth").toEqual(["1", "2", "3", "4"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(shown).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("a page that nobody sees does not wait", () => {
    Object.assign(document, { hidden: true });
    try {
      const { pacing, shown } = staged();
      pacing.add(news("one"));
      pacing.add(news("two"));
      expect(shown).toEqual(["one", "two"]);
    } finally {
      Object.assign(document, { hidden: false });
    }
  });

  test("skipping ends the motion of one item, not that of the next", async () => {
    const { pacing, shown, states } = staged();
    pacing.skip();
    pacing.add(news("one", 5000));
    pacing.add(news("two", 5000));
    pacing.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual(["one", "two"]);
    await vi.advanceTimersByTimeAsync(4999);
    expect(states.at(-1)).toBe("telling");
    await vi.advanceTimersByTimeAsync(1);
    expect(states.at(-1)).toBe("settled");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("what waits is known and can be forgotten", async () => {
    const { pacing, shown } = staged();
    expect(pacing.last).toBeUndefined();
    for (const name of ["one", "two", "three"]) pacing.add(news(name));
    expect(pacing.last?.name).toBe("three");
    pacing.clear();
    expect(pacing.last).toBeUndefined();
    await vi.runAllTimersAsync();
    expect(shown).toEqual(["one"]);
  });
});
