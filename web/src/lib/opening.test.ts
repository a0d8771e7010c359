import { beforeEach, describe, expect, test } from "vitest";

import { game } from "$test/games";
import { serving } from "$test/server";
import { table } from "$test/wire";
import { keyOf } from "./keys";
import { formOf, formsOf, playBots, rememberUsual, usualOf } from "./opening";
import { Plan } from "./plan.svelte";
import type * as wire from "./wire";

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
    expect(await playBots(town, { seats: 3, bot: "strong", form: "short" })).toBe("t1");
    const bot = { kind: "bot", bot: "strong" };
    expect(asked.map(({ path }) => path)).toEqual(["/api/tables", "/api/tables/t1/start"]);
    expect(asked[0]?.data).toEqual({
      game: "red-town",
      seats: 3,
      options: { form: "short" },
      chairs: [{ kind: "open" }, bot, bot],
      public: false,
    });
    expect(keyOf("t1")).toBe("k");
    await playBots(game(), { seats: 2, bot: "strong" });
    expect(asked[2]?.data).toMatchObject({ options: {} });
  });
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
