import { beforeEach, describe, expect, test, vi } from "vitest";

import { game } from "$test/games";
import { rememberUsual, usualOf } from "$web/lobby/opening";
import { knownAt, rememberAt } from "$web/table/away";
import { acknowledged, heard, shown, witnessOf } from "$web/verify/witness";
import { addressOf, keyOf, rememberKey } from "./keys";
import { isNumber, isRecord, isText, listOf, pairWith, recordOf, store, stored } from "./storage";

/** Possible content under one of our keys: nothing, or something other than what was written. */
const WRONG: Record<string, unknown> = {
  "zashiki.away": [["a table", "many"], null],
  "zashiki.keys": [["a table", 5], ["a table"]],
  "zashiki.witness": [{ table: 5 }],
  "zashiki.witness.a table": { witness: 1, table: "a table", seat: 0 },
  "zashiki.usual": { "some-game": { seats: "all", bot: 5, form: [] }, other: null },
};

beforeEach(() => localStorage.clear());

const full = { getItem: () => null, setItem: refuse, removeItem: refuse };
function refuse(): never {
  throw new DOMException("full", "QuotaExceededError");
}

/** All modules that store data per table or game work as if nothing had been stored. */
function expectToWork(): void {
  expect(knownAt("a table")).toBe(0);
  expect(keyOf("a table")).toBeNull();
  expect(witnessOf("a table")).toBeNull();
  expect(usualOf(game())).toEqual({ seats: 4, bot: "regular", form: undefined });
  rememberAt("a table", 3);
  rememberKey("a table", "key");
  rememberUsual("some-game", { seats: 2, bot: "strong" });
  const { nonce } = shown("a table", 1, "c", null);
  expect(knownAt("a table")).toBe(3);
  expect(keyOf("a table")).toBe("key");
  expect(usualOf(game())).toMatchObject({ seats: 2, bot: "strong" });
  expect(witnessOf("a table")).toMatchObject({ commitments: ["c"], seat: 1, nonce, told: [] });
}

describe("the pages work", () => {
  test("with nothing kept", expectToWork);

  test.each([
    ["nulls", () => null],
    ["numbers", () => 5],
    ["something wrong within", (key: string) => WRONG[key]],
  ])("with %s kept", (_, value) => {
    for (const key of Object.keys(WRONG)) localStorage.setItem(key, JSON.stringify(value(key)));
    expectToWork();
  });

  test("with what is no JSON", () => {
    for (const key of Object.keys(WRONG)) localStorage.setItem(key, "{");
    expectToWork();
  });

  test("where the browser keeps nothing, for as long as the page is open", async () => {
    vi.resetModules();
    vi.stubGlobal("localStorage", full);
    const fresh = await import("./storage");
    fresh.store("k", 1);
    expect(fresh.stored("k", isNumber, 0)).toBe(1);
    expect(fresh.stored("other", isNumber, 0)).toBe(0);
    vi.unstubAllGlobals();
    fresh.store("k", 2);
    expect(localStorage.getItem("k"), "once there is room it is kept").toBe("2");
    expect(fresh.stored("k", isNumber, 0)).toBe(2);
  });

  test("where the browser refuses its storage altogether", async () => {
    vi.resetModules();
    const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    Object.defineProperty(globalThis, "localStorage", { get: refuse, configurable: true });
    try {
      const fresh = await import("./storage");
      expect(fresh.stored("k", isText, "otherwise")).toBe("otherwise");
      fresh.store("k", "kept");
      expect(fresh.stored("k", isText, "otherwise")).toBe("kept");
      fresh.drop("k");
      expect(fresh.stored("k", isText, "otherwise")).toBe("otherwise");
    } finally {
      if (before) Object.defineProperty(globalThis, "localStorage", before);
    }
  });
});

describe("what is remembered", () => {
  test("is the newest of each table, and not for ever", () => {
    for (let number = 0; number < 60; number += 1) {
      rememberAt(`t${number}`, number);
      rememberKey(`t${number}`, `k${number}`);
    }
    rememberAt("t59", 100);
    rememberKey("t59", "new");
    expect([knownAt("t59"), knownAt("t10"), knownAt("t9")]).toEqual([100, 10, 0]);
    expect([keyOf("t59"), keyOf("t20"), keyOf("t19")]).toEqual(["new", "k20", null]);
  });

  test("of deals the newest fifty, each with its own nonce", () => {
    const nonces = Array.from(
      { length: 51 },
      (_, number) => shown(`t${number}`, 0, "c", null).nonce,
    );
    expect(new Set(nonces).size).toBe(51);
    expect([witnessOf("t0"), witnessOf("t1")?.nonce]).toEqual([null, nonces[1]]);
    expect(localStorage.getItem("zashiki.witness.t0")).toBeNull();
    expect(shown("t50", 0, "c", ["a"]).nonce, "a table keeps its nonce").toBe(nonces[50]);
  });

  test("nothing of a deal at which this browser did not sit", () => {
    acknowledged("t1", "accepted", "00");
    heard("t1", 0, 1, [{ own: true, fact: "dealt", with: {} }]);
    expect(witnessOf("t1")).toBeNull();
    shown("t1", 0, "c", null);
    heard("t1", null, 1, [{ own: false, fact: "began", with: {} }]);
    heard("t1", 0, 2, [{ own: false, fact: "a gap", with: {} }]);
    expect(witnessOf("t1")?.told).toEqual([]);
  });

  test("an address has the key of its table", () => {
    rememberKey("t1", "a b&c");
    expect(addressOf("t1")).toBe("/table/t1?key=a%20b%26c");
    expect(addressOf("t2")).toBe("/table/t2");
  });
});

test("shapes", () => {
  store("k", { a: [["x", 1]] });
  expect(stored("k", recordOf(listOf(pairWith(isNumber))), {})).toEqual({ a: [["x", 1]] });
  expect(stored("k", recordOf(listOf(pairWith(isText))), {})).toEqual({});
  expect([isRecord({}), isRecord([]), isRecord(null), isRecord("")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(pairWith(isText)(["a", "b", "c"])).toBe(false);
  expect(pairWith(isText)([1, "b"])).toBe(false);
  expect(listOf(isText)({ 0: "a" })).toBe(false);
});
