import { describe, expect, test } from "vitest";

import type * as wire from "$web/shared/wire";
import {
  chosen,
  coursesOf,
  drawn,
  EVERYTHING,
  groupsOf,
  queryOf,
  rivalsOf,
  summaryOf,
} from "./statistics";

function match(rank: number, more: Partial<wire.Counted> = {}): wire.Counted {
  return {
    id: "m",
    game: "red-town",
    form: "short",
    seats: 4,
    started: 0,
    seconds: 60,
    rank,
    winners: 1,
    score: null,
    rivals: "bots",
    level: "strong",
    change: null,
    ...more,
  };
}

describe("statistics", () => {
  test("count wins, places, streaks and lengths", () => {
    const ranks = [1, 1, 2, 1, 1, 1, 4]; // newest first
    const found = summaryOf(ranks.map((rank, place) => match(rank, { seconds: place * 10 })));
    expect(found).toMatchObject({ count: 7, wins: 5, longest: 3, current: 2, seconds: 30 });
    expect(found.share).toBeCloseTo(5 / 7);
    expect(found.expected).toBeCloseTo(0.25);
    expect(found.place).toBeCloseTo(11 / 7);
    expect(summaryOf([match(1), match(1)]).current).toBe(2);
    expect(summaryOf([])).toMatchObject({ count: 0, share: 0, place: 0, longest: 0, current: 0 });
  });

  test("know what chance would give where all but one win", () => {
    expect(summaryOf([match(1, { winners: 3 })]).expected).toBeCloseTo(0.75);
  });

  test("are of what was chosen", () => {
    const all = [
      match(1),
      match(2, { game: "kingdoms", seats: 2 }),
      match(3, { rivals: "people", level: null }),
      match(4, { level: null }),
    ];
    const ranks = (filter: Partial<typeof EVERYTHING>) =>
      chosen(all, { ...EVERYTHING, ...filter }).map(({ rank }) => rank);
    expect(ranks({})).toEqual([1, 2, 3, 4]);
    expect(ranks({ game: "red-town" })).toEqual([1, 3, 4]);
    expect(ranks({ seats: "2" })).toEqual([2]);
    expect(ranks({ rivals: "people" })).toEqual([3]);
    expect(ranks({ rivals: "strong", seats: "4" })).toEqual([1]);
    expect(all.map(rivalsOf)).toEqual(["strong", "strong", "people", "mixed"]);
    expect(ranks({ rivals: "bots" })).toEqual([1, 2, 4]);
    expect(ranks({ rivals: "mixed" })).toEqual([4]);
  });

  test("ask the server for the same kind of matches", () => {
    expect(queryOf(EVERYTHING)).toBe("");
    expect(queryOf({ game: "kingdoms", seats: "2", rivals: "strong" })).toBe(
      "game=kingdoms&seats=2&rivals=bots&rival=bot%3Astrong",
    );
    expect(queryOf({ ...EVERYTHING, rivals: "people" })).toBe("rivals=people");
    expect(queryOf({ ...EVERYTHING, rivals: "bots" })).toBe("rivals=bots");
    expect(queryOf({ ...EVERYTHING, rivals: "mixed" })).toBe("rivals=bots");
  });

  test("come in groups, the largest first", () => {
    const all = [match(1), match(2), match(1, { game: "kingdoms" })];
    expect(groupsOf(all, ({ game }) => game).map(([name, { wins }]) => [name, wins])).toEqual([
      ["red-town", 1],
      ["kingdoms", 1],
    ]);
  });

  test("show the course of each rating, the oldest first", () => {
    const change = (mean: number) => ({ before: 25, mean, low: mean - 5, high: mean + 5 });
    const all = [
      match(1, { started: 3, change: change(27) }),
      match(1, { started: 2 }),
      match(2, { started: 1, change: change(24) }),
      match(2, { started: 0, seats: 3, change: change(20) }),
    ];
    const courses = coursesOf(all);
    expect(courses.map(({ points }) => points.map(({ mean }) => mean))).toEqual([[24, 27], [20]]);
    const { line, band, low, high } = drawn(courses[0]?.points ?? [], 100, 10);
    expect([low, high]).toEqual([19, 32]);
    expect(line).toBe("M0.0 6.2L100.0 3.8");
    expect(band.startsWith("M0.0 2.3L100.0 0.0L100.0 7.7L0.0 10.0")).toBe(true);
    expect(drawn(courses[1]?.points ?? [], 100, 10).line).toBe("M50.0 5.0");
  });
});
