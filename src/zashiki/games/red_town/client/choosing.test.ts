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
    expect(choosing.proposal).toEqual({ location: "r2", number: 1, all: 2 });
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R4,BH");
    expect(choosing.proposal).toEqual({ location: "r2", number: 2, all: 2 });
    choosing.press("r2");
    expect(choosing.ready).toBe("r2:R3,R4");
    choosing.press("b2");
    expect(choosing.ready).toBe("b2:B3,BH");
    expect(table.played).toEqual([]);
  });

  test("proposes what needs no Hitman before what does, whatever is legal first", () => {
    offering("b2:B3,BH", "b2:B5,B5", "b2:B4,B4");
    table.view = { hand: ["B3", "B4", "B4", "B5", "B5", "BH"], supply: ["", 0] };
    choosing = new Choosing(() => table);
    const proposed = [1, 2, 3].map(() => [choosing.press("b2"), choosing.ready][1]);
    expect(proposed).toEqual(["b2:B4,B4", "b2:B5,B5", "b2:B3,BH"]);
  });

  test("takes the cards that were picked for it, and its only proposal when pressed again", () => {
    choosing.pick("R3-0");
    choosing.pick("R4-0");
    choosing.press("r2");
    expect(table.played).toEqual([["r2:R3,R4", undefined]]);
    offering("b2:B3,BH");
    choosing.press("b2");
    expect(choosing.proposal).toEqual({ location: "b2", number: 1, all: 1 });
    expect(table.played).toEqual([]);
    choosing.press("b2");
    expect(table.played).toEqual([["b2:B3,BH", undefined]]);
  });

  test("has nothing to say where nothing is picked and nothing is asked", () => {
    expect(choosing.press("r1")).toBe(false);
    offering();
    choosing.pick("R3-0");
    expect(choosing.press("r1")).toBe(false);
    expect([table.doubted, choosing.cards]).toEqual([[], ["R3"]]);
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

describe("cards that are drawn to a location", () => {
  beforeEach(() => void offering("r1:R3", "r2:R3,R4", "r2:R4,BH", "pass"));

  test("are played there", () => {
    choosing.take(["R4-0", "R3-1"]);
    choosing.drop("r2");
    expect(table.played).toEqual([["r2:R3,R4", undefined]]);
  });

  test("are joined by what is missing, and then wait", () => {
    choosing.take(["R4-0"]);
    choosing.drop("r2");
    expect([choosing.ready, table.played]).toEqual(["r2:R3,R4", []]);
  });

  test("are refused with a reason, which goes once something else is picked", () => {
    choosing.take(["B3-0"]);
    choosing.drop("r1");
    expect([table.doubted, table.played]).toEqual([["r1:B3"], []]);
    const before = table.dismissed;
    choosing.pick("R3-0");
    expect(table.dismissed).toBe(before + 1);
  });

  test("stay picked while others think", () => {
    offering();
    choosing.take(["R3-0"]);
    choosing.drop("r1");
    expect([choosing.cards, table.played, table.doubted]).toEqual([["R3"], [], []]);
  });
});

describe("a card that is pressed twice", () => {
  test("is played alone, or with the only cards that it goes with", () => {
    offering("r1:R3", "r2:R3,R4", "b2:B3,BH");
    choosing.pressTwice("R3-1");
    choosing.pressTwice("B3-0");
    expect(table.played.map(([action]) => action)).toEqual(["r1:R3", "b2:B3,BH"]);
  });

  test("is only proposed where there are several ways, and does nothing where there is none", () => {
    offering("r2:R4,BH", "r2:R3,R4");
    choosing.pressTwice("R4-0");
    expect([choosing.ready, table.played]).toEqual(["r2:R3,R4", []]);
    choosing.clear();
    choosing.pressTwice("B3-0");
    choosing.pressTwice("no such card");
    expect([choosing.cards, table.played]).toEqual([[], []]);
  });

  test("is discarded where one is", () => {
    offering("discard:R3", "keep");
    choosing.pressTwice("R3-0");
    expect(table.played).toEqual([["discard:R3", undefined]]);
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

  test("Hitmen are hired, as many as are asked for", () => {
    offering("hitmen:R", "hitmen:RB");
    choosing.hire(1);
    expect(choosing.ready).toBeNull();
    choosing.hire(0);
    expect([choosing.supply, choosing.ready]).toEqual(["RB", "hitmen:RB"]);
    choosing.forget();
    expect(choosing.isHired(0)).toBe(false);
    expect(choosing.isHired(5)).toBe(false);
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
