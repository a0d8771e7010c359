/** What this browser was shown and gave before deals, kept here so that no server can revise it. */

const KEY = "zashiki.promises";
const MOST = 100;

export interface Promised {
  table: string;
  commitment: string;
  seat: number;
  nonce: string;
}

function kept(): Promised[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

export function rememberPromise(promised: Promised): void {
  localStorage.setItem(KEY, JSON.stringify([promised, ...kept()].slice(0, MOST)));
}

/** Two pages may have come to a table before its deal, and each gave a nonce: one counts. */
export function promisedAt(table: string): readonly Promised[] {
  return kept().filter((one) => one.table === table);
}
