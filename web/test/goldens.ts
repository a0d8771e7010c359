/** Records of complete matches, written by the engine (tests/goldens). */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { News } from "$web/table/model";

const FOLDER = join(import.meta.dirname, "../../tests/goldens");

interface Line {
  n: number;
  to: "all" | number;
  fact: string;
  with: Record<string, unknown>;
  act?: number;
  action?: string;
}

export function goldenNames(start = ""): string[] {
  return readdirSync(FOLDER).filter((name) => name.startsWith(start) && name.endsWith(".jsonl"));
}

export function golden(name: string): string {
  return readFileSync(join(FOLDER, name), "utf-8");
}

/** The public facts, grouped by action. */
export function actsOf(name: string): News[][] {
  const lines = golden(name)
    .trim()
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line) as Line);
  const acts: News[][] = [];
  let last: number | undefined;
  for (const { n, to, fact, with: details, act } of lines.filter((line) => line.to === "all")) {
    if (act === undefined || act !== last) acts.push([]);
    last = act;
    acts.at(-1)?.push({ n, own: to !== "all", fact, with: details, text: `${fact}!` });
  }
  return acts;
}

/** All actions of a match, in notation. */
export function actionsOf(name: string): string[] {
  return golden(name)
    .split("\n")
    .flatMap((line) => /"action":("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? [])
    .map((text) => JSON.parse(text) as string);
}
