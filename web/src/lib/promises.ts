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

const NONCE_BYTES = 16;

/** Having been shown a commitment, give a nonce of our own, and remember both. */
export function promise(table: string, commitment: string, seat: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  store(KEY, [{ table, commitment, seat, nonce }, ...kept()].slice(0, MOST));
  return nonce;
}

/** Two pages may have come to a table before its deal, and each gave a nonce: one counts. */
export function promisedAt(table: string): readonly Promised[] {
  return kept().filter((one) => one.table === table);
}
