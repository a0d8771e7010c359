import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { refusing, serving, type Asked } from "$test/server";
import { player } from "$test/wire";
import { settings } from "$web/shared/settings.svelte";
import type * as wire from "$web/shared/wire";
import { ReplayModel } from "./replay.svelte";
import { PIECE, Sights } from "./sights.svelte";

const STEPS = 90;

function match(more: Partial<wire.Match> = {}): wire.Match {
  const played = {
    id: "m1",
    game: "some-game",
    players: [
      { name: "Aki", player: player("Aki") },
      { name: "Sensible A", player: null },
    ],
    ranks: [1, 2],
    scores: [5, 3],
  };
  return {
    match: played as unknown as wire.Played,
    header: { options: { form: "short" } },
    steps: STEPS,
    sight: null,
    ...more,
  };
}

/** One public fact per step, and one private fact per seat. */
function sight(reader: number | "all", step: number, language: string): wire.Sight {
  const open = { n: 1, own: false, fact: "played", with: { step } };
  const own = { n: 2, own: true, fact: "drew", with: { step } };
  const said = [`${language} step ${step}`];
  return {
    reader,
    step,
    steps: STEPS,
    view: { reader, step },
    seat: step % 2,
    action: "a",
    says: null,
    facts: reader === "all" ? [open] : [open, own],
    said: reader === "all" ? said : [...said, step === 3 ? "" : `${language} own ${reader}`],
  };
}

function pieces({ path }: Asked): unknown {
  const address = new URL(path, "http://zashiki.test");
  if (!address.pathname.endsWith("/sights"))
    return { phrases: { hi: "Hi." }, words: {}, client: {} };
  const asked = address.searchParams;
  const seat = asked.get("seat") ?? "";
  const first = Number(asked.get("first"));
  const last = Math.min(STEPS, first + PIECE - 1);
  const reader = seat === "all" ? "all" : Number(seat);
  return Array.from({ length: last - first + 1 }, (_, place) =>
    sight(reader, first + place, asked.get("language") ?? ""),
  );
}

const sightsIn = (asked: Asked[]) =>
  asked.flatMap(({ path }) => /sights\?(.*)/.exec(path)?.[1] ?? []).map((one) => one.split("&"));

let replay: ReplayModel;
let asked: Asked[];

beforeEach(() => {
  vi.useFakeTimers();
  settings.language = "en";
  asked = serving(pieces);
  replay = new ReplayModel(match());
});

afterEach(() => {
  replay.close();
  vi.useRealTimers();
});

describe("standing at a step", () => {
  test("shows what a reader knew there", async () => {
    expect(replay.ready).toBe(false);
    await replay.stand("all", 5);
    expect([replay.ready, replay.step, replay.seat, replay.over]).toEqual([true, 5, null, false]);
    expect(replay.view).toEqual({ reader: "all", step: 5 });
    expect([replay.views, replay.news, replay.outcome]).toEqual([null, [], null]);
    expect(replay.toAct, "who acted next").toEqual([0]);
    await replay.stand(1, 5);
    expect([replay.view, replay.seat]).toEqual([{ reader: 1, step: 5 }, 1]);
    expect(replay.people.map((one) => one.me)).toEqual([false, true]);
  });

  test("stays within the match", async () => {
    await replay.stand("all", -3);
    expect(replay.step).toBe(0);
    await replay.stand("all", 1000);
    expect([replay.step, replay.over, replay.toAct]).toEqual([STEPS, true, []]);
    expect(replay.outcome).toEqual({ ranks: [1, 2], scores: [5, 3] });
    await replay.stand("all", 7.9);
    expect(replay.step).toBe(7);
    await replay.stand("all", Number.NaN);
    expect(replay.step).toBe(0);
  });

  test("only the very next step is news", async () => {
    await replay.stand(0, 5);
    await replay.stand(0, 6);
    expect(replay.news.map(({ n, fact, text }) => [n, fact, text])).toEqual([
      [1, "played", "en step 6"],
      [2, "drew", "en own 0"],
    ]);
    expect(replay.past).toEqual(replay.news);
    await replay.stand(0, 8);
    expect(replay.news, "a leap").toEqual([]);
    await replay.stand(1, 9);
    expect(replay.news, "other eyes").toEqual([]);
    await replay.stand(1, 8);
    expect(replay.news, "back").toEqual([]);
  });

  test("with all cards open there is a view of each seat, and what each was told", async () => {
    await replay.stand("open", 5);
    expect(replay.view).toEqual({ reader: "all", step: 5 });
    expect(replay.views?.map((view) => view.reader)).toEqual([0, 1]);
    await replay.stand("open", 6);
    expect(replay.news.map(({ n, text }) => [n, text])).toEqual([
      [1, "en step 6"],
      [2, "en own 0"],
      [3, "en own 1"],
    ]);
  });

  test("the last place that was asked for counts, whatever comes first", async () => {
    let arrive: () => void = () => undefined;
    const late = new Promise<void>((done) => (arrive = done));
    asked = serving(async (one) => {
      if (one.path.includes("first=80")) await late;
      return pieces(one);
    });
    const slow = replay.stand("all", 80);
    const quick = replay.stand("all", 3);
    await quick;
    expect(replay.step).toBe(3);
    arrive();
    await slow;
    expect(replay.step).toBe(3);
    replay.by(1);
    replay.by(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.step, "two steps from where one is going").toBe(5);
    replay.look(1);
    await vi.advanceTimersByTimeAsync(0);
    expect([replay.reader, replay.step]).toEqual([1, 5]);
  });

  test("in another language it is the same step", async () => {
    await replay.speak();
    expect(asked, "nothing is shown yet").toEqual([]);
    await replay.stand(0, 5);
    settings.language = "ja";
    await replay.speak();
    expect([replay.step, replay.language]).toEqual([5, "ja"]);
    expect(replay.log.at(1)?.lines.at(0)?.text).toBe("ja step 1");
  });

  test("a fault is told, and gone with the next success", async () => {
    serving(() => refusing(404, "no-match"));
    await replay.stand("all", 5);
    expect(replay.fault).toBeTruthy();
    expect(replay.ready).toBe(false);
    serving(pieces);
    await replay.stand("all", 5);
    expect([replay.fault, replay.ready]).toEqual(["", true]);
  });

  test("a replay that was left shows nothing more", async () => {
    const standing = replay.stand("all", 5);
    replay.close();
    await standing;
    expect(replay.ready).toBe(false);
  });
});

describe("reading", () => {
  test("begins with the piece that is looked at, then onward, then what lies before", async () => {
    await replay.stand("all", 50);
    await vi.advanceTimersByTimeAsync(0);
    expect(sightsIn(asked)).toEqual([
      ["seat=all", "first=40", "language=en"],
      ["seat=all", "first=80", "language=en"],
      ["seat=all", "first=0", "language=en"],
    ]);
    expect(replay.read).toBe(STEPS + 1);
    await replay.stand("all", 10);
    await vi.advanceTimersByTimeAsync(0);
    expect(sightsIn(asked).length, "nothing is asked for twice").toBe(3);
  });

  test("stops when somebody looks with other eyes", async () => {
    const sights = new Sights("m1", STEPS);
    let count = 0;
    await sights.needAll([0], 0, "en", () => (count += 1) < 3);
    expect(sights.count(0, "en")).toBe(2 * PIECE);
    expect(sights.count(1, "en")).toBe(0);
    expect(sights.of(0, "en")[STEPS]).toBeUndefined();
  });

  test("asks again for a piece that did not come", async () => {
    const sights = new Sights("m1", STEPS);
    serving(() => refusing(503, "busy"));
    await expect(sights.need([0], 5, "en")).rejects.toMatchObject({ code: "busy" });
    serving(pieces);
    await sights.need([0], 5, "en");
    expect(sights.count(0, "en")).toBe(PIECE);
  });

  test("a rest that did not come is asked for with the next step", async () => {
    let isDown = false;
    asked = serving((one) =>
      isDown && one.path.includes("first=40") ? refusing(503, "busy") : pieces(one),
    );
    isDown = true;
    await replay.stand("all", 0);
    await vi.advanceTimersByTimeAsync(0);
    expect([replay.read, replay.fault]).toEqual([PIECE, ""]);
    isDown = false;
    await replay.stand("all", 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.read).toBe(STEPS + 1);
  });
});

describe("playing", () => {
  test("goes on step by step at its speed, and ends at the end", async () => {
    await replay.stand("all", STEPS - 3);
    replay.toggle();
    expect(replay.playing).toBe(true);
    await vi.advanceTimersByTimeAsync(899);
    expect(replay.step).toBe(STEPS - 3);
    await vi.advanceTimersByTimeAsync(1);
    expect(replay.step).toBe(STEPS - 2);
    replay.speed = 2;
    await vi.advanceTimersByTimeAsync(900 + 450);
    expect([replay.step, replay.playing]).toEqual([STEPS, false]);
    replay.toggle();
    await vi.advanceTimersByTimeAsync(0);
    expect([replay.step, replay.playing], "from the start").toEqual([0, true]);
  });

  test("can be hurried, and stopped", async () => {
    await replay.stand("all", 5);
    replay.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.step, "it does not play").toBe(5);
    replay.toggle();
    replay.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.step).toBe(6);
    replay.toggle();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([replay.step, replay.playing]).toEqual([6, false]);
  });

  test("is stopped by going somewhere by hand, and by a fault", async () => {
    await replay.stand("all", 5);
    replay.toggle();
    replay.go(20);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([replay.step, replay.playing]).toEqual([20, false]);
    replay.toggle();
    settings.language = "ja";
    serving(() => refusing(503, "busy"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(replay.playing).toBe(false);
    expect(replay.fault).toBeTruthy();
  });
});

describe("a replay as a table", () => {
  test("offers nothing to do", async () => {
    expect([replay.legal, replay.isReplay, replay.busy, replay.asked]).toEqual([
      [],
      true,
      false,
      "",
    ]);
    expect(await replay.play()).toBe(false);
    await replay.whyNot();
    expect(asked).toEqual([]);
  });

  test("knows its people, options and words", async () => {
    await replay.stand("all", 0);
    expect(replay.people.map(({ name, kind, here }) => [name, kind, here])).toEqual([
      ["Aki", "guest", true],
      ["Sensible A", "bot", true],
    ]);
    expect(replay.options).toEqual({ form: "short" });
    expect(replay.phrases).toEqual({ hi: "Hi." });
    expect([replay.label("a"), replay.word("w"), replay.say("s {x}", { x: 1 })]).toEqual([
      "a",
      "w",
      "s 1",
    ]);
    expect(new ReplayModel(match({ steps: null, header: {} }))).toMatchObject({
      steps: 0,
      options: {},
    });
  });

  test("its log says what the reader was told, and with all cards open what all were", async () => {
    const said = (step: number) => replay.log[step]?.lines.map(({ text }) => text);
    await replay.stand(1, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.log.map(({ step }) => step)).toEqual(
      Array.from({ length: STEPS + 1 }, (_, step) => step),
    );
    expect(said(2)).toEqual(["en step 2", "en own 1"]);
    expect(said(3), "what says nothing is left out").toEqual(["en step 3"]);
    await replay.stand("open", 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(said(2), "nobody is You").toEqual(["en step 2"]);
  });

  test("leads from decision to decision of a seat", async () => {
    await replay.stand(1, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(replay.decider).toBe(1);
    expect(replay.nextDecision, "step 3 is the next action of seat 1").toBe(2);
    await replay.stand(1, 2);
    expect(replay.nextDecision).toBe(4);
    await replay.stand(1, STEPS - 1);
    expect(replay.nextDecision).toBeUndefined();
    await replay.stand("all", 0);
    expect([replay.decider, replay.nextDecision]).toEqual([null, undefined]);
  });

  test("was decided before the last action of a seat, where the game says nothing", async () => {
    await expect(replay.decisive(1)).resolves.toBe(STEPS - 2);
    await expect(replay.decisive(0)).resolves.toBe(STEPS - 1);
  });

  test("can be played on from, at a table of one's own", async () => {
    await replay.stand(1, 7);
    asked = serving((one) =>
      one.path.endsWith("/play-on") ? { table: { id: "t9" }, key: "k" } : pieces(one),
    );
    await expect(replay.playOn()).resolves.toBe("t9");
    const posts = asked.map(({ path, data }) => [path, data]);
    expect(posts).toContainEqual(["/api/matches/m1/play-on", { seat: 1, step: 7 }]);
    expect(posts.map(([path]) => path)).toContain("/api/tables/t9/start");
  });
});
