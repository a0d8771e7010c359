/** The cards in the room, the standings, the phrases, and the choice of a card. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { FakeTable, news } from "$test/table";
import { settings } from "$web/shared/settings.svelte";
import { Choice } from "./choice.svelte";
import { decisive, isApt, score, tie, verdict } from "./index";
import { lyingNow } from "./lying";
import { Reveal } from "./reveal.svelte";
import { standingOf } from "./standing";
import { handOf, laysOf, spoken } from "./view";
import { describe as described, explained, revealLine, standing } from "./words";

const ROUND = {
  game: 1,
  round: 2,
  starter: 1,
  cards: ["boss@top", "hitman@top", "police@top"],
  threats: { "1": "hi" },
};
const BEFORE = { ...ROUND, round: 1, cards: ["hitman@bottom", "boss@top", "underboss@bottom"] };
const VIEW = {
  seats: 3,
  game: 1,
  round: 3,
  starter: 2,
  scores: [0, 7, 2],
  wanted: [0, 0, 1],
  left: [2, 2, 2],
  placed: [],
  spent: [
    ["hitman", "boss"],
    ["boss", "hitman"],
    ["underboss", "police"],
  ],
  threats: {},
  history: [BEFORE, ROUND],
  hand: ["police", "underboss"],
};
const FACTS = [
  news("revealed", { cards: ROUND.cards }),
  news("judged", { misplaced: [], cancelled: [], beaten: [0], points: [0, 2, 2] }),
  news("boss_shot", { boss: 0, hitman: 1 }),
  news("wanted_taken", { seat: 2 }),
  news("round_began", { starter: 2 }),
];

let table: FakeTable;
let reveal: Reveal;
let read: number;

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(settings, { motion: "on", pace: "full", language: "en" });
  table = new FakeTable({ game: "kamiza-second", view: VIEW, phrases: { hi: "Mind the step." } });
  table.people = table.people.slice(0, 3);
  read = 0;
  reveal = new Reveal(() => (read += 1));
});

afterEach(() => {
  reveal.skip();
  vi.useRealTimers();
});

function reveals(): void {
  table.news = FACTS;
  reveal.follow(table);
}

test("a hint about a card fits while the viewer holds that card", () => {
  const apt = (hint: string, hand: readonly string[]) => {
    table.view = { ...VIEW, hand };
    return isApt?.(table, hint);
  };
  expect(apt("boss-top", ["police", "boss"])).toBe(true);
  expect(apt("boss-top", ["police", "hitman"])).toBe(false);
  expect(apt("hitman-four", ["police", "boss"])).toBe(false);
  expect(apt("face-down", [])).toBe(true);
});

describe("a reveal", () => {
  test("is played step by step: first the cards, then one finding after the other", () => {
    reveals();
    expect([reveal.shown, reveal.taken, reveal.isOver]).toEqual([true, 0, false]);
    const kinds: (string | undefined)[] = [];
    for (const wait of [350, 3 * 120 + 240 + 500, 1100, 1100, 1100, 1100]) {
      vi.advanceTimersByTime(wait - 1);
      const before = reveal.taken;
      vi.advanceTimersByTime(1);
      expect(reveal.taken).toBe(before + 1);
      kinds.push(reveal.done.at(-1)?.kind);
    }
    expect(kinds).toEqual(["turned", "shot", "bribed", "scored", "wanted", "next"]);
    expect([reveal.isOver, read]).toEqual([true, 0]);
    vi.advanceTimersByTime(1100 + 2200 - 1);
    expect(reveal.shown, "it can be read").toBe(true);
    vi.advanceTimersByTime(1);
    expect([reveal.shown, read], "then the room is free, and all is told").toEqual([false, 1]);
  });

  test("is told to its end by a press, and can be read before the next round", () => {
    reveals();
    reveal.finish();
    expect([reveal.shown, reveal.isOver]).toEqual([true, true]);
    vi.advanceTimersByTime(2199);
    expect(reveal.shown).toBe(true);
    vi.advanceTimersByTime(1);
    expect([reveal.shown, read]).toEqual([false, 1]);
  });

  test("that ends the match stays on the table", () => {
    table.over = true;
    reveals();
    vi.advanceTimersByTime(60_000);
    expect([reveal.shown, reveal.isOver, read]).toEqual([true, true, 0]);
  });

  test("stands at once for who wants it so, and goes when it is read", () => {
    settings.pace = "instant";
    reveals();
    expect([reveal.shown, reveal.isOver]).toEqual([true, true]);
    vi.advanceTimersByTime(2200);
    expect(reveal.shown).toBe(false);
  });

  test("told twice is played once", () => {
    reveals();
    vi.advanceTimersByTime(350);
    reveals();
    expect(reveal.taken).toBe(1);
  });

  test("stands at once for who wants no motion, and has its time to be read", () => {
    settings.motion = "off";
    reveals();
    expect([reveal.shown, reveal.isOver]).toEqual([true, true]);
    placed("placed");
    expect(reveal.shown).toBe(true);
    vi.advanceTimersByTime(2200);
    expect(reveal.shown).toBe(false);
  });

  test("is swept away by one's own card at once", () => {
    settings.motion = "off";
    reveals();
    placed("laid");
    expect(reveal.shown).toBe(false);
  });

  test("can be seen again, and is not swept away then", () => {
    reveals();
    placed("placed");
    expect(reveal.shown).toBe(false);
    reveal.again();
    expect([reveal.shown, reveal.taken]).toEqual([true, 0]);
    placed("placed");
    expect(reveal.shown).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(reveal.shown, "it lies there until it is left").toBe(true);
    reveal.leave();
    expect([reveal.shown, reveal.isOver]).toEqual([false, true]);
  });

  test("that was before the page came is known, and lies there at the end", () => {
    reveal.follow(table);
    expect([reveal.shown, reveal.judgement?.round]).toEqual([false, ROUND]);
    expect(reveal.judgement?.steps.map((step) => step.kind)).toEqual(["turned"]);
    const late = new Reveal();
    table.over = true;
    late.follow(table);
    expect(late.shown).toBe(true);
    const first = new Reveal();
    first.follow(new FakeTable({ view: {} }));
    expect([first.judgement, first.shown, first.isOver]).toEqual([null, false, true]);
  });

  function placed(fact: string): void {
    table.view = { ...VIEW, placed: [{ seat: 2, card: null, area: "top", open: false }] };
    table.news = [news(fact)];
    reveal.follow(table);
  }
});

describe("what lies in the room", () => {
  test("is what was placed, with one's own card", () => {
    const lays = [
      { seat: 1, card: null, area: "top", open: false },
      { seat: 0, card: "boss", area: "top", open: false },
      { seat: 2, card: "hitman", area: "bottom", open: true },
    ];
    table.view = { ...VIEW, placed: lays };
    const lying = lyingNow(table, reveal);
    expect(lying.map(({ seat, card, isUp, place }) => [seat, card, isUp, place])).toEqual([
      [1, null, false, 0],
      [0, "boss", false, 1],
      [2, "hitman", true, 2],
    ]);
    expect(lying.map((one) => described(table, one))).toEqual([
      "face_down(player=Ben)",
      "face_down_known(player=Aki; card=boss)",
      "card_up(player=Chie; card=hitman)",
    ]);
  });

  test("is also one's own card that is about to be placed", () => {
    const seen = (coming: string | null) =>
      lyingNow(table, reveal, coming).map(({ seat, card, area, isUp }) => [seat, card, area, isUp]);
    table.view = { ...VIEW, starter: 0 };
    expect(seen(null)).toEqual([]);
    expect(seen("boss@top")).toEqual([[0, "boss", "top", false]]);
    table.options = { open_start: true };
    expect(seen("boss@top"), "who starts lays it open").toEqual([[0, "boss", "top", true]]);
    table.view = { ...VIEW, placed: [{ seat: 0, card: "boss", area: "top", open: true }] };
    expect(seen("boss@top"), "it lies there once").toHaveLength(1);
  });

  test("is seen by all where all cards are open", () => {
    const lay = { seat: 1, card: null, area: "top", open: false };
    table.view = { ...VIEW, placed: [lay] };
    const own = { ...VIEW, hand: ["police"], placed: [{ ...lay, card: "boss" }] };
    table.views = [VIEW, own, VIEW];
    expect(laysOf(table)).toEqual([{ ...lay, card: "boss" }]);
    expect(handOf(table, 1)).toEqual(["police"]);
    table.views = null;
    expect([handOf(table, 0), handOf(table, 1)]).toEqual([["police", "underboss"], null]);
  });

  test("is told of a reveal only as far as it has gone", () => {
    reveals();
    const seen = () =>
      lyingNow(table, reveal).map(({ seat, isUp, fate, points }) => [seat, isUp, fate, points]);
    const down = (seat: number) => [seat, false, null, null];
    expect(seen()).toEqual([down(1), down(2), down(0)]);
    expect(described(table, lyingNow(table, reveal)[0] as never)).toBe("face_down(player=Ben)");
    vi.advanceTimersByTime(350);
    expect(seen()).toEqual([
      [1, true, null, null],
      [2, true, null, null],
      [0, true, null, null],
    ]);
    reveal.skip();
    expect(seen()).toEqual([
      [1, true, null, 2],
      [2, true, null, 2],
      [0, true, "shot", null],
    ]);
    expect(lyingNow(table, reveal).map((one) => described(table, one))).toEqual([
      "card_paid(player=Ben; card=hitman; points=2)",
      "card_paid(player=Chie; card=police; points=2)",
      "card_gone(player=Aki; card=boss; fate=fate_shot)",
    ]);
  });

  test("with an open start the first card lies open from the beginning", () => {
    table.options = { open_start: true };
    reveals();
    expect(lyingNow(table, reveal).map(({ seat, isUp }) => [seat, isUp])).toEqual([
      [1, true],
      [2, false],
      [0, false],
    ]);
  });
});

describe("how a player stands", () => {
  const stand = (seat: number) => standingOf(table, reveal, seat);

  test("is as the view says", () => {
    expect(stand(0)).toMatchObject({
      score: 0,
      gained: null,
      wanted: 0,
      isOut: false,
      isStarter: false,
      spent: ["hitman", "boss"],
      hand: ["police", "underboss"],
      left: 2,
      threat: null,
    });
    expect(stand(2)).toMatchObject({ isStarter: true, hand: null });
    table.view = { ...VIEW, wanted: undefined, dropped: [1] };
    expect([stand(0).wanted, stand(1).isOut]).toEqual([null, true]);
  });

  test("during a reveal is told no further than the reveal", () => {
    reveals();
    expect(stand(1)).toMatchObject({
      score: 5,
      gained: null,
      spent: ["boss"],
      left: 3,
      threat: "Mind the step.",
    });
    expect([stand(2).wanted, stand(1).isStarter]).toEqual([0, true]);
    vi.advanceTimersByTime(350);
    expect(stand(1)).toMatchObject({ score: 5, spent: ["boss", "hitman"], left: 2, hand: null });
    reveal.skip();
    expect(stand(1)).toMatchObject({ score: 7, gained: 2, isStarter: false });
    expect(stand(0)).toMatchObject({ gained: null });
    expect(stand(2)).toMatchObject({ wanted: 1, isStarter: true });
  });

  test("words are a phrase of the game, or as they were typed", () => {
    expect(spoken(table, "hi")).toBe("Mind the step.");
    expect(spoken(table, "my own words")).toBe("my own words");
    expect(spoken(table, undefined)).toBeNull();
  });
});

describe("what the room says", () => {
  test("between reveals is game, round and starter", () => {
    expect(standing(table)).toBe("standing(game=1; round=3; player=Chie)");
    table.over = true;
    expect(standing(table)).toBe("ended");
  });

  test("during a reveal is its last step, and at its end how it ended", () => {
    reveals();
    expect(revealLine(table, reveal)).toBe("turning");
    const lines: string[] = [];
    for (let step = 1; step <= 5; step += 1) {
      vi.advanceTimersByTime(step === 1 ? 350 : 1100);
      lines.push(revealLine(table, reveal));
    }
    expect(lines).toEqual([
      "turned(game=1; round=2)",
      "boss_shot!",
      "bribed(officer=Chie; payer=Ben)",
      "scored(points=points_of(player=Ben; points=2), points_of(player=Chie; points=2))",
      "wanted_taken!",
    ]);
    reveal.skip();
    expect(revealLine(table, reveal)).toBe(`${lines[3]} wanted_taken!`);
  });

  test("of cards that do not count names them", () => {
    table.news = [
      FACTS[0] as never,
      news("judged", { misplaced: [0], cancelled: [1], beaten: [2], points: [0, 0, 0] }),
    ];
    reveal.follow(table);
    const lines: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(step === 0 ? 350 : 1100);
      lines.push(revealLine(table, reveal));
    }
    expect(lines.slice(1)).toEqual([
      "misplaced(cards=card_of(player=Aki; card=boss))",
      "cancelled(cards=card_of(player=Ben; card=hitman))",
      "beaten(cards=card_of(player=Chie; card=police))",
    ]);
    reveal.skip();
    expect(revealLine(table, reveal)).toBe("scored_nobody");
  });
});

describe("what tokens mean", () => {
  test("is said of points, fan and chips, after what was said", () => {
    const stand = { ...standingOf(table, reveal, 2), threat: "Boo." };
    expect(explained(table, stand)).toBe(
      "said(player=Chie; words=Boo.) explain_points(player=Chie; points=2) " +
        "explain_starter(player=Chie) explain_wanted(count=1)",
    );
    table.view = { ...VIEW, wanted: undefined };
    expect(explained(table, standingOf(table, reveal, 0))).toBe(
      "explain_points(player=Aki; points=0)",
    );
  });
});

describe("how it ended", () => {
  test("names the winners and what each has", () => {
    table.outcome = { ranks: [2, 1, 1], scores: [3, 5, 5] };
    expect(verdict?.(table)).toBe("end-mine-behind(points=3; behind=2; name=Ben, Chie)");
    table.seat = 1;
    expect(verdict?.(table)).toBe("end-mine-won(points=5)");
    table.seat = null;
    expect(verdict?.(table)).toBe("end-won(names=Ben, Chie; points=5)");
    expect(score?.(table, 1)).toBe("end-score(points=5)");
    table.view = { ...VIEW, dropped: [0] };
    expect(score?.(table, 0)).toBe("out · end-score(points=3)");
    expect(tie?.(table)).toBe("");
    table.seat = 0;
    expect(verdict?.(table)).toBe("end-mine-out");
    table.outcome = { ranks: [2, 1, 3], scores: [5, 5, 1] };
    table.view = VIEW;
    expect(verdict?.(table)).toBe("end-mine-tied(points=5; name=Ben)");
    Object.assign(table, { outcome: null, seat: null });
    expect(verdict?.(table)).toBe("end-won(names=; points=0)");
  });

  test("was decided by the card with which most was lost to another", () => {
    const step = (seat: number, ...facts: ReturnType<typeof news>[]) => ({ seat, facts });
    const judged = (...points: number[]) => news("judged", { points });
    const steps = [
      { seat: null, facts: [news("round_began")] },
      step(0),
      step(1),
      step(2, judged(2, 3, 0)),
      step(1),
      step(2),
      step(0, judged(0, 5, 0)),
      step(0),
      step(1),
      step(2, judged(5, 0, 0)),
    ];
    expect(decisive?.(steps, 0)).toBe(5);
    expect(decisive?.(steps, 1)).toBe(7);
    expect(decisive?.(steps, null)).toBeUndefined();
    expect(decisive?.(steps.slice(0, 2), 0)).toBeUndefined();
  });

  test("explains a tie that was broken, but not that of who dropped out", () => {
    table.outcome = { ranks: [2, 1, 3], scores: [5, 5, 1] };
    expect(tie?.(table)).toBe("end-tie");
    table.view = { ...VIEW, dropped: [0] };
    expect(tie?.(table)).toBe("");
  });
});

describe("a choice", () => {
  let chosen = 0;
  let choice: Choice;

  beforeEach(() => {
    chosen = 0;
    table.legal = ["boss@top", "hitman@top", "hitman@bottom"];
    choice = new Choice(
      () => table,
      () => (chosen += 1),
    );
  });

  const later = () => vi.advanceTimersByTimeAsync(1000);

  test("is a card and an area, from what is legal: pressed one after the other, it is placed", async () => {
    expect([choice.allows("boss"), choice.allows("police")]).toEqual([true, false]);
    choice.take("hitman");
    expect([choice.card, choice.area, choice.action]).toEqual(["hitman", null, null]);
    expect(choice.actionAt("bottom")).toBe("hitman@bottom");
    choice.go("bottom", "boss");
    expect([choice.action, chosen]).toEqual(["hitman@bottom", 2]);
    expect([choice.intent.action, table.played]).toEqual(["hitman@bottom", []]);
    await later();
    expect(table.played).toEqual([["hitman@bottom", undefined]]);
    expect([choice.card, choice.area, choice.action]).toEqual([null, null, null]);
  });

  test("that is taken back stays a card, and is never sent", async () => {
    choice.take("hitman");
    choice.go("bottom", "boss");
    choice.intent.takeBack();
    await later();
    expect([table.played, choice.card]).toEqual([[], "hitman"]);
    choice.go("top", "boss");
    choice.take("hitman");
    await later();
    expect(table.played, "another press of the card takes it back, too").toEqual([]);
  });

  test("an area first, then a card, waits for the area to be pressed again", async () => {
    choice.go("top", "boss");
    expect([choice.area, choice.action]).toEqual(["top", null]);
    choice.take("hitman");
    await later();
    expect([choice.action, table.played]).toEqual(["hitman@top", []]);
    choice.go("top", "boss");
    await later();
    expect(table.played).toEqual([["hitman@top", undefined]]);
  });

  test("a press of a card that is chosen, or of an area, takes the choice away", () => {
    choice.take("hitman");
    choice.take("hitman");
    choice.go("bottom", "boss");
    choice.go("bottom", "boss");
    expect([choice.card, choice.area]).toEqual([null, null]);
  });

  test("that is worthless there is asked about before it is placed", async () => {
    table.legal = ["boss@top", "boss@bottom"];
    choice.take("boss");
    expect([choice.isWorthlessAt("top"), choice.isWorthlessAt("bottom")]).toEqual([false, true]);
    choice.go("bottom", "boss");
    await later();
    expect([choice.isDoubted, choice.intent.action, table.played]).toEqual([true, null, []]);
    choice.doubt();
    expect([choice.isDoubted, choice.card, choice.area]).toEqual([false, "boss", null]);
    choice.go("bottom", "boss");
    choice.place();
    await later();
    expect(table.played).toEqual([["boss@bottom", undefined]]);
  });

  test("can be planned while others think, and is not placed by itself", async () => {
    table.legal = [];
    choice.take("boss");
    expect(choice.card, "it is not in the hand").toBeNull();
    choice.take("police");
    choice.go("top", "boss");
    await later();
    expect([choice.card, choice.area, choice.action]).toEqual(["police", "top", null]);
    expect([table.played, table.doubted], "and nobody scolds").toEqual([[], []]);
    table.legal = ["police@top", "police@bottom"];
    await later();
    expect([choice.action, table.played]).toEqual(["police@top", []]);
    choice.go("top", "boss");
    await later();
    expect(table.played).toEqual([["police@top", undefined]]);
  });

  test("cannot be planned by who is out, in a replay, or when all is over", () => {
    table.legal = [];
    expect([choice.canPlan, choice.allows("police")]).toEqual([true, true]);
    for (const more of [{ over: true }, { isReplay: true }, { seat: null }]) {
      const other = new FakeTable({ view: VIEW, ...more });
      const wish = new Choice(
        () => other,
        () => undefined,
      );
      wish.take("police");
      expect([wish.canPlan, wish.card, wish.allowsAt("top")]).toEqual([false, null, false]);
    }
    table.view = { ...VIEW, dropped: [0] };
    expect(choice.canPlan).toBe(false);
  });

  test("is drawn to an area, or pressed twice where one area is meant for it", async () => {
    table.legal = ["boss@top", "boss@bottom", "hitman@top", "hitman@bottom"];
    choice.bring("hitman", null);
    expect([choice.card, choice.intent.action]).toEqual(["hitman", null]);
    choice.bring("boss", null);
    expect(choice.intent.action).toBe("boss@top");
    choice.bring("hitman", "bottom");
    expect(choice.intent.action, "the last word counts").toBe("hitman@bottom");
    choice.bring("boss", "bottom");
    expect([choice.intent.action, choice.isDoubted]).toEqual([null, true]);
    choice.bring("police", "top");
    expect(choice.card, "what is not in the hand stays").toBe("boss");
  });

  test("drawn out of turn is planned", () => {
    table.legal = [];
    choice.bring("police", "top");
    choice.bring("police", "top");
    expect([choice.card, choice.area]).toEqual(["police", "top"]);
  });

  test("a card with one area goes there by itself", () => {
    choice.take("boss");
    expect(choice.action).toBe("boss@top");
    expect([choice.allowsAt("top"), choice.allowsAt("bottom")]).toEqual([true, false]);
  });

  test("what is not legal is asked about and not chosen", () => {
    choice.take("police");
    choice.take("boss");
    choice.go("bottom", "hitman");
    expect(table.doubted).toEqual(["police@top", "boss@bottom"]);
    expect(choice.action).toBe("boss@top");
    table.legal = ["hitman@top"];
    choice.take("boss");
    choice.go("bottom", "hitman");
    expect(table.doubted.slice(2)).toEqual(["boss@top", "hitman@bottom"]);
    expect(choice.action, "no longer legal").toBeNull();
  });

  test("is placed with words, and forgotten once it is accepted", async () => {
    choice.place();
    choice.take("boss");
    choice.says = "  Mind the step. ";
    table.accepts = false;
    choice.place();
    await later();
    expect([choice.action, choice.says]).toEqual(["boss@top", "  Mind the step. "]);
    table.accepts = true;
    table.busy = true;
    choice.place();
    expect([choice.action, choice.intent.action], "one at a time").toEqual(["boss@top", null]);
    table.busy = false;
    choice.place();
    await later();
    expect([choice.action, choice.says]).toEqual([null, ""]);
    choice.take("boss");
    choice.place();
    await later();
    expect(table.played).toEqual([
      ["boss@top", "Mind the step."],
      ["boss@top", "Mind the step."],
      ["boss@top", undefined],
    ]);
    expect(table.skipped, "who acts does not wait for what moves").toBe(3);
  });
});
