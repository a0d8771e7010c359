import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { FakeTable } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import { AutoActs, BEAT, type Watched } from "./autoActs.svelte";
import type { News, Passing } from "./model";

class LiveTable extends FakeTable implements Watched {
  settled = true;
  telling = false;
  state = "open";
}

const PASSING: Passing = {
  action: "pass",
  ends: ["war_ended"],
  label: (table) => table.say("pass-ahead"),
  isOffered: (table) => table.view.phase === "turn",
};

let table: LiveTable;
let acts: AutoActs;

const played = () => table.played.map(([action]) => action);
const fact = (n: number, name: string): News => ({ n, own: false, fact: name, with: {}, text: "" });
const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers();
  settings.asksAlways = false;
  table = new LiveTable({ legal: ["only"], decision: 3, view: { phase: "turn" } });
  acts = new AutoActs(
    () => table,
    () => PASSING,
  );
});

afterEach(() => {
  acts.stop();
  vi.useRealTimers();
});

test("the only answer is given after a beat, once", async () => {
  acts.follow();
  await wait(BEAT - 1);
  expect([played(), acts.coming]).toEqual([[], "only"]);
  acts.follow(); // news that change nothing do not restart the delay
  await wait(1);
  expect([played(), acts.coming]).toEqual([["only"], null]);
  acts.follow();
  await wait(10 * BEAT);
  expect(played()).toEqual(["only"]);
});

test("where there is a choice, nothing is done", async () => {
  table.legal = ["a", "b"];
  acts.follow();
  await wait(10 * BEAT);
  expect([played(), acts.coming]).toEqual([[], null]);
});

test("whoever wants to be asked always is asked", async () => {
  settings.asksAlways = true;
  acts.follow();
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test.each<[string, Partial<LiveTable>]>([
  ["in a replay", { isReplay: true }],
  ["after the end", { over: true }],
  ["while a story is told", { telling: true }],
  ["while something moves", { settled: false }],
  ["while a play is on its way", { busy: true }],
  ["without a connection", { state: "lost" }],
  ["where nothing is owed", { decision: null }],
])("nothing is done %s", async (_, change) => {
  Object.assign(table, change);
  acts.follow();
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("nothing is done for whoever a bot plays for", async () => {
  table.people = table.people.map((person) => ({ ...person, standIn: "regular" }));
  acts.follow();
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("a decision that is gone when the beat is over is not answered", async () => {
  acts.follow();
  await wait(BEAT / 2);
  table.decision = 4; // without any news: `follow` was not called
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("the next decision has a beat of its own", async () => {
  acts.follow();
  await wait(BEAT / 2);
  table.decision = 4;
  acts.follow();
  await wait(BEAT / 2);
  expect(played()).toEqual([]);
  await wait(BEAT / 2);
  expect(played()).toEqual(["only"]);
});

test("what is not legal any more is not done", async () => {
  acts.follow();
  table.legal = ["other", "another"];
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("a refused answer is not given again", async () => {
  table.accepts = false;
  acts.follow();
  await wait(BEAT);
  acts.follow();
  await wait(10 * BEAT);
  expect(played()).toEqual(["only"]);
});

test("passing said ahead lasts until the next turf war", async () => {
  table.legal = [];
  table.decision = null;
  table.past = [fact(1, "war_ended"), fact(2, "played")];
  acts.pass(true);
  await wait(10 * BEAT);
  expect([played(), acts.isPassing]).toEqual([[], true]);
  Object.assign(table, { legal: ["a", "b", "pass"], decision: 5 });
  acts.follow();
  await wait(BEAT);
  expect(played()).toEqual(["pass"]);
  table.past = [...table.past, fact(3, "passed"), fact(4, "war_ended")];
  table.decision = 6;
  acts.follow();
  await wait(10 * BEAT);
  expect([played(), acts.isPassing]).toEqual([["pass"], false]);
});

test("passing said ahead can be taken back in the beat", async () => {
  Object.assign(table, { legal: ["a", "pass"], decision: 5 });
  acts.pass(true);
  await wait(BEAT / 2);
  acts.pass(false);
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("passing said ahead does nothing where a pass is not legal", async () => {
  Object.assign(table, { legal: ["a", "b"], decision: 5 });
  acts.pass(true);
  await wait(10 * BEAT);
  expect(played()).toEqual([]);
});

test("passing is offered by the game, and always to take it back", () => {
  expect(acts.isOffered).toBe(true);
  table.view = { phase: "decide" };
  expect(acts.isOffered).toBe(false);
  acts.pass(true);
  expect(acts.isOffered).toBe(true);
  table.seat = null;
  expect(acts.isOffered).toBe(false);
});
