/** The page says of a record what `zashiki verify` and the server say (tests/server/test_fair.py). */

import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { lookHere, overall, type Verdict } from "./verify";
import type * as wire from "./wire";
import type { Witness } from "./witness";

interface Case {
  name: string;
  record: string;
  witness: Witness | null;
  served: wire.Verified;
  verdict: Verdict;
  key: string;
}

const FILE = process.env.ZASHIKI_CASES;
const cases: Case[] = FILE ? (JSON.parse(readFileSync(FILE, "utf-8")) as Case[]) : [];

test.runIf(FILE).each(cases)("$name", async ({ record, witness, served, verdict, key }) => {
  const here = await lookHere(record, witness);
  expect([overall(here, served), here.nonces.key]).toEqual([verdict, key]);
  expect(here.nonces.verdict).toBe(served.nonces.verdict);
});

test("cases are there if tests/server/test_fair.py has made them", () => {
  expect(cases.length > 0).toBe(FILE !== undefined);
});
