import { beforeEach, describe, expect, test, vi } from "vitest";

import { game } from "$test/games";
import { serving } from "$test/server";
import { table } from "$test/wire";
import { keyOf } from "$web/shared/keys";
import type * as wire from "$web/shared/wire";
import { asksSide, formOf, formsOf, playBots, rememberUsual, usualOf } from "./opening";
import { Plan } from "./plan.svelte";

const form: wire.OfferedOption = {
  name: "form",
  values: ["standard", "short", "two"],
  default: "standard",
  by_seats: { "2": ["two"], "3": ["standard", "short"], "4": ["standard", "short"] },
  content: false,
  form: true,
};
const shield: wire.OfferedOption = {
  name: "shield",
  values: [false, true],
  default: false,
  by_seats: {},
  content: false,
  form: false,
};
const town = game({ id: "red-town", seats: [2, 3, 4, 5], options: [form, shield] });

beforeEach(() => localStorage.clear());

describe("how somebody plays", () => {
  test("a first time is with four, or a whole table where three are needed", () => {
    expect(usualOf(game()).seats).toBe(4);
    expect(usualOf(game({ seats: [3, 4, 5, 6] })).seats).toBe(6);
    expect(usualOf(game({ seats: [2] })).seats).toBe(2);
    expect(usualOf(town), "with the form that suits it").toMatchObject({ form: "short" });
  });

  test("is as last time, as far as the game still has it", () => {
    rememberUsual("red-town", { seats: 3, bot: "master", form: "standard" });
    expect(usualOf(town)).toEqual({ seats: 3, bot: "master", form: "standard" });
    expect(usualOf({ ...town, seats: [2, 4], levels: ["a"] })).toMatchObject({
      seats: 4,
      bot: "a",
    });
    expect(usualOf(game()), "each game has its own").toMatchObject({ seats: 4, bot: "regular" });
  });

  test("forms are offered where there are several for so many seats", () => {
    expect(formsOf(town, 3)).toEqual(["standard", "short"]);
    expect(formsOf(town, 2), "one is no choice").toEqual([]);
    expect(formsOf(game(), 3)).toEqual([]);
    expect(formOf(town, { seats: 3, bot: "", form: "short" })).toBe("short");
    expect(formOf(town, { seats: 3, bot: "", form: "two" })).toBe("standard");
    expect(formOf(town, { seats: 2, bot: "", form: "short" })).toBeUndefined();
  });
});

describe("opening", () => {
  test("a match against bots is opened, its key kept, and dealt", async () => {
    const asked = serving(({ path }) =>
      path === "/api/tables" ? { table: table(), key: "k" } : {},
    );
    vi.spyOn(Math, "random").mockReturnValue(0.4); // the second of three seats
    expect(await playBots(town, { seats: 3, bot: "strong", form: "short" })).toBe("t1");
    const bot = { kind: "bot", bot: "strong" };
    expect(asked.map(({ path }) => path)).toEqual(["/api/tables", "/api/tables/t1/start"]);
    expect(asked[0]?.data).toEqual({
      game: "red-town",
      seats: 3,
      options: { form: "short" },
      chairs: [bot, { kind: "open" }, bot],
      public: false,
    });
    expect(keyOf("t1")).toBe("k");
    await playBots(game(), { seats: 2, bot: "strong" });
    expect(asked[2]?.data).toMatchObject({ options: {} });
  });

  test("the own seat is drawn, unless a side is chosen", async () => {
    const asked = serving(({ path }) =>
      path === "/api/tables" ? { table: table(), key: "k" } : {},
    );
    const own = (place: number) =>
      (asked[place]?.data as wire.NewTable).chairs?.findIndex(({ kind }) => kind === "open");
    const drawn = vi.spyOn(Math, "random");
    for (const [chance, seat] of [
      [0, 0],
      [0.99, 3],
    ] as const) {
      drawn.mockReturnValue(chance);
      await playBots(game(), { seats: 4, bot: "strong" });
      expect(own(asked.length - 2)).toBe(seat);
    }
    drawn.mockReturnValue(0);
    await playBots(game({ id: "kingdoms", seats: [2] }), { seats: 2, bot: "strong", seat: 1 });
    expect(own(asked.length - 2)).toBe(1);
  });

  test("a side is remembered where a game has sides", () => {
    const kingdoms = game({ id: "kingdoms", seats: [2] });
    expect(usualOf(kingdoms).seat).toBeUndefined();
    rememberUsual("kingdoms", { seats: 2, bot: "regular", seat: 1 });
    expect(usualOf(kingdoms).seat).toBe(1);
    rememberUsual("kingdoms", { seats: 2, bot: "regular", seat: null });
    expect(usualOf(kingdoms).seat, "either").toBeNull();
    rememberUsual("kingdoms", { seats: 2, bot: "regular", seat: 7 });
    expect(usualOf(kingdoms).seat).toBeUndefined();
    rememberUsual("red-town", { seats: 3, bot: "regular", seat: 1 });
    expect(usualOf(town).seat, "seats of this game are no sides").toBeUndefined();
  });
});

test("a side is asked for once, where a game has sides", () => {
  const usual = { seats: 2, bot: "regular" };
  expect(asksSide("kingdoms", usual)).toBe(true);
  expect(asksSide("kingdoms", { ...usual, seat: 1 })).toBe(false);
  expect(asksSide("kingdoms", { ...usual, seat: null }), "either is an answer").toBe(false);
  expect(asksSide("red-town", usual)).toBe(false);
});

describe("a plan", () => {
  test("is what is usual until something is chosen", () => {
    const plan = new Plan(town);
    expect(plan.wanted).toEqual({
      game: "red-town",
      seats: 4,
      options: { form: "standard", shield: false },
      chairs: Array(4).fill({ kind: "open" }),
      public: false,
      watch: "live",
      delay: 0,
      pace: { kind: "relaxed" },
      level: "regular",
      seating: "drawn",
    });
    expect(plan.own).toBe(0);
  });

  test("keeps options that fit the seats, and takes the usual for the rest", () => {
    const plan = new Plan(town);
    plan.set("form", "short");
    plan.set("shield", true);
    expect(plan.wanted.options).toEqual({ form: "short", shield: true });
    plan.sitDown(2);
    expect(plan.wanted.options).toEqual({ form: "two", shield: true });
    plan.set("form", { a: "set of one's own" });
    expect(plan.valueOf(form)).toEqual({ a: "set of one's own" });
  });

  test("keeps its chairs when seats come and go", () => {
    const plan = new Plan(town);
    plan.chairs[1] = "bot:strong";
    plan.chairs[2] = "link";
    plan.sitDown(3);
    plan.sitDown(5);
    expect(plan.chairs).toEqual(["open", "bot:strong", "link", "open", "open"]);
    expect(plan.wanted.chairs?.[2], "a link to a private table is every seat").toEqual({
      kind: "open",
    });
    plan.public = true;
    expect(plan.wanted.chairs?.slice(1, 3)).toEqual([
      { kind: "bot", bot: "strong" },
      { kind: "link" },
    ]);
  });

  test("draws who sits where, unless seats are sides or it is wanted otherwise", () => {
    const plan = new Plan(town);
    expect(plan.wanted.seating).toBe("drawn");
    plan.seating = "fixed";
    expect(plan.wanted.seating).toBe("fixed");
    plan.choose(game({ id: "kingdoms", seats: [2] }));
    expect(plan.wanted.seating, "sides are chosen").toBe("fixed");
    plan.choose(town);
    expect(plan.wanted.seating).toBe("drawn");
  });

  test("of another game forgets what does not fit it", () => {
    const plan = new Plan(town);
    plan.set("shield", true);
    plan.sitDown(3);
    plan.chairs[1] = "bot:strong";
    plan.choose(game({ seats: [3, 4], levels: ["solved"] }));
    expect([plan.seats, plan.options, plan.level]).toEqual([3, {}, "solved"]);
    expect(plan.chairs, "this bot does not play it").toEqual(["open", "open", "open"]);
    plan.choose(game({ seats: [2] }));
    expect(plan.seats).toBe(2);
  });

  test("says how fast and who may watch", () => {
    const plan = new Plan(town);
    Object.assign(plan, { pace: "clock", seconds: 30, bank: 60, watch: "delayed" });
    expect(plan.wanted).toMatchObject({
      pace: { kind: "clock", seconds: 30, bank: 60 },
      watch: "delayed",
      delay: 10,
    });
    Object.assign(plan, { pace: "days", days: 2, watch: "off" });
    expect(plan.wanted).toMatchObject({ pace: { kind: "days", days: 2 }, watch: "off", delay: 0 });
    plan.chairs = plan.chairs.map(() => "bot:strong");
    expect([plan.own, plan.wanted.watch], "among bots one can only watch").toEqual([null, "live"]);
  });
});
