/**
 * The page finds the same in a record as `zashiki verify` and the server
 * (tests/server/test_fair.py).
 */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import type * as wire from "$web/shared/wire";
import { lookHere, overall, type Verdict } from "./verify";
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
