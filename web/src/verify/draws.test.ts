/** The draws reproduced: identical to the engine's, in every game, form and number of seats. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { golden, goldenNames } from "$test/goldens";
import { clientOf } from "$web/shared/clients";
import { blake2b } from "./blake2b";
import { toHex } from "./bytes";
import { Dice } from "./dice";
import { judgeDraws, linesOf, open, type Opened } from "./verify";

/** More records, written by tests/test_client_draws.py. */
const FOLDER = process.env.ZASHIKI_RECORDS;
const more = FOLDER ? readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl")) : [];

const openedOf = (record: string) => open(record) as Opened;
const isDrawn = (record: string) => clientOf(openedOf(record).game).draws !== undefined;
const drawn = goldenNames().filter((name) => isDrawn(golden(name)));

describe("BLAKE2b", () => {
  const bytes = (length: number) => Uint8Array.from({ length }, (_, place) => place % 251);

  test.each([
    [0, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"],
    [128, "c3582f71ebb2be66fa5dd750f80baae97554f3b015663c8be377cfcb2488c1d1"],
    [1000, "b372d0608f720c8c3dd41e9c8eecb10143b41abe520b616607e754bf79c08331"],
  ])("of %i bytes without a key", (length, hash) => {
    expect(toHex(blake2b(bytes(length), { length: 32 }))).toBe(hash);
  });
});

describe("the dice", () => {
  const counts = [4, 4, 4, 52, 52, 1000000];
  const zeros = new Uint8Array(32);
  const answers = (nonces: readonly string[], action: number) => {
    const dice = new Dice(zeros, nonces);
    dice.turnTo(action);
    return counts.map((count) => dice.below(count, "starter"));
  };

  test("are those of docs/research/randomness.md", () => {
    expect(answers([], 0)).toEqual([3, 2, 3, 25, 24, 320853]);
    expect(answers([], 1)).toEqual([3, 1, 3, 28, 12, 763868]);
    expect(answers(["00ff", ""], 0)).toEqual([0, 3, 0, 37, 28, 571575]);
  });
});

describe("the draw made again", () => {
  test("is known of every game with a table of its own", () => {
    const games = new Set(drawn.map((name) => openedOf(golden(name)).game));
    expect([...games].sort()).toEqual(["kamiza-2014", "kamiza-second", "kingdoms", "red-town"]);
  });

  test.each(drawn)("%s", (name) => {
    const record = golden(name);
    const opened = openedOf(record);
    if (opened.scenario) {
      expect(judgeDraws(record, opened)).toEqual({ verdict: "not judged", why: "scene" });
    } else {
      expect(judgeDraws(record, opened)).toEqual({ verdict: "ok", count: expectedCount(record) });
    }
  });

  test.runIf(FOLDER)("of fresh records", () => {
    expect(more.length).toBeGreaterThan(0);
    for (const name of more) {
      const record = readFileSync(join(FOLDER ?? "", name), "utf-8");
      const found = judgeDraws(record, openedOf(record));
      expect([name, found]).toEqual([name, { verdict: "ok", count: expectedCount(record) }]);
    }
  });

  test.each(drawn)("finds what is not drawn: %s", (name) => {
    const record = golden(name);
    if (openedOf(record).scenario) return;
    const places = placesOfDraws(record);
    for (const place of [places[0] ?? 0, places.at(-1) ?? 0]) {
      const lines = linesOf(record);
      const forged = lines.with(place, otherwise(lines[place] ?? "", openedOf(record).seats));
      expect(judgeDraws(forged.join("\n"), openedOf(record))).toMatchObject({
        verdict: "failed",
        line: place + 1,
      });
    }
  });

  const setUp = [
    ["kamiza-second-4-default-v1.jsonl", "starter_drawn"],
    ["red-town-4-default-v1.jsonl", "round_began"],
    ["kingdoms-2-default-v1.jsonl", "shuffled"],
  ] as const;

  test.each(setUp)("a secret copy of a draw does not lead to other cards: %s", (name, fact) => {
    const record = golden(name);
    const copy = linesOf(record).find((line) => line.includes(`"fact":"${fact}"`)) ?? "";
    const secret = copy.replace('"to":"all"', '"to":"none"');
    const forged = linesOf(record).toSpliced(1, 0, secret).join("\n");
    expect(judgeDraws(forged, openedOf(forged))).toMatchObject(
      fact === "shuffled"
        ? { verdict: "failed", line: 3 }
        : { verdict: "ok", count: expectedCount(record) },
    );
  });

  test.each(setUp)("an action that no player could notice is found: %s", (name) => {
    const lines = linesOf(golden(name));
    const secret = '{"to":"none","fact":"waited","with":{},"act":1,"by":0,"action":"wait"}';
    const later = lines.map((line) => line.replace(/"act":(\d+)/, (_, act) => `"act":${+act + 1}`));
    const place = later.findIndex((line) => line.includes('"act":2'));
    const forged = later.toSpliced(place, 0, secret).join("\n");
    expect(judgeDraws(forged, openedOf(forged))).toMatchObject({
      verdict: "failed",
      line: place + 1,
    });
  });

  test("the piles of Kingdoms are shuffled, and the hands dealt, in one order", () => {
    const lines = linesOf(golden("kingdoms-2-default-v1.jsonl"));
    for (const fact of ["shuffled", "dealt"]) {
      const one = lines.findIndex((line) => line.includes(`"fact":"${fact}"`));
      const swapped = lines.with(one, lines[one + 1] ?? "").with(one + 1, lines[one] ?? "");
      const found = judgeDraws(swapped.join("\n"), openedOf(swapped.join("\n")));
      expect(found).toMatchObject({ verdict: "failed", line: one + 1 });
    }
  });

  test("needs the seed, the whole record and a game that it knows", () => {
    const record = golden("red-town-4-default-v1.jsonl");
    const opened = openedOf(record);
    const why = (change: Partial<Opened>) => judgeDraws(record, { ...opened, ...change });
    expect(why({ seed: null })).toEqual({ verdict: "not judged", why: "seed" });
    expect(why({ reader: 0 })).toEqual({ verdict: "not judged", why: "part" });
    expect(why({ game: "goofspiel" })).toEqual({ verdict: "not judged", why: "game" });
    expect(why({ seed: "00".repeat(32) }).verdict).toBe("failed");
    expect(why({ nonces: ["", "", "", ""] }).verdict).toBe("failed");
    expect(judgeDraws([linesOf(record)[0], "{}"].join("\n"), opened).verdict).toBe("failed");
  });
});

const NAMES = new Set(
  "starter_drawn dealt set_down set_aside shuffled took looked_at took_over took_up".split(" "),
);

/** The lines that chance decides, and no others; counted from 0. */
function placesOfDraws(record: string): number[] {
  type Line = { fact?: string; with?: { cards?: string[] } };
  const lines = linesOf(record).map((line) => JSON.parse(line) as Line);
  let isMissed = false;
  return [...lines.entries()].flatMap(([place, { fact = "", with: details }]) => {
    if (fact === "red_three_missed") isMissed = true;
    const isDraw =
      (NAMES.has(fact) && details?.cards?.length !== 0) || (fact === "war_began" && isMissed);
    if (fact === "war_began") isMissed = false;
    return isDraw ? [place] : [];
  });
}

function expectedCount(record: string): number {
  return placesOfDraws(record).length;
}

/** The same line with other cards or another seat. */
function otherwise(line: string, seats: number): string {
  const read = JSON.parse(line) as { with: { cards?: string[]; seat?: number } };
  if (read.with.cards) read.with.cards[0] = `${read.with.cards[0]}x`;
  else read.with.seat = ((read.with.seat ?? 0) + 1) % seats;
  return JSON.stringify(read);
}
