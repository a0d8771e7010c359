import { beforeEach, expect, test } from "vitest";

import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import type { News } from "$web/table/model";
import { tell } from "./log";

beforeEach(() => void (settings.language = "en"));

const counted = (seat: number, card: string, source: string, amount: number) =>
  news("counted", { seat, card, area: "border", source, amount });

const BATTLE: readonly News[] = [
  news("committed", { cards: ["knight", "priest"] }),
  news("attacked", { seat: 0, area: "border", normal: 1, ace: 1 }),
  news("turned_up", {}),
  news("revealed", {
    seat: 0,
    area: "border",
    attackers: ["knight", "priest"],
    defender: "rearguard",
    added: "liaison",
  }),
  counted(0, "knight", "sword", 4),
  counted(0, "priest", "sword", 0),
  counted(1, "rearguard", "shield", 2),
  counted(1, "liaison", "shield", 1),
  news("offset_counted", { seat: 1, area: "border", amount: 1 }),
  news("totalled", { area: "border", attack: 4, defence: 4 }),
  news("battle_won", { seat: 0, area: "border" }),
  news("leave_asked", { seat: 0 }),
  news("discarded", { seat: 0, cards: ["priest"] }),
  news("discarded", { seat: 1, cards: ["rearguard"] }),
  news("returned", { seat: 1, card: "liaison" }),
  news("took_hold", { seat: 0, area: "border", card: "knight" }),
  news("battle_ended", { area: "border" }),
];

function lines(seat: number | null, facts = BATTLE) {
  const table = new FakeTable({ game: "kingdoms", seat, options: { card_set: {} } });
  return tell(facts, table).flatMap((group) => group.lines);
}

test("a battle is three lines, and its arithmetic without zeros is behind the last", () => {
  for (const seat of [0, 1, null]) {
    const told = lines(seat);
    expect(told).toHaveLength(3);
    expect(told.map(({ cards }) => cards.map(({ card }) => card))).toEqual([
      ["knight", "priest"],
      ["rearguard", "liaison"],
      ["priest", "rearguard"],
    ]);
    expect(told.map(({ details }) => details?.length)).toEqual([undefined, undefined, 4]);
    expect(told[2]?.text).toMatch(/log-won.*log-fallen.*log-saved/);
  }
});

test("the attacker is You to oneself, and attackers are unseen until they are turned up", () => {
  expect(lines(0)[0]?.text).toContain("who=You");
  expect(lines(1)[0]?.text).not.toContain("You");
  const before = lines(1, BATTLE.slice(1, 2));
  expect(before.map(({ cards }) => cards.length)).toEqual([0]);
  expect(before[0]?.text).toContain("count=2");
});

test("nothing that everybody is told is told again to oneself", () => {
  const facts = [
    news("laid", { card: "knight" }),
    news("occupied", { seat: 0, area: "border", card: "knight" }),
    news("took_back", { card: "knight" }),
    news("drafted", { seat: 0, normal: 0, ace: 2 }),
    news("drew", { seat: 0, class: "ace", count: 2 }),
  ];
  const told = lines(0, facts);
  expect(told).toHaveLength(2);
  expect(told[1]?.text).toContain("what=backs-ace-more(count=2)");
});

test("who begins without cards is told of none", () => {
  expect(lines(0, [news("dealt", { cards: [] })])).toEqual([]);
});
