import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { FakeTable } from "$test/table";
import { Intent, REGRET } from "./intent.svelte";

let table: FakeTable;
let accepted: number;
let intent: Intent;

beforeEach(() => {
  vi.useFakeTimers();
  table = new FakeTable({ legal: ["a", "b"], decision: 7 });
  accepted = 0;
  intent = new Intent(
    () => table,
    () => (accepted += 1),
  );
});

afterEach(() => vi.useRealTimers());

test("an act is sent after a second, once, with what is said", async () => {
  intent.begin("a", "hello");
  await vi.advanceTimersByTimeAsync(REGRET - 1);
  expect([table.played, intent.action]).toEqual([[], "a"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(table.played).toEqual([["a", "hello"]]);
  expect([intent.action, accepted]).toEqual([null, 1]);
  await vi.advanceTimersByTimeAsync(10 * REGRET);
  expect(table.played).toHaveLength(1);
});

test("taken back in time, it is never sent", async () => {
  intent.begin("a");
  await vi.advanceTimersByTimeAsync(REGRET - 1);
  intent.takeBack();
  await vi.advanceTimersByTimeAsync(10 * REGRET);
  expect([table.played, intent.action, accepted]).toEqual([[], null, 0]);
});

test("another act takes its place, with a second of its own", async () => {
  intent.begin("a");
  await vi.advanceTimersByTimeAsync(REGRET - 1);
  intent.begin("b");
  await vi.advanceTimersByTimeAsync(REGRET - 1);
  expect(table.played).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(table.played).toEqual([["b", undefined]]);
});

test.each([8, null])("it is not sent when the decision is %j meanwhile", async (decision) => {
  intent.begin("a");
  table.decision = decision;
  await vi.advanceTimersByTimeAsync(REGRET);
  expect([table.played, intent.action, accepted]).toEqual([[], null, 0]);
});

test("it is forgotten as soon as news of another decision come", () => {
  intent.begin("a");
  intent.follow();
  expect(intent.action, "the same decision is owed").toBe("a");
  table.decision = 8;
  intent.follow();
  expect(intent.action).toBeNull();
});

test("it is not sent where it is no longer legal", async () => {
  intent.begin("a");
  table.legal = ["b"];
  await vi.advanceTimersByTimeAsync(REGRET);
  expect([table.played, intent.action]).toEqual([[], null]);
});

test("an act that is refused is forgotten, and nothing follows from it", async () => {
  table.accepts = false;
  intent.begin("a");
  await vi.advanceTimersByTimeAsync(REGRET);
  expect([table.played.length, intent.action, accepted]).toEqual([1, null, 0]);
});
