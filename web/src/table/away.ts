/** The number of stand-in decisions that the player knows of, per table; stored in this browser. */

import { isNumber, listOf, pairWith, store, stored } from "$web/shared/storage";

const KEY = "zashiki.away";
const MOST = 50;
const isRight = listOf(pairWith(isNumber));

function kept(): [string, number][] {
  return stored(KEY, isRight, []);
}

export function knownAt(table: string): number {
  return kept().find(([one]) => one === table)?.[1] ?? 0;
}

export function rememberAt(table: string, count: number): void {
  const others = kept().filter(([one]) => one !== table);
  store(KEY, [[table, count], ...others].slice(0, MOST));
}
