import { describe, expect, test, vi } from "vitest";

import { golden, goldenNames } from "$test/goldens";
import { brokenLink, canHash, linesOf, lookHere, open, opensCommitment } from "./verify";

const NAME = "kamiza-second-3-default-v1.jsonl";
const record = golden(NAME);
const lines = linesOf(record);
const opened = () => open(record) as NonNullable<ReturnType<typeof open>>;
const joined = (some: readonly string[]) => some.join("\n");

describe("a record", () => {
  test.each(goldenNames())("%s hangs together and opens its commitment", async (name) => {
    const text = golden(name);
    expect(await brokenLink(text)).toBeNull();
    const found = open(text);
    expect(found).not.toBeNull();
    if (found) expect(await opensCommitment(found)).toBe("ok");
  });

  test("says what it is about", () => {
    expect(opened()).toMatchObject({ game: "kamiza-second", nonces: [] });
    expect(opened().commitment).toMatch(/^[0-9a-f]{64}$/);
    const header = '{"zashiki":2,"game":"g","commitment":"c","nonces":["a",5],"hashes":["b",null]}';
    expect(open(header)).toMatchObject({
      game: "g",
      commitment: "c",
      nonces: ["a", "5"],
      hashes: ["b", null],
      seed: null,
      salt: null,
    });
  });

  test.each(["", "no record", "5", "null", '{"zashiki":1}', '{"commitment":"c"}'])(
    "%j is none",
    (text) => expect(open(text)).toBeNull(),
  );

  test("may have been saved with the line ends of Windows", async () => {
    expect(linesOf("a\r\nb\r\n")).toEqual(["a", "b"]);
    expect(await brokenLink(record.replaceAll("\n", "\r\n"))).toBeNull();
  });
});

describe("a forged record", () => {
  test("with another fact is found at its line", async () => {
    const forged = lines.with(4, (lines[4] ?? "").replace('"to":2', '"to":1'));
    expect(forged[4]).not.toBe(lines[4]);
    expect(await brokenLink(joined(forged))).toEqual({ line: 5, why: "broken" });
  });

  test("with a line less, a line more or two lines swapped is found", async () => {
    expect(await brokenLink(joined(lines.toSpliced(4, 1)))).toEqual({ line: 5, why: "broken" });
    const twice = lines.toSpliced(4, 0, lines[4] ?? "");
    expect(await brokenLink(joined(twice))).toEqual({ line: 6, why: "broken" });
    const swapped = lines.with(4, lines[5] ?? "").with(5, lines[4] ?? "");
    expect(await brokenLink(joined(swapped))).toEqual({ line: 5, why: "broken" });
  });

  test("that was cut off is found, also where nothing else is wrong", async () => {
    const cut = lines.slice(0, -1);
    expect(await brokenLink(joined(cut))).toEqual({ line: cut.length, why: "cut" });
  });

  test("with wrong numbers is found though its hashes are right", async () => {
    const rehashed = await hashed(lines.with(4, (lines[4] ?? "").replace('"n":4', '"n":5')));
    expect(await brokenLink(rehashed)).toEqual({ line: 5, why: "broken" });
    const counted = await hashed(
      lines.with(-1, (lines.at(-1) ?? "").replace('"end":89', '"end":88')),
    );
    expect(await brokenLink(counted)).toEqual({ line: lines.length, why: "cut" });
  });

  test("with a nonce of no seat, chosen last, is found though its hashes are right", async () => {
    const dealt = linesOf(golden("red-town-3-two-phases-v1.jsonl"));
    expect(await brokenLink(await hashed(dealt))).toBeNull();
    const header = dealt[0] ?? "";
    for (const [from, to] of [
      ['"nonces":[', '"nonces":["00",'],
      ['"hashes":[', '"hashes":[null,'],
      ['"seats":3', '"seats":4'],
    ] as const) {
      const forged = await hashed(dealt.with(0, header.replace(from, to)));
      expect(await brokenLink(forged)).toEqual({ line: 1, why: "unreadable" });
    }
  });

  test("with action numbers that suit the forger is found though its hashes are right", async () => {
    const place = lines.findIndex((line) => line.includes('"act":2,'));
    const renumbered = lines.map((line) => line.replace('"act":2,', '"act":5,'));
    const forged = await hashed(renumbered);
    expect(await brokenLink(forged)).toEqual({ line: place + 1, why: "broken" });
  });

  test("that cuts seed and salt elsewhere has none", () => {
    const { seed, salt } = opened() as { seed: string; salt: string };
    const moved = [seed + salt.slice(0, 2), salt.slice(2)] as const;
    const text = record.replace(seed, moved[0]).replace(`"salt":"${salt}"`, `"salt":"${moved[1]}"`);
    expect(open(text)).toMatchObject({ seed: null, salt: null });
  });

  test("with a line that has no hash cannot be read", async () => {
    expect(await brokenLink(joined(lines.with(2, "{}")))).toEqual({ line: 3, why: "unreadable" });
    expect(await brokenLink("")).toEqual({ line: 1, why: "unreadable" });
  });

  test("with another seed or salt does not open its commitment", async () => {
    for (const part of ["seed", "salt"] as const) {
      const other = { ...opened(), [part]: "00".repeat(32) };
      expect(await opensCommitment(other)).toBe("failed");
      expect(await opensCommitment({ ...opened(), [part]: null })).toBe("not judged");
    }
  });
});

describe("looking at all of it", () => {
  test("an old record is consistent and proves nothing", async () => {
    const here = await lookHere(record, null);
    expect([here.chain, here.seed, here.draws.verdict]).toEqual([null, "ok", "ok"]);
    expect(here.nonces).toEqual({ verdict: "not judged", key: "no-hashes" });
  });

  test("what is no record is not compared with anything", async () => {
    const here = await lookHere("no record", null);
    expect(here.opened).toBeNull();
    expect([here.nonces.verdict, here.draws.verdict]).toEqual(["not judged", "not judged"]);
  });

  test("where the page may not hash, the draw is made again all the same", async () => {
    vi.stubGlobal("isSecureContext", false);
    const here = await lookHere(record, null);
    expect([here.chain, here.seed, here.draws.verdict]).toEqual(["unable", "not judged", "ok"]);
  });
});

test("hashing needs a secure page", () => {
  expect(canHash()).toBe(true);
  vi.stubGlobal("isSecureContext", false);
  expect(canHash()).toBe(false);
});

/** The same lines with matching hashes, as a forger would write them. */
async function hashed(some: readonly string[]): Promise<string> {
  let head = "";
  const made: string[] = [];
  for (const line of some) {
    const content = line.replace(/,"hash":"[0-9a-f]{32}"\}$/, "");
    const bytes = new TextEncoder().encode(`${head}${content}}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    head = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .slice(0, 32);
    made.push(`${content},"hash":"${head}"}`);
  }
  return joined(made);
}
