import { beforeEach, describe, expect, test } from "vitest";

import { actsOf, goldenNames } from "$test/goldens";
import { news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import type { News } from "$web/table/model";
import { cushions, family, printed, read, spots } from "./cards";
import { dwell } from "./index";
import { fateOf, judged, lastsFor, lengthOf, still, type Judgement } from "./judgement";
import type { Round } from "./view";

const CARDS = ["boss@top", "hitman@top", "police@top", "underboss@bottom"];

function round(cards: Round["cards"] = CARDS, starter = 2): Round {
  return { game: 1, round: 1, starter, cards, threats: {} };
}

function verdict(points: number[], more: Record<string, number[]> = {}): News {
  return news("judged", { misplaced: [], cancelled: [], beaten: [], points, ...more });
}

function told(facts: readonly News[], cards = CARDS): Judgement {
  const judgement = judged([news("revealed", { cards }), ...facts], { history: [round(cards)] });
  if (!judgement) throw new Error("nothing was judged");
  return judgement;
}

beforeEach(() => void Object.assign(settings, { motion: "on", pace: "full" }));

const stepsOf = (judgement: Judgement) =>
  judgement.steps.map(({ kind, seats }) => [kind, ...seats]);

describe("a reveal", () => {
  test("with which a game ends shows how all stand before the next begins", () => {
    const cards = [verdict([0, 2, 0, 0]), news("round_began", { game: 2, round: 1, starter: 1 })];
    expect(stepsOf(told(cards)).slice(-2)).toEqual([
      ["standing", 0, 1, 2, 3],
      ["next", 1],
    ]);
    const same = [verdict([0, 2, 0, 0]), news("round_began", { game: 1, round: 2, starter: 1 })];
    expect(stepsOf(told(same)).map(([kind]) => kind)).not.toContain("standing");
  });

  test("turns up the cards in the order of placing, from the starter clockwise", () => {
    const { cards } = still(round());
    expect(cards).toEqual([
      { seat: 2, card: "police", area: "top" },
      { seat: 3, card: "underboss", area: "bottom" },
      { seat: 0, card: "boss", area: "top" },
      { seat: 1, card: "hitman", area: "top" },
    ]);
    const [turned] = still(round(["boss@top", null, "raid@top"], 1)).steps;
    expect(turned, "who dropped out has no card").toMatchObject({ kind: "turned", seats: [2, 0] });
  });

  test("tells one step after the other, as the facts have them", () => {
    const judgement = told([
      verdict([0, 2, 2, 2], { beaten: [0], misplaced: [] }),
      news("boss_shot", { boss: 0, hitman: 1 }),
      news("wanted_taken", { seat: 2 }),
      news("dropped_out", { seat: 2 }),
      news("round_began", { starter: 3 }),
    ]);
    expect(stepsOf(judgement)).toEqual([
      ["turned", 0, 1, 2, 3],
      ["shot", 0, 1],
      ["bribed", 2, 1],
      ["scored", 1, 2, 3],
      ["wanted", 2],
      ["dropped", 2],
      ["next", 3],
    ]);
    expect(judgement.points).toEqual([0, 2, 2, 2]);
    expect(judgement.steps[1]?.text).toBe("boss_shot!");
    expect(judgement.steps[2]?.text, "what the table says itself").toBe("");
  });

  test("tells of cards that do not count", () => {
    const judgement = told([
      verdict([0, 0, 0, 0], { misplaced: [3], cancelled: [0, 1], beaten: [2] }),
    ]);
    expect(stepsOf(judgement)).toEqual([
      ["turned", 0, 1, 2, 3],
      ["misplaced", 3],
      ["cancelled", 0, 1],
      ["beaten", 2],
      ["scored"],
    ]);
  });

  test("ends with a raid, after which nothing is judged", () => {
    const judgement = told([news("raided", { seat: 3 }), news("round_began", { starter: 1 })]);
    expect(stepsOf(judgement)).toEqual([
      ["turned", 0, 1, 2, 3],
      ["raided", 3],
      ["next", 1],
    ]);
    expect(judgement.points).toEqual([0, 0, 0, 0]);
  });

  test("a policeman is paid by who scored where he sits, and by nobody else", () => {
    const shares = told([verdict([2, 0, 2, 2]), news("wanted_taken", { seat: 2 })]);
    expect(stepsOf(shares)).toContainEqual(["bribed", 2, 0]);
  });

  test("is none where nothing was revealed, or cards were placed since", () => {
    const view = { history: [round()] };
    expect(judged([news("placed")], view)).toBeNull();
    expect(judged([news("revealed")], { history: [] })).toBeNull();
    expect(judged([news("revealed")], {})).toBeNull();
    expect(judged([news("revealed"), news("placed")], view)).toBeNull();
    expect(judged([news("revealed"), news("placed_open")], view)).toBeNull();
    expect(judged([news("placed"), news("revealed")], view)).not.toBeNull();
  });
});

describe("what has become of a card", () => {
  const { steps } = told([
    verdict([0, 2, 0, 0], { misplaced: [3], beaten: [2] }),
    news("boss_shot", { boss: 0, hitman: 1 }),
  ]);

  test("is known once it has been told", () => {
    expect([0, 1, 2, 3].map((seat) => fateOf(steps, seat))).toEqual([
      "shot",
      null,
      "beaten",
      "misplaced",
    ]);
    expect([0, 1, 2, 3].map((seat) => fateOf(steps.slice(0, 2), seat))).toEqual([
      null,
      null,
      null,
      "misplaced",
    ]);
    expect(fateOf([], 0)).toBeNull();
  });

  test("a raid takes all", () => {
    const raid = told([news("raided", { seat: 3 })]).steps;
    expect([0, 1, 2, 3].map((seat) => fateOf(raid, seat))).toEqual(Array(4).fill("raided"));
  });
});

describe("how long it takes", () => {
  test("is the sum of its steps, and a moment to read", () => {
    const raid = told([news("raided", { seat: 3 })]);
    expect(lastsFor(raid.steps[0] as Judgement["steps"][0], 4)).toBe(4 * 120 + 240 + 500);
    expect(lengthOf(raid)).toBe(350 + 4 * 120 + 240 + 500 + 1100 + 2200);
  });

  test("follows the pace that is chosen, but for the moment to read", () => {
    const raid = told([news("raided", { seat: 3 })]);
    const [turned] = raid.steps;
    const inFull = lengthOf(raid);
    settings.pace = "quick";
    expect(turned && lastsFor(turned, 4)).toBe(0.4 * (4 * 120 + 240 + 500));
    expect(lengthOf(raid)).toBe(0.4 * (inFull - 2200) + 2200);
    settings.pace = "instant";
    expect(lengthOf(raid)).toBe(2200);
  });

  test("a placed card is a glance, a threat a moment", () => {
    const facts = [news("revealed"), news("raided", { seat: 0 })];
    expect(dwell([news("placed")], {})).toBe(500);
    expect(dwell([news("placed"), news("said")], {})).toBe(1100);
    expect(dwell(facts, { history: [round()] })).toBe(
      lengthOf(told([news("raided", { seat: 0 })])),
    );
  });
});

describe("cards", () => {
  test("are read from notation, and as printed in each edition", () => {
    expect(read("police@top")).toEqual({ card: "police", area: "top" });
    expect(family("kamiza-2014")).toContain("raid");
    expect(family("kamiza-second")).toContain("police");
    expect(cushions("kamiza-2014", "top")).toEqual(["grand"]);
    expect(cushions("kamiza-second", "top")).toEqual(["grand", "plain"]);
    expect(cushions("kamiza-second", "bottom")).toEqual(["plain", "plain"]);
    expect(printed.boss.takenAt).toEqual(["top"]);
  });

  test("lie on the cushions first, then beside them, never one on the other", () => {
    for (const seats of [1, 2]) {
      const places = spots(seats).toSorted((one, other) => one - other);
      const gaps = places.slice(1).map((place, number) => place - (places[number] ?? 0));
      expect(places).toHaveLength(4);
      expect(Math.min(...gaps) * 1.2, "in cards, where they lie closest").toBeGreaterThan(1);
    }
    expect(spots(1)[0]).toBe(0);
    expect(spots(2).slice(0, 2)).toEqual([-0.5, 0.5]);
  });
});

test.each(goldenNames("kamiza-"))("every reveal of %s is told whole", (name) => {
  let count = 0;
  const game = name.startsWith("kamiza-2014") ? "kamiza-2014" : "kamiza-second";
  for (const facts of actsOf(name)) {
    const revealed = facts.find((one) => one.fact === "revealed");
    if (!revealed) continue;
    count += 1;
    const cards = revealed.with["cards"] as (string | null)[];
    const judgement = judged(facts, { history: [round(cards, 0)] });
    const kinds = judgement?.steps.map((step) => step.kind) ?? [];
    expect(kinds[0]).toBe("turned");
    const has = (fact: string) => facts.some((one) => one.fact === fact);
    expect(kinds.includes("scored")).toBe(has("judged"));
    expect(kinds.includes("raided")).toBe(has("raided"));
    expect(kinds.includes("shot")).toBe(has("boss_shot"));
    expect(kinds.includes("wanted")).toBe(has("wanted_taken"));
    expect(kinds.includes("next")).toBe(has("round_began"));
    for (const shown of judgement?.cards ?? []) {
      expect(family(game)).toContain(shown.card);
      const points = judgement?.points[shown.seat] ?? 0;
      if (fateOf(judgement?.steps ?? [], shown.seat))
        expect(points, "who is gone scores nothing").toBe(0);
    }
  }
  expect(count).toBeGreaterThan(2);
});
