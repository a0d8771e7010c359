import { describe, expect, test } from "vitest";

import { actionsOf, goldenNames } from "$test/goldens";
import { FakeTable, news } from "$test/table";

import { asked, decisive, dwell, score, verdict } from "./index";
import { listed, nameOf, saidHitmen } from "./names";
import {
  byColour,
  byNumber,
  byWorth,
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

  test("are proposed with the fewest Hitmen, the most cards, the lowest number first", () => {
    const actions = ["r1:RH", "r2:R3,RH", "r1:R9", "r2:R8,R9", "r2:R3,R4", "r2:R4,RH", "r2:RH,RH"];
    expect(
      playsIn(actions)
        .sort(byWorth)
        .map(({ action }) => action),
    ).toEqual(["r2:R3,R4", "r2:R8,R9", "r1:R9", "r2:R3,RH", "r2:R4,RH", "r1:RH", "r2:RH,RH"]);
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
    expect(listed(table, ["R3", "B10", "RH", null])).toBe("R3, B10, R, card-back");
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

describe("what is asked", () => {
  test("says so where one can only pass", () => {
    expect(asked?.(new FakeTable({ legal: ["pass"] }))).toBe("only-pass");
    expect(asked?.(new FakeTable({ legal: ["pass", "r1:R3"] }))).toBe("");
    expect(asked?.(new FakeTable({ legal: ["keep"] }))).toBe("");
  });

  test("does not offer a pass to the player who leads", () => {
    const view = { phase: "turn" };
    expect(asked?.(new FakeTable({ view, legal: ["r1:R3", "b1:B3"] }))).toBe("lead");
    expect(asked?.(new FakeTable({ view, legal: ["pass", "r1:R3"] }))).toBe("");
    expect(asked?.(new FakeTable({ view, legal: [] }))).toBe("");
  });
});

describe("Hitmen", () => {
  test("are said by colour, or how many where colours are hidden", () => {
    const table = new FakeTable();
    expect(saidHitmen(table, "RB", "supply")).toBe("listed(what=supply; list=R, B)");
    expect(saidHitmen(table, 2, "hitmen_held")).toBe("count(what=hitmen_held; count=2)");
    expect([saidHitmen(table, "", "supply"), saidHitmen(table, 0, "supply")]).toEqual(["", ""]);
  });
});

describe("how it ended", () => {
  const outcome = { ranks: [1, 3, 2, 3], scores: [0, 2, 1, 2] };

  test("names who lost, or in the short form first and last", () => {
    const view = { out: [0, 2], hand: ["B11", "BH", "B3"] };
    const table = new FakeTable({ outcome, view, seat: null });
    expect(verdict?.(table)).toBe("end-boss(names=Ben, Dai)");
    expect(score?.(table, 1)).toBe("end-score(count=2)");
    table.options = { form: "short" };
    expect(verdict?.(table)).toBe("end-short(first=Aki; last=Ben, Dai)");
    expect(score?.(table, 1)).toBe("");
  });

  test("says what became of who asks, and which card stayed", () => {
    const view = { out: [0, 2], hand: ["B11", "BH", "B3"] };
    const table = new FakeTable({ outcome, view, options: { form: "short" } });
    const ended = (seat: number) => verdict?.(Object.assign(table, { seat }));
    expect(ended(0)).toBe("end-mine-first");
    expect(ended(2)).toBe("end-mine-after(names=Aki)");
    expect(ended(1)).toBe("end-mine-left-more(card=B3; count=3)");
    table.view = { out: [0, 2], hand: ["B3"] };
    expect(ended(1)).toBe("end-mine-left(card=B3)");
    table.view = { out: [0, 2] };
    expect(ended(1)).toBe("end-mine-last");
    table.options = { form: "standard" };
    expect(ended(0)).toBe("end-mine-boss(names=Ben, Dai)");
  });

  test("was decided where a seat went out, or at the last decision of who did not", () => {
    const out = (seat: number) => ({ seat, facts: [news("went_out", { seat })] });
    const none = { seat: 1, facts: [news("has_passed", { seat: 1 })] };
    const steps = [{ seat: null, facts: [] }, none, out(0), none, out(2), none];
    expect(decisive?.(steps, 0)).toBe(1);
    expect(decisive?.(steps, 1)).toBeUndefined();
    expect(decisive?.(steps, null)).toBe(3);
    expect(decisive?.([none], 0)).toBeUndefined();
  });
});
