/** What this browser was shown and gave before deals, kept here so that no server can revise it. */

import { isNumber, isRecord, isText, listOf, store, stored } from "./storage";

const KEY = "zashiki.promises";
const MOST = 100;

export interface Promised {
  table: string;
  commitment: string;
  seat: number;
  nonce: string;
}

function isPromised(value: unknown): value is Promised {
  if (!isRecord(value)) return false;
  const { table, commitment, seat, nonce } = value;
  return isText(table) && isText(commitment) && isNumber(seat) && isText(nonce);
}

function kept(): Promised[] {
  return stored(KEY, listOf(isPromised), []);
}

export function rememberPromise(promised: Promised): void {
  store(KEY, [promised, ...kept()].slice(0, MOST));
}

/** Two pages may have come to a table before its deal, and each gave a nonce: one counts. */
export function promisedAt(table: string): readonly Promised[] {
  return kept().filter((one) => one.table === table);
}
