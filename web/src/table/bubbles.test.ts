import { describe, expect, it } from "vitest";

import { covered, placed, readingTime, type Box } from "./bubbles";

const stage = { left: 0, top: 44, width: 390, height: 600 };
const size = { width: 160, height: 40 };
const seat = { left: 200, top: 60, width: 180, height: 50 };

function around(controls: Box[] = [], seats: Box[] = []) {
  return { controls, seats };
}

describe("the place of a bubble", () => {
  it("is below its seat, in the middle, where nothing is in the way", () => {
    expect(placed(seat, size, stage, around())).toEqual({ side: "below", left: 210, top: 118 });
  });

  it("does not depend on where the bubble is now", () => {
    const now = { ...size, left: 0, top: 44 };
    const badges = around([], [{ left: 0, top: 44, width: 195, height: 66 }]);
    expect(placed(seat, now, stage, badges)).toEqual(placed(seat, size, stage, badges));
    expect(placed(seat, now, stage, badges).side).toBe("below");
  });

  it("stays inside the stage", () => {
    const edge = { left: 330, top: 60, width: 60, height: 50 };
    expect(placed(edge, size, stage, around()).left).toBe(390 - size.width);
  });

  it("avoids controls, and takes the next side that is free", () => {
    const button = { left: 180, top: 112, width: 200, height: 44 };
    const found = placed(seat, size, stage, around([button]));
    expect(found.side).not.toBe("below");
    expect(covered({ ...found, ...size }, [button])).toBe(0);
  });

  it("covers its own seat rather than a control", () => {
    const everywhere = [
      { left: 0, top: 112, width: 390, height: 532 },
      { left: 0, top: 44, width: 195, height: 70 },
    ];
    const found = placed(seat, size, stage, around(everywhere));
    expect(covered({ ...found, ...size }, [seat])).toBeGreaterThan(0);
    expect(covered({ ...found, ...size }, everywhere)).toBe(0);
  });

  it("covers another seat rather than a control, where it must cover one", () => {
    const near = { left: 0, top: 44, width: 195, height: 66 };
    const board = { left: 0, top: 112, width: 390, height: 532 };
    const wide = { width: 240, height: 60 };
    const found = placed(seat, wide, stage, around([board], [near]));
    expect(covered({ ...found, ...wide }, [board])).toBe(0);
  });

  it("is above a seat at the lower edge", () => {
    const low = { left: 100, top: 590, width: 180, height: 50 };
    expect(placed(low, size, stage, around())).toEqual({ side: "above", left: 110, top: 542 });
  });
});

it("shows a long line longer, and none for ever", () => {
  expect(readingTime("Ha!")).toBeLessThan(readingTime("It goes on and on."));
  expect(readingTime("x".repeat(300))).toBe(8000);
});
