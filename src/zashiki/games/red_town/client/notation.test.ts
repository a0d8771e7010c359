import { describe, expect, test } from "vitest";

import { actionsOf, goldenNames } from "$test/goldens";
import { FakeTable, news } from "$test/table";

import { dwell, score, verdict } from "./index";
import { listed, nameOf } from "./names";
import {
  byColour,
  byNumber,
  DEMANDS,
  isPart,
  isSame,
  likeliest,
  LOCATIONS,
  playsIn,
  written,
} from "./notation";
import { clockwise, colourOf, hitmenIn, numberOf } from "./view";

describe("plays", () => {
  test("are those actions that name a location and cards", () => {
    const actions = ["pass", "r2:R3,R4", "discard:R3", "b1:BH", "confirm:yes", "r1"];
    expect(playsIn(actions)).toEqual([
      { action: "r2:R3,R4", location: "r2", cards: ["R3", "R4"] },
      { action: "b1:BH", location: "b1", cards: ["BH"] },
    ]);
  });

  test("are written red before black, rising, Hitmen after the numbers of their colour", () => {
    expect(written("r3", ["BH", "R10", "B2", "RH", "R3"])).toBe("r3:R3,R10,RH,B2,BH");
    expect(written("b1", [])).toBe("b1:");
  });

  test.each(goldenNames("red-town-"))("of %s are written as they were read", (name) => {
    const plays = playsIn(actionsOf(name));
    expect(plays.length).toBeGreaterThan(0);
    for (const { action, location, cards } of plays) {
      expect(written(location, cards.toReversed())).toBe(action);
      expect(cards.length, "a tile shows how many cards it takes").toBe(
        DEMANDS[location]?.cards.length,
      );
      const wanted = DEMANDS[location]?.cards.filter((colour) => colour !== "either") ?? [];
      const colours = cards.map(colourOf);
      expect(isPart(wanted, colours), `${action} has the colours that its tile shows`).toBe(true);
    }
  });

  test("every location has its demand", () => {
    expect(Object.keys(DEMANDS).sort()).toEqual([...LOCATIONS].sort());
  });
});

describe("cards", () => {
  test("are counted, each as often", () => {
    expect(isPart(["R3", "R3"], ["R3", "B3", "R3"])).toBe(true);
    expect(isPart(["R3", "R3"], ["R3", "B3"])).toBe(false);
    expect([isSame(["R3", "B3"], ["B3", "R3"]), isSame(["R3"], ["R3", "R3"])]).toEqual([
      true,
      false,
    ]);
  });

  test("are sorted by colour or by number", () => {
    const hand = ["BH", "B2", "RH", "R10", "R2", "B10"];
    expect(hand.toSorted(byColour)).toEqual(["R2", "R10", "RH", "B2", "B10", "BH"]);
    expect(hand.toSorted(byNumber)).toEqual(["R2", "B2", "R10", "B10", "RH", "BH"]);
  });

  test("have a colour, and a number unless they are Hitmen", () => {
    expect([colourOf("R10"), colourOf("BH")]).toEqual(["R", "B"]);
    expect([numberOf("R10"), numberOf("BH")]).toEqual([10, null]);
    expect(hitmenIn("RBB")).toEqual(["RH", "BH", "BH"]);
    expect(hitmenIn(2)).toEqual([null, null]);
    expect(clockwise(4, 2)).toEqual([2, 3, 0, 1]);
  });

  test("look most like being meant for a location", () => {
    const meant = [
      ["R3"],
      ["B3"],
      ["R3", "B3"],
      ["B3", "B3", "R3"],
      Array(6).fill("R1") as string[],
      [],
    ];
    expect(meant.map(likeliest)).toEqual(["r1", "b1", "r2", "b3", "r4", "r1"]);
  });

  test("have names in the words of the game", () => {
    const table = new FakeTable();
    expect(listed(table, ["R3", "B10", "RH", null])).toBe(
      "card-red(number=3), card-black(number=10), R, card-back",
    );
    expect(nameOf(table, "BH")).toBe("B");
  });
});

describe("how long news are looked at", () => {
  test("is the longest of them, for they are seen at once", () => {
    expect(dwell([news("has_passed"), news("boss_lost"), news("played")])).toBe(2800);
    expect(dwell([news("anything")])).toBe(120);
    expect(dwell([])).toBe(0);
  });
});

describe("how it ended", () => {
  const outcome = { ranks: [1, 3, 2, 3], scores: [0, 2, 1, 2] };

  test("names who lost, or in the short form first and last", () => {
    const table = new FakeTable({ outcome });
    expect(verdict?.(table)).toBe("end-boss(names=Ben, Dai)");
    expect(score?.(table, 1)).toBe("end-score(count=2)");
    table.options = { form: "short" };
    expect(verdict?.(table)).toBe("end-short(first=Aki; last=Ben, Dai)");
    expect(score?.(table, 1)).toBe("");
  });
});
