import { beforeEach, expect, test } from "vitest";

import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import type { LogGroup } from "$web/table/model";
import { tell } from "./log";

beforeEach(() => void (settings.language = "en"));

const FACTS = [
  news("round_began", { round: 1 }),
  news("dealt", { round: 1, cards: ["R3", "B5"] }),
  news("chose", { action: "hitman:B" }),
  news("has_chosen", { seat: 0 }),
  news("joined", { red: 0, black: 1 }),
  news("hired_unseen", { seat: 0, count: 1 }),
  news("hired_unseen", { seat: 1, count: 1 }),
  news("war_began", { seat: 1 }),
  news("played", { seat: 1, action: "r3:R3,R4,B5", number: 3 }),
  news("laid", { cards: ["B5"] }),
  news("played", { seat: 0, action: "b1:B5", number: 5 }),
  news("has_passed", { seat: 1 }),
  news("war_ended", { starter: 0 }),
  news("went_out", { seat: 0 }),
];

function told(groups: readonly LogGroup[]): string[] {
  return groups.flatMap(({ heading, lines }) => [
    `# ${heading}`,
    ...lines.map(({ text, cards }) => `${text} | ${cards.map(({ card }) => card).join(" ")}`),
  ]);
}

test("an act is one line, by turf war, and one's own are You's", () => {
  const table = new FakeTable({ game: "red-town", seat: 0, options: { form: "short" } });
  const lines = told(tell(FACTS, table));
  expect(lines.filter((line) => line.startsWith("#"))).toEqual([
    "# log-deal",
    "# log-war(war=1)",
    "# log-war(war=2)",
  ]);
  expect(lines).toHaveLength(10);
  expect(
    lines.filter((line) => line.includes("who=You")).map((line) => line.split("(")[0]),
  ).toEqual(["log-hired", "log-played", "log-out"]);
  expect(lines[2], "colours that only oneself knows").toContain("| BH");
  expect(lines[3]).not.toContain("BH");
  expect(lines[5]).toContain("| R3 R4 B5");
});

test("who has no seat is told of nobody as You", () => {
  const table = new FakeTable({ game: "red-town", seat: null, options: { form: "standard" } });
  const open = FACTS.filter((one) => !["dealt", "chose", "joined", "laid"].includes(one.fact));
  const lines = told(tell(open, table));
  expect(lines.join()).not.toContain("You");
  expect(lines[0]).toBe("# log-round(round=1)");
});

test("who is dealt sets face down is told of no cards", () => {
  const table = new FakeTable({ game: "red-town", seat: 0, options: { form: "two" } });
  const facts = [news("round_began", { round: 1 }), news("dealt", { round: 1, cards: [] })];
  expect(told(tell(facts, table))).toEqual([]);
});
