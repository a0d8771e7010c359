import { describe, expect, test } from "vitest";

import { actsOf, goldenNames } from "$test/goldens";
import { FakeTable, news } from "$test/table";
import type { News } from "$web/table/model";
import { Book } from "./book";
import { decisive, dwell } from "./index";
import {
  beforeEnd,
  lengthOf,
  resultOf,
  settled,
  stepsOf,
  storyIn,
  storyOf,
  type Story,
} from "./story";
import type { KingdomsView } from "./view";

const SET = {
  areas: [{ name: "border", names: { en: "Border" }, red_funds: 1, blue_funds: 1, offset: 2 }],
  monarchs: [{ name: "prince", names: { en: "Prince" }, side: "red", attack: 3, defence: 5 }],
  cards: [
    { name: "soldier", names: { en: "Soldier" }, class: "normal", attack: 2, defence: 2 },
    {
      name: "tengu",
      names: { en: "Tengu" },
      class: "ace",
      attack: 3,
      defence: 1,
      skill: "bird-soldier",
    },
  ],
};
const book = new Book(SET, "en", (key) => key);

const REVEALED = news("revealed", {
  seat: 0,
  area: "border",
  attackers: ["soldier", "tengu"],
  defender: "soldier",
  added: "soldier",
});
const line = (seat: number, card: string, amount: number) =>
  news("counted", { seat, card, area: "border", source: seat === 0 ? "sword" : "shield", amount });
const COUNTED = [
  line(0, "soldier", 2),
  line(0, "tengu", 3),
  line(1, "soldier", 2),
  line(1, "soldier", 2),
];
const TOTALLED = news("totalled", { area: "border", attack: 5, defence: 4 });
const BATTLE: News[] = [
  REVEALED,
  ...COUNTED,
  news("offset_cancelled", { card: "tengu" }),
  TOTALLED,
  news("battle_won", { seat: 0, area: "border" }),
  news("discarded", { seat: 1, cards: ["soldier", "soldier"] }),
];

function view(more: Partial<KingdomsView> = {}): KingdomsView {
  const hand = { normal: 2, ace: 1, known: [] };
  return {
    phase: "deploy",
    turn: 0,
    number: 3,
    still: 0,
    placed: true,
    areas: { border: { seat: 1, card: "soldier" } },
    funds: [0, 0],
    hands: [hand, { ...hand, known: ["soldier"] }],
    piles: { normal: 5, ace: 5 },
    discards: { normal: [], ace: [] },
    battle: null,
    ...more,
  };
}

const battle = (more = {}) => ({
  area: "border",
  attackers: ["normal", "ace"],
  defender: "soldier",
  added: null,
  winner: null,
  revealed: false,
  perhaps: [],
  lines: null,
  totals: null,
  ...more,
});
const plain = (from: KingdomsView) => from as unknown as Record<string, unknown>;
const told = (facts: readonly News[], after = view()) => storyIn(facts, plain(after)) as Story;

describe("a battle", () => {
  test("is told from its reveal to who falls", () => {
    expect(told(BATTLE)).toEqual({
      area: "border",
      attacker: 0,
      attackers: ["soldier", "tengu"],
      defender: "soldier",
      added: "soldier",
      lines: COUNTED.map((one) => one.with),
      cancelledBy: "tengu",
      totals: { area: "border", attack: 5, defence: 4 },
      winner: 0,
      fallen: [
        { seat: 1, card: "soldier" },
        { seat: 1, card: "soldier" },
      ],
      saved: null,
    });
  });

  test("an offset is a line that comes from no card", () => {
    const offset = news("offset_counted", { seat: 1, area: "border", amount: 2 });
    expect(told([REVEALED, offset]).lines).toEqual([
      { seat: 1, area: "border", amount: 2, card: null, source: "offset" },
    ]);
  });

  test("a tie has no winner, and a skill may save a card", () => {
    const story = told([
      REVEALED,
      TOTALLED,
      news("battle_tied", {}),
      news("returned", { card: "tengu" }),
    ]);
    expect([story.winner, story.saved]).toEqual([null, "tengu"]);
  });

  test("has a result of few words, and the discards apart", () => {
    const table = new FakeTable();
    expect(resultOf(told(BATTLE), table, book)).toEqual({
      text: "won(side=red)",
      discards: "falls(side=blue; cards=Soldier, Soldier)",
    });
    const tie = told([
      REVEALED,
      TOTALLED,
      news("battle_tied", {}),
      news("returned", { card: "tengu" }),
    ]);
    expect(resultOf(tie, table, book)).toEqual({ text: "tied saved(card=Tengu)", discards: "" });
  });

  test("of two the last is told, and none where none is revealed", () => {
    const other = news("revealed", { ...REVEALED.with, area: "red-city" });
    expect(told([...BATTLE, other])).toMatchObject({ area: "red-city", lines: [], winner: null });
    expect(storyIn([news("attacked")], plain(view()))).toBeNull();
    expect(storyIn([], {})).toBeNull();
  });

  test("that ends the match leaves the losing side where it lies", () => {
    const over = view({ phase: "over", battle: battle() });
    const lost = BATTLE.filter((one) => one.fact !== "discarded");
    expect(told(lost, over).fallen).toEqual([
      { seat: 1, card: "soldier" },
      { seat: 1, card: "soldier" },
    ]);
    const tied = lost.filter((one) => one.fact !== "battle_won");
    expect(told(tied, over).fallen.map(({ seat }) => seat)).toEqual([0, 0, 1, 1]);
  });

  test("is settled by what is discarded later, and unchanged by anything else", () => {
    const story = told([REVEALED, TOTALLED]);
    expect(settled(story, [news("occupied")])).toBe(story);
    const whole = settled(story, [news("discarded", { seat: 0, cards: ["soldier"] })]);
    expect(whole.fallen).toEqual([{ seat: 0, card: "soldier" }]);
    expect(story.fallen, "the story itself stays as it was").toEqual([]);
  });
});

describe("how long it takes", () => {
  test("reveal, each line, what is cancelled, the totals, the result", () => {
    expect(stepsOf(told(BATTLE))).toEqual([700, 420, 420, 420, 420, 420, 700, 1200]);
    expect(stepsOf(told([REVEALED]))).toEqual([700, 700, 1200]);
    expect(lengthOf(told(BATTLE))).toBe(4700);
  });

  test("all else is one glance", () => {
    expect(dwell(BATTLE, plain(view())), "and a moment after it is told").toBe(4800);
    expect(dwell([news("attacked"), news("drew")], plain(view()))).toBe(700);
    expect(dwell([news("anything")], plain(view()))).toBe(350);
    expect(dwell([], plain(view()))).toBe(350);
  });
});

describe("the decisive moment", () => {
  const step = (seat: number | null, ...facts: string[]) => ({
    seat,
    facts: facts.map((fact) => news(fact)),
  });
  const steps = [
    step(null, "began"),
    step(0, "attacked"),
    step(1, "revealed", "battle_won"),
    step(0, "turn_ended"),
    step(1, "drafted"),
    step(1, "attacked"),
    step(0, "laid", "revealed", "battle_won", "leave_asked"),
    step(1, "took_hold"),
    step(1, "turn_ended", "ended"),
  ];

  test("is the last battle: the attack, and for the other side the answer to it", () => {
    expect(decisive?.(steps, 1)).toBe(4);
    expect(decisive?.(steps, 0)).toBe(5);
    expect(decisive?.(steps, null), "for who watched").toBe(4);
  });

  test("is before the attack where nobody could answer, and nowhere without a battle", () => {
    expect(decisive?.(steps.slice(0, 6), 0)).toBe(4);
    expect(decisive?.([step(0, "drafted"), step(1, "ended")], 0)).toBeUndefined();
  });
});

describe("a battle that lies open", () => {
  const lines = COUNTED.map((one) => one.with);
  const open = (more = {}) =>
    view({
      battle: battle({
        attackers: ["soldier", "tengu"],
        added: "soldier",
        revealed: true,
        lines,
        totals: { attack: 5, defence: 4 },
        ...more,
      }) as KingdomsView["battle"],
    });

  test("is told to who comes while it does", () => {
    expect(storyOf(open(), book)).toMatchObject({
      attacker: 0,
      winner: 0,
      cancelledBy: "tengu",
      fallen: [],
    });
    expect(storyOf(open({ totals: { attack: 4, defence: 5 } }), book)?.winner).toBe(1);
    expect(storyOf(open({ totals: { attack: 4, defence: 4 } }), book)?.winner).toBeNull();
    const offset = { seat: 1, card: null, area: "border", source: "offset", amount: 2 };
    expect(storyOf(open({ lines: [...lines, offset] }), book)?.cancelledBy).toBeNull();
    expect(storyOf({ ...open(), phase: "over" }, book)?.fallen.length).toBe(2);
  });

  test("is none while it is face down, or where there is none", () => {
    expect(storyOf(view(), book)).toBeNull();
    expect(storyOf(view({ battle: battle() }), book)).toBeNull();
    expect(storyOf(open({ totals: null }), book)).toBeNull();
  });
});

describe("the table before the end", () => {
  const story = told(BATTLE);
  const now = view({ areas: { border: { seat: 0, card: "tengu" } } });

  test("still has the defender where it was", () => {
    expect(beforeEnd(null, now, story, 1, book).areas).toEqual({
      border: { seat: 1, card: "soldier" },
    });
  });

  test("is the last view, without what was added from the hand", () => {
    const last = view({
      battle: battle() as KingdomsView["battle"],
      hand: ["soldier", "soldier", "tengu"],
    });
    const before = beforeEnd(last, now, story, 1, book);
    expect(before.hands[1]).toEqual({ normal: 1, ace: 1, known: [] });
    expect(before.hands[0]).toBe(last.hands[0]);
    expect(before.hand).toEqual(["soldier", "tengu"]);
    expect(beforeEnd(last, now, story, 0, book).hand).toEqual(last.hand);
    expect(beforeEnd(last, now, { ...story, added: null }, 1, book)).toBe(last);
  });
});

test.each(goldenNames("kingdoms-"))("every battle of %s adds up", (name) => {
  let count = 0;
  for (const facts of actsOf(name)) {
    const story = storyIn(facts, plain(view()));
    if (!story) continue;
    count += 1;
    const sum = (seat: number) =>
      story.lines.filter((one) => one.seat === seat).reduce((all, one) => all + one.amount, 0);
    expect(sum(story.attacker)).toBe(story.totals.attack);
    expect(sum(1 - story.attacker)).toBe(story.totals.defence);
    const lead = Math.sign(story.totals.attack - story.totals.defence);
    expect(story.winner).toBe(lead === 0 ? null : lead > 0 ? story.attacker : 1 - story.attacker);
    const losers = new Set(story.fallen.map(({ seat }) => seat));
    if (story.winner !== null && losers.size === 1) expect(losers.has(story.winner)).toBe(false);
    expect(stepsOf(story).length).toBe(3 + story.lines.length + (story.cancelledBy ? 1 : 0));
  }
  expect(count).toBe(
    actsOf(name)
      .flat()
      .filter((one) => one.fact === "revealed").length,
  );
});
