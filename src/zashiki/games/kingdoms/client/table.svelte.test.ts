/** The card set, the legal choices, the picks, the keys of cards, and the theatre. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { actionsOf, goldenNames } from "$test/goldens";
import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import { Book } from "./book";
import { choicesIn, draftOf, draftsIn, largestDraft, same, within, written } from "./choices";
import { drawn } from "./figures";
import { kept } from "./holding";
import { score, verdict } from "./index";
import { fitted, lines, width } from "./lettering";
import { Picking } from "./picking.svelte";
import { explained, inShort } from "./skills";
import { cardsShown, spotsOf } from "./spots";
import { Theatre } from "./theatre.svelte";
import { attackerOf, isClass, type KingdomsView } from "./view";

const SKILLS = [
  "liaison",
  "rearguard",
  "capital-guard",
  "city-guard",
  "archer",
  "bird-soldier",
  "priest",
];
const SET = {
  areas: [
    { name: "red-capital", names: { en: "Red Capital", ja: "赤の王都" }, red_funds: 2, offset: 3 },
    { name: "border", names: {} },
  ],
  monarchs: [
    { name: "prince", names: { en: "Prince" }, side: "red", attack: 3, defence: 5 },
    { name: "princess", names: { en: "Princess" }, side: "blue", attack: 3, defence: 5 },
  ],
  cards: [
    {
      name: "soldier",
      names: { en: "Soldier" },
      class: "normal",
      copies: 4,
      attack: 2,
      defence: 2,
    },
    { name: "knight", names: { en: "Knight" }, class: "ace", copies: 2, attack: 4, defence: 4 },
    ...SKILLS.map((skill) => ({ name: skill, names: {}, class: "normal", skill, amount: 2 })),
    { name: "bishop", names: {}, class: "ace", skill: "priest" },
    { name: "brute", names: {}, attack: 3, defence: 1 },
    { name: "wall", names: {}, class: "ace", attack: 1, defence: 3 },
  ],
};
const book = new Book(SET, "en", (key) => `<${key}>`);

describe("the book", () => {
  test("knows each card and area of the set, in the language of the page", () => {
    expect(book.card("soldier")).toEqual({
      name: "soldier",
      label: "Soldier",
      rank: "normal",
      attack: 2,
      defence: 2,
      skill: null,
      amount: 0,
      copies: 4,
      side: null,
    });
    expect(book.card("prince")).toMatchObject({ rank: "monarch", side: "red" });
    expect(book.place("red-capital")).toEqual({
      name: "red-capital",
      label: "Red Capital",
      kind: "capital",
      side: "red",
      funds: [2, 0],
      offset: 3,
    });
    expect(book.place("border")).toMatchObject({ kind: "border", side: null, label: "<border>" });
    expect(book.place("blue-city")).toMatchObject({ kind: "city", side: "blue", funds: [0, 0] });
    expect(new Book(SET, "ja", (key) => key).place("red-capital").label).toBe("赤の王都");
  });

  test("knows the back of a card, and of a class itself", () => {
    const backs = ["soldier", "knight", "prince", "ace", "normal", "unheard-of"].map((name) =>
      book.back(name),
    );
    expect(backs).toEqual(["normal", "ace", "normal", "ace", "normal", "normal"]);
  });

  test.each([null, "reconstructed", undefined])(
    "of a set that is not known (%j) has words",
    (content) => {
      const unknown = new Book(content, "en", (key) => `<${key}>`);
      expect(unknown.cards).toEqual([]);
      expect(unknown.card("soldier")).toMatchObject({ label: "<soldier>", attack: null });
    },
  );
});

describe("notation", () => {
  test("of drafts is read and written", () => {
    expect(draftsIn(["draft:0", "draft:N2", "draft:A1", "draft:N10A3", "done"])).toEqual([
      { action: "draft:0", normal: 0, ace: 0 },
      { action: "draft:N2", normal: 2, ace: 0 },
      { action: "draft:A1", normal: 0, ace: 1 },
      { action: "draft:N10A3", normal: 10, ace: 3 },
    ]);
    expect([draftOf(0, 0), draftOf(2, 0), draftOf(0, 1), draftOf(10, 3)]).toEqual([
      "draft:0",
      "draft:N2",
      "draft:A1",
      "draft:N10A3",
    ]);
  });

  test("the largest draft spends the most, and of several has the most cards", () => {
    const largest = (...legal: string[]) => largestDraft(draftsIn(legal))?.action;
    expect(largest("draft:0", "draft:N1", "draft:A1")).toBe("draft:A1");
    expect(largest("draft:0", "draft:A2", "draft:N2A1", "draft:N4", "draft:N3")).toBe("draft:N4");
    expect(largest("draft:0")).toBe("draft:0");
    expect(largest("done")).toBeUndefined();
  });

  test("of all else names a verb, an area and cards", () => {
    expect(choicesIn(["draft:N1", "done", "defend:none", "attack:border:knight+soldier"])).toEqual([
      { action: "done", verb: "done", area: null, cards: [] },
      { action: "defend:none", verb: "defend", area: null, cards: [] },
      {
        action: "attack:border:knight+soldier",
        verb: "attack",
        area: "border",
        cards: ["knight", "soldier"],
      },
    ]);
  });

  test.each(goldenNames("kingdoms-"))("every action of %s is written as it was read", (name) => {
    const actions = actionsOf(name);
    expect(actions.length).toBeGreaterThan(0);
    for (const { action, normal, ace } of draftsIn(actions))
      expect(draftOf(normal, ace)).toBe(action);
    for (const { action, verb, area, cards } of choicesIn(actions)) {
      expect(action.includes(":") ? written(verb, area, cards) : verb).toBe(action);
    }
  });

  test("cards are counted, each as often", () => {
    expect(within(["a", "a"], ["a", "b", "a"])).toBe(true);
    expect(within(["a", "a"], ["a", "b"])).toBe(false);
    expect(within([], [])).toBe(true);
    expect([same(["a", "b"], ["b", "a"]), same(["a"], ["a", "a"])]).toEqual([true, false]);
    expect(written("attack", "border", ["soldier", "knight"])).toBe("attack:border:knight+soldier");
    expect(written("defend", null, [])).toBe("defend:none");
  });
});

describe("the cards of a hand", () => {
  const names = (cards: readonly { key: string }[]) => cards.map((one) => one.key);

  test("keep their keys, so that one of several copies can be followed", () => {
    const first = kept([], ["soldier", "soldier", "knight"], []);
    expect(names(first)).toEqual(["soldier 0", "soldier 1", "knight 0"]);
    expect(
      names(kept(first, ["knight", "soldier"], ["soldier 0"])),
      "the picked copy went",
    ).toEqual(["knight 0", "soldier 1"]);
    expect(names(kept(first, ["soldier", "soldier", "soldier"], []))).toEqual([
      "soldier 0",
      "soldier 1",
      "soldier 2",
    ]);
  });

  test("of somebody else are backs, and what is known of them", () => {
    const shown = { normal: 3, ace: 1, known: ["soldier", "knight"] };
    expect(cardsShown(book, shown, null).map((one) => one.name)).toEqual([
      "normal",
      "normal",
      "soldier",
      "knight",
    ]);
    expect(cardsShown(book, shown, ["knight"]).map((one) => one.name)).toEqual(["knight"]);
  });
});

function view(more: Partial<KingdomsView> = {}): KingdomsView {
  return {
    hand: ["soldier", "soldier", "knight", "liaison"],
    phase: "deploy",
    turn: 0,
    number: 1,
    still: 0,
    placed: false,
    areas: {
      border: null,
      "blue-city": { seat: 1, card: "soldier" },
      "red-city": { seat: 0, card: "knight" },
    },
    funds: [0, 0],
    hands: [
      { normal: 0, ace: 0, known: [] },
      { normal: 0, ace: 0, known: [] },
    ],
    piles: { normal: 1, ace: 1 },
    discards: { normal: [], ace: [] },
    battle: null,
    ...more,
  };
}
const plain = (from: KingdomsView) => from as unknown as Record<string, unknown>;
const BATTLE = {
  area: "blue-city",
  attackers: ["knight"],
  defender: "soldier",
  added: "brute",
  winner: null,
  revealed: false,
  perhaps: [],
  lines: null,
  totals: null,
};

test("every card that can be seen has its place", () => {
  const hands = [kept([], ["soldier"], []), []];
  const held = [
    { place: "hand 0 soldier 0", seat: 0, card: "soldier" },
    { place: "area blue-city", seat: 1, card: "soldier" },
    { place: "area red-city", seat: 0, card: "knight" },
  ];
  expect(spotsOf(view(), hands, [], null)).toEqual(held);
  const fighting = view({ battle: BATTLE });
  expect(attackerOf(fighting)).toBe(0);
  expect(spotsOf(fighting, hands, ["normal"], null).slice(3)).toEqual([
    { place: "attack 0", seat: 0, card: "normal" },
    { place: "added", seat: 1, card: "brute" },
  ]);
  expect([isClass("ace"), isClass("knight")]).toEqual([true, false]);
});

describe("picking", () => {
  let table: FakeTable;
  let picking: Picking;
  const LEGAL = [
    "done",
    "occupy:border:soldier",
    "attack:blue-city:soldier",
    "attack:blue-city:soldier+soldier",
    "attack:blue-city:knight",
  ];

  beforeEach(() => {
    table = new FakeTable({ game: "kingdoms", view: plain(view()), legal: LEGAL });
    picking = new Picking(
      () => table,
      () => book,
    );
  });

  const complete = () => picking.complete.map((one) => one.action);

  test("an area and cards make an action", () => {
    expect(picking.plain.map((one) => one.action)).toEqual(["done"]);
    expect(complete()).toEqual([]);
    picking.pressArea("blue-city");
    picking.press("soldier 0", "soldier");
    expect(complete()).toEqual(["attack:blue-city:soldier"]);
    picking.press("soldier 1", "soldier");
    expect(complete()).toEqual(["attack:blue-city:soldier+soldier"]);
    picking.press("soldier 0", "soldier");
    expect([complete(), picking.has("soldier 0")]).toEqual([["attack:blue-city:soldier"], false]);
    picking.clear();
    expect([picking.area, picking.cards]).toEqual([null, []]);
  });

  test("what does not go together is put in the place of what was picked", () => {
    picking.press("soldier 0", "soldier");
    picking.press("knight 0", "knight");
    expect(picking.cards).toEqual(["knight"]);
    picking.press("soldier 0", "soldier");
    picking.press("soldier 1", "soldier");
    picking.pressArea("border");
    expect([picking.area, picking.cards]).toEqual(["border", ["soldier"]]);
    picking.pressArea("border");
    expect(picking.area).toBeNull();
  });

  test("offers what some action has", () => {
    expect(["soldier", "liaison"].map((name) => picking.offers(name))).toEqual([true, false]);
    expect(["border", "red-city"].map((area) => picking.offersArea(area))).toEqual([true, false]);
    picking.press("knight 0", "knight");
    expect(picking.offersArea("border")).toBe(false);
  });

  test("asks about one card where an action takes only one", () => {
    picking.press("soldier 0", "soldier");
    picking.press("soldier 1", "soldier");
    picking.pressArea("red-capital");
    expect(table.doubted).toEqual(["occupy:red-capital:soldier"]);
  });

  test("asks the rules about what is not offered, in the notation that is meant", () => {
    picking.press("liaison 0", "liaison");
    picking.pressArea("red-city");
    picking.press("knight 0", "knight");
    picking.pressArea("border");
    expect(table.doubted).toEqual([
      "occupy:border:liaison",
      "occupy:red-city:soldier",
      "occupy:border:knight",
    ]);
    picking.clear();
    table.view = plain(view({ hand: ["liaison"] }));
    picking.pressArea("red-city");
    table.view = plain(view({ phase: "defend" }));
    picking.press("liaison 0", "liaison");
    expect(table.doubted.slice(3)).toEqual(["swap:red-city:liaison", "defend:liaison"]);
    table.view = plain(view({ areas: { "blue-capital": { seat: 1, card: "princess" } } }));
    picking.pressArea("blue-capital");
    expect(table.doubted.at(-1)).toBe("attack:blue-capital:soldier");
  });

  test("an area and cards to which nothing can be added are all there is to say", () => {
    picking.press("soldier 0", "soldier");
    picking.pressArea("border");
    expect(picking.only).toBe("occupy:border:soldier");
    picking.clear();
    picking.press("soldier 0", "soldier");
    picking.pressArea("blue-city");
    expect([complete(), picking.only], "a second soldier may join").toEqual([
      ["attack:blue-city:soldier"],
      null,
    ]);
    picking.press("soldier 1", "soldier");
    expect(picking.only).toBe("attack:blue-city:soldier+soldier");
  });

  test("what a card alone can do in one way only is obvious", () => {
    expect(["soldier", "knight", "liaison"].map((name) => picking.obvious(name))).toEqual([
      null,
      "attack:blue-city:knight",
      null,
    ]);
  });

  test("a card that is dropped on an area is put there, with the others that are picked", () => {
    picking.put("knight 0", "knight", "blue-city");
    expect(picking.only).toBe("attack:blue-city:knight");
    picking.clear();
    picking.press("soldier 0", "soldier");
    picking.press("soldier 1", "soldier");
    picking.put("soldier 1", "soldier", "blue-city");
    expect(picking.only).toBe("attack:blue-city:soldier+soldier");
    picking.put("liaison 0", "liaison", "border");
    expect(table.doubted).toEqual(["occupy:border:liaison"]);
  });

  test("a card is dropped to defend where the battle is", () => {
    const legal = ["defend:none", "defend:soldier"];
    const defends = new FakeTable({ view: plain(view({ battle: BATTLE })), legal });
    const defence = new Picking(
      () => defends,
      () => book,
    );
    defence.put("soldier 0", "soldier", "border");
    expect(defence.only).toBeNull();
    defence.put("soldier 0", "soldier", "blue-city");
    expect(defence.only).toBe("defend:soldier");
  });

  describe("while somebody else decides", () => {
    const keys = ["soldier 0", "soldier 1", "knight 0", "liaison 0"];

    function plan(legal: readonly string[]): Picking {
      const other = new FakeTable({ view: plain(view()), legal });
      const made = new Picking(
        () => other,
        () => book,
      );
      made.press("knight 0", "knight");
      made.press("soldier 0", "soldier");
      made.press("soldier 1", "soldier");
      made.pressArea("blue-city");
      return made;
    }

    test("two cards and an area are chosen, and nothing is asked", () => {
      const made = plan([]);
      expect([made.cards, made.area]).toEqual([["soldier", "soldier"], "blue-city"]);
      made.pressArea("blue-city");
      made.press("soldier 0", "soldier");
      expect([made.cards, made.area]).toEqual([["soldier"], null]);
    });

    test("what fits stays chosen in the own turn, what does not is let go", () => {
      const made = plan(LEGAL);
      made.follow(keys);
      expect(made.only).toBe("attack:blue-city:soldier+soldier");
      made.follow(keys.slice(1));
      expect(made.cards, "one was played").toEqual(["soldier"]);
      made.follow([]);
      expect([made.cards, made.area]).toEqual([[], null]);
      const other = plan(["done", "occupy:border:soldier"]);
      other.picked = [{ key: "knight 0", name: "knight" }];
      other.follow(keys);
      expect([other.cards, other.area]).toEqual([[], null]);
    });

    test("it is put aside while a battle asks for a card, and comes back", () => {
      const asked = new FakeTable({ view: plain(view()) });
      let legal: readonly string[] = $state.raw([]);
      Object.defineProperty(asked, "legal", { get: () => legal });
      const made = new Picking(
        () => asked,
        () => book,
      );
      made.press("knight 0", "knight");
      made.pressArea("blue-city");
      legal = ["defend:none", "defend:soldier"];
      made.follow(keys);
      expect([made.cards, made.area]).toEqual([[], null]);
      made.press("soldier 0", "soldier");
      legal = [];
      made.follow(keys);
      expect([made.cards, made.area]).toEqual([["knight"], "blue-city"]);
    });
  });
});

describe("names on cards", () => {
  test("are in one line or two, as large as fits", () => {
    expect(lines("Prince", 12, 55)).toEqual(["Prince"]);
    expect(lines("Capital Guardian", 12, 55)).toEqual(["Capital", "Guardian"]);
    expect(lines("王都の衛兵", 12, 55)).toEqual(["王都の", "衛兵"]);
    expect(lines("Halberdier-in-chief", 12, 55)).toEqual(["Halberdier-in-chief"]);
    for (const name of ["Shieldman", "Guardian", "王都の衛兵", "Halberdier-in-chief"]) {
      expect(fitted(name, 13, 55) * width(name)).toBeLessThanOrEqual(55);
    }
    expect(fitted("Ace", 13, 55)).toBe(13);
  });
});

describe("the end", () => {
  const said = (winner: string, reason: string, seat: number | null) =>
    verdict?.(
      new FakeTable({
        seat,
        options: { card_set: SET },
        past: [news("revealed", { area: "red-capital" }), news("ended", { winner, reason })],
      }),
    );

  test("is told to whoever looks", () => {
    expect(said("red", "fallen", 0)).toBe("won-fallen(area=Red Capital; side=red)");
    expect(said("red", "fallen", 1)).toBe("lost-fallen(area=Red Capital; side=red)");
    expect(said("red", "fallen", null)).toBe("ended-fallen(area=Red Capital; side=red)");
    expect(said("blue", "five-areas", 0)).toMatch("lost-five-areas");
    expect(said("blue", "five-areas", 1)).toMatch("won-five-areas");
    expect(said("blue", "five-areas", null)).toMatch("ended-five-areas");
    expect(said("nobody", "fallen", 1)).toMatch("drawn-fallen(area=Red Capital");
    expect(said("nobody", "standstill", 1)).toMatch("drawn-standstill");
    expect(said("nobody", "turn-200", null)).toMatch("drawn-turn-200");
    expect(verdict?.(new FakeTable())).toBe("");
  });
});

describe("drawings and skills", () => {
  test("are by name, by skill, or by numbers", () => {
    const seen = (name: string) => {
      const figure = drawn(book.card(name));
      return typeof figure === "string" ? figure : `${figure.bust} ${figure.item}`;
    };
    expect(["prince", "princess", "soldier", "knight"].map(seen)).toEqual([
      "prince none",
      "princess none",
      "soldier",
      "helmet both",
    ]);
    expect(SKILLS.map(seen)).toEqual([
      "liaison",
      "rearguard",
      "capital-guard",
      "city-guard",
      "archer",
      "tengu wings",
      "priest",
    ]);
    expect(["bishop", "brute", "wall", "unheard-of"].map(seen)).toEqual([
      "mitre beads",
      "lancer",
      "helmet shield",
      "soldier",
    ]);
  });

  test("every skill has a sentence and a line", () => {
    const table = new FakeTable();
    for (const skill of SKILLS) {
      expect(explained(table, book.card(skill))).toMatch(`skill-${skill}`);
      expect(inShort(table, book.card(skill))).toMatch(`short-${skill}`);
    }
    expect(explained(table, book.card("archer"))).toBe("skill-archer(amount=2)");
    expect(explained(table, book.card("prince"))).toBe("skill-monarch");
    expect([explained(table, book.card("soldier")), inShort(table, book.card("soldier"))]).toEqual([
      "skill-none",
      "",
    ]);
    expect(score?.(table, 0)).toBe("");
  });
});

describe("the theatre", () => {
  const REVEALED = news("revealed", {
    seat: 0,
    area: "blue-city",
    attackers: ["knight"],
    defender: "soldier",
    added: null,
  });
  const FACTS = [
    REVEALED,
    news("counted", { seat: 0, card: "knight", area: "blue-city", source: "sword", amount: 4 }),
    news("totalled", { attack: 4, defence: 2 }),
    news("battle_won", { seat: 0 }),
  ];
  const after = view({ areas: { "blue-city": { seat: 0, card: "knight" } } });
  let table: FakeTable;
  let theatre: Theatre;

  beforeEach(() => {
    vi.useFakeTimers();
    settings.motion = "on";
    theatre = new Theatre();
    table = new FakeTable({ view: plain(view({ battle: BATTLE })) });
    theatre.follow(table, book);
    Object.assign(table, { view: plain(after), news: FACTS, past: FACTS });
  });

  afterEach(() => {
    theatre.end();
    vi.useRealTimers();
  });

  test("plays a battle step by step, and shows the table as it was until its end", () => {
    expect([theatre.number, theatre.story, theatre.open]).toEqual([1, null, false]);
    theatre.follow(table, book);
    expect([theatre.playing, theatre.step, theatre.open]).toEqual([true, 0, true]);
    expect(theatre.before?.view.areas["blue-city"]).toEqual({ seat: 1, card: "soldier" });
    for (const wait of [700, 420, 700]) {
      expect(theatre.before).not.toBeNull();
      vi.advanceTimersByTime(wait - 1);
      const before = theatre.step;
      vi.advanceTimersByTime(1);
      expect(theatre.step).toBe(before + 1);
    }
    expect([theatre.step, theatre.before, theatre.playing]).toEqual([3, null, true]);
    vi.advanceTimersByTime(1200);
    expect([theatre.step, theatre.playing]).toEqual([3, false]);
  });

  test("ends in time on a page whose timers are late", () => {
    let late = 0;
    const [begun, clock] = [performance.now(), performance.now.bind(performance)];
    vi.spyOn(performance, "now").mockImplementation(() => clock() + late);
    theatre.follow(table, book);
    for (const step of [1, 2, 3]) {
      late += 100; // each timer fires this late
      vi.advanceTimersToNextTimer();
      expect(theatre.step).toBe(step);
    }
    vi.advanceTimersToNextTimer();
    expect(theatre.playing).toBe(false);
    expect(performance.now() - begun).toBe(700 + 420 + 700 + 1200);
    vi.mocked(performance.now).mockRestore();
  });

  test("is quick for those who want it so", () => {
    settings.pace = "quick";
    theatre.follow(table, book);
    vi.advanceTimersByTime(700 * 0.4 - 1);
    expect(theatre.step).toBe(0);
    vi.advanceTimersByTime(1);
    expect(theatre.step).toBe(1);
    settings.pace = "full";
  });

  test("can be skipped and closed, and stands at its end without motion", () => {
    theatre.follow(table, book);
    theatre.skip();
    expect([theatre.step, theatre.playing, theatre.before, theatre.open]).toEqual([
      3,
      false,
      null,
      true,
    ]);
    theatre.close();
    expect(theatre.open).toBe(false);
    settings.pace = "instant";
    theatre.play();
    expect([theatre.step, theatre.playing]).toEqual([3, false]);
    settings.pace = "full";
    settings.motion = "off";
    theatre.play();
    expect([theatre.step, theatre.playing]).toEqual([3, false]);
  });

  test("the next news end it, and the last battle is kept", () => {
    theatre.follow(table, book);
    table.news = [news("occupied")];
    theatre.follow(table, book);
    expect([theatre.playing, theatre.open, theatre.story?.winner]).toEqual([false, false, 0]);
  });

  test("a replay remembers the last battle from step to step, and forgets it at a leap", () => {
    table.isReplay = true;
    theatre.follow(table, book);
    Object.assign(table, { news: [news("discarded", { seat: 1, cards: ["soldier"] })], past: [] });
    theatre.follow(table, book);
    expect(theatre.story?.fallen).toEqual([{ seat: 1, card: "soldier" }]);
    table.news = [];
    theatre.follow(table, book);
    expect(theatre.story).toBeNull();
  });

  test("with all cards open each seat's view is as it was", () => {
    const both = [plain(after), plain(after)];
    table.views = both;
    theatre.follow(table, book);
    expect(theatre.before?.views?.map((one) => one.areas["blue-city"]?.seat)).toEqual([1, 1]);
  });

  test("a battle that lies open when the page comes is shown", () => {
    const lines: [] = [];
    const battle = { ...BATTLE, revealed: true, lines, totals: { attack: 1, defence: 2 } };
    const late = new Theatre();
    late.follow(new FakeTable({ view: plain(view({ battle })) }), book);
    expect([late.open, late.playing, late.story?.winner]).toEqual([true, false, 1]);
  });
});
