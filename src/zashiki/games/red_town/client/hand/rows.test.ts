import { describe, expect, test } from "vitest";

import { held } from "../choosing.svelte";
import { placed } from "./rows";

const PHONE = 384;
const DESK = 700;
const reds = (count: number) => Array.from({ length: count }, (_, place) => `R${place + 3}`);
const blacks = (count: number) => Array.from({ length: count }, (_, place) => `B${place + 3}`);

describe("the places of a hand", () => {
  test("a wide hand lies in one row, with a gap where the colour changes", () => {
    const hand = placed(held([...reds(2), ...blacks(3)]), "colour", DESK);
    expect(hand.map(({ row, place, group }) => [row, place, group])).toEqual([
      [0, 0, 0],
      [0, 1, 0],
      [0, 2, 1],
      [0, 3, 1],
      [0, 4, 1],
    ]);
    expect(hand[0]).toMatchObject({ card: "R3", steps: 4, groups: 1 });
  });

  test("a narrow one lies in two, a colour each, the lower one where one row would be", () => {
    const hand = placed(held([...reds(4), ...blacks(7)]), "colour", PHONE);
    expect(hand.filter(({ row }) => row === 1).map(({ card }) => card)).toEqual(reds(4));
    expect(hand.filter(({ row }) => row === 0).map(({ card }) => card)).toEqual(blacks(7));
    expect(hand.every(({ groups }) => groups === 0)).toBe(true);
  });

  test("few cards lie in the lower row alone", () => {
    const hand = placed(held([...reds(4), ...blacks(4)]), "colour", PHONE);
    expect(hand.map(({ row }) => row)).toEqual(Array(8).fill(0));
  });

  test("where one colour is too many, and by number, the halves are equal", () => {
    const many = placed(held([...reds(1), ...blacks(9), ...blacks(4)]), "colour", PHONE);
    expect(many.filter(({ row }) => row === 1)).toHaveLength(7);
    const sorted = placed(held(["R3", "B3", "R4", ...blacks(9).slice(2)]), "number", PHONE);
    expect(sorted.filter(({ row }) => row === 1)).toHaveLength(5);
    expect(sorted.slice(0, 3).map(({ group }) => group)).toEqual([0, 0, 1]);
  });

  test("one card has no step, and no width is one row", () => {
    expect(placed(held(["R3"]), "colour", PHONE)[0]).toMatchObject({ steps: 0, place: 0 });
    expect(placed(held([...reds(8), ...blacks(8)]), "colour", 0)[0]?.row).toBe(0);
  });
});
