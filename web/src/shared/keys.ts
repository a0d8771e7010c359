/** The keys of tables that were opened or visited here; a private table's link contains its key. */

import { isText, listOf, pairWith, store, stored } from "./storage";

const KEY = "zashiki.keys";
const MOST = 40;
const isRight = listOf(pairWith(isText));

function kept(): [string, string][] {
  return stored(KEY, isRight, []);
}

export function rememberKey(table: string, key: string): void {
  const others = kept().filter(([id]) => id !== table);
  store(KEY, [[table, key], ...others].slice(0, MOST));
}

export function keyOf(table: string): string | null {
  return kept().find(([id]) => id === table)?.[1] ?? null;
}

/** The address of a table on this site, with its key if it is known. */
export function addressOf(table: string): string {
  const key = keyOf(table);
  return key ? `/table/${table}?key=${encodeURIComponent(key)}` : `/table/${table}`;
}
