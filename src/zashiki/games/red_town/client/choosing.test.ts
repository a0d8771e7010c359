import { beforeEach, describe, expect, test, vi } from "vitest";

import { FakeTable } from "$test/table";

import { Choosing, held } from "./choosing.svelte";

const HAND = ["R3", "R3", "R4", "B3", "BH"];

let table: FakeTable;
let choosing: Choosing;

function offering(...legal: string[]): Choosing {
  table = new FakeTable({ game: "red-town", legal, view: { hand: HAND, supply: ["RB", 2] } });
  choosing = new Choosing(() => table);
  return choosing;
}

beforeEach(() => {
  vi.stubGlobal("CSS", { escape: (text: string) => text });
  Object.assign(document, { querySelector: () => null });
});

test("equal cards differ by a number", () => {
  expect(held(HAND).map(({ id }) => id)).toEqual(["R3-0", "R3-1", "R4-0", "B3-0", "BH-0"]);
});

describe("cards", () => {
  beforeEach(() => void offering("pass", "r1:R3", "r2:R3,R4", "b2:B3,BH", "r2:R4,BH"));

  test("are picked and put back, and make a play", () => {
    choosing.pick("R3-1");
    expect([choosing.cards, choosing.ready]).toEqual([["R3"], "r1:R3"]);
    choosing.pick("R4-0");
    expect([choosing.ready, choosing.isPicked("R3-1")]).toEqual(["r2:R3,R4", true]);
    choosing.pick("R3-1");
    expect([choosing.cards, choosing.ready]).toEqual([["R4"], null]);
    expect(choosing.open.map((play) => play.action)).toEqual(["r2:R3,R4", "r2:R4,BH"]);
    choosing.clear();
    expect(choosing.cards).toEqual([]);
  });

  test("are useful if some play has them with what is picked", () => {
    const useful = () => choosing.hand.filter((one) => choosing.isUseful(one)).map(({ id }) => id);
    expect(useful()).toEqual(["R3-0", "R3-1", "R4-0", "B3-0", "BH-0"]);
    choosing.pick("B3-0");
    expect(useful()).toEqual(["B3-0", "BH-0"]);
  });

  test("that no location takes leave one stuck", () => {
    expect(choosing.isStuck).toBe(false);
    choosing.pick("B3-0");
    expect(choosing.isStuck).toBe(false);
    choosing.pick("R4-0");
    expect([choosing.isStuck, choosing.open]).toEqual([true, []]);
  });

  test("that are gone from the hand are not picked any more", () => {
    choosing.pick("R4-0");
    offering("r1:R3");
    expect(choosing.cards).toEqual([]);
  });
});

describe("a location", () => {
  beforeEach(() => void offering("r2:R3,R4", "r2:R4,BH", "b2:B3,BH", "pass"));

  test("proposes its plays one after the other", () => {
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R3,R4");
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R4,BH");
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R3,R4");
    choosing.press("b2");
    expect(choosing.ready).toBe("b2:B3,BH");
  });

  test("proposes only what has all that was picked by hand", () => {
    choosing.pick("BH-0");
    choosing.press("r2");
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R4,BH");
  });

  test("says why it takes nothing, if something is picked", () => {
    choosing.press("r1");
    expect(table.doubted).toEqual([]);
    choosing.pick("B3-0");
    choosing.pick("R4-0");
    choosing.press("r1");
    choosing.ask();
    expect(table.doubted).toEqual(["r1:R4,B3", "r2:R4,B3"]);
  });
});

describe("other decisions", () => {
  test("a discard is one card", () => {
    offering("discard:R3", "discard:BH");
    choosing.pick("R3-0");
    choosing.pick("BH-0");
    expect([choosing.cards, choosing.ready]).toEqual([["BH"], "discard:BH"]);
    expect(choosing.hand.filter((one) => choosing.isUseful(one)).map(({ id }) => id)).toEqual([
      "R3-0",
      "R3-1",
      "BH-0",
    ]);
  });

  test("Hitmen are hired one at a time, or as many as are asked for", () => {
    offering("hitman:R", "hitman:B");
    choosing.hire(0);
    choosing.hire(1);
    expect([choosing.isHired(0), choosing.ready]).toEqual([false, "hitman:B"]);
    choosing.hire(1);
    expect(choosing.ready).toBeNull();
    offering("hitmen:R", "hitmen:RB");
    choosing.hire(1);
    choosing.hire(0);
    expect([choosing.supply, choosing.ready]).toEqual(["RB", "hitmen:RB"]);
    choosing.forget();
    expect(choosing.isHired(0)).toBe(false);
    expect(choosing.isHired(5)).toBe(false);
  });

  test("a tile is chosen and put back", () => {
    offering("confirm:yes", "confirm:no");
    choosing.choose("confirm:yes");
    expect([choosing.isChosen("confirm:yes"), choosing.ready]).toEqual([true, "confirm:yes"]);
    choosing.choose("confirm:yes");
    expect(choosing.ready).toBeNull();
    choosing.choose("nothing that is legal");
    expect(choosing.ready).toBeNull();
  });

  test("where nothing is to be decided everything is useful, where one can only pass nothing", () => {
    offering();
    expect(choosing.hand.every((one) => choosing.isUseful(one))).toBe(true);
    offering("pass");
    expect(choosing.hand.some((one) => choosing.isUseful(one))).toBe(false);
  });

  test("who watches has no supply", () => {
    table = new FakeTable({ seat: null, view: { supply: [2, "R"] } });
    expect(new Choosing(() => table).supply).toBe("");
    table = new FakeTable({ seat: 0, view: { supply: [2, "R"] } });
    expect(new Choosing(() => table).supply, "how many is no colour").toBe("");
  });
});

test("what was done is forgotten once it is accepted", async () => {
  offering("r1:R3");
  choosing.pick("R3-0");
  table.accepts = false;
  await choosing.do("r1:R3");
  expect(choosing.cards).toEqual(["R3"]);
  table.accepts = true;
  await choosing.do("r1:R3");
  expect(choosing.cards).toEqual([]);
  expect(table.played.map(([action]) => action)).toEqual(["r1:R3", "r1:R3"]);
});
